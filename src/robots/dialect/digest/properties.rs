//! Properties of the semantic digest for any file: a rewrite without a change of meaning does not
//! change it, and files with different verdicts have different digests.
//!
//! The files are small and made of few words, so that many of them mean the same, or nearly so.

use std::collections::{HashMap, hash_map::Entry};

use super::SemanticDigester;
use crate::{
    robots::{
        dialect::{
            Agent, AllowedAnswers, AnswerValue, CHOICES, Dialect, NAMES, PreparedPath, RuleSet,
            Selection, Verdict,
            testing::{compile, dialect},
        },
        lines::{RobotsTxt, parse},
    },
    sample::random::Random,
};

/// A group before it is written: every group has a rule, since one without would join the next.
#[derive(Clone, Debug)]
struct GroupDraft {
    agents: Vec<&'static str>,
    rules: Vec<(bool, &'static str)>,
}

const AGENTS: [&str; 5] = ["*", "a", "ab", "b", "b-c"];
const PATTERNS: [&str; 40] = [
    "",
    "/",
    "/a",
    "/a*",
    "/a$",
    "/ab",
    "/a/b",
    "*",
    "/*",
    "*b",
    "x",
    "$",
    "/a/index.htm",
    "/%41",
    "/A",
    "/a**",
    "/b",
    "/ba",
    "/aa",
    "/a/",
    "/a/$",
    "/a?",
    "/*a",
    "/*a$",
    "/*b$",
    "/a*b",
    "/a*b$",
    "/a*a*b",
    "/ab*",
    "/b*a",
    "*a*b",
    "*ab$",
    "/*/",
    "/*?",
    "/a*$",
    "/$",
    "/b*",
    "/b/*",
    "/b/index.htm",
    "/aab",
];
const PATHS: [&str; 16] = [
    "/",
    "/a",
    "/ab",
    "/a/",
    "/a/b",
    "/a/index.html",
    "/b",
    "/A",
    "/%41",
    "/x",
    "/x?b",
    "/a*",
    "/a$",
    "/aab",
    "/index.htm",
    "/%2A",
];

fn files(random: &mut Random, n_groups: usize) -> Vec<GroupDraft> {
    (0..=random.below(n_groups))
        .map(|_| GroupDraft {
            agents: (0..=random.below(2))
                .map(|_| random.pick(&AGENTS))
                .collect(),
            rules: (0..=random.below(3))
                .map(|_| (random.below(2) == 0, random.pick(&PATTERNS)))
                .collect(),
        })
        .collect()
}

fn plainly(file: &[GroupDraft]) -> String {
    let mut text = String::new();
    for group in file {
        text.extend(
            group
                .agents
                .iter()
                .map(|agent| format!("user-agent: {agent}\n")),
        );
        text.extend(group.rules.iter().map(|(is_allow, pattern)| {
            let field = if *is_allow { "allow" } else { "disallow" };
            format!("{field}: {pattern}\n")
        }));
        text.push('\n');
    }
    text
}

/// Writes the lines of a file with text between and inside them that no dialect interprets.
fn ornately(random: &mut Random, file: &[GroupDraft]) -> String {
    let mut text = String::new();
    for line in plainly(file).lines() {
        let (field, value) = line.split_once(": ").unwrap_or((line, ""));
        if field.is_empty() {
            text += random.pick(&["\n", "\n\n", "\n# b\n\n"]);
            continue;
        }
        text += random.pick(&[
            "",
            "# user-agent: *\n",
            "sitemap: https://a.example/\n",
            "color: blue\n",
        ]);
        let field = match random.below(3) {
            0 => field.to_ascii_uppercase(),
            1 => field.replacen(
                field.get(..1).unwrap_or_default(),
                &field[..1].to_ascii_uppercase(),
                1,
            ),
            _ => field.to_owned(),
        };
        text += random.pick(&["", " ", "\t"]);
        text += &field;
        text += random.pick(&[":", ": ", " :\t"]);
        text += value;
        text += random.pick(&["", " ", " # disallow: /"]);
        text += random.pick(&["\n", "\r\n"]);
    }
    text
}

/// Rewrites a file without a change of meaning for dialects that merge groups and take the longest
/// match.
fn rewrite(random: &mut Random, file: &[GroupDraft]) -> Vec<GroupDraft> {
    let mut found = Vec::new();
    for group in file {
        let mut group = group.clone();
        let rule = random.pick(&group.rules);
        group.rules.push(rule);
        let agent = random.pick(&group.agents);
        group.agents.push(agent);
        random.shuffle(&mut group.rules);
        random.shuffle(&mut group.agents);
        match random.below(3) {
            0 => {
                let rest = group.rules.split_off(1);
                found.push(GroupDraft {
                    rules: rest,
                    ..group.clone()
                });
            }
            1 => found.extend(
                group
                    .agents
                    .split_off(1)
                    .into_iter()
                    .map(|agent| GroupDraft {
                        agents: vec![agent],
                        ..group.clone()
                    }),
            ),
            _ => {}
        }
        found.push(group);
    }
    random.shuffle(&mut found);
    found
}

/// Returns the verdict for every agent and every path.
fn verdicts(name: &str, rules: &RuleSet) -> Vec<Verdict> {
    let dialect = dialect(name);
    let paths = PATHS.map(|path| PreparedPath::from_url(&dialect, path.as_bytes()));
    let mut selection = Selection::new();
    let mut found = Vec::new();
    for agent in AGENTS.iter().chain(&["nobody"]) {
        rules.select(&Agent::new(&dialect, &[agent]), &mut selection);
        found.extend(
            paths
                .iter()
                .map(|path| rules.decide(&selection, path).verdict),
        );
    }
    found
}

#[test]
fn what_no_dialect_interprets_does_not_count() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let file = files(&mut random, 3);
        let plain = plainly(&file);
        let ornate = ornately(&mut random, &file);
        // For Python blank lines count, and so does a sitemap before the rules.
        for dialect in NAMES.iter().filter(|name| **name != "python") {
            let digest = |text: &str| compile(dialect, text.as_bytes()).semantic_digest();
            assert_eq!(
                digest(&plain),
                digest(&ornate),
                "{dialect}\n{plain}\n{ornate}"
            );
        }
    }
}

