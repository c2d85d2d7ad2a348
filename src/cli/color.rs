//! Colors of verdicts on a terminal.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal},
};

use clap::ValueEnum;
use robocensus::Verdict;

/// Ends a color.
const RESET: &str = "\u{1b}[0m";

/// When output is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// Colors words, or leaves them plain.
#[derive(Clone, Copy, Debug)]
pub struct Painter {
    is_on: bool,
}

impl Painter {
    /// Returns the painter of standard output.
    pub fn of_stdout(when: ColorWhen) -> Self {
        Self {
            is_on: is_on(when, io::stdout().is_terminal(), |name| env::var_os(name)),
        }
    }

    /// Returns a word in the color of a verdict.
    pub fn verdict(self, verdict: Verdict, word: &str) -> String {
        let color = match verdict {
            Verdict::Allow => "\u{1b}[32m",
            Verdict::Disallow => "\u{1b}[31m",
            Verdict::Undefined => "\u{1b}[33m",
        };
        if self.is_on {
            format!("{color}{word}{RESET}")
        } else {
            word.to_owned()
        }
    }
}

/// Decides by the flag, the variables of no-color.org and bixense.com/clicolors, and the terminal.
fn is_on(when: ColorWhen, is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto if is_set("NO_COLOR") => false,
        ColorWhen::Auto
            if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE") != Some("0".into()) =>
        {
            true
        }
        ColorWhen::Auto => is_terminal && variable("TERM").is_some_and(|term| term != "dumb"),
    }
}

/// Returns how many columns a text takes, without its colors.
pub fn width(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let plain = parts.next().unwrap_or_default();
    let behind_colors = parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest));
    behind_colors
        .chain([plain])
        .map(|part| part.chars().count())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_then_the_environment_then_the_terminal_decide() {
        use ColorWhen::{Always, Auto, Never};
        for (when, is_terminal, variables, wanted) in [
            (Auto, true, &[("TERM", "xterm")][..], true),
            (Auto, false, &[("TERM", "xterm")], false),
            (Auto, true, &[], false),
            (Auto, true, &[("TERM", "dumb")], false),
            (Auto, true, &[("TERM", "xterm"), ("NO_COLOR", "1")], false),
            (Auto, true, &[("TERM", "xterm"), ("NO_COLOR", "")], true),
            (Auto, false, &[("CLICOLOR_FORCE", "1")], true),
            (Auto, false, &[("CLICOLOR_FORCE", "0")], false),
            (
                Auto,
                false,
                &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
                false,
            ),
            (Always, false, &[("NO_COLOR", "1")], true),
            (
                Never,
                true,
                &[("TERM", "xterm"), ("CLICOLOR_FORCE", "1")],
                false,
            ),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.into())
            };
            let is_on = is_on(when, is_terminal, variable);
            assert_eq!(is_on, wanted, "{when:?} {is_terminal} {variables:?}");
        }
    }

    #[test]
    fn colors_take_no_columns() {
        let painter = Painter { is_on: true };
        let word = painter.verdict(Verdict::Disallow, "disallow");
        assert_eq!((width(&word), width("né")), (8, 2));
        assert_eq!(width(&format!("a{word}b{word}")), 18);
    }
}
