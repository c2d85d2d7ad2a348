//! Google's parser and matcher by their documentation, line by line and without a model of groups.
//!
//! Between lines only the best rule of each of four kinds is remembered, so this shares no idea
//! with the library.

use super::{Octet, escape, matches, octets};

/// The most bytes of a line that count.
const LINE_LIMIT: usize = 2083 * 8 - 1;
/// The most bytes of a file that count.
const FILE_LIMIT: usize = 500 * 1024;

/// What a line is, by the beginning of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    Other,
}

const USER_AGENT: [&str; 3] = ["user-agent", "useragent", "user agent"];
const DISALLOW: [&str; 6] = [
    "disallow",
    "dissallow",
    "dissalow",
    "disalow",
    "diasllow",
    "disallaw",
];
const SITEMAP: [&str; 2] = ["sitemap", "site-map"];

/// Returns true where the URL is disallowed, and the line that decided, 0 for none.
pub fn decide(body: &[u8], agent: &[u8], url: &[u8]) -> (bool, u32) {
    let path = path(url);
    let (mut is_named, mut is_global, mut is_list_closed, mut was_named) =
        (false, false, false, false);
    // Priority and line of the best rule of each kind so far: first those of groups that name the
    // crawler, then those of groups for `*`; of each the allow, then the disallow.
    let mut best: [[Option<(usize, u32)>; 2]; 2] = [[None; 2]; 2];
    for (number, line) in (1..).zip(lines(body)) {
        let Some((kind, value)) = directive(line) else {
            continue;
        };
        if kind == LineKind::UserAgent {
            if is_list_closed {
                (is_named, is_global, is_list_closed) = (false, false, false);
            }
            match value {
                [b'*'] => is_global = true,
                [b'*', blank, ..] if is_blank(*blank) => is_global = true,
                _ => {
                    let is_token = |b: &&u8| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_');
                    let n = value.iter().take_while(is_token).count();
                    if value[..n].eq_ignore_ascii_case(agent) {
                        (is_named, was_named) = (true, true);
                    }
                }
            }
            continue;
        }
        let is_allow = kind == LineKind::Allow;
        if !(is_allow || kind == LineKind::Disallow) || !(is_named || is_global) {
            continue;
        }
        is_list_closed = true;
        let slot = &mut best[usize::from(!is_named)][usize::from(!is_allow)];
        if let Some(priority) = priority(&escaped(value), &path, is_allow)
            && slot.is_none_or(|(before, _)| priority > before)
        {
            *slot = Some((priority, number));
        }
    }
    let [allow, disallow] = best[usize::from(!was_named)];
    let is_disallow = disallow.map(|rule| rule.0) > allow.map(|rule| rule.0);
    let decides = if is_disallow { disallow } else { allow };
    let (priority, line) = decides.unwrap_or_default();
    (is_disallow && priority > 0, line)
}

/// Returns the priority of a rule for a path, if it matches; an allow of an index page does for the
/// path of its folder too.
pub fn priority(pattern: &[u8], path: &[u8], is_allow: bool) -> Option<usize> {
    if matches(pattern, path) {
        return Some(pattern.len());
    }
    let slash = pattern.iter().rposition(|&byte| byte == b'/')?;
    if !is_allow || !pattern[slash..].starts_with(b"/index.htm") {
        return None;
    }
    let folder = [&pattern[..=slash], b"$"].concat();
    matches(&folder, path).then_some(folder.len())
}

fn escaped(value: &[u8]) -> Vec<u8> {
    let octets = octets(value).into_iter();
    let written = octets.flat_map(|octet| match octet {
        Octet::Bare(byte) if byte < 0x80 => vec![byte],
        Octet::Bare(byte) | Octet::Escaped(byte) => escape(byte),
    });
    written.collect()
}

/// Returns the lines within the byte limit, without their ends and the byte order mark.
pub fn lines(body: &[u8]) -> Vec<&[u8]> {
    let mark = b"\xef\xbb\xbf".iter().zip(body);
    let mark = mark.take_while(|(mark, byte)| mark == byte).count();
    let mut rest = &body[mark..body.len().min(FILE_LIMIT).max(mark)];
    let mut lines = Vec::new();
    while let Some(end) = rest.iter().position(|b| matches!(b, b'\r' | b'\n')) {
        lines.push(&rest[..end]);
        let is_pair = rest[end..].starts_with(b"\r\n");
        rest = &rest[end + if is_pair { 2 } else { 1 }..];
    }
    lines.push(rest);
    lines
}

/// Returns what a line is and its value, or `None` where it has no key.
pub fn directive(line: &[u8]) -> Option<(LineKind, &[u8])> {
    let line = &line[..line.len().min(LINE_LIMIT)];
    let text = line.split(|&b| b == 0).next()?;
    let text = trim(text.split(|&b| b == b'#').next()?);
    let is_gap = |b: &u8| matches!(b, b' ' | b'\t');
    let separator = match text.iter().position(|&b| b == b':') {
        Some(colon) => colon,
        None => {
            let gap = text.iter().position(is_gap)?;
            let second = text[gap..].iter().position(|b| !is_gap(b))?;
            if text[gap + second..].iter().any(is_gap) {
                return None;
            }
            gap
        }
    };
    let key = trim(&text[..separator]);
    let begins = |name: &&str| {
        key.len() >= name.len() && key[..name.len()].eq_ignore_ascii_case(name.as_bytes())
    };
    let kind = match key {
        [] => return None,
        _ if USER_AGENT.iter().any(begins) => LineKind::UserAgent,
        _ if begins(&"allow") => LineKind::Allow,
        _ if DISALLOW.iter().any(begins) => LineKind::Disallow,
        _ if SITEMAP.iter().any(begins) => LineKind::Sitemap,
        _ => LineKind::Other,
    };
    Some((kind, trim(&text[separator + 1..])))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&b| !is_blank(b));
    let end = text.iter().rposition(|&b| !is_blank(b));
    match (start, end) {
        (Some(start), Some(end)) => &text[start..=end],
        _ => b"",
    }
}

fn path(url: &[u8]) -> Vec<u8> {
    let find = |from: usize, what: &[u8]| {
        let rest = &url[from..];
        (0..rest.len())
            .find(|&at| rest[at..].starts_with(what))
            .map(|at| from + at)
    };
    let any = |from: usize| {
        let found = [&b"/"[..], b"?", b";"].map(|byte| find(from, byte));
        found.into_iter().flatten().min()
    };
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let behind_scheme = match (any(start), find(start, b"://")) {
        (Some(early), Some(scheme)) if early < scheme => start,
        (_, Some(scheme)) => scheme + 3,
        (_, None) => start,
    };
    let hash = find(start, b"#");
    let Some(begin) = any(behind_scheme).filter(|&at| hash.is_none_or(|hash| hash > at)) else {
        return b"/".to_vec();
    };
    let part = &url[begin..hash.unwrap_or(url.len())];
    let part = part.split(|&b| b == 0).next().unwrap_or_default();
    let slash: &[u8] = if part.starts_with(b"/") { b"" } else { b"/" };
    [slash, part].concat()
}
