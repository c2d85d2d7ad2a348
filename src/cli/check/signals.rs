//! What a file states to a crawler about use and license, beside what it may fetch.

use std::collections::BTreeMap;

use bstr::ByteSlice;
use robocensus::{
    Robots, Verdict,
    robots::{
        dialect::{Dialect, OtherRecord, RuleSet},
        signal::{self, Statement, Vocabulary},
    },
};
use serde::Serialize;

/// What one line states to the crawler; the keys of JSON are sorted.
#[derive(Serialize)]
pub struct SignalLine {
    /// The line.
    line: u32,
    /// Why it is about this crawler and URL.
    reason: &'static str,
    /// What it states, such as `ai-train=no, search=yes`.
    text: String,
    /// The vocabulary.
    vocabulary: &'static str,
}

/// Returns the lines of a file that state something to a crawler about a URL.
///
/// `groups` are the groups that apply to the crawler. A line counts that is in one of them, or in
/// none; License and LLM-Policy are about the whole file (RSL 1.0). Of the lines of Content-Usage
/// those with the longest matching path count, and none where the URL may not be fetched
/// (draft-ietf-aipref-attach-05, as far as the working group's sources of August 2026 have it).
pub fn signals(
    dialect: &Dialect,
    body: &[u8],
    rules: &RuleSet,
    groups: &[u32],
    url: &str,
    verdict: Verdict,
) -> Vec<SignalLine> {
    let mut longest: BTreeMap<u32, usize> = BTreeMap::new();
    let mut lines = Vec::new();
    for record in rules.records() {
        let Some(vocabulary) = Vocabulary::of(record.field) else {
            continue;
        };
        let Some(reason) = reason(vocabulary, record, groups) else {
            continue;
        };
        let statements = signal::read(vocabulary, record.value.of(body));
        let Some(path) = statements.first().map(|statement| statement.path) else {
            continue;
        };
        let is_about = path.is_none_or(|path| matches(dialect, path, url));
        let is_usage = vocabulary == Vocabulary::ContentUsage;
        if !is_about || is_usage && verdict == Verdict::Disallow {
            continue;
        }
        if is_usage {
            longest.insert(record.line, path.map_or(0, <[u8]>::len));
        }
        lines.push(SignalLine {
            line: record.line,
            vocabulary: vocabulary.as_str(),
            text: described(&statements),
            reason,
        });
    }
    let most = longest.values().max().copied();
    lines.retain(|line| longest.get(&line.line).is_none_or(|&n| Some(n) == most));
    lines
}

/// Returns why a line is about the crawler; `None` if it is not.
fn reason(vocabulary: Vocabulary, record: &OtherRecord, groups: &[u32]) -> Option<&'static str> {
    match record.group_index {
        _ if matches!(vocabulary, Vocabulary::License | Vocabulary::LlmPolicy) => {
            Some("for the whole file")
        }
        None => Some("in no group"),
        Some(group) => groups
            .contains(&group)
            .then_some("in the group that applies"),
    }
}

/// Returns whether a pattern matches a URL, as it would in a rule of the dialect.
fn matches(dialect: &Dialect, pattern: &[u8], url: &str) -> bool {
    // An empty path is about everything, where an empty rule is about nothing.
    if pattern.is_empty() {
        return true;
    }
    let file = [b"User-agent: *\nDisallow: ", pattern, b"\n"].concat();
    Robots::parse(file).decide(dialect, "*", url).verdict == Verdict::Disallow
}

fn described(statements: &[Statement<'_>]) -> String {
    let path = statements.iter().find_map(|statement| statement.path);
    let each = statements.iter().filter_map(|statement| {
        let value = statement.value.as_ref().map(|value| value.to_str_lossy());
        let text = match (&statement.key, value) {
            (Some(key), Some(value)) => format!("{}={value}", key.to_str_lossy()),
            (None, Some(value)) => value.into_owned(),
            (Some(key), None) => key.to_str_lossy().into_owned(),
            (None, None) => return None,
        };
        Some(if statement.is_sound {
            text
        } else {
            format!("{text} (unreadable, so it states nothing)")
        })
    });
    let path = path.unwrap_or_default().to_str_lossy();
    let each = each.collect::<Vec<_>>().join(", ");
    format!("{path} {each}").trim().to_owned()
}
