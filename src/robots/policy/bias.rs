//! The restriction of an agent compared with that of agents that no group names.

use super::Restriction;
use crate::named::named;

named! {
    ALL
    /// How an agent is treated in comparison with an agent that no group names, after Sun, Zhuang,
    /// Councill and Giles, "Determining Bias to Search Engines from Robots.txt" (Web Intelligence
    /// 2007).
    ///
    /// They call a robot favored where it may see more of a site than the robot `*`. Here "more" is
    /// a lower rank of [`Restriction`]: none, partial, full. Two partial policies have the same
    /// rank, however much their rules differ; which paths are disallowed for which agent is in
    /// `rules` and `verdicts`. In a file without a wildcard group, `*` is not restricted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Bias {
        /// It is less restricted.
        Favored = "favored",
        /// It is restricted as much.
        Same = "same",
        /// It is more restricted.
        Disfavored = "disfavored",
    }
}

impl Bias {
    /// Compares an agent's restriction with that of `*` in the same file.
    pub fn new(agent: Restriction, wildcard: Restriction) -> Self {
        match agent.cmp(&wildcard) {
            std::cmp::Ordering::Less => Self::Favored,
            std::cmp::Ordering::Equal => Self::Same,
            std::cmp::Ordering::Greater => Self::Disfavored,
        }
    }
}
