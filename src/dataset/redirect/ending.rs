//! The end of every chain, found once for all redirects in time and memory in proportion to their
//! number.
//!
//! # How it works
//!
//! Every redirect leads to one other at most, so all redirects form trees, whose roots are the
//! redirects at which chains end, or cycles. In a traversal from the root, the path to a redirect
//! is its chain in reverse, and has all that decides its end: whether a redirect from and to the
//! same URLs is on that path (`latest`), and the nearest such repetition in the rest of the chain.
//! A cycle is put on the path twice, so that each redirect of the second copy has the whole cycle
//! before it. To follow each chain by itself would take a million chains of a million hops where a
//! server redirects each of a million URLs to the next.

use super::hop::{Hops, Outcome, Step};

/// The end of a chain that may take any number of hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) outcome: Outcome,
    /// Redirects followed, the first one included.
    pub(super) hops: u32,
    /// The last of them; the first one itself if none is followed.
    pub(super) last: u32,
}

/// Finds the ends of all chains.
pub(super) fn endings(hops: &Hops) -> Vec<Ending> {
    let mut traversal = Traversal {
        sources: Sources::new(hops),
        pairs: Vec::new(),
        latest: Vec::new(),
        path: Vec::new(),
        branches: Vec::new(),
        endings: vec![None; hops.len()],
        outcome: Outcome::Loop,
    };
    traversal.number_pairs(hops);
    let all = 0..hops.len() as u32;
    for index in all.clone() {
        if let Step::Ends(outcome) = hops.step(index) {
            traversal.outcome = outcome;
            traversal.visit_tree(&[index], 0);
        }
    }
    // The rest leads into a cycle.
    traversal.outcome = Outcome::Loop;
    for index in all {
        if traversal.endings[index as usize].is_none() {
            let mut backwards = cycle(hops, index);
            let copied = backwards.len();
            backwards.extend_from_within(..);
            traversal.visit_tree(&backwards, copied);
        }
    }
    let endings = traversal.endings.into_iter();
    endings
        .map(|ending| ending.expect("every redirect leads to an end or into a cycle"))
        .collect()
}

