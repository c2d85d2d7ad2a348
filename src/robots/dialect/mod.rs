//! Dialects: what a robots.txt means.
//!
//! [`Robots`](crate::Robots) decides under a [`Dialect`]; this module has the types
//! of its answers.
//!
//! A body and its line model are interpreted under a dialect as groups, rules and other records.
//! These give a decision with its evidence for an agent and a URL, and findings about the file. A
//! dialect is data, the answers of a [`Dialect`]; this is the only module that tolerates mistakes.
//! It does no I/O and cannot fail: content that a dialect does not understand is no rule. Only the
//! TOML file of a dialect can be wrong.
//!
//! | files | contents |
//! |---|---|
//! | `definition`, `builtin/`, `toml_file` | the choices, the built-in answers and their sources, dialects as files |
//! | `interpret`, `line`, `group` | lines as a dialect interprets them, and the groups that they form |
//! | `agent`, `hash`, `namable` | which groups apply to a crawler |
//! | `matcher`, `pattern`, `path`, `percent` | which rules match a path |
//! | `ruleset`, `decision`, `access` | the decision |
//! | `python/` | CPython's `urllib.robotparser` |
//! | `anomaly/` | findings |
//! | `digest/` | the semantic digest of a file |
//! | `spelling` | names that a user misspelt |

mod access;
mod agent;
mod anomaly;
mod builtin;
mod decision;
mod definition;
mod digest;
mod group;
mod hash;
mod interpret;
mod line;
mod matcher;
mod namable;
mod path;
mod pattern;
mod percent;
mod python;
mod ruleset;
pub(crate) mod spelling;
#[cfg(test)]
mod testing;
mod toml_file;

pub use self::{
    access::FetchOutcome,
    builtin::{NAMES, REFERENCE},
    definition::{
        Access, AccessPolicy, AgentCase, AgentChain, AgentCut, AgentMatch, ByteOrderMark,
        DuplicateGroups, EmptyPattern, FieldNames, GroupEnd, IndexPage, LeadingSlash, MissingColon,
        Percent, Precedence, PrefixEnd, RobotsTxtItself, SpecialCharacters, TextModel,
        TrailingStar, WildcardConflict,
    },
};
// Documented at the root of the crate.
#[doc(hidden)]
pub use self::{
    agent::SelectionKind,
    anomaly::{AnomalyCode, Severity},
    decision::{Basis, Decision, Verdict},
    definition::Dialect,
    group::RuleKind,
    toml_file::DialectError,
};
// For the program, benchmarks and tests of this package.
#[cfg(feature = "dataset")]
pub(crate) use self::{
    agent::SelectionKey,
    digest::SemanticDigester,
    group::AgentLine,
    toml_file::{shortest_definition, toml_mistake},
};
#[doc(hidden)]
pub use self::{
    agent::{Agent, Selection},
    anomaly::{Anomaly, AnomalyFinder, MAX_PER_CODE},
    builtin::{source, work},
    definition::{AllowedAnswers, AnswerValue, CHOICES, Choice},
    group::Rule,
    path::PreparedPath,
    ruleset::RuleSet,
    toml_file::{read_toml, to_toml},
};
pub(crate) use self::{
    builtin::DialectSet,
    group::{Group, OtherRecord},
    namable::can_be_named,
};
