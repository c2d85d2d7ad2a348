//! The end of every chain, found once for all redirects in time and memory in proportion to their
//! number.
//!
//! Enters: [`Chains`] whose hops are known. Leaves: an [`Ending`] for each redirect.
//!
//! # How it works
//!
//! Every redirect leads to one other at most, so that all redirects form trees, which grow
//! backwards from the redirects at which chains end or from cycles. Walking a tree from its root,
//! the path to a redirect is its chain in reverse, and everything that decides its end is known:
//! whether a redirect from and to the same URLs stands on that path (`latest`), and the nearest
//! such repetition of the chain behind it. A cycle is written out twice: the first copy then has
//! all of the cycle behind it. Following each chain by itself would take a million chains of a
//! million hops each where one server makes each of a million URLs redirect to the next.

use super::chain::{Chains, Outcome, Step};

/// Where a chain ends that may take any number of hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) outcome: Outcome,
    /// Redirects followed, the first one included.
    pub(super) hops: u32,
    /// The last of them; the first one itself where none is followed.
    pub(super) last: u32,
}

/// Finds the ends of all chains.
pub(super) fn endings(chains: &Chains) -> Vec<Ending> {
    let mut walk = Walk {
        sources: Sources::of(chains),
        pairs: Vec::new(),
        latest: Vec::new(),
        path: Vec::new(),
        branches: Vec::new(),
        endings: vec![None; chains.len()],
        outcome: Outcome::Loop,
    };
    walk.number_pairs(chains);
    let all = 0..chains.len() as u32;
    for index in all.clone() {
        if let Step::Ends(outcome) = chains.step(index) {
            walk.outcome = outcome;
            walk.grow(&[index], 0);
        }
    }
    // What is left leads into a cycle.
    walk.outcome = Outcome::Loop;
    for index in all {
        if walk.endings[index as usize].is_none() {
            let mut backwards = cycle(chains, index);
            let copied = backwards.len();
            backwards.extend_from_within(..);
            walk.grow(&backwards, copied);
        }
    }
    let endings = walk.endings.into_iter();
    endings
        .map(|ending| ending.expect("every redirect leads to an end or into a cycle"))
        .collect()
}

/// Returns the cycle into which a redirect leads, each of its redirects behind the one that it
/// leads to.
fn cycle(chains: &Chains, from: u32) -> Vec<u32> {
    let next = |index| match chains.step(index) {
        Step::To(next) => next,
        Step::Ends(_) => index,
    };
    // The faster of two that run round a cycle meets the slower one there.
    let (mut slow, mut fast) = (next(from), next(next(from)));
    while slow != fast {
        slow = next(slow);
        fast = next(next(fast));
    }
    let mut found = vec![slow];
    let mut at = next(slow);
    while at != slow {
        found.push(at);
        at = next(at);
    }
    found.reverse();
    found
}

