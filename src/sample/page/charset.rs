//! The encodings of pages.

/// An encoding, and how a page states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    Utf8,
    /// With a byte order mark.
    Utf16,
    /// Stated by the header.
    ShiftJis,
    /// Stated by a `meta` element, with the name of the older standard.
    Gbk,
    /// Stated by a `meta` element with a label that no standard has.
    Unknown,
}

/// Characters of pages that are not ASCII, and their bytes in Shift_JIS or GBK.
const JAPANESE: [(char, [u8; 2]); 6] = [
    ('\u{65e5}', [0x93, 0xFA]),
    ('\u{672c}', [0x96, 0x7B]),
    ('\u{8a9e}', [0x8C, 0xEA]),
    // The second byte of these two is a backslash in ASCII.
    ('\u{8868}', [0x95, 0x5C]),
    ('\u{30bd}', [0x83, 0x5C]),
    ('\u{306e}', [0x82, 0xCC]),
];
const CHINESE: [(char, [u8; 2]); 5] = [
    ('\u{4e2d}', [0xD6, 0xD0]),
    ('\u{6587}', [0xCE, 0xC4]),
    ('\u{7f51}', [0xCD, 0xF8]),
    ('\u{9875}', [0xD2, 0xB3]),
    // Its second byte is a letter in ASCII.
    ('\u{4e02}', [0x81, 0x40]),
];

impl Charset {
    /// Returns the name that the Encoding Standard gives to what browsers use.
    pub(super) fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "UTF-8",
            Charset::Utf16 => "UTF-16LE",
            Charset::ShiftJis => "Shift_JIS",
            Charset::Gbk => "GBK",
            Charset::Unknown => "windows-1252",
        }
    }

    /// Returns the encoding of this name, in lower case.
    pub(super) fn from_name(name: &str) -> Charset {
        match name {
            "utf-16" => Charset::Utf16,
            "shift_jis" => Charset::ShiftJis,
            "gbk" => Charset::Gbk,
            _ => Charset::Unknown,
        }
    }

    /// Returns the value of the field Content-Type.
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Charset::Utf8 => "text/html; charset=UTF-8",
            Charset::ShiftJis => "text/html; charset=Shift_JIS",
            _ => "text/html",
        }
    }

    /// Returns the element that states it.
    pub(super) fn meta(self) -> &'static str {
        match self {
            Charset::Utf8 => "<meta charset=\"utf-8\">\n",
            Charset::Gbk => {
                "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=gb2312\">\n"
            }
            Charset::Unknown => "<meta charset=\"x-made-up\">\n",
            Charset::Utf16 | Charset::ShiftJis => "",
        }
    }

    /// Returns the bytes of a text, which has ASCII and the characters above.
    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        let with = |table: &[(char, [u8; 2])]| {
            let mut bytes = Vec::with_capacity(text.len());
            for c in text.chars() {
                match table.iter().find(|(known, _)| *known == c) {
                    Some((_, two)) => bytes.extend(two),
                    None => bytes.push(u8::try_from(c).unwrap_or(b'?')),
                }
            }
            bytes
        };
        match self {
            Charset::Utf8 | Charset::Unknown => text.as_bytes().to_vec(),
            Charset::Utf16 => {
                let units = [0xFEFF].into_iter().chain(text.encode_utf16());
                units.flat_map(u16::to_le_bytes).collect()
            }
            Charset::ShiftJis => with(&JAPANESE),
            Charset::Gbk => with(&CHINESE),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "pages")]
    #[test]
    fn bytes_are_those_of_the_encoding() {
        use super::{CHINESE, Charset, JAPANESE};
        for (charset, table) in [(Charset::ShiftJis, &JAPANESE[..]), (Charset::Gbk, &CHINESE)] {
            let text: String = table.iter().map(|(c, _)| *c).chain("a<".chars()).collect();
            let label = charset.name().as_bytes();
            let encoding = encoding_rs::Encoding::for_label(label).expect("a known label");
            let bytes = charset.encode(&text);
            assert_eq!(
                encoding.decode_without_bom_handling(&bytes),
                (text.into(), false)
            );
        }
    }
}
