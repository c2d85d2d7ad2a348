//! `robocensus publish`: its texts state what queries answer, mean themselves whatever words they
//! hold, and are out of date once the dataset has changed.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

use crate::util::{
    Dir, TestCommand, answer, assert_says, client, gzip, needed, or_skip, python, response, run,
};

/// A card whose words are signs of Markdown, JSON and YAML.
const CARD: &str = include_str!("testdata/card.toml");

/// A file with an e-mail address in its comment, and a token in a URL.
const ROBOTS: &str = "# Ask jane.doe@mail.example\nUser-agent: *\nDisallow: /a\nSitemap: https://c.example/s?token=0123456789abcdef\n";

/// Makes a dataset of hosts; `None` where there is no DuckDB, without which nothing is published.
fn census(dir: &Dir, archive: &str, more: &[&str]) -> Option<String> {
    client()?;
    let hosts = ["https://a.example", "https://b.example"];
    let records = hosts.map(|host| gzip(&response(&format!("{host}/robots.txt"), ROBOTS)));
    let archive = dir.write(archive, records.concat());
    let out = dir.word("census");
    let words = [&*archive, "--out", &out, "--quiet"];
    run(&words).words(more).succeed();
    Some(out)
}

fn publish(words: &[&str]) -> TestCommand {
    TestCommand::new(["publish"]).words(words)
}

fn text(folder: &str, name: &str) -> String {
    fs::read_to_string(Path::new(folder).join(name)).unwrap()
}

fn is_sound(folder: &str) -> bool {
    let sums = Command::new("sha256sum")
        .args(["--check", "SHA256SUMS"])
        .current_dir(folder)
        .output();
    sums.unwrap().status.success()
}

#[test]
fn a_publication_states_what_queries_answer_and_has_the_same_bytes_again() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, "a.warc.gz", &[]));
    let card = dir.write("card.toml", CARD);
    let ran = publish(&[&census, "--card", &card]).succeed();
    assert_eq!(ran.stderr, "");
    let page = text(&census, "README.md");
    let query = |name: &str| answer(Path::new(&census), name, &[]).unwrap();
    let provenance = &query("list-provenance")[0];
    for column in ["run_id", "archives_digest", "first_fetch", "last_fetch"] {
        assert_says(&page, provenance[column].as_str().unwrap());
    }
    assert_says(&page, "There are 2 hosts, of which 2 have a robots.txt");
    for row in query("list-coverage") {
        let item = row["item"].as_str().unwrap();
        assert_says(&page, &format!("| {item} | {} |", row["n"]));
    }
    assert_says(&page, "| comments | 2 | 2 | 0 |");
    assert_says(&page, "| directives | 2 | 0 | 2 |");
    let title = r##"# Who "shuts" out \| AI: \*2026\* \# \[x\](javascript:a)"##;
    assert_says(&page, &format!("{title}\n"));
    let purpose = r"To study \<b\>who\</b\> blocks.";
    assert_says(&page, &format!("{purpose}\n\n1\\. first: - \\`x\\`\n"));
    let datacite: Value = serde_json::from_str(&text(&census, "datacite.json")).unwrap();
    assert_eq!(datacite["creators"][0]["givenName"], "Jane \"J\" {x}");
    let citation = text(&census, "CITATION.cff");
    assert_says(&citation, "- name: \"Census: Group\"\n");
    assert!(is_sound(&census));
    let sums = text(&census, "SHA256SUMS");
    publish(&[&census, "--card", &card]).succeed();
    assert_eq!(text(&census, "SHA256SUMS"), sums);
    TestCommand::new(["verify", &census]).succeed();
}

