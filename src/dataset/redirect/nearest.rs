//! For each redirect the capture of its target that was fetched nearest to it in time.
//!
//! Takes all redirects, then every capture of the dataset in any order, and returns the chains.
//!
//! # How it works
//!
//! Redirects are sorted by target and time (`order`). A capture of a target falls into one of the
//! gaps between the times of the redirects to it. Of all captures in a gap only two can be nearest
//! to any redirect: the last for those after the gap, and the first for those before it. So each
//! redirect has two candidates: `before`, the last capture in the gap that ends at its time (its
//! own time included), and `after`, the first in the gap that begins there. When all captures were
//! offered, one sweep in each direction copies candidates across empty gaps. The captures
//! themselves are not held: they may be far more than the redirects, and all of one URL.
//!
//! Redirects of a URL to itself are sorted apart from others to that URL, since captures that
//! redirect to themselves do not count for them.

use std::ops::Range;

use super::{
    Chains, UrlKey,
    hop::{Candidate, CandidateKind, Redirect},
};

/// What redirects are sorted by: target and whether it is the redirect's own URL, then time.
type SortKey = ((UrlKey, bool), i64);

/// Finds the captures that redirects lead to.
#[derive(Debug)]
pub struct Nearest {
    redirects: Vec<Redirect>,
    /// Indices of the redirects that are followed, sorted by [`SortKey`].
    order: Vec<u32>,
    /// By the upper bits of a target: the position in `order` where such targets begin. It has
    /// about as many entries as there are redirects, so that a look-up costs about one access to
    /// memory, where a binary search of `order` would cost some twenty.
    starts: Vec<u32>,
    /// How far a key is shifted to give an index into `starts`.
    shift: u32,
    /// By position in `order`.
    before: Vec<Option<Candidate>>,
    /// By position in `order`.
    after: Vec<Option<Candidate>>,
}

impl Nearest {
    /// Sorts the redirects; their indices are those of the vector.
    ///
    /// # Panics
    ///
    /// If there are 2^31 redirects or more.
    pub fn new(redirects: Vec<Redirect>) -> Self {
        let n = i32::try_from(redirects.len()).expect("a dataset has fewer than 2^31 redirects");
        let n = n.unsigned_abs();
        let mut order: Vec<u32> = (0..n)
            .filter(|&index| redirects[index as usize].target.is_some())
            .collect();
        order.sort_unstable_by_key(|&index| {
            let redirect = &redirects[index as usize];
            (sort_key(redirect), index)
        });
        let bits = order.len().max(2).ilog2();
        let shift = u64::BITS - bits;
        let mut starts = vec![0_u32; (1 << bits) + 1];
        for &index in &order {
            let ((target, _), _) = sort_key(&redirects[index as usize]);
            starts[(target.high() >> shift) as usize + 1] += 1;
        }
        for bucket in 1..starts.len() {
            starts[bucket] += starts[bucket - 1];
        }
        Self {
            before: vec![None; order.len()],
            after: vec![None; order.len()],
            redirects,
            order,
            starts,
            shift,
        }
    }

    /// Returns the positions in `order` of all targets that begin with the bits of `url`.
    fn bucket(&self, url: UrlKey) -> Range<usize> {
        let bucket = (url.high() >> self.shift) as usize;
        self.starts[bucket] as usize..self.starts[bucket + 1] as usize
    }

    /// Returns true if and only if a redirect leads to `url`: only captures of such URLs need to be
    /// offered.
    pub fn is_target(&self, url: UrlKey) -> bool {
        let bucket = &self.order[self.bucket(url)];
        let target = |&index: &u32| self.redirects[index as usize].target;
        let first = bucket.partition_point(|index| target(index) < Some(url));
        bucket.get(first).and_then(target) == Some(url)
    }

    /// Offers a capture of `url` to the redirects; every capture of the dataset that may be the
    /// target of a redirect must be offered once, redirects too.
    pub fn offer(&mut self, url: UrlKey, capture: Candidate) {
        self.offer_to((url, false), capture);
        let is_to_itself = match capture.kind() {
            CandidateKind::Redirect(index) => self.redirects[index as usize].is_to_itself(),
            CandidateKind::Other(_) => false,
        };
        if !is_to_itself {
            self.offer_to((url, true), capture);
        }
    }

    fn offer_to(&mut self, target: (UrlKey, bool), capture: Candidate) {
        let (time, id) = (capture.time, capture.capture_id);
        let bucket = self.bucket(target.0);
        let key = |index: u32| sort_key(&self.redirects[index as usize]);
        let in_bucket = &self.order[bucket.clone()];
        let next = bucket.start + in_bucket.partition_point(|&index| key(index) < (target, time));
        let is_wanted_by = |position: usize| key(self.order[position]).0 == target;
        let is_wanted_by_next = next < bucket.end && is_wanted_by(next);
        let is_wanted_by_previous = next > bucket.start && is_wanted_by(next - 1);
        if is_wanted_by_next
            && self.before[next].is_none_or(|known| (time, known.capture_id) > (known.time, id))
        {
            self.before[next] = Some(capture);
        }
        if is_wanted_by_previous
            && self.after[next - 1].is_none_or(|known| (time, id) < (known.time, known.capture_id))
        {
            self.after[next - 1] = Some(capture);
        }
    }

