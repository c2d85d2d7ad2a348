//! The container of a generated archive: WARC 1.0 records (ISO 28500), one gzip member each.

use std::{
    collections::HashMap,
    fmt,
    io::{self, Write},
};

use flate2::{Compress, Compression, FlushCompress, Status};
use warc::{RawRecordHeader, WarcHeader, WarcWriter};

use crate::{
    digest::{Hasher, base32, hex, sha1},
    sample::random::Random,
};

/// A writer of records, with the buffers of one record.
pub(super) struct ArchiveWriter<'w, W: Write> {
    out: &'w mut W,
    digest: Hasher,
    length: u64,
    compress: Compress,
    record: Vec<u8>,
    member: Vec<u8>,
}

impl<'w, W: Write> ArchiveWriter<'w, W> {
    /// Creates a writer that appends to `out`.
    pub(super) fn new(out: &'w mut W) -> ArchiveWriter<'w, W> {
        ArchiveWriter {
            out,
            digest: Hasher::default(),
            length: 0,
            compress: Compress::new_gzip(Compression::default(), WINDOW_BITS),
            record: Vec::new(),
            member: Vec::new(),
        }
    }

    /// Appends a record with these fields and its length.
    pub(super) fn append(&mut self, fields: &[Field], block: &[u8]) -> io::Result<()> {
        let length = ("Content-Length", block.len().to_string());
        let all = fields.iter().chain([&length]);
        // The other variants are written in lower case, unlike in real crawls.
        let headers = all.map(|(name, value)| {
            (
                WarcHeader::Unknown((*name).to_owned()),
                value.as_bytes().to_vec(),
            )
        });
        let headers: HashMap<_, _> = headers.collect();
        let version = "1.0".to_owned();
        let record = &mut self.record;
        record.clear();
        WarcWriter::new(&mut *record).write_raw(RawRecordHeader { version, headers }, &block)?;
        let head = "WARC/1.0\r\n".len()..record.len() - block.len() - "\r\n\r\n\r\n".len();
        sort_fields(&mut record[head], fields);
        // At worst deflate stores blocks with five bytes before each; header and trailer take 18.
        let bound = record.len() + record.len() / 1000 + 64;
        if self.member.len() < bound {
            self.member.resize(bound, 0);
        }
        self.compress.reset();
        // Not `compress_vec`, which would clear all the buffer that the largest record needed.
        let status = self
            .compress
            .compress(record, &mut self.member, FlushCompress::Finish)?;
        assert_eq!(status, Status::StreamEnd, "the whole member fits");
        let length = self.compress.total_out();
        let member = &self.member[..length as usize];
        self.digest.update(member);
        self.length += length;
        self.out.write_all(member)
    }

    /// Flushes the archive, and returns its length in bytes and its SHA-1 in hexadecimal digits.
    pub(super) fn finish(self) -> io::Result<(u64, String)> {
        self.out.flush()?;
        Ok((self.length, hex(&self.digest.finish())))
    }
}

/// The name of a field with its value.
pub(super) type Field = (&'static str, String);

/// Puts the lines of a head in the order of the fields: the crate has them in a hash map, whose
/// order differs from run to run, and the same seed must give the same bytes.
fn sort_fields(head: &mut [u8], fields: &[Field]) {
    let mut lines: Vec<&[u8]> = head.split_inclusive(|&byte| byte == b'\n').collect();
    lines.sort_by_key(|line| {
        let index = fields
            .iter()
            .position(|(name, _)| line.starts_with(name.as_bytes()));
        index.unwrap_or(usize::MAX)
    });
    let sorted = lines.concat();
    head.copy_from_slice(&sorted);
}

/// The window of deflate, as the base-2 logarithm of its bytes.
const WINDOW_BITS: u8 = 15;

/// The identifier of a record: a version 4 UUID (RFC 9562).
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordId(u128);

impl RecordId {
    /// Returns a new identifier.
    pub(super) fn new(random: &mut Random) -> RecordId {
        const VERSION: u128 = 0xF << 76;
        const VARIANT: u128 = 0b11 << 62;
        let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
        RecordId(bits & !(VERSION | VARIANT) | 4 << 76 | 0b10 << 62)
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = |start: u32, digits: u32| self.0 << (4 * start) >> (128 - 4 * digits);
        write!(
            f,
            "<urn:uuid:{:08x}-{:04x}-{:04x}-{:04x}-{:012x}>",
            field(0, 8),
            field(8, 4),
            field(12, 4),
            field(16, 4),
            field(20, 12)
        )
    }
}

/// Returns the digest of `bytes` as WARC fields have it.
pub(super) fn sha1_label(bytes: &[u8]) -> String {
    format!("sha1:{}", String::from_utf8_lossy(&base32(&sha1(bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_and_identifiers_are_written_as_in_real_crawls() {
        // The digest of an empty payload, which every crawl contains.
        assert_eq!(sha1_label(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        let id = RecordId::new(&mut Random::new(1)).to_string();
        assert_eq!((id.len(), &id[24..25], &id[..10]), (47, "4", "<urn:uuid:"));
        assert!("89ab".contains(&id[29..30]), "{id}");
    }

    #[test]
    fn the_writer_returns_length_and_digest() {
        let mut out = Vec::new();
        let mut archive = ArchiveWriter::new(&mut out);
        archive
            .append(&[("WARC-Type", "resource".to_owned())], b"a block")
            .unwrap();
        let (length, digest) = archive.finish().unwrap();
        assert_eq!(length, out.len() as u64);
        assert_eq!(digest, hex(&sha1(&out)));
    }
}
