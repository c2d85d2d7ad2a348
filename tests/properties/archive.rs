//! Any archive gives the same records however it is read.
//!
//! An input is a choice of limits, a length of reads, and pieces separated by byte 0x1E: one that
//! begins with m, s, c, t or z becomes a gzip member, a stored one, one with a wrong CRC, a
//! truncated one or a zstd frame; any other is verbatim. What must hold:
//!
//! - The lengths of reads change nothing, and neither do archives read before.
//! - Bytes of members and bytes skipped are the bytes of the file, and the faults add up to them.
//! - Records come in order, within the file and within the limits; memory is bounded by the limits
//!   and the file.
//! - Each record is a capture or is skipped for a reason, whether pages are read too or not; a page
//!   is a capture too or skipped for its path.

use std::io::{self, Read};

use flate2::Compression;
use robocensus::archive::{
    capture::{CaptureReader, Skip},
    warc::{Fault, Limits, ReadCounts, Reader, RecordType},
};

use super::{
    Target,
    encode::{gzip, zstd},
    input::Input,
    memory::peak,
};

pub const TARGET: Target = Target {
    name: "archive",
    seeds,
    words: include_str!("words/archive.dict"),
    check,
};

const LIMITS: [Limits; 3] = [
    Limits {
        body: BODY_LIMIT,
        header: 2_000,
        block: 4_000,
        whole_member: 100_000,
        member: 1_000_000,
    },
    Limits {
        body: BODY_LIMIT,
        header: 300,
        block: 70,
        whole_member: 500,
        member: 5_000,
    },
    Limits {
        body: BODY_LIMIT,
        header: 120,
        block: 0,
        whole_member: 0,
        member: 400,
    },
];

/// The memory of a reader for any input: its window, its buffer and a decompressor, grown once.
const BYTES_AT_LEAST: usize = 5 * 1024 * 1024;
/// Its memory for each byte of the file: spans and faults, at most one for each member.
const BYTES_PER_BYTE: usize = 64;
/// The most bytes of a body that are decoded.
const BODY_LIMIT: usize = 1_000;

const RECORD: &str = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/robots.txt\r\nWARC-Date: 2025-01-01T00:00:00Z\r\nContent-Length: 51\r\n\r\nHTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /private\n";

fn seeds() -> Vec<Vec<u8>> {
    let end = "\r\n\r\n";
    let open = RECORD.replace("Content-Length: 51\r\n", "");
    let long = RECORD.replace("51", "5000");
    let moved = RECORD.replace("200 OK", "302\r\nLocation: x?y");
    let page = RECORD
        .replace("robots.txt", "page")
        .replace("User-agent: *", "<html><body>");
    let gzip = RECORD.replace("OK\r\n", "OK\r\nContent-Encoding: gzip\r\n");
    [
        format!("\0\u{20}\x1em{RECORD}{end}\x1em{moved}{end}\x1em{RECORD}{end}"),
        format!("\0\u{1}{RECORD}{end}{RECORD}{end}{long}"),
        format!("\u{1}\u{7}\x1em{RECORD}{end}{RECORD}{end}\x1ejunk\x1es{RECORD}{end}\x1et{RECORD}"),
        format!("\0\u{3}\x1es{}\x1em{}\x1em{RECORD}{end}\x1ec{RECORD}{end}", &RECORD[..150], &RECORD[150..]),
        format!("\u{1}\u{40}\x1em{open}{end}\x1em{gzip}{end}\x1emno record\x1em\x1em\r\n\x1ec{RECORD}{end}{RECORD}"),
        format!("\u{2}\u{2}\x1em{RECORD}{end}\x1ec{RECORD}\x1em{RECORD}"),
        format!("\0\u{9}\x1ez{RECORD}{end}\x1ez{moved}{end}\x1ez{RECORD}{end}"),
        format!("\0\u{20}\x1em{page}{end}\x1em{moved}{end}\x1em{}{end}", page.replace("page", "x?y")),
        "\0\0<html>no archive".to_owned(),
    ]
    .map(String::into_bytes)
    .into()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let limits = input.pick(&LIMITS);
    let most = usize::from(input.byte()) + 1;
    let archive = framed(input.0);
    let ((mut reader, whole), held) = peak(|| {
        let mut reader = Reader::new(limits);
        let whole = read(&mut reader, &mut &archive[..]);
        (reader, whole)
    });
    let bound = BYTES_AT_LEAST + 4 * limits.whole_member + BYTES_PER_BYTE * archive.len();
    assert!(held <= bound, "{held} bytes for {}", archive.len());
    check_sums(&whole, archive.len(), limits);
    reader.begin(None);
    let mut chunks = Chunks {
        rest: &archive,
        most,
        calls: 0,
    };
    assert_eq!(read(&mut reader, &mut chunks), whole);
    reader.begin(None);
    check_captures(&mut reader, &archive);
}

