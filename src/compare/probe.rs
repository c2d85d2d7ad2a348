//! Queries derived from a file's own lines: agents that it names, and URLs at the edges of its
//! patterns.
//!
//! Parsers differ where a pattern begins or ceases to match, so each pattern is asked with a URL
//! that it matches, one that it just does not, and the forms in which the same URL can be written.
//! The order is fixed and goes by rounds: every pattern is asked once before any is asked twice,
//! and every agent is asked for `/` before other agents are asked for more.

use std::{borrow::Cow, collections::HashSet};

use super::external::Query;
use crate::{Dialect, Robots};

/// The origin of all derived URLs; a robots.txt is asked about its own host, so any will do.
pub const ORIGIN: &str = "https://example.com";
/// An agent that no file names.
pub const UNNAMED_AGENT: &str = "UnnamedCrawler";
/// A path that no file names.
const UNNAMED_PATH: &str = "/unnamed-path-1f4c";

/// A pattern of the file with the agents of its group.
struct PatternOfGroup {
    pattern: String,
    agents: Vec<String>,
}

/// Returns at most `max` distinct queries for a file.
///
/// Lines are read under each of `dialects`, since a line that one of them ignores may be a rule for
/// another; `agents` are asked besides those of the file.
pub fn derive(robots: &Robots, dialects: &[&Dialect], agents: &[String], max: usize) -> Vec<Query> {
    let mut named = Distinct::default();
    let mut patterns = Vec::new();
    let mut seen = HashSet::new();
    for dialect in dialects {
        for group in robots.groups(dialect) {
            let mut of_group = Distinct::default();
            for line in group.agents() {
                if line.is_wildcard {
                    of_group.add(UNNAMED_AGENT.to_owned());
                    continue;
                }
                for agent in spellings(line.value, line.token) {
                    of_group.add(agent.clone());
                    named.add(agent);
                }
            }
            for rule in group.rules() {
                if !rule.value.is_empty() && seen.insert((group.line_first(), rule.value)) {
                    patterns.push(PatternOfGroup {
                        pattern: as_text(rule.value),
                        agents: of_group.items.clone(),
                    });
                }
            }
        }
    }
    let mut queries = Queries::new(max);
    for pattern in &patterns {
        if let (Some(agent), Some(path)) = (pattern.agents.first(), variant(&pattern.pattern, 0)) {
            queries.add(agent, &path);
        }
    }
    let unnamed = [UNNAMED_AGENT.to_owned()];
    let all_agents = || named.items.iter().chain(&unnamed).chain(agents);
    for path in ["/", "/robots.txt", UNNAMED_PATH] {
        for agent in all_agents() {
            queries.add(agent, path);
        }
    }
    for number in 1..N_VARIANTS {
        for pattern in &patterns {
            let agents = &pattern.agents;
            if let (false, Some(path)) = (agents.is_empty(), variant(&pattern.pattern, number)) {
                queries.add(&agents[number % agents.len()], &path);
            }
        }
    }
    for agent in all_agents() {
        for pattern in &patterns {
            if queries.is_full() {
                return queries.items;
            }
            if let Some(path) = variant(&pattern.pattern, 0) {
                queries.add(agent, &path);
            }
        }
    }
    queries.items
}

/// Returns the ways in which a crawler that a user-agent line names may call itself: the value as
/// written, what stands before its version, and what the dialect compares.
fn spellings(value: &[u8], token: &[u8]) -> Vec<String> {
    let is_end = |byte: &u8| matches!(byte, b'/' | b' ' | b'\t' | b';' | b'(');
    let end = value.iter().position(is_end).unwrap_or(value.len());
    let mut spellings = Distinct::default();
    for text in [token, &value[..end], value] {
        if !text.is_empty() {
            spellings.add(as_text(text));
        }
    }
    spellings.items
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
    let is_free = |at: usize| !path[..at].ends_with('%') && !path[..at.max(1) - 1].ends_with('%');
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

#[derive(Default)]
struct Distinct {
    items: Vec<String>,
    seen: HashSet<String>,
}

impl Distinct {
    fn add(&mut self, item: String) {
        if self.seen.insert(item.clone()) {
            self.items.push(item);
        }
    }
}

struct Queries {
    max: usize,
    items: Vec<Query>,
    seen: HashSet<Query>,
}

impl Queries {
    fn new(max: usize) -> Queries {
        Queries {
            max,
            items: Vec::new(),
            seen: HashSet::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.items.len() >= self.max
    }

    fn add(&mut self, agent: &str, path: &str) {
        let path: Cow<'_, str> = if path.contains(|c: char| c.is_control() || c == ' ') {
            let escape = |c: char| match c {
                c if c.is_control() || c == ' ' => {
                    let mut bytes = [0; 4];
                    let bytes = c.encode_utf8(&mut bytes).bytes();
                    bytes.map(|byte| format!("%{byte:02X}")).collect()
                }
                c => c.to_string(),
            };
            path.chars().map(escape).collect::<String>().into()
        } else {
            path.into()
        };
        let query = Query {
            agent: agent.to_owned(),
            url: format!("{ORIGIN}{path}"),
        };
        if !self.is_full() && self.seen.insert(query.clone()) {
            self.items.push(query);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derived(body: &str, max: usize) -> Vec<(String, String)> {
        let robots = Robots::parse(body);
        let queries = derive(&robots, &[&Dialect::GOOGLE], &["GPTBot".to_owned()], max);
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
        let robots = Robots::parse(&b"User-agent: \xFFa\nDisallow: /\xFF\x01 \xE4\xBD\xA0\n"[..]);
        let queries = derive(&robots, &[&Dialect::GOOGLE, &Dialect::PYTHON], &[], 256);
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
}
