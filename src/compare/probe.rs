//! Queries derived from a file's own lines: agents that it names, and URLs at the edges of its
//! patterns.
//!
//! Parsers differ where a pattern begins or ceases to match, so each pattern is asked with a URL
//! that it matches, one that it just does not, and the forms in which the same URL can be written.
//! The order is fixed and goes by rounds: every pattern is asked once before any is asked twice,
//! and every agent is asked for `/` before other agents are asked for more.
//!
//! A file may have more rules than there are queries. Those that are asked are spread over the
//! whole file then, since a parser may stop anywhere in it: the first and the last rule of each
//! kind, then rules at halves, quarters, and so on. What is left out is counted ([`Coverage`]).

use std::{borrow::Cow, collections::HashSet};

use ahash::RandomState;

use super::{
    query::{Queries, QueriesBuilder},
    spread::spread,
    variant::{N_VARIANTS, ProbedPattern, push_escape, push_variant},
};
use crate::robots::{
    dialect::{AgentLine, Rule, RuleSet},
    lines::Span,
};

/// The origin of all derived URLs; a robots.txt is asked about its own host, so any will do.
pub const ORIGIN: &str = "https://example.com";
/// An agent that no file names.
pub const UNNAMED_AGENT: &str = "UnnamedCrawler";
/// Another one: a key that every object of JavaScript has.
const OBJECT_KEY: &str = "__proto__";
/// A path that no file names.
const UNNAMED_PATH: &str = "/unnamed-path-1f4c";
/// The longest name of an agent, and the longest path, in bytes: a file may have lines of
/// megabytes.
const MAX_AGENT: usize = 256;
const MAX_PATH: usize = 64 * 1024;
/// Bytes of queries about one file, beyond which it is asked no more.
const MAX_BYTES: usize = 1024 * 1024;
/// Where a file has more patterns than there are queries, the eighths of these that go to one URL
/// of each pattern, and to these and the agents; the rest is for the edges of patterns.
const PATTERN_EIGHTHS: usize = 5;
const AGENT_EIGHTHS: usize = 6;

/// What queries are derived besides those that each file gives.
#[derive(Clone, Debug)]
pub struct ProbeOptions {
    /// Agents that are asked besides those of the file.
    pub agents: Vec<String>,
    /// The most queries for a file.
    pub max: usize,
    /// Whether a crawler with two tokens is asked too: the first two names in the file, joined by a
    /// comma.
    pub has_chains: bool,
    /// Whether an external parser is asked, which may fail where no dialect does: at a URL without
    /// a path, and at a name that is a key in its own objects.
    pub has_external: bool,
}

/// The queries about a file.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Distinct queries; those of one agent are together.
    pub queries: Queries,
    /// What the limits leave out.
    pub coverage: Coverage,
}

/// What the limits of the queries about a file leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Whether they leave out a query.
    pub is_cut: bool,
    /// The rules of the file that have a pattern and a group.
    pub rules: u64,
    /// Those of them for which not even a URL that their pattern matches is asked.
    pub rules_left_out: u64,
}

