//! The table `agents`: one row for each user-agent line, as the reference dialect reads a file.

use std::sync::Arc;

use arrow_array::{RecordBatch, builder::BooleanBuilder, types::Int32Type};
use arrow_schema::SchemaRef;
use bstr::ByteSlice;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Numbers, Repeated},
    schema::{CAPTURE_ID, Kind, LINE, Table, URL_HOST_NAME, required},
};
use crate::dialect::AgentLine;

/// The table as data.
pub const TABLE: Table = Table {
    name: "agents",
    about: "one user-agent line, as the reference dialect reads the file",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        required(
            "group_index",
            Kind::Int32,
            "group that the line begins or belongs to, 0 for the first of the file",
        ),
        LINE,
        required("agent_raw", Kind::Name, "value as written").source("RFC 9309, 2.2.1"),
        required(
            "agent_token",
            Kind::Name,
            "product token that the reference dialect compares, lower case: the value cut where that dialect cuts it; * for the group of everybody else",
        ).source("RFC 9309, 2.2.1"),
        required(
            "is_wildcard",
            Kind::Bool,
            "whether the line names everybody else (*)",
        ).source("RFC 9309, 2.2.1"),
    ],
};

/// Builds rows of `agents`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    group_index: Numbers<Int32Type>,
    line: Numbers<Int32Type>,
    agent_raw: Repeated,
    agent_token: Repeated,
    is_wildcard: BooleanBuilder,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            group_index: Numbers::default(),
            line: Numbers::default(),
            agent_raw: Repeated::default(),
            agent_token: Repeated::default(),
            is_wildcard: BooleanBuilder::new(),
        }
    }
}

impl Builder {
    /// Appends a user-agent line of the file `body`.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], agent: &AgentLine) {
        self.keys.append(capture);
        self.group_index.append(as_i32(agent.group_index));
        self.line.append(as_i32(agent.line));
        self.agent_raw
            .append(Some(&agent.value.of(body).to_str_lossy()));
        let token = if agent.is_wildcard {
            "*".into()
        } else {
            agent.token.of(body).to_str_lossy()
        };
        if token.bytes().any(|b| b.is_ascii_uppercase()) {
            self.agent_token.append(Some(&token.to_ascii_lowercase()));
        } else {
            self.agent_token.append(Some(&token));
        }
        self.is_wildcard.append_value(agent.is_wildcard);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.group_index.finish()),
            Arc::new(self.line.finish()),
            self.agent_raw.finish(),
            self.agent_token.finish(),
            Arc::new(self.is_wildcard.finish()),
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
        self.agent_raw.n_bytes() + self.agent_token.n_bytes()
    }
}
