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
use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

use crate::util::{Census, Dir, gzip, response};
#[cfg(unix)]
use crate::util::{Ran, ended, piped};

/// Returns a small whole archive.
fn good() -> Vec<u8> {
    let body = "User-agent: *\nDisallow: /\n";
    gzip(&response("https://good.example/robots.txt", body))
}

/// Runs a line of a shell in a folder, with the program on the PATH.
#[cfg(unix)]
fn shell(dir: &Dir, line: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_robocensus"));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [program.parent().unwrap().to_owned()];
    let folders = folders.into_iter().chain(env::split_paths(&path));
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(dir.path("."));
    command.env("PATH", env::join_paths(folders).unwrap());
    ended(piped(command.stdin(Stdio::null())))
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
