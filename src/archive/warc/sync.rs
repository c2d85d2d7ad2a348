//! The bytes by which a record's start is recognized, and those that may precede it.

/// The first bytes of every record.
pub(super) const SYNC: &[u8] = b"WARC/";
/// A record's start among bytes whose structure is lost.
pub(super) const LINE_SYNC: &[u8] = b"\nWARC/";
/// The UTF-8 byte order mark, which some tools put before a record.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Returns the length of what may precede a record and has no meaning: white space and byte order
/// marks.
pub(super) fn padding(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    loop {
        let trimmed = rest.trim_ascii_start();
        match trimmed.strip_prefix(BOM) {
            Some(after) => rest = after,
            None => return bytes.len() - trimmed.len(),
        }
    }
}

/// Returns the length of a record that was cut inside its first five bytes, if another record
/// follows it.
pub(super) fn cut_start(bytes: &[u8]) -> Option<usize> {
    (1..SYNC.len()).find(|&n| bytes.starts_with(&SYNC[..n]) && bytes[n..].starts_with(SYNC))
}
