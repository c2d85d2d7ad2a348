//! The command line: exit codes, one sentence for what is wrong, help, and what is written where.
//!
//! 0 is complete, 1 is finished with archives that were damaged or skipped, 2 is stopped or wrong
//! usage.

#[cfg(unix)]
mod folders;
#[cfg(unix)]
mod help;
mod input;
mod output;
mod progress;
#[cfg(unix)]
mod readme;
mod summary;
mod tables;
#[cfg(unix)]
mod terminal;
mod usage;

#[cfg(unix)]
use std::process::{Command, Stdio};

use crate::util::{Census, Dir, gzip, response};

/// Returns a small whole archive.
fn good() -> Vec<u8> {
    let body = "User-agent: *\nDisallow: /\n";
    gzip(&response("https://good.example/robots.txt", body))
}

/// Returns a line of a shell that is to run in a folder.
#[cfg(unix)]
fn shell_in(dir: &Dir, line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(dir.path("."));
    command.stdin(Stdio::null());
    command
}

/// Returns the dataset `census`.
fn census(dir: &Dir) -> Census {
    Census(dir.path("census"))
}

/// Returns its hosts, sorted.
fn hosts(dir: &Dir) -> Vec<String> {
    let mut hosts = census(dir).table("captures").all_texts("url_host_name");
    hosts.sort();
    hosts
}
