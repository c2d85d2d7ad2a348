//! One question and its evidence.
//!
//! Enters: one robots.txt body, a dialect, and who asks for which URL; or a line of a file of
//! cases. Leaves: the decision, what the fetch and the place of the file have to say, and the rules
//! that matched and lost. This room renders nothing and reads no file.

mod case;
mod checker;
mod text;

pub use self::{
    case::{AccessCase, Case, Fetch, Query, ScopeCase, VerdictCase, read_case},
    checker::{Answer, Checker, Loss, Question},
};