/// Derives the queries about a file.
///
/// `interpretations` are the file's rules under several dialects, since a line that one of them
/// ignores may be a rule for another. It is long because its rounds, one after the other, are the
/// order of the queries.
pub fn derive(body: &[u8], interpretations: &[&RuleSet], options: &ProbeOptions) -> Derived {
    let (groups, rules) = groups_and_rules(interpretations);
    let most_patterns = if rules.len() > options.max {
        options.max * PATTERN_EIGHTHS / 8
    } else {
        options.max
    };
    let is_short = rules.len() > most_patterns;
    let is_global: Vec<bool> = groups
        .iter()
        .map(|lines| lines.iter().any(|line| line.is_wildcard))
        .collect();
    let chosen = spread(&rules, most_patterns.max(1), |&(rule, group)| {
        let value = rule.value.of(body);
        (
            [rule.has_wildcard, rule.has_anchor, is_global[group]],
            [value.contains(&b'%'), value.starts_with(b"/")],
            rule.kind,
        )
    });
    let mut probes = Probes {
        max: options.max,
        ..Probes::default()
    };
    let unnamed = probes.names.agents.index(UNNAMED_AGENT);
    let named = probes.named(body, &groups);
    // The names of each group of which a pattern is asked.
    let mut agents_of = vec![Vec::new(); groups.len()];
    let mut patterns = Vec::with_capacity(chosen.len());
    for index in chosen {
        let (rule, group) = rules[index];
        if agents_of[group].is_empty() {
            agents_of[group] = probes.first_names(body, groups[group]);
        }
        let pattern = ProbedPattern::new(as_text(rule.value.of(body)));
        patterns.push((pattern, group));
    }
    let mut hits = Vec::with_capacity(patterns.len());
    let mut n_asked = 0;
    for (pattern, group) in &patterns {
        let hit = probes.url(|url| push_variant(pattern, 0, url));
        n_asked += u64::from(probes.add(agents_of[*group][0], hit));
        hits.push(hit);
    }
    // Files with one rule are enough, and a parser that fails answers about the others.
    if options.has_external && rules.len() == 1 {
        let agent = probes.names.agents.index(OBJECT_KEY);
        let url = probes.url(|_| true);
        probes.add(agent, url);
    }
    let all_agents = probes.all_agents(named, unnamed, options);
    'paths: for path in ["/", "/robots.txt", UNNAMED_PATH] {
        let url = probes.url(|url| {
            url.push_str(path);
            true
        });
        for &agent in &all_agents {
            if is_short && probes.pairs.len() >= options.max * AGENT_EIGHTHS / 8 {
                break 'paths;
            }
            probes.add(agent, url);
        }
    }
    for number in 1..N_VARIANTS {
        for (pattern, group) in &patterns {
            let url = probes.url(|url| push_variant(pattern, number, url));
            let agents = &agents_of[*group];
            probes.add(agents[number % agents.len()], url);
        }
    }
    'agents: for &agent in &all_agents {
        for &hit in &hits {
            if probes.is_over {
                break 'agents;
            }
            probes.add(agent, hit);
        }
    }
    Derived {
        coverage: Coverage {
            is_cut: is_short || probes.is_over || probes.has_other_agents,
            rules: rules.len() as u64,
            rules_left_out: rules.len() as u64 - n_asked,
        },
        queries: probes.finish(),
    }
}

/// A rule that has a pattern, and the index of its group.
type GroupedRule<'r> = (&'r Rule, usize);

/// Returns the user-agent lines of each group that has any, and the rules of these groups, those
/// of several interpretations once, in the order of the file.
fn groups_and_rules<'r>(
    interpretations: &[&'r RuleSet],
) -> (Vec<&'r [AgentLine]>, Vec<GroupedRule<'r>>) {
    let mut groups = Vec::new();
    let mut rules: Vec<GroupedRule<'_>> = Vec::new();
    let mut seen: HashSet<(u32, Span), RandomState> = HashSet::default();
    for interpretation in interpretations {
        for group in interpretation.groups() {
            let agents = group.agents.of(interpretation.agents());
            if agents.is_empty() {
                continue;
            }
            for rule in group.rules.of(interpretation.rules()) {
                if !rule.value.is_empty() && seen.insert((group.line_first, rule.value)) {
                    rules.push((rule, groups.len()));
                }
            }
            groups.push(agents);
        }
    }
    // A stable sort: of one line, what the first interpretation reads comes first.
    rules.sort_by_key(|(rule, _)| rule.line);
    (groups, rules)
}

/// Returns the ways in which a crawler that a user-agent line names may call itself: what the
/// dialect compares, what is in front of its version, and the value as written.
///
/// A name with a comma would be two tokens, and is left out.
fn spellings<'b>(value: &'b [u8], token: &'b [u8]) -> Vec<Cow<'b, str>> {
    let is_end = |byte: &u8| matches!(byte, b'/' | b' ' | b'\t' | b';' | b'(' | b',');
    let end = value.iter().position(is_end).unwrap_or(value.len());
    let mut spellings = Vec::new();
    for text in [token, &value[..end], value] {
        if !text.is_empty() && text.len() <= MAX_AGENT && !text.contains(&b',') {
            let text = as_text(text);
            if !spellings.contains(&text) {
                spellings.push(text);
            }
        }
    }
    spellings
}

