//! The restriction of an agent against that of everybody.
//!
//! Enters: two restrictions of one file. Leaves: whether the agent is favored.

use super::Restriction;

/// How an agent is treated in comparison with an agent that no group names, after Sun, Zhuang,
/// Councill and Giles, "Determining Bias to Search Engines from Robots.txt" (Web Intelligence
/// 2007).
///
/// They call a robot favored where it may see more of a site than the robot `*`. Here "more" is a
/// lower rank of [`Restriction`]: none, partial, full. Two partial policies have the same rank,
/// however much their rules differ; which paths are forbidden to whom is in `rules` and `verdicts`.
/// In a file without a group for everybody, `*` is not restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bias {
    /// It is less restricted.
    Favored,
    /// It is restricted as much.
    Same,
    /// It is more restricted.
    Disfavored,
}

super::names! {
    Bias {
        Favored "favored";
        Same "same";
        Disfavored "disfavored";
    }
}

impl Bias {
    /// Compares an agent's restriction with that of `*` in the same file.
    pub fn of(agent: Restriction, everybody: Restriction) -> Self {
        match agent.cmp(&everybody) {
            std::cmp::Ordering::Less => Self::Favored,
            std::cmp::Ordering::Equal => Self::Same,
            std::cmp::Ordering::Greater => Self::Disfavored,
        }
    }
}
