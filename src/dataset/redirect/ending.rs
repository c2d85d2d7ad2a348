//! The end of every chain, found once for all redirects in time and memory in proportion to their
//! number.
//!
//! # How it works
//!
//! Every redirect leads to one other at most, so all redirects form trees, whose roots are the
//! redirects at which chains end, or cycles. In a traversal from the root, the path to a redirect
//! is its chain in reverse, and has all that decides its end: whether a redirect from and to the
//! same URLs is on that path (`latest`), and the nearest such repetition in the rest of the chain.
//! A cycle is put on the path before it is visited, so that each of its redirects has the whole
//! cycle before it. To follow each chain by itself would take a million chains of a million hops
//! where a server redirects each of a million URLs to the next.

use std::{collections::HashMap, iter, mem};

use super::hop::{Hops, Outcome, Step, UrlPair};

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
    let mut traversal = Traversal::new(hops);
    let all = 0..hops.redirects.len() as u32;
    for index in all.clone() {
        if let Step::Ends(outcome) = hops.step(index) {
            traversal.outcome = outcome;
            traversal.visit_tree(index);
        }
    }
    // The rest leads into a cycle.
    traversal.outcome = Outcome::Loop;
    for index in all {
        if traversal.endings[index as usize].is_none() {
            let backwards = cycle(hops, index);
            for &index in &backwards {
                traversal.push(index);
            }
            // The first of them leads to the last, so that the path continues round the cycle.
            traversal.visit_tree(backwards[0]);
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

/// For each redirect, those that lead to it.
struct Sources {
    /// By redirect: the first that leads to it, or [`NONE`].
    firsts: Vec<u32>,
    /// By redirect: the next that leads where it leads itself, or [`NONE`].
    nexts: Vec<u32>,
}

/// The index of no redirect: there are fewer than 2^31.
const NONE: u32 = u32::MAX;

impl Sources {
    fn new(hops: &Hops) -> Self {
        let mut firsts = vec![NONE; hops.redirects.len()];
        let mut nexts = firsts.clone();
        for index in 0..hops.redirects.len() as u32 {
            if let Step::To(next) = hops.step(index) {
                nexts[index as usize] = mem::replace(&mut firsts[next as usize], index);
            }
        }
        Self { firsts, nexts }
    }

    fn of(&self, index: u32) -> impl Iterator<Item = u32> {
        let known = |index: u32| (index != NONE).then_some(index);
        iter::successors(known(self.firsts[index as usize]), move |&source| {
            known(self.nexts[source as usize])
        })
    }
}

/// A depth-first traversal of the trees.
struct Traversal<'h> {
    hops: &'h Hops,
    sources: Sources,
    /// The last position on the path, from 1, of each pair of URLs that is on it.
    latest: HashMap<UrlPair, u32>,
    /// From the end of the chain backwards.
    path: Vec<Passed>,
    endings: Vec<Option<Ending>>,
    /// How chains end at the root.
    outcome: Outcome,
}

/// A redirect on the path.
struct Passed {
    index: u32,
    /// What `latest` was for its pair before it, or 0.
    latest: u32,
    /// The position on the path, from 1, where its chain comes to a pair of URLs for the second
    /// time, or 0.
    repeated: u32,
}

impl<'h> Traversal<'h> {
    fn new(hops: &'h Hops) -> Self {
        Self {
            hops,
            sources: Sources::new(hops),
            latest: HashMap::new(),
            path: Vec::new(),
            endings: vec![None; hops.redirects.len()],
            outcome: Outcome::Loop,
        }
    }

    /// Visits a redirect and all that leads to it, and empties the path, which may have its chain.
    fn visit_tree(&mut self, root: u32) {
        // Redirects to visit, each with the length of the path to it.
        let mut waiting = vec![(root, self.path.len() as u32)];
        while let Some((index, depth)) = waiting.pop() {
            self.leave_from(depth as usize);
            self.push(index);
            self.endings[index as usize] = Some(self.ending());
            let is_new = |source: &u32| self.endings[*source as usize].is_none();
            let sources = self.sources.of(index).filter(is_new);
            waiting.extend(sources.map(|source| (source, depth + 1)));
        }
        self.leave_from(0);
    }

    /// Pushes a redirect onto the path.
    fn push(&mut self, index: u32) {
        let rest = self.path.last().map_or(0, |passed| passed.repeated);
        let position = self.path.len() as u32 + 1;
        let before = self.latest.insert(self.hops.pair(index), position);
        let latest = before.unwrap_or_default();
        self.path.push(Passed {
            index,
            latest,
            repeated: rest.max(latest),
        });
    }

    /// Takes the redirects from a position on off the path.
    fn leave_from(&mut self, position: usize) {
        for passed in self.path.drain(position..).rev() {
            let pair = self.hops.pair(passed.index);
            match passed.latest {
                0 => self.latest.remove(&pair),
                latest => self.latest.insert(pair, latest),
            };
        }
    }

    /// Returns the end of the chain that begins at the last redirect of the path.
    fn ending(&self) -> Ending {
        let position = self.path.len() - 1;
        let (outcome, hops) = match (self.path[position].repeated as usize, self.outcome) {
            (0, outcome @ Outcome::NotFollowable) => (outcome, position),
            (0, outcome) => (outcome, position + 1),
            // Followed up to the redirect that is met for the second time.
            (repeated, _) => (Outcome::Loop, position + 1 - repeated),
        };
        let last = position - hops.saturating_sub(1);
        Ending {
            outcome,
            hops: hops as u32,
            last: self.path[last].index,
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
