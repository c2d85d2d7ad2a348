//! What the page states on its figures: their denominators, their intervals, and their limits.

use serde_json::Value;

use super::{committed_page, dataset, page, page_with, section};
use crate::util::{
    Dir, TestCommand, answer, answered, assert_begins, assert_says, assert_says_all, committed,
    gzip, or_skip, read_json, record, run_into,
};

const BLOCKED: &str = "User-agent: GPTBot\nDisallow: /\n";
const OPEN: &str = "User-agent: *\nDisallow: /x\n";

/// Returns the page of a dataset of hosts: how many, their name with `#` for a number, the year,
/// and what they served.
fn page_of(hosts: &[(usize, &str, &str, &str)]) -> Option<String> {
    let members = hosts.iter().flat_map(|(n, name, year, body)| {
        let date = format!("WARC-Date: {year}-01-02T03:04:05Z\r\n");
        let http = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
        (0..*n).map(move |index| {
            let host = name.replace('#', &index.to_string());
            gzip(&record(&format!("https://{host}/robots.txt"), &date, &http))
        })
    });
    let dir = Dir::new();
    let archive = dir.write("years.warc.gz", members.collect::<Vec<_>>().concat());
    let data = run_into(dir.path("census"), &[archive]);
    Some(page(&dir, &data)?.1)
}

/// Returns what stands above the sections.
fn head(page: &str) -> &str {
    page.split_once("<nav").unwrap().0
}

#[test]
fn the_page_opens_with_the_share_of_registered_domains() {
    // One owner has 40 hosts that shut GPTBot out; 39 owners with a host each do not.
    let hosts = [
        (40, "blog#.hoster.com", "2026", BLOCKED),
        (39, "site#.org", "2026", OPEN),
    ];
    let page = or_skip!(page_of(&hosts));
    assert_says_all(
        head(&page),
        "GPTBot is shut out by 1 of 40 registered domains: 2.5\u{a0}% | \
         By host it is 40 of 79: 50.6\u{a0}%. | 1 archive, fetched from 2026-01-02",
    );
    let domains = section(&page, "domains");
    assert_says(domains, "n = 40 registered domains and 79 hosts");
    assert!(!page.contains("ensus of"));
}

#[test]
fn fetches_that_span_years_are_told_apart_and_warned_of() {
    let hosts = [
        (35, "old#.org", "2015", OPEN),
        (30, "new#.org", "2026", BLOCKED),
    ];
    let many = or_skip!(page_of(&hosts));
    let note = "role=\"note\">The fetches span years, from 2015 to 2026";
    assert_says(head(&many), note);
    let years = section(&many, "years");
    let texts = ">2015</text> | >35</text> | >2026</text> | >30</text> | <figure";
    assert_says_all(years, texts);
    let one = page_of(&[(35, "new#.org", "2026", OPEN)]).unwrap();
    assert!(!one.contains("span years"));
    let years = section(&one, "years");
    assert_says(years, "All fetches are of one crawl or year: 2026.");
}

#[test]
fn each_crawl_is_counted_and_one_of_too_few_is_not_drawn() {
    let dir = Dir::new();
    // The second crawl has 31 of the 40 hosts of the first one, which shut GPTBot out by then.
    for (crawl, n, body) in [
        ("2024-10", 40, OPEN),
        ("2025-05", 31, BLOCKED),
        ("2026-05", 29, BLOCKED),
    ] {
        let files = (0..n).map(|n| (format!("https://site{n}.org/robots.txt"), body));
        let name = format!("crawls/CC-MAIN-{crawl}/robots.warc.gz");
        dir.archive(&name, &files.collect::<Vec<_>>());
    }
    let out = run_into(dir.path("census"), &[dir.word("crawls")]);
    let (_, page) = or_skip!(page(&dir, &out));
    let years = section(&page, "years");
    assert_says_all(
        years,
        "CC-MAIN-2024-10 | >40</text> | >31</text> | >too few</text> | is not drawn: 1 of 3. | \
         A host counts once in each crawl",
    );
}

