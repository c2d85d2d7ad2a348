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
    /// `capture_id`.
    pub id: i64,
    /// `outcome`.
    pub outcome: Outcome,
    /// `hops`.
    pub hops: u64,
    /// `final_url`.
    pub final_url: String,
    /// `effective_capture_id`.
    pub end_id: Option<i64>,
    /// That capture, once it was looked up.
    pub end: Option<StoredCapture>,
}

impl StoredRedirect {
    /// Returns how far the dialect of the row follows, to choose the one that follows farthest.
    pub(super) fn reach(&self) -> (bool, u64) {
        let is_end = !matches!(self.outcome, Outcome::NotFollowed | Outcome::TooManyHops);
        (is_end, self.hops)
    }
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

/// Returns how a fetch ended for a dialect, and whether that is the end of its redirects; `led` is
/// the outcome of these and their hops, and `end` how the fetch at their end ended, if the dataset
/// has it.
pub(super) fn end_of(
    own: FetchOutcome,
    led: Option<(Outcome, u64)>,
    end: Option<FetchOutcome>,
    dialect: &Dialect,
) -> (FetchOutcome, bool) {
    let Some((outcome, hops)) = led.filter(|_| dialect.access.redirect == Access::Redirect) else {
        return (own, false);
    };
    match outcome {
        Outcome::Loop | Outcome::NotFollowable => return (FetchOutcome::TooManyHops, false),
        Outcome::NotFollowed | Outcome::NotModified => return (own, false),
        Outcome::Resolved | Outcome::NotInCorpus | Outcome::TooManyHops => {}
    }
    let least = hops + u64::from(outcome == Outcome::TooManyHops);
    match end {
        _ if !dialect.access.follows(least) => (FetchOutcome::TooManyHops, false),
        Some(end) => (end, true),
        None => (own, false),
    }
}

impl StoredCapture {
    /// Returns true if and only if the table `redirects` has rows of such a capture.
    pub(super) fn is_redirect(&self) -> bool {
        matches!(self.fetch_status, Some(300..=399))
    }

    fn outcome(&self) -> FetchOutcome {
        FetchOutcome::of_response(self.fetch_status, is_cut_off(self.truncated.as_deref()))
    }
}

/// Returns whether a value of `content_truncated` is that of a response that was cut off.
pub(super) fn is_cut_off(truncated: Option<&str>) -> bool {
    let truncated = truncated.and_then(Truncation::from_name);
    truncated.is_some_and(Truncation::is_cut_off)
}

impl FoundCapture {
    /// Returns how the fetch ended for a dialect, which may be none of the dataset's.
    ///
    /// The outcome is the status of the redirect itself where the dialect follows none, and where
    /// the end is not known: the dataset has no capture of it, or no dialect of the run followed so
    /// far.
    pub fn end(&self, dialect: &Dialect) -> FetchEnd<'_> {
        let redirect = self.redirect.as_ref();
        let end = redirect.and_then(|led| led.end.as_ref());
        let (outcome, is_at_end) = end_of(
            self.capture.outcome(),
            redirect.map(|led| (led.outcome, led.hops)),
            end.map(StoredCapture::outcome),
            dialect,
        );
        FetchEnd {
            outcome,
            capture: end.filter(|_| is_at_end).unwrap_or(&self.capture),
        }
    }
}
