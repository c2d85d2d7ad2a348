//! What the page states on its figures: their denominators, their intervals, and their limits.

use std::path::PathBuf;

use serde_json::Value;

use super::{committed_page, dataset, page, page_with, section};
use crate::util::{
    Dir, TestCommand, answer, answered, assert_says, committed, gzip, or_skip, read_json, record,
    response, run,
};

const BLOCKED: &str = "User-agent: GPTBot\nDisallow: /\n";
const OPEN: &str = "User-agent: *\nDisallow: /x\n";

/// Makes a dataset of what these URLs served in these years.
fn dataset_of_years(dir: &Dir, fetches: &[(String, &str, &str)]) -> PathBuf {
    let members = fetches.iter().map(|(url, year, body)| {
        let date = format!("WARC-Date: {year}-01-02T03:04:05Z\r\n");
        gzip(&record(
            url,
            &date,
            format!("HTTP/1.1 200 OK\r\n\r\n{body}"),
        ))
    });
    let archive = dir.write("years.warc.gz", members.collect::<Vec<_>>().concat());
    let out = dir.path("census");
    run(&[&archive, "--out", out.to_str().unwrap()]).succeed();
    out
}

/// Returns fetches of the same file from hosts of the same year.
fn hosts<'a>(
    n: usize,
    name: impl Fn(usize) -> String,
    year: &'a str,
    body: &'a str,
) -> Vec<(String, &'a str, &'a str)> {
    let url = |index| format!("https://{}/robots.txt", name(index));
    (0..n).map(|index| (url(index), year, body)).collect()
}

#[test]
fn the_page_opens_with_the_share_of_registered_domains() {
    let dir = Dir::new();
    // One owner has 40 hosts that shut GPTBot out; 39 owners with a host each do not.
    let mut fetches = hosts(40, |n| format!("blog{n}.hoster.com"), "2026", BLOCKED);
    fetches.extend(hosts(39, |n| format!("site{n}.org"), "2026", OPEN));
    let data = dataset_of_years(&dir, &fetches);
    let (_, page) = or_skip!(page(&dir, &data));
    let head = &page[..page.find("<nav").unwrap()];
    let lead = "GPTBot is shut out by 1 of 40 registered domains: 2.5\u{a0}%";
    let by_host = "By host it is 40 of 79: 50.6\u{a0}%.";
    assert!(head.contains(lead) && head.contains(by_host), "{head}");
    let domains = section(&page, "domains");
    assert!(domains.contains("n = 40 registered domains and 79 hosts"));
    assert!(!page.contains("ensus of"));
    assert_says(head, "1 archive, fetched from 2026-01-02");
}

#[test]
fn fetches_that_span_years_are_told_apart_and_warned_of() {
    let dir = Dir::new();
    let mut fetches = hosts(35, |n| format!("old{n}.org"), "2015", OPEN);
    fetches.extend(hosts(30, |n| format!("new{n}.org"), "2026", BLOCKED));
    let data = dataset_of_years(&dir, &fetches);
    let (_, many) = or_skip!(page(&dir, &data));
    let head = &many[..many.find("<nav").unwrap()];
    assert_says(
        head,
        "role=\"note\">The fetches span years, from 2015 to 2026",
    );
    let years = section(&many, "years");
    assert!(
        [">2015</text>", ">35</text>", ">2026</text>", ">30</text>"]
            .iter()
            .all(|text| years.contains(text))
    );
    assert!(years.contains("<figure"));

    let dir = Dir::new();
    let data = dataset_of_years(&dir, &hosts(35, |n| format!("new{n}.org"), "2026", OPEN));
    let (_, one) = page(&dir, &data).unwrap();
    assert!(!one.contains("span years"));
    assert!(section(&one, "years").contains("All fetches are of one crawl or year: 2026."));
}