    /// Returns the chains, when every capture was offered.
    ///
    /// `window` is the longest time, in microseconds, between a redirect and the capture it leads
    /// to, and between the first redirect of a chain and its end; a time that is not known is
    /// beyond it. `None` is no limit.
    pub fn finish(self, window: Option<u64>) -> Chains {
        let Self {
            redirects,
            order,
            mut before,
            mut after,
            ..
        } = self;
        let target = |&index: &u32| sort_key(&redirects[index as usize]).0;
        let mut start = 0;
        for same_target in order.chunk_by(|a, b| target(a) == target(b)) {
            let end = start + same_target.len();
            for position in start + 1..end {
                before[position] = before[position].or(before[position - 1]);
            }
            for position in (start + 1..end).rev() {
                after[position - 1] = after[position - 1].or(after[position]);
            }
            start = end;
        }
        for ((&index, before), after) in order.iter().zip(&mut before).zip(&after) {
            let distance = |capture: Candidate| {
                let time = redirects[index as usize].time;
                capture.time.abs_diff(time)
            };
            // At the same distance the later one counts.
            if let Some(after) = *after
                && before.is_none_or(|before| distance(after) <= distance(before))
            {
                *before = Some(after);
            }
        }
        // Freed before the targets take as much again.
        drop(after);
        drop(self.starts);
        let mut targets = vec![None; redirects.len()];
        for (&index, nearest) in order.iter().zip(before) {
            let index = index as usize;
            targets[index] = nearest.filter(|found| redirects[index].is_near(found, window));
        }
        drop(order);
        Chains::new(&redirects, targets, window)
    }
}

/// Returns the sort key of a redirect that is followed.
fn sort_key(redirect: &Redirect) -> SortKey {
    let target = redirect
        .target
        .expect("only redirects that are followed are sorted");
    ((target, redirect.is_to_itself()), redirect.time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_takes_the_bytes_that_the_module_documents() {
        let for_each =
            size_of::<Redirect>() + 2 * size_of::<Option<Candidate>>() + 2 * size_of::<u32>();
        assert_eq!(for_each, 88);
    }

    /// Returns the capture that a redirect at time 100 leads to.
    fn nearest(captures: &[(i64, i64)]) -> Option<i64> {
        let [url, target] = ["http://a/", "http://b/"].map(UrlKey::new);
        let redirect = Redirect {
            time: 100,
            url,
            target: Some(target),
        };
        let mut nearest = Nearest::new(vec![redirect]);
        for &(time, capture_id) in captures {
            nearest.offer(
                target,
                Candidate::new(time, capture_id, CandidateKind::Other(0)),
            );
        }
        let end = nearest.finish(None).resolve(0, Some(5)).end;
        end.map(|end| end.capture_id)
    }

    #[test]
    fn the_nearest_counts_then_the_later_then_the_smaller_identifier() {
        for (captures, expected) in [
            (&[][..], None),
            (&[(50, 1)], Some(1)),
            (&[(98, 1), (103, 2)], Some(1)),
            (&[(98, 1), (102, 2)], Some(2)),
            (&[(100, 3), (100, 2), (101, 1)], Some(2)),
            (&[(101, 3), (101, 2), (99, 1)], Some(2)),
            (&[(99, 3), (99, 2), (98, 1)], Some(2)),
            (&[(Redirect::NO_TIME, 1), (i64::MAX, 2)], Some(2)),
        ] {
            assert_eq!(nearest(captures), expected, "{captures:?}");
            let reversed: Vec<_> = captures.iter().rev().copied().collect();
            assert_eq!(nearest(&reversed), expected, "{reversed:?}");
        }
    }

    #[test]
    fn a_million_captures_of_one_target_cost_no_more_than_a_few() {
        let target = UrlKey::new("http://parking.example/");
        let redirects = (0..1000).map(|n| Redirect {
            time: n * 1000,
            url: UrlKey::new(&format!("http://{n}.example/")),
            target: Some(target),
        });
        let mut nearest = Nearest::new(redirects.collect());
        for n in 0..1_000_000 {
            nearest.offer(
                target,
                Candidate::new(n, 1_000_000 + n, CandidateKind::Other(0)),
            );
        }
        let chains = nearest.finish(None);
        for n in 0..1000_u32 {
            let found = chains.resolve(n, None).end.map(|end| end.capture_id);
            assert_eq!(found, Some(1_000_000 + 1000 * i64::from(n)));
        }
    }
}
