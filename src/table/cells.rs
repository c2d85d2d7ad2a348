//! The columns that say what a cell of the matrix is and how it is answered: those of `verdicts`
//! and of `verdict_sets`.

use std::sync::Arc;

use arrow_array::{ArrayRef, types::Int32Type};

use super::{
    as_i32,
    column::{Known, Numbers, Repeated},
    schema::{Column, Kind, optional, required},
};
use crate::{
    dialect::{Basis, Decision, Verdict},
    matrix::{Block, Matrix, MatrixAgent},
};

pub(super) const DIALECT: Column = required("dialect", Kind::Name, "dialect that answers");
pub(super) const AGENT: Column = required(
    "agent",
    Kind::Name,
    "crawler that asks: the first product token of its chain",
);
pub(super) const URL: Column = required(
    "url",
    Kind::Name,
    "URL that it asks for: a path, or an absolute URL of the capture's origin",
);
pub(super) const VERDICT: Column = required(
    "verdict",
    Kind::Name,
    "allow, disallow or undefined (the specification leaves it open, or the capture is a redirect)",
);
pub(super) const BASIS: Column = required(
    "basis",
    Kind::Name,
    "what decided: rule, no_rule_matched, no_group, access, robots_txt_itself, out_of_scope",
);
pub(super) const GROUP_INDEX: Column = optional(
    "group_index",
    Kind::Int32,
    "group that decided, as this dialect counts groups; NULL: none",
);
pub(super) const RULE_LINE: Column = optional(
    "rule_line",
    Kind::Int32,
    "line of the rule that decided; NULL: none",
);

const VERDICTS: [Verdict; 3] = [Verdict::Allow, Verdict::Disallow, Verdict::Undefined];
const BASES: [Basis; 6] = [
    Basis::Rule,
    Basis::NoRuleMatched,
    Basis::NoGroup,
    Basis::Access,
    Basis::RobotsTxtItself,
    Basis::OutOfScope,
];

/// Builds the seven columns above, in their order.
#[derive(Debug)]
pub(super) struct CellColumns {
    n_rows: usize,
    dialect: Known,
    agent: Known,
    url: UrlColumn,
    verdict: Known,
    basis: Known,
    group_index: Numbers<Int32Type>,
    rule_line: Numbers<Int32Type>,
}

/// The column of URLs: a matrix of paths alone has a dictionary that is known before the first row.
#[derive(Debug)]
enum UrlColumn {
    Paths(Known),
    Mixed(Repeated),
}

impl CellColumns {
    /// Returns columns without rows for a matrix and the dialects of a run.
    pub(super) fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        Self {
            n_rows: 0,
            dialect: Known::new(dialects),
            agent: Known::new(matrix.agents.iter().map(MatrixAgent::name)),
            url: if matrix.urls.n_absolute() == 0 {
                UrlColumn::Paths(Known::new(matrix.urls.paths()))
            } else {
                UrlColumn::Mixed(Repeated::default())
            },
            verdict: Known::new(VERDICTS.map(Verdict::as_str)),
            basis: Known::new(BASES.map(Basis::as_str)),
            group_index: Numbers::default(),
            rule_line: Numbers::default(),
        }
    }

    /// Appends answers under the dialect of that index, for a capture of that origin.
    pub(super) fn append_block(
        &mut self,
        dialect: usize,
        (matrix, origin): (&Matrix, &str),
        block: Block<'_>,
    ) {
        let Block {
            agent,
            first_url,
            decisions,
        } = block;
        let n = decisions.len();
        self.n_rows += n;
        self.dialect.append_n(Some(dialect), n);
        self.agent.append_n(Some(agent), n);
        match &mut self.url {
            UrlColumn::Paths(paths) => paths.extend(first_url..first_url + n),
            UrlColumn::Mixed(urls) => {
                let paths = matrix.urls.paths().iter().map(String::as_str);
                let asked = paths.chain(matrix.urls.of_origin(origin));
                asked
                    .skip(first_url)
                    .take(n)
                    .for_each(|url| urls.append(Some(url)));
            }
        }
        self.append_decisions(decisions);
    }

    fn append_decisions(&mut self, decisions: &[Decision]) {
        let verdicts = decisions.iter().map(|decision| decision.verdict as usize);
        self.verdict.extend(verdicts);
        let bases = decisions.iter().map(|decision| decision.basis as usize);
        self.basis.extend(bases);
        for decision in decisions {
            self.group_index
                .append_option(decision.group_index.map(as_i32));
            self.rule_line.append_option(decision.rule_line.map(as_i32));
        }
    }

    /// Returns the columns of the rows appended since the last call.
    pub(super) fn finish(&mut self) -> [ArrayRef; 7] {
        self.n_rows = 0;
        [
            self.dialect.finish(),
            self.agent.finish(),
            match &mut self.url {
                UrlColumn::Paths(paths) => paths.finish(),
                UrlColumn::Mixed(urls) => urls.finish(),
            },
            self.verdict.finish(),
            self.basis.finish(),
            Arc::new(self.group_index.finish()),
            Arc::new(self.rule_line.finish()),
        ]
    }

    /// Returns the number of rows appended since the last call of [`CellColumns::finish`].
    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionaries_stand_in_the_order_of_their_enums() {
        for (index, verdict) in VERDICTS.into_iter().enumerate() {
            assert_eq!(verdict as usize, index);
        }
        for (index, basis) in BASES.into_iter().enumerate() {
            assert_eq!(basis as usize, index);
        }
    }
}