/// The redirects that lead to a redirect.
struct Sources {
    /// Where those of each redirect begin in `indices`, and where those of the last end.
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl Sources {
    fn of(chains: &Chains) -> Self {
        let n = chains.len();
        let mut starts = vec![0_u32; n + 1];
        for index in 0..n as u32 {
            if let Step::To(next) = chains.step(index) {
                starts[next as usize + 1] += 1;
            }
        }
        for index in 0..n {
            starts[index + 1] += starts[index];
        }
        let mut indices = vec![0; starts[n] as usize];
        // Filled from behind, `starts` ends as it shall be read: moved by one redirect.
        let mut ends: Vec<u32> = starts[1..].to_vec();
        for index in (0..n as u32).rev() {
            if let Step::To(next) = chains.step(index) {
                let end = &mut ends[next as usize];
                *end -= 1;
                indices[*end as usize] = index;
            }
        }
        Self { starts, indices }
    }

    fn range(&self, index: u32) -> std::ops::Range<usize> {
        let at = index as usize;
        self.starts[at] as usize..self.starts[at + 1] as usize
    }
}

/// A walk over the trees.
struct Walk {
    sources: Sources,
    /// For each redirect the number of its pair of URLs, where chains of several hops pass it.
    pairs: Vec<u32>,
    /// By pair: where on the path it stands last, from 1; 0 where it does not.
    latest: Vec<u32>,
    /// From the end of the chain backwards.
    path: Vec<u32>,
    branches: Vec<Branch>,
    endings: Vec<Option<Ending>>,
    /// How chains end at the root.
    outcome: Outcome,
}

/// A redirect on the path, and how far the walk over what leads to it has come.
struct Branch {
    /// Where the rest of its sources stands.
    rest: std::ops::Range<usize>,
    /// What `latest` was before it.
    latest: u32,
    /// See [`Walk::enter`].
    repeated: u32,
}

impl Walk {
    /// Numbers the pairs of URLs of all redirects that have a hop before or behind them.
    fn number_pairs(&mut self, chains: &Chains) {
        let is_passed = |&index: &u32| {
            matches!(chains.step(index), Step::To(_)) || !self.sources.range(index).is_empty()
        };
        let mut passed: Vec<u32> = (0..chains.len() as u32).filter(is_passed).collect();
        let pair = |index: u32| {
            let redirect = chains.redirect(index);
            (redirect.url, redirect.target)
        };
        passed.sort_unstable_by_key(|&index| pair(index));
        self.pairs = vec![0; chains.len()];
        let mut number = 0;
        for at in 0..passed.len() {
            if at > 0 && pair(passed[at]) != pair(passed[at - 1]) {
                number += 1;
            }
            self.pairs[passed[at] as usize] = number;
        }
        self.latest = vec![0; number as usize + 1];
    }

    /// Walks over everything that leads to the redirects of a trunk, which stand in it from the end
    /// of their chain backwards; the first `copied` of them stand there once more.
    fn grow(&mut self, trunk: &[u32], copied: usize) {
        let mut repeated = 0;
        for (at, &index) in trunk.iter().enumerate() {
            (repeated, _) = self.enter(index, repeated, at >= copied);
            if at >= copied {
                let upcoming = trunk.get(at + 1).copied();
                self.grow_branches(index, repeated, upcoming);
            }
        }
        for &index in trunk {
            self.latest[self.pairs[index as usize] as usize] = 0;
        }
        self.path.clear();
    }

    /// Walks over everything that leads to a redirect of the trunk but the trunk itself.
    fn grow_branches(&mut self, index: u32, repeated: u32, upcoming: Option<u32>) {
        for source in self.sources.range(index) {
            let source = self.sources.indices[source];
            if Some(source) == upcoming || self.endings[source as usize].is_some() {
                continue;
            }
            self.branch_off(source, repeated);
            while let Some(branch) = self.branches.last_mut() {
                let repeated = branch.repeated;
                if let Some(source) = branch.rest.next() {
                    let source = self.sources.indices[source];
                    self.branch_off(source, repeated);
                } else {
                    let latest = branch.latest;
                    self.branches.pop();
                    if let Some(left) = self.path.pop() {
                        self.latest[self.pairs[left as usize] as usize] = latest;
                    }
                }
            }
        }
    }

    fn branch_off(&mut self, index: u32, repeated: u32) {
        let (repeated, latest) = self.enter(index, repeated, true);
        self.branches.push(Branch {
            rest: self.sources.range(index),
            latest,
            repeated,
        });
    }

    /// Puts a redirect on the path and notes the end of its chain.
    ///
    /// `repeated` is where the chain behind it comes to a pair of URLs for the second time, as a
    /// place on the path from 1, or 0. Returns the same for its own chain, and what `latest` was.
    fn enter(&mut self, index: u32, repeated: u32, is_noted: bool) -> (u32, u32) {
        let place = self.path.len() as u32;
        self.path.push(index);
        let latest = &mut self.latest[self.pairs[index as usize] as usize];
        let before = std::mem::replace(latest, place + 1);
        let repeated = repeated.max(before);
        if is_noted {
            self.endings[index as usize] = Some(self.ending(place, repeated));
        }
        (repeated, before)
    }

