//! Effective verdicts: of the generated archive, and of redirects of a crawl written by hand.

use super::by_hand::census;
use crate::util::{Dir, answer, generated, lines, or_skip};

#[test]
fn every_cell_has_one_effective_verdict_and_no_redirect_is_left_undefined() {
    let made = generated();
    let sql = "SELECT (SELECT count(*) FROM verdicts) AS cells, (SELECT count(*) FROM effective_verdicts) AS effective, \
               (SELECT count(*) FROM effective_verdicts JOIN redirects USING (capture_id, dialect) \
               WHERE verdict = 'undefined' AND outcome <> 'not_in_corpus') AS undefined";
    let rows = or_skip!(answer(&made.census.0, sql, &[]));
    assert_eq!(rows[0]["cells"], rows[0]["effective"]);
    assert_eq!(rows[0]["undefined"], 0);
}

#[test]
fn a_redirect_is_answered_by_its_target_for_paths_only() {
    let dir = Dir::new();
    let urls = dir.write(
        "urls.txt",
        "/\nhttp://moved.example/z\nhttps://target.example/z\n",
    );
    let sql = "SELECT url_host_name AS host, url, verdict FROM effective_verdicts WHERE agent = 'GPTBot' \
               AND split_part(url_host_name, '.', 1) IN ('moved', 'target', 'lost', 'loop') ORDER BY ALL";
    let out = census(&dir, &["--urls", &urls]);
    if let Some(rows) = answer(&out, sql, &[]) {
        assert_eq!(
            lines(&rows, "host url verdict"),
            [
                // Of a loop there are two captures; it is as a 404.
                "loop.example / allow",
                "loop.example / allow",
                "lost.example / undefined",
                "moved.example / disallow",
                "moved.example http://moved.example/z undefined",
                "target.example / disallow",
                "target.example https://target.example/z disallow",
            ]
        );
    }
}