#[test]
fn every_chart_of_hosts_counts_registered_domains() {
    // One owner has 40 hosts that say what 35 other owners do not.
    let says = "User-agent: *\nDisallow: /x\nContent-Signal: ai-train=no\n\nUser-agent: GPTBot\nDisallow: /\n";
    let other = "User-agent: GPTBot\nDisallow: /a\n";
    let hosts = [
        (40, "blog#.hoster.com", "2026", says),
        (35, "site#.org", "2026", other),
    ];
    let page = or_skip!(page_of(&hosts));
    let words =
        "1 of 36 registered domains (2.8\u{a0}%) and 40 of 75 hosts (53.3\u{a0}%) say ai-train=no";
    assert_says(section(&page, "content-signals"), words);
    let restriction = section(&page, "restriction");
    let gptbot = restriction.split(">GPTBot</text>").nth(1).unwrap();
    let first = gptbot.split("<text").nth(1).unwrap();
    assert_says(first, ">2.8\u{a0}% (1)</text>");
    for id in "status redirects sizes restriction ai-against-search directives".split(' ') {
        let n = "n = 36 registered domains and 75 hosts";
        assert_says(section(&page, id), n);
    }
}

#[test]
fn a_chart_of_too_few_hosts_is_a_sentence() {
    let signal = "User-agent: *\nContent-Signal: ai-train=no\n";
    let of = |n: usize| page_of(&[(n, "says#.org", "2026", signal)]);
    let few = or_skip!(of(29));
    let signals = section(&few, "content-signals");
    assert!(!signals.contains("<figure"), "{signals}");
    let words = "29 of 29 registered domains (100\u{a0}%) and 29 of 29 hosts (100\u{a0}%) say ai-train=no, more than any other signal. Too few for a chart, which needs 30 and has 29";
    assert_says(signals, words);
    assert_says(signals, "Figures (1 row)");
    assert_says(section(&of(30).unwrap(), "content-signals"), "<figure");
}

#[test]
fn lines_of_pages_of_html_are_no_fields_and_no_misspellings() {
    let html = "<!DOCTYPE html>\n<html>\n<div class=\"a:b\">\n<iframe\nallowfullscreen: true>\nSitemap: https://a.example/s.xml\n</html>\n";
    let hosts = [
        (31, "page#.org", "2026", html),
        (33, "site#.org", "2026", OPEN),
    ];
    let page = or_skip!(page_of(&hosts));
    for id in ["directives", "misspellings"] {
        assert_says(section(&page, id), "Figures (0 rows)");
        assert_says(section(&page, id), "None in this dataset.");
    }
    let told = "A robots.txt (text with a known field, or with no line but comments) was read from 33 of 64 hosts (51.6\u{a0}%), redirects followed; 31 of 64 hosts (48.4\u{a0}%) answered with a page of HTML, which is none.";
    assert_says(head(&page), told);
}

#[test]
fn the_page_has_its_title_and_a_citation() {
    let dir = Dir::new();
    let data = dataset(&dir, &[("https://a.example/robots.txt", OPEN)]);
    let (_, usual) = or_skip!(page(&dir, &data));
    assert_says(&usual, "<h1>What robots.txt files say</h1>");
    let title = "Robots & <co>";
    let (_, titled, _) = page_with(&dir, &data, &["--title", title]).unwrap();
    for place in ["<h1>", "<title>"] {
        assert_says(&titled, &format!("{place}Robots &amp; &lt;co&gt;</"));
    }
    let cite = titled.split("id=\"cite\">").nth(1).unwrap();
    let cite = cite.split("</p>").next().unwrap();
    let description: Value = read_json(data.join("_dataset.json"));
    let options = &description["options_digest"].as_str().unwrap()[..16];
    let version = env!("CARGO_PKG_VERSION");
    let wanted = format!(
        "To cite: Robots &amp; &lt;co&gt;. robocensus {version}, options {options}, archives "
    );
    assert_begins(cite, &wanted);
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
            let escapes = [
                ("&", "&amp;"),
                ("<", "&lt;"),
                (">", "&gt;"),
                ("\"", "&quot;"),
            ];
            let escape = |text: String, (from, to): (&str, &str)| text.replace(from, to);
            let escaped = escapes.into_iter().fold(sentence.to_owned(), escape);
            assert_says(errors, &format!("{name}<dd>{escaped}</dd>"));
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
            "SELECT wilson_low({n}, {whole}) AS low, wilson_high({n}, {whole}) AS high, wilson_low(0, 0) AS none"
        );
        let rows = or_skip!(answer(data, &sql, &[]));
        let wanted = interval(f64::from(n), f64::from(whole));
        for (column, wanted) in ["low", "high"].into_iter().zip(wanted) {
            let found = rows[0][column].as_f64().unwrap();
            let is_near = (found - wanted).abs() < 0.000_06;
            assert!(is_near, "{n} of {whole}: {found} {wanted}");
        }
        assert_eq!(rows[0]["none"], Value::Null);
    }
}

