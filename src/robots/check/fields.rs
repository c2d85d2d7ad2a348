//! The fields of a JSON object, taken one after the other by their keys, with messages on those
//! that are unknown, repeated or of another type.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{error::Category, value::RawValue};

use super::text::Text;
use crate::{in_order::in_order, robots::dialect::spelling::distance};

/// Characters of a value that a message shows.
const MAX_SHOWN: usize = 40;

/// The longest key that differs in one letter at most from one that it misspells.
const SHORT_KEY: usize = 4;

/// The fields of an object that have not been taken, in their order.
#[derive(Debug, Deserialize)]
pub(super) struct Fields<'a>(
    #[serde(borrow, deserialize_with = "in_order")] Vec<(Key<'a>, &'a RawValue)>,
);

impl<'a> Fields<'a> {
    /// Reads a line.
    pub(super) fn parse_line(line: &'a [u8]) -> Result<Fields<'a>, String> {
        let line = line.trim_ascii_end();
        let text = std::str::from_utf8(line).map_err(|error| {
            format!(
                "expected UTF-8, but byte {} is none; write bytes that are not UTF-8 as \\udc80 to \\udcff",
                error.valid_up_to() + 1
            )
        })?;
        serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data => format!("expected a JSON object, but found {}", shown(text)),
            Category::Eof => "expected a JSON object, but the line ends inside it".to_owned(),
            Category::Syntax | Category::Io => format!(
                "expected a JSON object, but column {} is not valid JSON",
                error.column()
            ),
        })
    }

    fn parse_value(value: &'a RawValue) -> Result<Fields<'a>, String> {
        serde_json::from_str(value.get())
            .map_err(|_| format!("expected a JSON object, but found {}", shown(value.get())))
    }

    /// Returns an error if a key is one of `all` keys of cases, but none of those `known` here.
    pub(super) fn check_kind(&self, known: &[&str], all: &[&str]) -> Result<(), String> {
        let is_of_others = |key: &str| all.contains(&key) && !known.contains(&key);
        match self.0.iter().find(|(Key(key), _)| is_of_others(key)) {
            Some((Key(key), _)) => Err(refusal(known, key)),
            None => Ok(()),
        }
    }

    /// Returns an error unless every key stands once and none is a misspelling of a known one; the
    /// other keys that are not known are passed to `ignore`.
    pub(super) fn check(&self, known: &[&str], ignore: &mut dyn FnMut(&str)) -> Result<(), String> {
        for (index, (Key(key), _)) in self.0.iter().enumerate() {
            if !known.contains(&&**key) {
                let most = if key.len() <= SHORT_KEY { 1 } else { 2 };
                if known.iter().any(|known| distance(key, known) <= most) {
                    return Err(refusal(known, &shortened(key)));
                }
                ignore(&shortened(key));
            }
            if self.0[..index].iter().any(|(Key(before), _)| before == key) {
                return Err(format!("expected the key {key:?} once, but found it twice"));
            }
        }
        Ok(())
    }

    /// Returns true if and only if there is a value of the key, other than null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.raw(key).is_some()
    }

    /// Returns the value of a key as written; null is as if the key were absent.
    pub(super) fn raw(&self, key: &str) -> Option<&'a RawValue> {
        self.raw_or_null(key).filter(|value| value.get() != "null")
    }

    /// Returns the value of a key as written.
    pub(super) fn raw_or_null(&self, key: &str) -> Option<&'a RawValue> {
        let field = self.0.iter().find(|(Key(found), _)| found == key);
        field.map(|&(_, value)| value)
    }

    /// Returns a string.
    pub(super) fn text(&self, key: &str) -> Result<Option<Cow<'a, [u8]>>, String> {
        let text: Option<Text<'a>> = self.value(key, "a string")?;
        Ok(text.map(Text::into_bytes))
    }

    /// Returns a list of strings.
    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<Cow<'a, [u8]>>>, String> {
        let texts: Option<Vec<Text<'a>>> = self.value(key, "a list of strings")?;
        Ok(texts.map(|texts| texts.into_iter().map(Text::into_bytes).collect()))
    }

    /// Returns a list of objects.
    pub(super) fn objects(&self, key: &str) -> Result<Option<Vec<Fields<'a>>>, String> {
        let Some(values) = self.value::<Vec<&'a RawValue>>(key, "a list of objects")? else {
            return Ok(None);
        };
        let objects = values.into_iter().enumerate().map(|(index, value)| {
            Fields::parse_value(value).map_err(|message| format!("{key}[{index}]: {message}"))
        });
        objects.collect::<Result<_, _>>().map(Some)
    }

    /// Returns a value of a type; `expected` describes it.
    pub(super) fn value<T: Deserialize<'a>>(
        &self,
        key: &str,
        expected: &str,
    ) -> Result<Option<T>, String> {
        let Some(value) = self.raw(key) else {
            return Ok(None);
        };
        serde_json::from_str(value.get())
            .map(Some)
            .map_err(|_| self.mismatch(key, expected))
    }

    /// Returns the message on a value that is not as expected.
    pub(super) fn mismatch(&self, key: &str, expected: &str) -> String {
        let found = self.raw_or_null(key).map_or("nothing", RawValue::get);
        format!("{key}: expected {expected}, but found {}", shown(found))
    }
}

