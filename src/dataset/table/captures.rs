//! The table `captures`: one row for each fetch.

use super::{
    Bool, FetchColumns, HTTP, Int32, Int64, KnownName, Name, Provenance, Text, WARC, as_i32,
    base32_text, hosts::SetIds, table,
};
use crate::{
    archive::capture::Capture,
    dataset::evaluation::{Evaluation, FileFacts},
    digest::base32,
    named::Named,
    robots::dialect::Access,
};

table! {
    /// one fetch of a robots.txt, or a hop of a redirect to or from one
    "captures": pub struct CapturesBuilder {
        /// key of the capture: a function of the archive's name and the record's offset, rising
        /// inside a part
        capture_id: Int64 [delta],
        fetch: FetchColumns,
        /// address that the crawler was connected to (WARC-IP-Address of the record), at most 64
        /// bytes; NULL: the record states none
        fetch_ip: Text [nullable, source(WARC), dictionary],
        /// field Server of the response, at most 64 bytes; NULL: it has none
        fetch_server: Name [nullable, source(HTTP)],
        /// digest of what groups and rules decide under the reference dialect. Equal: every agent
        /// gets the same verdict for every URL, though other lines may decide. Unequal: nothing is
        /// proven, since not every rule that can change no verdict is recognized. NULL in this and
        /// the next columns: the file is not read (access is not conditional)
        semantic_digest: Text [nullable, dictionary],
        /// whether the body looks like an HTML page by its first bytes
        is_html: Bool,
        /// whether the body has no bytes
        is_empty: Bool,
        /// whether this is a robots.txt and no error page: the file is read (access is
        /// conditional), and its body is text (no HTML page) in which at least one line has a known
        /// field, or which has no lines but blank ones and comments
        is_robots_txt: Bool,
        /// lines, as an editor counts them
        line_count: Int32 [nullable, unit("lines"), dictionary],
        /// rows of this capture in groups
        group_count: Int32 [nullable, unit("rows"), dictionary],
        /// rows of this capture in rules
        rule_count: Int32 [nullable, unit("rows"), dictionary],
        /// allow lines among them
        allow_count: Int32 [nullable, unit("lines"), dictionary],
        /// disallow lines among them
        disallow_count: Int32 [nullable, unit("lines"), dictionary],
        /// sitemap lines
        sitemap_count: Int32 [nullable, unit("lines"), dictionary],
        /// rows of this capture in errors
        error_count: Int32 [unit("rows"), dictionary],
        /// rows of this capture in response_errors
        response_error_count: Int32 [unit("rows"), dictionary],
        /// bytes of the body that are not read: those beyond the size limit of the reference
        /// dialect, or after 524,288 lines
        over_limit_bytes: Int64 [nullable, unit("bytes"), source("RFC 9309, 2.5")],
        /// what the fetch itself decides under the reference dialect: conditional (the lines
        /// decide), full_allow, full_disallow, undefined, redirect; a 2xx whose body is cut off or
        /// broken (content_truncated) is unreachable, and its lines are not read
        access: KnownName<Access> [source("RFC 9309, 2.3.1")],
        /// rows of verdict_sets that answer for this capture; NULL: the run did not write that
        /// table
        verdict_set_id: Int64 [nullable, dictionary],
        /// rows of policy_sets with the policies of this capture; NULL: the run did not write that
        /// table
        policy_set_id: Int64 [nullable, dictionary],
    }
}

impl Named for Access {
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|access| access.as_str())
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// Returns the access of a value of `access`.
pub(crate) fn access_named(name: &str) -> Option<Access> {
    let mut all = Access::ALL.iter().copied();
    all.find(|access| access.as_str() == name)
}

impl CapturesBuilder {
    /// Appends a row; `sets` are the keys of its answers and policies, as far as their tables are
    /// written.
    pub fn append(
        &mut self,
        capture_id: i64,
        provenance: &Provenance<'_>,
        capture: &Capture<'_>,
        evaluation: &Evaluation,
        response_error_count: usize,
        sets: SetIds,
    ) {
        let facts = evaluation.facts.as_ref();
        self.capture_id.append(capture_id);
        self.fetch.append(provenance, capture);
        let [ip, server] = [capture.fetch_ip, capture.fetch_server]
            .map(|value| value.map(String::from_utf8_lossy));
        self.fetch_ip.append(ip);
        self.fetch_server.append(server);
        let semantic = facts.map(|facts| base32(&facts.semantic_digest));
        self.semantic_digest
            .append(semantic.as_ref().map(base32_text));
        self.is_html.append(capture.is_html);
        self.is_empty.append(capture.payload.is_empty());
        self.is_robots_txt
            .append(facts.is_some_and(|facts| facts.is_robots_txt));
        let count = |of: fn(&FileFacts) -> u32| facts.map(|facts| as_i32(of(facts)));
        self.line_count.append(count(|facts| facts.line_count));
        self.group_count.append(count(|facts| facts.group_count));
        self.rule_count
            .append(count(|facts| facts.allow_count + facts.disallow_count));
        self.allow_count.append(count(|facts| facts.allow_count));
        self.disallow_count
            .append(count(|facts| facts.disallow_count));
        self.sitemap_count
            .append(count(|facts| facts.sitemap_count));
        self.error_count.append(as_i32(evaluation.anomalies.len()));
        self.response_error_count
            .append(as_i32(response_error_count));
        self.over_limit_bytes
            .append(facts.map(|facts| i64::from(facts.over_limit_bytes)));
        self.access.append(evaluation.access());
        self.verdict_set_id.append(sets.verdicts);
        self.policy_set_id.append(sets.policies);
    }
}
