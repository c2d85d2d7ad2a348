//! The page of a comparison: `robocensus report` of a folder that `robocensus compare` wrote.

use std::{fs, path::PathBuf};

use super::{page, reaches_out, section};
use crate::util::{Dir, TestCommand, answer, gzip, response};

/// Compares google with python over what these URLs serve, and returns the folder.
fn comparison(dir: &Dir, out: &str, files: &[(&str, &str)]) -> PathBuf {
    let members = files.iter().map(|(url, body)| gzip(&response(url, body)));
    let archive = dir.write("made.warc.gz", members.collect::<Vec<_>>().concat());
    let ranks = dir.write("ranks.csv", "7,b.example\n90,a.example\n");
    let out = dir.path(out);
    TestCommand::line("compare --baseline google --candidate python --quiet --overwrite")
        .words(&[&*archive, "--ranks", &ranks, "--out", out.to_str().unwrap()])
        .end_with(1);
    out
}

const FILES: [(&str, &str); 3] = [
    (
        "https://a.example/robots.txt",
        "User-agent: *\nDisallow: /a*b\n",
    ),
    (
        "https://b.example/robots.txt",
        "User-agent: *\nDisallow: /x*y\n",
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
    let Some((_, page)) = page(&dir, &data) else {
        return;
    };
    assert!(page.contains("<h1>google and python</h1>"), "{page}");
    let sql = format!(
        "SELECT cause_id, changes, hosts, cells FROM read_parquet('{}/causes/**/*.parquet')",
        data.display()
    );
    let rows = answer(&data, &sql, &[]);
    let causes = rows.unwrap_or_default();
    for cause in &causes {
        let id = format!("cause-{}", cause["cause_id"].as_str().unwrap());
        let section = section(&page, &id);
        let changes = cause["changes"].as_str().unwrap();
        assert!(
            section.contains(&format!("<h2>{changes}</h2>")),
            "{section}"
        );
        let hosts = format!("{} flips on {} of 3 hosts", cause["cells"], cause["hosts"]);
        assert!(section.contains(&hosts), "{hosts}: {section}");
        assert!(section.contains("class=\"sides\""), "{section}");
    }
    for id in ["directions", "causes", "faults", "slowest"] {
        section(&page, id);
    }
}

#[test]
fn a_case_marks_the_line_that_decides_and_the_host_of_the_best_rank_is_first() {
    let dir = Dir::new();
    let data = comparison(&dir, "flips", &FILES);
    let Some((_, page)) = page(&dir, &data) else {
        return;
    };
    assert!(
        page.contains("<li class=\"decides\"><code><mark>"),
        "{page}"
    );
    assert!(page.contains("google: disallow, by line "), "{page}");
    let [ranked, other] =
        ["b.example", "a.example"].map(|host| page.find(&format!("<td>{host}</td>")));
    assert!(ranked.is_some() && ranked < other, "{page}");
    assert!(
        page.contains("<td>b.example</td><td class=\"number\">7</td>"),
        "{page}"
    );
}

#[test]
fn the_page_of_a_comparison_is_the_same_for_the_same_rows_and_loads_nothing() {
    let dir = Dir::new();
    let [one, other] = ["one", "other"].map(|out| comparison(&dir, out, &FILES));
    let Some((_, first)) = page(&dir, &one) else {
        return;
    };
    let (_, second) = page(&dir, &other).unwrap();
    assert!(first == second);
    assert_eq!(reaches_out(&first), Vec::<String>::new());
}

#[test]
fn text_of_files_is_escaped_on_the_page_of_a_comparison() {
    let dir = Dir::new();
    let body = "User-agent: *\nDisallow: /<script>alert(1)</script>\u{202e}*b\n";
    let data = comparison(&dir, "flips", &[("https://a.example/robots.txt", body)]);
    let Some((_, page)) = page(&dir, &data) else {
        return;
    };
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
