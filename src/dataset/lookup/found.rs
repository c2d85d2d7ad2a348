//! A capture that was found, and what its fetch means under a dialect.

use crate::{
    archive::capture::Truncation,
    dataset::redirect::Outcome,
    robots::dialect::{Access, Dialect, FetchOutcome},
};

/// A row of `captures`, as far as the body depends on it. The fields are its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCapture {
    /// `capture_id`.
    pub id: i64,
    /// `url`.
    pub url: String,
    /// `origin`.
    pub origin: String,
    /// `fetch_time`: microseconds since 1970-01-01T00:00:00Z.
    pub fetch_time: Option<i64>,
    /// `fetch_status`.
    pub fetch_status: Option<u16>,
    /// `content_truncated`.
    pub truncated: Option<String>,
    /// `content_length`.
    pub content_length: u64,
    /// `content_digest`.
    pub content_digest: String,
    /// `warc_filename`.
    pub warc_filename: String,
    /// `warc_record_offset`.
    pub offset: u64,
    /// `warc_record_length`.
    pub length: Option<u64>,
}

/// Where a redirect leads: a row of `redirects`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRedirect {
    /// `outcome`.
    pub outcome: Outcome,
    /// `hops`.
    pub hops: u64,
    /// `final_url`.
    pub final_url: String,
    /// The capture of `effective_capture_id`.
    pub end: Option<StoredCapture>,
}

/// Another origin of a host, with the capture that counts for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherOrigin {
    /// Scheme, host and port.
    pub origin: String,
    /// The capture that counts for it.
    pub capture_id: i64,
}

/// A capture that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundCapture {
    /// The capture.
    pub capture: StoredCapture,
    /// Where it leads, if it is a redirect and the table `redirects` has a row of it.
    pub redirect: Option<StoredRedirect>,
    /// The other origins of the host that was asked for, the one that counts next first.
    pub others: Vec<OtherOrigin>,
}

/// How a fetch ended.
#[derive(Clone, Copy, Debug)]
pub struct FetchEnd<'c> {
    /// What a dialect decides by.
    pub outcome: FetchOutcome,
    /// The capture whose body counts.
    pub capture: &'c StoredCapture,
}

impl StoredCapture {
    /// Returns true if and only if the table `redirects` has rows of such a capture.
    pub(super) fn is_redirect(&self) -> bool {
        matches!(self.fetch_status, Some(300..=399))
    }

    fn outcome(&self) -> FetchOutcome {
        let truncated = self.truncated.as_deref().and_then(Truncation::from_name);
        let is_cut_off = truncated.is_some_and(Truncation::is_cut_off);
        FetchOutcome::of_response(self.fetch_status, is_cut_off)
    }
}

impl FoundCapture {
    /// Returns how the fetch ended for a dialect, which may be none of the dataset's.
    ///
    /// The outcome is the status of the redirect itself where the dialect follows none, and where
    /// the end is not known: the dataset has no capture of it, or no dialect of the run followed so
    /// far.
    pub fn end(&self, dialect: &Dialect) -> FetchEnd<'_> {
        let own = FetchEnd {
            outcome: self.capture.outcome(),
            capture: &self.capture,
        };
        let redirect = match &self.redirect {
            Some(redirect) if dialect.access.redirect == Access::Redirect => redirect,
            _ => return own,
        };
        let endless = FetchEnd {
            outcome: FetchOutcome::TooManyHops,
            ..own
        };
        match redirect.outcome {
            Outcome::Loop | Outcome::NotFollowable => return endless,
            Outcome::NotFollowed | Outcome::NotModified => return own,
            Outcome::Resolved | Outcome::NotInCorpus | Outcome::TooManyHops => {}
        }
        let least = redirect.hops + u64::from(redirect.outcome == Outcome::TooManyHops);
        match &redirect.end {
            _ if !dialect.access.follows(least) => endless,
            Some(end) => FetchEnd {
                outcome: end.outcome(),
                capture: end,
            },
            None => own,
        }
    }
}
