//! The table `groups`: one row for each group.

use super::{
    as_i32,
    column::{CaptureKey, CaptureKeys, Float64, Int32},
    schema::table,
};
use crate::dialect::Group;

table! {
    /// one group: adjacent user-agent lines and the rules after them, as the reference dialect
    /// reads the file
    "groups": pub struct GroupsBuilder {
        capture: CaptureKeys,
        /// number of the group in the file, 0 for the first
        group_index: Int32 [source("RFC 9309, 2.1")],
        /// its first user-agent line
        line_first: Int32,
        /// its last user-agent line, rule or other record
        line_last: Int32,
        /// user-agent lines
        agent_count: Int32 [unit("lines")],
        /// rules
        rule_count: Int32 [unit("lines"), dictionary],
        /// allow lines among them
        allow_count: Int32 [unit("lines"), dictionary],
        /// disallow lines among them
        disallow_count: Int32 [unit("lines"), dictionary],
        /// first crawl-delay of the group that is a number
        crawl_delay: Float64 [nullable, unit("seconds")],
    }
}

impl GroupsBuilder {
    /// Appends the group of that index.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        index: usize,
        group: &Group,
        crawl_delay: Option<f64>,
    ) {
        self.capture.append(capture);
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
}
