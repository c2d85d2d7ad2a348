//! Help: every example runs, every line fits in 80 columns, and every flag that pages name exists.

use std::{collections::BTreeSet, fs};

use super::shell;
use crate::util::{
    Dir, TestCommand, assert_says, duckdb, files_below, gzip, package, pages, quoted, read_json,
    sample,
};

/// Returns the commands, or the topics, that the help of the program lists.
fn listed(title: &str) -> Vec<String> {
    let help = TestCommand::new(["help"]).succeed().stdout;
    let section = help.split(&format!("{title}:\n")).nth(1).unwrap();
    let lines = section.lines().take_while(|line| !line.is_empty());
    // Further lines of a description are indented more.
    let entries = lines.filter(|line| !line.starts_with("   "));
    let names = entries.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.collect()
}

fn help_of(name: &str) -> String {
    TestCommand::new(["help", name]).succeed().stdout
}

/// Returns the commands below `Examples:`.
fn examples(help: &str) -> Vec<String> {
    let section = help.split("Examples:\n").nth(1).unwrap_or_default();
    let indented = section
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with(' '));
    let mut examples: Vec<String> = Vec::new();
    for command in indented.filter_map(|line| line.strip_prefix("    ")) {
        match examples.last_mut().filter(|last| last.ends_with('\\')) {
            Some(last) => *last = format!("{}{command}", last.trim_end_matches('\\')),
            None => examples.push(command.to_owned()),
        }
    }
    examples
}

/// Returns a folder with the files that the examples name.
fn sandbox() -> Dir {
    let dir = Dir::new();
    let plain = fs::read(package().join("data-sample/archives/plain.warc")).unwrap();
    dir.write("crawl/plain.warc", &plain);
    dir.write("crawl/made.warc.gz", sample(60, 5));
    dir.write("robotstxt.paths.gz", gzip(b"crawl/plain.warc\n"));
    let archive = "crawl-data/CC-MAIN-2025-05/segments/1.2/robotstxt/a.warc";
    dir.write(&format!("mirror/{archive}"), plain);
    let list = "mirror/crawl-data/CC-MAIN-2025-05/robotstxt.paths.gz";
    dir.write(list, gzip(archive.as_bytes()));
    for path in files_below(&package().join("tests/testdata/examples")) {
        fs::copy(&path, dir.path(path.file_name().unwrap().to_str().unwrap())).unwrap();
    }
    dir
}

/// Runs a line of a shell in a folder, which must succeed.
fn assert_runs(dir: &Dir, line: &str) {
    let ran = shell(dir, line);
    // Parsers that differ are no failure of the program.
    let has_flips = ran.code == 1 && line.contains("robocensus compare");
    assert!(ran.code == 0 || has_flips, "{line}: {ran:#?}");
}

#[test]
fn every_command_has_examples_and_each_of_them_runs() {
    let dir = sandbox();
    let has_duckdb = duckdb().is_some();
    assert_runs(&dir, "robocensus run crawl --out census-2025 --quiet");
    let mut n_run = 0;
    for command in listed("Commands").iter().filter(|name| *name != "help") {
        let examples = examples(&help_of(command));
        assert!(!examples.is_empty(), "{command}");
        for example in examples {
            let is_of_it = example.contains(&format!("robocensus {command} "));
            assert!(is_of_it || example.ends_with(command), "{example}");
            let needs_duckdb = matches!(command.as_str(), "query" | "report" | "publish");
            if needs_duckdb && !has_duckdb && !example.contains("--print") {
                eprintln!("skipped: no DuckDB for {example}");
                continue;
            }
            if example.contains("check https://") {
                eprintln!("skipped: no network for {example}");
                continue;
            }
            assert_runs(&dir, &example);
            n_run += 1;
        }
    }
    assert!(n_run >= 15, "{n_run}");
    for made in "census mine listed piped summary.json own.toml".split(' ') {
        assert!(dir.path(made).exists(), "{made}");
    }
    read_json::<serde_json::Value>(dir.path("summary.json"));
}

#[test]
fn help_has_80_columns_where_there_is_no_terminal() {
    let help = |words: &[&str]| TestCommand::new(words.iter().copied()).succeed().stdout;
    let mut texts = vec![help(&["-h"]), help(&["--help"])];
    for command in listed("Commands") {
        texts.extend(["-h", "--help"].map(|flag| help(&[&command, flag])));
    }
    assert!(texts.len() > 15, "{}", texts.len());
    let lines = texts.iter().flat_map(|text| text.lines());
    let wide: Vec<_> = lines.filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn help_explains_commands_and_topics_and_refuses_other_names() {
    for command in listed("Commands") {
        let help = help_of(&command);
        assert_says(&help, &format!("Usage: robocensus {command}"));
    }
    for topic in listed("Topics") {
        assert!(help_of(&topic).lines().count() > 10, "{topic}");
    }
    let tables = help_of("tables");
    assert!(tables.contains("Usage: robocensus tables") && tables.contains("\n\nFindings\n"));
    let says = "expected a command or a topic";
    TestCommand::new(["help", "no"]).refuse(&[says, "run, ", "inputs, ", "\"no\""]);
}

#[test]
fn flags_are_grouped_below_headings() {
    let help = TestCommand::new(["run", "-h"]).succeed().stdout;
    for heading in ["Evaluation:", "Existing datasets:", "Limits:", "Messages:"] {
        assert!(help.lines().any(|line| line == heading), "{heading}");
    }
    assert!(help.starts_with("Parse archives, evaluate every agent against every URL"));
}

#[test]
fn every_flag_that_pages_name_exists() {
    let clean = |word: &str| {
        word.trim_matches(|c: char| !(c.is_ascii_lowercase() || c == '-'))
            .to_owned()
    };
    let flags_in = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| c.is_whitespace() || "`,\"=(/".contains(c));
        let flags = words.filter(|word| word.starts_with("--"));
        flags.map(clean).filter(|flag| flag.len() > 3).collect()
    };
    let mut known = BTreeSet::new();
    for command in listed("Commands") {
        let help = TestCommand::new([&*command, "-h"]).succeed().stdout;
        let lines = help.lines().map(str::trim_start);
        let lines = lines.filter(|line| line.starts_with('-'));
        known.extend(lines.flat_map(flags_in));
    }
    assert!(known.contains("--summary-json"), "{known:?}");
    let mut named = BTreeSet::new();
    for (_, text) in pages() {
        let is_ours = |word: &str| word.starts_with("--") || word.starts_with("robocensus ");
        let ours = quoted(&text).into_iter().filter(|word| is_ours(word));
        named.extend(ours.flat_map(flags_in));
    }
    assert!(named.len() > 20, "{named:?}");
    let unknown: Vec<_> = named.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
