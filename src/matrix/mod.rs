//! The questions: which agents ask for which URLs.
//!
//! Enters: the agents and URLs a user gave, or the built-in ones. Leaves: a [`Matrix`] that is
//! prepared once per run and dialect, and the cells of one capture ([`evaluate::Evaluator`]).

mod agents;
mod answers;
#[doc(hidden)]
pub mod evaluate;
mod urls;

pub use self::{
    agents::{MatrixAgent, default_agents, read_agents},
    urls::{Urls, read_urls},
};
pub(crate) use self::{
    answers::{Answers, Block, Scratch},
    urls::{SeenOrigins, default_urls},
};

/// All agents and URLs of a run.
#[derive(Debug)]
pub struct Matrix {
    /// The agents, in the order of their rows.
    pub agents: Vec<MatrixAgent>,
    /// The URLs.
    pub urls: Urls,
}

impl Matrix {
    /// Returns the built-in matrix.
    pub fn built_in() -> Self {
        Self {
            agents: default_agents(),
            urls: default_urls(),
        }
    }

    /// Returns the categories of the agents, each once, in the order in which they first appear.
    pub fn categories(&self) -> Vec<&str> {
        let mut categories: Vec<&str> = Vec::new();
        for category in self
            .agents
            .iter()
            .filter_map(|agent| agent.category.as_deref())
        {
            if !categories.contains(&category) {
                categories.push(category);
            }
        }
        categories
    }
}
