//! Files as `files.txt` has them: line by line, each with the statement of what it means.
//!
//! - `= name weight` begins a template; words behind them are a description.
//! - A line of a robots.txt stands as it is written. It is a user-agent, allow, disallow or
//!   sitemap line if and only if it begins with exactly this key and `: `, and a comment if with
//!   `#`; blanks at its end are written by the program. `> Key: a b` are two lines with one value
//!   each.
//! - `@statement|line` states what another spelling means: `agent TOKEN`, `allow`, `disallow`,
//!   `sitemap`, `other` or `ignored`. What the pattern of a rule reaches is `all` paths (with the
//!   priority 1), the `root` alone (with the priority 2), `nothing`, or else a part.
//! - `@statement` alone changes the file: see [`set`].
//! - `?600` writes the lines up to `?else` or `?end` with a probability of 600 in a thousand, and
//!   those between `?else` and `?end` otherwise. `{a|b}` is one of the words, `{base}` the origin
//!   of the site, and `\xHH` a byte.

use crate::sample::{
    body::{BodyWriter, LineBreak, Statement},
    catalog::number,
    random::Random,
    reach::{Effect, Reach, reach},
};

/// What a template may use of its site.
pub(in crate::sample) struct SiteContext<'a> {
    /// Scheme, host and port of the site, such as `https://host.example`.
    pub(in crate::sample) base: &'a str,
    /// The source of what the template leaves to chance, the same at each visit to a site.
    pub(in crate::sample) random: Random,
}

/// Writes the lines of a template.
pub(super) fn write(text: &'static str, body: &mut BodyWriter, site: &mut SiteContext) {
    let mut is_on = true;
    for line in text.lines() {
        match line.strip_prefix('?') {
            Some("else") => is_on = !is_on,
            Some("end") => is_on = true,
            Some(chance) => is_on = site.random.per_mille(number(chance)),
            None if is_on => write_line(line, body, site),
            None => {}
        }
    }
}

fn write_line(line: &'static str, body: &mut BodyWriter, site: &mut SiteContext) {
    if let Some(list) = line.strip_prefix("> ") {
        let (key, values) = list.split_once(": ").expect("a list has a key");
        for value in values.split(' ') {
            write_plain(&format!("{key}: {value}"), body);
        }
    } else if let Some(stated) = line.strip_prefix('@') {
        match stated.split_once('|') {
            Some((words, text)) => body.line(statement(words), bytes(&filled(text, site))),
            None => set(stated, body),
        }
    } else {
        write_plain(&filled(line, site), body);
    }
}

/// Writes a line in the usual spelling.
fn write_plain(line: &str, body: &mut BodyWriter) {
    let field = line.split_once(':').map(|(key, value)| (key, value.trim()));
    let statement = match field {
        _ if line.is_empty() => Statement::Ignored,
        _ if line.starts_with('#') => Statement::Comment,
        Some(("User-agent", token)) => Statement::Agent(token),
        Some(("Allow", pattern)) => Statement::Rule(Effect::Allow, reach(pattern)),
        Some(("Disallow", pattern)) => Statement::Rule(Effect::Disallow, reach(pattern)),
        Some(("Sitemap", _)) => Statement::Sitemap,
        _ => Statement::Other,
    };
    let has_no_value = field.is_some_and(|(key, value)| value.is_empty() && !key.starts_with('#'));
    let blank: &[u8] = if has_no_value || line == "#" {
        b" "
    } else {
        b""
    };
    body.line(statement, [&bytes(line), blank].concat());
}

/// Returns what a line means, as words state it.
pub(super) fn statement(words: &str) -> Statement<'_> {
    let (kind, of) = words.split_once(' ').unwrap_or((words, ""));
    let reach = match of {
        "all" => Reach::All(1),
        "root" => Reach::Root(2),
        "nothing" => Reach::Nothing,
        _ => Reach::Part,
    };
    match kind {
        "agent" => Statement::Agent(of),
        "allow" => Statement::Rule(Effect::Allow, reach),
        "disallow" => Statement::Rule(Effect::Disallow, reach),
        "sitemap" => Statement::Sitemap,
        "other" => Statement::Other,
        "ignored" => Statement::Ignored,
        _ => unreachable!("{kind} is no statement"),
    }
}

/// Changes the file: begins it again (`clear`, `bom`), the ends of the lines that follow
/// (`ends cr`), how it is served (`page`, `serve TYPE`), or its encoding (`utf16 big`); or counts
/// the terms of use that the next line states, readable and unreadable ones (`signals 1 0`).
fn set(words: &'static str, body: &mut BodyWriter) {
    let words: Vec<&str> = words.split(' ').collect();
    match words[..] {
        ["clear"] => body.clear(LineBreak::Lf),
        ["bom"] => body.begin_with_bom(),
        ["ends", "crlf"] => body.line_break = LineBreak::CrLf,
        ["ends", "cr"] => body.line_break = LineBreak::Cr,
        ["ends", "lf"] => body.line_break = LineBreak::Lf,
        ["page"] => body.is_page(),
        ["serve", mime] => body.mime = mime,
        ["utf16", order] => body.encode_as_utf16(order == "big"),
        ["signals", readable, unreadable] => {
            body.signals.readable += number(readable) as u64;
            body.signals.unreadable += number(unreadable) as u64;
        }
        _ => unreachable!("{words:?} is no statement"),
    }
}

/// Returns a line with the origin of the site, or with one of some words.
fn filled(line: &str, site: &mut SiteContext) -> String {
    let parts = line.split_once('{').and_then(|(before, rest)| {
        let (inner, after) = rest.split_once('}')?;
        Some((before, inner, after))
    });
    let Some((before, inner, after)) = parts else {
        return line.to_owned();
    };
    let words: Vec<&str> = inner.split('|').collect();
    let word = if inner == "base" {
        site.base
    } else {
        site.random.pick(&words)
    };
    format!("{before}{word}{after}")
}

/// Returns the bytes of a line.
fn bytes(line: &str) -> Vec<u8> {
    let mut parts = line.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
