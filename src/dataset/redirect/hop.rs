//! Redirects and the captures they lead to, one hop each.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::UrlKey;
use crate::named::named;

/// One capture that redirects; 40 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Redirect {
    /// When it was fetched, microseconds since 1970, or [`Redirect::NO_TIME`].
    pub time: i64,
    /// The URL that was fetched.
    pub url: UrlKey,
    /// Where it leads, if it is followed.
    pub target: Option<UrlKey>,
}

/// A capture that a redirect may lead to; 20 bytes, of which millions are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub struct Candidate {
    /// When it was fetched, as in [`Redirect::time`].
    pub time: i64,
    /// The capture's identifier.
    pub capture_id: i64,
    /// The index of a redirect and one, or the label of another answer and [`LABELED`].
    kind: NonZeroU32,
}

/// What a capture is to the redirects that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// A redirect, by its index, which is below 2^31.
    Redirect(u32),
    /// Another answer, with what the caller wants to know of it at the end of a chain: a number
    /// below 2^31.
    Other(u32),
}

named! {
    /// How a chain ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Outcome {
        /// At a capture that does not redirect.
        Resolved = "resolved",
        /// At a URL of which no capture is in the crawl, or in the window.
        NotInCorpus = "not_in_corpus",
        /// At a redirect that the chain had followed before.
        Loop = "loop",
        /// At a redirect after as many hops as the dialect follows.
        TooManyHops = "too_many_hops",
        /// At a redirect that no crawler follows, or whose target cannot be read.
        NotFollowable = "not_followable",
        /// At its first capture: the dialect follows no redirect.
        NotFollowed = "not_followed",
        /// At its first capture: 304 is no redirect, but states that the file fetched before still
        /// holds.
        NotModified = "not_modified",
    }
}

/// Set in the kind of a candidate that is no redirect.
const LABELED: u32 = 1 << 31;

impl Candidate {
    /// Returns the candidate of a capture.
    pub fn new(time: i64, capture_id: i64, kind: CandidateKind) -> Self {
        let kind = match kind {
            CandidateKind::Redirect(index) => index + 1,
            CandidateKind::Other(label) => label | LABELED,
        };
        Self {
            time,
            capture_id,
            kind: NonZeroU32::new(kind).expect("an index or a label is below 2^31"),
        }
    }

    /// Returns what the capture is.
    pub fn kind(self) -> CandidateKind {
        let kind = self.kind.get();
        if kind & LABELED == 0 {
            CandidateKind::Redirect(kind - 1)
        } else {
            CandidateKind::Other(kind & !LABELED)
        }
    }
}

impl Redirect {
    /// The time of a capture whose time is unknown: before all others.
    pub const NO_TIME: i64 = i64::MIN;

    /// Returns true if and only if the capture leads to its own URL.
    pub fn is_to_itself(&self) -> bool {
        self.target == Some(self.url)
    }
    /// Returns true if and only if a capture is in the window of this one; `None` is no limit.
    pub(super) fn is_near(&self, capture: &Candidate, window: Option<u64>) -> bool {
        let (time, other) = (self.time, capture.time);
        let is_known = time != Self::NO_TIME && other != Self::NO_TIME;
        window.is_none_or(|window| is_known && time.abs_diff(other) <= window)
    }
}
