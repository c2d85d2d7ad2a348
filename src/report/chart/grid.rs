//! The figures of a chart: a label for each row, a series for each measure, a point for each pair.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    MOST_COLUMNS, MOST_LABELS, NoChart,
    shape::{Figure, Kind, Measure, N, Piece, Series, Shape, Unit},
    source::Source,
    style::MOST_SERIES,
    text::clean,
};
use crate::report::{
    result::{MissingColumn, ResultRow, ResultSet},
    words,
};

/// The agent of the group of *.
const EVERYBODY: &str = "*";

/// The figures of a chart.
#[derive(Clone, Debug)]
pub struct Grid {
    /// How they are drawn.
    pub kind: Kind,
    /// What the labels are.
    pub label_title: String,
    /// Names of bars, points of a horizontal axis, or rows of a heat map.
    pub labels: Vec<Label>,
    /// Names of bars of a label, of their parts, of lines, or of columns of a heat map.
    pub series: Vec<String>,
    /// For each label, a point for each series.
    pub points: Vec<Vec<Option<Point>>>,
    /// Whether the figures are shares from 0 to 1.
    pub is_share: bool,
    /// What the figures are, with their unit.
    pub value_title: String,
}

/// A name of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The text, without characters that cannot be shown.
    pub text: String,
    /// What its figures are of.
    pub n: Option<u64>,
    /// Where it is on an axis of time, in years or days.
    pub at: Option<f64>,
    /// Whether its shares are of too few and are not drawn.
    pub is_few: bool,
}

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The figure.
    pub value: f64,
    /// The bounds of its interval.
    pub interval: Option<[f64; 2]>,
    /// The count that a share is of.
    pub count: Option<u64>,
    /// What it was divided by.
    whole: Option<u64>,
}

impl Label {
    /// Returns a name of which no n is known.
    pub fn new(text: String, at: Option<f64>) -> Self {
        Self {
            text,
            n: None,
            at,
            is_few: false,
        }
    }

    /// Returns the n as it is written behind the text.
    pub fn n_in_words(&self) -> String {
        self.n
            .map_or_else(String::new, |n| format!(" (n = {})", words::count(n)))
    }
}

impl Point {
    /// Returns a figure of which no count is known.
    pub fn new(value: f64, interval: Option<[f64; 2]>) -> Self {
        Self {
            value,
            interval,
            count: None,
            whole: None,
        }
    }
}

impl Grid {
    /// Returns the figures of the rows of a query.
    pub fn of_shape(shape: &Shape, rows: &[ResultRow]) -> Result<Self, NoChart> {
        let (is_share, value_title) = match shape.unit {
            Unit::ShareOf(whole) => (true, format!("share of {whole}, in percent")),
            Unit::Count(what) => (false, what.to_owned()),
        };
        let mut grid = Self {
            kind: shape.kind,
            label_title: shape.label_title.to_owned(),
            labels: Vec::new(),
            series: Vec::new(),
            points: Vec::new(),
            is_share,
            value_title,
        };
        let has_two_datasets = datasets(rows) > 1;
        let mut indexes = BTreeMap::new();
        for row in rows {
            let mut text = label(shape, row)?;
            if has_two_datasets {
                text = format!("{}: {text}", row.text("dataset")?);
            }
            let n = shape.n_of_row.map(|column| row.count(column)).transpose()?;
            let at = match shape.kind {
                Kind::Lines => text.parse().ok(),
                _ => None,
            };
            let label = Label {
                n,
                ..Label::new(text, at)
            };
            match shape.series {
                Series::Measures(measures) => {
                    grid.labels.push(label);
                    let points = measures.iter().map(|measure| point(measure, row));
                    grid.points.push(points.collect::<Result<_, _>>()?);
                }
                Series::Column(column, measure) => {
                    let index = *indexes.entry(label.text.clone()).or_insert_with(|| {
                        grid.labels.push(label);
                        grid.points.push(Vec::new());
                        grid.labels.len() - 1
                    });
                    let series = of_agent(&clean(row.text(column)?));
                    grid.put(index, &series, point(&measure, row)?);
                }
            }
        }
        if let Series::Measures(measures) = shape.series {
            grid.series = measures.iter().map(|m| m.label.to_owned()).collect();
        }
        grid.complete();
        if shape.kind == Kind::Stacked && matches!(shape.series, Series::Column(..)) {
            grid.add_up_counts();
        }
        grid.name_wholes();
        if shape.is_sorted {
            grid.sort_by(|_, points| points.first().copied().flatten().map(|point| point.value));
        } else if shape.kind == Kind::HeatMap && shape.n_of_row.is_some() {
            grid.sort_by(|label, _| label.n.map(|n| n as f64));
        }
        Ok(grid)
    }

    /// Gives each label the sum of the counts of its parts, which are all that it has.
    fn add_up_counts(&mut self) {
        for (label, points) in self.labels.iter_mut().zip(&self.points) {
            let counts = points.iter().flatten().map(|point| point.count);
            label.n = label.n.or_else(|| counts.sum());
        }
    }

