//! The table `agents`: one row for each user-agent line.

use bstr::ByteSlice;

use super::{
    as_i32,
    column::{Bool, CaptureKey, CaptureKeys, Int32, Name},
    schema::table,
};
use crate::dialect::AgentLine;

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
        /// product token that the reference dialect compares, lower case: the value cut where that
        /// dialect cuts it; * for the group of all other agents
        agent_token: Name [source("RFC 9309, 2.2.1"), bloom_filter],
        /// whether the line is that of the group of all other agents (*)
        is_wildcard: Bool [source("RFC 9309, 2.2.1")],
    }
}

impl AgentsBuilder {
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
            // Most tokens are lower case already; only the others are copied.
            if token.bytes().any(|b| b.is_ascii_uppercase()) {
                self.agent_token.append(&token.to_ascii_lowercase());
            } else {
                self.agent_token.append(&token);
            }
        }
        self.is_wildcard
            .extend(agents.iter().map(|agent| agent.is_wildcard));
    }
}
