//! The dialects of a dataset as followers of redirects: how far each follows a chain, and what a
//! chain without a capture at its end means to it.

use crate::{
    dataset::{
        redirect::{Chains, Outcome, Resolution},
        table::captures::access_named,
    },
    robots::dialect::{Access, Dialect},
};

/// The option of a dataset that describes its followers.
pub(in crate::dataset) const OPTION: &str = "redirects";
/// The text for no limit.
const NO_LIMIT: &str = "none";
/// What [`describe`] writes, for messages.
pub(super) const FORM: &str =
    "a list of dialects, each with what a redirect means, its hops, and what more hops mean";
const NOT_MODIFIED: i32 = 304;

/// The answers of a dialect on which the table `redirects` depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Follower {
    pub(super) name: String,
    /// What a redirect means: that it is followed, or something else by itself.
    redirect: Access,
    /// Hops that are followed; `None` for no limit.
    pub(super) max_hops: Option<u8>,
    /// What a chain of more hops, or a loop, means.
    too_many_hops: Access,
}

impl Follower {
    fn from_dialect(spec: &Dialect) -> Self {
        Self {
            name: spec.name.to_string(),
            redirect: spec.access.redirect,
            max_hops: spec.access.max_hops,
            too_many_hops: spec.access.too_many_hops,
        }
    }

    /// Resolves a redirect of that status, by its index.
    pub(super) fn resolve(&self, chains: &Chains, index: u32, status: i32) -> Resolution {
        match status {
            NOT_MODIFIED => Resolution::at_first(Outcome::NotModified),
            _ => self.resolve_followed(chains, index),
        }
    }

    /// Resolves a redirect with another status than 304, by its index.
    pub(in crate::dataset) fn resolve_followed(&self, chains: &Chains, index: u32) -> Resolution {
        match self.redirect {
            Access::Redirect => chains.resolve(index, self.max_hops),
            _ => Resolution::at_first(Outcome::NotFollowed),
        }
    }

    /// Returns what the end of a chain means, unless the capture at the end decides.
    pub(in crate::dataset) fn access(&self, outcome: Outcome) -> Option<Access> {
        match outcome {
            Outcome::Resolved => None,
            Outcome::NotFollowed => Some(self.redirect),
            Outcome::Loop | Outcome::TooManyHops | Outcome::NotFollowable => {
                Some(self.too_many_hops)
            }
            // The answer at the end is not known.
            Outcome::NotInCorpus | Outcome::NotModified => Some(Access::Undefined),
        }
    }
}

/// Returns true if and only if a capture of that status may be what a redirect leads to: 304 has no
/// file.
pub(super) fn is_target(status: Option<i32>) -> bool {
    status != Some(NOT_MODIFIED)
}

/// Returns the dialects as the option describes them.
pub(in crate::dataset) fn describe(dialects: &[Dialect]) -> String {
    let described: Vec<String> = dialects
        .iter()
        .map(Follower::from_dialect)
        .map(|follower| {
            let limit = follower.max_hops.map(|limit| limit.to_string());
            format!(
                "{} {} {} {}",
                follower.name,
                follower.redirect.as_str(),
                limit.as_deref().unwrap_or(NO_LIMIT),
                follower.too_many_hops.as_str()
            )
        })
        .collect();
    described.join(", ")
}

/// Reads what [`describe`] wrote; `None` for any other text.
pub(super) fn read(described: &str) -> Option<Vec<Follower>> {
    described.split(", ").map(read_one).collect()
}

fn read_one(described: &str) -> Option<Follower> {
    let words: Vec<&str> = described.split(' ').collect();
    let &[name, redirect, limit, too_many_hops] = words.as_slice() else {
        return None;
    };
    Some(Follower {
        name: name.to_owned(),
        redirect: access_named(redirect)?,
        max_hops: match limit {
            NO_LIMIT => None,
            limit => Some(limit.parse().ok()?),
        },
        too_many_hops: access_named(too_many_hops)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::Dialect;

    #[test]
    fn dialects_are_read_as_they_were_described() {
        let dialects: Vec<_> = Dialect::BUILT_IN.into_iter().cloned().collect();
        let followers: Vec<_> = dialects.iter().map(Follower::from_dialect).collect();
        assert_eq!(read(&describe(&dialects)), Some(followers.clone()));
        let unlimited = Follower {
            max_hops: None,
            ..followers[0].clone()
        };
        let described = "google redirect none full_allow";
        assert_eq!(read(described), Some(vec![unlimited]));
        for broken in ["", "google", "google redirect 256 full_allow", "a b 5 c"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