    /// Gives each label the number that its shares were divided by, where it differs from label to
    /// label.
    fn name_wholes(&mut self) {
        let mut wholes = Vec::new();
        for points in &self.points {
            let mut of_label = points.iter().flatten().map(|point| point.whole);
            let first = of_label.next().flatten();
            wholes.push(first.filter(|_| of_label.all(|whole| whole == first)));
        }
        let is_one = wholes.iter().all(|whole| *whole == wholes[0]);
        if is_one || self.labels.iter().any(|label| label.n.is_some()) {
            return;
        }
        for (label, whole) in self.labels.iter_mut().zip(wholes) {
            label.n = whole;
        }
    }

    /// Removes shares of fewer than `least` and returns a sentence that names their labels, which
    /// stay.
    pub fn withhold(&mut self, least: u64) -> Option<String> {
        const MOST_NAMED: usize = 5;
        let mut named = Vec::new();
        if self.is_share {
            for (label, points) in self.labels.iter_mut().zip(&mut self.points) {
                let Some(n) = label.n.filter(|n| *n < least) else {
                    continue;
                };
                label.is_few = true;
                points.fill(None);
                named.push(format!("{} (n = {n})", label.text));
            }
        }
        let more = match named.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        named.truncate(MOST_NAMED);
        (!named.is_empty()).then(|| {
            format!(
                "A share of fewer than {least} is hardly known at all and is not drawn: {}{more}.",
                named.join(", ")
            )
        })
    }

    /// Puts a point where a label and a series of this name meet.
    pub fn put(&mut self, label: usize, series: &str, point: Option<Point>) {
        let known = self.series.iter().position(|name| name == series);
        let index = known.unwrap_or_else(|| {
            self.series.push(series.to_owned());
            self.series.len() - 1
        });
        let points = &mut self.points[label];
        if points.len() <= index {
            points.resize(index + 1, None);
        }
        points[index] = point;
    }

    /// Gives each label a point, or none, for each series.
    pub fn complete(&mut self) {
        for points in &mut self.points {
            points.resize(self.series.len(), None);
        }
    }

    /// Sorts labels by a figure, the greatest first.
    fn sort_by(&mut self, figure: impl Fn(&Label, &[Option<Point>]) -> Option<f64>) {
        let labels = std::mem::take(&mut self.labels);
        let points = std::mem::take(&mut self.points);
        let mut rows: Vec<_> = labels.into_iter().zip(points).collect();
        rows.sort_by(|one, other| {
            let [one, other] = [one, other].map(|(label, points)| figure(label, points));
            let [one, other] = [one, other].map(|figure| figure.unwrap_or(f64::MIN));
            other.total_cmp(&one)
        });
        (self.labels, self.points) = rows.into_iter().unzip();
    }

    /// Returns bars where there is one point of time, between which no line can be drawn.
    pub fn of_one_time(mut self) -> Self {
        if self.kind != Kind::Lines || self.labels.len() != 1 {
            return self;
        }
        self.kind = Kind::Bars;
        let only = self.labels.remove(0);
        self.label_title = format!("{}: {}", self.label_title, only.text);
        let points = self.points.remove(0);
        let series = std::mem::take(&mut self.series);
        let is_figure = |(_, point): &(String, Option<Point>)| point.is_some();
        for (text, point) in series.into_iter().zip(points).filter(is_figure) {
            self.labels.push(Label::new(text, None));
            self.points.push(vec![point]);
        }
        self.series = vec![String::new()];
        self.sort_by(|_, points| points[0].map(|point| point.value));
        self
    }

    /// Leaves out what a chart has no space for, and returns sentences on it.
    pub fn limit(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        let n_labels = self.labels.len();
        if self.kind != Kind::Lines && n_labels > MOST_LABELS {
            self.labels.truncate(MOST_LABELS);
            self.points.truncate(MOST_LABELS);
            notes.push(format!(
                "The first {MOST_LABELS} of {} rows are drawn; {} are left out.",
                words::count(n_labels as u64),
                words::count((n_labels - MOST_LABELS) as u64)
            ));
        }
        let (most, what) = match self.kind {
            Kind::HeatMap => (MOST_COLUMNS, "columns"),
            Kind::Lines => (MOST_SERIES, "lines"),
            Kind::Bars | Kind::Stacked => (MOST_SERIES, "bars of a row"),
        };
        let n_series = self.series.len();
        if n_series > most {
            let mut order: Vec<_> = (0..n_series).collect();
            if self.kind == Kind::Lines {
                let greatest = |series: usize| {
                    let points = self.points.iter().filter_map(|points| points[series]);
                    points.map(|point| point.value).fold(f64::MIN, f64::max)
                };
                order.sort_by(|&one, &other| greatest(other).total_cmp(&greatest(one)));
            }
            order.truncate(most);
            self.series = order.iter().map(|&at| self.series[at].clone()).collect();
            for points in &mut self.points {
                *points = order.iter().map(|&at| points[at]).collect();
            }
            let which = match self.kind {
                Kind::Lines => format!("The {most} {what} of the largest figures"),
                _ => format!("The first {most} {what}"),
            };
            notes.push(format!(
                "{which} are drawn; {} are left out.",
                words::count((n_series - most) as u64)
            ));
        }
        notes
    }