#[test]
fn a_dataset_that_has_changed_makes_its_publication_stale() {
    let dir = Dir::new();
    let crawl = |name: &str| format!("crawl-data/CC-MAIN-{name}/segments/1.2/robotstxt/a.warc.gz");
    let census = or_skip!(census(&dir, &crawl("2025-05"), &[]));
    publish(&[&census]).succeed();
    let stale = "the dataset has changed since it was published";
    let verify = || TestCommand::new(["verify", &census]).succeed().stderr;
    assert_eq!(verify(), "");
    self::census(&dir, &crawl("2025-08"), &[]);
    assert_says(&verify(), stale);
    assert_says(&publish(&[&census]).succeed().stderr, stale);
    assert_eq!(verify(), "");
    assert!(is_sound(&census));
    let crawls = "| crawls | CC-MAIN-2025-05, CC-MAIN-2025-08 |";
    assert_says(&text(&census, "README.md"), crawls);
}

#[test]
fn a_table_that_is_left_out_is_not_missed() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, "a.warc.gz", &[]));
    let public = dir.word("public");
    publish(&[&census, "--out", &public, "--without", "comments,hosts"]).succeed();
    assert!(is_sound(&public) && !Path::new(&census).join("README.md").exists());
    assert!(!Path::new(&public).join("comments").exists());
    let page = text(&public, "README.md");
    assert_says(&page, "Left out of this publication: comments, hosts.");
    assert_says(&page, "Hosts are not counted");
    assert!(!page.contains("| comments |"));
    TestCommand::new(["verify", &public]).succeed();
    let rows = answer(Path::new(&public), "FROM captures", &[]).unwrap();
    assert_eq!(rows.len(), 2);
    let query = TestCommand::new(["query", "count-hosts-blocking-gptbot", "--data", &public]);
    query.refuse(&["hosts was left out of this publication"]);
    publish(&[&census, "--out", &public]).refuse(&["not empty"]);
}

#[test]
fn what_cannot_be_published_is_refused_in_a_sentence() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, "a.warc.gz", &["--tables", "captures,rules"]));
    publish(&[&dir.word("none")]).refuse(&["expected the folder of a dataset"]);
    let out = dir.word("public");
    let without = |name| publish(&[&census, "--out", &out, "--without", name]);
    without("captures").refuse(&["--without: expected some of groups", "\"captures\""]);
    for (card, says) in [
        ("name = 1", "(line 1)"),
        ("\ntitle = \"x\"", "unknown field"),
        ("published = \"2026-13-01\"", "published: expected a day"),
        ("license = \"my own\"", "license: expected an identifier"),
        ("[[creators]]\ngiven = \"x\"", "creators: expected family"),
    ] {
        let card = dir.write("card.toml", card);
        publish(&[&census, "--card", &card]).refuse(&["card.toml", says]);
    }
    let readme = Path::new(&census).join("README.md");
    fs::write(&readme, "mine").unwrap();
    publish(&[&census]).refuse(&["README.md", "not as a publication wrote it"]);
    assert_eq!(text(&census, "README.md"), "mine");
    fs::remove_file(&readme).unwrap();
    publish(&[&census]).succeed();
    assert_says(&text(&census, "README.md"), "Hosts are not counted");
    // As an interruption leaves it.
    fs::remove_file(Path::new(&census).join("SHA256SUMS")).unwrap();
    publish(&[&census]).succeed();
    let rules = fs::read_dir(Path::new(&census).join("rules")).unwrap();
    let rules = rules.map(|entry| entry.unwrap().path()).next().unwrap();
    fs::write(rules, "damaged").unwrap();
    publish(&[&census]).end_with(2);
}

/// What loads a dataset by its description.
#[test]
fn mlcroissant_validates_the_description_and_loads_tables() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, "a.warc.gz", &[]));
    publish(&[&census, "--card", &dir.write("card.toml", CARD)]).succeed();
    let load = "import sys, mlcroissant\ndataset = mlcroissant.Dataset(jsonld=sys.argv[1])\n\
                print(*(sum(1 for row in dataset.records(table)) for table in ['captures', 'rules', 'hosts']))";
    let ran = python()
        .args(["-c", load, &format!("{census}/croissant.json")])
        .env("HOME", dir.path("."))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    let is_here = !said.contains("No module named 'mlcroissant'");
    or_skip!(needed(is_here, "mlcroissant for Python"));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "2 2 2\n", "{said}");
}
