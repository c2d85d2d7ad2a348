//! What the rounds did: how often runs were disturbed, and how far they were.

use std::{collections::BTreeMap, fmt};

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

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = |names: Vec<(String, u64)>| {
            let counts = names.iter().map(|(name, n)| format!("{name} {n}"));
            counts.collect::<Vec<_>>().join(", ")
        };
        let rounds = self.rounds.iter().map(|(name, n)| ((*name).to_owned(), *n));
        writeln!(f, "  rounds: {}", counts(rounds.collect()))?;
        let did = [
            ("kills", self.kills),
            ("stops", self.stops),
            ("interrupts", self.interrupts),
            ("full disks", self.full_disks),
            ("joined workers", self.workers),
            ("resumes", self.resumes),
        ];
        let did = did.map(|(name, n)| (name.to_owned(), n));
        writeln!(f, "  disturbed: {}", counts(did.into()))?;
        let parts = self
            .parts
            .iter()
            .map(|(parts, n)| (format!("{parts}:"), *n));
        write!(f, "  parts published then: {}", counts(parts.collect()))
    }
}
