//! `Content-Signal`: a list of `key=value`.
//!
//! Keys and values become lower case: files vary in that and in spacing, and no two known words
//! differ in nothing else.

use std::{borrow::Cow, collections::HashSet};

use super::{Statement, split_path};

/// The keys whose answers are agreed on, with the answers (contentsignals.org, and its extension
/// `use` of 2026).
const AGREED_ON: [(&[u8], &[&[u8]]); 4] = [
    (b"search", &[b"yes", b"no"]),
    (b"ai-input", &[b"yes", b"no"]),
    (b"ai-train", &[b"yes", b"no"]),
    (b"use", &[b"immediate", b"reference", b"full"]),
];

/// Reads the members of the list. Of a key that occurs twice the last counts, as in the
/// dictionaries of RFC 9651.
pub(super) fn read(value: &[u8]) -> Vec<Statement<'_>> {
    let (path, list) = split_path(value);
    let mut seen = HashSet::new();
    let mut members: Vec<Statement<'_>> = Vec::new();
    for text in list.split(|&byte| byte == b',').rev() {
        let member = member(path, text.trim_ascii());
        let is_last = member
            .key
            .as_ref()
            .is_none_or(|key| seen.insert(key.clone()));
        if is_last {
            members.push(member);
        }
    }
    members.reverse();
    members
}

fn member<'v>(path: Option<&'v [u8]>, text: &'v [u8]) -> Statement<'v> {
    let Some(at) = memchr::memchr(b'=', text) else {
        return Statement::unreadable(path, text);
    };
    let (key, value) = (lower(&text[..at]), lower(&text[at + 1..]));
    if key.is_empty() || value.is_empty() {
        return Statement::unreadable(path, text);
    }
    let agreed = AGREED_ON.iter().find(|(name, _)| **name == *key);
    Statement {
        path,
        is_sound: agreed.is_none_or(|(_, answers)| answers.contains(&&*value)),
        key: Some(key),
        value: Some(value),
    }
}

fn lower(text: &[u8]) -> Cow<'_, [u8]> {
    let text = text.trim_ascii();
    if text.iter().any(u8::is_ascii_uppercase) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use crate::robots::signal::{Vocabulary, rendered};

    macro_rules! reads {
        ($($name:ident: $value:literal => [$($statement:literal),+];)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(rendered(Vocabulary::ContentSignal, $value), [$($statement),+]);
                }
            )+
        };
    }

    reads! {
        members_come_in_their_order: "search=yes, ai-train=no" => ["search=yes", "ai-train=no"];
        case_and_spacing_vary: "Search = YES ,ai-train=No" => ["search=yes", "ai-train=no"];
        a_new_key_is_sound: "ai-agent=maybe" => ["ai-agent=maybe"];
        an_agreed_key_has_an_agreed_answer: "ai-train=false, use=full" => ["!ai-train=false", "use=full"];
        the_last_of_a_key_counts: "search=yes, ai-train=no, SEARCH=no" => ["ai-train=no", "search=no"];
        a_member_without_value_is_unreadable: "search, ai-train=no, x=" => ["!search", "ai-train=no", "!x="];
        another_separator_is_unreadable: "search=yes; ai-train=no" => ["!search=yes; ai-train=no"];
        nothing_is_unreadable: "" => ["!"];
        a_path_may_stand_in_front: "/blog/  ai-train=no" => ["/blog/|ai-train=no"];
        a_path_alone_states_nothing: "/blog" => ["!/blog|"];
    }
}
