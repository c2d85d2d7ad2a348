//! A robots.txt with the one query that shows what parsers differ in.

use std::iter;

use memchr::memchr;

use super::query::{FileQueries, Queries};

/// A robots.txt, an agent and a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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

    /// Returns the plainest files in which the path of the URL, which comes first, the value of a
    /// rule, or a line that names a user agent is read as in this one: a path and a value as the
    /// only rule, for all crawlers; a line where it decides for which crawlers a rule is, and where
    /// it ends a group.
    pub(super) fn isolated(&self) -> Vec<Example> {
        let (origin, path) = self.url.split_at(path_start(&self.url));
        let rule = |value: &[u8]| Example {
            body: [&b"User-agent:*\nDisallow:"[..], value].concat(),
            agent: "a".to_owned(),
            url: self.url.clone(),
        };
        let group = |before: &[u8], line: &[u8]| Example {
            body: [before, line, b"\nDisallow:/"].concat(),
            agent: self.agent.clone(),
            url: format!("{}/", origin.trim_end_matches('/')),
        };
        let mut rules = vec![rule(&[b"/", path.as_bytes()].concat())];
        let mut groups = Vec::new();
        for line in lines(&self.body) {
            let line = &line[..line_end(line)];
            if is_agent_line(line) {
                groups.push(group(b"", line));
                groups.push(group(b"User-agent:*\nAllow:/a\n", line));
            } else if let Some(colon) = memchr(b':', line) {
                rules.push(rule(&line[colon + 1..]));
            }
        }
        rules.extend(groups);
        rules
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
    let ends = lines(body).scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    iter::once(0).chain(ends).collect()
}

/// Returns the lines of a body with their ends: CR, LF or CR LF.
pub(super) fn lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = body;
    iter::from_fn(move || {
        let line = rest.split_off(..line_length(rest))?;
        (!line.is_empty()).then_some(line)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_the_url_are_isolated() {
        let example = Example {
            body: b"User-agent:Foo\r\nno line\nAllow: *{\n".to_vec(),
            agent: "Foo".to_owned(),
            url: "https://example.com/a{".to_owned(),
        };
        let isolated = example.isolated();
        let texts = isolated.iter().map(|Example { body, agent, url }| {
            format!("{agent} {url} {}", String::from_utf8_lossy(body))
        });
        assert_eq!(
            texts.collect::<Vec<_>>(),
            [
                "a https://example.com/a{ User-agent:*\nDisallow:/a{",
                "a https://example.com/a{ User-agent:*\nDisallow: *{",
                "Foo https://example.com/ User-agent:Foo\nDisallow:/",
                "Foo https://example.com/ User-agent:*\nAllow:/a\nUser-agent:Foo\nDisallow:/",
            ]
        );
        let url = "https://example.com".to_owned();
        let rootless = Example { url, ..example };
        assert_eq!(rootless.isolated()[3].url, "https://example.com/");
    }

    #[test]
    fn the_origin_of_a_url_stays() {
        for (url, rest) in [
            ("https://a.example/b?c", "b?c"),
            ("https://a.example?c", "?c"),
            ("https://a.example", ""),
            ("/b", "b"),
        ] {
            assert_eq!(&url[path_start(url)..], rest);
        }
    }
}
