//! Reduction: the smallest robots.txt, agent and URL that still show what a large one shows.
//!
//! Delta debugging (Zeller and Hildebrandt, 2002): parts are removed while a test still holds, large
//! ones first, until no single one can go. Groups are removed first, then lines, then bytes of
//! lines, of the agent and of the URL's path; then all again, since one removal makes others
//! possible. The result is 1-minimal: no line and no byte can be removed from it alone, unless the
//! limit of steps ended the search.

/// A robots.txt, an agent and a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The body of the robots.txt.
    pub body: Vec<u8>,
    /// The crawler's product token.
    pub agent: Vec<u8>,
    /// An absolute URL, or a path.
    pub url: Vec<u8>,
}

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smallest example found.
    pub example: Example,
    /// The tests that were made.
    pub steps: usize,
    /// Whether no single line or byte can be removed from it.
    pub is_minimal: bool,
}

/// Reduces an example while `holds` is true of it; `holds` must be true of the example itself.
///
/// At most `max_steps` tests are made.
pub fn reduce(
    example: Example,
    max_steps: usize,
    mut holds: impl FnMut(&Example) -> bool,
) -> Reduced {
    let mut search = Search {
        best: example,
        steps: 0,
        max_steps,
        holds: &mut holds,
    };
    loop {
        let before = search.best.clone();
        search.groups();
        search.lines();
        search.bytes_of_lines();
        search.agent();
        search.url();
        if search.best == before || search.is_over() {
            break;
        }
    }
    Reduced {
        is_minimal: !search.is_over(),
        example: search.best,
        steps: search.steps,
    }
}

struct Search<'h> {
    best: Example,
    steps: usize,
    max_steps: usize,
    holds: &'h mut dyn FnMut(&Example) -> bool,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.steps >= self.max_steps
    }

    /// Takes a smaller example if the test holds.
    fn take(&mut self, example: Example) -> bool {
        if self.is_over() {
            return false;
        }
        self.steps += 1;
        let holds = (self.holds)(&example);
        if holds {
            self.best = example;
        }
        holds
    }

    fn groups(&mut self) {
        let groups = split_groups(&self.best.body);
        self.minimize(groups, |best, groups| Example {
            body: groups.concat(),
            ..best.clone()
        });
    }

    fn lines(&mut self) {
        let lines = split_lines(&self.best.body);
        self.minimize(lines, |best, lines| Example {
            body: lines.concat(),
            ..best.clone()
        });
    }

    fn bytes_of_lines(&mut self) {
        let mut at = 0;
        while at < split_lines(&self.best.body).len() {
            let lines = split_lines(&self.best.body);
            let line = lines[at].clone();
            self.minimize(line, |best, line| {
                let mut lines = lines.clone();
                lines[at] = line.to_vec();
                Example {
                    body: lines.concat(),
                    ..best.clone()
                }
            });
            at += 1;
        }
    }

    fn agent(&mut self) {
        let agent = self.best.agent.clone();
        self.minimize(agent, |best, agent| Example {
            agent: agent.to_vec(),
            ..best.clone()
        });
    }

    /// Reduces the path and the query of the URL; the first slash stays, since a path begins with
    /// it.
    fn url(&mut self) {
        let start = path_start(&self.best.url);
        let (origin, path) = self.best.url.split_at(start);
        let (origin, path) = (origin.to_vec(), path.to_vec());
        self.minimize(path, |best, path| Example {
            url: [&origin, path].concat(),
            ..best.clone()
        });
    }

    /// Removes parts of `parts` while the example that `build` makes of the rest holds: halves,
    /// quarters, and so on down to single parts, until none of these can be removed.
    fn minimize<T: Clone>(&mut self, parts: Vec<T>, build: impl Fn(&Example, &[T]) -> Example) {
        let mut parts = parts;
        let mut size = parts.len().div_ceil(2);
        while size > 0 && !self.is_over() {
            let mut is_smaller = false;
            let mut start = 0;
            while start < parts.len() {
                let end = (start + size).min(parts.len());
                let mut rest = parts[..start].to_vec();
                rest.extend_from_slice(&parts[end..]);
                let example = build(&self.best, &rest);
                if self.take(example) {
                    parts = rest;
                    is_smaller = true;
                } else {
                    start = end;
                }
            }
            if size == 1 && !is_smaller {
                return;
            }
            size = if size == 1 { 1 } else { size / 2 };
        }
    }
}

