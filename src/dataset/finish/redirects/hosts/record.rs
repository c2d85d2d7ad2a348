//! Fetches, and the captures at the ends of their redirects, as records that a sorter puts in
//! order.

use std::array;

use memchr::memchr_iter;

use crate::{
    dataset::{
        redirect::{Outcome, Redirect},
        table::{
            captures::{ACCESS, access_index},
            hosts::{HostEnd, HostRedirect, HostRow, SetIds},
        },
    },
    robots::dialect::Access,
};

/// A fetch of a robots.txt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fetch<'a> {
    pub(super) row: HostRow<'a>,
    /// Whether it determines the robots.txt: a file, or that there is none. After 304, 429, 5xx, no
    /// readable answer, or redirects to a capture that is not in the crawl it remains unknown.
    pub(super) is_answer: bool,
    /// The mask of the capture whose file applies
    /// ([`category_mask`](super::super::category_mask)).
    pub(super) mask: u32,
}

/// A capture whose file applies to a fetch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    pub(super) columns: HostEnd,
    /// What it decides itself.
    pub(super) access: Access,
    /// The keys of its verdicts and policies.
    pub(super) sets: SetIds,
    /// Its mask.
    pub(super) mask: u32,
}

/// What is known of the capture at the end of redirects, or what leads to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Joined<'a> {
    End(End),
    /// A fetch whose row lacks its end, and what that decides.
    Fetch(Fetch<'a>),
}

const END: u8 = 0;
const FETCH: u8 = 1;
/// Longest key of a domain, since keys are held: names of DNS have 253 characters at most.
const MAX_DOMAIN_KEY: usize = 256;
/// The length that stands for no text.
const NO_TEXT: u32 = u32::MAX;

/// Writes the record of a capture at the end of redirects. It comes before those of the fetches
/// that lead there.
pub(super) fn write_end(end: &End, record: &mut Vec<u8>) {
    begin_joined(end.columns.capture_id, END, record);
    put(record, end.columns.capture_id);
    put_end(&end.columns, record);
    record.push(access_index(end.access) as u8);
    put_sets(end.sets, record);
    record.extend_from_slice(&end.mask.to_le_bytes());
}

/// Writes the record of a fetch that leads to a capture.
pub(super) fn write_leading(fetch: &Fetch<'_>, end: i64, record: &mut Vec<u8>) {
    begin_joined(end, FETCH, record);
    put_fetch(fetch, record);
}

/// Reads what [`write_end`] or [`write_leading`] wrote.
pub(super) fn read_joined(record: &[u8]) -> Joined<'_> {
    let mut reader = Reader(&record[end_key(record).len()..]);
    match reader.byte() {
        END => Joined::End(reader.end()),
        _ => Joined::Fetch(reader.fetch()),
    }
}

/// Writes the record of a fetch whose row is complete. Records are in the order of domain, host and
/// origin, and of an origin that of the fetch that counts comes first: an answer before any other,
/// then the latest, of which the time may be unknown, then the one of the greatest `capture_id`.
pub(super) fn write_fetch(fetch: &Fetch<'_>, record: &mut Vec<u8>) {
    record.clear();
    put_fetch(fetch, record);
}

/// Reads what [`write_fetch`] wrote.
pub(super) fn read_fetch(record: &[u8]) -> Fetch<'_> {
    Reader(record).fetch()
}

