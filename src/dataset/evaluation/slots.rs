//! The slots of a cache: which keys it holds, and which one is replaced.
//!
//! Most keys come once, some come again soon, and a few come again and again. As in S3-FIFO (Yang
//! et al., 2023), a key seen for the first time goes into a small queue, whose slots stay in the
//! processor's caches; one that was seen before goes into a larger ring, where slots are replaced
//! by the CLOCK algorithm: the next one whose key was not looked up since the hand passed it last.

use std::collections::HashMap;

/// Slots of the queue, for keys seen for the first time.
const QUEUE: usize = 32;
/// Slots of the ring, for keys seen before.
const RING: usize = 128;
/// Keys seen that are remembered without a slot.
const GHOSTS: usize = 16 * 1024;

/// The slot of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// It holds what belongs to the key.
    Hit(usize),
    /// It is the key's from now on, and holds what belonged to another key, or nothing yet.
    Miss(usize),
}

/// The keys that have a slot.
#[derive(Debug)]
pub(super) struct Slots {
    slots: HashMap<u64, usize>,
    /// By slot: those of the queue, then those of the ring.
    keys: Vec<Option<u64>>,
    next_in_queue: usize,
    hand: usize,
    /// By slot of the ring: whether its key was looked up since the hand passed it.
    is_used: Vec<bool>,
    /// Keys seen, by a hash of themselves; another key of that hash replaces one.
    ghosts: Vec<u64>,
}

impl Slots {
    pub(super) fn new() -> Self {
        Self {
            slots: HashMap::new(),
            keys: vec![None; QUEUE + RING],
            next_in_queue: 0,
            hand: 0,
            is_used: vec![false; RING],
            ghosts: vec![0; GHOSTS],
        }
    }

    /// Returns the slot of a key, or gives it one; slots are numbers below 160.
    pub(super) fn look_up(&mut self, key: u64) -> Lookup {
        if let Some(&slot) = self.slots.get(&key) {
            if slot >= QUEUE {
                self.is_used[slot - QUEUE] = true;
            }
            return Lookup::Hit(slot);
        }
        let ghost = &mut self.ghosts[hash(key) % GHOSTS];
        let slot = match *ghost == key {
            true => self.replace_in_ring(),
            false => {
                *ghost = key;
                self.next_in_queue = (self.next_in_queue + 1) % QUEUE;
                self.next_in_queue
            }
        };
        if let Some(replaced) = self.keys[slot].replace(key) {
            self.slots.remove(&replaced);
        }
        self.slots.insert(key, slot);
        Lookup::Miss(slot)
    }

    fn replace_in_ring(&mut self) -> usize {
        loop {
            self.hand = (self.hand + 1) % RING;
            if !std::mem::take(&mut self.is_used[self.hand]) {
                return QUEUE + self.hand;
            }
        }
    }
}

/// Hashes a key, whose low bits may be those of others.
fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_looked_up_lately_has_its_slot() {
        let mut slots = Slots::new();
        let Lookup::Miss(slot) = slots.look_up(7) else {
            panic!("no key was looked up yet");
        };
        for other in 100..100 + QUEUE as u64 - 1 {
            assert_ne!(slots.look_up(other), Lookup::Miss(slot));
        }
        assert_eq!(slots.look_up(7), Lookup::Hit(slot));
    }

    #[test]
    fn a_key_that_comes_again_outlasts_any_number_of_keys_that_come_once() {
        let mut slots = Slots::new();
        let once = |slots: &mut Slots, from: u64| {
            for key in from..from + 1_000 {
                assert!(matches!(slots.look_up(key), Lookup::Miss(slot) if slot < QUEUE));
            }
        };
        assert!(matches!(slots.look_up(7), Lookup::Miss(_)));
        once(&mut slots, 1_000);
        let Lookup::Miss(slot) = slots.look_up(7) else {
            panic!("its first slot was given to others");
        };
        assert!(slot >= QUEUE);
        once(&mut slots, 2_000);
        assert_eq!(slots.look_up(7), Lookup::Hit(slot));
    }

    #[test]
    fn keys_of_the_ring_that_are_not_looked_up_are_replaced() {
        let mut slots = Slots::new();
        let known: Vec<u64> = (1_000..1_000 + 2 * RING as u64).collect();
        for &key in known.iter().chain([&7]) {
            slots.look_up(key);
        }
        for &key in &known[..QUEUE] {
            slots.look_up(key + 10_000);
        }
        slots.look_up(7);
        for &key in &known {
            slots.look_up(key);
            assert!(matches!(slots.look_up(7), Lookup::Hit(_)));
        }
        let n_cached = known
            .iter()
            .filter(|&&key| slots.slots.contains_key(&key))
            .count();
        assert!((RING - 1..RING + QUEUE).contains(&n_cached), "{n_cached}");
        assert_eq!(slots.slots.len(), QUEUE + RING);
    }
}