/// Returns the cycle into which a redirect leads, each of its redirects after the one that it leads
/// to.
fn cycle(hops: &Hops, from: u32) -> Vec<u32> {
    let next = |index| match hops.step(index) {
        Step::To(next) => next,
        Step::Ends(_) => index,
    };
    // Floyd's algorithm: the faster of two pointers meets the slower one in the cycle.
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
    /// By redirect: the position in `indices` where its own begin; then the position where the last
    /// end.
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl Sources {
    fn new(hops: &Hops) -> Self {
        let n = hops.len();
        let mut starts = vec![0_u32; n + 1];
        for index in 0..n as u32 {
            if let Step::To(next) = hops.step(index) {
                starts[next as usize + 1] += 1;
            }
        }
        for index in 0..n {
            starts[index + 1] += starts[index];
        }
        let mut indices = vec![0; starts[n] as usize];
        // Filled from the end, so that the sources of a redirect are in rising order.
        let mut ends: Vec<u32> = starts[1..].to_vec();
        for index in (0..n as u32).rev() {
            if let Step::To(next) = hops.step(index) {
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

/// A depth-first traversal of the trees.
struct Traversal {
    sources: Sources,
    /// By redirect: the number of its pair of URLs, if it is in a chain of several hops.
    pairs: Vec<u32>,
    /// By pair: its last position on the path, from 1; 0 if it is not on it.
    latest: Vec<u32>,
    /// From the end of the chain backwards.
    path: Vec<u32>,
    branches: Vec<Branch>,
    endings: Vec<Option<Ending>>,
    /// How chains end at the root.
    outcome: Outcome,
}

/// A redirect on the path whose sources are being visited.
struct Branch {
    /// The positions of the sources to visit.
    rest: std::ops::Range<usize>,
    /// What `latest` was for its pair before it.
    latest: u32,
    /// See [`Traversal::push`].
    repeated: u32,
}

impl Traversal {
    /// Numbers the pairs of URLs of all redirects that have a hop before or after them.
    fn number_pairs(&mut self, hops: &Hops) {
        let is_passed = |&index: &u32| {
            matches!(hops.step(index), Step::To(_)) || !self.sources.range(index).is_empty()
        };
        let mut passed: Vec<u32> = (0..hops.len() as u32).filter(is_passed).collect();
        let pair = |index: u32| {
            let redirect = hops.redirect(index);
            (redirect.url, redirect.target)
        };
        passed.sort_unstable_by_key(|&index| pair(index));
        self.pairs = vec![0; hops.len()];
        let mut number = 0;
        for at in 0..passed.len() {
            if at > 0 && pair(passed[at]) != pair(passed[at - 1]) {
                number += 1;
            }
            self.pairs[passed[at] as usize] = number;
        }
        self.latest = vec![0; number as usize + 1];
    }

    /// Visits all that leads to the redirects of a trunk, which is a chain in reverse; its first
    /// `copied` redirects are in it twice.
    fn visit_tree(&mut self, trunk: &[u32], copied: usize) {
        let mut repeated = 0;
        for (at, &index) in trunk.iter().enumerate() {
            (repeated, _) = self.push(index, repeated, at >= copied);
            if at >= copied {
                let upcoming = trunk.get(at + 1).copied();
                self.visit_branches(index, repeated, upcoming);
            }
        }
        for &index in trunk {
            self.latest[self.pairs[index as usize] as usize] = 0;
        }
        self.path.clear();
    }

    /// Visits all that leads to a redirect of the trunk, except the trunk itself.
    fn visit_branches(&mut self, index: u32, repeated: u32, upcoming: Option<u32>) {
        for source in self.sources.range(index) {
            let source = self.sources.indices[source];
            if Some(source) == upcoming || self.endings[source as usize].is_some() {
                continue;
            }
            self.push_branch(source, repeated);
            while let Some(branch) = self.branches.last_mut() {
                let repeated = branch.repeated;
                if let Some(source) = branch.rest.next() {
                    let source = self.sources.indices[source];
                    self.push_branch(source, repeated);
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

    fn push_branch(&mut self, index: u32, repeated: u32) {
        let (repeated, latest) = self.push(index, repeated, true);
        self.branches.push(Branch {
            rest: self.sources.range(index),
            latest,
            repeated,
        });
    }

    /// Pushes a redirect onto the path and, if `is_noted`, sets the end of its chain.
    ///
    /// `repeated` is the position on the path, from 1, where the rest of its chain comes to a pair
    /// of URLs for the second time, or 0. Returns the same for its own chain, and what `latest` was
    /// for its pair.
    fn push(&mut self, index: u32, repeated: u32, is_noted: bool) -> (u32, u32) {
        let position = self.path.len() as u32;
        self.path.push(index);
        let latest = &mut self.latest[self.pairs[index as usize] as usize];
        let before = std::mem::replace(latest, position + 1);
        let repeated = repeated.max(before);
        if is_noted {
            self.endings[index as usize] = Some(self.ending(position, repeated));
        }
        (repeated, before)
    }

    /// Returns the end of the chain that begins at a position of the path.
    fn ending(&self, position: u32, repeated: u32) -> Ending {
        let (outcome, hops) = match (repeated, self.outcome) {
            (0, outcome @ Outcome::NotFollowable) => (outcome, position),
            (0, outcome) => (outcome, position + 1),
            // Followed up to the redirect that is met for the second time.
            (repeated, _) => (Outcome::Loop, position + 1 - repeated),
        };
        let last = position - hops.saturating_sub(1);
        Ending {
            outcome,
            hops,
            last: self.path[last as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dataset::redirect::{
        Candidate, CandidateKind, Chains, Nearest, Outcome, Redirect, UrlKey,
    };

    /// Returns redirects from URLs by number to URLs by number, at the times of their indices.
    fn redirects(hops: impl Iterator<Item = (u32, u32)>) -> Vec<Redirect> {
        let key = |url: u32| UrlKey::new(Some("c"), &format!("http://{url}.example/"));
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
                UrlKey::new(Some("c"), &format!("http://{end}.example/")),
                Candidate::new(0, -1, CandidateKind::Other(7)),
            );
        }
        Chains::new(nearest.finish(0))
    }

    const MANY: u32 = 250_000;

    #[test]
    fn a_long_chain_takes_linear_time_and_no_stack() {
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
        let wanted = chains.distant_ends(&[None, Some(3)]);
        // Each end after three hops but those of the first two, and the end of all.
        assert_eq!(wanted.len(), MANY as usize - 2);
    }

    #[test]
    fn a_long_cycle_with_a_tree_at_each_hop_takes_linear_time() {
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
