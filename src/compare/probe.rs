//! Queries derived from a file's own lines: agents that it names, and URLs at the edges of its
//! patterns.
//!
//! Parsers differ where a pattern begins or ceases to match, so each pattern is asked with a URL
//! that it matches, one that it just does not, and the forms in which the same URL can be written.
//! The order is fixed and goes by rounds: every pattern is asked once before any is asked twice,
//! and every agent is asked for `/` before other agents are asked for more.

use std::{borrow::Cow, collections::HashSet};

use ahash::RandomState;

use super::query::{Queries, QueriesBuilder};
use crate::{dialect::RuleSet, robots::Span};

/// The origin of all derived URLs; a robots.txt is asked about its own host, so any will do.
pub const ORIGIN: &str = "https://example.com";
/// An agent that no file names.
pub const UNNAMED_AGENT: &str = "UnnamedCrawler";
/// A path that no file names.
const UNNAMED_PATH: &str = "/unnamed-path-1f4c";
/// The longest name of an agent, and the longest path, in bytes: a file may have lines of
/// megabytes.
const MAX_AGENT: usize = 256;
const MAX_PATH: usize = 64 * 1024;
/// Bytes of queries about one file, beyond which it is asked no more.
const MAX_BYTES: usize = 1024 * 1024;

/// Queries for which memory is reserved.
const USUAL_MAX: usize = 256;

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

/// Returns distinct queries for a file; those of one agent are together.
///
/// `interpretations` are the file's rules under several dialects, since a line that one of them
/// ignores may be a rule for another.
pub fn derive(body: &[u8], interpretations: &[&RuleSet], options: &ProbeOptions) -> Queries {
    let mut probes = Probes::new(options.max);
    let mut named = Vec::new();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    // Patterns with the indexes of their groups.
    let mut patterns = Vec::new();
    let mut seen: HashSet<(u32, Span), RandomState> = HashSet::default();
    let unnamed = probes.names.agent(UNNAMED_AGENT);
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
                    let agent = probes.names.agent(&agent);
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
                    let text = as_text(rule.value.of(body));
                    patterns.push((ProbedPattern::new(text), groups.len()));
                }
            }
            groups.push(of_group);
        }
    }
    let mut hits = Vec::with_capacity(patterns.len());
    for &(ref pattern, group) in &patterns {
        let hit = probes.variant(pattern, 0);
        probes.add(groups[group][0], hit);
        hits.push(hit);
    }
    let listed = options.agents.iter();
    let listed: Vec<u32> = listed.map(|agent| probes.names.agent(agent)).collect();
    let chain = (options.has_chains && named.len() > 1).then(|| {
        let [first, second] = [named[0], named[1]].map(|agent| probes.names.agent_name(agent));
        let chain = format!("{second},{first}");
        probes.names.agent(&chain)
    });
    let all_agents: Vec<u32> = chain
        .into_iter()
        .chain(named)
        .chain([unnamed])
        .chain(listed)
        .collect();
    for path in ["/", "/robots.txt", UNNAMED_PATH] {
        let url = probes.url(|url| url.push_str(path));
        for &agent in &all_agents {
            probes.add(agent, url);
        }
    }
    for number in 1..N_VARIANTS {
        for &(ref pattern, group) in &patterns {
            let url = probes.variant(pattern, number);
            let agents = &groups[group];
            probes.add(agents[number % agents.len()], url);
        }
    }
    for &agent in &all_agents {
        for &hit in &hits {
            if probes.is_full() {
                return probes.finish();
            }
            probes.add(agent, hit);
        }
    }
    probes.finish()
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

/// A pattern of the file.
struct ProbedPattern<'b> {
    text: Cow<'b, str>,
    /// The length without the `$` at the end.
    open_length: usize,
    has_star: bool,
    /// A path: the pattern without its special characters, and with a slash in front.
    plain: Cow<'b, str>,
}

