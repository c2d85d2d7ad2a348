//! The table `groups`: one row for each group, as the reference dialect reads a file.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    types::{Float64Type, Int32Type},
};
use arrow_schema::SchemaRef;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Numbers},
    schema::{CAPTURE_ID, Kind, Table, URL_HOST_NAME, optional, required},
};
use crate::dialect::Group;

/// The table as data.
pub const TABLE: Table = Table {
    name: "groups",
    about: "one group: a run of user-agent lines and the rules behind it, as the reference dialect reads the file",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        required(
            "group_index",
            Kind::Int32,
            "number of the group in the file, 0 for the first",
        )
        .source("RFC 9309, 2.1"),
        required("line_first", Kind::Int32, "its first user-agent line"),
        required(
            "line_last",
            Kind::Int32,
            "its last user-agent line, rule or other record",
        ),
        required("agent_count", Kind::Int32, "user-agent lines").unit("lines"),
        required("rule_count", Kind::Int32, "rules").unit("lines"),
        required("allow_count", Kind::Int32, "allow lines among them").unit("lines"),
        required("disallow_count", Kind::Int32, "disallow lines among them").unit("lines"),
        optional(
            "crawl_delay",
            Kind::Float64,
            "first crawl-delay of the group that is a number",
        )
        .unit("seconds"),
    ],
};

/// Builds rows of `groups`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    group_index: Numbers<Int32Type>,
    line_first: Numbers<Int32Type>,
    line_last: Numbers<Int32Type>,
    agent_count: Numbers<Int32Type>,
    rule_count: Numbers<Int32Type>,
    allow_count: Numbers<Int32Type>,
    disallow_count: Numbers<Int32Type>,
    crawl_delay: Numbers<Float64Type>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            group_index: Numbers::default(),
            line_first: Numbers::default(),
            line_last: Numbers::default(),
            agent_count: Numbers::default(),
            rule_count: Numbers::default(),
            allow_count: Numbers::default(),
            disallow_count: Numbers::default(),
            crawl_delay: Numbers::default(),
        }
    }
}

impl Builder {
    /// Appends the group of that index.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        index: usize,
        group: &Group,
        crawl_delay: Option<f64>,
    ) {
        self.keys.append(capture);
        self.group_index.append(as_i32(index));
        self.line_first.append(as_i32(group.line_first));
        self.line_last.append(as_i32(group.line_last));
        self.agent_count
            .append(as_i32(group.agents.end - group.agents.start));
        self.rule_count
            .append(as_i32(group.allow_count + group.disallow_count));
        self.allow_count.append(as_i32(group.allow_count));
        self.disallow_count.append(as_i32(group.disallow_count));
        self.crawl_delay.append_option(crawl_delay);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.group_index.finish()),
            Arc::new(self.line_first.finish()),
            Arc::new(self.line_last.finish()),
            Arc::new(self.agent_count.finish()),
            Arc::new(self.rule_count.finish()),
            Arc::new(self.allow_count.finish()),
            Arc::new(self.disallow_count.finish()),
            Arc::new(self.crawl_delay.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }
}
