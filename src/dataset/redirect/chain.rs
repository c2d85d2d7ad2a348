//! Chains of hops, followed to their ends.

use super::{
    ending::{Ending, endings},
    hop::{Candidate, CandidateKind, Hops, Outcome},
};

/// The end of the chain of one redirect under one dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// How the chain ended.
    pub outcome: Outcome,
    /// Redirects followed, the first one included.
    pub hops: u32,
    /// The last of them, by its index: its target is the last URL that was requested. `None` if
    /// the first one was not followed.
    pub last: Option<u32>,
    /// The capture at the end, if the chain is resolved.
    pub end: Option<Candidate>,
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

/// The chains of all redirects; 32 bytes for each.
#[derive(Debug)]
pub struct Chains {
    /// By redirect: the capture it leads to.
    targets: Vec<Option<Candidate>>,
    /// By redirect: the end of its chain, however many hops it takes.
    endings: Vec<Ending>,
}

impl Chains {
    /// Follows all chains to their ends.
    pub(super) fn new(hops: Hops) -> Self {
        let mut endings = endings(&hops);
        // Each hop is in its window, but the end must be in that of the first redirect too.
        for (first, ending) in (0..).zip(&mut endings) {
            let is_near = |end: Candidate| hops.is_near(first, &end);
            if ending.outcome == Outcome::Resolved && !hops.target(ending.last).is_some_and(is_near)
            {
                ending.outcome = Outcome::NotInCorpus;
            }
        }
        Self {
            targets: hops.targets,
            endings,
        }
    }

    /// Returns the number of redirects.
    pub fn len(&self) -> usize {
        self.endings.len()
    }

    /// Returns the capture of its target that counts for a redirect, by its index, if there is one.
    pub fn target(&self, index: u32) -> Option<Candidate> {
        self.targets[index as usize]
    }

    /// Follows the chain that begins at a redirect, by its index, over at most `max_hops` hops;
    /// `None` is no limit.
    ///
    /// A chain of too many hops takes time in proportion to the limit; any other takes none.
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
                last: (limit > 0).then(|| self.nth(first, limit - 1)),
                end: None,
            };
        }
        Resolution {
            outcome,
            hops,
            last: (hops > 0).then_some(last),
            end: match outcome {
                Outcome::Resolved => self.target(last),
                _ => None,
            },
        }
    }

    /// Returns the redirect `n` hops after another one.
    fn nth(&self, first: u32, n: u32) -> u32 {
        let mut at = first;
        for _ in 0..n {
            match self.target(at).map(Candidate::kind) {
                Some(CandidateKind::Redirect(next)) => at = next,
                _ => break,
            }
        }
        at
    }

    /// Returns the redirects, sorted, whose targets are the last URLs of chains of several hops, by
    /// any of these limits: rows need their targets besides their own.
    pub fn distant_ends(&self, limits: &[Option<u8>]) -> Vec<u32> {
        let mut wanted = Vec::new();
        for index in 0..self.len() as u32 {
            let last = |&limit: &Option<u8>| self.resolve(index, limit).last;
            let lasts = limits.iter().filter_map(last);
            wanted.extend(lasts.filter(|&last| last != index));
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }
}
