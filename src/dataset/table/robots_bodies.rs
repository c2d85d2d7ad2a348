//! The table `robots_bodies`: the robots.txt files that can decide about pages.
//!
//! What robots.txt states about a page is known only when all archives have been read, by processes
//! that have none of them any more. The tables of lines do not suffice: they lack bytes that are
//! not UTF-8, and what a dialect drops.

use super::{
    column::{Bool, CaptureKey, CaptureKeys, Text},
    schema::table,
};

table! {
    /// one robots.txt that the reference dialect reads and that has a rule: its bytes, from which
    /// page_robots is resolved; only of runs that read pages
    "robots_bodies": pub struct RobotsBodiesBuilder {
        capture: CaptureKeys,
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

impl RobotsBodiesBuilder {
    /// Appends the body of a capture.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8]) {
        self.capture.append(capture);
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
    use crate::dataset::table::TableBuilder;

    #[test]
    fn any_bytes_are_read_as_they_were_written() {
        let all: Vec<u8> = (0..=255).collect();
        let bodies: [&[u8]; 4] = [b"", b"Disallow: /", "Disallow: /\u{e9}".as_bytes(), &all];
        let mut builder = RobotsBodiesBuilder::default();
        for body in bodies {
            builder.append(CaptureKey { id: 1, host: "a" }, body);
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
