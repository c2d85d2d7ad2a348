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

use crate::util::{Census, Dir, gzip, response};

/// Returns a small whole archive.
fn good() -> Vec<u8> {
    gzip(&response(
        "https://good.example/robots.txt",
        "User-agent: *\nDisallow: /\n",
    ))
}

/// Returns the hosts of the dataset `census`, sorted.
fn hosts(dir: &Dir) -> Vec<String> {
    let mut hosts = Census(dir.path("census"))
        .table("captures")
        .all_texts("url_host_name");
    hosts.sort();
    hosts
}
