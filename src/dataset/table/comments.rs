//! The table `comments`: one row for each comment of a file.
//!
//! No crawler reads a comment, yet comments tell who wrote a file (publishing systems sign them)
//! and what its owner reserves.

use bstr::ByteSlice;

use super::{CaptureKey, CaptureKeys, Int32, Name, as_i32, table, text::shortened};
use crate::robots::lines::{Line, is_blank_byte};

table! {
    /// one comment that has more than # and blanks, in a file that is read and is text
    "comments": pub struct CommentsBuilder {
        capture: CaptureKeys,
        /// line in the file, 1 for the first
        line: Int32 [dictionary],
        /// the comment without # and blanks around it, at most 1000 bytes
        text: Name [source("RFC 9309, 2.2")],
    }
}

/// The largest length of a comment in a row, in bytes: more than a sentence, and few enough that a
/// file which is one long comment costs little.
const MAX_TEXT: usize = 1000;

impl CommentsBuilder {
    /// Appends the comment of a line of the file `body`, if it has one that is not blank. The first
    /// line is number 1.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], number: usize, line: &Line) {
        let Some(comment) = line.comment() else {
            return;
        };
        // Without the # and ASCII white space at both its ends.
        let is_frame = |c: char| c == '#' || u8::try_from(c).is_ok_and(is_blank_byte);
        let text = comment.of(body).trim_with(is_frame);
        if text.is_empty() {
            return;
        }
        self.capture.append(capture);
        self.line.append(as_i32(number));
        self.text.append(&shortened(text, MAX_TEXT));
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{cast::AsArray, types::Int32Type};

    use super::*;
    use crate::{
        dataset::table::TableBuilder,
        robots::lines::{RobotsTxt, parse},
    };

    fn rows(body: &[u8]) -> Vec<(i32, String)> {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        let mut builder = CommentsBuilder::default();
        let capture = CaptureKey {
            id: 1,
            host: "a.example",
        };
        for (index, line) in robots.lines().iter().enumerate() {
            builder.append(capture, body, index + 1, line);
        }
        let batch = builder.finish();
        let lines = batch.column(2).as_primitive::<Int32Type>();
        let texts = batch.column(3).as_string::<i32>();
        let texts: Vec<_> = texts.iter().flatten().map(str::to_owned).collect();
        assert_eq!(texts.len(), lines.len());
        (0..texts.len())
            .map(|row| (lines.value(row), texts[row].clone()))
            .collect()
    }

    #[test]
    fn a_comment_is_the_text_within_its_frame() {
        let found = rows(b"## Hello # you ##\nDisallow: / # all\r\n#\n# \t#\n# b");
        let wanted =
            [(1, "Hello # you"), (2, "all"), (5, "b")].map(|(line, text)| (line, text.to_owned()));
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_long_comment_is_cut_and_one_that_is_not_utf8_is_text() {
        let long = [b"#".as_slice(), &[b'x'; 5000], b"\n# \xff"].concat();
        let found = rows(&long);
        assert_eq!(found[0].1.len(), MAX_TEXT);
        assert_eq!(found[1].1, "\u{fffd}");
    }
}
