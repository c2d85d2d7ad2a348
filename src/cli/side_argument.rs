//! One side of a comparison as an argument: a built-in dialect, a dialect file, or the command of
//! an external parser.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use anyhow::{anyhow, bail};
use robocensus::{
    compare::{SideConfig, external::ParserCommand, side::Side},
    robots::dialect::NAMES,
};

use super::dialects;

/// Reads the value of an option: a name, a file such as `my.toml`, `exec:COMMAND` or
/// `shell:COMMAND`, of which `parser` says how it is run.
pub fn read_side(option: &str, value: &str, parser: ParserCommand) -> anyhow::Result<SideConfig> {
    let words = if let Some(command) = value.strip_prefix("exec:") {
        match split_words(command) {
            Ok(words) => words,
            Err(quote) => bail!(
                "{option}: expected the closing {quote} of a quotation, but found the end of {value:?}"
            ),
        }
    } else if let Some(command) = value.strip_prefix("shell:") {
        match command.trim() {
            "" => Vec::new(),
            command => ["sh", "-c", command].map(str::to_owned).to_vec(),
        }
    } else if value.ends_with(dialects::FILE_END) || NAMES.contains(&value) {
        let dialect = dialects::dialect(option, value)?;
        return Ok(SideConfig::Dialect(Box::new(dialect)));
    } else {
        bail!(
            "{option}: expected one of {}, a file such as my.toml, or a command such as exec:./my-parser, but found {value:?}",
            NAMES.join(", ")
        );
    };
    if words.first().is_none_or(String::is_empty) {
        bail!("{option}: expected a command, such as exec:./my-parser, but found {value:?}");
    }
    Ok(SideConfig::External(ParserCommand { words, ..parser }))
}

/// Starts the side that the value of an option names, with one process that is asked about one file
/// at a time; it is killed once `stop` is set.
pub fn start_side(
    option: &str,
    value: &str,
    timeout: Duration,
    stop: Arc<AtomicBool>,
) -> anyhow::Result<Side> {
    let parser = ParserCommand {
        words: Vec::new(),
        workers: 1,
        in_flight: 1,
        timeout,
    };
    let config = read_side(option, value, parser)?;
    Side::start(&config, stop).map_err(|error| anyhow!("{option}: {error}"))
}

/// Splits a command at its blanks, as a shell does: quotation marks hold words together, and a
/// backslash takes the next character as it is, but not between apostrophes. Nothing is expanded.
///
/// The error is the quotation mark that is not closed.
fn split_words(command: &str) -> Result<Vec<String>, char> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open = None;
    let mut chars = command.chars();
    while let Some(char) = chars.next() {
        match (open, char) {
            (Some(quote), char) if char == quote => open = None,
            (None, '\'' | '"') => {
                open = Some(char);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let next = chars.next().unwrap_or('\\');
                word.get_or_insert_default().push(next);
            }
            (None, char) if char.is_whitespace() => words.extend(word.take()),
            (_, char) => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    match open {
        Some(quote) => Err(quote),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(value: &str) -> anyhow::Result<SideConfig> {
        let parser = ParserCommand {
            words: Vec::new(),
            workers: 1,
            in_flight: 1,
            timeout: Duration::ZERO,
        };
        read_side("--candidate", value, parser)
    }

    fn command(value: &str) -> Vec<String> {
        match side(value) {
            Ok(SideConfig::External(command)) => command.words,
            other => panic!("{value}: {other:?}"),
        }
    }

    #[test]
    fn a_command_is_split_without_a_shell() {
        assert_eq!(command("exec:./p --batch"), ["./p", "--batch"]);
        assert_eq!(
            command(r#"exec: 'a b'"c"\ d  $HOME "" *"#),
            ["a bc d", "$HOME", "", "*"]
        );
        assert_eq!(command(r#"exec:a "\"" '\'"#), ["a", "\"", "\\"]);
    }

    #[test]
    fn a_shell_is_asked_for() {
        assert_eq!(command("shell: a | b"), ["sh", "-c", "a | b"]);
    }

    #[test]
    fn what_is_no_side_is_refused() {
        for (value, says) in [
            ("exec:", "expected a command"),
            ("exec: ''", "expected a command"),
            ("shell: ", "expected a command"),
            ("exec:a 'b", "closing '"),
            ("goggle", "google-legacy"),
            ("./p --batch", "such as exec:./my-parser"),
        ] {
            let message = format!("{:#}", side(value).expect_err(value));
            assert!(message.contains(says), "{value}: {message}");
        }
        let side = side("google");
        assert!(matches!(side, Ok(SideConfig::Dialect(_))), "{side:?}");
    }
}