#[test]
fn rewriting_that_keeps_the_meaning_keeps_the_digest() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let file = files(&mut random, 3);
        let plain = plainly(&file);
        let rewritten = plainly(&rewrite(&mut random, &file));
        for dialect in ["google", "rfc9309", "google-2019"] {
            let rules = [&plain, &rewritten].map(|text| compile(dialect, text.as_bytes()));
            let found = rules.each_ref().map(|rules| verdicts(dialect, rules));
            assert_eq!(found[0], found[1], "{dialect}\n{plain}\n{rewritten}");
            let [a, b] = rules.each_ref().map(RuleSet::semantic_digest);
            assert_eq!(a, b, "{dialect}\n{plain}\n{rewritten}");
        }
    }
}

/// Crawlers with one token and with two.
const CHAINS: [&[&str]; 15] = [
    &["*"],
    &["a"],
    &["ab"],
    &["b"],
    &["b-c"],
    &["nobody"],
    &["a", "b"],
    &["b", "a"],
    &["a", "ab"],
    &["ab", "a"],
    &["ab", "b"],
    &["b", "ab"],
    &["b-c", "ab"],
    &["b", "b-c"],
    &["nobody", "a"],
];

/// Returns all paths of up to four letters, and some that are longer.
fn all_paths() -> Vec<String> {
    let mut paths: Vec<String> = PATHS.map(str::to_owned).into();
    paths.extend(
        [
            "a",
            "x",
            "b/index.htm",
            "/b/",
            "/ab?b",
            "/aaaab",
            "/b/a/b",
            "/robots.txt",
        ]
        .map(str::to_owned),
    );
    let mut last = vec!["/".to_owned()];
    for _ in 0..4 {
        let longer = last
            .iter()
            .flat_map(|path| ["a", "b", "/"].map(|letter| format!("{path}{letter}")));
        last = longer.collect();
        paths.extend(last.iter().cloned());
    }
    paths
}

