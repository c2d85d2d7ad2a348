//! The table `verdicts`: one row for each cell of the matrix.

use std::sync::Arc;

use arrow_array::{RecordBatch, builder::Int32Builder};
use arrow_schema::SchemaRef;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Known, Repeated},
    schema::{CAPTURE_ID, Kind, Table, URL_HOST_NAME, optional, required},
};
use crate::{
    dialect::{Basis, Decision, Verdict},
    matrix::{Matrix, MatrixAgent, evaluate::Cells},
};

/// The table as data.
pub const TABLE: Table = Table {
    name: "verdicts",
    about: "one cell of the matrix: may this agent fetch this URL, in this dialect, by this capture",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        required("dialect", Kind::Name, "dialect that answers"),
        required(
            "agent",
            Kind::Name,
            "crawler that asks: the first product token of its chain",
        ),
        required(
            "url",
            Kind::Name,
            "URL that it asks for: a path, or an absolute URL of the capture's origin",
        ),
        required(
            "verdict",
            Kind::Name,
            "allow, disallow or undefined (the specification leaves it open, or the capture is a redirect)",
        ),
        required(
            "basis",
            Kind::Name,
            "what decided: rule, no_rule_matched, no_group, access, robots_txt_itself, out_of_scope",
        ),
        optional(
            "group_index",
            Kind::Int32,
            "group that decided, as this dialect counts groups; NULL: none",
        ),
        optional(
            "rule_line",
            Kind::Int32,
            "line of the rule that decided; NULL: none",
        ),
    ],
};

const VERDICTS: [Verdict; 3] = [Verdict::Allow, Verdict::Disallow, Verdict::Undefined];
const BASES: [Basis; 6] = [
    Basis::Rule,
    Basis::NoRuleMatched,
    Basis::NoGroup,
    Basis::Access,
    Basis::RobotsTxtItself,
    Basis::OutOfScope,
];

/// Builds rows of `verdicts`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    n_agents: usize,
    n_paths: usize,
    keys: Keys,
    dialect: Known,
    agent: Known,
    url: UrlColumn,
    verdict: Known,
    basis: Known,
    group_index: Int32Builder,
    rule_line: Int32Builder,
}

/// The column of URLs: a matrix of paths alone has a dictionary that is known before the first row.
#[derive(Debug)]
enum UrlColumn {
    Paths(Known),
    Mixed(Repeated),
}

impl Builder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        Self {
            schema: TABLE.schema(),
            n_agents: matrix.agents.len(),
            n_paths: matrix.urls.paths().len(),
            keys: Keys::default(),
            dialect: Known::new(dialects),
            agent: Known::new(matrix.agents.iter().map(MatrixAgent::name)),
            url: if matrix.urls.n_absolute() == 0 {
                UrlColumn::Paths(Known::new(matrix.urls.paths()))
            } else {
                UrlColumn::Mixed(Repeated::default())
            },
            verdict: Known::new(VERDICTS.map(Verdict::as_str)),
            basis: Known::new(BASES.map(Basis::as_str)),
            group_index: Int32Builder::new(),
            rule_line: Int32Builder::new(),
        }
    }

    /// Appends the answers of one capture under the dialect of that index.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        dialect: usize,
        matrix: &Matrix,
        origin: &str,
        cells: &Cells,
    ) {
        let n_urls = cells.n_urls();
        self.keys.append_n(capture, self.n_agents * n_urls);
        self.dialect.append_n(dialect, self.n_agents * n_urls);
        for agent in 0..self.n_agents {
            self.agent.append_n(agent, n_urls);
            match &mut self.url {
                UrlColumn::Paths(paths) => (0..self.n_paths).for_each(|path| paths.append(path)),
                UrlColumn::Mixed(urls) => {
                    let paths = matrix.urls.paths().iter().map(String::as_str);
                    paths
                        .chain(matrix.urls.of_origin(origin))
                        .for_each(|url| urls.append(Some(url)));
                }
            }
            for decision in cells.of_agent(agent) {
                self.append_decision(decision);
            }
        }
    }

    fn append_decision(&mut self, decision: &Decision) {
        self.verdict.append(decision.verdict as usize);
        self.basis.append(decision.basis as usize);
        self.group_index
            .append_option(decision.group_index.map(as_i32));
        self.rule_line.append_option(decision.rule_line.map(as_i32));
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
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
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
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
