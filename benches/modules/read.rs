//! Reading: from the bytes of an archive to its records and the HTTP heads of its responses.
//!
//! Sides: our reader; the `fastwarc` crate, which parses heads too; the `warc` crate over flate2,
//! which stops at the WARC header; and libdeflate as the lower bound, which is given the offset and
//! the inflated length of each member. All start from the archive in memory and read every byte.

use std::io::{BufReader, Cursor};

use criterion::{BenchmarkId, Criterion, Throughput};
use fastwarc::warc::{header::HeaderMap, iter::ArchiveIterator, record::WarcRecordType};
use flate2::bufread::MultiGzDecoder;
use libdeflater::Decompressor;
use robocensus::archive::{
    http::Head,
    warc::{Limits, Reader, RecordType},
};
use warc::WarcReader;

use crate::inputs;

/// The result of reading an archive.
#[derive(Debug, PartialEq, Eq)]
struct ReadResult {
    records: u64,
    /// The sum of the status codes of all responses.
    statuses: u64,
}

/// The length of a member, compressed and inflated.
type Member = (usize, usize);

pub fn define(criterion: &mut Criterion) {
    for input in inputs::archives() {
        let archive = input.archive;
        let members = members(archive);
        let inflated: usize = members.iter().map(|(_, size)| size).sum();
        let mut reader = Reader::new(Limits::default());
        let mut head = Head::default();
        let found = ours(archive, &mut reader, &mut head);
        assert_eq!(found.records, members.len() as u64);

        let mut group = criterion.benchmark_group("read");
        group.throughput(Throughput::Bytes(inflated as u64));
        let id = |side| BenchmarkId::new(input.name, side);
        group.bench_function(id("robocensus"), |bencher| {
            bencher.iter(|| assert_eq!(ours(archive, &mut reader, &mut head), found));
        });
        let mut buffer = vec![0; members.iter().map(|(_, size)| *size).max().unwrap_or(0)];
        group.bench_function(id("libdeflate"), |bencher| {
            bencher.iter(|| assert_eq!(limit(archive, &members, &mut buffer), inflated));
        });
        group.bench_function(id("fastwarc"), |bencher| {
            bencher.iter(|| assert_eq!(by_fastwarc(archive), found));
        });
        group.bench_function(id("warc"), |bencher| {
            bencher.iter(|| assert_eq!(by_warc(archive), found.records));
        });
        group.finish();
    }
}

fn ours(mut archive: &[u8], reader: &mut Reader, head: &mut Head) -> ReadResult {
    let (mut records, mut statuses) = (0, 0);
    reader.begin(Some(archive.len() as u64));
    while let Some(record) = reader.read_record(&mut archive) {
        records += 1;
        if record.record_type() == Some(RecordType::Response) {
            head.parse(record.block);
            statuses += u64::from(head.status.unwrap_or(0));
        }
    }
    ReadResult { records, statuses }
}

fn members(mut archive: &[u8]) -> Vec<Member> {
    let mut reader = Reader::new(Limits::default());
    let mut members = Vec::new();
    let mut before = 0;
    while let Some(record) = reader.read_record(&mut archive) {
        let length = record
            .length
            .expect("each record has a member of its own here");
        let inflated = reader.counts().bytes_inflated;
        members.push((length as usize, (inflated - before) as usize));
        before = inflated;
    }
    members
}

fn limit(mut archive: &[u8], members: &[Member], buffer: &mut [u8]) -> usize {
    let mut decompressor = Decompressor::new();
    let mut inflated = 0;
    for &(length, _) in members {
        let (member, rest) = archive.split_at(length);
        inflated += decompressor
            .gzip_decompress(member, buffer)
            .expect("the members are complete");
        archive = rest;
    }
    inflated
}

fn by_fastwarc(archive: &'static [u8]) -> ReadResult {
    let (mut records, mut statuses) = (0, 0);
    let iterator = ArchiveIterator::new(Cursor::new(archive))
        .with_parse_http(false)
        .with_inplace(true);
    for record in iterator {
        let record = record.expect("the records are well-formed");
        let mut record = record.borrow_mut();
        records += 1;
        if record.record_type() == WarcRecordType::Response {
            record.parse_http().expect("the heads are well-formed");
            let head = record.http_headers();
            statuses += u64::from(head.and_then(HeaderMap::status_code).unwrap_or(0));
        }
    }
    ReadResult { records, statuses }
}

fn by_warc(archive: &[u8]) -> u64 {
    let text = BufReader::with_capacity(1 << 20, MultiGzDecoder::new(archive));
    let mut records = 0;
    for record in WarcReader::new(text).iter_raw_records() {
        record.expect("the records are well-formed");
        records += 1;
    }
    records
}
