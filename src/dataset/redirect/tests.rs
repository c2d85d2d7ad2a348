//! The same by the definition, with every capture in memory and every pair compared: a reference
//! for this module on random webs.

use super::{Candidate, CandidateKind, Chains, Nearest, Outcome, Redirect, UrlKey};
use crate::sample::random::Random;

/// One capture of a web of few URLs; its identifier is its index.
#[derive(Clone, Copy, Debug)]
struct Capture {
    url: usize,
    time: i64,
    /// Where it leads, if it redirects; `Some(None)` if no one can follow it.
    redirect: Option<Option<usize>>,
}

/// Returns the capture that a redirect leads to.
fn next(web: &[Capture], from: usize, target: usize, window: Option<u64>) -> Option<usize> {
    let Capture { url, time, .. } = web[from];
    (0..web.len())
        .filter(|&to| web[to].url == target)
        .filter(|&to| are_near(web, from, to, window))
        .filter(|&to| target != url || web[to].redirect != Some(Some(target)))
        .min_by_key(|&to| {
            let is_earlier = web[to].time < time;
            (web[to].time.abs_diff(time), is_earlier, to)
        })
}

/// How far a chain may go.
#[derive(Clone, Copy, Debug)]
struct Limits {
    hops: Option<u8>,
    window: Option<u64>,
}

/// Returns true if and only if the window, if there is one, holds two captures.
fn are_near(web: &[Capture], a: usize, b: usize, window: Option<u64>) -> bool {
    let (a, b) = (web[a].time, web[b].time);
    let is_known = a != Redirect::NO_TIME && b != Redirect::NO_TIME;
    window.is_none_or(|window| is_known && a.abs_diff(b) <= window)
}

/// Follows a redirect to the end; the last element of the result is the last URL requested.
fn resolve(
    web: &[Capture],
    first: usize,
    limits: Limits,
) -> (Outcome, usize, Option<usize>, usize) {
    let mut at = first;
    let mut seen = Vec::new();
    let mut asked = web[first].url;
    loop {
        let Some(target) = web[at].redirect else {
            return if are_near(web, first, at, limits.window) {
                (Outcome::Resolved, seen.len(), Some(at), asked)
            } else {
                (Outcome::NotInCorpus, seen.len(), None, asked)
            };
        };
        let Some(target) = target else {
            return (Outcome::NotFollowable, seen.len(), None, asked);
        };
        if seen.contains(&(web[at].url, target)) {
            return (Outcome::Loop, seen.len(), None, asked);
        }
        if limits
            .hops
            .is_some_and(|limit| seen.len() == usize::from(limit))
        {
            return (Outcome::TooManyHops, seen.len(), None, asked);
        }
        seen.push((web[at].url, target));
        asked = target;
        match next(web, at, target, limits.window) {
            Some(to) => at = to,
            None if web[at].url == target => return (Outcome::Loop, seen.len(), None, asked),
            None => return (Outcome::NotInCorpus, seen.len(), None, asked),
        }
    }
}

/// Returns the chains that this module finds among captures offered in that order.
fn chains(web: &[Capture], order: &[usize], window: Option<u64>) -> Chains {
    let key = |url: usize| UrlKey::new(&url.to_string());
    let mut redirects = Vec::new();
    let mut indices = vec![None; web.len()];
    for (id, capture) in web.iter().enumerate() {
        if let Some(target) = capture.redirect {
            indices[id] = Some(redirects.len() as u32);
            redirects.push(Redirect {
                time: capture.time,
                url: key(capture.url),
                target: target.map(key),
            });
        }
    }
    let mut nearest = Nearest::new(redirects);
    for &id in order {
        nearest.offer(
            key(web[id].url),
            Candidate::new(
                web[id].time,
                id as i64,
                indices[id].map_or(CandidateKind::Other(id as u32), CandidateKind::Redirect),
            ),
        );
    }
    nearest.finish(window)
}

fn web(random: &mut Random) -> Vec<Capture> {
    let n_urls = 1 + random.below(12);
    let n_times = 1 + random.below(20);
    let most_redirect = random.below(2) == 0;
    let captures = (0..random.below(60)).map(|_| Capture {
        url: random.below(n_urls),
        time: match random.below(20) {
            0 => Redirect::NO_TIME,
            _ => random.below(n_times) as i64,
        },
        redirect: match random.below(10) {
            0 => Some(None),
            // A URL that is never fetched, now and then.
            1..=4 => Some(Some(random.below(n_urls + 1))),
            5..=8 if most_redirect => Some(Some(random.below(n_urls))),
            _ => None,
        },
    });
    captures.collect()
}

#[test]
fn chains_on_random_webs_end_as_by_the_definition_in_whatever_order_captures_come() {
    let mut random = Random::new(1);
    let mut outcomes = [0_usize; Outcome::ALL.len()];
    for _ in 0..4_000 {
        let web = web(&mut random);
        let forward: Vec<_> = (0..web.len()).collect();
        let mut shuffled = forward.clone();
        for last in (1..shuffled.len()).rev() {
            shuffled.swap(last, random.below(last + 1));
        }
        // Now and then there is no window.
        let window = random.below(30) as u64;
        let window = (window < 20).then_some(window);
        let found = chains(&web, &forward, window);
        let again = chains(&web, &shuffled, window);
        let redirects: Vec<_> = (0..web.len())
            .filter(|&id| web[id].redirect.is_some())
            .collect();
        assert_eq!(found.len(), redirects.len());
        let few = random.below(4) as u8;
        for hops in [None, Some(0), Some(few), Some(5), Some(255)] {
            let limits = Limits { hops, window };
            for (index, &id) in (0_u32..).zip(&redirects) {
                let resolution = found.resolve(index, hops);
                assert_eq!(resolution, again.resolve(index, hops));
                let (outcome, n_hops, end, asked) = resolve(&web, id, limits);
                let last_asked = resolution.last.map_or(web[id].url, |last| {
                    let redirect = web[redirects[last as usize]].redirect;
                    redirect.flatten().unwrap()
                });
                assert_eq!(
                    (
                        resolution.outcome,
                        resolution.hops as usize,
                        resolution.end.map(|end| end.capture_id),
                        last_asked
                    ),
                    (outcome, n_hops, end.map(|end| end as i64), asked),
                    "capture {id} of {web:?} within {limits:?}"
                );
                assert!(resolution.end.is_none_or(|end| {
                    end.kind() == CandidateKind::Other(end.capture_id as u32)
                }));
                outcomes[outcome as usize] += 1;
            }
        }
        for (index, &id) in (0_u32..).zip(&redirects) {
            let target = web[id].redirect.flatten();
            let nearest = target.and_then(|target| next(&web, id, target, window));
            let found = found.target(index).map(|found| found.capture_id as usize);
            assert_eq!(found, nearest, "capture {id} of {web:?} within {window:?}");
        }
    }
    // The last two follow from the dialect or the status of the first capture alone.
    assert!(outcomes[..5].iter().all(|&n| n > 1000), "{outcomes:?}");
}
