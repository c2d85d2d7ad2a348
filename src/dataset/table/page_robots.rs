//! The table `page_robots`: what the robots.txt of its origin states about a page, computed from
//! the whole dataset when its archives are read.

use super::{CaptureKey, Float64, Int32, Int64, KnownName, PageKeys, as_i32, table};
use crate::robots::dialect::{Basis, Decision, Verdict};

table! {
    /// one page with a statement on the page as a whole (pages.has_policy) and agent: what
    /// robots.txt of the page's origin decides about its URL under the reference dialect; none of a
    /// page of whose origin the dataset has no robots.txt
    "page_robots": pub struct PageRobotsBuilder {
        page: PageKeys,
        /// crawler of the matrix: the first product token of its chain
        agent: KnownName,
        /// allow, disallow or undefined (the specification leaves it open, or the dataset does not
        /// have the end of the redirects)
        robots_verdict: KnownName<Verdict> [source("RFC 9309, 2.2")],
        /// what decided: rule, no_rule_matched, no_group, access, robots_txt_itself
        robots_basis: KnownName<Basis>,
        /// capture of the robots.txt of the page's origin that was fetched nearest to the page in
        /// time
        robots_capture_id: Int64,
        /// capture whose file decides: that one, or the end of its redirects; NULL: they have no
        /// end in the dataset
        effective_capture_id: Int64 [nullable],
        /// line of the rule that decided in that file; NULL: none
        robots_line: Int32 [nullable],
        /// time between the fetch of the page and that of robots_capture_id, whichever came first;
        /// NULL: a time is not known
        seconds_apart: Float64 [nullable, unit("seconds")],
    }
}

/// The robots.txt that decides about a page. The fields are the columns of the same name.
#[derive(Clone, Copy, Debug)]
pub struct PageRobots {
    pub robots_capture_id: i64,
    pub effective_capture_id: Option<i64>,
    pub seconds_apart: Option<f64>,
}

impl PageRobotsBuilder {
    /// Returns a builder without rows for these agents.
    pub fn new<S: AsRef<str>>(agents: impl IntoIterator<Item = S>) -> Self {
        Self {
            agent: KnownName::new(agents),
            ..Self::default()
        }
    }

    /// Appends the same decision for agents that are adjacent in the matrix. The key of the page is
    /// like that of a capture.
    pub fn append(
        &mut self,
        page: CaptureKey<'_>,
        agents: std::ops::Range<usize>,
        robots: &PageRobots,
        decision: Decision,
    ) {
        let n = agents.len();
        self.page.append_n(page, n);
        self.agent.extend(agents);
        self.robots_verdict.append_n(Some(decision.verdict), n);
        self.robots_basis.append_n(Some(decision.basis), n);
        self.robots_capture_id
            .append_n(Some(robots.robots_capture_id), n);
        self.effective_capture_id
            .append_n(robots.effective_capture_id, n);
        self.robots_line.append_n(decision.rule_line.map(as_i32), n);
        self.seconds_apart.append_n(robots.seconds_apart, n);
    }
}
