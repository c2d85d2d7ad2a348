//! Fetches as records that a sorter puts in order: what they are sorted by, then all of the fetch
//! as postcard writes it.

use std::io::Write;

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

use crate::{
    dataset::{
        redirect::Redirect,
        table::hosts::{HostEnd, HostRow, SetIds},
    },
    robots::dialect::Access,
};

/// A fetch of a robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Fetch<'a> {
    #[serde(borrow)]
    pub(super) row: HostRow<'a>,
    /// Whether it determines the robots.txt: a file, or that there is none. After 304, 429, 5xx, no
    /// readable answer, or redirects to a capture that is not in the crawl it remains unknown.
    pub(super) is_answer: bool,
}

/// A capture whose file applies to a fetch; 64 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) columns: HostEnd,
    /// What it decides itself.
    pub(super) access: Access,
    /// The keys of its verdicts and policies.
    pub(super) sets: SetIds,
}

/// Longest key of a domain, since keys are held: names of DNS have 253 characters at most.
const MAX_DOMAIN_KEY: usize = 256;
/// Bytes that fetches of an origin are sorted by.
const RANK_BYTES: usize = 1 + 2 * size_of::<u64>();

/// Writes the record of a fetch whose row is complete. Records are in the order of domain, host and
/// origin, and of an origin that of the fetch that counts comes first: an answer before any other,
/// then the latest, of which the time may be unknown, then the one of the greatest `capture_id`.
pub(super) fn write_fetch(fetch: &Fetch<'_>, record: &mut Vec<u8>) {
    let row = &fetch.row;
    let time = row.fetch_time.unwrap_or(Redirect::NO_TIME);
    record.clear();
    // None of the texts has a zero byte, so that each sorts before those that it begins.
    write!(
        record,
        "{}\0{}\0{}\0",
        row.domain(),
        row.url_host_name,
        row.origin()
    )
    .expect(MEMORY);
    record.push(u8::from(!fetch.is_answer));
    record.extend_from_slice(&(!in_order(time)).to_be_bytes());
    record.extend_from_slice(&(!in_order(row.fetch_capture_id)).to_be_bytes());
    postcard::to_io(fetch, record).expect(MEMORY);
}

/// Reads what [`write_fetch`] wrote.
pub(super) fn read_fetch(record: &[u8]) -> Fetch<'_> {
    let fetch = &record[origin_key(record).len() + RANK_BYTES..];
    // This process wrote it, so that a read that fails is a defect of this program.
    postcard::from_bytes(fetch).expect("a record has what was written to it")
}

/// Returns the first bytes of what [`write_fetch`] wrote, which all fetches of a domain share. Only
/// domains whose names are longer than those of DNS may share them too.
pub(super) fn domain_key(record: &[u8]) -> &[u8] {
    let key = first_texts::<1>(record);
    &key[..key.len().min(MAX_DOMAIN_KEY)]
}

/// Returns the first bytes of what [`write_fetch`] wrote, which all fetches of an origin share and
/// no others.
pub(super) fn origin_key(record: &[u8]) -> &[u8] {
    first_texts::<3>(record)
}

/// Returns the first texts of a fetch, with the zero bytes that end them.
fn first_texts<const N: usize>(record: &[u8]) -> &[u8] {
    let end = memchr_iter(0, record).nth(N - 1);
    &record[..=end.expect("domain, host and origin begin the record")]
}

/// Returns a number whose order as bytes, the highest first, is that of `n`.
fn in_order(n: i64) -> u64 {
    n.cast_unsigned() ^ 1 << 63
}

const MEMORY: &str = "memory takes every value";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{redirect::Outcome, table::hosts::HostRedirect};

    const ALL: Fetch<'_> = Fetch {
        row: HostRow {
            fetch_capture_id: 7,
            url_host_name: "www.a.example",
            url_host_tld: Some("example"),
            url_host_registered_domain: Some("a.example"),
            url_protocol: "http",
            url_port: Some(8080),
            fetch_time: Some(-1),
            fetch_status: Some(301),
            redirect: Some(HostRedirect {
                outcome: Outcome::Resolved,
                hops: 2,
            }),
            end: Some(HostEnd {
                capture_id: -3,
                fetch_status: Some(200),
                is_html: true,
                is_robots_txt: false,
            }),
            access: Access::FullDisallow,
            sets: SetIds {
                verdicts: Some(4),
                policies: None,
            },
        },
        is_answer: true,
    };
    const NONE: Fetch<'_> = Fetch {
        row: HostRow {
            url_host_tld: None,
            url_host_registered_domain: None,
            url_port: None,
            fetch_time: None,
            fetch_status: None,
            redirect: None,
            end: None,
            sets: SetIds {
                verdicts: None,
                policies: None,
            },
            ..ALL.row
        },
        is_answer: false,
    };

    fn record(write: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
        // What a buffer had before does not matter.
        let mut record = b"before".to_vec();
        write(&mut record);
        record
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        for fetch in [ALL, NONE] {
            let written = record(|record| write_fetch(&fetch, record));
            assert_eq!(read_fetch(&written), fetch);
        }
        assert_eq!(size_of::<End>(), 64);
    }

    #[test]
    fn fetches_are_in_the_order_of_the_table_and_the_one_that_counts_comes_first() {
        let changed = |change: fn(&mut Fetch<'_>)| {
            let mut fetch = ALL;
            change(&mut fetch);
            record(|record| write_fetch(&fetch, record))
        };
        let with = |change: fn(&mut HostRow<'_>)| {
            let mut fetch = ALL;
            change(&mut fetch.row);
            record(|record| write_fetch(&fetch, record))
        };
        let records = [
            with(|row| row.url_host_registered_domain = Some("a.exampl")),
            with(|row| row.url_host_name = "a.example"),
            with(|row| row.url_port = None),
            with(|row| row.fetch_time = Some(5)),
            with(|row| row.fetch_time = Some(0)),
            with(|row| row.fetch_capture_id = 8),
            with(|_| {}),
            with(|row| row.fetch_capture_id = -8),
            with(|row| row.fetch_time = None),
            changed(|fetch| (fetch.is_answer, fetch.row.fetch_time) = (false, Some(5))),
            changed(|fetch| (fetch.is_answer, fetch.row.fetch_time) = (false, None)),
            with(|row| row.url_protocol = "https"),
            // A host without a registered domain is a domain of its own.
            with(|row| row.url_host_registered_domain = None),
        ];
        assert!(records.is_sorted_by(|a, b| a < b));
        let keys: Vec<_> = records.iter().map(|record| domain_key(record)).collect();
        assert_eq!(&keys[..2], [b"a.exampl\0".as_slice(), b"a.example\0"]);
        assert!(keys[1..12].iter().all(|key| key == &keys[1]));
        let long = "a".repeat(300);
        let fetch = Fetch {
            row: HostRow {
                url_host_registered_domain: Some(&long),
                ..ALL.row
            },
            ..ALL
        };
        assert_eq!(
            domain_key(&record(|record| write_fetch(&fetch, record))).len(),
            256
        );
    }
}