impl<'b> ProbedPattern<'b> {
    fn new(text: Cow<'b, str>) -> ProbedPattern<'b> {
        let open = text.strip_suffix('$').unwrap_or(&text);
        let open_length = open.len();
        let has_star = open.contains('*');
        let plain = match &text {
            Cow::Borrowed(whole) if !has_star && whole.starts_with('/') => {
                Cow::Borrowed(&whole[..open_length])
            }
            _ => {
                let mut plain = String::with_capacity(open_length + 1);
                push_filled(open, "", &mut plain);
                Cow::Owned(plain)
            }
        };
        ProbedPattern {
            text,
            open_length,
            has_star,
            plain,
        }
    }
}

const N_VARIANTS: usize = 14;

/// Appends a path for a pattern; returns false where the variant does not apply to it.
///
/// 0 matches the pattern, with text for each `*`; the others are at its edges.
fn push_variant(pattern: &ProbedPattern<'_>, number: usize, out: &mut String) -> bool {
    let ProbedPattern { text, plain, .. } = pattern;
    let open = &text[..pattern.open_length];
    let is_anchored = pattern.open_length < text.len();
    match number {
        0 => push_filled(open, "x", out),
        // Behind the end of the pattern: matched unless it is anchored or ends at a word's end.
        1 => {
            out.push_str(plain);
            out.push('x');
        }
        // One character short of it.
        2 if plain.len() > 1 => {
            let mut chars = plain.chars();
            chars.next_back();
            out.push_str(chars.as_str());
        }
        // With and without the slash at the end.
        3 => match plain.strip_suffix('/') {
            Some("") => return false,
            Some(path) => out.push_str(path),
            None => {
                out.push_str(plain);
                out.push('/');
            }
        },
        4 if pattern.has_star => out.push_str(plain),
        5 if pattern.has_star => push_filled(open, "/", out),
        // The special characters as bytes of the path.
        6 if pattern.has_star || is_anchored => push_with_slash(text, out),
        7 => return push_with_last_letter_escaped(plain, out),
        8 => return push_unescaped(plain, out),
        9 => return push_with_other_case(plain, out),
        10 => {
            push_filled(open, "x", out);
            out.push_str("?x=1");
        }
        11 => return push_with_other_case_of_escapes(plain, out),
        // The directory of an index page.
        12 => {
            let Some(slash) = plain.rfind('/') else {
                return false;
            };
            out.push_str(&plain[..=slash]);
            return plain[slash..].starts_with("/index");
        }
        13 if pattern.has_star => push_filled(open, "x/y?z", out),
        _ => return false,
    }
    true
}

/// Appends a path with a text for each `*`.
fn push_filled(open: &str, text: &str, out: &mut String) {
    let start = out.len();
    for (number, piece) in open.split('*').enumerate() {
        if number > 0 {
            out.push_str(text);
        }
        out.push_str(piece);
    }
    if !out[start..].starts_with('/') {
        out.insert(start, '/');
    }
}

fn push_with_slash(path: &str, out: &mut String) {
    if !path.starts_with('/') {
        out.push('/');
    }
    out.push_str(path);
}

/// Appends a path with its last letter as a percent escape.
fn push_with_last_letter_escaped(path: &str, out: &mut String) -> bool {
    let bytes = path.as_bytes();
    let is_escape = |at: Option<usize>| at.is_some_and(|at| bytes[at] == b'%');
    let is_free = |at: usize| !is_escape(at.checked_sub(1)) && !is_escape(at.checked_sub(2));
    let is_letter = |&at: &usize| bytes[at].is_ascii_alphabetic() && is_free(at);
    let Some(at) = (0..bytes.len()).rev().find(is_letter) else {
        return false;
    };
    out.push_str(&path[..at]);
    push_escape(bytes[at], out);
    out.push_str(&path[at + 1..]);
    true
}

/// Appends a path with the escapes of printable ASCII decoded; returns false where there are none.
fn push_unescaped(path: &str, out: &mut String) -> bool {
    let start = out.len();
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let value = (rest.get(at + 1..at + 3)).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push_str(&rest[..at]);
        match value.filter(u8::is_ascii_graphic) {
            Some(byte) => {
                out.push(char::from(byte));
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out[start..] != *path
}

/// Appends a text with its letters in the other case; returns false where it has none.
fn push_with_other_case(text: &str, out: &mut String) -> bool {
    let other = |c: char| match c.is_ascii_lowercase() {
        true => c.to_ascii_uppercase(),
        false => c.to_ascii_lowercase(),
    };
    out.extend(text.chars().map(other));
    text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Appends a path with the letters of its escapes in the other case; returns false where there are
/// none.
fn push_with_other_case_of_escapes(path: &str, out: &mut String) -> bool {
    let start = out.len();
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let Some(hex) = rest.get(at + 1..at + 3) else {
            break;
        };
        out.push_str(&rest[..=at]);
        push_with_other_case(hex, out);
        rest = &rest[at + 3..];
    }
    out.push_str(rest);
    out[start..] != *path
}

fn push_escape(byte: u8, out: &mut String) {
    let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
    out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
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
struct Probes {
    max: usize,
    names: QueriesBuilder,
    pairs: Vec<(u32, u32)>,
    seen: HashSet<(u32, u32), RandomState>,
    /// The bytes of the URLs of all queries.
    n_bytes: usize,
    /// A URL while it is written.
    url: String,
}

/// A URL that may be asked about: its index and its length.
type ProbedUrl = (u32, usize);

impl Probes {
    fn new(max: usize) -> Probes {
        Probes {
            max,
            names: QueriesBuilder::default(),
            pairs: Vec::with_capacity(max.min(USUAL_MAX)),
            seen: HashSet::with_capacity_and_hasher(max.min(USUAL_MAX), RandomState::default()),
            n_bytes: 0,
            url: String::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.pairs.len() >= self.max || self.n_bytes >= MAX_BYTES
    }

    /// Returns the URL whose path `write` appends; `None` where that would be too much.
    fn url(&mut self, write: impl FnOnce(&mut String)) -> Option<ProbedUrl> {
        self.try_url(|url| {
            write(url);
            true
        })
    }

    /// Returns the URL of a variant of a pattern, where it has one.
    fn variant(&mut self, pattern: &ProbedPattern<'_>, number: usize) -> Option<ProbedUrl> {
        self.try_url(|url| push_variant(pattern, number, url))
    }

    fn try_url(&mut self, write: impl FnOnce(&mut String) -> bool) -> Option<ProbedUrl> {
        if self.is_full() {
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
        Some((self.names.url(url), url.len()))
    }

    fn add(&mut self, agent: u32, url: Option<ProbedUrl>) {
        let Some((url, length)) = url else {
            return;
        };
        if !self.is_full() && self.seen.insert((agent, url)) {
            self.pairs.push((agent, url));
            self.n_bytes += length;
        }
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
        match must_go(c) {
            true => {
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                bytes.for_each(|byte| push_escape(byte, &mut escaped));
            }
            false => escaped.push(c),
        }
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Dialect,
        robots::{RobotsTxt, parse},
    };

    fn queries(body: &[u8], dialects: &[&Dialect], max: usize) -> Queries {
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
