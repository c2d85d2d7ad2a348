//! The dialects of a dataset as followers of redirects: how far each follows a chain, and what a
//! chain without a capture at its end means to it.

use crate::{
    dataset::redirect::{Chains, Outcome, Resolution},
    robots::dialect::{Access, Dialect},
};

const NOT_MODIFIED: i32 = 304;

/// Resolves a redirect of that status, by its index, as a dialect follows it.
pub(super) fn resolve(dialect: &Dialect, chains: &Chains, index: u32, status: i32) -> Resolution {
    match status {
        NOT_MODIFIED => Resolution::at_first(Outcome::NotModified),
        _ => resolve_followed(dialect, chains, index),
    }
}

/// Resolves a redirect with another status than 304, by its index, as a dialect follows it.
pub(in crate::dataset) fn resolve_followed(
    dialect: &Dialect,
    chains: &Chains,
    index: u32,
) -> Resolution {
    match dialect.access.redirect {
        Access::Redirect => chains.resolve(index, dialect.access.max_hops),
        _ => Resolution::at_first(Outcome::NotFollowed),
    }
}

/// Returns what the end of a chain means to a dialect, unless the capture at the end decides.
pub(in crate::dataset) fn access_of(dialect: &Dialect, outcome: Outcome) -> Option<Access> {
    match outcome {
        Outcome::Resolved => None,
        Outcome::NotFollowed => Some(dialect.access.redirect),
        Outcome::Loop | Outcome::TooManyHops | Outcome::NotFollowable => {
            Some(dialect.access.too_many_hops)
        }
        // The answer at the end is not known.
        Outcome::NotInCorpus | Outcome::NotModified => Some(Access::Undefined),
    }
}

/// Returns true if and only if a capture of that status may be what a redirect leads to: 304 has no
/// file.
pub(super) fn is_target(status: Option<i32>) -> bool {
    status != Some(NOT_MODIFIED)
}
