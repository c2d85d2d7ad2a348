//! Queries derived from a file's own lines: agents that it names, and URLs at the edges of its
//! patterns.
//!
//! Parsers differ where a pattern begins or ceases to match, so each pattern is asked with a URL
//! that it matches, one that it just does not, and the forms in which the same URL can be written.
//! The order is fixed and goes by rounds: every pattern is asked once before any is asked twice,
//! and every agent is asked for `/` before other agents are asked for more.

use std::{borrow::Cow, collections::HashSet};

use ahash::RandomState;
use hashbrown::HashTable;

use super::query::Query;
use crate::{dialect::RuleSet, robots::Span};

/// The origin of all derived URLs; a robots.txt is asked about its own host, so any will do.
pub const ORIGIN: &str = "https://example.com";
/// An agent that no file names.
pub const UNNAMED_AGENT: &str = "UnnamedCrawler";
/// A path that no file names.
const UNNAMED_PATH: &str = "/unnamed-path-1f4c";
/// The longest name of an agent, and the longest URL, in bytes: a file may have lines of
/// megabytes.
const MAX_AGENT: usize = 256;
const MAX_URL: usize = 64 * 1024;
/// Bytes of queries about one file, beyond which it is asked no more.
const MAX_BYTES: usize = 1024 * 1024;

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
}

/// A pattern of the file with the agents of its group, by their indexes.
struct PatternOfGroup {
    pattern: String,
    agents: Vec<u32>,
}

/// Returns distinct queries for a file; those of one agent are together.
///
/// `interpretations` are the file's rules under several dialects, since a line that one of them
/// ignores may be a rule for another.
pub fn derive(body: &[u8], interpretations: &[&RuleSet], options: &ProbeOptions) -> Vec<Query> {
    let mut queries = Queries::new(options.max);
    let mut named = Vec::new();
    let mut patterns = Vec::new();
    let mut seen: HashSet<(u32, Span)> = HashSet::new();
    let unnamed = queries.agent(UNNAMED_AGENT);
    for rules in interpretations {
        for group in rules.groups() {
            let mut of_group = Vec::new();
            for line in group.agents.of(rules.agents()) {
                if line.is_wildcard {
                    of_group.push(unnamed);
                    continue;
                }
                if named.len() >= options.max {
                    break;
                }
                for agent in spellings(line.value.of(body), line.token.of(body)) {
                    let agent = queries.agent(&agent);
                    of_group.push(agent);
                    if !named.contains(&agent) {
                        named.push(agent);
                    }
                }
            }
            if of_group.is_empty() {
                continue;
            }
            for rule in group.rules.of(rules.rules()) {
                if patterns.len() < options.max
                    && !rule.value.is_empty()
                    && seen.insert((group.line_first, rule.value))
                {
                    patterns.push(PatternOfGroup {
                        pattern: as_text(rule.value.of(body)),
                        agents: of_group.clone(),
                    });
                }
            }
        }
    }
    for pattern in &patterns {
        if let Some(path) = variant(&pattern.pattern, 0) {
            queries.add(pattern.agents[0], &path);
        }
    }
    let listed: Vec<u32> = options
        .agents
        .iter()
        .map(|agent| queries.agent(agent))
        .collect();
    let chain = (options.has_chains && named.len() > 1).then(|| {
        let chain = format!(
            "{},{}",
            queries.agents[named[1] as usize], queries.agents[named[0] as usize]
        );
        queries.agent(&chain)
    });
    let all_agents: Vec<u32> = chain
        .into_iter()
        .chain(named)
        .chain([unnamed])
        .chain(listed)
        .collect();
    for path in ["/", "/robots.txt", UNNAMED_PATH] {
        for &agent in &all_agents {
            queries.add(agent, path);
        }
    }
    for number in 1..N_VARIANTS {
        for PatternOfGroup { pattern, agents } in &patterns {
            if let Some(path) = variant(pattern, number) {
                queries.add(agents[number % agents.len()], &path);
            }
        }
    }
    for &agent in &all_agents {
        for pattern in &patterns {
            if queries.is_full() {
                return queries.finish();
            }
            if let Some(path) = variant(&pattern.pattern, 0) {
                queries.add(agent, &path);
            }
        }
    }
    queries.finish()
}

