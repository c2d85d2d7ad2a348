//! Chains of hops, followed to their ends.

use std::collections::HashSet;

use super::{
    UrlKey,
    hop::{Candidate, CandidateKind, Outcome, Redirect},
};

/// The hops after which a chain is not followed further: more than a dialect can limit them to.
const MOST_HOPS: u32 = 256;

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
    /// By redirect: the end of its chain, over at most [`MOST_HOPS`] hops.
    endings: Vec<Ending>,
}

/// The end of a chain without the limit of a dialect.
#[derive(Clone, Copy, Debug)]
struct Ending {
    outcome: Outcome,
    /// Redirects followed, the first one included.
    hops: u32,
    /// The last of them; the first one itself if none is followed.
    last: u32,
}

impl Chains {
    /// Follows all chains to their ends. `targets` has for each redirect the capture of its target
    /// that counts, if the window holds both.
    pub(super) fn new(
        redirects: &[Redirect],
        targets: Vec<Option<Candidate>>,
        window: Option<u64>,
    ) -> Self {
        let mut chains = Self {
            targets,
            endings: Vec::with_capacity(redirects.len()),
        };
        let mut followed = HashSet::new();
        for first in 0..redirects.len() as u32 {
            followed.clear();
            let ending = chains.follow(redirects, first, window, &mut followed);
            chains.endings.push(ending);
        }
        chains
    }

    /// Follows the chain that begins at a redirect; `followed` has none yet.
    fn follow(
        &self,
        redirects: &[Redirect],
        first: u32,
        window: Option<u64>,
        followed: &mut HashSet<(UrlKey, UrlKey)>,
    ) -> Ending {
        let (mut at, mut last, mut hops) = (first, first, 0);
        let outcome = loop {
            let redirect = &redirects[at as usize];
            let Some(target) = redirect.target else {
                break Outcome::NotFollowable;
            };
            if !followed.insert((redirect.url, target)) {
                break Outcome::Loop;
            }
            if hops == MOST_HOPS {
                break Outcome::TooManyHops;
            }
            (last, hops) = (at, hops + 1);
            let Some(found) = self.target(at) else {
                break if redirect.is_to_itself() {
                    Outcome::Loop
                } else {
                    Outcome::NotInCorpus
                };
            };
            match found.kind() {
                CandidateKind::Redirect(next) => at = next,
                // Each hop is in its window, but the end must be in that of the first one too.
                CandidateKind::Other(_) if redirects[first as usize].is_near(&found, window) => {
                    break Outcome::Resolved;
                }
                CandidateKind::Other(_) => break Outcome::NotInCorpus,
            }
        };
        Ending {
            outcome,
            hops,
            last,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::redirect::Nearest;

    /// Returns redirects from URLs by number to URLs by number, at the times of their indices.
    fn redirects(hops: impl Iterator<Item = (u32, u32)>) -> Vec<Redirect> {
        let key = |url: u32| UrlKey::new(&format!("http://{url}.example/"));
        hops.enumerate()
            .map(|(index, (url, target))| Redirect {
                time: index as i64,
                url: key(url),
                target: Some(key(target)),
            })
            .collect()
    }

    fn chains(redirects: Vec<Redirect>, end: Option<u32>) -> Chains {
        let offered: Vec<_> = redirects
            .iter()
            .map(|redirect| (redirect.url, redirect.time))
            .collect();
        let mut nearest = Nearest::new(redirects);
        for (index, (url, time)) in offered.into_iter().enumerate() {
            nearest.offer(
                url,
                Candidate::new(time, index as i64, CandidateKind::Redirect(index as u32)),
            );
        }
        if let Some(end) = end {
            nearest.offer(
                UrlKey::new(&format!("http://{end}.example/")),
                Candidate::new(0, -1, CandidateKind::Other(7)),
            );
        }
        nearest.finish(None)
    }

    const MANY: u32 = 10_000;

    #[test]
    fn a_long_chain_takes_as_long_as_it_has_redirects_and_ends_after_256_hops() {
        let hops = redirects((0..MANY).map(|n| (n, n + 1)));
        let chains = chains(hops, Some(MANY));
        for first in [MANY - 256, MANY - 1] {
            let found = chains.resolve(first, None);
            assert_eq!(found.outcome, Outcome::Resolved);
            assert_eq!((found.hops, found.last), (MANY - first, Some(MANY - 1)));
            assert_eq!(found.end.map(|end| end.capture_id), Some(-1));
        }
        for (limit, hops) in [(None, 256), (Some(255), 255), (Some(1), 1)] {
            let found = chains.resolve(0, limit);
            assert_eq!((found.outcome, found.hops), (Outcome::TooManyHops, hops));
            assert_eq!((found.last, found.end), (Some(hops - 1), None));
        }
        let wanted = chains.distant_ends(&[None, Some(3)]);
        // Each end after three hops but those of the first two, and the end of all.
        assert_eq!(wanted.len(), MANY as usize - 2);
    }

    #[test]
    fn a_long_cycle_with_a_tree_at_each_hop_ends_after_as_many() {
        let ring = (0..MANY).map(|n| (n, (n + 1) % MANY));
        let trees = (0..MANY).map(|n| (MANY + n, n));
        let chains = chains(redirects(ring.chain(trees)), None);
        for (first, limit, hops) in [(0, None, 256), (MANY, None, 256), (0, Some(5), 5)] {
            let found = chains.resolve(first, limit);
            assert_eq!((found.outcome, found.hops), (Outcome::TooManyHops, hops));
        }
    }

    #[test]
    fn a_redirect_met_again_at_another_time_is_a_loop_as_soon_as_it_is_met() {
        // The same two URLs, captured again and again: a chain that drifts through time.
        let hops = redirects((0..MANY).map(|n| (n % 2, (n + 1) % 2)));
        let chains = chains(hops, None);
        for first in [0, 1, MANY / 2, MANY - 1] {
            let found = chains.resolve(first, None);
            assert_eq!((found.outcome, found.hops), (Outcome::Loop, 2), "{first}");
        }
    }
}
