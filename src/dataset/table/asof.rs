//! The table that `asof` writes: for each page what the robots.txt in force at its time says.

use super::{Int32, Int64, KnownName, Name, Text, Time, as_i32, table};
use crate::{
    named::named,
    robots::dialect::{Basis, Decision, Verdict},
};

table! {
    /// one page of the input, in its order, and what the robots.txt in force at the time of the
    /// page says; not a table of a dataset but the output of robocensus asof
    "asof": pub struct AsOfBuilder {
        /// URL of the page, as the input has it
        url: Text,
        /// time of the page; NULL: the input has none that can be read
        time: Time [nullable, unit("UTC, microseconds")],
        /// crawler, as the input or the command line has it; NULL: neither has one
        agent: Name [nullable],
        /// dialect that decides
        dialect: Name,
        /// allow, disallow, or undefined (the specification leaves it open); NULL: unknown, for the
        /// reason that the next column has
        verdict: KnownName<Verdict> [nullable, source("RFC 9309, 2.2")],
        /// what decided: rule, no_rule_matched, no_group, access (the fetch itself, such as a 404),
        /// robots_txt_itself. Or why the verdict is unknown: not_a_url, not_a_time, no_agent (none,
        /// or no product token), not_in_dataset (no fetch of the origin), before_first_fetch,
        /// not_fetched_within (the fetch before is too long ago), unreachable (429, 5xx or no
        /// readable answer, and no answer before), redirect_unresolved (its target was not
        /// captured), not_modified (304, and the dataset has no file before it), body_not_stored
        reason: KnownName<Reason>,
        /// line of the rule that decided, in the file of effective_capture_id; NULL: none
        rule_line: Int32 [nullable],
        /// time of the fetch in force; where none is, of the one that shows it: the first, or the
        /// latest before
        fetch_time: Time [nullable, unit("UTC, microseconds")],
        /// time from that fetch to the page; negative: the fetch is later, and not in force
        age_seconds: Int64 [nullable, unit("seconds")],
        /// that fetch, by its key in captures
        capture_id: Int64 [nullable],
        /// capture whose answer decides: that fetch, the end of its redirects, or the file that a
        /// 304 confirms
        effective_capture_id: Int64 [nullable],
    }
}

named! {
    ALL
    /// What decided about a page, or why its verdict is unknown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Reason {
        /// [`Basis::Rule`].
        Rule = "rule",
        /// [`Basis::NoRuleMatched`].
        NoRuleMatched = "no_rule_matched",
        /// [`Basis::NoGroup`].
        NoGroup = "no_group",
        /// [`Basis::Access`].
        Access = "access",
        /// [`Basis::RobotsTxtItself`].
        RobotsTxtItself = "robots_txt_itself",
        /// The page has no URL with a host.
        NotAUrl = "not_a_url",
        /// The page has no time that can be read.
        NotATime = "not_a_time",
        /// There is no product token.
        NoAgent = "no_agent",
        /// The dataset has no fetch of the origin.
        NotInDataset = "not_in_dataset",
        /// All fetches are later.
        BeforeFirstFetch = "before_first_fetch",
        /// The fetch before is too long ago.
        NotFetchedWithin = "not_fetched_within",
        /// No server answered.
        Unreachable = "unreachable",
        /// The redirects leave the dataset.
        RedirectUnresolved = "redirect_unresolved",
        /// A 304 without a file before it.
        NotModified = "not_modified",
        /// The dataset has not stored the file.
        BodyNotStored = "body_not_stored",
    }
}

/// What the robots.txt in force says about a page. The fields are the columns of the same name.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub verdict: Option<Verdict>,
    pub reason: Reason,
    pub rule_line: Option<u32>,
    pub fetch_time: Option<i64>,
    pub capture_id: Option<i64>,
    pub effective_capture_id: Option<i64>,
}

impl Answer {
    /// Returns an unknown verdict, without a fetch.
    pub fn unknown(reason: Reason) -> Self {
        Self {
            verdict: None,
            reason,
            rule_line: None,
            fetch_time: None,
            capture_id: None,
            effective_capture_id: None,
        }
    }

    /// Sets what was decided.
    pub fn decide(&mut self, decision: Decision) {
        self.verdict = Some(decision.verdict);
        self.rule_line = decision.rule_line;
        self.reason = match decision.basis {
            Basis::Rule => Reason::Rule,
            Basis::NoRuleMatched => Reason::NoRuleMatched,
            Basis::NoGroup => Reason::NoGroup,
            Basis::RobotsTxtItself => Reason::RobotsTxtItself,
            // Which robots.txt applies was found by the origin.
            Basis::Access | Basis::OutOfScope => Reason::Access,
        };
    }

    /// Returns the column `age_seconds` of a page of that time.
    pub fn age_seconds(&self, time: Option<i64>) -> Option<i64> {
        Some(time?.saturating_sub(self.fetch_time?).div_euclid(1_000_000))
    }
}

/// A page as it was asked about. Fields without a comment are the columns of the same name.
#[derive(Clone, Copy, Debug)]
pub struct AsOfRow<'a> {
    pub url: &'a str,
    pub time: Option<i64>,
    pub agent: Option<&'a str>,
    /// What is known.
    pub answer: &'a Answer,
}

impl AsOfBuilder {
    /// Appends a row.
    pub fn append(&mut self, dialect: &str, row: &AsOfRow<'_>) {
        let answer = row.answer;
        self.url.append(row.url);
        self.time.append(row.time);
        self.agent.append(row.agent);
        self.dialect.append(dialect);
        self.verdict.append(answer.verdict);
        self.reason.append(answer.reason);
        self.rule_line.append(answer.rule_line.map(as_i32));
        self.fetch_time.append(answer.fetch_time);
        self.age_seconds.append(answer.age_seconds(row.time));
        self.capture_id.append(answer.capture_id);
        self.effective_capture_id
            .append(answer.effective_capture_id);
    }
}
