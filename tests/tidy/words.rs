//! The words of the code and of its texts: standard terms, and comments of a width that is read in
//! one look.

use std::fs;

use super::{files_of_package, read};
use crate::util::{below, package};

const WIDTH: usize = 100;

/// Words that this project once used where the field has a term of its own, and the term.
const REPLACED: &str = include_str!("../testdata/words.tsv");

/// Where one of them is the term of the field, or a value of rows, which do not change for a word.
const ALLOWED: [&str; 3] = [
    "bit packing",
    "content delivery",
    "a field goes on in a second line",
];

/// Bodies and URLs of test cases may contain any word, and this file has them.
const CASES: [&str; 4] = [
    "tests/testdata/",
    "data-sample/robots/",
    "src/sample/template/",
    "tests/tidy/words.rs",
];

#[test]
fn terms_are_those_of_the_field() {
    let mut found = Vec::new();
    for path in files_of_package() {
        let end = path.extension().and_then(|end| end.to_str());
        let is_prose = matches!(end, Some("rs" | "sql" | "md" | "py" | "toml"));
        let name = below(package(), &path);
        if !is_prose || CASES.iter().any(|begin| name.starts_with(begin)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            if ALLOWED.iter().any(|allowed| line.contains(allowed)) {
                continue;
            }
            for (word, term) in REPLACED.lines().filter_map(|line| line.split_once('\t')) {
                if holds(&line, word) {
                    found.push(format!("{name}:{}: {word} (say {term})", number + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn comments_wrap_at_100_columns() {
    let mut wide = Vec::new();
    for path in files_of_package() {
        if path.extension().is_none_or(|end| end != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut is_block = false;
        for (number, line) in text.lines().enumerate() {
            let trimmed = line.trim_start();
            let comment = trimmed.trim_start_matches(['/', '!', ' ']);
            is_block ^= comment.starts_with("```");
            // The lines of code, diagrams and tables cannot be broken.
            let may_be_wide = is_block || trimmed.contains('|') || trimmed.contains("](");
            if trimmed.starts_with("//") && line.chars().count() > WIDTH && !may_be_wide {
                wide.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn the_glossary_has_the_terms() {
    let lib = read("src/lib.rs");
    let terms = "Record|Member|Capture|group|rule|tokens|pattern|Verdict|Row group|page|column chunk|\
        dictionary|Batch|Part|Shard";
    for term in terms.split('|') {
        assert!(lib.contains(&format!("*{term}*")), "{term}");
    }
}

/// Returns true if and only if `line` has `word` by itself, not as a part of a longer word, a name
/// or a URL.
fn holds(line: &str, word: &str) -> bool {
    let is_joined = |c: char| c.is_alphanumeric() || "-_/.\"".contains(c);
    let is_dot = |rest: &str| rest.starts_with(". ") || rest == ".";
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !before.ends_with(is_joined) && (!after.starts_with(is_joined) || is_dot(after))
    })
}

#[test]
fn words_are_found_by_themselves() {
    assert!(holds("a room.", "room") && holds("rooms, room, and", "room"));
    for line in ["rooms", "room-service", "/room/", "is_room", "room.example"] {
        assert!(!holds(line, "room"), "{line}");
    }
}
