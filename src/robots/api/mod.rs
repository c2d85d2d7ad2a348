//! The entry for users of the library: one robots.txt with its decisions, groups, rules and
//! findings.
//!
//! [`Robots`] owns a body and all that is derived from it, so that nothing has to be passed twice.
//! It has no semantics of its own: lines come from [`lines`](crate::robots::lines), rules and
//! decisions from [`dialect`](crate::robots::dialect), statements on use from
//! [`signal`](crate::robots::signal).

mod agent_rules;
mod file;
mod tokens;
mod view;

pub use self::{
    agent_rules::AgentRules,
    file::Robots,
    tokens::ProductTokens,
    view::{AgentLineRef, FindingRef, GroupRef, RecordRef, RuleRef, SignalRef},
};
