//! The table `bodies`: the robots.txt files themselves.
//!
//! What robots.txt states about a page, or about any URL that is not in the matrix, is asked when
//! no archive is at hand any more. The tables of lines do not suffice: they lack bytes that are not
//! UTF-8, and what a dialect drops.

use super::{Bool, CaptureKey, CaptureKeys, Text, base32_text, table};
use crate::digest::Base32Digest;

table! {
    /// one robots.txt that the reference dialect reads: its bytes, up to the limit of the run
    /// (limit in captures.content_truncated); captures near each other with the same bytes share a
    /// row, those of two parts do not. Only of runs that read pages, or are asked for it: +bodies
    /// among the options is all other tables and this one
    "bodies": pub struct BodiesBuilder {
        capture: CaptureKeys,
        /// SHA-1 of the body in base32, computed. The body of a capture is the row with its
        /// capture_id, else any row with its content_digest: a capture whose archive states another
        /// digest than that of its bytes has a row of its own
        content_digest: Text,
        /// whether the body is UTF-8; else each of its bytes is the character of that number (ISO
        /// 8859-1)
        is_utf8: Bool,
        /// body, transfer and content codings removed
        body: Text,
    }
    with {
        /// A buffer for bodies that are not UTF-8.
        text: String,
    }
}

impl BodiesBuilder {
    /// Appends the body of a capture, with its digest.
    pub fn append(&mut self, capture: CaptureKey<'_>, digest: &Base32Digest, body: &[u8]) {
        self.capture.append(capture);
        self.content_digest.append(base32_text(digest));
        let utf8 = std::str::from_utf8(body).ok();
        self.is_utf8.append(utf8.is_some());
        let text = utf8.unwrap_or_else(|| {
            self.text.clear();
            self.text.extend(body.iter().map(|&byte| char::from(byte)));
            &self.text
        });
        self.body.append(text);
    }
}

/// Appends to `bytes` the body that a row holds.
pub(crate) fn read(is_utf8: bool, text: &str, bytes: &mut Vec<u8>) {
    if is_utf8 {
        bytes.extend_from_slice(text.as_bytes());
    } else {
        // Any other character is of a file that this program did not write.
        bytes.extend(
            text.chars()
                .map(|byte| u8::try_from(u32::from(byte)).unwrap_or(b'?')),
        );
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;
    use crate::{
        dataset::table::TableBuilder,
        digest::{base32, sha1},
    };

    #[test]
    fn any_bytes_are_read_as_they_were_written() {
        let all: Vec<u8> = (0..=255).collect();
        let bodies: [&[u8]; 4] = [b"", b"Disallow: /", "Disallow: /\u{e9}".as_bytes(), &all];
        let mut builder = BodiesBuilder::default();
        for body in bodies {
            let digest = base32(&sha1(body));
            builder.append(CaptureKey { id: 1, host: "a" }, &digest, body);
        }
        let batch = builder.finish();
        for (row, body) in bodies.into_iter().enumerate() {
            let mut bytes = Vec::new();
            let is_utf8 = batch["is_utf8"].as_boolean().value(row);
            assert_eq!(is_utf8, row < 3);
            let text = batch["body"].as_string::<i32>().value(row);
            read(is_utf8, text, &mut bytes);
            assert_eq!(bytes, body);
        }
    }
}
