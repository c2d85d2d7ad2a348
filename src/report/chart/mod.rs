//! Charts of the rows of a query, as files for a paper or a page: SVG, or a specification for
//! Vega-Lite.
//!
//! A query of `queries/` has a [`Shape`], which says what its rows look like; of other SQL it is
//! inferred from the types of its columns. This module takes rows as DuckDB writes them and returns
//! text; it opens no file and runs no query.
//!
//! - The same rows give the same bytes.
//! - Text of robots.txt files may be hostile. It is escaped, and characters that change the
//!   direction of text or that XML forbids are replaced.

mod bars;
mod frame;
mod grid;
mod heatmap;
mod infer;
mod lines;
mod scale;
mod shape;
pub mod shapes;
mod source;
mod style;
mod svg;
mod text;
mod vega_lite;

use std::fmt;

use self::{frame::Frame, grid::Grid, shape::Kind};
pub use self::{
    shape::Shape,
    source::{PROVENANCE, Source},
};
use crate::report::result::{MissingColumn, ResultSet};

/// Names of rows that a chart has: a bar, or a row of a heat map, for each.
const MOST_LABELS: usize = 40;
/// Columns of a heat map.
const MOST_COLUMNS: usize = 30;
/// Below this many hosts (or domains) a share is not drawn; a chart that is of fewer in all says
/// so.
const FEW: u64 = crate::report::MIN_HOSTS;

/// A chart: its figures and what is written around them.
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    /// What the figures are of, with its number.
    n: String,
    /// Sentences that the figures must not be read without.
    notes: Vec<String>,
    source: String,
    grid: Grid,
}

/// Rows of which no chart can be made; it says what is wrong with them.
#[derive(Debug)]
pub struct NoChart(String);

impl fmt::Display for NoChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoChart {}

impl From<MissingColumn> for NoChart {
    fn from(error: MissingColumn) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for NoChart {
    fn from(error: serde_json::Error) -> Self {
        Self(format!("expected rows of finite numbers and text: {error}"))
    }
}

/// Returns the shape of a query of `queries/`, by its name, if it has one.
pub fn shape(query: &str) -> Option<&'static Shape> {
    shapes::all().find(|shape| shape.query() == query)
}

impl Chart {
    /// Returns the chart of a query: `title` is the query in words, `settings` are variables and
    /// their values, `rows` those of the query and `n` that of [`Shape::sql_of_n`], as JSON.
    ///
    /// # Errors
    ///
    /// If the rows lack a column, which those of the query have.
    pub fn of_query(
        shape: &Shape,
        title: &str,
        settings: &[String],
        rows: &str,
        n: &str,
        source: &Source,
    ) -> Result<Self, NoChart> {
        let rows = ResultSet::from_json(rows)?;
        let mut stated = Vec::new();
        for column in shape.stated {
            if let Some(row) = rows.rows().first() {
                // A list is wrapped at its commas.
                let value = text::clean(row.text(column)?).replace(',', ", ");
                stated.push(format!("{column} = {value}"));
            }
        }
        for setting in settings {
            let is_stated = |column: &&str| setting.starts_with(&format!("{column} = "));
            if !shape.stated.iter().any(is_stated) {
                stated.push(setting.clone());
            }
        }
        let (n, n_in_words) = grid::n(shape, &rows, &ResultSet::from_json(n)?, source)?;
        let mut grid = Grid::of_shape(shape, rows.rows())?;
        let mut notes = vec![shape.note.to_owned()];
        if grid.is_share && n < FEW && !grid.labels.is_empty() {
            notes.push(format!(
                "Of fewer than {FEW}, a share is hardly known at all."
            ));
        } else {
            notes.extend(grid.withhold(FEW));
        }
        let grid = grid.of_one_time();
        Ok(Self::new(
            title,
            stated,
            n_in_words,
            notes,
            source.in_words(shape.query()),
            grid,
        ))
    }

    /// Returns the chart of other SQL, by the types of its columns: one has names, or dates or
    /// years, and the others numbers of one unit. `columns` is the result of `DESCRIBE`, `rows`
    /// that of the SQL, as JSON; `source` is a sentence.
    ///
    /// # Errors
    ///
    /// If the columns have no shape, or more than one.
    pub fn of_sql(
        title: &str,
        settings: &[String],
        columns: &str,
        rows: &str,
        source: &str,
    ) -> Result<Self, NoChart> {
        let (columns, rows) = (ResultSet::from_json(columns)?, ResultSet::from_json(rows)?);
        let grid = infer::grid(&columns, rows.rows())?;
        let n = match rows.rows().len() {
            1 => "n = 1 row".to_owned(),
            n => format!("n = {} rows", crate::report::words::count(n as u64)),
        };
        Ok(Self::new(
            title,
            settings.to_vec(),
            n,
            Vec::new(),
            source.to_owned(),
            grid,
        ))
    }

    fn new(
        title: &str,
        mut stated: Vec<String>,
        n: String,
        mut notes: Vec<String>,
        source: String,
        mut grid: Grid,
    ) -> Self {
        notes.extend(grid.limit());
        notes.retain(|note| !note.is_empty());
        stated.push(n);
        Self {
            title: text::clean(title),
            n: stated.join("; "),
            notes,
            source,
            grid,
        }
    }

    /// Returns the chart as a stand-alone SVG file.
    pub fn svg(&self) -> String {
        let grid = &self.grid;
        let mut frame = Frame::new(&self.title, &self.n);
        match grid.kind {
            _ if grid.labels.is_empty() => frame.say("No rows."),
            Kind::Bars | Kind::Stacked => bars::draw(grid, &mut frame),
            Kind::Lines => lines::draw(grid, &mut frame),
            Kind::HeatMap => heatmap::draw(grid, &mut frame),
        }
        frame.finish(&self.notes, &self.source)
    }

    /// Returns the chart as a specification of Vega-Lite 5, with the rows in it, in JSON.
    pub fn vega_lite(&self) -> String {
        vega_lite::specification(self)
    }
}
