//! The program as a command: words and standard input in, exit code and what it said out.

use std::{
    io::{Read, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde::de::DeserializeOwned;

/// How long a program may take that must not wait for ever, however slow the machine is.
const WATCHDOG: Duration = Duration::from_secs(600);

/// The program with its words.
pub struct TestCommand {
    command: Command,
    stdin: Vec<u8>,
}

/// What became of a command.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Returns the command `robocensus run`.
pub fn run<S: AsRef<str>>(words: &[S]) -> TestCommand {
    TestCommand::new(["run"]).words(words)
}

/// Runs with these words into a folder, which must be complete, and returns the folder.
pub fn run_into<S: AsRef<str>>(out: PathBuf, words: &[S]) -> PathBuf {
    let command = run(words).words(&["--out", out.to_str().unwrap()]);
    command.succeed();
    out
}

/// Returns what `robocensus check - WORDS` prints about a file on standard input; `words` are
/// separated by spaces.
pub fn check(words: &str, robots: impl Into<Vec<u8>>) -> String {
    let command = TestCommand::line("check -").words(&words.split(' ').collect::<Vec<_>>());
    command.stdin(robots.into()).succeed().stdout
}

/// Asserts that a text holds another one, and shows it otherwise.
#[track_caller]
pub fn assert_says(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} in {text}");
}

/// Asserts that a text holds these texts, which are separated by ` | `.
#[track_caller]
pub fn assert_says_all(text: &str, parts: &str) {
    for part in parts.split(" | ") {
        assert_says(text, part);
    }
}

/// Asserts how a text begins, and shows it otherwise.
#[track_caller]
pub fn assert_begins(text: &str, part: &str) {
    assert!(text.starts_with(part), "{part:?} in {text}");
}

/// Sends a program a signal, by its name or number.
#[cfg(unix)]
pub fn signal(child: &Child, name: &str) {
    let words = [format!("-{name}"), child.id().to_string()];
    let sent = Command::new("kill").args(words).status();
    assert!(sent.unwrap().success());
}

/// Starts a program with pipes for what it says.
pub fn piped(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for a program whose output is piped; one that does not end is killed and fails the test.
pub fn ended(mut child: Child) -> Ran {
    let begun = Instant::now();
    // Both are read while it runs: a pipe holds 64 KiB.
    let stdout = read_in_the_background(child.stdout.take());
    let stderr = read_in_the_background(child.stderr.take());
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > WATCHDOG {
            child.kill().unwrap();
            panic!("it does not end: {:?} {:?}", stdout.join(), stderr.join());
        }
        thread::sleep(Duration::from_millis(5));
    };
    Ran {
        code: status.code().expect("the program ends by itself"),
        stdout: stdout.join().unwrap(),
        stderr: stderr.join().unwrap(),
    }
}

/// Reads text to its end in a thread; none if the output is not piped or was taken.
fn read_in_the_background(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_string(&mut text).unwrap();
        }
        text
    })
}

impl TestCommand {
    /// Returns the program with words that are separated by spaces.
    pub fn line(words: &str) -> Self {
        Self::new(words.split(' '))
    }

    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
        command.args(words);
        Self {
            command,
            stdin: Vec::new(),
        }
    }

    pub fn words<S: AsRef<str>>(mut self, words: &[S]) -> Self {
        self.command.args(words.iter().map(AsRef::as_ref));
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn stdin(mut self, bytes: Vec<u8>) -> Self {
        self.stdin = bytes;
        self
    }

    /// Starts the command with pipes for its input and for what it says.
    pub fn start(mut self) -> Child {
        piped(self.command.stdin(Stdio::piped()))
    }

    /// Runs the command to its end; it must not be killed by a signal, and must not panic.
    pub fn end(mut self) -> Ran {
        let bytes = std::mem::take(&mut self.stdin);
        let mut child = self.start();
        let mut stdin = child.stdin.take().unwrap();
        let writer = thread::spawn(move || {
            // A program that does not read its input closes the pipe, which is its right.
            let _ = stdin.write_all(&bytes);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let ran = Ran {
            code: output.status.code().expect("the program ends by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    }

    /// Runs a command that needs DuckDB to its end, or to nothing where there is none; the test is
    /// then skipped, and says so.
    pub fn end_in_duckdb(self) -> Option<Ran> {
        let ran = self.end();
        if ran.stderr.contains("no duckdb on the PATH") {
            eprintln!("skipped: {}", ran.stderr.trim());
            return None;
        }
        Some(ran)
    }

    /// Runs the command, which must be complete.
    pub fn succeed(self) -> Ran {
        self.end_with(0)
    }

    /// Runs the command, which must be complete, and returns the JSON that it prints.
    pub fn json<T: DeserializeOwned>(self) -> T {
        serde_json::from_str(&self.succeed().stdout).unwrap()
    }

    /// Runs the command, which must end with this exit code.
    pub fn end_with(self, code: i32) -> Ran {
        let ran = self.end();
        assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
        ran
    }

    /// Runs the command, which must stop and say this on standard error, whatever else it says.
    pub fn stop(self, says: &str) -> Ran {
        let ran = self.end_with(2);
        assert_says(&ran.stderr, says);
        ran
    }

    /// Runs the command, which must stop with exactly one line on standard error that holds all
    /// these texts, and nothing on standard output.
    pub fn refuse(self, says: &[&str]) {
        self.end().assert_refused(says);
    }
}

impl Ran {
    /// Asserts that a command stopped as `refuse` requires.
    pub fn assert_refused(&self, says: &[&str]) {
        assert_eq!(self.code, 2, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        assert_begins(&self.stderr, "robocensus: ");
        for text in says {
            assert_says(&self.stderr, text);
        }
    }
}