/// Returns the ways in which a crawler that a user-agent line names may call itself: what the
/// dialect compares, what is in front of its version, and the value as written.
///
/// A name with a comma would be two tokens, and is left out.
fn spellings(value: &[u8], token: &[u8]) -> Vec<String> {
    let is_end = |byte: &u8| matches!(byte, b'/' | b' ' | b'\t' | b';' | b'(' | b',');
    let end = value.iter().position(is_end).unwrap_or(value.len());
    let mut spellings: Vec<String> = Vec::new();
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

const N_VARIANTS: usize = 14;

/// Returns a path for a pattern; `None` where the variant does not apply to it.
///
/// 0 matches the pattern, with text for each `*`; the others are at its edges.
fn variant(pattern: &str, number: usize) -> Option<String> {
    let anchored = pattern.strip_suffix('$');
    let open = anchored.unwrap_or(pattern);
    let filled = |text: &str| with_slash(&open.replace('*', text));
    let plain = filled("");
    let path = match number {
        0 => filled("x"),
        // Behind the end of the pattern: matched unless it is anchored or ends at a word's end.
        1 => plain + "x",
        // One character short of it.
        2 => {
            let mut chars = plain.chars();
            chars.next_back().filter(|_| plain.len() > 1)?;
            chars.as_str().to_owned()
        }
        // With and without the slash at the end.
        3 => match plain.strip_suffix('/') {
            Some("") => return None,
            Some(path) => path.to_owned(),
            None => plain + "/",
        },
        4 if open.contains('*') => plain,
        5 if open.contains('*') => filled("/"),
        // The special characters as bytes of the path.
        6 if open.contains('*') || anchored.is_some() => with_slash(pattern),
        7 => escape_last_letter(&plain)?,
        8 => unescape(&plain)?,
        9 => swap_case(&plain)?,
        10 => filled("x") + "?x=1",
        11 => swap_case_of_escapes(&plain)?,
        // The directory of an index page.
        12 => plain[..=plain
            .rfind('/')
            .filter(|at| plain[*at..].starts_with("/index"))?]
            .to_owned(),
        13 if open.contains('*') => filled("x/y?z"),
        _ => return None,
    };
    Some(path)
}

fn with_slash(path: &str) -> String {
    if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    }
}

/// Writes the last letter as a percent escape.
fn escape_last_letter(path: &str) -> Option<String> {
    let is_escape = |at: Option<usize>| at.is_some_and(|at| path.as_bytes()[at] == b'%');
    let is_free = |at: usize| !is_escape(at.checked_sub(1)) && !is_escape(at.checked_sub(2));
    let (at, letter) =
        (path.char_indices().rev()).find(|(at, c)| c.is_ascii_alphabetic() && is_free(*at))?;
    Some(format!(
        "{}%{:02X}{}",
        &path[..at],
        letter as u32,
        &path[at + 1..]
    ))
}

