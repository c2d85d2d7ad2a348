//! How much files disallow, counted a second time: `restriction` and `bias` by a matcher that is
//! written from the works that `robocensus dialects --json` cites, and shares nothing with the
//! library's.
//!
//! It compares texts in the form in which a dialect compares them and never forms a URL, so that a
//! probe that a URL would cut or append to a host is found. It has more probes than the library:
//! each `*` is filled in three ways, and each prefix continued in three.

use std::{cmp::Ordering, collections::BTreeMap};

use robocensus::{
    robots::{
        dialect::{Agent, Dialect, Percent, RuleSet, Selection},
        lines::{RobotsTxt, parse},
        policy::{Assessor, Rules},
    },
    sample::random::Random,
};

use crate::{
    naive::{google, matches},
    properties::percent::{Side, written},
};

/// The dialects of the recount.
const DIALECTS: [&str; 6] = [
    "google",
    "rfc9309",
    "google-2019",
    "google-legacy",
    "baidu",
    "original-1994",
];

/// The texts of a `*`.
const FILLS: [&[u8]; 3] = [b"", b"x", b"q/q"];
/// The texts after a pattern without a final `$`.
const ENDS: [&[u8]; 3] = [b"", b"-Wk", b"~zq"];

/// A line: whether it allows, and its value as written.
type Line = (bool, &'static str);

/// A rule that can match.
struct Rule {
    is_allow: bool,
    /// In the form that is compared; `*` and a final `$` are special unless the dialect has none.
    pattern: Vec<u8>,
}

struct Naive {
    dialect: &'static str,
    rules: Vec<Rule>,
}

impl Naive {
    fn new(dialect: &'static str, lines: &[Line]) -> Self {
        let rules = lines.iter().filter_map(|&(is_allow, value)| {
            let pattern = pattern(dialect, value.as_bytes())?;
            Some(Rule { is_allow, pattern })
        });
        let rules = rules.collect();
        Self { dialect, rules }
    }

    /// Returns whether a path, in the form that is compared, is disallowed.
    fn disallows(&self, path: &[u8]) -> bool {
        if path == b"/robots.txt" && matches!(self.dialect, "rfc9309" | "original-1994") {
            return false;
        }
        let length = |rule: &Rule| match self.dialect {
            "original-1994" => path
                .starts_with(&rule.pattern)
                .then_some(rule.pattern.len()),
            "google" => google::priority(&rule.pattern, path, rule.is_allow),
            _ => matches(&rule.pattern, path).then_some(rule.pattern.len()),
        };
        if matches!(self.dialect, "baidu" | "original-1994") {
            let first = self.rules.iter().find(|rule| length(rule).is_some());
            return first.is_some_and(|rule| !rule.is_allow && !rule.pattern.is_empty());
        }
        let best = |is_allow: bool| {
            let rules = self.rules.iter().filter(|rule| rule.is_allow == is_allow);
            let found =
                rules.filter_map(|rule| Some((length(rule)?, !rule.pattern.contains(&b'*'))));
            found.max()
        };
        let (allow, disallow) = (best(true), best(false));
        let Some((length, is_without_star)) = disallow.filter(|(length, _)| *length > 0) else {
            return false;
        };
        let Some((allowed, is_allow_without_star)) = allow else {
            return true;
        };
        let is_conflict = !(is_without_star && is_allow_without_star);
        // With a wildcard in one of them the verdict is an allow or undefined, which
        // disallows nothing.
        let is_open = is_conflict && matches!(self.dialect, "google-2019" | "google-legacy");
        !is_open && length > allowed
    }

    fn probes(&self) -> impl Iterator<Item = Vec<u8>> {
        let is_plain = self.dialect == "original-1994";
        let own = self.rules.iter().flat_map(move |rule| {
            let is_anchored = !is_plain && rule.pattern.ends_with(b"$");
            let text = &rule.pattern[..rule.pattern.len() - usize::from(is_anchored)];
            let slash: &[u8] = if text.starts_with(b"/") { b"" } else { b"/" };
            let n_ends = if is_anchored { 1 } else { ENDS.len() };
            FILLS.iter().flat_map(move |fill| {
                let fill = |&byte: &u8| match byte {
                    b'*' if !is_plain => fill.to_vec(),
                    byte => vec![byte],
                };
                let path: Vec<u8> = text.iter().flat_map(fill).collect();
                let with = move |end: &&[u8]| [slash, &path, end].concat();
                // A path that every file allows does not depend on the rules.
                let is_always_allowed = matches!(self.dialect, "rfc9309" | "original-1994");
                let depends = move |path: &Vec<u8>| !is_always_allowed || path != b"/robots.txt";
                ENDS[..n_ends].iter().map(with).filter(depends)
            })
        });
        // The second is the path that Liu et al. request of a site for which no rule was written.
        [&b"/"[..], b"/dummy-testing-path-54321"]
            .map(<[u8]>::to_vec)
            .into_iter()
            .chain(own)
    }

    /// Returns 0 where no probe is disallowed, 2 where every one is, else 1.
    fn restriction(&self) -> usize {
        let is_disallowed = |path: Vec<u8>| self.disallows(&path);
        if self.probes().all(is_disallowed) {
            2
        } else {
            self.probes().any(is_disallowed).into()
        }
    }
}

/// Returns the pattern of a value, or nothing where the dialect has no rule there.
fn pattern(dialect: &str, value: &[u8]) -> Option<Vec<u8>> {
    let is_google = matches!(dialect, "google-2019" | "google-legacy");
    let front: &[u8] = match (dialect, value.first()) {
        (_, None) if is_google => return None,
        (_, None | Some(b'/')) => b"",
        ("rfc9309", Some(byte)) if *byte != b'*' => return None,
        ("google-legacy", _) => b"/",
        ("baidu", Some(byte)) if *byte != b'*' => b"*",
        _ => b"",
    };
    let percent = match dialect {
        "google" => Percent::PatternEscaped,
        "original-1994" => Percent::DecodedButSlash,
        _ => Percent::Normalized,
    };
    let mut pattern = [front, &written(percent, Side::Pattern, value)].concat();
    if is_google {
        let n = pattern
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'*')
            .count();
        pattern.truncate(pattern.len() - n);
        if pattern.is_empty() {
            pattern.push(b'/');
        }
    }
    // A URL has no NUL, and only the draft of 1996 decodes its escape.
    (dialect == "original-1994" || !pattern.contains(&0)).then_some(pattern)
}