/// Returns bytes as text that can stand in a URL and in JSON: what is no UTF-8 is escaped.
fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk
            .invalid()
            .iter()
            .for_each(|&byte| push_escape(byte, &mut text));
    }
    text.into()
}

/// The queries so far.
#[derive(Default)]
struct Probes {
    max: usize,
    /// Whether there was one more query than the limits allow.
    is_over: bool,
    /// Whether the file has more user-agent lines than there are queries.
    has_other_agents: bool,
    names: QueriesBuilder,
    pairs: Vec<(u32, u32)>,
    seen: HashSet<(u32, u32), RandomState>,
    /// The bytes of the URLs of all queries.
    n_bytes: usize,
    /// A URL while it is written.
    url: String,
}

impl Probes {
    /// Returns the agents that a user-agent line names.
    fn names_of(&mut self, body: &[u8], line: &AgentLine) -> Vec<u32> {
        if line.is_wildcard {
            return vec![self.names.agents.index(UNNAMED_AGENT)];
        }
        let spellings = spellings(line.value.of(body), line.token.of(body));
        let names = spellings.iter().map(|agent| self.names.agents.index(agent));
        names.collect()
    }

    /// Returns the first names of a group, no more than a pattern has variants, and one at least.
    fn first_names(&mut self, body: &[u8], lines: &[AgentLine]) -> Vec<u32> {
        let mut names = Vec::new();
        for line in lines {
            names.extend(self.names_of(body, line));
            if names.len() >= N_VARIANTS {
                break;
            }
        }
        if names.is_empty() {
            names.push(self.names.agents.index(UNNAMED_AGENT));
        }
        names
    }

    /// Returns the distinct agents that the lines of groups name, of no more lines than there are
    /// queries.
    fn named(&mut self, body: &[u8], groups: &[&[AgentLine]]) -> Vec<u32> {
        let lines = groups.iter().flat_map(|lines| lines.iter());
        let lines: Vec<&AgentLine> = lines.filter(|line| !line.is_wildcard).collect();
        let chosen = spread(&lines, self.max, |_| ());
        self.has_other_agents = chosen.len() < lines.len();
        let mut named = Vec::new();
        let mut seen: HashSet<u32, RandomState> = HashSet::default();
        for index in chosen {
            let names = self.names_of(body, lines[index]);
            named.extend(names.into_iter().filter(|&agent| seen.insert(agent)));
        }
        named
    }

    /// Returns all agents in the order in which they are asked: a chain, those that the file
    /// names, one that it does not, and those of the options.
    fn all_agents(&mut self, named: Vec<u32>, unnamed: u32, options: &ProbeOptions) -> Vec<u32> {
        let listed = options.agents.iter();
        let listed: Vec<u32> = listed.map(|agent| self.names.agents.index(agent)).collect();
        let chain = (options.has_chains && named.len() > 1).then(|| {
            let [first, second] =
                [named[0], named[1]].map(|agent| self.names.agents.texts.get(agent));
            let chain = format!("{second},{first}");
            self.names.agents.index(&chain)
        });
        let agents = chain.into_iter().chain(named).chain([unnamed]);
        agents.chain(listed).collect()
    }

    /// Returns the index of the URL whose path `write` appends; `None` where it returns false, or
    /// that would be too much.
    fn url(&mut self, write: impl FnOnce(&mut String) -> bool) -> Option<u32> {
        if self.is_over {
            return None;
        }
        let url = &mut self.url;
        url.clear();
        url.push_str(ORIGIN);
        if !write(url) || url.len() - ORIGIN.len() > MAX_PATH {
            return None;
        }
        if let Some(escaped) = without_controls(url) {
            *url = escaped;
        }
        Some(self.names.urls.index(url))
    }

    /// Adds a query; returns true if and only if it is one of the queries now.
    fn add(&mut self, agent: u32, url: Option<u32>) -> bool {
        let Some(url) = url else {
            return false;
        };
        if self.seen.contains(&(agent, url)) {
            return true;
        }
        if self.pairs.len() >= self.max || self.n_bytes >= MAX_BYTES {
            self.is_over = true;
            return false;
        }
        self.seen.insert((agent, url));
        self.pairs.push((agent, url));
        self.n_bytes += self.names.urls.texts.get(url).len();
        true
    }

