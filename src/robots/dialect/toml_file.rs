//! Dialects as TOML files.
//!
//! A file has `base`, the name of a built-in dialect, perhaps `name`, and the answers that differ
//! from the base. Errors are one sentence with the line and what is allowed there.

use std::{borrow::Cow, fmt};

use serde_json::json;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    builtin::{NAMES, source, work},
    definition::{AllowedAnswers, AnswerValue, CHOICES, Choice, Dialect},
};

/// The TOML table of the answers about access.
const ACCESS: &str = "access";

/// The name of a dialect whose text does not name it.
const UNNAMED: &str = "custom";

/// The reason why a text is no dialect: one sentence with the line and what is allowed there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialectError(String);

impl fmt::Display for DialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DialectError {}

/// Dialects as text.
impl Dialect {
    /// Reads a dialect from TOML: `base`, the name of a built-in dialect, and the answers that
    /// differ from it. A dialect that does not name itself is called `custom`.
    ///
    /// ```
    /// use robocensus::{Dialect, Robots, Verdict};
    ///
    /// # fn main() -> Result<(), robocensus::DialectError> {
    /// let strict = Dialect::from_toml("base = \"google\"\nmissing_colon = \"rejected\"\n")?;
    /// let robots = Robots::parse("User-agent: *\nDisallow /private\n");
    /// let decision = robots.decide(&strict, "GPTBot", "/private");
    /// assert_eq!(decision.verdict, Verdict::Allow);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not TOML, a key is unknown, an answer is not allowed, `base` is missing or no
    /// built-in dialect, or the name is not one of letters, digits, `-`, `_` and `.`, or is that
    /// of a built-in dialect.
    pub fn from_toml(text: &str) -> Result<Dialect, DialectError> {
        read_toml(text, UNNAMED).map_err(DialectError)
    }

    /// Returns the dialect as TOML, every answer spelled out, for [`Dialect::from_toml`].
    ///
    /// That of a built-in dialect has no name, since no other may have its name.
    pub fn to_toml(&self) -> String {
        let head = if Dialect::BUILT_IN.contains(&self) {
            format!("base = {:?}\n", self.name)
        } else {
            format!("name = {:?}\nbase = {:?}\n", self.name, NAMES[0])
        };
        head + &answers(self, CHOICES, |_| String::new())
    }
}

/// Reads the text of a TOML file. A dialect that does not name itself is called `default_name`.
///
/// # Errors
///
/// One sentence without a final stop, with the number of the line, 1 for the first: the text is not
/// TOML, a key is no choice, an answer is not allowed, `base` is missing or no built-in dialect,
/// or the name is not one of letters, digits, `-`, `_` and `.`, or is that of a built-in dialect.
pub fn read_toml(text: &str, default_name: &str) -> Result<Dialect, String> {
    let mistake = |(offset, message): Mistake| toml_mistake(text, offset, &message);
    let document = DeTable::parse(text).map_err(|e| {
        let offset = e.span().map_or(0, |span| span.start);
        toml_mistake(text, offset, e.message())
    })?;
    let table = document.get_ref();
    let mut dialect = base(table).map_err(mistake)?;
    dialect.name = Cow::Owned(default_name.to_owned());
    let mut name_at = None;
    for (key, value) in table {
        let result = match (key.get_ref().as_ref(), value.get_ref()) {
            ("base", _) => Ok(()),
            ("name", DeValue::String(name)) => {
                dialect.name = Cow::Owned(name.clone().into_owned());
                name_at = Some(value.span().start);
                Ok(())
            }
            ("name", _) => Err((value.span().start, "name: expected a string".to_owned())),
            (ACCESS, DeValue::Table(answers)) => answers.iter().try_for_each(|(key, value)| {
                answer(
                    &mut dialect,
                    &format!("{ACCESS}.{}", key.get_ref()),
                    key,
                    value,
                )
            }),
            (ACCESS, _) => Err((value.span().start, "access: expected a table".to_owned())),
            (name, _) => answer(&mut dialect, name, key, value),
        };
        result.map_err(mistake)?;
    }
    check_name(&dialect.name).map_err(|message| match name_at {
        Some(offset) => toml_mistake(text, offset, &format!("name: {message}")),
        // A name that nobody wrote is not what is wrong with the text.
        None => format!(
            "expected name = \"...\" in the text, since the file has no name that a dialect may have: {message}"
        ),
    })?;
    Ok(dialect)
}

