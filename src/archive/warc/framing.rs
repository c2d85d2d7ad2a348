//! Detection of an archive's framing, from its first bytes and never from its name.

use memchr::memmem;

use super::{
    FaultKind,
    codec::{self, Codec, MemberFormat},
    sync::{SYNC, padding},
};
use crate::sniff::sniff;

/// How the records of an archive are framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Gzip members, zstd frames, or both.
    Members,
    /// Uncompressed records.
    Plain,
}

/// Bytes that are examined first.
pub(super) const LEAD: usize = 512 * 1024;
/// Bytes that are examined where those are not recognized: there may be much damage at the start,
/// but a file without a record in these is no archive.
pub(super) const LONG_LEAD: usize = 4 * 1024 * 1024;
/// Offsets among them that are tried as the start of a member.
const MAX_TRIALS: usize = 1000;

/// The start of a record that is not the first of a plain archive.
const PLAIN_START: &[u8] = b"\nWARC/1.";

/// The start of an ARC archive: the record that describes the file.
const ARC_START: &[u8] = b"filedesc:";

/// What is said of an ARC archive, in any framing; ARC is the predecessor of WARC.
const ARC: &str = "expected a WARC archive, but found an ARC archive (filedesc://), which is not supported; convert it first, for example with warcio recompress FILE.arc.gz FILE.warc.gz";

impl Framing {
    /// Returns the framing of the archive that begins with `bytes`, ignoring damage at its start.
    ///
    /// # Errors
    ///
    /// What the file is instead, if it is not an archive that can be read: the kind of its fault,
    /// and the message.
    pub(super) fn detect(bytes: &[u8]) -> Result<Self, (FaultKind, String)> {
        let arc = || Err((FaultKind::ArcArchive, ARC.to_owned()));
        if let Some(format) = MemberFormat::detect(bytes) {
            let mut codec = Codec::new();
            codec.format = format;
            if codec.begins_with(bytes, ARC_START, usize::MAX) {
                return arc();
            }
            // Noise before plain records may look like a member.
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
            return arc();
        }
        if holds_member(bytes) {
            return Ok(Self::Members);
        }
        match memmem::find(bytes, PLAIN_START) {
            Some(_) => Ok(Self::Plain),
            None => {
                let found = describe(bytes);
                let message =
                    format!("expected a WARC archive (plain, gzip or zstd), but found {found}");
                Err((FaultKind::NotAnArchive, message))
            }
        }
    }
}

/// Returns true if and only if `bytes` contain a member in which a record begins, or a dictionary
/// for such members.
fn holds_member(bytes: &[u8]) -> bool {
    let mut codec = Codec::new();
    let mut from = 0;
    for _ in 0..MAX_TRIALS {
        let Some(at) = codec::find(&bytes[from..]) else {
            return false;
        };
        from += at;
        let rest = &bytes[from..];
        if let Some(format) = MemberFormat::detect(rest) {
            codec.format = format;
            let has_record =
                codec.begins_with(rest, SYNC, usize::MAX) || codec.contains(rest, PLAIN_START);
            if has_record || codec.is_dictionary(rest) {
                return true;
            }
        }
        from += 1;
    }
    false
}

/// Returns what a file that is not an archive seems to be.
fn describe(bytes: &[u8]) -> &'static str {
    match sniff(bytes).mime {
        "text/html" | "application/xhtml+xml" => "an HTML page",
        "application/zip" => "a ZIP archive",
        "application/x-xz" => "xz, which is not supported",
        _ if bytes.starts_with(b"BZh") => "bzip2, which is not supported",
        _ => kind(bytes),
    }
}

/// Returns what bytes in place of a record are, in words: quoted, they would stand in tables, and
/// those of a server that was not meant to answer may be a secret.
pub(super) fn kind(bytes: &[u8]) -> &'static str {
    let shown = &bytes[..bytes.len().min(24)];
    let is_text = |&b: &u8| !b.is_ascii_control() || b.is_ascii_whitespace();
    match shown.iter().all(is_text) {
        _ if shown.is_empty() => "nothing",
        true => "other text",
        false => "other bytes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_an_archive_is_named_and_never_quoted() {
        assert_eq!(describe(b"\n<HTML><head>"), "an HTML page");
        assert_eq!(describe(b"tab\there"), "other text");
        assert_eq!(describe(b"\x7fELF\x02\0"), "other bytes");
        let refused = |bytes| Framing::detect(bytes).unwrap_err();
        let (kind, message) = refused(b"User-agent: *\n");
        assert_eq!(kind, FaultKind::NotAnArchive);
        assert!(message.ends_with("but found other text"), "{message}");
        let (kind, _) = refused(b"filedesc://x.arc 0.0.0.0");
        assert_eq!(kind, FaultKind::ArcArchive);
    }

    #[test]
    fn frames_are_recognized_by_their_magic() {
        assert_eq!(
            Framing::detect(b"\x28\xb5\x2f\xfd\x04"),
            Ok(Framing::Members)
        );
        assert_eq!(Framing::detect(b"\x5d\x2a\x4d\x18\0"), Ok(Framing::Members));
        assert!(Framing::detect(b"\x4d\x2a\x4d\x18\0").is_err());
    }

    #[test]
    fn damage_at_the_start_does_not_hide_an_archive() {
        assert_eq!(Framing::detect(b"junk\nWARC/1.0\r\n"), Ok(Framing::Plain));
        assert_eq!(
            Framing::detect(b"\xef\xbb\xbfWARC/1.0\r\n"),
            Ok(Framing::Plain)
        );
        let noise = b"\x1f\x8b\x08\x08noise\nWARC/1.0\r\n";
        assert_eq!(Framing::detect(noise), Ok(Framing::Plain));
        // A stray magic, then a stored block (RFC 1951, 3.2.4) with the start of a record.
        let gzip = b"\0\x1f\x8b\x08\xff\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x06\0\xf9\xffWARC/1";
        assert_eq!(Framing::detect(gzip), Ok(Framing::Members));
        // The same with a raw block (RFC 8878, 3.1.1.2) in a frame whose content has six bytes.
        let zstd = b"\0\x28\xb5\x2f\xfd\xff\x28\xb5\x2f\xfd\x20\x06\x31\0\0WARC/1";
        assert_eq!(Framing::detect(zstd), Ok(Framing::Members));
    }
}