#[test]
fn each_crawl_is_counted_and_one_of_too_few_is_not_drawn() {
    let dir = Dir::new();
    let member =
        |n: usize, body: &str| gzip(&response(&format!("https://site{n}.org/robots.txt"), body));
    // The second crawl has 31 of the 40 hosts of the first one, which shut GPTBot out by then.
    for (crawl, n, body) in [
        ("2024-10", 40, OPEN),
        ("2025-05", 31, BLOCKED),
        ("2026-05", 29, BLOCKED),
    ] {
        let members: Vec<_> = (0..n).map(|n| member(n, body)).collect();
        let folder = dir.path(&format!("crawls/CC-MAIN-{crawl}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("robots.warc.gz"), members.concat()).unwrap();
    }
    let out = dir.path("census");
    let archives = dir.path("crawls");
    run(&[archives.to_str().unwrap(), "--out", out.to_str().unwrap()]).succeed();
    let (_, page) = or_skip!(page(&dir, &out));
    let years = section(&page, "years");
    for part in [
        "CC-MAIN-2024-10",
        ">40</text>",
        ">31</text>",
        ">too few</text>",
        "is not drawn: 1 of 3.",
        "A host counts once in each crawl",
    ] {
        assert!(years.contains(part), "{part}: {years}");
    }
}

#[test]
fn every_chart_of_hosts_counts_registered_domains() {
    let dir = Dir::new();
    // One owner has 40 hosts that say what 35 other owners do not.
    let says = "User-agent: *\nDisallow: /x\nContent-Signal: ai-train=no\n\nUser-agent: GPTBot\nDisallow: /\n";
    let mut fetches = hosts(40, |n| format!("blog{n}.hoster.com"), "2026", says);
    fetches.extend(hosts(
        35,
        |n| format!("site{n}.org"),
        "2026",
        "User-agent: GPTBot\nDisallow: /a\n",
    ));
    let data = dataset_of_years(&dir, &fetches);
    let (_, page) = or_skip!(page(&dir, &data));
    let signals = section(&page, "content-signals");
    let words =
        "1 of 36 registered domains (2.8\u{a0}%) and 40 of 75 hosts (53.3\u{a0}%) say ai-train=no";
    assert!(signals.contains(words), "{signals}");
    let restriction = section(&page, "restriction");
    let gptbot = restriction.split(">GPTBot</text>").nth(1).unwrap();
    let first = gptbot.split("<text").nth(1).unwrap();
    assert!(first.contains(">2.8\u{a0}% (1)</text>"), "{gptbot}");
    for id in "status redirects sizes restriction ai-against-search directives".split(' ') {
        let section = section(&page, id);
        assert!(
            section.contains("n = 36 registered domains and 75 hosts"),
            "{id}: {section}"
        );
    }
}

#[test]
fn a_chart_of_too_few_hosts_is_a_sentence() {
    let dir = Dir::new();
    let signal = "User-agent: *\nContent-Signal: ai-train=no\n";
    let fetches = hosts(29, |n| format!("says{n}.org"), "2026", signal);
    let data = dataset_of_years(&dir, &fetches);
    let (_, page) = or_skip!(page(&dir, &data));
    let signals = section(&page, "content-signals");
    assert!(!signals.contains("<figure"), "{signals}");
    let words = "29 of 29 registered domains (100\u{a0}%) and 29 of 29 hosts (100\u{a0}%) say ai-train=no, more than any other signal. Too few for a chart, which needs 30 and has 29";
    assert!(signals.contains(words), "{signals}");
    assert!(signals.contains("Figures (1 row)"));

    let dir = Dir::new();
    let data = dataset_of_years(&dir, &hosts(30, |n| format!("says{n}.org"), "2026", signal));
    let (_, enough) = super::page(&dir, &data).unwrap();
    assert!(section(&enough, "content-signals").contains("<figure"));
}

#[test]
fn lines_of_pages_of_html_are_no_fields_and_no_misspellings() {
    let dir = Dir::new();
    let html = "<!DOCTYPE html>\n<html>\n<div class=\"a:b\">\n<iframe\nallowfullscreen: true>\nSitemap: https://a.example/s.xml\n</html>\n";
    let mut fetches = hosts(31, |n| format!("page{n}.org"), "2026", html);
    fetches.extend(hosts(33, |n| format!("site{n}.org"), "2026", OPEN));
    let data = dataset_of_years(&dir, &fetches);
    let (_, page) = or_skip!(page(&dir, &data));
    for id in ["directives", "misspellings"] {
        let section = section(&page, id);
        assert!(section.contains("Figures (0 rows)"), "{id}: {section}");
        assert!(section.contains("None in this dataset."), "{id}");
    }
    let head = &page[..page.find("<nav").unwrap()];
    let told = "A robots.txt (text with a known field, or with no line but comments) was read from 33 of 64 hosts (51.6\u{a0}%), redirects followed; 31 of 64 hosts (48.4\u{a0}%) answered with a page of HTML, which is none.";
    assert!(head.contains(told), "{head}");
}

#[test]
fn the_page_has_its_title_and_a_citation() {
    let dir = Dir::new();
    let data = dataset(&dir, &[("https://a.example/robots.txt", OPEN)]);
    let (_, usual) = or_skip!(page(&dir, &data));
    assert!(usual.contains("<h1>What robots.txt files say</h1>"));
    let title = "Robots & <co>";
    let (_, titled, _) = page_with(&dir, &data, &["--title", title]).unwrap();
    for place in ["<h1>", "<title>"] {
        assert!(titled.contains(&format!("{place}Robots &amp; &lt;co&gt;</")));
    }
    let cite = titled.split("id=\"cite\">").nth(1).unwrap();
    let cite = cite.split("</p>").next().unwrap();
    let description: Value = read_json(data.join("_dataset.json"));
    let options = &description["options_digest"].as_str().unwrap()[..16];
    let version = env!("CARGO_PKG_VERSION");
    let wanted = format!(
        "To cite: Robots &amp; &lt;co&gt;. robocensus {version}, options {options}, archives "
    );
    assert!(cite.starts_with(&wanted), "{cite}");
    assert!(cite.ends_with(", fetched on 2026-01-02."), "{cite}");
    // Another archive is another dataset, and the line tells the two apart.
    let other_dir = Dir::new();
    let other = dataset(&other_dir, &[("https://b.example/robots.txt", BLOCKED)]);
    let (_, other, _) = page_with(&other_dir, &other, &["--title", title]).unwrap();
    assert!(!other.contains(cite));
}

#[test]
fn each_code_has_its_sentence() {
    let page = or_skip!(committed_page());
    let errors = section(page, "errors");
    let listed: Value = TestCommand::new(["errors", "--json"]).json();
    let mut n_found = 0;
    for code in listed.as_array().unwrap() {
        let (name, sentence) = (&code["code"], code["sentence"].as_str().unwrap());
        let name = format!("<dt><code>{}</code></dt>", name.as_str().unwrap());
        if errors.contains(&name) {
            let escaped = sentence
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let escaped = escaped.replace('"', "&quot;");
            assert!(
                errors.contains(&format!("{name}<dd>{escaped}</dd>")),
                "{name}"
            );
            n_found += 1;
        }
    }
    assert_eq!(n_found, errors.matches("<dt>").count());
    assert!(n_found >= 10, "{n_found}");
}

/// Returns the ends of Wilson's interval as the solutions of |share - p| = z * sqrt(p (1 - p) /
/// whole), by bisection: another way than the closed form of the views.
fn interval(n: f64, whole: f64) -> [f64; 2] {
    let share = n / whole;
    let is_outside = |p: f64| (share - p).powi(2) > 1.959_964_f64.powi(2) * p * (1.0 - p) / whole;
    let edge = |mut outside: f64, mut inside: f64| {
        for _ in 0..60 {
            let middle = (outside + inside) / 2.0;
            if is_outside(middle) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        (outside + inside) / 2.0
    };
    [edge(0.0, share), edge(1.0, share)]
}

#[test]
fn intervals_are_those_of_wilson() {
    let data = &committed().census.0;
    for (n, whole) in [(0, 5), (1, 1), (15, 29), (745, 19_530), (3, 611), (10, 10)] {
        let sql = format!(
            "SELECT wilson_low({n}, {whole}) AS low, wilson_high({n}, {whole}) AS high, wilson_low(0, 0) IS NULL AS is_null"
        );
        let rows = or_skip!(answer(data, &sql, &[]));
        let wanted = interval(f64::from(n), f64::from(whole));
        for (column, wanted) in ["low", "high"].into_iter().zip(wanted) {
            let found = rows[0][column].as_f64().unwrap();
            assert!(
                (found - wanted).abs() < 0.000_06,
                "{n} of {whole}: {found} {wanted}"
            );
        }
        assert_eq!(rows[0]["is_null"], true);
    }
}

#[test]
fn intervals_are_drawn_and_in_the_table() {
    let dir = Dir::new();
    let mut fetches = hosts(10, |n| format!("shut{n}.org"), "2026", BLOCKED);
    fetches.extend(hosts(30, |n| format!("site{n}.org"), "2026", OPEN));
    let data = dataset_of_years(&dir, &fetches);
    let (_, page) = or_skip!(page(&dir, &data));
    let [low, high] = interval(10.0, 40.0).map(|share| format!("{:.1}\u{a0}%", 100.0 * share));
    assert_eq!((&*low, &*high), ("14.2\u{a0}%", "40.2\u{a0}%"));
    for id in ["domains", "top-level-domains"] {
        let section = section(&page, id);
        for end in [&low, &high] {
            assert!(
                section.contains(&format!("<td class=\"number\">{end}</td>")),
                "{id}: {end}"
            );
        }
        assert!(section.contains("95 % intervals (Wilson)"), "{id}");
        assert!(
            section.contains("stroke=\"#1b1f24\" stroke-width=\"1.5\"/>"),
            "{id}"
        );
    }
    assert!(page.contains(&format!("(95 % interval {low} to {high})")));
}

#[test]
fn the_second_dialect_of_the_run_is_compared_whatever_its_name() {
    let dir = Dir::new();
    let mine = TestCommand::new(["dialects", "google"]).succeed().stdout;
    let mine = mine.replace("name = \"my-google\"", "name = \"my-own\"");
    assert!(mine.contains("my-own"), "{mine}");
    // Of all that a dialect answers, this one differs in what a 404 means.
    let mine = mine.replace(
        "client_error = \"full_allow\"",
        "client_error = \"full_disallow\"",
    );
    let mine = dir.write("my.toml", mine);
    let absent = answered("https://a.example/robots.txt", "HTTP/1.1 404 OK\r\n\r\n");
    let archive = dir.write("made.warc.gz", gzip(&absent));
    let out = dir.path("census");
    run(&[&archive, "--out", out.to_str().unwrap()])
        .words(&["--dialects", &format!("google,{mine}")])
        .succeed();
    let (_, page) = or_skip!(page(&dir, &out));
    let dialects = section(&page, "dialects");
    assert_says(
        dialects,
        "Most often google says allow and my-own says disallow",
    );
    assert!(!dialects.contains("rfc9309 says"));
}

#[test]
fn agreement_of_two_dialects_is_stated() {
    let dir = Dir::new();
    let data = dataset(&dir, &[("https://a.example/robots.txt", OPEN)]);
    let (_, page) = or_skip!(page(&dir, &data));
    let caption = "google and rfc9309 give the same verdict for every agent and URL of the matrix, on every host.";
    assert!(section(&page, "dialects").contains(caption));
}

#[test]
fn an_agent_that_no_line_can_name_is_marked_in_its_label() {
    let dir = Dir::new();
    let body = "User-agent: MJ12bot\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n";
    let data = dataset_of_years(&dir, &hosts(31, |n| format!("site{n}.org"), "2026", body));
    let (_, page) = or_skip!(page(&dir, &data));
    for id in ["domains", "restriction"] {
        let section = section(&page, id);
        assert!(section.contains("MJ12bot (cannot be named)"), "{id}");
        assert!(
            section.contains("Under google no user-agent line can name MJ12bot"),
            "{id}"
        );
        assert!(!section.contains("GPTBot (cannot be named)"), "{id}");
    }
}
