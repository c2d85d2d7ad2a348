//! Statements on use and license: one [`Statement`] for each key of a list, in the order of the
//! line.
//!
//! Some vocabularies apply to their group and some to the file, and sources disagree about
//! Content-Signal; so the table has the group of each line, and a query about the file ignores that
//! column.

mod content_signal;
mod content_usage;

use std::borrow::Cow;

use crate::{
    named::named,
    robots::lines::{Field, absolute_url},
};

named! {
    ALL
    /// A vocabulary of statements on use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Vocabulary {
        /// `search=yes, ai-train=no` (contentsignals.org; draft-romm-aipref-contentsignals).
        ContentSignal = "content-signal",
        /// A path, if wanted, and an RFC 9651 dictionary (draft-ietf-aipref-attach).
        ContentUsage = "content-usage",
        /// The URL of a license for the whole file (RSL 1.0).
        License = "license",
        /// A path that is not for training (draft-canel-robots-ai-control).
        DisallowAiTraining = "disallow-ai-training",
        /// A path that is for training (the same draft).
        AllowAiTraining = "allow-ai-training",
        /// The URL of a policy for language models.
        LlmPolicy = "llm-policy",
        /// A path that is not for an index.
        Noindex = "noindex",
    }
}

impl Vocabulary {
    /// Returns the vocabulary of a field, if it has one.
    pub fn of(field: Field) -> Option<Self> {
        match field {
            Field::ContentSignal => Some(Self::ContentSignal),
            Field::ContentUsage => Some(Self::ContentUsage),
            Field::License => Some(Self::License),
            Field::DisallowAiTraining => Some(Self::DisallowAiTraining),
            Field::AllowAiTraining => Some(Self::AllowAiTraining),
            Field::LlmPolicy => Some(Self::LlmPolicy),
            Field::Noindex => Some(Self::Noindex),
            _ => None,
        }
    }
}

/// One thing that a line states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'v> {
    /// The path-pattern that it is about; `None`: everything.
    pub path: Option<&'v [u8]>,
    /// The key of a list.
    pub key: Option<Cow<'v, [u8]>>,
    /// What is stated: the value of the key, a URL, or the text that could not be parsed.
    pub value: Option<Cow<'v, [u8]>>,
    /// Whether it has the form of its vocabulary; one that has not states nothing.
    pub is_sound: bool,
}

impl<'v> Statement<'v> {
    /// Returns the statement for a text that could not be parsed.
    fn unreadable(path: Option<&'v [u8]>, text: &'v [u8]) -> Self {
        Self {
            path,
            key: None,
            value: Some(Cow::Borrowed(text)),
            is_sound: false,
        }
    }
}

/// Returns the statements of a line of this vocabulary with this value, at least one.
pub fn read(vocabulary: Vocabulary, value: &[u8]) -> Vec<Statement<'_>> {
    match vocabulary {
        Vocabulary::ContentSignal => content_signal::read(value),
        Vocabulary::ContentUsage => content_usage::read(value),
        Vocabulary::License | Vocabulary::LlmPolicy => vec![Statement {
            path: None,
            key: None,
            value: Some(Cow::Borrowed(value)),
            is_sound: absolute_url(value).is_ok(),
        }],
        Vocabulary::DisallowAiTraining | Vocabulary::AllowAiTraining | Vocabulary::Noindex => {
            vec![Statement {
                path: Some(value),
                key: None,
                value: None,
                is_sound: matches!(value.first(), None | Some(b'/' | b'*')),
            }]
        }
    }
}

/// Takes a path-pattern off the front of a value: one is there if and only if the value begins with
/// a slash, and it ends at the first space or tab (draft-ietf-aipref-attach).
fn split_path(value: &[u8]) -> (Option<&[u8]>, &[u8]) {
    if value.first() != Some(&b'/') {
        return (None, value);
    }
    let end = memchr::memchr2(b' ', b'\t', value).unwrap_or(value.len());
    (Some(&value[..end]), value[end..].trim_ascii())
}

/// Reads a value and renders each statement as `[!][path|][key=]value`, for the tests of this
/// module.
#[cfg(test)]
fn rendered(vocabulary: Vocabulary, value: &str) -> Vec<String> {
    let statements = read(vocabulary, value.as_bytes()).into_iter();
    let rendered = statements.map(|statement| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut line = String::from(if statement.is_sound { "" } else { "!" });
        if let Some(path) = statement.path {
            line += &format!("{}|", text(path));
        }
        if let Some(key) = &statement.key {
            line += &format!("{}=", text(key));
        }
        line += &statement.value.as_deref().map(text).unwrap_or_default();
        line
    });
    rendered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_distinct_and_in_the_order_of_the_enum() {
        for (index, vocabulary) in Vocabulary::ALL.into_iter().enumerate() {
            assert_eq!(vocabulary as usize, index);
        }
        let names = Vocabulary::ALL.map(Vocabulary::as_str);
        assert!(
            names
                .iter()
                .all(|name| names.iter().filter(|n| *n == name).count() == 1)
        );
    }

    #[test]
    fn every_vocabulary_is_that_of_a_field() {
        let fields = Field::KNOWN
            .iter()
            .filter_map(|&field| Vocabulary::of(field));
        assert_eq!(fields.count(), Vocabulary::ALL.len());
    }

    #[test]
    fn a_licence_is_an_absolute_url() {
        let license = |value| rendered(Vocabulary::License, value);
        assert_eq!(
            license("https://a.example/l.xml"),
            ["https://a.example/l.xml"]
        );
        assert_eq!(license("/l.xml"), ["!/l.xml"]);
        assert_eq!(license("MIT"), ["!MIT"]);
        assert_eq!(license(""), ["!"]);
    }

    #[test]
    fn a_path_vocabulary_states_its_path() {
        for vocabulary in [Vocabulary::DisallowAiTraining, Vocabulary::Noindex] {
            assert_eq!(rendered(vocabulary, "/a"), ["/a|"]);
            assert_eq!(rendered(vocabulary, "*.pdf"), ["*.pdf|"]);
            assert_eq!(rendered(vocabulary, ""), ["|"]);
            assert_eq!(rendered(vocabulary, "a"), ["!a|"]);
        }
    }
}
