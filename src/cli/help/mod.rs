//! `robocensus help`: how help is laid out, and its topics, the pages of `docs/`.

mod page;

use std::io::{self, IsTerminal};

use anyhow::bail;
use clap::CommandFactory;

use self::page::for_terminal;
use super::{args::Cli, escape::print};

/// Width of help in files and pipes.
const WIDTH: usize = 80;
/// Width of help on wide terminals; longer lines are hard to read.
const MAX_WIDTH: usize = 100;

/// Names of values that are numbers.
const NUMBERS: [&str; 8] = [
    "BYTES", "CODE", "DURATION", "I/N", "ID", "N", "PERCENT", "S",
];

/// A page of `docs/`.
struct Topic {
    name: &'static str,
    about: &'static str,
    page: &'static str,
}

macro_rules! topics {
    ($($name:literal: $about:literal,)+) => {
        const TOPICS: &[Topic] = &[$(Topic {
            name: $name,
            about: $about,
            page: include_str!(concat!("../../../docs/", $name, ".md")),
        },)+];
    };
}

topics! {
    "examples": "examples of each command",
    "inputs": "what run reads: files, URLs, lists, crawls, samples, shards",
    "formats": "files you write: agents, URLs, dialects, cases",
    "datasets": "folders of a dataset, interrupted runs, clusters",
    "tables": "tables and their columns",
    "sql": "queries, views, variables, charts, reports",
    "history": "which fetch of a host counts, redirects, crawls",
    "verdicts": "how a verdict is reached, and the dialects",
    "meta-tags": "what pages state: meta robots, X-Robots-Tag, rel",
    "comparing-parsers": "causes of flips, and the protocol of external parsers",
    "publishing": "data card, Croissant, citation and digests of a dataset",
    "python": "the Python package",
    "spark-and-s3": "datasets in S3, and runs on Spark",
    "limits": "limits of sizes and memory, and what is not evaluated",
    "performance": "what is measured, and what was missed",
    "exit-codes": "exit codes, variables, and what is written where",
}

/// The page whose sections are the examples of the commands.
const EXAMPLES: &str = include_str!("../../../docs/examples.md");

/// Commands that a topic explains further.
const EXPLAINED: &[(&str, &str)] = &[
    ("run", "inputs"),
    ("check", "verdicts"),
    ("compare", "comparing-parsers"),
    ("corpus", "comparing-parsers"),
    ("dialects", "verdicts"),
    ("finish", "history"),
    ("publish", "publishing"),
    ("query", "sql"),
    ("report", "sql"),
    ("verify", "datasets"),
];

/// Returns the command line with its help: as wide as the terminal up to a limit, else 80 columns.
pub fn command() -> clap::Command {
    let is_terminal = io::stdout().is_terminal() || io::stderr().is_terminal();
    let command = Cli::command()
        .mut_subcommands(|command| with_examples(command.mut_args(with_hyphen)))
        .after_help(overview());
    if is_terminal {
        command.max_term_width(MAX_WIDTH)
    } else {
        command.term_width(WIDTH)
    }
}

/// Adds to the help of a command its section of the page of examples.
fn with_examples(command: clap::Command) -> clap::Command {
    let name = command.get_name();
    let Some((_, section)) = EXAMPLES.split_once(&format!("\n## {name}\n")) else {
        return command;
    };
    let section = section.split("\n## ").next().unwrap_or_default();
    // A command stands directly below what it is for.
    let examples = for_terminal(section, WIDTH).replace("\n\n    ", "\n    ");
    let topic = EXPLAINED.iter().find(|(explained, _)| *explained == name);
    let topic = topic.map(|(_, topic)| format!("\n\"robocensus help {topic}\" explains more."));
    command.after_help(format!(
        "Examples:\n{examples}{}",
        topic.unwrap_or_default()
    ))
}

/// Lets the value of a flag be a negative number, so that the message is about the value.
fn with_hyphen(arg: clap::Arg) -> clap::Arg {
    let mut names = arg.get_value_names().into_iter().flatten();
    let is_number = names.any(|name| NUMBERS.contains(&name.as_str()));
    arg.allow_hyphen_values(is_number)
}