const RESTRICTIONS: [&str; 3] = ["none", "partial", "full"];

/// Returns restriction and bias of an agent with these lines in a file with those of `*`.
fn recount(dialect: &'static str, own: &[Line], wildcard: &[Line]) -> [&'static str; 2] {
    let [own, wildcard] = [own, wildcard].map(|lines| Naive::new(dialect, lines).restriction());
    let bias = match own.cmp(&wildcard) {
        Ordering::Less => "favored",
        Ordering::Equal => "same",
        Ordering::Greater => "disfavored",
    };
    [RESTRICTIONS[own], bias]
}

/// The shapes of path-patterns that people write, one in a line: of each at least one, and some
/// that meet others.
const SHAPES: &str = include_str!("testdata/path-patterns.txt");

/// Returns up to three lines.
fn random_lines(random: &mut Random, shapes: &[&'static str]) -> Vec<Line> {
    let lines = (0..random.below(4)).map(|_| {
        let value = random.pick(shapes);
        (random.below(3) == 0, value)
    });
    lines.collect()
}

/// Returns restriction and bias of the agents `GPTBot` and `*` of a file by the library.
fn assess(spec: &Dialect, body: &[u8]) -> [[&'static str; 2]; 2] {
    let (mut robots, mut set) = (RobotsTxt::new(), RuleSet::new());
    parse(body, &mut robots);
    set.compile(spec, body, &robots);
    let selections = ["GPTBot", "*"].map(|agent| {
        let mut selection = Selection::new();
        set.select(&Agent::new(spec, &[agent]), &mut selection);
        selection
    });
    let mut policies = Vec::new();
    let rules = Rules { body, set: &set };
    Assessor::new(spec.clone()).assess(rules, &selections, &mut policies);
    [0, 1].map(|index| {
        let policy = &policies[index];
        [policy.restriction.as_str(), policy.bias.as_str()]
    })
}

fn body(own: &[Line], wildcard: &[Line]) -> String {
    let line = |(is_allow, value): &Line| {
        let key = if *is_allow { "allow" } else { "disallow" };
        format!("{key}: {value}\n")
    };
    let [own, wildcard] = [own, wildcard].map(|lines| lines.iter().map(line).collect::<String>());
    format!("user-agent: GPTBot\n{own}user-agent: *\n{wildcard}")
}

#[test]
fn patterns_of_every_shape_restrict_as_much_as_a_recount_says() {
    let mut random = Random::new(1);
    let shapes: Vec<_> = SHAPES.lines().collect();
    let specs = DIALECTS.map(|name| Dialect::named(name).unwrap());
    let mut seen = BTreeMap::new();
    for round in 0..4_000 {
        // Each shape alone comes first, disallowed, and allowed where everything else is not.
        let (own, wildcard) = match (shapes.get(round / 2), round % 2) {
            (Some(shape), 0) => (vec![(false, *shape)], Vec::new()),
            (Some(shape), _) => (vec![(false, "/"), (true, *shape)], Vec::new()),
            (None, _) => (
                random_lines(&mut random, &shapes),
                random_lines(&mut random, &shapes),
            ),
        };
        // A group that ends with its list of agents would take that of the next.
        let own = [own, vec![(true, "/zz$")]].concat();
        let body = body(&own, &wildcard);
        for (dialect, spec) in DIALECTS.into_iter().zip(&specs) {
            let wanted = [
                recount(dialect, &own, &wildcard),
                recount(dialect, &wildcard, &wildcard),
            ];
            let found = assess(spec, body.as_bytes());
            assert_eq!(found, wanted, "{dialect}: {body}");
            for [restriction, _] in found {
                *seen.entry((dialect, restriction)).or_insert(0) += 1;
            }
        }
    }
    for dialect in DIALECTS {
        for restriction in RESTRICTIONS {
            assert!(seen.get(&(dialect, restriction)) > Some(&20), "{seen:?}");
        }
    }
}
