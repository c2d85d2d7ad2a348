//! Chains of hops, followed to their ends.
//!
//! Enters: redirects, each with the capture it leads to. Leaves: a [`Resolution`] for each.

use super::{
    Answer, Found, Redirect,
    ending::{Ending, endings},
};

/// How a chain ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// At a capture that does not redirect.
    Resolved,
    /// At a URL that the dataset has no capture of.
    NotInCorpus,
    /// At a URL of which the nearest capture was fetched too long before or after, or at such an
    /// end.
    TooFarInTime,
    /// At a redirect that the chain had followed before.
    Loop,
    /// At a redirect after as many hops as the dialect follows.
    TooManyHops,
    /// At a redirect that no crawler follows, or whose target cannot be read.
    NotFollowable,
    /// At its first capture: the dialect follows no redirect.
    NotFollowed,
    /// At its first capture: 304 is no redirect, but says that the file fetched before still holds.
    NotModified,
}

impl Outcome {
    /// Every outcome, in the order of the enum.
    pub const ALL: [Self; 8] = [
        Self::Resolved,
        Self::NotInCorpus,
        Self::TooFarInTime,
        Self::Loop,
        Self::TooManyHops,
        Self::NotFollowable,
        Self::NotFollowed,
        Self::NotModified,
    ];

    /// Returns the name used in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::NotInCorpus => "not_in_corpus",
            Self::TooFarInTime => "too_far_in_time",
            Self::Loop => "loop",
            Self::TooManyHops => "too_many_hops",
            Self::NotFollowable => "not_followable",
            Self::NotFollowed => "not_followed",
            Self::NotModified => "not_modified",
        }
    }
}

/// What became of a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// How its chain ended.
    pub outcome: Outcome,
    /// Redirects followed, itself included.
    pub hops: u32,
    /// The last of them, by its index: its target is the last URL that was asked for. `None`: it
    /// was not followed itself.
    pub last: Option<u32>,
    /// The capture at the end, if the chain is resolved.
    pub end: Option<Found>,
}

impl Resolution {
    /// Returns the resolution of a redirect that is not followed itself.
    pub fn at_first(outcome: Outcome) -> Self {
        Self {
            outcome,
            hops: 0,
            last: None,
            end: None,
        }
    }
}

/// Redirects with the captures they lead to.
#[derive(Debug)]
pub struct Chains {
    redirects: Vec<Redirect>,
    /// For each redirect the capture of its target nearest in time.
    next: Vec<Option<Found>>,
    /// Longest distance of a capture to the redirects before it, in microseconds.
    window: Option<u64>,
    /// For each redirect the end of its chain, however many hops it takes.
    endings: Vec<Ending>,
}

/// Where one hop leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// To another redirect, by its index.
    To(u32),
    /// To the end of the chain.
    Ends(Outcome),
}

impl Chains {
    /// Takes redirects and, in the order of `order`, the captures that those which are followed
    /// lead to.
    pub(super) fn new(
        redirects: Vec<Redirect>,
        order: Vec<u32>,
        found: Vec<Option<Found>>,
        window: Option<u64>,
    ) -> Self {
        let mut next = vec![None; redirects.len()];
        for (&index, found) in order.iter().zip(&found) {
            next[index as usize] = *found;
        }
        drop((order, found));
        let mut chains = Self {
            redirects,
            next,
            window,
            endings: Vec::new(),
        };
        chains.endings = endings(&chains);
        chains
    }

    /// Returns the number of redirects.
    pub fn len(&self) -> usize {
        self.redirects.len()
    }

    /// Returns the capture of its target that counts for a redirect, by its index, if there is one.
    pub fn target(&self, index: u32) -> Option<Found> {
        let found = self.next[index as usize];
        found.filter(|found| self.is_near(index, found))
    }

    /// Follows the chain that begins at a redirect, by its index, over at most `max_hops` hops;
    /// `None` is no limit.
    ///
    /// A chain of too many hops takes time in proportion to the limit, any other one does not.
    pub fn resolve(&self, first: u32, max_hops: Option<u8>) -> Resolution {
        let Ending {
            outcome,
            hops,
            last,
        } = self.endings[first as usize];
        if let Some(limit) = max_hops.map(u32::from).filter(|&limit| hops > limit) {
            return Resolution {
                outcome: Outcome::TooManyHops,
                hops: limit,
                last: (limit > 0).then(|| self.behind(first, limit - 1)),
                end: None,
            };
        }
        let mut resolution = Resolution {
            outcome,
            hops,
            last: (hops > 0).then_some(last),
            end: None,
        };
        if outcome == Outcome::Resolved {
            resolution.end = self.target(last).filter(|end| self.is_near(first, end));
            if resolution.end.is_none() {
                resolution.outcome = Outcome::TooFarInTime;
            }
        }
        resolution
    }

    /// Returns the redirect that is so many hops behind another one.
    fn behind(&self, first: u32, hops: u32) -> u32 {
        let mut at = first;
        for _ in 0..hops {
            match self.step(at) {
                Step::To(next) => at = next,
                Step::Ends(_) => break,
            }
        }
        at
    }

    /// Returns where a redirect leads.
    pub(super) fn step(&self, index: u32) -> Step {
        let here = &self.redirects[index as usize];
        if here.target.is_none() {
            return Step::Ends(Outcome::NotFollowable);
        }
        match self.next[index as usize] {
            None if here.is_to_itself() => Step::Ends(Outcome::Loop),
            None => Step::Ends(Outcome::NotInCorpus),
            Some(found) if !self.is_near(index, &found) => Step::Ends(Outcome::TooFarInTime),
            Some(found) => match found.answer {
                Answer::Redirect(next) => Step::To(next),
                Answer::Other(_) => Step::Ends(Outcome::Resolved),
            },
        }
    }

    /// Returns a redirect, by its index.
    pub(super) fn redirect(&self, index: u32) -> &Redirect {
        &self.redirects[index as usize]
    }

    /// Returns true if and only if a capture was fetched within the window around a redirect.
    fn is_near(&self, index: u32, found: &Found) -> bool {
        let apart = self.redirects[index as usize].apart(found);
        self.window
            .is_none_or(|window| apart.is_some_and(|apart| apart <= window))
    }

    /// Returns the redirects, sorted, whose targets are the last URLs of chains that began
    /// elsewhere, by any of these limits of hops: what a [`Texts`](super::Texts) must hold.
    pub fn ends_elsewhere(&self, limits: &[Option<u8>]) -> Vec<u32> {
        let mut wanted = Vec::new();
        for index in 0..self.redirects.len() as u32 {
            let last = |&limit: &Option<u8>| self.resolve(index, limit).last;
            let lasts = limits.iter().filter_map(last);
            wanted.extend(lasts.filter(|&last| last != index));
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }
}
