//! The page that `robocensus report` writes: what a dataset holds, in a dozen pictures, each with
//! its figures and its SQL.
//!
//! Enters: a title, the description of a dataset and the answers to [`queries`], in their order.
//! Leaves: one HTML file that needs nothing but itself: no script, no font, no picture from
//! elsewhere. Refuses to know where answers come from and where the page goes: it opens no file and
//! runs no engine.
//!
//! - The same answers give the same bytes: no clock, no name of a machine, no path.
//! - Text of the dataset is hostile. What becomes HTML is escaped by maud, what becomes SVG by
//!   plotters, and characters that turn text around are replaced before. The page forbids scripts
//!   and requests to itself, should that fail.

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
    page::{Part, Whole},
    pictures::{COVERAGE, HEADLINE, MIN_HOSTS, NEEDS_DIALECTS, PICTURES, PROVENANCE, Totals},
};

/// The title of a page that is given none.
pub const TITLE: &str = "What robots.txt files say";

/// A page, and what a caller may have to say of it.
#[derive(Clone, Debug)]
pub struct Page {
    /// The HTML.
    pub html: String,
    /// Host names that were asked for a robots.txt; of none, every figure is over nothing.
    pub hosts: u64,
}

/// An answer that is not what its query promises: another file stands in place of the query, or
/// another engine in place of DuckDB.
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

/// Returns the queries that the page asks, each of them over the views of `queries/views.sql`, with
/// the [`variables`] set.
pub fn queries() -> impl Iterator<Item = Query> {
    let of_pictures = PICTURES.iter().map(|picture| picture.query);
    [PROVENANCE, COVERAGE].into_iter().chain(of_pictures)
}

/// Returns the variables that [`queries`] read, by name: `base` is the dataset's reference dialect,
/// `candidate` its second, or the reference again where it has one only and there is nothing to
/// compare.
pub fn variables(description: &Value) -> [(&'static str, &str); 2] {
    let base = reference_dialect(description);
    [
        ("base", base),
        ("candidate", candidate_dialect(description).unwrap_or(base)),
    ]
}

/// Returns the dialect that the others are compared with: the first that the run was asked for.
fn reference_dialect(description: &Value) -> &str {
    dialects(description).split(',').next().unwrap_or_default()
}

/// Returns the dialect that is compared with the reference: the second that the run was asked for.
fn candidate_dialect(description: &Value) -> Option<&str> {
    dialects(description).split(',').nth(1)
}

/// Returns the page.
///
/// `title` is its heading, `description` is what stands in `_dataset.json`, `notes` are sentences
/// on what the dataset lacks, `answers` are those to [`queries`], in their order.
///
/// # Errors
///
/// If an answer is missing or has not the columns that its query promises.
pub fn render(
    title: &str,
    description: &Value,
    notes: &[String],
    answers: &[Answer],
) -> Result<Page, Unexpected> {
    for (index, query) in queries().enumerate() {
        if index >= answers.len() {
            return Err(Unexpected {
                query: query.name,
                reason: "expected rows, but there is none".to_owned(),
            });
        }
    }
    let [provenance, coverage, answers @ ..] = answers else {
        unreachable!("there are as many answers as queries");
    };
    let in_query = |query: Query| {
        move |missing: MissingColumn| Unexpected {
            query: query.name,
            reason: missing.to_string(),
        }
    };
    let mut totals = totals(provenance, description).map_err(in_query(PROVENANCE))?;
    for (picture, answer) in PICTURES.iter().zip(answers) {
        if picture.id == HEADLINE {
            totals.unnameable = unnameable(answer).map_err(in_query(picture.query))?;
        }
    }
    let mut parts = Vec::new();
    for (picture, answer) in PICTURES.iter().zip(answers) {
        let shown = (picture.show)(answer, &totals).map_err(in_query(picture.query))?;
        let is_one_dialect = candidate_dialect(description).is_none();
        parts.push(Part {
            absence: absence(&shown, picture.id == NEEDS_DIALECTS && is_one_dialect),
            picture,
            answer,
            shown,
        });
    }
    let whole = Whole {
        title: &words::plain(title),
        description,
        notes,
        totals: &totals,
        provenance,
        coverage,
    };
    Ok(Page {
        html: page::page(&whole, &parts).map_err(in_query(COVERAGE))?,
        hosts: totals.hosts,
    })
}

/// Returns what is said in place of a chart; `None` if there is enough for one.
fn absence(shown: &pictures::Shown, needs_dialects: bool) -> Option<String> {
    if needs_dialects {
        return Some(
            "The run asked one dialect only, so there is nothing to compare. Run it again with several: --dialects google,rfc9309."
                .to_owned(),
        );
    }
    match (&shown.chart, shown.n_hosts) {
        (None, _) if shown.reading.is_empty() => Some("None in this dataset.".to_owned()),
        (None, _) => Some(shown.reading.clone()),
        (Some(_), n) if n < MIN_HOSTS => Some(format!(
            "{} Too few for a chart, which needs {MIN_HOSTS} and has {}: the figures are in the table below.",
            shown.reading,
            words::count(n)
        )),
        (Some(_), _) => None,
    }
}

fn totals(provenance: &Answer, description: &Value) -> Result<Totals, MissingColumn> {
    let row = provenance.rows().first();
    let count = |column| row.map_or(Ok(0), |row| row.count(column));
    Ok(Totals {
        archives: count("archives")?,
        hosts: count("hosts")?,
        hosts_read: count("hosts_read")?,
        hosts_html: count("hosts_html")?,
        domains: count("domains")?,
        domains_read: count("domains_read")?,
        reference_dialect: words::plain(reference_dialect(description)),
        candidate_dialect: words::plain(candidate_dialect(description).unwrap_or_default()),
        n_dialects: dialects(description).split(',').count(),
        unnameable: Vec::new(),
    })
}

/// Returns the agents that no line can name.
fn unnameable(answer: &Answer) -> Result<Vec<String>, MissingColumn> {
    let mut agents = Vec::new();
    for row in answer.rows() {
        if !row.is_null("can_be_named")? && !row.is_true("can_be_named")? {
            agents.push(row.text("agent")?.to_owned());
        }
    }
    Ok(agents)
}

/// Returns the dialects of the run, separated by commas, the reference dialect first.
fn dialects(description: &Value) -> &str {
    let named = &description["options"]["dialects"];
    named.as_str().unwrap_or_default()
}
