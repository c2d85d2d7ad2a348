//! What all tests share: temporary folders, the program as a command, archives made by hand and
//! datasets read back.

mod answer;
mod census;
mod command;
mod decide;
mod generated;
mod made;
mod parser;
mod terminal;

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use serde::de::DeserializeOwned;

#[cfg(unix)]
pub use self::command::signal;
pub use self::{
    answer::{answer, client, column, duckdb, lines, query, rows_of_duckdb},
    census::{Census, Files, Table, assert_same_files, below, of_tables, origin_of, tally},
    command::{
        Ran, TestCommand, assert_begins, assert_says, assert_says_all, check, ended,
        ended_with_peak, piped, run, run_into,
    },
    decide::evidence,
    generated::{CRAWL, Generated, committed, generated, lasting},
    made::{
        Held, answered, gzip, open_failing, read, record, response, response_with, run_alone,
        sample, write_archives, write_parquet,
    },
    parser::parser,
    terminal::on_a_terminal,
};

/// Ends a test, as passed, where what it needs is not here; who looked for it has said so.
macro_rules! or_skip {
    ($needed:expr) => {
        match $needed {
            Some(found) => found,
            None => return,
        }
    };
}
pub(crate) use or_skip;

/// A temporary folder, deleted when it is dropped.
pub struct Dir(tempfile::TempDir);

impl Dir {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Makes one that a static may hold: a later process deletes it.
    pub fn lasting(name: &str) -> Self {
        Self(tempfile::tempdir_in(lasting(name)).unwrap())
    }

    /// Returns the path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the same as a word of a command line.
    pub fn word(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Writes a file, makes the folders that it needs, and returns its path as a word of a command
    /// line.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        self.word(name)
    }

    /// Writes an archive of what these URLs serve, and returns its path as a word of a command
    /// line.
    pub fn archive(&self, name: &str, files: &[(impl AsRef<str>, impl AsRef<[u8]>)]) -> String {
        let members = files
            .iter()
            .map(|(url, body)| gzip(&response(url.as_ref(), body)));
        self.write(name, members.collect::<Vec<_>>().concat())
    }
}

/// Makes a named pipe.
#[cfg(unix)]
pub fn make_pipe(path: impl AsRef<Path>) {
    let made = Command::new("mkfifo").arg(path.as_ref()).status();
    assert!(made.unwrap().success());
}

/// Returns the package's folder.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the Python for which `make` installs what tests need, or that of the machine.
pub fn python() -> Command {
    let of_tree = package().join("target/venv/bin/python");
    let mut command = if of_tree.exists() {
        Command::new(of_tree)
    } else {
        Command::new("python3")
    };
    // Large packages are compiled once, not by each process.
    command.env_remove("PYTHONDONTWRITEBYTECODE");
    command
}

/// Returns what a file of JSON holds.
pub fn read_json<T: DeserializeOwned>(path: impl AsRef<Path>) -> T {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Returns the pages that users and contributors read, with their texts.
pub fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = files_with_end(&package().join("docs"), "md");
    paths.extend(["README.md", "CONTRIBUTING.md"].map(|name| package().join(name)));
    let texts = paths.into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path, text)
    });
    texts.collect()
}

/// Returns true if and only if tests run where everything that they need must be installed:
/// `CI=true`.
pub fn is_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// Returns nothing where what a test needs is not here, so that it is skipped with a line that says
/// so, but fails with `CI=true`.
pub fn needed(is_here: bool, what: &str) -> Option<()> {
    assert!(is_here || !is_ci(), "no {what}");
    if !is_here {
        eprintln!("skipped: no {what}");
    }
    is_here.then_some(())
}

/// Returns a path of the folder that may exist next to the package. Where it does not, the test is
/// skipped with a line that says so, but fails with `CI=true`.
pub fn shared(below: &str) -> Option<PathBuf> {
    beside_the_package(&format!("../shared/{below}"), is_ci())
}

fn beside_the_package(path: &str, is_needed: bool) -> Option<PathBuf> {
    let absolute = package().join(path);
    if absolute.exists() {
        return Some(absolute);
    }
    assert!(!is_needed, "{path} is not there");
    eprintln!("skipped: {path} is not there");
    None
}

#[test]
#[should_panic(expected = "../absent is not there")]
fn an_input_that_ci_must_have_is_not_skipped() {
    assert_eq!(beside_the_package("../absent", false), None);
    beside_the_package("../absent", true);
}

/// Returns the files of a folder and below it, sorted by path.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Returns those of them whose names have this ending.
pub fn files_with_end(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|own| own == end));
    files
}

/// Returns how many files are in a folder and below it while a run writes there.
#[cfg(unix)]
pub fn n_files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    // What was there a moment ago may be gone.
    let paths = entries.flatten().map(|entry| entry.path());
    paths
        .map(|path| if path.is_dir() { n_files(&path) } else { 1 })
        .sum()
}

/// Returns what a page of Markdown quotes as code, and the lines of its code blocks without prompt
/// and comment.
pub fn quoted(markdown: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code || line.starts_with("    ") {
            let command = line.trim().trim_start_matches("$ ");
            found.push(command.split(" #").next().unwrap_or_default().trim());
        } else {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}
