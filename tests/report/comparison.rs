//! The page of a comparison: `robocensus report` of a folder that `robocensus compare` wrote.

use std::{fs, path::PathBuf};

use super::{page, reaches_out, section};
use crate::util::{
    Census, Dir, TestCommand, answer, assert_says, column, gzip, lines, or_skip, response,
};

/// Compares google with rfc9309 over what these URLs serve, and returns the folder.
fn comparison(dir: &Dir, out: &str, files: &[(&str, &str)]) -> PathBuf {
    let members = files.iter().map(|(url, body)| gzip(&response(url, body)));
    let archive = dir.write("made.warc.gz", members.collect::<Vec<_>>().concat());
    let ranks = dir.write("ranks.csv", "7,b.example\n90,a.example\n");
    let out = dir.path(out);
    TestCommand::line("compare --baseline google --candidate rfc9309 --quiet --overwrite")
        .words(&[&*archive, "--ranks", &ranks, "--out", out.to_str().unwrap()])
        .end_with(1);
    out
}

const FILES: [(&str, &str); 3] = [
    (
        "https://a.example/robots.txt",
        "User-agent: *\nDisallow: /\n# a\n",
    ),
    (
        "https://b.example/robots.txt",
        "User-agent: *\nDisallow: /\n# b\n",
    ),
    (
        "https://c.example/robots.txt",
        "User-agent: *\nDisallow: /c\n",
    ),
];

#[test]
fn the_page_names_both_sides_and_each_cause_with_its_hosts() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips", &FILES);
    let (_, page) = or_skip!(page(&dir, &data));
    assert!(page.contains("<h1>google and rfc9309</h1>"), "{page}");
    let causes = Census(data).table("causes");
    let [ids, changes] = ["cause_id", "changes"].map(|column| causes.all_texts(column));
    let [hosts, cells] = ["hosts", "cells"].map(|column| causes.all_ints(column));
    assert!(
        changes
            .iter()
            .any(|changes| changes == "robots_txt_itself=allowed")
    );
    for index in 0..causes.n_rows() {
        let section = section(&page, &format!("cause-{}", ids[index]));
        let heading = format!("<h2>{}</h2>", changes[index]);
        assert!(section.contains(&heading), "{section}");
        let figures = format!("{} flips on {} of 3 hosts", cells[index], hosts[index]);
        assert!(section.contains(&figures), "{figures}: {section}");
        assert!(section.contains("class=\"sides\""), "{section}");
    }
    for id in ["directions", "causes", "faults", "slowest"] {
        section(&page, id);
    }
    // A case marks the line that decides, and the host of the best rank is first.
    assert_says(&page, "<li class=\"decides\"><code><mark>");
    assert!(page.contains("google: disallow, by line "), "{page}");
    let [ranked, other] =
        ["b.example", "a.example"].map(|host| page.find(&format!("<td>{host}</td>")));
    assert!(ranked.is_some() && ranked < other, "{page}");
    assert_says(&page, "<td>b.example</td><td class=\"number\">7</td>");
}

#[test]
fn the_page_of_a_comparison_is_the_same_for_the_same_rows_and_loads_nothing() {
    let dir = Dir::new();
    let [one, other] = ["one", "other"].map(|out| comparison(&dir, out, &FILES));
    let (_, first) = or_skip!(page(&dir, &one));
    let (_, second) = page(&dir, &other).unwrap();
    assert!(first == second);
    assert_eq!(reaches_out(&first), Vec::<String>::new());
}

#[test]
fn text_of_files_is_escaped_on_the_page_of_a_comparison() {
    let dir = Dir::new();
    let body = "User-agent: <script>alert(1)</script>\u{202e}\nDisallow: /é<b>\n";
    let data = comparison(&dir, "flips", &[("https://a.example/robots.txt", body)]);
    let (_, page) = or_skip!(page(&dir, &data));
    for word in ["<script", "\u{202e}"] {
        assert!(!page.contains(word), "{word:?}");
    }
}

#[test]
fn a_comparison_that_did_not_finish_has_no_page() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips", &FILES);
    fs::remove_dir_all(data.join("causes")).unwrap();
    let [data, out] = [data.to_str().unwrap(), &dir.word("page.html")];
    TestCommand::new(["report", "--data", data, "--out", out])
        .refuse(&["the table causes is missing", "robocensus compare"]);
    assert!(!dir.path("page.html").exists());
}

#[test]
fn sql_reads_the_tables_of_a_comparison_and_stored_queries_are_refused() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips", &FILES);
    let sql = "SELECT cause_id, count(DISTINCT url_host_name) AS hosts, getvariable('given') AS given FROM flips JOIN causes USING (cause_id) GROUP BY ALL HAVING cause_id = 'robots_txt_itself=allowed'";
    let rows = or_skip!(answer(&data, sql, &["--set", "given=a"]));
    assert_eq!(
        lines(&rows, "cause_id hosts given"),
        ["robots_txt_itself=allowed 2 a"]
    );
    for table in ["parser_faults", "timings"] {
        let rows = answer(&data, &format!("SELECT count(*) AS n FROM {table}"), &[]);
        assert_eq!(column(&rows.unwrap(), "n"), ["0"], "{table}");
    }
    let data = data.to_str().unwrap();
    TestCommand::new(["query", "count-captures-by-status", "--data", data]).refuse(&[
        "count-captures-by-status",
        "this is a comparison",
        "flips, causes",
    ]);
    TestCommand::new(["verify", data]).refuse(&["flips", "this is a comparison"]);
    TestCommand::new(["query", "FROM flips", "--data", data, "--before", data])
        .refuse(&["--before", "is a comparison"]);
}
