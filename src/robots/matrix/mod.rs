//! The matrix: the agents and URLs of a run.
//!
//! It is prepared once per run and dialect ([`evaluate::Evaluator`]), and gives the cells of each
//! capture.

mod agent_list;
mod answers;
#[doc(hidden)]
pub mod evaluate;
mod urls;

use std::collections::HashSet;

pub use self::{
    agent_list::read_agents,
    urls::{Urls, read_urls},
};
pub(crate) use self::{
    agent_list::rows_of_list,
    answers::{Answers, Block, DigestScratch},
    urls::{SeenOrigins, default_urls},
};

pub use super::agents::{MatrixAgent, default_agents};

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
        let mut seen = HashSet::new();
        let agents = self.agents.iter();
        agents
            .filter_map(|agent| agent.category.as_deref())
            .filter(|category| seen.insert(*category))
            .collect()
    }
}