/// Returns the first bytes of what [`write_end`] or [`write_leading`] wrote, which an end shares
/// with the fetches that lead to it and no others.
pub(super) fn end_key(record: &[u8]) -> &[u8] {
    &record[..size_of::<u64>()]
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

/// Returns the number that [`in_order`] was given.
fn from_order(n: u64) -> i64 {
    (n ^ 1 << 63).cast_signed()
}

fn begin_joined(end: i64, kind: u8, record: &mut Vec<u8>) {
    record.clear();
    record.extend_from_slice(&in_order(end).to_be_bytes());
    record.push(kind);
}

/// Appends a fetch: first what it is sorted by, then the rest.
fn put_fetch(fetch: &Fetch<'_>, out: &mut Vec<u8>) {
    let row = &fetch.row;
    let time = row.fetch_time.unwrap_or(Redirect::NO_TIME);
    // None of the texts has a zero byte, so that each sorts before those that it begins.
    for text in [row.domain(), row.url_host_name, row.origin] {
        out.extend_from_slice(text.as_bytes());
        out.push(0);
    }
    out.push(u8::from(!fetch.is_answer));
    out.extend_from_slice(&(!in_order(time)).to_be_bytes());
    out.extend_from_slice(&(!in_order(row.fetch_capture_id)).to_be_bytes());
    out.extend_from_slice(&fetch.mask.to_le_bytes());
    out.push(u8::from(row.url_host_registered_domain.is_some()));
    put_texts(out, [row.url_host_tld, Some(row.url_protocol)]);
    put_option(out, row.url_port);
    put_option(out, row.fetch_status);
    out.push(u8::from(row.redirect.is_some()));
    if let Some(redirect) = row.redirect {
        out.push(redirect.outcome as u8);
        put(out, redirect.hops);
    }
    put_option(out, row.end.map(|end| end.capture_id));
    if let Some(end) = &row.end {
        put_end(end, out);
    }
    out.push(access_index(row.access) as u8);
    put_sets(row.sets, out);
}

fn put_sets(sets: SetIds, out: &mut Vec<u8>) {
    put_option(out, sets.verdicts);
    put_option(out, sets.policies);
}

/// Appends an end without its key.
fn put_end(end: &HostEnd, out: &mut Vec<u8>) {
    put_option(out, end.fetch_status);
    out.push(u8::from(end.is_html));
    out.push(u8::from(end.is_robots_txt));
}

fn put(out: &mut Vec<u8>, n: impl Into<i64>) {
    out.extend_from_slice(&n.into().to_le_bytes());
}

fn put_option(out: &mut Vec<u8>, n: Option<impl Into<i64>>) {
    out.push(u8::from(n.is_some()));
    if let Some(n) = n {
        put(out, n);
    }
}

/// Appends texts after their lengths; that of no text is [`NO_TEXT`].
fn put_texts<const N: usize>(out: &mut Vec<u8>, texts: [Option<&str>; N]) {
    for text in texts {
        let length = text.map_or(NO_TEXT, |text| text.len() as u32);
        out.extend_from_slice(&length.to_le_bytes());
    }
    for text in texts.into_iter().flatten() {
        out.extend_from_slice(text.as_bytes());
    }
}

/// Reads a record. It was written by this process, so a read that fails is a defect of this
/// program.
struct Reader<'r>(&'r [u8]);

