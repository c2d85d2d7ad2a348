//! The page that `robocensus report` writes: what a dataset holds, in a dozen pictures, each with its figures and its SQL.
//!
//! Enters: the description of a dataset and the answers to [`queries`], in their order. Leaves: one HTML file that needs nothing but itself: no
//! script, no font, no picture from elsewhere. Refuses to know where answers come from and where the page goes: it opens no file and runs no engine.
//!
//! - The same answers give the same bytes: no clock, no name of a machine, no path.
//! - Text of the dataset is hostile. What becomes HTML is escaped by maud, what becomes SVG by plotters, and characters that turn text around are
//!   replaced before. The page forbids scripts and requests to itself, should that fail.

mod answer;
mod bars;
mod canvas;
mod grid;
mod ink;
mod page;
mod pictures;
mod sizes;
mod table;
mod words;

use std::fmt;

use serde_json::Value;

pub use self::{
    answer::{Answer, MissingColumn},
    pictures::Query,
};
use self::{
    page::Part,
    pictures::{COVERAGE, NEEDS_DIALECTS, PICTURES, PROVENANCE, Totals},
};

/// An answer that is not what its query promises: another file stands in place of the query, or another engine in place of DuckDB.
#[derive(Debug)]
pub struct Unexpected {
    /// The query.
    pub query: &'static str,
    /// What is missing in the answer.
    pub reason: String,
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the answer to {}: {}", self.query, self.reason)
    }
}

impl std::error::Error for Unexpected {}

/// Returns the queries that the page asks, each of them over the views of `queries/views.sql`, with the variable `base` set to the
/// [`reference_dialect`].
pub fn queries() -> impl Iterator<Item = Query> {
    let of_pictures = PICTURES.iter().map(|picture| picture.query);
    [PROVENANCE, COVERAGE].into_iter().chain(of_pictures)
}

/// Returns the dialect that the others are compared with: the first that the run was asked for.
pub fn reference_dialect(description: &Value) -> &str {
    dialects(description).split(',').next().unwrap_or_default()
}

/// Returns the page.
///
/// `description` is what stands in `_dataset.json`, `answers` are those to [`queries`], in their order.
///
/// # Errors
///
/// If an answer is missing or has not the columns that its query promises.
pub fn render(description: &Value, answers: &[Answer]) -> Result<String, Unexpected> {
    for (index, query) in queries().enumerate() {
        if index >= answers.len() {
            return Err(Unexpected {
                query: query.name,
                reason: "expected rows, but there is none".to_owned(),
            });
        }
    }
    let (provenance, coverage, answers) = (&answers[0], &answers[1], &answers[2..]);
    let in_query = |query: Query| {
        move |missing: MissingColumn| Unexpected {
            query: query.name,
            reason: missing.to_string(),
        }
    };
    let totals = totals(provenance, description).map_err(in_query(PROVENANCE))?;
    let mut parts = Vec::new();
    for (picture, answer) in PICTURES.iter().zip(answers) {
        let shown = (picture.show)(answer, &totals).map_err(in_query(picture.query))?;
        let is_one_dialect = !dialects(description).contains(',');
        parts.push(Part {
            picture,
            answer,
            shown,
            absence: match picture.id == NEEDS_DIALECTS && is_one_dialect {
                true => {
                    "The run asked one dialect only, so there is nothing to compare. Run it again with several: --dialects google,rfc9309."
                }
                false => "None in this dataset.",
            },
        });
    }
    page::page(description, &totals, provenance, coverage, &parts).map_err(in_query(COVERAGE))
}

fn totals(provenance: &Answer, description: &Value) -> Result<Totals, MissingColumn> {
    let row = provenance.rows().first();
    let count = |column| row.map_or(Ok(0), |row| row.count(column));
    Ok(Totals {
        hosts: count("hosts")?,
        hosts_read: count("hosts_read")?,
        reference_dialect: words::plain(reference_dialect(description)),
    })
}

/// Returns the dialects of the run, separated by commas, the reference dialect first.
fn dialects(description: &Value) -> &str {
    let named = &description["options"]["dialects"];
    named.as_str().unwrap_or_default()
}
