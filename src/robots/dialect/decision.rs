//! A decision and its evidence.

use crate::named::named;
use serde::{Deserialize, Serialize};

/// The decision about one agent and one URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// What decided.
    pub basis: Basis,
    /// The group of the rule that decided; without a rule, the first group that applies to the
    /// agent.
    pub group_index: Option<u32>,
    /// The number of the line that decided, from 1.
    pub rule_line: Option<u32>,
}

impl Decision {
    /// Returns a decision that no rule has made.
    pub(crate) fn without_rule(
        verdict: Verdict,
        basis: Basis,
        group_index: Option<u32>,
    ) -> Decision {
        Decision {
            verdict,
            basis,
            group_index,
            rule_line: None,
        }
    }
}

named! {
    ALL
    /// Whether an agent may fetch a URL.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Verdict {
        /// It may.
        Allow = "allow",
        /// It may not.
        Disallow = "disallow",
        /// The specification does not define it.
        Undefined = "undefined",
    }
}

named! {
    ALL
    /// What kind of fact decided.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Basis {
        /// A rule. An empty one that matches counts.
        Rule = "rule",
        /// A group applies to the agent, and none of its rules matches.
        NoRuleMatched = "no_rule_matched",
        /// No group applies to the agent.
        NoGroup = "no_group",
        /// The outcome of the fetch.
        Access = "access",
        /// The URL is the robots.txt, which is always allowed.
        RobotsTxtItself = "robots_txt_itself",
        /// The robots.txt does not apply to the origin of the URL.
        OutOfScope = "out_of_scope",
    }
}
