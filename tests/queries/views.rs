//! Views of the generated archive, and of crawls of every shape that queries once miscounted.

use std::collections::BTreeSet;

use super::by_hand::of_shapes;
use crate::util::{answer, generated, lines, or_skip};

/// Names of the host index have their labels in reverse, without www.
#[test]
fn annotations_have_a_row_for_each_host_of_the_host_index() {
    let census = of_shapes();
    let asked = "SELECT DISTINCT url_host_name FROM captures \
        WHERE crawl = (SELECT max(crawl) FROM captures) AND url_path = '/robots.txt' AND url_query IS NULL \
        AND is_usual_port(url_protocol, url_port)";
    let asked = or_skip!(answer(census, asked, &[]));
    let hosts = lines(&asked, "url_host_name");
    let name = |host: &String| {
        let labels = host.trim_start_matches("www.").rsplit('.');
        labels.collect::<Vec<_>>().join(",")
    };
    let names: BTreeSet<_> = hosts.iter().map(name).collect();
    assert!(names.len() > 15, "{}", names.len());
    let query = "list-host-annotations";
    let annotated = answer(census, query, &[]).unwrap();
    assert!(lines(&annotated, "surt_host_name").iter().eq(&names));
    let columns =
        "surt_host_name robots_protocol robots_is_www robots_origins robots_origins_agree";
    let of_three = "com,both-example https true 3 false".to_owned();
    assert!(lines(&annotated, columns).contains(&of_three));
}

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
