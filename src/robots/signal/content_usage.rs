//! `Content-Usage`: a path-pattern, if wanted, and a dictionary (RFC 9651 section 3.2).
//!
//! A dictionary that does not parse states nothing at all (draft-ietf-aipref-vocab); it is one
//! unreadable statement.

use std::borrow::Cow;

use sfv::{Dictionary, ItemSerializer, ListEntry, ListSerializer, Parser};

use super::{Statement, split_path};

/// Reads the members of the dictionary; of a key that occurs twice the last counts. Parameters mean
/// nothing in this vocabulary and are dropped.
pub(super) fn read(value: &[u8]) -> Vec<Statement<'_>> {
    let (path, text) = split_path(value);
    let Ok(dictionary) = Parser::new(text).parse::<Dictionary>() else {
        return vec![Statement::unreadable(path, text)];
    };
    if dictionary.is_empty() {
        return vec![Statement {
            path,
            key: None,
            value: None,
            is_sound: true,
        }];
    }
    let members = dictionary.into_iter().map(|(key, entry)| {
        let value = match entry {
            ListEntry::Item(item) => ItemSerializer::new().bare_item(&item.bare_item).finish(),
            ListEntry::InnerList(list) => {
                let mut serializer = ListSerializer::new();
                serializer.inner_list().items(&list.items);
                serializer.finish().unwrap_or_default()
            }
        };
        Statement {
            path,
            key: Some(Cow::Owned(String::from(key).into_bytes())),
            value: Some(Cow::Owned(value.into_bytes())),
            is_sound: true,
        }
    });
    members.collect()
}

#[cfg(test)]
mod tests {
    use crate::robots::signal::{Vocabulary, rendered};

    macro_rules! reads {
        ($($name:ident: $value:literal => [$($statement:literal),+];)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(rendered(Vocabulary::ContentUsage, $value), [$($statement),+]);
                }
            )+
        };
    }

    reads! {
        members_come_in_their_order: "train-ai=n, search=y" => ["train-ai=n", "search=y"];
        a_path_is_there_if_the_value_begins_with_a_slash: "/a*$ \t train-ai=n" => ["/a*$|train-ai=n"];
        the_last_of_a_key_counts: "train-ai=y, train-ai=n" => ["train-ai=n"];
        parameters_say_nothing: "train-ai=n;exceptions=x" => ["train-ai=n"];
        values_of_other_types_are_kept: "a, b=?0, c=1.50, d=\"x\", e=(y n)" =>
            ["a=?1", "b=?0", "c=1.5", "d=\"x\"", "e=(y n)"];
        a_label_in_upper_case_does_not_parse: "Train-AI=n" => ["!Train-AI=n"];
        a_dictionary_that_breaks_off_does_not_parse: "train-ai=n, search=" => ["!train-ai=n, search="];
        another_separator_does_not_parse: "/x train-ai=n; search y" => ["!/x|train-ai=n; search y"];
        an_empty_dictionary_states_nothing: "" => [""];
        a_path_alone_states_nothing: "/x" => ["/x|"];
        bytes_beyond_ascii_do_not_parse: "a=\"é\"" => ["!a=\"é\""];
    }
}