/// Compares the digests of many small files under one dialect with all their verdicts, and returns
/// how often a digest occurred again.
fn compare(dialect: &Dialect, paths: &[String], random: &mut Random, n_files: usize) -> usize {
    let paths: Vec<PreparedPath> = paths
        .iter()
        .map(|path| PreparedPath::from_url(dialect, path.as_bytes()))
        .collect();
    let agents = CHAINS.map(|chain| Agent::new(dialect, chain));
    let mut selection = Selection::new();
    let mut rules = RuleSet::new();
    let mut robots = RobotsTxt::new();
    let mut digester = SemanticDigester::default();
    let mut seen: HashMap<[u8; 20], (String, Vec<Verdict>)> = HashMap::new();
    let mut n_repeated = 0;
    for _ in 0..n_files {
        let mut file = files(random, 3);
        for _ in 0..3 {
            let text = plainly(&file);
            parse(text.as_bytes(), &mut robots);
            rules.compile(dialect, text.as_bytes(), &robots);
            let mut verdicts = Vec::with_capacity(agents.len() * paths.len());
            for agent in &agents {
                rules.select(agent, &mut selection);
                let decide = |path| rules.decide(&selection, path).verdict;
                verdicts.extend(paths.iter().map(decide));
            }
            let digest = rules.semantic_digest_by(&mut digester);
            assert_eq!(digest, rules.semantic_digest(), "{dialect:?}\n{text}");
            match seen.entry(digest) {
                Entry::Occupied(known) => {
                    let (other, known) = known.get();
                    assert!(*known == verdicts, "{dialect:?}\n{text}\n---\n{other}");
                    n_repeated += 1;
                }
                Entry::Vacant(new) => {
                    new.insert((text, verdicts));
                }
            }
            edit(random, &mut file);
        }
    }
    n_repeated
}

/// Changes one thing, so that small differences are as frequent as large ones.
fn edit(random: &mut Random, file: &mut Vec<GroupDraft>) {
    let group = random.below(file.len());
    let rules = &mut file[group].rules;
    let rule = random.below(rules.len());
    let other = random.below(rules.len());
    match random.below(9) {
        0 => rules[rule].0 ^= true,
        1 => rules[rule].1 = random.pick(&PATTERNS),
        2 => rules.push((random.below(2) == 0, random.pick(&PATTERNS))),
        3 => rules.swap(rule, other),
        4 if rules.len() > 1 => drop(rules.remove(rule)),
        5 => file[group].agents[0] = random.pick(&AGENTS),
        6 => file.swap(0, group),
        7 => rules.push(rules[rule]),
        _ if file.len() > 1 => drop(file.remove(group)),
        _ => {}
    }
}

/// Returns a dialect with any answers.
fn any_dialect(random: &mut Random) -> Dialect {
    let mut dialect = random.pick(&Dialect::BUILT_IN).clone();
    for choice in CHOICES {
        if let AllowedAnswers::Words(words) = choice.allowed
            && random.below(3) == 0
        {
            let word = words[random.below(words.len())].0;
            assert!(choice.set(&mut dialect, AnswerValue::Word(word)));
        }
    }
    dialect
}

#[test]
fn files_with_equal_digests_answer_equally() {
    let paths = all_paths();
    for dialect in Dialect::BUILT_IN {
        let mut random = Random::new(1);
        let n_repeated = compare(dialect, &paths, &mut random, 400);
        assert!(n_repeated > 80, "{}: {n_repeated}", dialect.name);
    }
}

#[test]
fn files_with_equal_digests_answer_equally_under_any_dialect() {
    let paths = all_paths();
    let mut random = Random::new(1);
    let mut n_repeated = 0;
    for _ in 0..30 {
        let dialect = any_dialect(&mut random);
        n_repeated += compare(&dialect, &paths, &mut random, 100);
    }
    assert!(n_repeated > 500, "{n_repeated}");
}
