//! Dialects: what a robots.txt means.
//!
//! Enters: a body and its line model. Leaves: groups, rules and other records as a dialect reads
//! them, a decision with its evidence for an agent and a URL, and what was odd. A dialect is data,
//! the answers of a [`DialectSpec`]; this room is the only one that tolerates anything.
//!
//! This room refuses to know where the body came from. It does no I/O and it cannot fail: content
//! that no dialect can read is read as no rule. Only a dialect that somebody writes as TOML can be
//! wrong, which is said in a sentence.
//!
//! ```
//! use robocensus::{dialect::*, robots::{RobotsTxt, parse}};
//!
//! let body = b"User-agent: *\nDisallow: /private\n";
//! let spec = builtin("google").expect("google is built in");
//! let mut robots = RobotsTxt::new();
//! parse(body, &mut robots);
//! let mut rules = RuleSet::new();
//! rules.compile(&spec, body, &robots);
//! let mut selection = Selection::new();
//! rules.select(&Agent::new(&spec, &["Googlebot"]), &mut selection);
//! let path = PreparedPath::from_url(&spec, b"https://example.com/private/x");
//! let decision = rules.decide(&selection, &path);
//! assert_eq!(decision.verdict, Verdict::Disallow);
//! assert_eq!(decision.rule_line, Some(2));
//! ```

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
    agent::{Agent, Selection, SelectionKey, SelectionKind},
    custom::{definition, read_toml, to_toml},
    decision::{Basis, Decision, Verdict},
    finder::{Anomaly, AnomalyFinder, MAX_PER_CODE},
    group::{AgentLine, Group, OtherRecord, Range32, Rule, RuleKind},
    namable::can_be_named,
    names::{DialectSet, NAMES, REFERENCE, builtin},
    path::PreparedPath,
    question::{Allowed, Answer, QUESTIONS, Question},
    ruleset::RuleSet,
    source::{source, work},
    spec::*,
};
