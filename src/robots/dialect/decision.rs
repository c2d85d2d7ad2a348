//! A decision and its evidence.

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

/// Whether an agent may fetch a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// It may.
    Allow,
    /// It may not.
    Disallow,
    /// The specification does not define it.
    Undefined,
}

/// What kind of fact decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Basis {
    /// A rule. An empty one that matches counts.
    Rule,
    /// A group applies to the agent, and none of its rules matches.
    NoRuleMatched,
    /// No group applies to the agent.
    NoGroup,
    /// The outcome of the fetch.
    Access,
    /// The URL is the robots.txt, which is always allowed.
    RobotsTxtItself,
    /// The robots.txt does not apply to the origin of the URL.
    OutOfScope,
}

impl Verdict {
    /// Every verdict, in the order of the codes in tables.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Disallow, Self::Undefined];

    /// Returns the name used in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Allow => "allow",
            Verdict::Disallow => "disallow",
            Verdict::Undefined => "undefined",
        }
    }
}

impl Basis {
    /// Every basis, in the order of the codes in tables.
    pub const ALL: [Self; 6] = [
        Self::Rule,
        Self::NoRuleMatched,
        Self::NoGroup,
        Self::Access,
        Self::RobotsTxtItself,
        Self::OutOfScope,
    ];

    /// Returns the name used in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Rule => "rule",
            Basis::NoRuleMatched => "no_rule_matched",
            Basis::NoGroup => "no_group",
            Basis::Access => "access",
            Basis::RobotsTxtItself => "robots_txt_itself",
            Basis::OutOfScope => "out_of_scope",
        }
    }
}
