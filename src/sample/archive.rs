//! Enters: the fields and the block of a record. Leaves: one gzip member in the archive.
//!
//! The layout is that of WARC 1.0 (ISO 28500) as large crawls write it: a member for each record.
//! This room refuses to know HTTP and robots.txt.

use std::io::{self, Write};

use flate2::{Compress, Compression, FlushCompress, Status};
use sha1::{Digest, Sha1};

use crate::sample::random::Random;

/// An archive being written. It owns the scratch of one record.
pub(super) struct Archive<'w, W: Write> {
    out: &'w mut W,
    digest: Sha1,
    length: u64,
    compress: Compress,
    record: Vec<u8>,
    member: Vec<u8>,
}

impl<'w, W: Write> Archive<'w, W> {
    /// Begins an archive at the current place of `out`.
    pub(super) fn new(out: &'w mut W) -> Archive<'w, W> {
        Archive {
            out,
            digest: Sha1::new(),
            length: 0,
            compress: Compress::new_gzip(Compression::default(), WINDOW_BITS),
            record: Vec::new(),
            member: Vec::new(),
        }
    }

    /// Appends a record: `fields` are whole lines, to which the length of `block` is added.
    pub(super) fn append(&mut self, fields: &[u8], block: &[u8]) -> io::Result<()> {
        let record = &mut self.record;
        record.clear();
        record.extend_from_slice(b"WARC/1.0\r\n");
        record.extend_from_slice(fields);
        record.extend_from_slice(b"Content-Length: ");
        push_decimal(block.len() as u64, record);
        record.extend_from_slice(b"\r\n\r\n");
        record.extend_from_slice(block);
        record.extend_from_slice(b"\r\n\r\n");
        let length = self.compress_record();
        let member = &self.member[..length];
        self.digest.update(member);
        self.length += length as u64;
        self.out.write_all(member)
    }

    /// Compresses the record to `member`, and returns the length of the gzip member there.
    fn compress_record(&mut self) -> usize {
        // Incompressible bytes are stored in blocks with five bytes in front; header and trailer
        // take eighteen.
        let bound = self.record.len() + self.record.len() / 1000 + 64;
        if self.member.len() < bound {
            self.member.resize(bound, 0);
        }
        self.compress.reset();
        let status = self
            .compress
            .compress(&self.record, &mut self.member, FlushCompress::Finish)
            .expect("a stream that was just reset accepts input");
        assert_eq!(
            status,
            Status::StreamEnd,
            "the bound leaves room for the whole member"
        );
        usize::try_from(self.compress.total_out()).expect("it fits the vector")
    }

    /// Flushes the archive, and returns its length in bytes and its SHA-1 in hexadecimal digits.
    pub(super) fn finish(self) -> io::Result<(u64, String)> {
        self.out.flush()?;
        let digest = self.digest.finalize();
        let digits = digest
            .iter()
            .flat_map(|&byte| hexadecimal(byte))
            .map(char::from);
        Ok((self.length, digits.collect()))
    }
}

/// The window of deflate, as the base-2 logarithm of its bytes.
const WINDOW_BITS: u8 = 15;

/// Appends `number` in decimal digits.
pub(super) fn push_decimal(mut number: u64, text: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}

/// Appends a record identifier: a version 4 UUID (RFC 9562) from `random`, in angle brackets.
pub(super) fn push_record_id(random: &mut Random, text: &mut Vec<u8>) {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&random.next().to_be_bytes());
    bytes[8..].copy_from_slice(&random.next().to_be_bytes());
    bytes[6] = bytes[6] & 0x0F | 0x40;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    text.extend_from_slice(b"<urn:uuid:");
    for (place, &byte) in bytes.iter().enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            text.push(b'-');
        }
        text.extend_from_slice(&hexadecimal(byte));
    }
    text.push(b'>');
}

/// Appends `sha1:` and the digest of `bytes` in base32 (RFC 4648 section 6).
pub(super) fn push_digest(bytes: &[u8], text: &mut Vec<u8>) {
    text.extend_from_slice(b"sha1:");
    let digest = Sha1::digest(bytes);
    for five in digest.chunks_exact(5) {
        let bits = five
            .iter()
            .fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        for place in (0..8).rev() {
            text.push(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(bits >> (5 * place)) as usize & 31]);
        }
    }
}

fn hexadecimal(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [
        DIGITS[usize::from(byte >> 4)],
        DIGITS[usize::from(byte & 15)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(push: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut text = Vec::new();
        push(&mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_digests_and_identifiers_are_written_as_usual() {
        assert_eq!(text(|text| push_decimal(0, text)), "0");
        assert_eq!(
            text(|text| push_decimal(u64::MAX, text)),
            "18446744073709551615"
        );
        // The digest of nothing, as it stands in every crawl.
        assert_eq!(
            text(|text| push_digest(b"", text)),
            "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
        );
        let id = text(|text| push_record_id(&mut Random::new(1, 1), text));
        assert_eq!((id.len(), &id[24..25], &id[..10]), (47, "4", "<urn:uuid:"));
    }

    #[test]
    fn archive_knows_its_length_and_digest() {
        let mut out = Vec::new();
        let mut archive = Archive::new(&mut out);
        archive
            .append(b"WARC-Type: resource\r\n", b"a block")
            .unwrap();
        let (length, digest) = archive.finish().unwrap();
        assert_eq!(length, out.len() as u64);
        let wanted: String = Sha1::digest(&out)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(digest, wanted);
    }
}
