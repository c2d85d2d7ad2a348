//! Files in archives, compared again and again.

use serde_json::Value;

use super::command::compare;
use crate::util::{Census, Dir, Table, TestCommand, gzip, read_json, response};

/// Files in an archive, and what the last comparison over them found.
pub struct ComparedFiles {
    pub dir: Dir,
    pub archive: String,
}

impl ComparedFiles {
    /// Has a capture of each body, each on a host of its own.
    pub fn of(bodies: &[impl AsRef<[u8]>]) -> Self {
        Self::in_archive(archive_of(bodies))
    }

    pub fn in_archive(bytes: Vec<u8>) -> Self {
        let dir = Dir::new();
        let archive = dir.write("files.warc.gz", bytes);
        Self { dir, archive }
    }

    /// Returns a comparison into the folder `out`; `flags` have blanks between.
    pub fn compare(&self, sides: [&str; 2], flags: &str) -> TestCommand {
        self.compare_into("out", sides, flags)
    }

    /// Returns a comparison into another folder, which may have an earlier one.
    pub fn compare_into(&self, out: &str, sides: [&str; 2], flags: &str) -> TestCommand {
        let flags: Vec<_> = flags.split_whitespace().collect();
        let command = compare(sides[0], sides[1], &[&self.archive, "--overwrite"]);
        command.words(&["--out", &self.dir.word(out)]).words(&flags)
    }

    /// Returns a table of the comparison in the folder `out`.
    pub fn table(&self, name: &str) -> Table {
        Census(self.dir.path("out")).table(name)
    }

    pub fn totals(&self) -> Value {
        totals(&self.dir, "out")
    }
}

/// Returns an archive with a capture of each body, each on a host of its own.
pub fn archive_of(bodies: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let records = bodies.iter().enumerate();
    let records = records.map(|(n, body)| gzip(&record(&format!("host-{n:03}.example"), body)));
    records.collect::<Vec<_>>().concat()
}

/// Returns an archive with captures of one body on these hosts.
pub fn archive_of_copies(hosts: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let records = hosts.iter().map(|host| gzip(&record(host, &body)));
    records.collect::<Vec<_>>().concat()
}

/// Returns a record of a robots.txt of any bytes.
pub fn record(host: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    response(&format!("https://{host}/robots.txt"), body)
}

/// Returns the totals of a comparison.
pub fn totals(dir: &Dir, out: &str) -> Value {
    let mut description: Value = read_json(dir.path(out).join("_comparison.json"));
    description["totals"].take()
}
