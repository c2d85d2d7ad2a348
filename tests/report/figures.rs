//! What the page states on its figures: their denominators, their intervals, and their limits.

use std::collections::BTreeMap;

use roxmltree::Document;
use serde::Deserialize;
use serde_json::Value;

use super::{
    committed_page, dataset, page, page_with, section,
    tables::{below, text},
};
use crate::util::{
    Dir, TestCommand, answer, answered, assert_begins, assert_says, assert_says_all, committed,
    gzip, or_skip, read_json, record, run_into,
};

const BLOCKED: &str = "User-agent: GPTBot\nDisallow: /\n";
const OPEN: &str = "User-agent: *\nDisallow: /x\n";

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

/// What the page of a dataset says, and what it does not say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    hosts: Vec<Hosts>,
    /// Texts by where they are: in a section, in the `head` above all sections, or on the `page`.
    says: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    lacks: BTreeMap<String, Vec<String>>,
}

/// So many hosts with one file; their name has `#` for the number of each.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hosts {
    n: usize,
    name: String,
    year: u16,
    body: String,
}

/// Returns the page of a dataset of hosts.
fn page_of(hosts: &[Hosts]) -> Option<String> {
    let members = hosts.iter().flat_map(|hosts| {
        let date = format!("WARC-Date: {}-01-02T03:04:05Z\r\n", hosts.year);
        let http = format!("HTTP/1.1 200 OK\r\n\r\n{}", hosts.body);
        (0..hosts.n).map(move |index| {
            let host = hosts.name.replace('#', &index.to_string());
            gzip(&record(&format!("https://{host}/robots.txt"), &date, &http))
        })
    });
    let dir = Dir::new();
    let archive = dir.write("years.warc.gz", members.collect::<Vec<_>>().concat());
    let data = run_into(dir.path("census"), &[archive]);
    Some(page(&dir, &data)?.1)
}

#[test]
fn every_case_of_hosts_holds() {
    let cases: Cases = toml::from_str(include_str!("../testdata/report.toml")).unwrap();
    for case in cases.case {
        let page = or_skip!(page_of(&case.hosts));
        let part = |place: &str| match place {
            "page" => page.as_str(),
            "head" => page.split_once("<nav").unwrap().0,
            id => section(&page, id),
        };
        for (places, are_there) in [(&case.says, true), (&case.lacks, false)] {
            for (place, texts) in places {
                let part = part(place);
                for text in texts {
                    let holds = part.contains(text) == are_there;
                    assert!(holds, "{}: {text:?} in {place}: {part}", case.name);
                }
            }
        }
    }
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
    let of_hosts = [(40, "blog#.hoster.com", says), (35, "site#.org", other)];
    let hosts = of_hosts.map(|(n, name, body)| Hosts {
        n,
        name: name.to_owned(),
        year: 2026,
        body: body.to_owned(),
    });
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
    let section = format!("{}</section>", section(page, "errors"));
    let errors = Document::parse(&section).unwrap();
    let texts = |name| below(errors.root(), name).map(text);
    let shown: BTreeMap<_, _> = texts("dt").zip(texts("dd")).collect();
    let listed: Vec<BTreeMap<String, Value>> = TestCommand::new(["errors", "--json"]).json();
    for (name, sentence) in &shown {
        let code = listed.iter().find(|code| code["code"] == **name);
        assert_eq!(code.unwrap()["sentence"], **sentence, "{name}");
    }
    assert_eq!(shown.len(), section.matches("<dt><code>").count());
    assert!(shown.len() >= 10, "{shown:?}");
}

/// Shares with the ends of their intervals of Wilson: the solutions p of
/// |n / whole - p| = z * sqrt(p * (1 - p) / whole), found by bisection instead of the closed form.
const INTERVALS: [(u32, u32, f64, f64); 6] = [
    (0, 5, 0.0, 0.434_482),
    (1, 1, 0.206_549, 1.0),
    (15, 29, 0.344_310, 0.686_139),
    (745, 19_530, 0.035_550, 0.040_925),
    (3, 611, 0.001_671, 0.014_335),
    (10, 10, 0.722_467, 1.0),
];

#[test]
fn intervals_are_those_of_wilson() {
    let data = &committed().census.0;
    for (n, whole, low, high) in INTERVALS {
        let sql = format!(
            "SELECT wilson_low({n}, {whole}) AS low, wilson_high({n}, {whole}) AS high, wilson_low(0, 0) AS none"
        );
        let rows = or_skip!(answer(data, &sql, &[]));
        for (column, wanted) in [("low", low), ("high", high)] {
            let found = rows[0][column].as_f64().unwrap();
            let is_near = (found - wanted).abs() < 0.000_06;
            assert!(is_near, "{n} of {whole}: {found} {wanted}");
        }
        assert_eq!(rows[0]["none"], Value::Null);
    }
}

#[test]
fn the_second_dialect_of_the_run_is_compared_whatever_its_name() {
    let dir = Dir::new();
    // Of all that a dialect answers, this one differs in what a 404 means.
    let mine = "base = \"google\"\naccess.client_error = \"full_disallow\"\n";
    let mine = dir.write("my-own.toml", mine);
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