#[test]
fn intervals_are_drawn_and_in_the_table() {
    let hosts = [
        (10, "shut#.org", "2026", BLOCKED),
        (30, "site#.org", "2026", OPEN),
    ];
    let page = or_skip!(page_of(&hosts));
    let [low, high] = interval(10.0, 40.0).map(|share| format!("{:.1}\u{a0}%", 100.0 * share));
    assert_eq!((&*low, &*high), ("14.2\u{a0}%", "40.2\u{a0}%"));
    for id in ["domains", "top-level-domains"] {
        let section = section(&page, id);
        for end in [&low, &high] {
            assert_says(section, &format!("<td class=\"number\">{end}</td>"));
        }
        assert_says(section, "95 % intervals (Wilson)");
        assert_says(section, "stroke=\"#1b1f24\" stroke-width=\"1.5\"/>");
    }
    assert_says(&page, &format!("(95 % interval {low} to {high})"));
}

#[test]
fn the_second_dialect_of_the_run_is_compared_whatever_its_name() {
    let dir = Dir::new();
    let mine = TestCommand::new(["dialects", "google"]).succeed().stdout;
    let mine = mine.replace("name = \"my-google\"", "name = \"my-own\"");
    assert!(mine.contains("my-own"), "{mine}");
    // Of all that a dialect answers, this one differs in what a 404 means.
    let [usual, other] =
        ["full_allow", "full_disallow"].map(|to| format!("client_error = \"{to}\""));
    let mine = dir.write("my.toml", mine.replace(&usual, &other));
    let absent = answered("https://a.example/robots.txt", "HTTP/1.1 404 OK\r\n\r\n");
    let archive = dir.write("made.warc.gz", gzip(&absent));
    let words = [&archive, "--dialects", &format!("google,{mine}")];
    let out = run_into(dir.path("census"), &words);
    let (_, page) = or_skip!(page(&dir, &out));
    let dialects = section(&page, "dialects");
    let says = "Most often google says allow and my-own says disallow";
    assert_says(dialects, says);
    assert!(!dialects.contains("rfc9309 says"));
}

#[test]
fn agreement_of_two_dialects_is_stated() {
    let dir = Dir::new();
    let data = dataset(&dir, &[("https://a.example/robots.txt", OPEN)]);
    let (_, page) = or_skip!(page(&dir, &data));
    let caption = "google and rfc9309 give the same verdict for every agent and URL of the matrix, on every host.";
    assert_says(section(&page, "dialects"), caption);
}

#[test]
fn an_agent_that_no_line_can_name_is_marked_in_its_label() {
    let body = "User-agent: MJ12bot\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n";
    let page = or_skip!(page_of(&[(31, "site#.org", "2026", body)]));
    for section in ["domains", "restriction"].map(|id| section(&page, id)) {
        assert_says(section, "MJ12bot (cannot be named)");
        let note = "Under google no user-agent line can name MJ12bot";
        assert_says(section, note);
        assert!(!section.contains("GPTBot (cannot be named)"));
    }
}
