//! The table `matrix_agents`: one row for each dialect of the run and agent of the matrix, for the
//! whole dataset.

use arrow_array::RecordBatch;

use super::{Bool, Int32, Name, TableBuilder, as_i32, table};
use crate::robots::{dialect::Dialect, matrix::Matrix};

table! {
    /// one dialect of the run and one agent of the matrix
    "matrix_agents": pub struct MatrixAgentsBuilder {
        /// name of the dialect
        dialect: Name,
        /// crawler of the matrix: the first product token of its chain
        agent: Name,
        /// position in the matrix, 0 for the first
        agent_index: Int32,
        /// what it crawls for, as the list of agents states; control-token: no crawler sends the
        /// token, which states what may be done with what other crawlers fetch
        agent_category: Name [nullable],
        /// its product tokens, the most specific first, separated by commas
        tokens: Name,
        /// whether any user-agent line gives the agent a group of its own in this dialect; where
        /// none does, only the group of * applies to it, whatever files state; NULL for *
        can_be_named: Bool [nullable],
    }
}

/// Returns the rows for the dialects of a run and its matrix: by dialect, then by agent.
pub fn rows(dialects: &[Dialect], matrix: &Matrix) -> RecordBatch {
    let mut rows = MatrixAgentsBuilder::default();
    for dialect in dialects {
        for (agent_index, agent) in matrix.agents.iter().enumerate() {
            rows.dialect.append(&dialect.name);
            rows.agent.append(agent.name());
            rows.agent_index.append(as_i32(agent_index));
            rows.agent_category.append(agent.category.as_deref());
            rows.tokens.append(&agent.chain.join(","));
            rows.can_be_named.append(agent.can_be_named(dialect));
        }
    }
    rows.finish()
}
