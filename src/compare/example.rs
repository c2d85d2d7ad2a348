//! A robots.txt with the one query that shows what parsers differ in.

use super::query::{FileQueries, Queries};

/// A robots.txt, an agent and a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The body of the robots.txt.
    pub body: Vec<u8>,
    /// The crawler's product token.
    pub agent: String,
    /// An absolute URL, or a path.
    pub url: String,
}

impl Example {
    /// Returns the body with the agent and the URL as the only query.
    pub fn to_ask(&self) -> FileQueries {
        FileQueries {
            body: self.body.as_slice().into(),
            queries: Queries::from_iter([(&*self.agent, &*self.url)]),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.body.len() + self.agent.len() + self.url.len()
    }
}

/// Returns true if and only if the key of a line may be that of a user agent.
pub(super) fn is_agent_line(line: &[u8]) -> bool {
    let key = line.trim_ascii_start();
    key.len() >= 4 && key[..4].eq_ignore_ascii_case(b"user")
}

/// Returns the bounds of the lines of a body, each with its line end.
pub(super) fn line_bounds(body: &[u8]) -> Vec<usize> {
    let mut bounds = vec![0];
    let mut at = 0;
    while at < body.len() {
        at += line_length(&body[at..]);
        bounds.push(at);
    }
    bounds
}

/// Returns the length of the first line with its end: CR, LF or CR LF.
pub(super) fn line_length(body: &[u8]) -> usize {
    match body.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        Some(at) if body[at..].starts_with(b"\r\n") => at + 2,
        Some(at) => at + 1,
        None => body.len(),
    }
}

/// Returns where the end of a line begins: CR, LF, CR LF or nothing.
pub(super) fn line_end(line: &[u8]) -> usize {
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    line.iter().position(is_end).unwrap_or(line.len())
}

/// Returns where that part of a URL begins that a rule can match, behind the first slash of the
/// path; in a path that is 1.
pub(super) fn path_start(url: &str) -> usize {
    let host = url.find("://").map_or(0, |at| at + 3);
    match url[host..].find(['/', '?', '#']) {
        Some(at) if url[host + at..].starts_with('/') => host + at + 1,
        Some(at) => host + at,
        None => url.len(),
    }
}
