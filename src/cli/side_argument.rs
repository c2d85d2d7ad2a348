//! One side of a comparison as an argument: a built-in dialect, a dialect file, or the command of
//! an external parser.

use anyhow::bail;
use robocensus::robots::dialect::{Dialect, NAMES};

use super::dialects;

/// The shell that runs the command of `shell:`.
const SHELL: [&str; 2] = ["sh", "-c"];

/// What an argument names.
#[derive(Debug)]
pub enum SideArgument {
    /// A dialect.
    Dialect(Box<Dialect>),
    /// The program of an external parser, and its arguments.
    Command(Vec<String>),
}

impl SideArgument {
    /// Reads the value of an option: a name, a file such as `my.toml`, `exec:COMMAND` or
    /// `shell:COMMAND`.
    pub fn read(option: &str, value: &str) -> anyhow::Result<SideArgument> {
        let words = if let Some(command) = value.strip_prefix("exec:") {
            match split_words(command) {
                Ok(words) => words,
                Err(quote) => bail!(
                    "{option}: expected the closing {quote} of a quotation, but found the end of {value:?}"
                ),
            }
        } else if let Some(command) = value.strip_prefix("shell:") {
            let command = command.trim();
            match command.is_empty() {
                true => Vec::new(),
                false => SHELL
                    .into_iter()
                    .chain([command])
                    .map(str::to_owned)
                    .collect(),
            }
        } else if value.ends_with(".toml") || NAMES.contains(&value) {
            let dialect = dialects::dialect(option, value)?;
            return Ok(SideArgument::Dialect(Box::new(dialect)));
        } else {
            bail!(
                "{option}: expected one of {}, a file such as my.toml, or a command such as exec:./my-parser, but found {value:?}",
                NAMES.join(", ")
            );
        };
        if words.first().is_none_or(String::is_empty) {
            bail!("{option}: expected a command, such as exec:./my-parser, but found {value:?}");
        }
        Ok(SideArgument::Command(words))
    }
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

    fn command(value: &str) -> Vec<String> {
        match SideArgument::read("--candidate", value) {
            Ok(SideArgument::Command(words)) => words,
            other => panic!("{value}: {other:?}"),
        }
    }

    fn fault(value: &str) -> String {
        match SideArgument::read("--candidate", value) {
            Ok(side) => panic!("{value}: {side:?}"),
            Err(error) => format!("{error:#}"),
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
            let message = fault(value);
            assert!(message.contains(says), "{value}: {message}");
        }
        let side = SideArgument::read("--baseline", "google");
        assert!(matches!(side, Ok(SideArgument::Dialect(_))), "{side:?}");
    }
}
