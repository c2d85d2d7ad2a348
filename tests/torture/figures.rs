//! What the rounds did: how often runs were disturbed, and how far they were.

use std::collections::BTreeMap;

/// Counts over all rounds.
#[derive(Debug, Default)]
pub struct Figures {
    pub rounds: BTreeMap<&'static str, u64>,
    pub kills: u64,
    pub stops: u64,
    pub interrupts: u64,
    pub full_disks: u64,
    pub workers: u64,
    pub resumes: u64,
    /// Of the disturbed runs: by how many parts were published then.
    pub parts: BTreeMap<usize, u64>,
}

impl Figures {
    /// Returns how often a run was disturbed before it had ended.
    pub fn disturbances(&self) -> u64 {
        self.kills + self.stops + self.interrupts + self.full_disks
    }
}
