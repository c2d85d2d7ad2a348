//! Archives of files.

use serde_json::Value;

use crate::util::{Dir, gzip, read_json, response};

/// Returns an archive with a capture of each body, each on a host of its own.
pub fn archive_of(bodies: &[Vec<u8>]) -> Vec<u8> {
    let records = bodies.iter().enumerate();
    let records = records.map(|(n, body)| gzip(&record(&format!("host-{n:03}.example"), body)));
    records.collect::<Vec<_>>().concat()
}

/// Returns a record of a robots.txt of any bytes.
pub fn record(host: &str, body: &[u8]) -> Vec<u8> {
    response(&format!("https://{host}/robots.txt"), body)
}

/// Returns the totals of a comparison.
pub fn totals(dir: &Dir, out: &str) -> Value {
    let mut description: Value = read_json(dir.path(out).join("_comparison.json"));
    description["totals"].take()
}
