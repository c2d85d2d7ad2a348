//! Chains of hops, followed to their ends.
//!
//! Enters: redirects, each with the capture it leads to. Leaves: a [`Resolution`] for each.

use super::{Found, MAX_HOPS, Redirect};

/// How a chain ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// At a capture that does not redirect.
    Resolved,
    /// At a URL that the dataset has no capture of.
    NotInCorpus,
    /// At a redirect that the chain had followed before.
    Loop,
    /// At a redirect after five hops.
    TooManyHops,
    /// At a redirect that no crawler follows, or whose target cannot be read.
    NotFollowable,
}

impl Outcome {
    /// Every outcome, in the order of the enum.
    pub const ALL: [Self; 5] = [
        Self::Resolved,
        Self::NotInCorpus,
        Self::Loop,
        Self::TooManyHops,
        Self::NotFollowable,
    ];

    /// Returns the name used in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::NotInCorpus => "not_in_corpus",
            Self::Loop => "loop",
            Self::TooManyHops => "too_many_hops",
            Self::NotFollowable => "not_followable",
        }
    }
}

/// What became of a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// How its chain ended.
    pub outcome: Outcome,
    /// Redirects followed, itself included.
    pub hops: u8,
    /// The last of them, by its index: its target is the last URL that was asked for. `None`: it was not followed itself.
    pub last: Option<u32>,
    /// The capture at the end, if the chain is resolved.
    pub effective_capture_id: Option<i64>,
}

/// Redirects with the captures they lead to.
#[derive(Debug)]
pub struct Chains {
    redirects: Vec<Redirect>,
    /// For each redirect its place in `next`; [`NOT_FOLLOWED`] for those that have none.
    positions: Vec<u32>,
    next: Vec<Option<Found>>,
}

/// Stands for no position; a dataset has fewer redirects.
const NOT_FOLLOWED: u32 = u32::MAX;

impl Chains {
    /// Takes redirects and, for those that are followed, in the order of `order`, the captures that they lead to.
    pub(super) fn new(redirects: Vec<Redirect>, order: &[u32], next: Vec<Option<Found>>) -> Self {
        let mut positions = vec![NOT_FOLLOWED; redirects.len()];
        for (position, &index) in (0_u32..).zip(order) {
            positions[index as usize] = position;
        }
        Self {
            redirects,
            positions,
            next,
        }
    }

    /// Returns the number of redirects.
    pub fn len(&self) -> usize {
        self.redirects.len()
    }

    /// Returns true if and only if there is no redirect.
    pub fn is_empty(&self) -> bool {
        self.redirects.is_empty()
    }

    /// Follows the chain that begins at a redirect, by its index.
    pub fn resolve(&self, first: u32) -> Resolution {
        let mut followed = [0_u32; MAX_HOPS];
        let mut hops = 0;
        let mut at = first;
        let (outcome, effective_capture_id) = loop {
            let here = &self.redirects[at as usize];
            let is_again = followed[..hops].iter().any(|&index| {
                let before = &self.redirects[index as usize];
                (before.url, before.target) == (here.url, here.target)
            });
            if is_again {
                break (Outcome::Loop, None);
            }
            if here.target.is_none() {
                break (Outcome::NotFollowable, None);
            }
            if hops == MAX_HOPS {
                break (Outcome::TooManyHops, None);
            }
            followed[hops] = at;
            hops += 1;
            match self.next[self.positions[at as usize] as usize] {
                None if here.is_to_itself() => break (Outcome::Loop, None),
                None => break (Outcome::NotInCorpus, None),
                Some(found) => match found.redirect {
                    None => break (Outcome::Resolved, Some(found.capture_id)),
                    Some(redirect) => at = redirect,
                },
            }
        };
        Resolution {
            outcome,
            hops: hops as u8,
            last: followed[..hops].last().copied(),
            effective_capture_id,
        }
    }

    /// Returns the redirects, sorted, whose targets are the last URLs of chains that began elsewhere: what a [`Texts`](super::Texts) must hold.
    pub fn ends_elsewhere(&self) -> Vec<u32> {
        let mut wanted: Vec<u32> = (0..self.redirects.len() as u32)
            .filter_map(|index| self.resolve(index).last.filter(|&last| last != index))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }
}
