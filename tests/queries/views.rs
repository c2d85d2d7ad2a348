//! Views of the generated archive.

use crate::util::{answer, generated, or_skip};

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
