//! Which of the things read last are worth keeping.
//!
//! Enters: a key. Leaves: the place where what belongs to it stands, or the place that it is to
//! take. What stands there is not known here.
//!
//! Most keys come once, some come again soon, and a few come again and again. So a key that was
//! never met takes one of a few places that go round, which stay in the processor's caches; only
//! one that was met before takes one of many, where the one that nobody asked for since the last
//! round gives way.

use std::collections::HashMap;

/// Places for keys met for the first time.
const NEW: usize = 32;
/// Places for keys met before.
const KNOWN: usize = 128;
/// Keys met before that are remembered without a place.
const MET: usize = 16 * 1024;

/// Where what belongs to a key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It stands there.
    Found(usize),
    /// It is to be put there, over what is there.
    Free(usize),
}

/// The keys that have a place.
#[derive(Debug)]
pub(super) struct Recent {
    places: HashMap<u64, usize>,
    keys: Vec<Option<u64>>,
    next_new: usize,
    next_known: usize,
    /// For each known place, whether its key was asked for since the last round.
    is_asked: Vec<bool>,
    /// Keys met, each at a place of its own low bits.
    met: Vec<u64>,
}

impl Recent {
    pub(super) fn new() -> Self {
        Self {
            places: HashMap::new(),
            keys: vec![None; NEW + KNOWN],
            next_new: 0,
            next_known: 0,
            is_asked: vec![false; KNOWN],
            met: vec![0; MET],
        }
    }

    /// Returns the place of a key, or gives it one. Places are counted from 0, and there are fewer
    /// than 200.
    pub(super) fn find(&mut self, key: u64) -> Place {
        if let Some(&place) = self.places.get(&key) {
            if place >= NEW {
                self.is_asked[place - NEW] = true;
            }
            return Place::Found(place);
        }
        let met = &mut self.met[spread(key) % MET];
        let place = match *met == key {
            true => self.known(),
            false => {
                *met = key;
                self.next_new = (self.next_new + 1) % NEW;
                self.next_new
            }
        };
        if let Some(last) = self.keys[place].replace(key) {
            self.places.remove(&last);
        }
        self.places.insert(key, place);
        Place::Free(place)
    }

    fn known(&mut self) -> usize {
        loop {
            self.next_known = (self.next_known + 1) % KNOWN;
            let is_asked = &mut self.is_asked[self.next_known];
            if !std::mem::take(is_asked) {
                return NEW + self.next_known;
            }
        }
    }
}

/// Spreads keys whose low bits may be alike.
fn spread(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_lately_has_its_place() {
        let mut recent = Recent::new();
        let Place::Free(place) = recent.find(7) else {
            panic!("nothing was met yet");
        };
        for other in 100..100 + NEW as u64 - 1 {
            assert_ne!(recent.find(other), Place::Free(place));
        }
        assert_eq!(recent.find(7), Place::Found(place));
    }

    #[test]
    fn a_key_that_comes_again_outlasts_any_number_of_keys_that_come_once() {
        let mut recent = Recent::new();
        let once = |recent: &mut Recent, from: u64| {
            for key in from..from + 1_000 {
                assert!(matches!(recent.find(key), Place::Free(place) if place < NEW));
            }
        };
        assert!(matches!(recent.find(7), Place::Free(_)));
        once(&mut recent, 1_000);
        let Place::Free(place) = recent.find(7) else {
            panic!("its first place was taken by others");
        };
        assert!(place >= NEW);
        once(&mut recent, 2_000);
        assert_eq!(recent.find(7), Place::Found(place));
    }

    #[test]
    fn of_the_known_those_give_way_that_nobody_asks_for() {
        let mut recent = Recent::new();
        let known: Vec<u64> = (1_000..1_000 + 2 * KNOWN as u64).collect();
        for &key in known.iter().chain([&7]) {
            recent.find(key);
        }
        for &key in &known[..NEW] {
            recent.find(key + 10_000);
        }
        recent.find(7);
        for &key in &known {
            recent.find(key);
            assert!(matches!(recent.find(7), Place::Found(_)));
        }
        let n_kept = known
            .iter()
            .filter(|&&key| recent.places.contains_key(&key))
            .count();
        assert!((KNOWN - 1..KNOWN + NEW).contains(&n_kept), "{n_kept}");
        assert_eq!(recent.places.len(), NEW + KNOWN);
    }
}
