//! Inputs made from seeds, the same on every machine.

use robocensus::sample::random::Random;

/// Returns the input of this number: a seed to which a few things were done.
pub fn input(seeds: &[Vec<u8>], words: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut random = Random::new(number);
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let n = random.below(16).min(bytes.len() - at);
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.byte(),
            2 => drop(bytes.drain(at..at + n)),
            3 => bytes.truncate(at),
            4 => {
                let copy = bytes[at..at + n].repeat(1 + random.below(4));
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            5 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let piece = &other[from..(from + random.below(200)).min(other.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            _ if words.is_empty() => bytes.insert(at, random.byte()),
            _ => {
                let word = &words[random.below(words.len())];
                bytes.splice(at..at + n.min(random.below(3)), word.iter().copied());
            }
        }
    }
    bytes
}
