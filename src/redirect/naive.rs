//! The same by the definition, with every capture in memory and every pair compared; what the room finds is held to it on random webs.

use super::{Found, MAX_HOPS, Nearest, Outcome, Redirect, Resolution, UrlKey};

/// One capture of a web of few URLs; its identifier is its index.
#[derive(Clone, Copy, Debug)]
struct Capture {
    url: usize,
    time: i64,
    /// Where it leads, if it redirects; `Some(None)` if nobody can follow it.
    redirect: Option<Option<usize>>,
}

/// Returns the capture that a redirect leads to.
fn next(web: &[Capture], from: usize, target: usize) -> Option<usize> {
    let Capture { url, time, .. } = web[from];
    (0..web.len())
        .filter(|&to| web[to].url == target)
        .filter(|&to| target != url || web[to].redirect != Some(Some(target)))
        .min_by_key(|&to| {
            let is_earlier = web[to].time < time;
            (web[to].time.abs_diff(time), is_earlier, to)
        })
}

/// Follows a redirect until nothing is left to follow; the last element of the answer is the last URL asked for.
fn resolve(web: &[Capture], first: usize) -> (Outcome, usize, Option<usize>, usize) {
    let mut at = first;
    let mut seen = Vec::new();
    let mut asked = web[first].url;
    loop {
        let Some(target) = web[at].redirect else {
            return (Outcome::Resolved, seen.len(), Some(at), asked);
        };
        let Some(target) = target else {
            return (Outcome::NotFollowable, seen.len(), None, asked);
        };
        if seen.contains(&(web[at].url, target)) {
            return (Outcome::Loop, seen.len(), None, asked);
        }
        if seen.len() == MAX_HOPS {
            return (Outcome::TooManyHops, seen.len(), None, asked);
        }
        seen.push((web[at].url, target));
        asked = target;
        match next(web, at, target) {
            Some(to) => at = to,
            None if web[at].url == target => return (Outcome::Loop, seen.len(), None, asked),
            None => return (Outcome::NotInCorpus, seen.len(), None, asked),
        }
    }
}

/// Returns what the room finds for every redirect, in the order of the captures.
fn resolved(web: &[Capture], order: &[usize]) -> Vec<Resolution> {
    let keys: Vec<_> = (0..64).map(|n| UrlKey::of(&format!("{n}"))).collect();
    let mut redirects = Vec::new();
    let mut indices = vec![None; web.len()];
    for (id, capture) in web.iter().enumerate() {
        if let Some(target) = capture.redirect {
            indices[id] = Some(redirects.len() as u32);
            redirects.push(Redirect {
                capture_id: id as i64,
                time: capture.time,
                url: keys[capture.url],
                target: target.map(|target| keys[target]),
            });
        }
    }
    let n = redirects.len() as u32;
    let mut nearest = Nearest::new(redirects);
    for &id in order {
        nearest.offer(
            keys[web[id].url],
            Found {
                time: web[id].time,
                capture_id: id as i64,
                redirect: indices[id],
            },
        );
    }
    let chains = nearest.finish();
    (0..n).map(|index| chains.resolve(index)).collect()
}

/// Numbers that are as good as random for a test, and the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn web(dice: &mut Dice) -> Vec<Capture> {
    let n_urls = 1 + dice.below(12);
    let n_times = 1 + dice.below(20);
    let most_redirect = dice.below(2) == 0;
    let captures = (0..dice.below(60)).map(|_| Capture {
        url: dice.below(n_urls) as usize,
        time: match dice.below(20) {
            0 => Redirect::NO_TIME,
            _ => dice.below(n_times) as i64,
        },
        redirect: match dice.below(10) {
            0 => Some(None),
            // A URL that is never fetched, now and then.
            1..=4 => Some(Some(dice.below(n_urls + 1) as usize)),
            5..=8 if most_redirect => Some(Some(dice.below(n_urls) as usize)),
            _ => None,
        },
    });
    captures.collect()
}

#[test]
fn chains_on_random_webs_end_as_by_the_definition_in_whatever_order_captures_come() {
    let mut dice = Dice(1);
    let mut outcomes = [0_usize; Outcome::ALL.len()];
    for _ in 0..20_000 {
        let web = web(&mut dice);
        let forward: Vec<_> = (0..web.len()).collect();
        let mut shuffled = forward.clone();
        for last in (1..shuffled.len()).rev() {
            shuffled.swap(last, dice.below(last as u64 + 1) as usize);
        }
        let found = resolved(&web, &forward);
        assert_eq!(found, resolved(&web, &shuffled));
        let redirects: Vec<_> = (0..web.len())
            .filter(|&id| web[id].redirect.is_some())
            .collect();
        assert_eq!(found.len(), redirects.len());
        for (resolution, &id) in found.iter().zip(&redirects) {
            let (outcome, hops, end, asked) = resolve(&web, id);
            let last_asked = resolution.last.map_or(web[id].url, |last| {
                let redirect = web[redirects[last as usize]].redirect;
                redirect.flatten().unwrap()
            });
            assert_eq!(
                (
                    resolution.outcome,
                    usize::from(resolution.hops),
                    resolution.effective_capture_id,
                    last_asked
                ),
                (outcome, hops, end.map(|end| end as i64), asked),
                "capture {id} of {web:?}"
            );
            outcomes[outcome as usize] += 1;
        }
    }
    assert!(outcomes.iter().all(|&n| n > 1000), "{outcomes:?}");
}
