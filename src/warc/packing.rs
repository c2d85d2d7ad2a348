//! How an archive is packed, told by its first bytes and never by its name.
//!
//! Enters: the first bytes of a file. Leaves: its [`Packing`], or a few words on what the file is
//! instead. This file refuses to know how a packing is read.

use memchr::memmem;

use super::{
    codec::{self, Codec, Coding},
    stream::{SYNC, padding},
};

/// How the archive's bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Gzip members, zstd frames, or both.
    Members,
    /// Nothing but records.
    Plain,
}

/// Bytes looked at to tell what a file is.
pub(super) const LEAD: usize = 512 * 1024;
/// Bytes looked at where those are nothing known: damage at the start may be long, but a file
/// without any archive in these is none.
pub(super) const LONG_LEAD: usize = 4 * 1024 * 1024;
/// Places among them that are tried as the start of a member.
const LEAD_STARTS: usize = 1000;

/// What a record begins with that is not the first of a plain archive.
const PLAIN_START: &[u8] = b"\nWARC/1.";

/// What the first record of an ARC archive begins with, the file's description of itself.
const ARC_START: &[u8] = b"filedesc:";

/// A file that is no archive that can be read, in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Alien {
    /// An ARC archive, packed in whatever way: the predecessor of WARC.
    Arc,
    /// Something else.
    Other(String),
}

impl Packing {
    /// Returns how the archive is packed that begins with `bytes`, damage at its start left aside.
    ///
    /// # Errors
    ///
    /// What it is instead, if it is no archive.
    pub(super) fn of(bytes: &[u8]) -> Result<Self, Alien> {
        if let Some(coding) = Coding::of(bytes) {
            let mut codec = Codec::new();
            codec.set(coding);
            if codec.begins_with(bytes, ARC_START, usize::MAX) {
                return Err(Alien::Arc);
            }
            // Noise in front of plain records may look like a member.
            let is_noise = !codec.begins_with(bytes, SYNC, usize::MAX)
                && memmem::find(bytes, PLAIN_START).is_some()
                && !holds_member(bytes);
            return Ok(if is_noise { Self::Plain } else { Self::Members });
        }
        let text = &bytes[padding(bytes)..];
        if text.starts_with(SYNC) {
            return Ok(Self::Plain);
        }
        if text.starts_with(ARC_START) {
            return Err(Alien::Arc);
        }
        if holds_member(bytes) {
            return Ok(Self::Members);
        }
        match memmem::find(bytes, PLAIN_START) {
            Some(_) => Ok(Self::Plain),
            None => Err(Alien::Other(describe(bytes))),
        }
    }
}

/// Returns true if and only if a member in which a record begins stands among `bytes`, or a
/// dictionary for such members.
fn holds_member(bytes: &[u8]) -> bool {
    let mut codec = Codec::new();
    let mut from = 0;
    for _ in 0..LEAD_STARTS {
        let Some(at) = codec::find(&bytes[from..]) else {
            return false;
        };
        from += at;
        let rest = &bytes[from..];
        if let Some(coding) = Coding::of(rest) {
            codec.set(coding);
            let is_of_records =
                codec.begins_with(rest, SYNC, usize::MAX) || codec.holds(rest, PLAIN_START);
            if is_of_records || codec.teaches(rest) {
                return true;
            }
        }
        from += 1;
    }
    false
}

/// Returns what a file that is no archive seems to be.
fn describe(bytes: &[u8]) -> String {
    let lead = bytes.trim_ascii_start();
    let starts =
        |what: &[u8]| lead.len() >= what.len() && lead[..what.len()].eq_ignore_ascii_case(what);
    let known = if starts(b"<!doctype") || starts(b"<html") {
        "an HTML page"
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
        assert_eq!(describe(b"tab\there"), r#""tab\there""#);
        let text = Alien::Other(r#""User-agent: *\n""#.to_owned());
        assert_eq!(Packing::of(b"User-agent: *\n"), Err(text));
        assert_eq!(Packing::of(b"filedesc://x.arc 0.0.0.0"), Err(Alien::Arc));
    }

    #[test]
    fn frames_are_told_by_their_magics() {
        assert_eq!(Packing::of(b"\x28\xb5\x2f\xfd\x04"), Ok(Packing::Members));
        assert_eq!(Packing::of(b"\x5d\x2a\x4d\x18\0"), Ok(Packing::Members));
        assert!(Packing::of(b"\x4d\x2a\x4d\x18\0").is_err());
    }

    #[test]
    fn damage_at_the_start_does_not_hide_an_archive() {
        assert_eq!(Packing::of(b"junk\nWARC/1.0\r\n"), Ok(Packing::Plain));
        assert_eq!(Packing::of(b"\xef\xbb\xbfWARC/1.0\r\n"), Ok(Packing::Plain));
        let noise = b"\x1f\x8b\x08\x08noise\nWARC/1.0\r\n";
        assert_eq!(Packing::of(noise), Ok(Packing::Plain));
        // A stray magic, then a stored block (RFC 1951, 3.2.4) that holds the start of a record.
        let gzip = b"\0\x1f\x8b\x08\xff\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x06\0\xf9\xffWARC/1";
        assert_eq!(Packing::of(gzip), Ok(Packing::Members));
        // The same with a raw block (RFC 8878, 3.1.1.2) in a frame whose content has six bytes.
        let zstd = b"\0\x28\xb5\x2f\xfd\xff\x28\xb5\x2f\xfd\x20\x06\x31\0\0WARC/1";
        assert_eq!(Packing::of(zstd), Ok(Packing::Members));
    }
}