/// Decodes the escapes of printable ASCII; `None` where there are none.
fn unescape(path: &str) -> Option<String> {
    let mut decoded = String::new();
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let value = (rest.get(at + 1..at + 3)).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push_str(&rest[..at]);
        match value.filter(u8::is_ascii_graphic) {
            Some(byte) => {
                decoded.push(char::from(byte));
                rest = &rest[at + 3..];
            }
            None => {
                decoded.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    decoded.push_str(rest);
    (decoded != path).then_some(decoded)
}

fn swap_case(path: &str) -> Option<String> {
    let swap = |c: char| {
        if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    let swapped: String = path.chars().map(swap).collect();
    (swapped != path).then_some(swapped)
}

fn swap_case_of_escapes(path: &str) -> Option<String> {
    let mut swapped = String::new();
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let Some(hex) = rest.get(at + 1..at + 3) else {
            break;
        };
        swapped.push_str(&rest[..=at]);
        swapped.push_str(&swap_case(hex).unwrap_or_else(|| hex.to_owned()));
        rest = &rest[at + 3..];
    }
    swapped.push_str(rest);
    (swapped != path).then_some(swapped)
}

/// Returns bytes as text that can stand in a URL and in JSON: what is no UTF-8 is escaped.
fn as_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// The queries so far.
struct Queries {
    max: usize,
    n_bytes: usize,
    agents: Vec<String>,
    /// Agents, by their indexes, and URLs.
    items: Vec<(u32, String)>,
    /// The indexes of the items, by their hashes.
    seen: HashTable<usize>,
    hasher: RandomState,
}

impl Queries {
    fn new(max: usize) -> Queries {
        Queries {
            max,
            n_bytes: 0,
            agents: Vec::new(),
            items: Vec::new(),
            seen: HashTable::new(),
            hasher: RandomState::new(),
        }
    }

    /// Returns the index of an agent.
    fn agent(&mut self, name: &str) -> u32 {
        let known = self.agents.iter().position(|agent| agent == name);
        let index = known.unwrap_or_else(|| {
            self.agents.push(name.to_owned());
            self.agents.len() - 1
        });
        index as u32
    }

    fn is_full(&self) -> bool {
        self.items.len() >= self.max || self.n_bytes >= MAX_BYTES
    }

    fn add(&mut self, agent: u32, path: &str) {
        if self.is_full() || path.len() > MAX_URL {
            return;
        }
        let path = without_controls(path);
        let (items, hasher) = (&self.items, &self.hasher);
        let entry = self.seen.entry(
            hasher.hash_one((agent, path.as_bytes())),
            |&index| {
                let (other, url) = &items[index];
                *other == agent && url.as_bytes()[ORIGIN.len()..] == *path.as_bytes()
            },
            |&index| hasher.hash_one((items[index].0, &items[index].1.as_bytes()[ORIGIN.len()..])),
        );
        if let hashbrown::hash_table::Entry::Vacant(entry) = entry {
            entry.insert(items.len());
            let url = [ORIGIN, &path].concat();
            self.n_bytes += url.len();
            self.items.push((agent, url));
        }
    }

    fn finish(mut self) -> Vec<Query> {
        // A stable sort: the queries of an agent stay in their order.
        self.items.sort_by_key(|(agent, _)| *agent);
        let query = |(agent, url): (u32, String)| Query {
            agent: self.agents[agent as usize].clone(),
            url,
        };
        self.items.into_iter().map(query).collect()
    }
}

/// Escapes control characters and blanks, which no URL has.
fn without_controls(path: &str) -> Cow<'_, str> {
    let must_go = |c: char| c.is_control() || c == ' ';
    if !path.contains(must_go) {
        return path.into();
    }
    let mut escaped = String::new();
    for c in path.chars() {
        if must_go(c) {
            let mut bytes = [0; 4];
            let bytes = c.encode_utf8(&mut bytes).bytes();
            escaped.extend(bytes.map(|byte| format!("%{byte:02X}")));
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Dialect,
        robots::{RobotsTxt, parse},
    };

    fn queries(body: &[u8], dialects: &[&Dialect], max: usize) -> Vec<Query> {
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
        };
        derive(body, &sets.iter().collect::<Vec<_>>(), &options)
    }

    fn derived(body: &str, max: usize) -> Vec<(String, String)> {
        let queries = queries(body.as_bytes(), &[&Dialect::GOOGLE], max);
        queries
            .into_iter()
            .map(|query| (query.agent, query.url[ORIGIN.len()..].to_owned()))
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
    fn all_bytes_can_be_asked() {
        let body = b"User-agent: \xFFa\nDisallow: /\xFF\x01 \xE4\xBD\xA0\n";
        let queries = queries(body, &[&Dialect::GOOGLE, &Dialect::PYTHON], 256);
        assert!(
            queries
                .iter()
                .any(|query| query.url.contains("/%FF%01%20\u{4f60}"))
        );
        assert!(
            queries
                .iter()
                .all(|query| !query.url.contains([' ', '\x01']))
        );
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
        assert!(n_bytes < MAX_BYTES + 2 * MAX_URL, "{n_bytes}");
    }
}
