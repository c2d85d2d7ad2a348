//! The table `comments`: one row for each comment of a file.
//!
//! No crawler reads a comment, yet comments say who wrote a file (publishing systems sign them) and
//! what its owner reserves.

use std::sync::Arc;

use arrow_array::{RecordBatch, builder::BooleanBuilder, types::Int32Type};
use arrow_schema::SchemaRef;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Numbers, Repeated},
    schema::{CAPTURE_ID, Kind, LINE, Table, URL_HOST_NAME, required},
    text::shortened,
};
use crate::robots::{Line, is_blank_byte};

/// The table as data.
pub const TABLE: Table = Table {
    name: "comments",
    about: "one comment that holds more than # and blanks, in a file that is read and is text",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        LINE,
        required(
            "text",
            Kind::Name,
            "the comment without # and blanks around it, at most 1000 bytes",
        )
        .source("RFC 9309, 2.2"),
        required(
            "is_alone",
            Kind::Bool,
            "whether nothing else stands on the line",
        ),
    ],
};

/// Bytes of a comment that a row has: more than a sentence, and few enough that a file which is one
/// long comment costs little.
const MAX_TEXT: usize = 1000;

/// Builds rows of `comments`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    line: Numbers<Int32Type>,
    text: Repeated,
    is_alone: BooleanBuilder,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            line: Numbers::default(),
            text: Repeated::default(),
            is_alone: BooleanBuilder::new(),
        }
    }
}

impl Builder {
    /// Appends the comment of a line of the file `body`, if it has one that says something. The
    /// first line is number 1.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], number: usize, line: &Line) {
        let Some(comment) = line.comment() else {
            return;
        };
        let text = without_frame(comment.of(body));
        if text.is_empty() {
            return;
        }
        self.keys.append(capture);
        self.line.append(as_i32(number));
        self.text.append(Some(&shortened(text, MAX_TEXT)));
        self.is_alone.append_value(line.content().is_empty());
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.line.finish()),
            self.text.finish(),
            Arc::new(self.is_alone.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }

    /// Returns the bytes of the texts appended since the last call of [`Builder::finish`] that a
    /// file may make as long as it is.
    pub fn n_bytes(&self) -> usize {
        self.text.n_bytes()
    }
}

/// Returns a comment without the # and ASCII white space at both its ends.
fn without_frame(comment: &[u8]) -> &[u8] {
    let is_frame = |byte: &u8| *byte == b'#' || is_blank_byte(*byte);
    let start = comment.iter().position(|byte| !is_frame(byte));
    let end = comment.iter().rposition(|byte| !is_frame(byte));
    match (start, end) {
        (Some(start), Some(end)) => &comment[start..=end],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;
    use crate::robots::{RobotsTxt, parse};

    fn rows(body: &[u8]) -> Vec<(i32, String, bool)> {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        let mut builder = Builder::default();
        let capture = CaptureKey {
            id: 1,
            host: "a.example",
        };
        for (index, line) in robots.lines().iter().enumerate() {
            builder.append(capture, body, index + 1, line);
        }
        assert_eq!(builder.n_rows(), builder.line.len());
        let batch = builder.finish();
        let lines = batch.column(2).as_primitive::<Int32Type>();
        let texts = batch.column(3).as_dictionary::<Int32Type>();
        let texts = texts
            .downcast_dict::<arrow_array::StringArray>()
            .expect("texts are a dictionary of strings");
        let alone = batch.column(4).as_boolean();
        let texts: Vec<_> = texts.into_iter().flatten().map(str::to_owned).collect();
        assert_eq!(texts.len(), lines.len());
        (0..texts.len())
            .map(|row| (lines.value(row), texts[row].clone(), alone.value(row)))
            .collect()
    }

    #[test]
    fn a_comment_is_what_stands_between_its_frame() {
        let found = rows(b"## Hello # you ##\nDisallow: / # all\r\n#\n# \t#\n# b");
        let wanted = [(1, "Hello # you", true), (2, "all", false), (5, "b", true)]
            .map(|(line, text, is_alone)| (line, text.to_owned(), is_alone));
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_long_comment_is_cut_and_one_that_is_no_utf8_is_text() {
        let long = [b"#".as_slice(), &[b'x'; 5000], b"\n# \xff"].concat();
        let found = rows(&long);
        assert_eq!(found[0].1.len(), MAX_TEXT);
        assert_eq!(found[1].1, "\u{fffd}");
    }
}
