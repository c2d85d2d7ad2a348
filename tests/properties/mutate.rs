//! Inputs mutated from seeds, the same on every machine.

/// Returns the input of this number: a seed to which a few things were done.
pub fn input(seeds: &[Vec<u8>], words: &[&[u8]], number: u64) -> Vec<u8> {
    let mut random = Random(number);
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let n = random.below(16).min(bytes.len() - at);
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
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
            _ if words.is_empty() => bytes.insert(at, random.next() as u8),
            _ => {
                let word = words[random.below(words.len())];
                bytes.splice(at..at + n.min(random.below(3)), word.iter().copied());
            }
        }
    }
    bytes
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }
}
