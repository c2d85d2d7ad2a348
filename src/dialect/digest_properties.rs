//! What holds of the semantic digest for any file: rewriting that keeps the meaning keeps it, and
//! files that answer differently have another.
//!
//! The files are small and made from few words, so that many of them mean the same, or nearly so.

use std::collections::{HashMap, hash_map::Entry};

use super::{
    Agent, Allowed, Answer, DialectSpec, NAMES, PreparedPath, QUESTIONS, RuleSet, Selection,
    Verdict, builtin, testing::compile,
};
use crate::{
    random::Random,
    robots::{RobotsTxt, parse},
};

/// A group before it is written: every group has a rule, since one without would join the next.
#[derive(Clone, Debug)]
struct Draft {
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

fn files(random: &mut Random, n_groups: usize) -> Vec<Draft> {
    (0..=random.below(n_groups))
        .map(|_| Draft {
            agents: (0..=random.below(2))
                .map(|_| random.pick(&AGENTS))
                .collect(),
            rules: (0..=random.below(3))
                .map(|_| (random.below(2) == 0, random.pick(&PATTERNS)))
                .collect(),
        })
        .collect()
}

fn plainly(file: &[Draft]) -> String {
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

/// Writes the lines of a file with what no dialect minds between and inside them.
fn ornately(random: &mut Random, file: &[Draft]) -> String {
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

/// Rewrites a file so that dialects that merge groups and take the longest match read the same.
fn rewrite(random: &mut Random, file: &[Draft]) -> Vec<Draft> {
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
                found.push(Draft {
                    rules: rest,
                    ..group.clone()
                });
            }
            1 => found.extend(group.agents.split_off(1).into_iter().map(|agent| Draft {
                agents: vec![agent],
                ..group.clone()
            })),
            _ => {}
        }
        found.push(group);
    }
    random.shuffle(&mut found);
    found
}

/// Returns the answer to every agent about every path.
fn answers(dialect: &str, rules: &RuleSet) -> Vec<Verdict> {
    let spec = builtin(dialect).expect("the dialect is built in");
    let paths = PATHS.map(|path| PreparedPath::from_url(&spec, path.as_bytes()));
    let mut selection = Selection::new();
    let mut answers = Vec::new();
    for agent in AGENTS.iter().chain(&["nobody"]) {
        rules.select(&Agent::new(&spec, &[agent]), &mut selection);
        answers.extend(
            paths
                .iter()
                .map(|path| rules.decide(&selection, path).verdict),
        );
    }
    answers
}

#[test]
fn what_no_dialect_minds_does_not_count() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let file = files(&mut random, 3);
        let plain = plainly(&file);
        let ornate = ornately(&mut random, &file);
        // Python minds where blank lines stand, and whether a sitemap stands in front of the rules.
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
    let mut random = Random::new(2);
    for _ in 0..2_000 {
        let file = files(&mut random, 3);
        let plain = plainly(&file);
        let rewritten = plainly(&rewrite(&mut random, &file));
        for dialect in ["google", "rfc9309", "google-2019"] {
            let mut rules = [&plain, &rewritten].map(|text| compile(dialect, text.as_bytes()));
            let said = rules.each_ref().map(|rules| answers(dialect, rules));
            assert_eq!(said[0], said[1], "{dialect}\n{plain}\n{rewritten}");
            let [a, b] = rules.each_mut().map(RuleSet::semantic_digest);
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

/// Holds the digests of many small files under one dialect against all their verdicts, and returns
/// how often a digest was met again.
fn compare(spec: &DialectSpec, paths: &[String], random: &mut Random, n_files: usize) -> usize {
    let paths: Vec<PreparedPath> = paths
        .iter()
        .map(|path| PreparedPath::from_url(spec, path.as_bytes()))
        .collect();
    let agents = CHAINS.map(|chain| Agent::new(spec, chain));
    let mut selection = Selection::new();
    let mut rules = RuleSet::new();
    let mut robots = RobotsTxt::new();
    let mut seen: HashMap<[u8; 20], (String, Vec<Verdict>)> = HashMap::new();
    let mut n_met_again = 0;
    for _ in 0..n_files {
        let mut file = files(random, 3);
        for _ in 0..3 {
            let text = plainly(&file);
            parse(text.as_bytes(), &mut robots);
            rules.compile(spec, text.as_bytes(), &robots);
            let mut verdicts = Vec::with_capacity(agents.len() * paths.len());
            for agent in &agents {
                rules.select(agent, &mut selection);
                let decide = |path| rules.decide(&selection, path).verdict;
                verdicts.extend(paths.iter().map(decide));
            }
            match seen.entry(rules.semantic_digest()) {
                Entry::Occupied(known) => {
                    let (other, known) = known.get();
                    assert!(*known == verdicts, "{spec:?}\n{text}\n---\n{other}");
                    n_met_again += 1;
                }
                Entry::Vacant(new) => {
                    new.insert((text, verdicts));
                }
            }
            edit(random, &mut file);
        }
    }
    n_met_again
}

/// Changes one thing, so that near misses are as frequent as far ones.
fn edit(random: &mut Random, file: &mut Vec<Draft>) {
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

/// Returns a dialect that gives any answers.
fn any_dialect(random: &mut Random) -> DialectSpec {
    let name = random.pick(&NAMES);
    let mut spec = builtin(name).expect("the dialect is built in");
    for question in QUESTIONS {
        if let Allowed::Words(words) = question.allowed
            && random.below(3) == 0
        {
            let word = words[random.below(words.len())].0;
            assert!((question.set)(&mut spec, Answer::Word(word)));
        }
    }
    spec
}

#[test]
fn files_with_equal_digests_answer_equally() {
    let paths = all_paths();
    for dialect in NAMES {
        let spec = builtin(dialect).expect("the dialect is built in");
        let mut random = Random::new(3);
        let n_met_again = compare(&spec, &paths, &mut random, 1_000);
        assert!(n_met_again > 200, "{dialect}: {n_met_again}");
    }
}

#[test]
fn files_with_equal_digests_answer_equally_under_any_dialect() {
    let paths = all_paths();
    let mut random = Random::new(4);
    let mut n_met_again = 0;
    for _ in 0..60 {
        let spec = any_dialect(&mut random);
        n_met_again += compare(&spec, &paths, &mut random, 100);
    }
    assert!(n_met_again > 1_000, "{n_met_again}");
}
