//! Charts of the rows of a query: SVG, as a file or in a page, or a specification for Vega-Lite.
//!
//! A query has a [`Shape`] in its header, which says what its rows look like; of other SQL it is
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
mod style;
mod svg;
mod text;
mod vega_lite;

use self::{
    frame::Frame,
    grid::Grid,
    shape::{Kind, N},
};
pub use self::{
    frame::WIDTH,
    infer::shape as inferred,
    shape::{Shape, Totals},
};
use super::result::{NoChart, ResultSet};

/// Hosts (or domains) that a share needs to be drawn. A share of fewer is hardly known at all: of
/// 15 in 29 the 95 % interval is from 34 % to 69 %. It is the size below which the National Center
/// for Health Statistics of the US publishes no proportion (Vital and Health Statistics 2(175),
/// 2017).
pub const MIN_HOSTS: u64 = 30;

/// A chart: its figures and what is written around them.
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    /// What the figures are of, with its number, and the settings.
    pub(crate) n: String,
    /// Sentences that the figures must not be read without.
    notes: Vec<String>,
    /// What the figures are of, where that is fewer than [`MIN_HOSTS`].
    pub(crate) few: Option<u64>,
    grid: Grid,
}

/// Returns what the figures of SQL are of, with its number, and their chart, an SVG element.
///
/// The chart is the one that the header of the SQL describes (`docs/sql.md`); without such a header
/// it is inferred from the names and types of the columns. `columns` are the rows of `DESCRIBE`,
/// `rows` those of the SQL, both as JSON arrays with an object for each row. Where the header says
/// that figures are of all hosts of a dataset, no number of them is stated: the SQL may have left
/// hosts out.
///
/// # Errors
///
/// If the header or the rows have another form, or the figures are of too few to be drawn.
pub fn draw(sql: &str, columns: &str, rows: &str) -> Result<(String, String), NoChart> {
    let rows = ResultSet::from_json(rows)?;
    let shape = match Shape::from_sql(sql)? {
        Some(shape) => shape.of_rows_alone(),
        None => inferred(&ResultSet::from_json(columns)?, rows.rows())?,
    };
    let chart = Chart::new(&shape, "Rows of SQL", &[], &rows, &Totals::default())?;
    if let Some(few) = chart.few {
        return Err(NoChart(format!(
            "expected figures of at least {MIN_HOSTS} to draw, but they are of {few}"
        )));
    }
    let element = chart.element();
    Ok((chart.n, element))
}

impl Chart {
    /// Returns the chart of a query: `title` is the query in words, `settings` are variables and
    /// their values, `rows` those of the query, `totals` those of the dataset.
    ///
    /// # Errors
    ///
    /// If the rows lack a column of the shape, or have two figures for one place.
    pub(crate) fn new(
        shape: &Shape,
        title: &str,
        settings: &[String],
        rows: &ResultSet,
        totals: &Totals,
    ) -> Result<Self, NoChart> {
        let mut grid = Grid::new(shape, rows.rows())?;
        let (mut n, number) = shape.n.in_words(rows, totals)?;
        let range = grid.range_of_n();
        match &shape.n {
            N::OfEach(what) if grid.kind == Kind::Lines => n = format!("n = {range} {what}"),
            // Below an axis of time labels have no n.
            _ if grid.has_time_axis && grid.kind == Kind::Lines && range != "0" => {
                n.push_str(&format!(", {range} at a time"));
            }
            _ => {}
        }
        let mut n = vec![n];
        for column in &shape.states {
            if let Some(row) = rows.rows().first() {
                // A list is wrapped at its commas.
                let value = text::clean(row.text(column)?).replace(',', ", ");
                n.push(format!("{column} = {value}"));
            }
        }
        for setting in settings {
            let name = setting.split(" = ").next().unwrap_or_default();
            if !shape.states.iter().any(|column| column == name) {
                n.push(setting.clone());
            }
        }
        let mut notes = vec![shape.note.clone()];
        let first = rows.rows().first();
        let hosts = shape.hosts.as_ref().zip(first);
        let hosts = hosts.map(|(column, row)| row.count(column)).transpose()?;
        let least = number.into_iter().chain(hosts).min();
        let few = least.filter(|&n| grid.is_share && n < MIN_HOSTS);
        if few.is_some() && !grid.labels.is_empty() {
            notes.push(format!(
                "Of fewer than {MIN_HOSTS}, a share is hardly known at all."
            ));
        } else {
            notes.extend(grid.withhold(MIN_HOSTS));
        }
        notes.extend(grid.limit());
        let has_intervals = grid.all_points().any(|point| point.interval.is_some());
        if has_intervals && grid.kind != Kind::HeatMap {
            notes.push(shape.intervals.clone());
        }
        notes.retain(|note| !note.is_empty());
        Ok(Self {
            title: text::clean(title),
            n: n.join("; "),
            notes,
            few,
            grid,
        })
    }

    /// Returns true if and only if it has no figures.
    pub fn is_empty(&self) -> bool {
        self.grid.labels.is_empty()
    }

    /// Returns the chart as a stand-alone SVG file of a width in pixels, of which 96 are an inch.
    pub fn svg(&self, source: &str, width: f64) -> String {
        let element = self.draw(Some(source), width);
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{element}")
    }

    /// Returns the chart as an element of a page that has the title, n and source.
    pub fn element(&self) -> String {
        self.draw(None, WIDTH)
    }

    fn draw(&self, source: Option<&str>, width: f64) -> String {
        let mut frame = Frame::new(&self.title, &self.n, source, width);
        match self.grid.kind {
            _ if self.is_empty() => frame.say("No rows."),
            Kind::Bars => bars::draw(&self.grid, &mut frame),
            Kind::Lines => lines::draw(&self.grid, &mut frame),
            Kind::HeatMap => heatmap::draw(&self.grid, &mut frame),
        }
        frame.finish(&self.notes)
    }
}
