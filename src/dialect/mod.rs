//! Dialects: what a robots.txt means.
//!
//! [`Robots`](crate::Robots) decides under a [`Dialect`](crate::Dialect); this module holds the
//! types of its answers.
//!
//! Enters: a body and its line model. Leaves: groups, rules and other records as a dialect reads
//! them, a decision with its evidence for an agent and a URL, and what was odd. A dialect is data,
//! the answers of a [`DialectSpec`]; this room is the only one that tolerates anything.
//!
//! This room refuses to know where the body came from. It does no I/O and it cannot fail: content
//! that no dialect can read is read as no rule. Only a dialect that somebody writes as TOML can be
//! wrong, which is said in a sentence.

mod access;
mod agent;
mod baidu;
mod custom;
mod decision;
mod digest;
#[cfg(test)]
mod digest_cases;
#[cfg(test)]
mod digest_properties;
mod finder;
mod finder_group;
mod finder_line;
mod google;
mod google_2019;
mod google_legacy;
mod group;
mod hash;
mod language;
mod matcher;
#[cfg(feature = "dataset")]
mod namable;
mod names;
mod original_1994;
mod path;
mod pattern;
mod percent;
mod python;
mod python_number;
mod python_text;
mod python_url;
mod question;
mod reading;
mod reduce;
mod rfc9309;
mod ruleset;
mod source;
mod spec;
mod spelling;
#[cfg(test)]
mod testing;
mod value;

pub use self::{
    access::{Access, AccessPolicy, FetchOutcome},
    names::{NAMES, REFERENCE},
    spec::{
        AgentCase, AgentChain, AgentCut, AgentMatch, ByteOrderMark, DuplicateGroups, EmptyPattern,
        FieldNames, GroupEnd, IndexPage, LeadingSlash, MissingColon, Percent, Precedence,
        PrefixEnd, RobotsTxtItself, SpecialCharacters, TextModel, TrailingStar, WildcardConflict,
    },
};
// Documented at the root of the crate.
#[doc(hidden)]
pub use self::{
    agent::SelectionKind,
    custom::DialectError,
    decision::{Basis, Decision, Verdict},
    group::RuleKind,
    spec::DialectSpec,
};
// For the program, benchmarks and tests of this package.
#[cfg(feature = "dataset")]
pub(crate) use self::{agent::SelectionKey, custom::definition, namable::can_be_named};
#[doc(hidden)]
pub use self::{
    agent::{Agent, Selection},
    custom::{read_toml, to_toml},
    finder::{Anomaly, AnomalyFinder, MAX_PER_CODE},
    group::Rule,
    names::builtin,
    path::PreparedPath,
    question::{Allowed, Answer, QUESTIONS, Question},
    ruleset::RuleSet,
    source::{source, work},
};
pub(crate) use self::{
    group::{AgentLine, Group, OtherRecord},
    names::DialectSet,
};