/// Returns the bytes of an archive.
fn framed(pieces: &[u8]) -> Vec<u8> {
    let mut archive = Vec::new();
    for piece in pieces.split(|&byte| byte == 0x1e) {
        match piece.split_first() {
            Some((b'm', content)) => archive.extend(gzip(content, Compression::fast())),
            Some((b's', content)) => archive.extend(gzip(content, Compression::none())),
            Some((b'c', content)) => {
                let mut member = gzip(content, Compression::fast());
                let crc = member.len() - 8;
                member[crc] ^= 1;
                archive.extend(member);
            }
            Some((b't', content)) => {
                let member = gzip(content, Compression::none());
                archive.extend(&member[..member.len() - member.len() / 4]);
            }
            Some((b'z', content)) => archive.extend(zstd(content)),
            _ => archive.extend(piece),
        }
    }
    archive
}

/// One record as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRecord {
    pub offset: u64,
    pub length: Option<u64>,
    pub key: u64,
    pub uri: Option<Vec<u8>>,
    pub block: Vec<u8>,
    pub is_cut: bool,
    pub record_type: Option<RecordType>,
}

/// One archive as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadOutcome {
    pub records: Vec<ReadRecord>,
    pub faults: Vec<Fault>,
    pub counts: ReadCounts,
}

pub fn read(reader: &mut Reader, source: &mut dyn Read) -> ReadOutcome {
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    while let Some(record) = reader.read_record(source) {
        records.push(ReadRecord {
            offset: record.offset,
            length: record.length,
            key: record.key,
            uri: record.target_uri().map(<[u8]>::to_vec),
            block: record.block.to_vec(),
            is_cut: record.is_cut,
            record_type: record.record_type(),
        });
        reader.take_faults(|fault| faults.push(fault));
    }
    assert!(reader.read_record(source).is_none(), "the end is the end");
    reader.take_faults(|fault| faults.push(fault));
    let counts = reader.counts();
    ReadOutcome {
        records,
        faults,
        counts,
    }
}

/// Checks what must hold of an archive of so many bytes.
pub fn check_sums(outcome: &ReadOutcome, file_length: usize, limits: Limits) {
    let counts = outcome.counts;
    assert_eq!(counts.bytes, file_length as u64);
    assert_eq!(counts.member_bytes + counts.bytes_skipped, counts.bytes);
    let skipped: u64 = outcome.faults.iter().map(|f| f.bytes_skipped).sum();
    assert_eq!(skipped, counts.bytes_skipped, "{:?}", outcome.faults);
    assert!(counts.records >= outcome.records.len() as u64);
    for record in &outcome.records {
        assert!(record.offset + record.length.unwrap_or(1) <= counts.bytes);
        assert!(record.block.len() <= limits.block);
    }
    for pair in outcome.records.windows(2) {
        assert!(pair[0].key < pair[1].key && pair[0].offset <= pair[1].offset);
    }
    for fault in &outcome.faults {
        let is_sum = fault.kind.as_str() == "further_faults";
        assert!(is_sum || fault.offset + fault.bytes_skipped <= counts.bytes);
        assert!(!fault.message.is_empty() && !fault.message.contains('\n'));
    }
}

fn check_captures(reader: &mut Reader, archive: &[u8]) {
    let mut captures = CaptureReader::new(BODY_LIMIT);
    let mut pages = CaptureReader::new(BODY_LIMIT);
    pages.reads_pages = true;
    let mut source = archive;
    while let Some(record) = reader.read_record(&mut source) {
        let captured = captures.read(&record);
        match (&captured, pages.read_response(&record)) {
            (Ok(capture), Ok(response)) => {
                assert!(response.is_capture);
                assert_eq!(response.capture.payload, capture.payload);
            }
            (Err(Skip::NotRobotsPath), Ok(page)) => {
                assert!(!page.is_capture && page.page_head.is_some());
                assert!(page.capture.payload.len() <= BODY_LIMIT);
            }
            (Err(skip), Err(other)) => assert_eq!(*skip, other),
            (captured, _) => panic!("reading pages changes {captured:?}"),
        }
        if let Ok(capture) = captured {
            assert!(capture.payload.len() <= BODY_LIMIT);
            assert!(!capture.location.host_name().is_empty());
            let most = record.block.len() * 2_000;
            assert!(capture.truncated.is_some() || capture.payload.len() <= most);
        }
    }
}

/// A source that gives a few bytes at a time and is interrupted now and then.
pub struct Chunks<'b> {
    pub rest: &'b [u8],
    pub most: usize,
    pub calls: usize,
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = self.most.min(self.rest.len()).min(buffer.len());
        buffer[..n].copy_from_slice(&self.rest[..n]);
        self.rest = &self.rest[n..];
        Ok(n)
    }
}
