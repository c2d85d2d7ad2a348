//! Any body is lines that every dialect can read.
//!
//! The input is a body and, after bytes 0xFE, a crawler and a URL. Properties:
//!
//! - The lines, joined, are the body; spans stay within their line.
//! - Parsing takes memory for the lines and no more, and none the second time.
//! - A decision has a line if and only if a rule decides, the rule is among those that match, and
//!   the order of requests changes nothing.
//! - The dialect `google` decides as Google's documentation does, by a second implementation.

use robocensus::robots::{
    dialect::{
        Agent, Anomaly, AnomalyFinder, Basis, Dialect, MAX_PER_CODE, NAMES, PreparedPath, RuleSet,
        Selection, Verdict,
    },
    lines::{Line, RobotsTxt, parse},
};

use super::{
    Target,
    input::Input,
    memory::{allocations, peak},
};
use crate::naive;

pub const TARGET: Target = Target {
    name: "robots",
    seeds,
    words: include_str!("words/robots.dict"),
    check,
};

/// The most bytes of a rule set for each byte of the body, while its vectors grow, and for
/// an empty body.
const BYTES_PER_BYTE: usize = 64;
const BYTES_FOR_NONE: usize = 4 * 1024;

fn seeds() -> Vec<Vec<u8>> {
    [
        &b"User-agent: *\nDisallow: /private\nAllow: /private/a*b$\n\nSitemap: http://a.example/s.xml\n"[..],
        b"\xef\xbb\xbfuser-agent: Googlebot\r\nuser-agent: a\r\ndisallow: /a # why\r\nuser-agent: *\r\ndisallow:\r\n\xfea\xfe/a/b?c;d#e",
        b"User-Agent a\rAllow: /d/index.html\rDisallow /d\rcrawl-delay: 2.5\r\r\xfea\xfehttp://h.example/d/",
        b"Allow: /\nuser-agent: *\ndisalow: /%e9%2f\xc3\xa9\nDisallow: *.gif$\nnoindex: /\nUser-agent: b\n\xfeb\xfe//h/x.gif",
        b"user-agent: *\x0bdisallow: //[\nuser-agent: a\n\nallow: /\0\nrequest-rate: 1/x\n \nvisit-time: 0600-0845\n",
    ]
    .map(<[u8]>::to_vec)
    .into()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let body = input.until(0xfe);
    let agent = match input.until(0xfe) {
        b"" => b"Googlebot",
        agent => agent,
    };
    let url = input.0;
    let robots = check_lines(body);
    for name in NAMES {
        let spec = Dialect::named(name).expect("the dialect is built in");
        let rules = check_rules(&spec, body, &robots);
        check_decisions(&spec, &rules, agent, url);
        if name == "google" {
            check_google(&spec, &rules, body, agent, url);
            check_anomalies(body, &robots, &rules);
        }
    }
}

fn check_lines(body: &[u8]) -> RobotsTxt {
    let mut robots = RobotsTxt::new();
    let ((), held) = peak(|| parse(body, &mut robots));
    let lines = robots.lines();
    // A vector that grows has the old lines and twice as many new ones.
    let bound = 3 * size_of::<Line>() * lines.len().max(4);
    assert!(held <= bound, "{held} bytes");
    let mut end = 0;
    for line in lines {
        let (text, full) = (line.text, line.full());
        assert_eq!((full.start, text.start), (end, end));
        end = full.end;
        for span in [line.content(), line.key(), line.value()] {
            assert!(text.start <= span.start && span.start <= span.end && span.end <= text.end);
        }
        if let Some(comment) = line.comment() {
            assert!(comment.of(body).starts_with(b"#") && comment.end == text.end);
        }
    }
    assert_eq!(end as usize, body.len());
    let again = robots.clone();
    let mut model = robots;
    assert_eq!(allocations(|| parse(body, &mut model)), 0);
    assert_eq!(again.lines(), model.lines());
    model
}

