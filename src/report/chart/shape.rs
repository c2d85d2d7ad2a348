//! What the chart of a query looks like: which column names, which is counted, of how many.

/// The chart of a query.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name of the query.
    pub(super) query: &'static str,
    pub(super) kind: Kind,
    /// What names a row.
    pub(super) label: &'static [Piece],
    /// What the labels are.
    pub(super) label_title: &'static str,
    /// The label of a row without one.
    pub(super) null: &'static str,
    pub(super) series: Series,
    pub(super) unit: Unit,
    pub(super) n: N,
    /// The column with the n of each row.
    pub(super) n_of_row: Option<&'static str>,
    /// Whether rows are ordered by the first measure, and not as the query orders them.
    pub(super) is_sorted: bool,
    /// Columns whose value, the same in each row, is stated below the title.
    pub(super) stated: &'static [&'static str],
    /// A sentence below the chart.
    pub(super) note: &'static str,
}

/// The kinds of charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A bar for each measure of a row.
    Bars,
    /// A bar for each row, with a part for each measure.
    Stacked,
    /// A line for each measure, over years, days or crawls.
    Lines,
    /// A cell for each pair of names.
    HeatMap,
}

/// A piece of the label of a row.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// A column, after a text that is left out where nothing precedes it; NULL is left out.
    Column(&'static str, &'static str),
    /// A count with commas, after a text.
    Count(&'static str, &'static str),
    /// A number of bytes, after a text.
    Bytes(&'static str, &'static str),
    /// A text where a column is false.
    IfFalse(&'static str, &'static str),
    /// A text where a column is true.
    IfTrue(&'static str, &'static str),
}

/// What the bars of a row, or the lines of a chart, are.
#[derive(Clone, Copy, Debug)]
pub enum Series {
    /// Columns.
    Measures(&'static [Measure]),
    /// The values of a column, with one measure.
    Column(&'static str, Measure),
}

/// A figure of a row.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    pub(super) label: &'static str,
    pub(super) value: Figure,
    /// The column of the count that a share is of.
    pub(super) count: Option<&'static str>,
    /// The columns of the bounds of an interval.
    pub(super) interval: Option<[&'static str; 2]>,
}

/// How a figure is computed.
#[derive(Clone, Copy, Debug)]
pub enum Figure {
    /// A column.
    Column(&'static str),
    /// A column, divided by the sum of others.
    Ratio(&'static str, &'static [&'static str]),
}

/// The unit of the figures.
#[derive(Clone, Copy, Debug)]
pub enum Unit {
    /// Shares from 0 to 1 of something, written in percent.
    ShareOf(&'static str),
    /// Counts of something.
    Count(&'static str),
}

/// What the figures are of.
#[derive(Clone, Copy, Debug)]
pub enum N {
    /// Hosts asked for a robots.txt.
    HostsAsked,
    /// Hosts that have a robots.txt.
    HostsRead,
    /// Registered domains and hosts that have a robots.txt.
    DomainsAndHostsRead,
    /// The first value of a column, and what it counts.
    First(&'static str, &'static str),
    /// The sum of a column, and what it counts.
    Sum(&'static str, &'static str),
    /// The `n` of the one row of SQL over the views, and what it counts.
    Sql(&'static str, &'static str),
}

impl Shape {
    pub(super) const fn new(
        query: &'static str,
        kind: Kind,
        label_title: &'static str,
        label: &'static [Piece],
        series: Series,
        unit: Unit,
        n: N,
    ) -> Self {
        Self {
            query,
            kind,
            label,
            label_title,
            null: "(none)",
            series,
            unit,
            n,
            n_of_row: None,
            is_sorted: false,
            stated: &[],
            note: "",
        }
    }

    pub(super) const fn null(self, null: &'static str) -> Self {
        Self { null, ..self }
    }

    pub(super) const fn n_of_row(self, column: &'static str) -> Self {
        Self {
            n_of_row: Some(column),
            ..self
        }
    }

    pub(super) const fn sorted(self) -> Self {
        Self {
            is_sorted: true,
            ..self
        }
    }

    pub(super) const fn stating(self, stated: &'static [&'static str]) -> Self {
        Self { stated, ..self }
    }

    pub(super) const fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// Returns the name of the query.
    pub fn query(&self) -> &'static str {
        self.query
    }

    /// Returns what the chart consists of.
    pub fn kind_in_words(&self) -> &'static str {
        match self.kind {
            Kind::Bars => "bars",
            Kind::Stacked => "stacked bars",
            Kind::Lines => "lines",
            Kind::HeatMap => "heat map",
        }
    }

    /// Returns SQL over the views, without an end, whose column `n` the chart needs beside the rows
    /// of the query.
    pub fn sql_of_n(&self) -> Option<&'static str> {
        match self.n {
            N::Sql(sql, _) => Some(sql),
            _ => None,
        }
    }
}

impl Measure {
    pub(super) const fn new(label: &'static str, column: &'static str) -> Self {
        Self {
            label,
            value: Figure::Column(column),
            count: None,
            interval: None,
        }
    }

    /// Returns a share: a column of it, and that of its count.
    pub(super) const fn share(
        label: &'static str,
        column: &'static str,
        count: &'static str,
    ) -> Self {
        Self {
            count: Some(count),
            ..Self::new(label, column)
        }
    }

    /// Returns a share: a count, and the columns whose sum it is a part of.
    pub(super) const fn part(
        label: &'static str,
        count: &'static str,
        of: &'static [&'static str],
    ) -> Self {
        Self {
            label,
            value: Figure::Ratio(count, of),
            count: Some(count),
            interval: None,
        }
    }

    pub(super) const fn within(self, low: &'static str, high: &'static str) -> Self {
        Self {
            interval: Some([low, high]),
            ..self
        }
    }
}