/// Prints the help of the program, of a command, or a topic; of a name that is both, both.
pub fn run(topic: Option<&str>) -> anyhow::Result<()> {
    let mut command = command();
    command.build();
    let Some(name) = topic else {
        command.print_long_help()?;
        return Ok(());
    };
    let topic = TOPICS.iter().find(|topic| topic.name == name);
    let names: Vec<_> = (command.get_subcommands().map(clap::Command::get_name))
        .chain(TOPICS.iter().map(|topic| topic.name))
        .map(str::to_owned)
        .collect();
    let subcommand = command.find_subcommand_mut(name);
    if subcommand.is_none() && topic.is_none() {
        bail!(
            "help: expected a command or a topic, one of {}, but found {name:?}",
            names.join(", ")
        );
    }
    if let Some(subcommand) = subcommand {
        subcommand.print_long_help()?;
        if topic.is_some() {
            println!();
        }
    }
    if let Some(topic) = topic {
        print(&for_terminal(topic.page, WIDTH))?;
    }
    Ok(())
}

/// Returns what the help of the program has below its commands.
fn overview() -> String {
    let topics = TOPICS.iter();
    let topics = topics.map(|topic| format!("  {:<17}  {}\n", topic.name, topic.about));
    let topics: String = topics.collect();
    format!(
        "Topics:\n{topics}\n\
         \"robocensus help COMMAND\" and \"robocensus help TOPIC\" explain more.\n\n\
         Exit codes: 0 complete; 1 finished, but something is damaged or does not hold;\n\
         2 stopped, or wrong usage."
    )
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use indicatif::HumanCount;
    use robocensus::{
        archive::warc::FaultKind,
        dataset::run::{DEFAULT_MAX_BODY, DEFAULT_PART_BYTES, Limits},
        robots::{
            dialect::{NAMES, work},
            lines::MAX_LINES,
        },
    };

    use super::*;

    fn page(name: &str) -> &'static str {
        let topic = TOPICS.iter().find(|topic| topic.name == name);
        topic.expect("it is a topic").page
    }

    #[test]
    fn every_page_is_a_topic_of_80_columns() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let files = fs::read_dir(docs).expect("there is the folder");
        let pages: BTreeSet<_> = files
            .map(|file| file.expect("it can be read").path())
            .filter(|path| path.extension().is_some_and(|end| end == "md"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        let topics = TOPICS.iter().map(|topic| topic.name.to_owned());
        assert_eq!(pages, topics.collect());
        for topic in TOPICS {
            for line in for_terminal(topic.page, WIDTH).lines() {
                assert!(line.chars().count() <= WIDTH, "{}: {line}", topic.name);
            }
        }
    }

    #[test]
    fn commands_are_explained_by_topics() {
        let command = command();
        for (name, topic) in EXPLAINED {
            assert!(command.find_subcommand(name).is_some(), "{name}");
            assert!(TOPICS.iter().any(|known| known.name == *topic), "{topic}");
        }
    }

    #[test]
    fn pages_list_what_the_program_knows() {
        for name in NAMES {
            let work = work(name).expect("it is built in");
            let row = format!("| `{name}` | {work}");
            assert!(page("verdicts").contains(&row), "{row}");
        }
        for kind in FaultKind::ALL {
            let mark = if kind.loses_records() { "*" } else { "" };
            let row = format!("| `{}`{mark} | {} |\n", kind.as_str(), kind.sentence());
            assert!(page("inputs").contains(&row), "{row}");
        }
    }

    #[test]
    fn limits_are_those_of_the_program() {
        let limits = Limits::default();
        let lines = HumanCount(MAX_LINES as u64);
        for wanted in [
            format!("| {} (`--max-body`)", size(DEFAULT_MAX_BODY as u64)),
            format!("and {lines} lines;"),
            format!("| {} (`--max-header`)", size(limits.header as u64)),
            format!("| {} inflated since", size(limits.member)),
            format!("| {} of archives (`--part-size`)", size(DEFAULT_PART_BYTES)),
        ] {
            assert!(page("limits").contains(&wanted), "{wanted}");
        }
    }

    /// Returns a size in the unit in which it is a whole number.
    fn size(bytes: u64) -> String {
        const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
        let unit = (bytes.trailing_zeros() as usize / 10).min(UNITS.len() - 1);
        format!("{} {}", bytes >> (10 * unit), UNITS[unit])
    }
}