impl<'r> Reader<'r> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self
            .0
            .split_first_chunk()
            .expect("a record has what was written to it");
        self.0 = rest;
        *taken
    }

    fn byte(&mut self) -> u8 {
        let [byte] = self.take();
        byte
    }

    fn flag(&mut self) -> bool {
        self.byte() != 0
    }

    fn number(&mut self) -> i64 {
        i64::from_le_bytes(self.take())
    }

    fn option(&mut self) -> Option<i64> {
        self.flag().then(|| self.number())
    }

    fn int32(&mut self) -> Option<i32> {
        self.option().map(|n| n as i32)
    }

    fn text(&mut self, length: usize) -> &'r str {
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        str::from_utf8(text).expect("a text was written")
    }

    fn texts<const N: usize>(&mut self) -> [Option<&'r str>; N] {
        let lengths: [u32; N] = array::from_fn(|_| u32::from_le_bytes(self.take()));
        let lengths = lengths.map(|length| (length != NO_TEXT).then_some(length as usize));
        // Read as one, since each reading has a cost of its own.
        let mut rest = self.text(lengths.iter().flatten().sum());
        lengths.map(|length| {
            let (text, after) = rest.split_at(length?);
            rest = after;
            Some(text)
        })
    }

    /// Reads texts of which a zero byte ends each.
    fn terminated_texts<const N: usize>(&mut self) -> [&'r str; N] {
        let mut zeros = memchr_iter(0, self.0);
        let ends: [usize; N] =
            array::from_fn(|_| zeros.next().expect("a zero byte ends each text"));
        let all = self.text(ends[N - 1]);
        self.byte();
        let mut start = 0;
        ends.map(|end| {
            let text = &all[start..end];
            start = end + 1;
            text
        })
    }

    fn access(&mut self) -> Access {
        ACCESS[usize::from(self.byte())]
    }

    fn redirect(&mut self) -> HostRedirect {
        HostRedirect {
            outcome: Outcome::ALL[usize::from(self.byte())],
            hops: self.number() as u32,
        }
    }

    fn end_columns(&mut self, capture_id: i64) -> HostEnd {
        HostEnd {
            capture_id,
            fetch_status: self.int32(),
            is_html: self.flag(),
            is_robots_txt: self.flag(),
        }
    }

    fn sets(&mut self) -> SetIds {
        SetIds {
            verdicts: self.option(),
            policies: self.option(),
        }
    }

    fn end(&mut self) -> End {
        let capture_id = self.number();
        End {
            columns: self.end_columns(capture_id),
            access: self.access(),
            sets: self.sets(),
            mask: u32::from_le_bytes(self.take()),
        }
    }

    fn fetch(&mut self) -> Fetch<'r> {
        let [domain, url_host_name, origin] = self.terminated_texts();
        let is_answer = !self.flag();
        let time = from_order(!u64::from_be_bytes(self.take()));
        let capture_id = from_order(!u64::from_be_bytes(self.take()));
        let mask = u32::from_le_bytes(self.take());
        let url_host_registered_domain = self.flag().then_some(domain);
        let [url_host_tld, protocol] = self.texts();
        let row = HostRow {
            fetch_capture_id: capture_id,
            origin,
            url_host_name,
            url_host_tld,
            url_host_registered_domain,
            url_protocol: protocol.unwrap_or_default(),
            url_port: self.int32(),
            fetch_time: (time != Redirect::NO_TIME).then_some(time),
            fetch_status: self.int32(),
            redirect: self.flag().then(|| self.redirect()),
            end: self.option().map(|id| self.end_columns(id)),
            access: self.access(),
            sets: self.sets(),
        };
        Fetch {
            row,
            is_answer,
            mask,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END_OF_ALL: End = End {
        columns: HostEnd {
            capture_id: -3,
            fetch_status: Some(200),
            is_html: true,
            is_robots_txt: false,
        },
        access: Access::Conditional,
        sets: SetIds {
            verdicts: Some(-9),
            policies: Some(11),
        },
        mask: u32::MAX >> 2,
    };
    const ALL: Fetch<'_> = Fetch {
        row: HostRow {
            fetch_capture_id: 7,
            origin: "http://www.a.example:8080",
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
            end: Some(END_OF_ALL.columns),
            access: Access::FullDisallow,
            sets: SetIds {
                verdicts: Some(4),
                policies: None,
            },
        },
        is_answer: true,
        mask: 5,
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
        mask: 0,
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
            let complete = record(|record| write_fetch(&fetch, record));
            assert_eq!(read_fetch(&complete), fetch);
            let leading = record(|record| write_leading(&fetch, 9, record));
            assert_eq!(read_joined(&leading), Joined::Fetch(fetch));
        }
        let end = record(|record| write_end(&END_OF_ALL, record));
        assert_eq!(read_joined(&end), Joined::End(END_OF_ALL));
    }

    #[test]
    fn an_end_comes_before_the_fetches_that_lead_to_it_and_after_those_of_others() {
        let end = record(|record| write_end(&END_OF_ALL, record));
        let leading = |id| record(|record| write_leading(&ALL, id, record));
        assert!(leading(-4) < end && end < leading(-3) && leading(-3) < leading(2));
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
            with(|row| row.origin = "http://www.a.example:80"),
            with(|row| row.fetch_time = Some(5)),
            with(|row| row.fetch_time = Some(0)),
            with(|row| row.fetch_capture_id = 8),
            with(|_| {}),
            with(|row| row.fetch_capture_id = -8),
            with(|row| row.fetch_time = None),
            changed(|fetch| (fetch.is_answer, fetch.row.fetch_time) = (false, Some(5))),
            changed(|fetch| (fetch.is_answer, fetch.row.fetch_time) = (false, None)),
            with(|row| row.origin = "https://www.a.example:443"),
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
