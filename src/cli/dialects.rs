//! `robocensus dialects`: the table of all dialects, or one dialect as TOML; and the dialect that
//! an argument names.

use std::path::Path;

use anyhow::{Context, anyhow};
use robocensus::{
    archive::input::read_maybe_gzip,
    robots::dialect::{AllowedAnswers, CHOICES, Dialect, NAMES, read_toml, source, to_toml, work},
};
use serde_json::{Map, Value, json};

use super::{args::DialectsArgs, escape, template::rendered};

/// The table, and what the words mean.
const TEXT: &str = include_str!("templates/dialects.txt.j2");

/// The longest file of a dialect, in bytes: hundreds of times the length of a complete one.
const MOST_DIALECT: u64 = 1024 * 1024;

/// The end of the name of a file.
pub const FILE_END: &str = ".toml";

/// Prints the table, or one dialect.
pub fn run(args: &DialectsArgs) -> anyhow::Result<()> {
    let text = match &args.name {
        Some(name) if args.json => return escape::print_json(&in_json(&[dialect("NAME", name)?])),
        None if args.json => return escape::print_json(&in_json(&all())),
        Some(name) if name.ends_with(FILE_END) => dialect("NAME", name)?.to_toml(),
        Some(name) => to_toml(name).ok_or_else(|| unknown("NAME", name))?,
        None => table(&all()),
    };
    Ok(escape::print(&text)?)
}

/// Returns the dialect that an argument names: a built-in one, or a TOML file.
pub fn dialect(option: &str, word: &str) -> anyhow::Result<Dialect> {
    if !word.ends_with(FILE_END) {
        return Dialect::named(word).ok_or_else(|| unknown(option, word));
    }
    let path = Path::new(word);
    let read = || {
        let text = String::from_utf8(read_maybe_gzip(path, MOST_DIALECT)?)
            .with_context(|| format!("{word}: expected text in UTF-8"))?;
        let stem = path.file_stem().unwrap_or_default();
        read_toml(&text, &stem.to_string_lossy()).map_err(|message| anyhow!("{word}: {message}"))
    };
    read().with_context(|| option.to_owned())
}

/// Returns the built-in dialects.
pub fn all() -> Vec<Dialect> {
    Dialect::BUILT_IN.into_iter().cloned().collect()
}

fn unknown(option: &str, word: &str) -> anyhow::Error {
    anyhow!(
        "{option}: expected one of {}, or a file such as my.toml, but found {word:?}",
        NAMES.join(", ")
    )
}

/// One row for each choice, one column for each dialect, and what the words mean.
fn table(specs: &[Dialect]) -> String {
    let mut facts = in_json(specs);
    // In the order in which they are declared.
    let words = CHOICES.iter().map(|choice| match choice.allowed {
        AllowedAnswers::Words(words) => json!(words),
        _ => Value::Null,
    });
    facts["words"] = words.collect();
    rendered(TEXT, facts)
}

fn in_json(specs: &[Dialect]) -> Value {
    let choices = CHOICES.iter().map(|choice| {
        let allowed = match choice.allowed {
            AllowedAnswers::Words(words) => {
                let words = words
                    .iter()
                    .map(|(word, meaning)| ((*word).to_owned(), json!(meaning)));
                Value::Object(words.collect())
            }
            allowed => json!(allowed.phrase()),
        };
        json!({"name": choice.name, "about": choice.about, "allowed": allowed})
    });
    let dialects = specs.iter().map(|spec| {
        let answers = CHOICES.iter().map(|choice| {
            let (answer, source) = (choice.answer(spec), source(&spec.name, choice));
            let cell = json!({"answer": answer, "source": source});
            (choice.name.to_owned(), cell)
        });
        let answers: Map<String, Value> = answers.collect();
        json!({"name": spec.name, "after": work(&spec.name), "answers": answers})
    });
    json!({"questions": choices.collect::<Vec<_>>(), "dialects": dialects.collect::<Vec<_>>()})
}