    /// Returns the end of the chain that begins at a place of the path.
    fn ending(&self, place: u32, repeated: u32) -> Ending {
        let (outcome, hops) = match (repeated, self.outcome) {
            (0, outcome @ Outcome::NotFollowable) => (outcome, place),
            (0, outcome) => (outcome, place + 1),
            // Followed up to the redirect that is met for the second time.
            (repeated, _) => (Outcome::Loop, place + 1 - repeated),
        };
        let last = place - hops.saturating_sub(1);
        Ending {
            outcome,
            hops,
            last: self.path[last as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::redirect::{Answer, Found, Nearest, Outcome, Redirect, UrlKey};

    /// Returns redirects from URLs by number to URLs by number, at the times of their indices.
    fn redirects(hops: impl Iterator<Item = (u32, u32)>) -> Vec<Redirect> {
        let key = |url: u32| UrlKey::of(&format!("http://{url}.example/"));
        hops.enumerate()
            .map(|(index, (url, target))| Redirect {
                capture_id: index as i64,
                time: index as i64,
                url: key(url),
                target: Some(key(target)),
            })
            .collect()
    }

    fn chains(redirects: Vec<Redirect>, end: Option<u32>) -> super::Chains {
        let offered: Vec<_> = redirects
            .iter()
            .map(|redirect| (redirect.url, redirect.time))
            .collect();
        let mut nearest = Nearest::new(redirects);
        for (index, (url, time)) in offered.into_iter().enumerate() {
            nearest.offer(
                url,
                Found {
                    time,
                    capture_id: index as i64,
                    answer: Answer::Redirect(index as u32),
                },
            );
        }
        if let Some(end) = end {
            nearest.offer(
                UrlKey::of(&format!("http://{end}.example/")),
                Found {
                    time: 0,
                    capture_id: -1,
                    answer: Answer::Other(7),
                },
            );
        }
        nearest.finish(None)
    }

    const MANY: u32 = 1_000_000;

    #[test]
    fn a_chain_of_a_million_hops_takes_linear_time_and_no_stack() {
        let hops = redirects((0..MANY).map(|n| (n, n + 1)));
        let chains = chains(hops, Some(MANY));
        for (first, hops) in [(0, MANY), (MANY / 2, MANY / 2), (MANY - 1, 1)] {
            let found = chains.resolve(first, None);
            assert_eq!(found.outcome, Outcome::Resolved);
            assert_eq!((found.hops, found.last), (hops, Some(MANY - 1)));
            assert_eq!(found.end.map(|end| end.capture_id), Some(-1));
        }
        let short = chains.resolve(0, Some(255));
        assert_eq!((short.outcome, short.hops), (Outcome::TooManyHops, 255));
        assert_eq!(short.last, Some(254));
        let wanted = chains.ends_elsewhere(&[None, Some(3)]);
        // Each end after three hops but those of the first two, and the end of all.
        assert_eq!(wanted.len(), MANY as usize - 2);
    }

    #[test]
    fn a_cycle_of_a_million_hops_with_a_tree_at_each_takes_linear_time() {
        let ring = (0..MANY).map(|n| (n, (n + 1) % MANY));
        let trees = (0..MANY).map(|n| (MANY + n, n));
        let chains = chains(redirects(ring.chain(trees)), None);
        for (first, hops) in [(0, MANY), (MANY - 1, MANY), (MANY, MANY + 1)] {
            let found = chains.resolve(first, None);
            assert_eq!((found.outcome, found.hops), (Outcome::Loop, hops));
        }
        let found = chains.resolve(0, Some(5));
        assert_eq!((found.outcome, found.hops), (Outcome::TooManyHops, 5));
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
