//! The table `verdict_sets`: one row for each cell of each distinct vector of answers.

use arrow_array::ArrayRef;

use super::{Column, Columns, Int32, Int64, KnownName, Name, as_i32, table};
use crate::robots::{
    dialect::{Basis, Verdict},
    matrix::{Block, Matrix, MatrixAgent},
};

table! {
    /// one cell of one distinct vector of answers, which captures share (captures.verdict_set_id):
    /// may this agent fetch this URL, in this dialect
    "verdict_sets": pub struct VerdictSetsBuilder {
        /// key of the vector, as in captures: a function of the part's name and of the answers
        verdict_set_id: Int64,
        /// dialect that answers
        dialect: KnownName,
        /// crawler that asks: the first product token of its chain
        agent: KnownName,
        /// URL that it asks for: a path, or an absolute URL of the capture's origin
        url: UrlColumn,
        /// allow, disallow or undefined (the specification leaves it open, or the capture is a
        /// redirect)
        verdict: KnownName<Verdict>,
        /// what decided: rule, no_rule_matched, no_group, access, robots_txt_itself, out_of_scope
        basis: KnownName<Basis>,
        /// group that decided, as this dialect counts groups; NULL: none
        group_index: Int32 [nullable],
        /// line of the rule that decided; NULL: none
        rule_line: Int32 [nullable],
    }
}

/// The column of URLs: a matrix of paths alone has a dictionary that is known before the first row.
#[derive(Debug)]
enum UrlColumn {
    Paths(KnownName),
    Mixed(Name),
}

impl Default for UrlColumn {
    fn default() -> Self {
        Self::Mixed(Name::default())
    }
}

impl Columns for UrlColumn {
    const COLUMNS: &'static [Column] = Name::COLUMNS;

    fn n_rows(&self) -> usize {
        match self {
            Self::Paths(paths) => paths.n_rows(),
            Self::Mixed(urls) => urls.n_rows(),
        }
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        match self {
            Self::Paths(paths) => paths.finish_into(arrays),
            Self::Mixed(urls) => urls.finish_into(arrays),
        }
    }
}

impl VerdictSetsBuilder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        Self {
            dialect: KnownName::new(dialects),
            agent: KnownName::new(matrix.agents.iter().map(MatrixAgent::name)),
            url: if matrix.urls.n_absolute() == 0 {
                UrlColumn::Paths(KnownName::new(matrix.urls.paths()))
            } else {
                UrlColumn::default()
            },
            ..Self::default()
        }
    }

    /// Appends answers of one vector under the dialect of that index, to the questions of a matrix
    /// for an origin whose captures have these answers.
    pub fn append(
        &mut self,
        verdict_set_id: i64,
        dialect: usize,
        (matrix, origin): (&Matrix, &str),
        block: Block<'_>,
    ) {
        let (first_url, decisions) = (block.first_url, block.decisions);
        let n = decisions.len();
        // Column by column: what a whole block has in common is written as a run.
        self.verdict_set_id.append_n(Some(verdict_set_id), n);
        self.dialect.append_n(Some(dialect), n);
        self.agent.append_n(Some(block.agent), n);
        match &mut self.url {
            UrlColumn::Paths(paths) => paths.extend(first_url..first_url + n),
            UrlColumn::Mixed(urls) => {
                let paths = matrix.urls.paths().iter().map(String::as_str);
                let asked = paths.chain(matrix.urls.of_origin(origin));
                asked
                    .skip(first_url)
                    .take(n)
                    .for_each(|url| urls.append(url));
            }
        }
        self.verdict
            .extend(decisions.iter().map(|decision| decision.verdict));
        self.basis
            .extend(decisions.iter().map(|decision| decision.basis));
        for decision in decisions {
            self.group_index.append(decision.group_index.map(as_i32));
            self.rule_line.append(decision.rule_line.map(as_i32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionaries_have_the_order_of_their_enums() {
        for (index, verdict) in Verdict::ALL.into_iter().enumerate() {
            assert_eq!(verdict as usize, index);
        }
        for (index, basis) in Basis::ALL.into_iter().enumerate() {
            assert_eq!(basis as usize, index);
        }
    }
}