fn refusal(known: &[&str], key: &str) -> String {
    let known = known.join(", ");
    format!("expected the keys {known}, but found {key:?}")
}

/// Returns JSON as one short line.
fn shown(json: &str) -> String {
    shortened(json.trim()).replace(['\r', '\n'], " ")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text.to_owned(),
    }
}

/// A key, borrowed where it has no escapes.
#[derive(Debug, Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &[u8]) -> String {
        match Fields::parse_line(line) {
            Ok(fields) => panic!("{fields:?}"),
            Err(message) => message,
        }
    }

    #[test]
    fn a_line_that_is_no_object_is_named_without_words_of_a_library() {
        for (line, says) in [
            ("not json", "column 2 is not valid JSON"),
            ("[1, 2]", "expected a JSON object, but found [1, 2]"),
            ("\"\\u001b[31m\"", "but found \"\\u001b[31m\""),
            ("{\"a\": 1", "the line ends inside it"),
            ("{\"a\": 1} x", "column 10 is not valid JSON"),
            ("{\"a\": 01}", "column 8 is not valid JSON"),
        ] {
            let message = fault(line.as_bytes());
            assert!(message.contains(says), "{line}: {message}");
        }
        assert!(fault(b"{\"a\": \"\xe4\"}").contains("byte 8 is none"));
        let long = format!("[{}]", "1,".repeat(10_000));
        assert!(fault(long.as_bytes()).len() < 100);
        let deep = format!("{{\"a\": {}", "[".repeat(1_000_000));
        assert!(fault(deep.as_bytes()).contains("ends inside it"));
    }

    #[test]
    fn keys_stand_once_and_those_that_are_no_misspelling_may_be_unknown() {
        let check = |line: &'static str| {
            let fields = Fields::parse_line(line.as_bytes()).expect("it is an object");
            let mut ignored = Vec::new();
            let checked = fields.check(&["agent", "b"], &mut |key| ignored.push(key.to_owned()));
            checked.map(|()| ignored.join(","))
        };
        assert_eq!(check(r#"{"b": 1, "\u0061gent": 2}"#), Ok(String::new()));
        assert_eq!(
            check(r#"{"source": 1, "b": 2, "tag": 3}"#),
            Ok("source,tag".to_owned())
        );
        let message = check(r#"{"b": 1, "agnet": 2}"#).unwrap_err();
        assert_eq!(message, r#"expected the keys agent, b, but found "agnet""#);
        let message = check(r#"{"b": 1, "\u0062": 2}"#).unwrap_err();
        assert_eq!(message, r#"expected the key "b" once, but found it twice"#);
    }

    #[test]
    fn a_value_of_another_type_is_shown() {
        let fields = Fields::parse_line(br#"{"a": {"x":1}, "b": ["x", 1], "c": null}"#).unwrap();
        let message = fields.text("a").unwrap_err();
        assert_eq!(message, r#"a: expected a string, but found {"x":1}"#);
        let message = fields.texts("b").unwrap_err();
        assert_eq!(
            message,
            r#"b: expected a list of strings, but found ["x", 1]"#
        );
        let message = fields.objects("b").unwrap_err();
        assert_eq!(message, r#"b[0]: expected a JSON object, but found "x""#);
        assert_eq!(fields.text("c"), Ok(None));
        assert!(fields.raw_or_null("c").is_some() && !fields.has("d"));
    }
}
