//! The header of a gzip member (RFC 1952, 2.3), bounded and checked before decompression.
//!
//! A decompressor reads a file name up to its NUL, however far that is, and libdeflate does not
//! check the CRC of the header: noise that looks like a header would swallow the members after it.

use flate2::Crc;
use memchr::memchr;

/// The longest file name and the longest comment of a header, in bytes without the NUL: the longest
/// path of Linux (`PATH_MAX`). RFC 1952 bounds only the extra field, to 65,535 bytes.
pub(super) const MAX_HEADER_TEXT: usize = 4_096;
/// The magic number and the method of a member.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// The result of parsing a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::archive) enum GzipHeader {
    /// A header of this many bytes.
    Whole(usize),
    /// The bytes end within the header.
    Cut,
    /// Not a header: a reserved flag is set, a text is too long, or its CRC16 is wrong. This many
    /// bytes were examined.
    Wrong(usize),
}

/// Parses the header at the start of `bytes`, which begin with the magic and the method.
pub(super) fn read_header(bytes: &[u8]) -> GzipHeader {
    parse_header(bytes, true)
}

/// Parses a header as that of a body, whatever its reserved flags, its CRC16 and the lengths of its
/// texts are. Bytes that do not begin with the magic are no header.
pub(in crate::archive) fn read_lenient_header(bytes: &[u8]) -> GzipHeader {
    let seen = bytes.len().min(MAGIC.len());
    if seen < 2 || bytes[..seen] != MAGIC[..seen] {
        return GzipHeader::Wrong(seen);
    }
    parse_header(bytes, false)
}

fn parse_header(bytes: &[u8], is_strict: bool) -> GzipHeader {
    const HEADER_CRC: u8 = 1 << 1;
    const EXTRA: u8 = 1 << 2;
    const TEXTS: [u8; 2] = [1 << 3, 1 << 4];
    const RESERVED: u8 = 0xe0;
    const FIXED: usize = 10;
    let max_text = if is_strict {
        MAX_HEADER_TEXT
    } else {
        bytes.len()
    };
    let Some(&flags) = bytes.get(3) else {
        return GzipHeader::Cut;
    };
    if is_strict && flags & RESERVED != 0 {
        return GzipHeader::Wrong(FIXED);
    }
    let mut length = FIXED;
    if flags & EXTRA != 0 {
        let Some(&[low, high]) = bytes.get(length..length + 2) else {
            return GzipHeader::Cut;
        };
        length += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for _ in TEXTS.iter().filter(|&&flag| flags & flag != 0) {
        let rest = bytes.get(length..).unwrap_or_default();
        match memchr(0, &rest[..rest.len().min(max_text + 1)]) {
            Some(end) => length += end + 1,
            None if rest.len() > max_text => return GzipHeader::Wrong(length + max_text),
            None => return GzipHeader::Cut,
        }
    }
    if flags & HEADER_CRC != 0 {
        let Some(&[low, high]) = bytes.get(length..length + 2) else {
            return GzipHeader::Cut;
        };
        let mut crc = Crc::new();
        crc.update(&bytes[..length]);
        if is_strict && crc.sum() as u16 != u16::from_le_bytes([low, high]) {
            return GzipHeader::Wrong(length);
        }
        length += 2;
    }
    if length > bytes.len() {
        return GzipHeader::Cut;
    }
    GzipHeader::Whole(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header with these flags and fields, and its CRC16 where the flags announce one.
    fn header(flags: u8, fields: &[u8]) -> Vec<u8> {
        let mut header = vec![0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 0xff];
        header.extend(fields);
        if flags & 2 != 0 {
            let mut crc = Crc::new();
            crc.update(&header);
            header.extend((crc.sum() as u16).to_le_bytes());
        }
        header
    }

    #[test]
    fn a_header_with_every_field_is_whole_and_can_be_cut_anywhere() {
        let whole = header(0x1f, b"\x03\0abcname\0comment\0");
        assert_eq!(read_header(&whole), GzipHeader::Whole(whole.len()));
        for cut in 3..whole.len() {
            assert_eq!(read_header(&whole[..cut]), GzipHeader::Cut, "{cut}");
        }
    }

    #[test]
    fn texts_are_as_long_as_the_limit_and_no_longer() {
        for flag in [8, 16] {
            let of = |n: usize| header(flag, &[&vec![b'x'; n][..], b"\0"].concat());
            let longest = of(MAX_HEADER_TEXT);
            assert_eq!(read_header(&longest), GzipHeader::Whole(longest.len()));
            let longer = read_header(&of(MAX_HEADER_TEXT + 1));
            assert_eq!(longer, GzipHeader::Wrong(10 + MAX_HEADER_TEXT));
        }
    }

    #[test]
    fn a_wrong_crc_or_a_reserved_flag_is_no_header() {
        let mut wrong = header(2, b"");
        wrong[10] ^= 1;
        for bytes in [wrong, header(0x20, b"")] {
            assert_eq!(read_header(&bytes), GzipHeader::Wrong(10));
        }
    }

    #[test]
    fn the_longest_extra_field_is_part_of_the_header() {
        let field = [&b"\xff\xff"[..], &[0; 65_535]].concat();
        assert_eq!(
            read_header(&header(4, &field)),
            GzipHeader::Whole(10 + field.len())
        );
    }

    #[test]
    fn the_header_of_a_body_may_have_what_that_of_a_member_may_not() {
        let mut wrong_crc = header(2, b"");
        wrong_crc[10] ^= 1;
        let long_name = [&[b'x'; MAX_HEADER_TEXT + 1][..], b"\0"].concat();
        for bytes in [wrong_crc, header(0x20, b""), header(8, &long_name)] {
            assert_eq!(read_lenient_header(&bytes), GzipHeader::Whole(bytes.len()));
        }
        let whole = header(0x1f, b"\x03\0abcname\0comment\0");
        for cut in 2..whole.len() {
            assert_eq!(read_lenient_header(&whole[..cut]), GzipHeader::Cut, "{cut}");
        }
        let greatest_extra_field = header(4, b"\xff\xffa");
        assert_eq!(read_lenient_header(&greatest_extra_field), GzipHeader::Cut);
        for bytes in [&b""[..], &whole[..1], b"\x1f\x8b\x07", b"User-agent: *"] {
            assert!(matches!(read_lenient_header(bytes), GzipHeader::Wrong(_)));
        }
    }
}
