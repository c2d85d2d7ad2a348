//! The table `signals`: every statement on use or licence of a file that is read, with its group.

use crate::util::{Census, Dir, Held, response, run_alone};

const FILE: &str = "License: https://rights.example/license.xml
User-agent: *
Content-Signal: search=yes, ai-train=no
Disallow: /private
User-agent: GPTBot
Content-Usage: /blog train-ai=n, search=y
Content-Usage: train-ai=
DisallowAITraining: /art
Noindex: /drafts
LLM-Policy: /policy.txt
Disallow: /
";

#[test]
fn every_statement_of_a_file_that_is_read_is_a_row_with_its_group_and_line() {
    let short = "Content-Signal: search=yes\n";
    let missing = String::from_utf8(response("https://c.example/robots.txt", FILE)).unwrap();
    let records = [
        response("https://a.example/robots.txt", FILE),
        response("https://b.example/robots.txt", short),
        missing.replace("200 OK", "404 No").into_bytes(),
    ];
    let dir = Dir::new();
    run_alone(Held::new("a.warc", records.concat()), &dir.path("census"));
    let census = Census(dir.path("census"));
    let status = census.table("captures").all_ints("fetch_status");
    assert_eq!(status, [200, 200, 404]);
    let columns = "group_index line vocabulary path key value parse_ok";
    let wanted = [
        "- 1 license - - https://rights.example/license.xml true",
        "0 3 content-signal - search yes true",
        "0 3 content-signal - ai-train no true",
        "1 6 content-usage /blog train-ai n true",
        "1 6 content-usage /blog search y true",
        "1 7 content-usage - - train-ai= false",
        "1 8 disallow-ai-training /art - - true",
        "1 9 noindex /drafts - - true",
        "1 10 llm-policy - - /policy.txt false",
        "- 1 content-signal - search yes true",
    ];
    assert_eq!(census.table("signals").lines(columns), wanted);
    // What cannot be read is an anomaly too.
    let mut malformed = census.table("errors").lines("code line");
    malformed.retain(|line| line.starts_with("malformed_value "));
    assert_eq!(malformed, ["malformed_value 7", "malformed_value 10"]);
}
