//! The evaluation of one body under the dialects of a run: groups, findings, facts, policies and
//! answers.
//!
//! [`CachingEvaluator`] takes a capture and returns an [`Evaluation`], from which rows are made.
//! Equal bodies are evaluated once where that saves time: platforms serve one robots.txt for all
//! their sites, and a host serves it under `http` and `https`, with and without `www`. 40 % of the
//! generated files, and 25 % of the files in eight archives of Common Crawl, equal one that was
//! evaluated shortly before.
//!
//! This module does no I/O and knows no table.

mod agent_policies;
mod body;
mod cached;
mod categories;
mod result;
mod slots;

pub use self::result::FileFacts;
pub(crate) use self::{
    agent_policies::{AgentPolicies, AgentPolicy},
    cached::CachingEvaluator,
    categories::{Categories, RootBlocked},
    result::{Evaluation, EvaluationScope},
};
