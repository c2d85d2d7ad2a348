//! The figures of a chart: a label for each row, a series for each measure, a point for each pair.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::{
    scale::Scale,
    shape::{Each, Kind, Measure, Shape},
    style::MOST_SERIES,
    text::{clean, shown},
};
use crate::report::{
    result::{NoChart, ResultRow},
    words,
};

/// Names of rows that a chart has: bars, or rows of a heat map.
const MOST_LABELS: usize = 30;
/// Columns of a heat map.
const MOST_COLUMNS: usize = 30;
/// The characters of a date.
const DATE: usize = "0000-00-00".len();

/// The figures of a chart.
#[derive(Clone, Debug)]
pub struct Grid {
    /// How they are drawn.
    pub kind: Kind,
    /// What the labels are.
    pub axis: String,
    /// Names of bars, points of a horizontal axis, or rows of a heat map.
    pub labels: Vec<Label>,
    /// Whether the labels have their places by times of their own.
    pub has_time_axis: bool,
    /// A time that is marked on it, with what it is.
    pub mark: Option<(f64, String)>,
    /// Names of bars of a label, of lines, or of columns of a heat map.
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
    /// The bounds of its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// The count that a share is of.
    pub count: Option<u64>,
    /// The n of its row, where rows have one.
    pub n: Option<u64>,
}

impl Label {
    /// Returns the text with its n.
    pub fn with_n(&self) -> String {
        self.text.clone() + &self.n_in_words()
    }

    /// Returns the n as it is written behind the text.
    pub fn n_in_words(&self) -> String {
        self.n
            .map_or_else(String::new, |n| format!(" (n = {})", words::count(n)))
    }
}

impl Point {
    /// Returns the figures between which the point and its interval are.
    pub fn ends(&self) -> [f64; 2] {
        // The bounds may be those of any SQL.
        let ends = self.interval.into_iter().flatten();
        ends.fold([self.value; 2], |[low, high], end| {
            [low.min(end), high.max(end)]
        })
    }
}

impl Grid {
    /// Returns the figures of the rows of a query.
    pub fn new(shape: &Shape, rows: &[ResultRow]) -> Result<Self, NoChart> {
        let value_title = match (shape.is_share, shape.unit.as_str()) {
            (true, "") => "share, in percent".to_owned(),
            (true, unit) => format!("share of {unit}, in percent"),
            (false, unit) => unit.to_owned(),
        };
        let mut grid = Self {
            kind: shape.kind,
            axis: clean(&shape.axis),
            labels: Vec::new(),
            has_time_axis: false,
            mark: None,
            series: Vec::new(),
            points: Vec::new(),
            is_share: shape.is_share,
            value_title: clean(&value_title),
        };
        // Several rows have one label where a column names the series.
        let is_joined = shape.series.is_some() || shape.kind == Kind::Lines;
        let has_two_datasets = has_two_datasets(rows);
        let mut indexes = BTreeMap::new();
        for row in rows {
            let mut text = shape.label(row)?;
            if text.is_empty() && shape.null.is_empty() {
                continue;
            }
            if text.is_empty() {
                text.clone_from(&shape.null);
            }
            if has_two_datasets {
                text = format!("{}: {text}", row.text("dataset")?);
            }
            let known = indexes.get(&text).copied().filter(|_| is_joined);
            let index = known.unwrap_or(grid.labels.len());
            if known.is_none() {
                indexes.insert(text.clone(), index);
                grid.labels.push(new_label(shape, text, row)?);
                grid.points.push(Vec::new());
            }
            for measure in &shape.measures {
                let series = match &shape.series {
                    Some(column) => {
                        shown(row.value(column)?).unwrap_or_else(|| "(none)".to_owned())
                    }
                    None => clean(&measure.label),
                };
                grid.put(index, series, point(shape, measure, row)?)?;
            }
        }
        if shape.series.is_none() {
            grid.series = shape.measures.iter().map(|m| clean(&m.label)).collect();
        }
        for points in &mut grid.points {
            points.resize(grid.series.len(), None);
        }
        if shape.each == Each::Sum {
            for (label, points) in grid.labels.iter_mut().zip(&grid.points) {
                label.n = points.iter().flatten().map(|point| point.count).sum();
            }
        }
        if shape.kind == Kind::Lines && grid.labels.len() == 1 {
            // Between one point of time and none no line can be drawn.
            grid.kind = Kind::Bars;
        }
        let mut times: Vec<_> = grid.labels.iter().filter_map(|label| label.at).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        grid.has_time_axis = shape.time.is_some() && times.len() == grid.labels.len();
        if shape.time.is_some() && !grid.has_time_axis {
            grid.labels.iter_mut().for_each(|label| label.at = None);
        }
        if let (true, Some(column), Some(row)) = (grid.has_time_axis, &shape.mark, rows.first())
            && let Some(text) = shown(row.value(column)?)
            && let Some(at) = time(&text)
        {
            let day = text.get(..DATE).unwrap_or(&text);
            grid.mark = Some((at, format!("{} {day}", column.replace('_', " "))));
        }
        if shape.is_sorted {
            grid.sort_by(|_, points| points.first().copied().flatten().map(|point| point.value));
        } else if shape.kind == Kind::HeatMap {
            grid.sort_by(|label, _| label.n.map(|n| n as f64));
        }
        Ok(grid)
    }

