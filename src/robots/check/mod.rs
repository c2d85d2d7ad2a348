//! One request and its evidence.
//!
//! A robots.txt body, a dialect, an agent and a URL, or a line of a file of cases, give the
//! decision, what the fetch and the location of the file decide, and the rules that matched without
//! deciding. This module renders nothing and reads no file.

mod case;
mod checker;
mod fields;
mod text;

#[cfg(feature = "cli")]
pub(crate) use self::case::{AccessCase, CaseQuery, ScopeCase};
pub use self::{
    case::{Case, Fetch, STATUS_CODES, VerdictCase, read_case},
    checker::{Checker, Evidence, LossReason, Request},
    text::unescaped,
};