    fn finish(mut self) -> Queries {
        // A stable sort: the queries of an agent stay in their order.
        self.pairs.sort_by_key(|(agent, _)| *agent);
        self.names.finish(&self.pairs)
    }
}

/// Returns a URL with its control characters and blanks escaped, which no URL has; `None` where it
/// has none.
fn without_controls(url: &str) -> Option<String> {
    // Those beyond ASCII, U+0080 to U+009F, begin with this byte in UTF-8.
    let may_be = |byte: u8| byte <= b' ' || byte == 0x7F || byte == 0xC2;
    let must_go = |c: char| c.is_control() || c == ' ';
    if !url.bytes().any(may_be) || !url.contains(must_go) {
        return None;
    }
    let mut escaped = String::new();
    for c in url.chars() {
        if must_go(c) {
            let mut bytes = [0; 4];
            let bytes = c.encode_utf8(&mut bytes).bytes();
            bytes.for_each(|byte| push_escape(byte, &mut escaped));
        } else {
            escaped.push(c);
        }
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Dialect,
        robots::lines::{RobotsTxt, parse},
    };

    fn asked(body: &[u8], dialects: &[&Dialect], max: usize) -> Derived {
        asked_by(body, dialects, max, false)
    }

    fn asked_by(body: &[u8], dialects: &[&Dialect], max: usize, has_external: bool) -> Derived {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        let sets = dialects.iter().map(|dialect| {
            let mut rules = RuleSet::new();
            rules.compile(dialect, body, &robots);
            rules
        });
        let sets: Vec<RuleSet> = sets.collect();
        let options = ProbeOptions {
            agents: vec!["GPTBot".to_owned()],
            max,
            has_chains: false,
            has_external,
        };
        derive(body, &sets.iter().collect::<Vec<_>>(), &options)
    }

    fn derived(body: &str, max: usize) -> Vec<(String, String)> {
        let queries = asked(body.as_bytes(), &[&Dialect::GOOGLE], max).queries;
        queries
            .iter()
            .map(|(agent, url)| (agent.to_owned(), url[ORIGIN.len()..].to_owned()))
            .collect()
    }

    #[test]
    fn edges_of_a_pattern_are_asked() {
        let queries = derived("User-agent: Foo/1.0\nDisallow: /a*b%2Fc$\n", 1000);
        let paths: HashSet<_> = queries.iter().map(|(_, path)| path.as_str()).collect();
        for path in [
            "/axb%2Fc",
            "/ab%2Fc",
            "/ab%2Fcx",
            "/ab%2F",
            "/ab%2Fc/",
            "/a/b%2Fc",
            "/a*b%2Fc$",
            "/ab%2F%63",
            "/ab/c",
            "/AB%2fC",
            "/axb%2Fc?x=1",
            "/ab%2fc",
            "/",
            "/robots.txt",
        ] {
            assert!(paths.contains(path), "{path}: {paths:?}");
        }
        let agents: HashSet<_> = queries.iter().map(|(agent, _)| agent.as_str()).collect();
        for agent in ["Foo", "Foo/1.0", UNNAMED_AGENT, "GPTBot"] {
            assert!(agents.contains(agent), "{agent}: {agents:?}");
        }
    }

    #[test]
    fn external_parsers_are_asked_for_a_url_without_a_path() {
        for (n_rules, has_external) in [(0, true), (1, true), (2, true), (1, false)] {
            let body = ["User-agent: *\n", &"Disallow: /\n".repeat(n_rules)].concat();
            let queries = asked_by(body.as_bytes(), &[&Dialect::GOOGLE], 256, has_external).queries;
            let is_asked = queries.iter().any(|query| query == (OBJECT_KEY, ORIGIN));
            assert_eq!(is_asked, n_rules == 1 && has_external);
        }
    }

    #[test]
    fn every_pattern_is_asked_once_before_any_twice() {
        let body: String = (0..100)
            .map(|n| format!("Disallow: /path-{n:03}/\n"))
            .collect();
        let queries = derived(&format!("User-agent: *\n{body}"), 100);
        let paths: HashSet<_> = queries.iter().map(|(_, path)| path.clone()).collect();
        assert_eq!(queries.len(), 100);
        assert!((0..100).all(|n| paths.contains(&format!("/path-{n:03}/"))));
        assert_eq!(derived(&format!("User-agent: *\n{body}"), 256).len(), 256);
    }

    #[test]
    fn queries_are_spread_over_all_rules_and_what_is_left_out_is_counted() {
        let rule = |n: usize| match n {
            1_000 => "Allow: /only$\n".to_owned(),
            2_999 => "Disallow: /last/\n".to_owned(),
            _ => format!("Disallow: /path-{n:04}/\n"),
        };
        let body: String = (0..3_000).map(rule).collect();
        let derived = asked(
            format!("User-agent: *\n{body}").as_bytes(),
            &[&Dialect::GOOGLE],
            256,
        );
        let paths: Vec<&str> = derived.queries.iter().map(|(_, url)| url).collect();
        let has = |path: &str| paths.iter().any(|url| url[ORIGIN.len()..] == *path);
        assert!(has("/only") && has("/last/") && has("/path-0000/"));
        for part in 0..100 {
            let rules = part * 30..(part + 1) * 30;
            let is_asked = rules.clone().any(|n| has(&format!("/path-{n:04}/")));
            assert!(is_asked || part == 99, "{rules:?}");
        }
        // The edges of patterns and the agents are asked too.
        assert!(has("/path-0000/x") && has("/"));
        assert_eq!(derived.queries.len(), 256);
        let coverage = |is_cut, rules, rules_left_out| Coverage {
            is_cut,
            rules,
            rules_left_out,
        };
        assert_eq!(derived.coverage, coverage(true, 3_000, 3_000 - 160));
        let few = asked(b"User-agent: *\nDisallow: /a\n", &[&Dialect::GOOGLE], 256);
        assert_eq!(few.coverage, coverage(false, 1, 0));
        let exactly = few.queries.len();
        for (max, is_cut) in [(exactly, false), (exactly - 1, true)] {
            let derived = asked(b"User-agent: *\nDisallow: /a\n", &[&Dialect::GOOGLE], max);
            assert_eq!(derived.coverage.is_cut, is_cut, "{max}");
        }
    }

    #[test]
    fn all_bytes_can_be_asked() {
        let body = b"User-agent: \xFFa\nDisallow: /\xFF\x01 \xE4\xBD\xA0\n";
        let queries = asked(body, &[&Dialect::GOOGLE, &Dialect::PYTHON], 256).queries;
        assert!(
            queries
                .iter()
                .any(|(_, url)| url.contains("/%FF%01%20\u{4f60}"))
        );
        assert!(queries.iter().all(|(_, url)| !url.contains([' ', '\x01'])));
    }

    #[test]
    fn letters_in_front_of_other_characters_are_escaped() {
        let queries = derived(
            "User-agent: *\nDisallow: /K\u{e4}yt\u{e4}:\nDisallow: /\u{e4}b\u{e4}\n",
            256,
        );
        let has = |path: &str| queries.iter().any(|(_, found)| found == path);
        assert!(
            has("/K\u{e4}y%74\u{e4}:") && has("/\u{e4}%62\u{e4}"),
            "{queries:?}"
        );
    }

    #[test]
    fn queries_of_an_agent_are_together_and_distinct() {
        let body = "User-agent: a\nUser-agent: b\nDisallow: /x\nDisallow: /x/\n\nUser-agent: *\nAllow: /y*\n";
        let queries = derived(body, 1000);
        let distinct: HashSet<_> = queries.iter().collect();
        assert_eq!(distinct.len(), queries.len());
        let agents: Vec<_> = queries.iter().map(|(agent, _)| agent).collect();
        let mut runs = agents.clone();
        runs.dedup();
        assert_eq!(runs.len(), agents.iter().collect::<HashSet<_>>().len());
    }

    #[test]
    fn queries_about_lines_of_megabytes_are_bounded() {
        let long = "x".repeat(50_000);
        let lines: String = (0..200)
            .map(|n| format!("Disallow: /{n}{long}\n"))
            .collect();
        let queries = derived(&format!("User-agent: {long}\nUser-agent: *\n{lines}"), 256);
        let n_bytes: usize = queries
            .iter()
            .map(|(agent, path)| agent.len() + path.len())
            .sum();
        assert!(n_bytes < MAX_BYTES + 2 * MAX_PATH, "{n_bytes}");
    }
}