    /// Returns all figures.
    pub fn all_points(&self) -> impl Iterator<Item = Point> {
        self.points.iter().flatten().copied().flatten()
    }
}

/// Returns the number that the figures of a query are of, and the same in words.
pub fn n(
    shape: &Shape,
    rows: &ResultSet,
    of_sql: &ResultSet,
    source: &Source,
) -> Result<(u64, String), MissingColumn> {
    let in_crawl = &source.in_crawl;
    let asked = format!("hosts that were asked for a robots.txt{in_crawl}");
    let read = format!("hosts that have a robots.txt{in_crawl}");
    let (n, what) = match shape.n {
        N::HostsAsked => (source.hosts, asked.as_str()),
        N::HostsRead => (source.hosts_read, read.as_str()),
        N::DomainsAndHostsRead => {
            let n = source.domains_read;
            let text = format!(
                "n = {} registered domains and {} {read}",
                words::count(n),
                words::count(source.hosts_read)
            );
            return Ok((n, text));
        }
        N::First(column, what) => {
            let first = rows.rows().first().map(|row| row.count(column));
            (first.transpose()?.unwrap_or(0), what)
        }
        N::Sum(column, what) => {
            let mut sum = 0;
            for row in rows.rows() {
                sum += row.count(column)?;
            }
            (sum, what)
        }
        N::Sql(_, what) => {
            let first = of_sql.rows().first().map(|row| row.count("n"));
            (first.transpose()?.unwrap_or(0), what)
        }
    };
    Ok((n, format!("n = {} {what}", words::count(n))))
}

fn point(measure: &Measure, row: &ResultRow) -> Result<Option<Point>, MissingColumn> {
    let mut divisor = None;
    let value = match measure.value {
        Figure::Column(column) => row.number(column)?,
        Figure::Ratio(column, of) => {
            let mut whole = 0.0;
            for column in of {
                whole += row.number(column)?.unwrap_or(0.0);
            }
            divisor = Some(whole as u64);
            row.number(column)?
                .filter(|_| whole > 0.0)
                .map(|part| part / whole)
        }
    };
    let interval = match measure.interval {
        Some([low, high]) => row.number(low)?.zip(row.number(high)?),
        None => None,
    };
    let count = measure.count.map(|column| row.count(column)).transpose()?;
    Ok(value.filter(|value| value.is_finite()).map(|value| Point {
        value,
        interval: interval.map(<[f64; 2]>::from),
        count,
        whole: divisor,
    }))
}

fn label(shape: &Shape, row: &ResultRow) -> Result<String, MissingColumn> {
    let mut text = String::new();
    for piece in shape.label {
        let (before, shown) = match *piece {
            Piece::Column(before, column) => (before, shown(row.value(column)?)),
            Piece::Count(before, column) => {
                let n = (!row.is_null(column)?).then(|| row.count(column));
                let n = n.transpose()?.map(words::count);
                (before, n.map(|n| format!("{before}{n}")))
            }
            Piece::Bytes(before, column) => {
                let n = (!row.is_null(column)?).then(|| row.count(column));
                let n = n.transpose()?.map(words::bytes);
                (before, n.map(|n| format!("{before}{n}")))
            }
            Piece::IfFalse(column, shown) => {
                let is_false = row.value(column)? == &Value::Bool(false);
                ("", is_false.then(|| shown.to_owned()))
            }
            Piece::IfTrue(column, shown) => {
                let is_true = row.is_true(column)?;
                ("", is_true.then(|| shown.to_owned()))
            }
        };
        let Some(shown) = shown else { continue };
        if !text.is_empty() && matches!(piece, Piece::Column(..)) {
            text.push_str(before);
        }
        text.push_str(&shown);
    }
    Ok(match text.is_empty() {
        true => shape.null.to_owned(),
        false => text,
    })
}

/// Returns a value as text; NULL is `None`.
pub fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => Some("(empty)".to_owned()),
        Value::String(text) => Some(of_agent(&clean(text))),
        value => Some(clean(&value.to_string())),
    }
}

fn of_agent(name: &str) -> String {
    match name {
        EVERYBODY => "any other agent (*)".to_owned(),
        "" => "(none)".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns how many datasets the rows are of: two, where a query compares with an earlier one.
fn datasets(rows: &[ResultRow]) -> usize {
    let mut names: Vec<_> = rows
        .iter()
        .filter_map(|row| row.text("dataset").ok())
        .collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}
