//! The page of a comparison of two parsers: which verdicts flip, in which direction, why, and on
//! whose hosts first.
//!
//! It has the style of the page of a dataset, and its rules: no scripts, nothing of other files,
//! the same bytes for the same comparison, and all text of robots.txt files escaped.

mod case;
mod matrix;
mod page;

use serde::Serialize;
use serde_json::Value;

use super::{PageQuery, UnexpectedResult, dataset::page_query, result::ResultSet, words};

/// SQL that makes the tables of a comparison views, before [`queries`].
pub const VIEWS: &str = include_str!("views.sql");

const DIRECTIONS: PageQuery = page_query!("", "directions");
const CAUSES: PageQuery = page_query!("", "causes");

/// The query of a row of the page of several comparisons.
const MATRIX: PageQuery = page_query!("", "matrix");

/// The queries of the page, in the order of their results.
const QUERIES: [PageQuery; 5] = [
    DIRECTIONS,
    CAUSES,
    page_query!("", "affected"),
    page_query!("", "faults"),
    page_query!("", "slowest"),
];

/// Returns the queries of each of so many comparisons on a page. They read the views of [`VIEWS`].
pub fn queries(n_comparisons: usize) -> &'static [PageQuery] {
    match n_comparisons {
        0 | 1 => &QUERIES,
        _ => &[MATRIX],
    }
}

/// What is read of a comparison.
#[derive(Debug)]
pub struct Compared {
    /// The JSON of `_dataset.json`.
    pub description: Value,
    /// The JSON of [`COMPARISON_FILE`](crate::compare::COMPARISON_FILE).
    pub comparison: Value,
    /// The results of [`queries`], in their order: JSON arrays with an object for each row.
    pub results: Vec<String>,
}

impl Compared {
    fn sides(&self) -> [Side; 3] {
        let text = |value: &Value| words::plain(value.as_str().unwrap_or_default());
        [(0, "baseline"), (1, "candidate"), (2, "reference")].map(|(index, role)| Side {
            role,
            name: text(&self.comparison["sides"][index]),
            definition: text(&self.description["options"][role]),
        })
    }

    fn results(&self, queries: &[PageQuery]) -> Result<Vec<ResultSet>, UnexpectedResult> {
        let mut parsed = Vec::new();
        for (index, query) in queries.iter().enumerate() {
            let text = self.results.get(index);
            let text = text.ok_or("expected rows, but found none");
            let text = text.map_err(UnexpectedResult::of(*query))?;
            parsed.push(ResultSet::from_json(text).map_err(UnexpectedResult::of(*query))?);
        }
        Ok(parsed)
    }
}

/// One of the parsers compared.
#[derive(Serialize)]
struct Side {
    /// `baseline`, `candidate` or `reference`.
    role: &'static str,
    /// The name, with the version of an external parser; empty for no reference.
    name: String,
    /// What was compared: a dialect with its digest, or a command.
    definition: String,
}

/// Returns true if and only if `_dataset.json` describes a comparison.
pub fn is_comparison(description: &Value) -> bool {
    description["options"]["kind"] == "comparison"
}

/// Returns the page of a comparison, or of several that differ in the candidate alone.
///
/// `title` is its heading; without one the sides are.
///
/// # Errors
///
/// If a result is missing, is other JSON or lacks a column.
pub fn render(title: Option<&str>, compared: &[Compared]) -> Result<String, UnexpectedResult> {
    let queries = queries(compared.len());
    let results = compared.iter().map(|one| one.results(queries));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    if let ([one], [results]) = (compared, &results[..]) {
        return page::page(title, one, results).map_err(UnexpectedResult::of(CAUSES));
    }
    matrix::page(title, compared, &results).map_err(UnexpectedResult::of(MATRIX))
}
