//! `robocensus help`: how help is laid out, and the topics that belong to no command alone.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write as _},
};

use anyhow::bail;
use clap::CommandFactory;
use indicatif::HumanCount;
use robocensus::{
    archive::warc::FaultKind,
    dataset::{
        run::{DEFAULT_MAX_BODY, DEFAULT_PART_BYTES, Limits},
        table::{PAGE_TABLES, TABLES},
    },
    robots::{
        dialect::{NAMES, REFERENCE, work},
        lines::MAX_LINES,
    },
};

use super::{
    args::{Cli, HelpArgs},
    exit_code::ExitCode,
};

/// Width of help in files and pipes.
const WIDTH: usize = 80;
/// Width of help on wide terminals; longer lines are hard to read.
const MAX_WIDTH: usize = 100;

/// A text that is longer than the help of a command should be, or concerns several commands.
struct Topic {
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

const TOPICS: &[Topic] = &[
    Topic {
        name: "inputs",
        about: "what run reads: files, URLs, lists, crawls, samples, shards",
        text: include_str!("topics/inputs.txt"),
    },
    Topic {
        name: "formats",
        about: "files you write: agents, URLs, dialects, cases",
        text: include_str!("topics/formats.txt"),
    },
    Topic {
        name: "datasets",
        about: "folders of a dataset, interrupted runs, clusters",
        text: include_str!("topics/datasets.txt"),
    },
    Topic {
        name: "outputs",
        about: "datasets in S3: access, disk, workers, queries",
        text: include_str!("topics/outputs.txt"),
    },
    Topic {
        name: "verdicts",
        about: "how a verdict is reached, and how verdicts are stored",
        text: include_str!("topics/verdicts.txt"),
    },
    Topic {
        name: "meta-tags",
        about: "what pages state: meta robots, X-Robots-Tag, rel",
        text: include_str!("topics/meta-tags.txt"),
    },
    Topic {
        name: "hosts",
        about: "how to count hosts and registered domains in SQL",
        text: include_str!("topics/hosts.txt"),
    },
    Topic {
        name: "limits",
        about: "limits of sizes and memory, and what is not evaluated",
        text: include_str!("topics/limits.txt"),
    },
    Topic {
        name: "exit-codes",
        about: "exit codes, and what is written where",
        text: include_str!("topics/exit-codes.txt"),
    },
];

/// What `--help` of a command adds to its examples.
const REFERENCES: &[(&str, &str)] = &[
    ("compare", include_str!("topics/compare.txt")),
    ("dialects", include_str!("topics/dialects.txt")),
    ("tables", include_str!("topics/tables.txt")),
    ("finish", include_str!("topics/finish.txt")),
    ("query", include_str!("topics/query.txt")),
    ("report", include_str!("topics/report.txt")),
];

/// Returns the command line with its help: as wide as the terminal up to a limit, else 80 columns.
pub fn command() -> clap::Command {
    let is_terminal = io::stdout().is_terminal() || io::stderr().is_terminal();
    let mut command = match is_terminal {
        true => Cli::command().max_term_width(MAX_WIDTH),
        false => Cli::command().term_width(WIDTH),
    };
    for &(name, reference) in REFERENCES {
        command = command.mut_subcommand(name, |command| {
            let examples = command.get_after_help().cloned().unwrap_or_default();
            let text = format!("{examples}\n\n{}", filled_in(reference));
            command.after_long_help(text)
        });
    }
    command.after_help(overview())
}

/// Prints the help of the program, of a command or of a topic.
pub fn run(args: &HelpArgs) -> anyhow::Result<ExitCode> {
    let mut command = command();
    command.build();
    let Some(name) = &args.topic else {
        command.print_long_help()?;
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) {
        io::stdout().write_all(filled_in(topic.text).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let declared = Cli::command();
    let commands: Vec<_> = declared
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    match command.find_subcommand_mut(name) {
        Some(command) => command.print_long_help()?,
        None => {
            let topics = TOPICS.iter().map(|topic| topic.name.to_owned());
            let known: Vec<_> = commands.into_iter().chain(topics).collect();
            bail!(
                "help: expected a command or a topic, one of {}, but found {name:?}",
                known.join(", ")
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns what the help of the program has below its commands.
fn overview() -> String {
    let mut text = "Topics:\n".to_owned();
    for topic in TOPICS {
        // Writing into a string cannot fail; nor can it below.
        let _ = writeln!(text, "  {:<10}  {}", topic.name, topic.about);
    }
    text.push_str(
        "\n\"robocensus help COMMAND\" and \"robocensus help TOPIC\" explain more.\n\n\
         Exit codes: 0 complete; 1 finished, but something is damaged or does not hold;\n\
         2 stopped, or wrong usage.",
    );
    text
}

/// Replaces the names in braces of a text by what the program knows.
fn filled_in(text: &str) -> String {
    let limits = Limits::default();
    let count = |n: usize| HumanCount(n as u64).to_string();
    text.replace("{dialects}\n", &dialects())
        .replace("{tables}\n", &tables())
        .replace("{faults}\n", &faults())
        .replace("{max-lines}", &count(MAX_LINES))
        .replace("{max-body}", &size(DEFAULT_MAX_BODY as u64))
        .replace("{max-header}", &size(limits.header as u64))
        .replace("{max-member}", &size(limits.member))
        .replace("{part-size}", &size(DEFAULT_PART_BYTES))
}

fn dialects() -> String {
    let lines = NAMES.iter().map(|name| {
        let default = if *name == REFERENCE { " (default)" } else { "" };
        let work = format!("{}{default}", work(name).unwrap_or_default());
        listed(name, 14, &work)
    });
    lines.collect()
}

fn tables() -> String {
    let lines = TABLES
        .iter()
        .chain(&PAGE_TABLES)
        .map(|table| listed(table.name, 15, table.about));
    lines.collect()
}

fn faults() -> String {
    let lines = FaultKind::ALL.iter().map(|kind| {
        let mark = if kind.loses_records() { "*" } else { "" };
        listed(&format!("{}{mark}", kind.code()), 25, kind.sentence())
    });
    lines.collect()
}

/// Returns an entry of a list: a name in a column of `width`, and a text that is wrapped next to
/// it.
fn listed(name: &str, width: usize, text: &str) -> String {
    let indent = width + 4;
    let mut lines = super::wrap::wrapped(text, WIDTH - indent).into_iter();
    let first = lines.next().unwrap_or_default();
    let mut entry = format!("  {name:<width$}  {first}\n");
    for line in lines {
        let _ = writeln!(entry, "{:indent$}{line}", "");
    }
    entry
}

/// Returns a size in the unit in which it is a whole number.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let unit = (bytes.trailing_zeros() as usize / 10).min(UNITS.len() - 1);
    format!("{} {}", bytes >> (10 * unit), UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> impl Iterator<Item = (&'static str, String)> {
        let topics = TOPICS.iter().map(|topic| (topic.name, topic.text));
        let all = topics.chain(REFERENCES.iter().copied());
        all.map(|(name, text)| (name, filled_in(text)))
    }

    #[test]
    fn texts_have_80_columns_and_no_names_in_braces_left() {
        for (name, text) in texts() {
            for line in text.lines() {
                assert!(line.chars().count() <= WIDTH, "{name}: {line}");
            }
            for name_left in ["{dialects}", "{tables}", "{faults}", "{max-", "{part-"] {
                assert!(!text.contains(name_left), "{name}: {name_left}");
            }
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
        }
    }

    #[test]
    fn a_topic_has_not_the_name_of_a_command() {
        let command = command();
        for topic in TOPICS {
            assert!(command.find_subcommand(topic.name).is_none());
        }
        for (name, _) in REFERENCES {
            assert!(command.find_subcommand(name).is_some(), "{name}");
        }
    }

    #[test]
    fn sizes_are_whole_numbers() {
        let sizes = [512, 128 << 10, 8 << 20, 1 << 30, 1536].map(size);
        assert_eq!(
            sizes,
            ["512 bytes", "128 KiB", "8 MiB", "1 GiB", "1536 bytes"]
        );
    }
}
