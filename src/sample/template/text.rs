//! The lines of a file, each with the statement of what it means.
//!
//! - A line of a robots.txt stands as it is written. It is a user-agent, allow, disallow or
//!   sitemap line if and only if it begins with exactly this key and `: `, and a comment if with
//!   `#`; blanks at its end are written by the program. `> Key: a b` are two lines with one value
//!   each.
//! - `@statement|line` states what another spelling means: `agent TOKEN`, `allow`, `disallow`,
//!   `sitemap`, `other` or `ignored`. What the pattern of a rule reaches is `all` paths (with the
//!   priority 1), the `root` alone (with the priority 2), `nothing`, or else a part. In the line,
//!   `\xHH` is a byte.
//! - `@fill N|pattern` are disallow lines up to the parsing limit; `{n}` in the pattern is a number
//!   that counts up from N.
//! - `@statement` alone changes the file: see [`set`].

use std::borrow::Cow;

use memchr::memchr;

use crate::sample::{
    body::{BodyWriter, LineBreak, PARSING_LIMIT, Statement},
    catalog::number,
    reach::{Effect, Reach, reach},
};

/// Writes such lines.
pub(super) fn write(text: &str, body: &mut BodyWriter) {
    for line in text.lines() {
        if let Some(list) = line.strip_prefix("> ") {
            let (key, values) = list.split_once(": ").expect("a list has a key");
            for value in values.split(' ') {
                write_plain(&format!("{key}: {value}"), body);
            }
        } else if let Some(stated) = line.strip_prefix('@') {
            match stated.split_once('|') {
                Some((words, text)) => match words.strip_prefix("fill ") {
                    Some(first) => fill(number(first), text, body),
                    None => body.line(statement(words), bytes(text)),
                },
                None => set(stated, body),
            }
        } else {
            write_plain(line, body);
        }
    }
}

/// Fills the file up to the parsing limit, so that the next line begins right after it.
fn fill(mut number: usize, pattern: &str, body: &mut BodyWriter) {
    let (before, after) = pattern.split_once("{n}").expect("a pattern with a number");
    while body.bytes.len() + 200 < PARSING_LIMIT {
        number += 1;
        body.disallow(&format!("{before}{number}{after}"));
    }
    body.pad_to_parsing_limit();
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
fn statement(words: &str) -> Statement<'_> {
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
/// (`ends cr`), how it is served (`page`, `json`), or its encoding (`utf16 big`); or counts the
/// terms of use that the next line states, readable and unreadable ones (`signals 1 0`).
fn set(words: &str, body: &mut BodyWriter) {
    let words: Vec<&str> = words.split(' ').collect();
    match words[..] {
        ["clear"] => body.clear(LineBreak::Lf),
        ["bom"] => body.begin_with_bom(),
        ["ends", "crlf"] => body.line_break = LineBreak::CrLf,
        ["ends", "cr"] => body.line_break = LineBreak::Cr,
        ["ends", "lf"] => body.line_break = LineBreak::Lf,
        ["page"] => body.is_page(),
        ["json"] => body.mime = "application/json",
        ["utf16", order] => body.encode_as_utf16(order == "big"),
        ["signals", readable, unreadable] => {
            body.signals.readable += number(readable) as u64;
            body.signals.unreadable += number(unreadable) as u64;
        }
        _ => unreachable!("{words:?} is no statement"),
    }
}

/// Returns the bytes of a line.
fn bytes(line: &str) -> Cow<'_, [u8]> {
    if memchr(b'\\', line.as_bytes()).is_none() {
        return line.as_bytes().into();
    }
    let mut parts = line.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes.into()
}
