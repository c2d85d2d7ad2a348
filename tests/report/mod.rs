//! `robocensus report`: the page has the figures of the dataset, loads nothing, and remains valid
//! whatever the robots.txt files contain.

mod browser;
pub mod comparison;
mod figures;
mod pages;
mod tables;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use crate::util::{Dir, TestCommand, assert_says, assert_says_all, committed, or_skip, run_into};

/// Identifiers of the sections, in the order of the page.
const SECTIONS: &str = "coverage domains years status redirects sizes restriction \
    ai-against-search named-together top-level-domains directives misspellings errors templates \
    terms content-signals dialects";

/// Returns the page of a dataset and its path, or nothing where there is no DuckDB; the test is
/// then skipped, and says so.
fn page(dir: &Dir, data: &Path) -> Option<(PathBuf, String)> {
    let (out, text, stderr) = page_with(dir, data, &[])?;
    assert_eq!(stderr, "");
    Some((out, text))
}

/// The same with further arguments of the command line, and with the text of standard error.
fn page_with(dir: &Dir, data: &Path, words: &[&str]) -> Option<(PathBuf, String, String)> {
    let out = dir.path("report.html");
    let ran = TestCommand::new(["report", "--data", data.to_str().unwrap(), "--out"])
        .words(&[out.to_str().unwrap()])
        .words(words)
        .end_in_duckdb()?;
    assert_eq!((ran.code, &*ran.stdout), (0, ""), "{}", ran.stderr);
    let text = fs::read_to_string(&out).unwrap();
    Some((out, text, ran.stderr))
}

/// The page of the committed archive, made once for a process.
fn committed_page() -> Option<&'static str> {
    static ONCE: OnceLock<Option<String>> = OnceLock::new();
    let made = || Some(page(&Dir::new(), &committed().census.0)?.1);
    ONCE.get_or_init(made).as_deref()
}

/// Makes a dataset of what these URLs serve, by both dialects.
fn dataset(dir: &Dir, files: &[(&str, &str)]) -> PathBuf {
    let archive = dir.archive("made.warc.gz", files);
    let words = [&*archive, "--dialects=google,rfc9309"];
    run_into(dir.path("census"), &words)
}

/// Returns the text of a section, from its heading to the next section.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let begin = page.find(&format!("<section id=\"{id}\"")).unwrap();
    let end = page[begin..].find("</section>").unwrap();
    &page[begin..begin + end]
}

#[test]
fn each_chart_has_a_caption_a_denominator_its_figures_and_its_sql() {
    let page = or_skip!(committed_page());
    let (mut at, mut n_charts) = (0, 0);
    for id in SECTIONS.split(' ') {
        let begin = page.find(&format!("<section id=\"{id}\""));
        assert!(begin.is_some_and(|begin| begin > at), "{id}");
        at = begin.unwrap();
        assert_says(page, &format!("<a href=\"#{id}\">"));
        let section = section(page, id);
        assert_says(section, "<summary>SQL</summary>");
        if id == "coverage" {
            continue;
        }
        let parts = "<p class=\"caption\" id= | <p class=\"denominator\">n = | <summary>Figures (";
        assert_says_all(section, parts);
        assert_says(section, &format!(" id=\"{id}-heading\">"));
        assert_says(section, &format!(" id=\"{id}-caption\">"));
        let figure = format!(
            "<figure tabindex=\"0\" aria-labelledby=\"{id}-heading\" aria-describedby=\"{id}-caption\">"
        );
        let n_figures = section.matches(&figure).count();
        assert_eq!(section.matches("<figure").count(), n_figures, "{id}");
        // The sample is of one dialect.
        let has_none = id == "dialects" || section.contains("Too few for a chart");
        assert_eq!(n_figures, usize::from(!has_none), "{id}");
        n_charts += n_figures;
    }
    assert!(n_charts >= 9, "{n_charts}");
}

#[test]
fn hostile_text_is_escaped() {
    let dir = Dir::new();
    let hostile = "<script>alert(1)</script>";
    let body = format!(
        "User-agent: GPTBot\nUser-agent: {hostile}\nDisallow: /\n{hostile}: \"><img src=x onerror=alert(2)>\nx\u{202e}</title>: y\n\
         Content-Signal: {hostile}=no\nDisalow</svg><b>: /\n"
    );
    let data = dataset(&dir, &[("https://a.example/robots.txt", &body)]);
    let (_, page) = or_skip!(page(&dir, &data));
    for word in ["<script", "<img", "<b>", "\u{202e}", "</title>: y"] {
        assert!(!page.contains(word), "{word:?}");
    }
    let fields = section(&page, "directives");
    assert!(fields.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(fields.contains("x\u{fffd}&lt;/title&gt;"));
}

/// Returns what a page would fetch or run: elements that do so, addresses that are none of the
/// page's own, and handlers of events.
fn reaches_out(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lower = page.to_ascii_lowercase();
    let tags =
        "<script <link <img <iframe <object <embed <video <audio <image <use <base <form @import";
    let handlers = [" onload=", " onerror=", " onclick="];
    for part in tags.split(' ').chain(handlers) {
        if lower.contains(part) {
            found.push(part.to_owned());
        }
    }
    for (begin, end) in [("href=\"", '"'), ("src=\"", '"'), ("url(", ')')] {
        for rest in lower.split(begin).skip(1) {
            let address = rest.split(end).next().unwrap();
            if !address.starts_with('#') {
                found.push(format!("{begin}{address}"));
            }
        }
    }
    found
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let other = "<link href=\"https://x.example/a.css\"><p style=\"background:url(//x.example/b.png)\" onload=\"f()\">";
    assert_eq!(reaches_out(other).len(), 4);
    let page = or_skip!(committed_page());
    assert_eq!(reaches_out(page), Vec::<String>::new());
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'"));
}

#[test]
fn one_dialect_has_none_to_disagree_with_and_the_page_says_how_to_get_one() {
    let page = or_skip!(committed_page());
    let dialects = section(page, "dialects");
    assert!(dialects.contains("--dialects google,rfc9309"));
    assert!(dialects.contains("Figures (0 rows)"));
}

#[test]
fn a_page_without_a_host_warns_at_the_top_and_on_standard_error() {
    let dir = Dir::new();
    let data = dataset(&dir, &[("https://a.example/index.html", "no robots.txt")]);
    let (_, page, stderr) = or_skip!(page_with(&dir, &data, &[]));
    assert_says(&stderr, "all figures of the report are 0");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let warning = "<p class=\"warning\" role=\"note\">The dataset has no fetch of a robots.txt";
    assert_says(&page[..page.find("<nav").unwrap()], warning);
    for id in SECTIONS.split(' ').skip(1) {
        assert!(!section(&page, id).contains("<figure"), "{id}");
    }
    assert!(!page.contains("NaN"));
}

#[test]
fn a_failure_is_one_sentence_and_leaves_no_file() {
    let dir = Dir::new();
    let data = committed().census.0.to_str().unwrap();
    let out = dir.word("report.html");
    let report = |data: &str, out: &str| TestCommand::new(["report", "--data", data, "--out", out]);
    report(&dir.word(""), &out).refuse(&["expected the folder of a dataset"]);
    report(data, &dir.word("absent/report.html")).refuse(&["absent", "report.html: cannot write"]);
    report(data, &dir.word(""))
        .refuse(&["expected the name of a file to write, but this is a folder"]);
    let absent = dir.word("absent");
    report(data, &out)
        .env("ROBOCENSUS_DUCKDB", &absent)
        .refuse(&["no such file"]);
    assert_eq!(fs::read_dir(dir.path("")).unwrap().count(), 0);
}