    /// Puts a point where a label and a series meet.
    fn put(&mut self, label: usize, series: String, point: Option<Point>) -> Result<(), NoChart> {
        let known = self.series.iter().position(|name| *name == series);
        let index = known.unwrap_or_else(|| {
            self.series.push(series);
            self.series.len() - 1
        });
        let points = &mut self.points[label];
        if points.len() <= index {
            points.resize(index + 1, None);
        }
        if points[index].is_some() {
            return Err(NoChart(format!(
                "expected one row for each figure, but found two for {} {}",
                self.axis, self.labels[label].text
            )));
        }
        points[index] = point;
        Ok(())
    }

    /// Removes shares of fewer than `least`, whose labels stay, and returns a sentence on them.
    pub fn withhold(&mut self, least: u64) -> Option<String> {
        let is_few = |n: Option<u64>| self.is_share && n.is_some_and(|n| n < least);
        let mut n_few = 0;
        for (label, points) in self.labels.iter_mut().zip(&mut self.points) {
            let has_few =
                |point: &Option<Point>| point.is_some_and(|point| is_few(point.n.or(label.n)));
            let all = points.len();
            let few = points.iter_mut().filter(|point| has_few(point));
            let n_removed = few.map(|point| *point = None).count();
            label.is_few = n_removed == all || is_few(label.n);
            n_few += usize::from(n_removed > 0);
        }
        (n_few > 0).then(|| {
            format!("A share of fewer than {least} is hardly known at all and is not drawn: {n_few} of {}.", self.labels.len())
        })
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

    /// Leaves out what a chart has no space for, and returns sentences on it.
    pub fn limit(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        let n_labels = self.labels.len();
        if self.kind != Kind::Lines && n_labels > MOST_LABELS {
            self.labels.truncate(MOST_LABELS);
            self.points.truncate(MOST_LABELS);
            notes.push(format!(
                "The first {MOST_LABELS} of {} rows are drawn.",
                words::count(n_labels as u64)
            ));
        }
        let (most, which) = match self.kind {
            Kind::HeatMap => (MOST_COLUMNS, "The columns of the first rows"),
            Kind::Lines => (MOST_SERIES, "The lines of the largest figures"),
            Kind::Bars => (MOST_SERIES, "The bars of the largest figures"),
        };
        let n_series = self.series.len();
        let mut order: Vec<_> = (0..n_series).collect();
        if self.kind == Kind::HeatMap {
            // Columns have the order of the rows of the same name.
            order.sort_by_key(|&series| {
                let name = &self.series[series];
                let row = self.labels.iter().position(|label| label.text == *name);
                row.unwrap_or(usize::MAX)
            });
        } else if n_series > most {
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
        if n_series > most {
            notes.push(format!(
                "{which} are drawn: {most} of {}.",
                words::count(n_series as u64)
            ));
        }
        notes
    }

    /// Returns the least and the greatest n of figures in words.
    pub fn range_of_n(&self) -> String {
        let n = || self.all_points().filter_map(|point| point.n);
        let [least, most] = [n().min(), n().max()].map(Option::unwrap_or_default);
        if least == most {
            return words::count(least);
        }
        format!("{} to {}", words::count(least), words::count(most))
    }

    /// Returns the scale that has all figures and their intervals.
    pub fn scale(&self) -> Scale {
        let ends = self.all_points().flat_map(|point| point.ends());
        Scale::new(ends, self.is_share)
    }

    /// Returns all figures.
    pub fn all_points(&self) -> impl Iterator<Item = Point> {
        self.points.iter().flatten().copied().flatten()
    }
}

fn new_label(shape: &Shape, text: String, row: &ResultRow) -> Result<Label, NoChart> {
    let n = match &shape.each {
        Each::Column(_) => n_of_row(shape, row)?,
        // Rows of a heat map are parts of wholes of their own.
        Each::Whole if shape.series.is_some() => {
            let whole = whole(&shape.measures[0], row)?;
            Some(whole as u64).filter(|_| whole > 0.0)
        }
        Each::Whole | Each::Sum => None,
    };
    let at = match (shape.kind, &shape.time) {
        (Kind::Lines, Some(column)) => shown(row.value(column)?).and_then(|text| time(&text)),
        (Kind::Lines, None) => time(&text),
        (Kind::Bars | Kind::HeatMap, _) => None,
    };
    let mut label = Label {
        text,
        n,
        at,
        is_few: false,
    };
    // The time of day is written where it is not the beginning of the day.
    if let (Some(_), Some((day, rest))) = (at, label.text.split_once(' '))
        && rest.starts_with("00:00:00")
    {
        label.text = day.to_owned();
    }
    Ok(label)
}

fn point(shape: &Shape, measure: &Measure, row: &ResultRow) -> Result<Option<Point>, NoChart> {
    let whole = whole(measure, row)?;
    let number = row.number(&measure.column)?;
    let (value, interval) = match measure.whole.first() {
        None => {
            let column = |end: &str| format!("{}_{end}", measure.column);
            let bound = |end| row.number(&column(end)).ok().flatten();
            (
                number,
                bound("low").zip(bound("high")).map(<[f64; 2]>::from),
            )
        }
        // Domains are independent, as an interval needs it; hosts of one owner are not.
        Some(column) => {
            let number = number.filter(|_| whole > 0.0);
            let of_domains = number.filter(|_| column.starts_with("domains"));
            (
                number.map(|number| number / whole),
                of_domains.map(|number| wilson(number, whole)),
            )
        }
    };
    let count = measure.count.as_ref().map(|column| row.count(column));
    let count = count.transpose()?;
    let n = n_of_row(shape, row)?;
    Ok(value.filter(|value| value.is_finite()).map(|value| Point {
        value,
        interval,
        count,
        n,
    }))
}

fn n_of_row(shape: &Shape, row: &ResultRow) -> Result<Option<u64>, NoChart> {
    match &shape.each {
        Each::Column(column) => row.count(column).map(Some),
        Each::Whole | Each::Sum => Ok(None),
    }
}

/// Returns what a figure is a part of; 0 where it is computed by the query.
fn whole(measure: &Measure, row: &ResultRow) -> Result<f64, NoChart> {
    let mut whole = 0.0;
    for column in &measure.whole {
        whole += row.number(column)?.unwrap_or(0.0);
    }
    Ok(whole)
}

/// Returns the 95 % interval of a share by Wilson, as `wilson_low` and `wilson_high` of
/// `queries/views.sql` compute it.
fn wilson(n: f64, whole: f64) -> [f64; 2] {
    const Z: f64 = 1.959_963_984_540_054;
    let share = n / whole;
    let middle = share + Z * Z / (2.0 * whole);
    let half = Z * (share * (1.0 - share) / whole + (Z / (2.0 * whole)).powi(2)).sqrt();
    let bounds = [middle - half, middle + half];
    bounds.map(|bound| (bound / (1.0 + Z * Z / whole)).clamp(0.0, 1.0))
}

/// Returns true if and only if rows are of two datasets, where a query compares with an earlier
/// one.
fn has_two_datasets(rows: &[ResultRow]) -> bool {
    let mut names = rows.iter().filter_map(|row| row.text("dataset").ok());
    let first = names.next();
    names.any(|name| Some(name) != first)
}

/// Returns a year, or a date as days from 1970 on.
fn time(text: &str) -> Option<f64> {
    if let Ok(year) = text.parse() {
        return Some(year);
    }
    let (day, rest) = text.split_at_checked(DATE)?;
    let mut seconds = 0.0;
    for part in rest.trim_start().get(..8).unwrap_or_default().split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().unwrap_or(0.0);
    }
    let days = day.parse::<Date>().ok()? - Date::constant(1970, 1, 1);
    Some(f64::from(days.get_days()) + seconds / 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::result::ResultSet;

    fn grid(shape: &str, rows: &str) -> Grid {
        let shape = Shape::parse(shape).unwrap_or_else(|e| panic!("{e}"));
        let rows = ResultSet::from_json(rows).expect("rows");
        Grid::new(&shape, rows.rows()).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn times_of_the_epoch_and_of_a_day_are_known() {
        assert_eq!(time("1970-01-01"), Some(0.0));
        assert_eq!(time("2000-02-29"), Some(11_016.0));
        assert_eq!(time("1969-12-31 12:00:00+00"), Some(-0.5));
        assert_eq!(time("2024"), Some(2024.0));
        assert_eq!(time("soon"), None);
    }

    #[test]
    fn shares_of_domains_have_an_interval_and_those_of_hosts_have_none() {
        let grid = grid(
            "bars label={a} of=x value=\"d: domains_in/domains\" value=\"h: hosts_in/hosts\" value=share_s",
            r#"[{"a":"x","domains_in":10,"domains":40,"hosts_in":1,"hosts":4,"share_s":0.5,"share_s_low":0.4,"share_s_high":0.6}]"#,
        );
        let [domains, hosts, columns] = grid.points[0][..] else {
            panic!("{grid:?}");
        };
        let [low, high] = domains
            .and_then(|point| point.interval)
            .expect("an interval");
        assert!((low - 0.1419).abs() < 0.0001 && (high - 0.4019).abs() < 0.0001);
        assert_eq!(hosts.and_then(|point| point.interval), None);
        let interval = columns.and_then(|point| point.interval);
        assert_eq!(interval, Some([0.4, 0.6]));
        assert_eq!(wilson(0.0, 10.0)[0], 0.0);
        assert!(wilson(10.0, 10.0)[1] > 0.9999);
    }

    #[test]
    fn a_row_has_the_n_of_its_column_of_its_counts_or_of_its_whole() {
        let rows = r#"[{"a":"x","b":"1","k":10,"n":50},{"a":"x","b":"2","k":20,"n":50},{"a":"y","b":"1","k":5,"n":60}]"#;
        let n = |shape: &str| {
            let grid = grid(shape, rows);
            grid.labels.iter().map(|label| label.n).collect::<Vec<_>>()
        };
        let shape = "heatmap label={a} series=b of=x";
        assert_eq!(
            n(&format!("{shape} value=\"k/n\" each=n")),
            [Some(60), Some(50)]
        );
        assert_eq!(n(&format!("{shape} value=\"k/n\"")), [Some(60), Some(50)]);
        let bars = "bars label={a} series=b of=x value=\"k (k)\" each=sum";
        assert_eq!(n(bars), [Some(30), Some(5)]);
        let mut few = grid(bars, rows);
        let note = few.withhold(30).expect("a note");
        assert!(note.ends_with("is not drawn: 1 of 2."), "{note}");
        assert_eq!(few.points[1], [None, None]);
    }
}
