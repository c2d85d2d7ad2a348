//! The table `groups`: one row for each group.

use super::{CaptureKey, CaptureKeys, Float64, Int32, as_i32, table};
use crate::robots::dialect::Group;

table! {
    /// one group: adjacent user-agent lines and the rules after them, as the reference dialect
    /// reads the file
    "groups": pub struct GroupsBuilder {
        capture: CaptureKeys,
        /// number of the group in the file, 0 for the first
        group_index: Int32 [source("RFC 9309, 2.1")],
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
    /// Appends groups, of which the first has that index, with the seconds that each asks for.
    pub fn append_all(
        &mut self,
        capture: CaptureKey<'_>,
        first_index: usize,
        groups: &[Group],
        crawl_delays: &[Option<f64>],
    ) {
        self.capture.append_n(capture, groups.len());
        self.group_index
            .extend((first_index..first_index + groups.len()).map(as_i32));
        let counts = |of: fn(&Group) -> u32| groups.iter().map(move |group| as_i32(of(group)));
        self.agent_count
            .extend(counts(|group| group.agents.end - group.agents.start));
        self.rule_count
            .extend(counts(|group| group.allow_count + group.disallow_count));
        self.allow_count.extend(counts(|group| group.allow_count));
        self.disallow_count
            .extend(counts(|group| group.disallow_count));
        self.crawl_delay
            .extend_options(crawl_delays.iter().copied());
    }
}
