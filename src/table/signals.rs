//! The table `signals`: one row for each statement on use or licence.

use std::sync::Arc;

use arrow_array::{RecordBatch, builder::BooleanBuilder, types::Int32Type};
use arrow_schema::SchemaRef;
use bstr::ByteSlice;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Known, Numbers, Repeated, Texts},
    schema::{CAPTURE_ID, GROUP_INDEX, Kind, LINE, Table, URL_HOST_NAME, optional, required},
};
use crate::{
    dialect::OtherRecord,
    signal::{self, Vocabulary},
};

/// The table as data.
pub const TABLE: Table = Table {
    name: "signals",
    about: "one statement on use or licence: Content-Signal, Content-Usage, License, DisallowAITraining, AllowAITraining, LLM-Policy, Noindex",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        GROUP_INDEX,
        LINE,
        required(
            "vocabulary",
            Kind::Name,
            "content-signal, content-usage, license, disallow-ai-training, allow-ai-training, llm-policy or noindex",
        ),
        optional(
            "path",
            Kind::Text,
            "path-pattern that the statement is about; NULL: everything",
        )
        .source("draft-ietf-aipref-attach, draft-canel-robots-ai-control"),
        optional(
            "key",
            Kind::Name,
            "key of a list, of a content-signal in lower case; of a key that stands twice the last counts",
        )
        .source("RFC 9651, 3.2"),
        optional(
            "value",
            Kind::Text,
            "value of the key, of a content-signal in lower case, of a content-usage as RFC 9651 writes it; a URL; where parse_ok is false, the text as written (of noindex, which has a path, NULL)",
        ),
        required(
            "parse_ok",
            Kind::Bool,
            "whether the statement has the form of its vocabulary; one that has not states nothing",
        ),
    ],
};

/// Builds rows of `signals`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    group_index: Numbers<Int32Type>,
    line: Numbers<Int32Type>,
    vocabulary: Known,
    path: Texts,
    key: Repeated,
    value: Texts,
    parse_ok: BooleanBuilder,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            group_index: Numbers::default(),
            line: Numbers::default(),
            vocabulary: Known::new(Vocabulary::ALL.map(Vocabulary::as_str)),
            path: Texts::default(),
            key: Repeated::default(),
            value: Texts::default(),
            parse_ok: BooleanBuilder::new(),
        }
    }
}

impl Builder {
    /// Appends what a line of the file `body` states; a line of any other field states nothing.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], record: &OtherRecord) {
        let Some(vocabulary) = Vocabulary::of(record.field) else {
            return;
        };
        signal::read(vocabulary, record.value.of(body), &mut |statement| {
            self.keys.append(capture);
            self.group_index
                .append_option(record.group_index.map(as_i32));
            self.line.append(as_i32(record.line));
            self.vocabulary.append(vocabulary as usize);
            let path = statement.path.map(ByteSlice::to_str_lossy);
            self.path.append_option(path.as_deref());
            let key = statement.key.as_ref().map(|key| key.to_str_lossy());
            self.key.append(key.as_deref());
            let value = statement.value.as_ref().map(|value| value.to_str_lossy());
            self.value.append_option(value.as_deref());
            self.parse_ok.append_value(statement.is_sound);
        });
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.group_index.finish()),
            Arc::new(self.line.finish()),
            self.vocabulary.finish(),
            Arc::new(self.path.finish()),
            self.key.finish(),
            Arc::new(self.value.finish()),
            Arc::new(self.parse_ok.finish()),
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
        self.path.n_bytes() + self.key.n_bytes() + self.value.n_bytes()
    }
}