/// Splits a body in front of each user-agent line that follows another line.
fn split_groups(body: &[u8]) -> Vec<Vec<u8>> {
    let is_agent_line = |line: &[u8]| {
        let line = line.trim_ascii_start();
        line.len() >= 4 && line[..4].eq_ignore_ascii_case(b"user")
    };
    let mut groups: Vec<Vec<u8>> = Vec::new();
    let mut was_agent_line = false;
    for line in split_lines(body) {
        let is_agent = is_agent_line(&line);
        match groups.last_mut() {
            Some(group) if !is_agent || was_agent_line => group.extend_from_slice(&line),
            _ => groups.push(line),
        }
        was_agent_line = is_agent;
    }
    groups
}

/// Splits a body behind each CR, LF or CR LF.
fn split_lines(body: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, &byte) in body.iter().enumerate() {
        let is_end = byte == b'\n' || byte == b'\r' && body.get(at + 1) != Some(&b'\n');
        if is_end {
            lines.push(body[start..=at].to_vec());
            start = at + 1;
        }
    }
    if start < body.len() {
        lines.push(body[start..].to_vec());
    }
    lines
}

/// Returns where the path of a URL begins, behind its slash; 0 where the URL is only a path.
fn path_start(url: &[u8]) -> usize {
    let scheme_end = url.windows(3).position(|window| window == b"://");
    let host = scheme_end.map_or(0, |at| at + 3);
    let slash = url[host..].iter().position(|&byte| byte == b'/');
    slash.map_or(url.len(), |at| host + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(body: &str, agent: &str, url: &str) -> Example {
        Example {
            body: body.as_bytes().to_vec(),
            agent: agent.as_bytes().to_vec(),
            url: url.as_bytes().to_vec(),
        }
    }

    fn has(bytes: &[u8], part: &str) -> bool {
        bytes
            .windows(part.len())
            .any(|window| window == part.as_bytes())
    }

    #[test]
    fn what_does_not_matter_is_removed() {
        let body = "# c\nUser-agent: a\nDisallow: /x\n\nUser-agent: b\nUser-agent: c\nAllow: /abc\nDisallow: /\n";
        let large = example(body, "agent", "https://example.com/some/abc?q");
        let reduced = reduce(large, 10_000, |example| {
            has(&example.body, "b\n") && has(&example.body, "Allow: /a") && has(&example.url, "abc")
        });
        assert!(reduced.is_minimal);
        assert_eq!(reduced.example.body, b"b\nAllow: /a");
        assert_eq!(reduced.example.agent, b"");
        assert_eq!(reduced.example.url, b"https://example.com/abc");
    }

    #[test]
    fn nothing_can_be_removed_from_the_result() {
        // Two bytes that can only go together: 1-minimal results keep them.
        let even = |example: &Example| {
            let n = example.body.iter().filter(|&&byte| byte == b'x').count();
            n % 2 == 0 && n > 0
        };
        let reduced = reduce(example("xx\nxx\nyyy\n", "a", "/"), 10_000, even);
        assert!(reduced.is_minimal);
        for at in 0..reduced.example.body.len() {
            let mut smaller = reduced.example.clone();
            smaller.body.remove(at);
            assert!(!even(&smaller));
        }
    }

    #[test]
    fn the_search_ends_at_its_limit() {
        let body = "Disallow: /\n".repeat(1000);
        let reduced = reduce(example(&body, "a", "/"), 50, |example| {
            !example.body.is_empty()
        });
        assert_eq!(reduced.steps, 50);
        assert!(!reduced.is_minimal);
    }

    #[test]
    fn bodies_are_split_without_loss() {
        for body in [
            "a\r\nb\rc\n\nd",
            "User-agent: a\nUser-agent: b\nx\nuser-agent: c",
            "",
        ] {
            assert_eq!(split_lines(body.as_bytes()).concat(), body.as_bytes());
            assert_eq!(split_groups(body.as_bytes()).concat(), body.as_bytes());
        }
        assert_eq!(split_lines(b"a\r\nb\rc\n\nd").len(), 5);
        let groups = split_groups(b"# c\nUser-agent: a\nUser-agent: b\nx\nuser-agent: c");
        assert_eq!(groups.len(), 3);
    }
}
