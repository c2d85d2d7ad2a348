//! Enters: the bytes of a file. Leaves: what Google's robots.cc makes of them, in the plainest way.
//!
//! Only the tests of this room use it: it is written from the specification, slowly and apart from
//! the parser of the crate, so that a template cannot state one thing and write another.

use crate::sample::body::PARSING_LIMIT;
use crate::sample::truth::{AGENTS, BodyCounts};

/// Returns the counts of lines, the agents that are named, and those for which `/` is disallowed.
pub(super) fn read(body: &[u8]) -> (BodyCounts, Vec<&'static str>, Vec<&'static str>) {
    let body = &body[..body.len().min(PARSING_LIMIT)];
    let mark = b"\xEF\xBB\xBF";
    let skipped = (0..3)
        .take_while(|&n| body.get(n) == Some(&mark[n]))
        .count();
    let mut counts = BodyCounts::default();
    let mut named = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut has_rule = true;
    for line in lines(&body[skipped..]) {
        let line = &line[..line.len().min(16_663)];
        let line = line.split(|&byte| byte == 0).next().unwrap();
        if trim(line).first() == Some(&b'#') {
            counts.comment_lines += 1;
        }
        let Some((key, value)) = directive(trim(line.split(|&byte| byte == b'#').next().unwrap()))
        else {
            continue;
        };
        let begins = |names: &[&str]| names.iter().any(|name| key.starts_with(name.as_bytes()));
        if begins(&["user-agent", "useragent", "user agent"]) {
            counts.agent_lines += 1;
            if has_rule {
                groups.push(Group::default());
                has_rule = false;
            }
            groups.last_mut().unwrap().agents.push(value.to_vec());
            let token = value.split(|&byte| byte == b'/').next().unwrap();
            named.extend(
                AGENTS
                    .iter()
                    .filter(|agent| agent.as_bytes().eq_ignore_ascii_case(token)),
            );
        } else if begins(&[
            "allow",
            "disallow",
            "dissallow",
            "dissalow",
            "disalow",
            "diasllow",
            "disallaw",
        ]) {
            let is_allow = begins(&["allow"]);
            *(if is_allow {
                &mut counts.allow
            } else {
                &mut counts.disallow
            }) += 1;
            match groups.last_mut() {
                Some(group) => group.rules.push((is_allow, root_priority(value, is_allow))),
                None => counts.rules_before_group += 1,
            }
            has_rule |= !groups.is_empty();
        } else if begins(&["sitemap", "site-map"]) {
            counts.sitemaps += 1;
        } else {
            counts.other_directives += 1;
        }
    }
    counts.groups = groups.len() as u64;
    named.sort_unstable();
    named.dedup();
    let is_closed = |agent: &&&str| {
        let names = |value: &Vec<u8>| {
            let is_token = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
            let cut = value
                .iter()
                .position(|byte| !is_token(byte))
                .unwrap_or(value.len());
            value[..cut].eq_ignore_ascii_case(agent.as_bytes())
        };
        let is_global = |value: &Vec<u8>| {
            value == b"*" || value.starts_with(b"*") && value[1].is_ascii_whitespace()
        };
        let has_own = groups.iter().any(|group| group.agents.iter().any(names));
        let mut best = [0, 0];
        for Group { agents, rules } in &groups {
            if agents.iter().any(names) || !has_own && agents.iter().any(is_global) {
                for &(is_allow, priority) in rules {
                    let slot = &mut best[usize::from(is_allow)];
                    *slot = priority.max(*slot);
                }
            }
        }
        best[0] > best[1]
    };
    let mut closed: Vec<_> = AGENTS.iter().filter(is_closed).copied().collect();
    closed.sort_unstable();
    (counts, named, closed)
}

#[derive(Default)]
struct Group {
    agents: Vec<Vec<u8>>,
    /// Whether a rule allows, and the priority with which it matches `/`.
    rules: Vec<(bool, usize)>,
}

/// LF, CR and CR LF end a line.
fn lines(mut text: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    while let Some(end) = text.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        lines.push(&text[..end]);
        text = &text[end
            + if text[end..].starts_with(b"\r\n") {
                2
            } else {
                1
            }..];
    }
    lines.push(text);
    lines
}

/// Returns the key in lower case and the value.
fn directive(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let separator = match line.iter().position(|&byte| byte == b':') {
        Some(colon) => colon,
        None => {
            let blank = line.iter().position(is_blank)?;
            if trim(&line[blank..]).iter().any(is_blank) {
                return None;
            }
            blank
        }
    };
    let key = trim(&line[..separator]).to_ascii_lowercase();
    (!key.is_empty()).then_some((key, trim(&line[separator + 1..])))
}

fn trim(mut text: &[u8]) -> &[u8] {
    let is_white = |byte: &u8| matches!(byte, b' ' | 9..=13);
    while let Some((_, rest)) = text.split_first().filter(|(first, _)| is_white(first)) {
        text = rest;
    }
    while let Some((_, rest)) = text.split_last().filter(|(last, _)| is_white(last)) {
        text = rest;
    }
    text
}

/// Returns the priority with which the pattern matches `/`, and 0 where it does not.
fn root_priority(pattern: &[u8], is_allow: bool) -> usize {
    let escaped: usize = pattern
        .iter()
        .map(|byte| if *byte < 128 { 1 } else { 3 })
        .sum();
    if matches(pattern, b"/") {
        return escaped;
    }
    let slash = pattern.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    if is_allow && pattern[slash..].starts_with(b"/index.htm") {
        let folder = [&pattern[..=slash], b"$"].concat();
        return if matches(&folder, b"/") {
            folder.len()
        } else {
            0
        };
    }
    0
}

fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) => true,
        ([b'$'], _) => path.is_empty(),
        ([b'*', rest @ ..], _) => (0..=path.len()).any(|skip| matches(rest, &path[skip..])),
        ([one, rest @ ..], [other, path @ ..]) => one == other && matches(rest, path),
        _ => false,
    }
}