fn check_rules(spec: &Dialect, body: &[u8], robots: &RobotsTxt) -> RuleSet {
    let mut rules = RuleSet::new();
    let ((), held) = peak(|| rules.compile(spec, body, robots));
    let bound = BYTES_FOR_NONE + BYTES_PER_BYTE * body.len();
    assert!(held <= bound, "{}: {held} bytes", spec.name);
    let count = robots.lines().len() as u32;
    for (index, group) in (0..).zip(rules.groups()) {
        assert!(1 <= group.line_first && group.line_first <= group.line_last);
        assert!(group.line_last <= count && !group.agents.is_empty());
        assert_eq!(group.allow_count + group.disallow_count, group.rules.len());
        let agents = group.agents.of(rules.agents());
        assert!(agents.iter().all(|agent| agent.group_index == index));
        let of_group = group.rules.of(rules.rules());
        assert!(of_group.iter().all(|rule| rule.group_index == Some(index)));
    }
    for rule in rules.rules() {
        assert!((1..=count).contains(&rule.line) && rule.value.end as usize <= body.len());
        assert_eq!(rules.pattern(rule).len(), rule.pattern.len() as usize);
    }
    let digest = rules.semantic_digest();
    let (groups, all) = (rules.groups().to_vec(), rules.rules().to_vec());
    let n = allocations(|| rules.compile(spec, body, robots));
    let may_allocate = spec.name == "python";
    assert!(n == 0 || may_allocate, "{}: {n} allocations", spec.name);
    assert_eq!(rules.semantic_digest(), digest);
    assert_eq!((rules.groups(), rules.rules()), (&groups[..], &all[..]));
    rules
}

fn check_decisions(spec: &Dialect, rules: &RuleSet, agent: &[u8], url: &[u8]) {
    let chains: [&[&[u8]]; 4] = [&[agent], &[b"*"], &[b"a", agent], &[]];
    let paths = [url, b"/", b"/robots.txt"].map(|url| PreparedPath::from_url(spec, url));
    let mut selection = Selection::new();
    let mut decisions = Vec::new();
    for chain in chains {
        rules.select(&Agent::new(spec, chain), &mut selection);
        assert!(selection.groups().is_sorted());
        for path in &paths {
            let decision = rules.decide(&selection, path);
            assert_eq!(decision.rule_line.is_some(), decision.basis == Basis::Rule);
            if let Some(line) = decision.rule_line {
                let mut matching = rules.matching(&selection, path);
                let rule = matching.find(|rule| rule.line == line);
                assert!(rule.is_some_and(|rule| rule.group_index == decision.group_index));
            }
            decisions.push(decision);
        }
    }
    for chain in chains.into_iter().rev() {
        rules.select(&Agent::new(spec, chain), &mut selection);
        for path in paths.iter().rev() {
            assert_eq!(Some(rules.decide(&selection, path)), decisions.pop());
        }
    }
}

fn check_google(spec: &Dialect, rules: &RuleSet, body: &[u8], agent: &[u8], url: &[u8]) {
    let mut selection = Selection::new();
    for agent in [agent, b"a"] {
        rules.select(&Agent::new(spec, &[agent]), &mut selection);
        for url in [url, b"/", b"/a/"] {
            let decision = rules.decide(&selection, &PreparedPath::from_url(spec, url));
            let is_disallow = decision.verdict == Verdict::Disallow;
            let found = (is_disallow, decision.rule_line.unwrap_or(0));
            assert_eq!(found, naive::google::decide(body, agent, url), "{url:?}");
        }
    }
}

fn check_anomalies(body: &[u8], robots: &RobotsTxt, rules: &RuleSet) {
    let mut anomalies: Vec<Anomaly> = Vec::new();
    let mut finder = AnomalyFinder::new();
    finder.find(body, robots, rules, &mut anomalies);
    let count = robots.lines().len() as u32;
    for anomaly in &anomalies {
        assert!(anomaly.span.start <= anomaly.span.end && anomaly.count > 0);
        assert!(anomaly.span.end as usize <= body.len());
        assert!(anomaly.line.is_none_or(|line| (1..=count).contains(&line)));
    }
    assert!(anomalies.is_sorted_by_key(|anomaly| (anomaly.line, anomaly.code)));
    for same in anomalies.chunk_by(|a, b| a.code == b.code) {
        assert!(same.len() <= MAX_PER_CODE);
    }
    let first = anomalies.clone();
    finder.find(body, robots, rules, &mut anomalies);
    assert_eq!(anomalies, first);
}