/// Returns a built-in dialect as the text of a TOML file, ready to be edited: every answer with its
/// source and what else is allowed; `None` for any other name.
pub fn to_toml(name: &str) -> Option<String> {
    let work = work(name)?;
    let head = format!(
        "# The answers of {name}, after {work}.\n# An answer that is left out is that of the base.\n\n\
         name = \"my-{name}\"\nbase = \"{name}\"\n"
    );
    let comment = |choice: &Choice| {
        let mut text = format!("\n# {}.\n", capitalized(choice.about));
        match choice.allowed {
            AllowedAnswers::Words(words) => text.extend(
                words
                    .iter()
                    .map(|(word, meaning)| format!("#   {word}: {meaning}\n")),
            ),
            numbers => text.push_str(&format!("#   {}\n", numbers.phrase())),
        }
        let source = source(name, choice).unwrap_or_default();
        text + &format!("# Source: {work}: {source}\n")
    };
    Some(head + &answers(&Dialect::named(name)?, CHOICES, comment))
}

/// Returns the dialect as the text of a TOML file by the built-in dialect with fewest other
/// answers, and these alone.
#[cfg(feature = "dataset")]
pub fn shortest_definition(dialect: &Dialect) -> String {
    let others_than = |base: &Dialect| -> Vec<&Choice> {
        let is_other = |choice: &&Choice| choice.answer(base) != choice.answer(dialect);
        CHOICES.iter().filter(is_other).collect()
    };
    let base = (Dialect::BUILT_IN.into_iter()).min_by_key(|base| others_than(base).len());
    let base = base.unwrap_or(&Dialect::GOOGLE);
    let head = format!("base = {:?}\n", base.name);
    head + &answers(dialect, others_than(base), |_| String::new())
}

/// Returns a line of TOML for the answer to each of some choices, after the comment on it.
fn answers<'c>(
    dialect: &Dialect,
    choices: impl IntoIterator<Item = &'c Choice>,
    comment: impl Fn(&Choice) -> String,
) -> String {
    let mut text = String::new();
    let mut is_access = false;
    for choice in choices {
        let access = choice.name.strip_prefix("access.");
        if access.is_some() && !std::mem::replace(&mut is_access, true) {
            text.push_str("\n[access]\n");
        }
        let key = access.unwrap_or(choice.name);
        // TOML has words and numbers as JSON has them.
        let answer = json!(choice.answer(dialect));
        text.push_str(&format!("{}{key} = {answer}\n", comment(choice)));
    }
    text
}

/// Returns the message on a mistake at this offset of a TOML file in one line, with the number of
/// its line, 1 for the first.
pub(crate) fn toml_mistake(text: &str, offset: usize, message: &str) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = 1 + before.matches('\n').count();
    format!("line {line}: {}", message.replace('\n', "; "))
}

/// The offset of a mistake in a text, and its description.
type Mistake = (usize, String);

fn base(table: &DeTable<'_>) -> Result<Dialect, Mistake> {
    let allowed = NAMES.join(", ");
    let Some(value) = table.get("base") else {
        return Err((
            0,
            format!("expected base = \"...\", one of {allowed}, but found none"),
        ));
    };
    let name = value.get_ref().as_str();
    name.and_then(Dialect::named).ok_or_else(|| {
        let found = shown(value.get_ref());
        (
            value.span().start,
            format!("base: expected one of {allowed}, but found {found}"),
        )
    })
}

fn answer(
    dialect: &mut Dialect,
    name: &str,
    key: &Spanned<Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Mistake> {
    let Some(choice) = CHOICES.iter().find(|choice| choice.name == name) else {
        let prefix = &name[..name.find('.').map_or(0, |dot| dot + 1)];
        let keys: Vec<_> = CHOICES
            .iter()
            .filter_map(|choice| choice.name.strip_prefix(prefix))
            .filter(|key| !key.contains('.'))
            .collect();
        let extra = if prefix.is_empty() {
            "name, base, access, "
        } else {
            ""
        };
        let message = format!("{name}: expected one of {extra}{}", keys.join(", "));
        return Err((key.span().start, message));
    };
    let given = match value.get_ref() {
        DeValue::String(word) => Some(AnswerValue::Word(word)),
        DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix())
            .ok()
            .map(AnswerValue::Number),
        _ => None,
    };
    match given {
        Some(given) if choice.set(dialect, given) => Ok(()),
        _ => {
            let allowed = choice.allowed.phrase();
            let found = shown(value.get_ref());
            Err((
                value.span().start,
                format!("{name}: expected {allowed}, but found {found}"),
            ))
        }
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_plain) {
        return Err(format!(
            "expected letters, digits, -, _ and ., but found {name:?}"
        ));
    }
    if NAMES.contains(&name) {
        return Err(format!(
            "expected another than that of a built-in dialect, but found {name}"
        ));
    }
    Ok(())
}

fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.to_string(),
        other => format!("a value of type {}", other.type_str()),
    }
}

