//! How an archive is packed, told by its first bytes and never by its name.
//!
//! Enters: the first bytes of a file. Leaves: its [`Packing`], or a few words on what the file is instead. This file refuses to know how a packing
//! is read.

use memchr::memmem;

use super::{member, stream::SYNC};

/// How the archive's bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Gzip members.
    Gzip,
    /// Nothing but records, behind a byte order mark of so many bytes.
    Plain(usize),
}

/// Bytes looked at to tell what a file is.
pub(super) const LEAD: usize = 512 * 1024;
/// Places among them that are tried as the start of a gzip member.
const LEAD_STARTS: usize = 1000;
/// The UTF-8 byte order mark, which some tools put before a plain archive.
const BOM: &[u8] = b"\xef\xbb\xbf";

impl Packing {
    /// Returns how the archive is packed that begins with `bytes`, damage at its start left aside; `None` if it is no archive.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
        if member::is_start(bytes) {
            return Some(Self::Gzip);
        }
        if text.trim_ascii_start().starts_with(SYNC) {
            return Some(Self::Plain(bytes.len() - text.len()));
        }
        let is_gzip = memmem::find_iter(bytes, member::MAGIC)
            .take(LEAD_STARTS)
            .any(|at| member::begins_a_record(&bytes[at..]));
        if is_gzip {
            return Some(Self::Gzip);
        }
        memmem::find(bytes, b"\nWARC/1.").map(|_| Self::Plain(0))
    }
}

/// Returns what a file that is no archive seems to be.
pub(super) fn describe(bytes: &[u8]) -> String {
    let lead = bytes.trim_ascii_start();
    let starts =
        |what: &[u8]| lead.len() >= what.len() && lead[..what.len()].eq_ignore_ascii_case(what);
    let known = if starts(b"<!doctype") || starts(b"<html") {
        "an HTML page"
    } else if bytes.starts_with(b"\x28\xb5\x2f\xfd")
        || (bytes.len() > 3 && bytes[1..4] == *b"\x2a\x4d\x18" && bytes[0] & 0xf0 == 0x50)
    {
        "Zstandard (zstd), which is not supported"
    } else if bytes.starts_with(b"filedesc:") {
        "an ARC archive, which is not supported"
    } else if bytes.starts_with(b"PK\x03\x04") {
        "a ZIP archive"
    } else if bytes.starts_with(b"BZh") {
        "bzip2, which is not supported"
    } else if bytes.starts_with(b"\xfd7zXZ") {
        "xz, which is not supported"
    } else {
        return printable(bytes);
    };
    known.to_owned()
}

/// Returns the beginning of some bytes as a person can read them.
pub(super) fn printable(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(24)];
    format!("\"{}\"", shown.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_archive_is_named_or_shown() {
        assert_eq!(describe(b"\n<HTML><head>"), "an HTML page");
        assert!(describe(b"\x28\xb5\x2f\xfd\x04").contains("zstd"));
        assert!(describe(b"\x52\x2a\x4d\x18\0").contains("zstd"));
        assert_eq!(describe(b"tab\there"), r#""tab\there""#);
        assert_eq!(Packing::of(b"User-agent: *\n"), None);
    }

    #[test]
    fn damage_at_the_start_does_not_hide_an_archive() {
        assert_eq!(Packing::of(b"junk\nWARC/1.0\r\n"), Some(Packing::Plain(0)));
        assert_eq!(
            Packing::of(b"\xef\xbb\xbfWARC/1.0\r\n"),
            Some(Packing::Plain(3))
        );
        // A stray magic, then a stored block (RFC 1951, 3.2.4) that holds the start of a record.
        let gzip = b"\0\x1f\x8b\x08\xff\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x06\0\xf9\xffWARC/1";
        assert_eq!(Packing::of(gzip), Some(Packing::Gzip));
    }
}
