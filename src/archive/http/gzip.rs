//! The header of a gzip member (RFC 1952, 2.3), parsed leniently: reserved flags, CRC16 and the
//! lengths of texts are not checked, unlike in archives.

use memchr::memchr;

/// The result of parsing a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderLength {
    /// A header of this many bytes.
    Whole(usize),
    /// The bytes end within the header.
    Cut,
    /// Not a header.
    Absent,
}

/// Parses the header of a gzip member and returns its length.
pub(super) fn read_header(bytes: &[u8]) -> HeaderLength {
    const HEADER_CRC: u8 = 1 << 1;
    const EXTRA: u8 = 1 << 2;
    const NAME: u8 = 1 << 3;
    const COMMENT: u8 = 1 << 4;
    const FIXED: usize = 10;
    let magic = [0x1f, 0x8b, 8];
    let seen = bytes.len().min(magic.len());
    if seen < 2 || bytes[..seen] != magic[..seen] {
        return HeaderLength::Absent;
    }
    let Some(&flags) = bytes.get(3) else {
        return HeaderLength::Cut;
    };
    let mut len = FIXED;
    if flags & EXTRA != 0 {
        let Some(&[low, high]) = bytes.get(len..len + 2) else {
            return HeaderLength::Cut;
        };
        len += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            let Some(end) = bytes.get(len..).and_then(|text| memchr(0, text)) else {
                return HeaderLength::Cut;
            };
            len += end + 1;
        }
    }
    if flags & HEADER_CRC != 0 {
        len += 2;
    }
    if len > bytes.len() {
        HeaderLength::Cut
    } else {
        HeaderLength::Whole(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! header {
        ($($name:ident, $bytes:expr, $want:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(read_header($bytes), $want);
                }
            )+
        };
    }

    header! {
        plain, b"\x1f\x8b\x08\0\0\0\0\0\0\xffdata", HeaderLength::Whole(10);
        extra_field, b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x02\0abdata", HeaderLength::Whole(14);
        name, b"\x1f\x8b\x08\x08\0\0\0\0\0\xffab\0data", HeaderLength::Whole(13);
        header_crc, b"\x1f\x8b\x08\x02\0\0\0\0\0\xffccdata", HeaderLength::Whole(12);
        empty, b"", HeaderLength::Absent;
        other_method, b"\x1f\x8b\x07\0\0\0\0\0\0\xff", HeaderLength::Absent;
        text, b"User-agent: *", HeaderLength::Absent;
        greatest_extra_field, b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\xff\xffa", HeaderLength::Cut;
    }

    #[test]
    fn a_header_with_every_part_can_be_cut_anywhere() {
        let bytes = b"\x1f\x8b\x08\x1e\0\0\0\0\0\xff\x03\0abcname\0comment\0cc";
        assert_eq!(read_header(bytes), HeaderLength::Whole(bytes.len()));
        for len in 2..bytes.len() {
            assert_eq!(read_header(&bytes[..len]), HeaderLength::Cut, "{len}");
        }
        assert_eq!(read_header(&bytes[..1]), HeaderLength::Absent);
    }
}