fn capitalized(phrase: &str) -> String {
    let mut chars = phrase.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::{Access, AgentCase};

    fn mistake(text: &str) -> String {
        read_toml(text, "mine").expect_err("the text is wrong")
    }

    #[test]
    fn a_dialect_is_its_base_and_what_differs() {
        let text = "base = \"google\"\nagent_case = \"sensitive\"\nbyte_limit = 1_000\n\
            line_limit = \"none\"\n[access]\nserver_error = \"undefined\"\n";
        let dialect = read_toml(text, "mine").expect("the text is right");
        let mut expected = Dialect::GOOGLE;
        expected.name = "mine".into();
        expected.agent_case = AgentCase::Sensitive;
        expected.byte_limit = Some(1_000);
        expected.line_limit = None;
        expected.access.server_error = Access::Undefined;
        assert_eq!(dialect, expected);
        let text = "base = \"google\"\n[access]\nmax_hops = \"none\"\n";
        let unlimited = read_toml(text, "mine").expect("the text is right");
        assert_eq!(unlimited.access.max_hops, None);
        let named = read_toml("name = \"x-1\"\nbase = \"baidu\"", "mine");
        assert_eq!(named.expect("the text is right").name, "x-1");
    }

    #[test]
    fn what_is_printed_is_read_as_the_same_answers() {
        for name in NAMES {
            let text = to_toml(name).expect("the dialect is built in");
            let dialect =
                read_toml(&text, "mine").unwrap_or_else(|message| panic!("{name}: {message}"));
            assert_eq!(dialect.name, format!("my-{name}"));
            // Every answer is printed, so the base does not matter.
            let other = text.replace(&format!("base = \"{name}\""), "base = \"python\"");
            let from_other = read_toml(&other, "mine").expect("the text is right");
            assert_eq!(from_other, dialect, "{name}");
            let builtin = Dialect::named(name).expect("the dialect is built in");
            assert_eq!(
                Dialect {
                    name: builtin.name.clone(),
                    ..dialect
                },
                builtin
            );
        }
        assert_eq!(to_toml("mine"), None);
    }

    #[test]
    fn a_definition_is_read_as_the_same_answers() {
        for name in NAMES {
            let builtin = Dialect::named(name).expect("the dialect is built in");
            let read = |dialect: &Dialect| {
                let text = dialect.to_toml();
                read_toml(&text, "mine").unwrap_or_else(|message| panic!("{name}: {message}"))
            };
            let named = |name: &'static str| Dialect {
                name: name.into(),
                ..builtin.clone()
            };
            assert_eq!(read(&builtin), named("mine"));
            assert_eq!(read(&named("another")), named("another"));
        }
    }

    #[test]
    fn what_is_wrong_is_named_by_its_line_with_what_is_allowed() {
        for (text, says) in [
            ("", "line 1: expected base"),
            (
                "\nbase = \"goggle\"",
                "line 2: base: expected one of google, rfc9309",
            ),
            ("base = 7", "but found 7"),
            (
                "base = \"google\"\n\ncolor = 1",
                "line 3: color: expected one of name, base, access, text",
            ),
            (
                "base = \"google\"\npercent = \"no\"",
                "line 2: percent: expected \"pattern\", \"normalized\", \"decoded\", \"escaped\" or \"python\", but found \"no\"",
            ),
            (
                "base = \"google\"\npercent = true",
                "but found a value of type boolean",
            ),
            (
                "base = \"google\"\nbyte_limit = 0",
                "a number of bytes from 1",
            ),
            ("base = \"google\"\nbyte_limit = -5", "but found -5"),
            (
                "base = \"google\"\nbyte_limit = 99999999999",
                "a number of bytes",
            ),
            ("base = \"google\"\nbyte_limit = \"all\"", "\"none\""),
            ("base = \"google\"\naccess = 1", "access: expected a table"),
            (
                "base = \"google\"\n[access]\nteapot = 1",
                "line 3: access.teapot: expected one of max_hops, redirect",
            ),
            (
                "base = \"google\"\n[access]\nmax_hops = 256",
                "a number from 0 to 255",
            ),
            (
                "base = \"google\"\n[access]\nmax_hops = \"all\"",
                "line 3: access.max_hops: expected a number from 0 to 255, or \"none\", but found \"all\"",
            ),
            (
                "base = \"google\"\nname = \"a,b\"",
                "line 2: name: expected letters",
            ),
            (
                "base = \"google\"\nname = \"baidu\"",
                "a built-in dialect, but found baidu",
            ),
            (
                "base = \"google\"\nbase = \"baidu\"",
                "line 2: duplicate key",
            ),
            ("base = google", "line 1: "),
        ] {
            let message = mistake(text);
            assert!(message.contains(says), "{text:?}: {message}");
        }
        assert!(read_toml("base = \"google\"", "a b").is_err());
    }
}
