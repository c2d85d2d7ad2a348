//! `warc::Reader` on small archives that are built here, for every form and damage that is known
//! from practice.

mod borders;
mod cuts;
mod frames;
mod hostile;
mod lengths;
mod limits;
mod mixed;
mod table;

use std::io::Read;

use robocensus::{
    archive::warc::{FaultKind, Limits, Reader},
    sample::random::Random,
};

use super::{blocks, framed, frames, members, zstd_frame as frame};
use crate::{
    properties::archive::{self, ReadOutcome, ReadRecord},
    util::gzip as member,
};

/// The block of record `name`.
fn body(name: char) -> String {
    format!("HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /{name}\n")
}

/// A record of host `name` with an edited header, without the line ends after it.
fn open_record(name: char, block: &[u8], edit: impl Fn(String) -> String) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{name}.example/robots.txt\r\nWARC-Date: 2025-01-01T00:00:00Z\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [edit(header).as_bytes(), block].concat()
}

/// A regular record of host `name`.
fn record(name: char) -> Vec<u8> {
    edited(name, |header| header)
}

/// A record of host `name` whose header was edited.
fn edited(name: char, edit: impl Fn(String) -> String) -> Vec<u8> {
    ended(name, body(name).as_bytes(), edit)
}

/// A record of host `name` with an edited header, and the line ends after it.
fn ended(name: char, block: &[u8], edit: impl Fn(String) -> String) -> Vec<u8> {
    [&open_record(name, block, edit)[..], b"\r\n\r\n"].concat()
}

/// A record of host `name` with one part of its header replaced.
fn with(name: char, from: &str, to: &str) -> Vec<u8> {
    edited(name, |header| {
        assert!(header.contains(from), "{from}");
        header.replacen(from, to, 1)
    })
}

/// A record of host `name` that declares `length` bytes of block.
fn declaring(name: char, length: &str) -> Vec<u8> {
    let right = format!("Content-Length: {}", body(name).len());
    with(name, &right, &format!("Content-Length: {length}"))
}

/// The records a and c with `b` between them, each in a member.
fn around(b: &[u8]) -> Vec<u8> {
    members(&[record('a'), b.to_vec(), record('c')])
}

/// The records a and c in a member each, and between them raw bytes.
fn around_raw(b: &[u8]) -> Vec<u8> {
    [member(&record('a')), b.to_vec(), member(&record('c'))].concat()
}

/// The records a, b and c.
fn abc() -> Vec<u8> {
    ['a', 'b', 'c'].map(record).concat()
}

/// Bytes with those at `at` inverted.
fn inverted(mut bytes: Vec<u8>, at: std::ops::Range<usize>) -> Vec<u8> {
    bytes[at].iter_mut().for_each(|byte| *byte ^= 0xff);
    bytes
}

/// Record b in a member whose CRC is wrong.
fn bad_crc() -> Vec<u8> {
    let b = member(&record('b'));
    let at = b.len() - 8;
    inverted(b, at..at + 1)
}

impl ReadRecord {
    /// The host's first letter; a dash where there is no URI.
    fn host(&self) -> char {
        let uri = self.uri.as_deref().unwrap_or(b"http://-");
        let host = uri.strip_prefix(b"http://").and_then(<[u8]>::first);
        host.map_or('?', |&byte| char::from(byte))
    }
}

impl ReadOutcome {
    fn hosts(&self) -> String {
        self.records.iter().map(ReadRecord::host).collect()
    }

    /// The hosts whose records are as they were built.
    fn regular(&self) -> String {
        let is_regular =
            |seen: &&ReadRecord| !seen.is_cut && seen.block == body(seen.host()).as_bytes();
        let regular = self.records.iter().filter(is_regular);
        regular.map(ReadRecord::host).collect()
    }

    /// Asserts which hosts were read, and which faults there are.
    #[track_caller]
    fn assert_hosts(&self, hosts: &str, codes: &str) {
        let found = (self.hosts(), self.codes());
        assert_eq!(found, (hosts.into(), codes.into()), "{:?}", self.faults);
    }

    /// Asserts which records were read as they were built, and which faults there are.
    #[track_caller]
    fn assert_regular(&self, hosts: &str, codes: &str) {
        let found = (self.regular(), self.codes());
        assert_eq!(found, (hosts.into(), codes.into()), "{:?}", self.faults);
    }

    fn codes(&self) -> String {
        let codes: Vec<_> = self
            .faults
            .iter()
            .map(|fault| fault.kind.as_str())
            .collect();
        codes.join(" ")
    }
}

/// Reads an archive of unknown size and checks what must hold for any.
fn read_from(source: &mut dyn Read, limits: Limits) -> ReadOutcome {
    read_sized(source, None, limits)
}

fn read_sized(source: &mut dyn Read, size: Option<u64>, limits: Limits) -> ReadOutcome {
    let mut reader = Reader::new(limits);
    reader.begin(size);
    let outcome = archive::read(&mut reader, source);
    archive::check_sums(&outcome, outcome.counts.bytes as usize, limits);
    outcome
}

fn read_known(bytes: &[u8]) -> ReadOutcome {
    read_sized(&mut &bytes[..], Some(bytes.len() as u64), Limits::default())
}

fn read(bytes: &[u8]) -> ReadOutcome {
    let outcome = read_from(&mut &bytes[..], Limits::default());
    assert_eq!(outcome.counts.bytes, bytes.len() as u64);
    outcome
}

/// Bytes that do not deflate, the same for the same seed.
fn noise(n: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    (0..n).map(|_| random.below(256) as u8).collect()
}
