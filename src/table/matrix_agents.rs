//! The table `matrix_agents`: one row for each dialect of the run and agent of the matrix, for the
//! whole dataset.

use std::sync::Arc;

use arrow_array::{BooleanArray, RecordBatch, types::Int32Type};

use super::{
    as_i32,
    column::{Known, Numbers, Repeated},
    schema::{Kind, Table, optional, required},
};
use crate::{dialect::Dialect, matrix::Matrix};

/// The table as data.
pub const TABLE: Table = Table {
    name: "matrix_agents",
    about: "one dialect of the run and one agent of the matrix",
    columns: &[
        required("dialect", Kind::Name, "name of the dialect"),
        required(
            "agent",
            Kind::Name,
            "crawler of the matrix: the first product token of its chain",
        ),
        required(
            "agent_index",
            Kind::Int32,
            "position in the matrix, 0 for the first",
        ),
        optional(
            "agent_category",
            Kind::Name,
            "what it crawls for, as the list of agents says",
        ),
        required(
            "tokens",
            Kind::Name,
            "its product tokens, the most specific first, separated by commas",
        ),
        optional(
            "can_be_named",
            Kind::Bool,
            "whether any user-agent line gives the agent a group of its own in this dialect; where none does, only the group of * speaks for it, whatever files say; NULL for *",
        ),
    ],
};

/// Returns the rows for the dialects of a run and its matrix: by dialect, then by agent.
pub fn rows(dialects: &[Dialect], matrix: &Matrix) -> RecordBatch {
    let mut names = Known::new(dialects.iter().map(|spec| &spec.name));
    let mut indexes = Numbers::<Int32Type>::default();
    let [mut agents, mut categories, mut tokens] = [(); 3].map(|()| Repeated::default());
    let mut can_be_named = Vec::new();
    for (dialect, spec) in dialects.iter().enumerate() {
        names.append_n(Some(dialect), matrix.agents.len());
        indexes.extend((0..matrix.agents.len()).map(as_i32));
        for agent in &matrix.agents {
            agents.append(Some(agent.name()));
            categories.append(agent.category.as_deref());
            tokens.append(Some(&agent.chain.join(",")));
            can_be_named.push(agent.can_be_named(spec));
        }
    }
    super::batch(
        &TABLE.schema(),
        vec![
            names.finish(),
            agents.finish(),
            Arc::new(indexes.finish()),
            categories.finish(),
            tokens.finish(),
            Arc::new(BooleanArray::from(can_be_named)),
        ],
    )
}
