//! The table `agents`: one row for each user-agent line.

use std::collections::HashMap;

use ahash::RandomState;
use bstr::ByteSlice;

use super::{Bool, CaptureKey, CaptureKeys, Int32, Name, as_i32, table};
use crate::robots::{
    agents::{MatrixAgent, built_in_tokens},
    dialect::AgentLine,
    matrix::Matrix,
};

table! {
    /// one user-agent line, as the reference dialect reads the file
    "agents": pub struct AgentsBuilder {
        capture: CaptureKeys,
        /// group that the line begins or belongs to, 0 for the first of the file
        group_index: Int32,
        /// line in the file, 1 for the first
        line: Int32 [delta],
        /// value as written
        agent_raw: Name [source("RFC 9309, 2.2.1")],
        /// product token that the reference dialect compares: the value cut where that dialect cuts
        /// it, spelled as the agent of the matrix that it equals without regard to case, else as
        /// the built-in one, else in lower case; * for the group of all other agents
        agent_token: Name [source("RFC 9309, 2.2.1"), bloom_filter],
        /// whether the line is that of the group of all other agents (*)
        is_wildcard: Bool [source("RFC 9309, 2.2.1")],
    }
    with {
        /// How agents are spelled, by their tokens in lower case. Other tables have the names of
        /// the matrix, and a join must not depend on how a file writes them.
        spellings: HashMap<String, String, RandomState>,
        /// A buffer for a token in lower case.
        lower: String,
    }
}

impl AgentsBuilder {
    /// Returns a builder without rows for the agents of a run.
    pub fn new(matrix: &Matrix) -> Self {
        let spelling = |name: &str| (name.to_ascii_lowercase(), name.to_owned());
        let mut spellings: HashMap<_, _, _> = built_in_tokens().map(spelling).collect();
        let names = matrix.agents.iter().map(MatrixAgent::name);
        spellings.extend(names.map(spelling));
        Self {
            spellings,
            ..Self::default()
        }
    }

    /// Appends user-agent lines of the file `body`.
    pub fn append_all(&mut self, capture: CaptureKey<'_>, body: &[u8], agents: &[AgentLine]) {
        self.capture.append_n(capture, agents.len());
        self.group_index
            .extend(agents.iter().map(|agent| as_i32(agent.group_index)));
        self.line
            .extend(agents.iter().map(|agent| as_i32(agent.line)));
        for agent in agents {
            self.agent_raw.append(&agent.value.of(body).to_str_lossy());
            let token = if agent.is_wildcard {
                "*".into()
            } else {
                agent.token.of(body).to_str_lossy()
            };
            self.lower.clear();
            self.lower.push_str(&token);
            self.lower.make_ascii_lowercase();
            let spelling = self.spellings.get(&self.lower).unwrap_or(&self.lower);
            self.agent_token.append(spelling);
        }
        self.is_wildcard
            .extend(agents.iter().map(|agent| agent.is_wildcard));
    }
}
