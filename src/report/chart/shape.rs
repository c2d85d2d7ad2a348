//! What the chart of a query looks like, as the header of the query says it.
//!
//! A comment `-- Chart:` begins with the kind of the chart, words of the form `key=value` follow,
//! and lines that are indented continue it. `docs/sql.md` describes the keys.

use serde::Serialize;

use crate::{
    named::named,
    report::{
        result::{NoChart, ResultRow, ResultSet},
        words,
    },
};

/// The chart of a query.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub(super) kind: Kind,
    /// What names a row.
    pub(super) label: Vec<Piece>,
    /// What the labels are.
    pub(super) axis: String,
    /// The column of the time of a row, which has its place by it on an axis of time.
    pub(super) time: Option<String>,
    /// A column of one time, the same in each row, that is marked on that axis.
    pub(super) mark: Option<String>,
    /// The label of a row without one; rows without one are left out where it is empty.
    pub(super) null: String,
    /// The column whose values name bars, lines or columns; without one, the measures do.
    pub(super) series: Option<String>,
    pub(super) measures: Vec<Measure>,
    /// Whether figures are shares from 0 to 1, written in percent.
    pub(super) is_share: bool,
    /// What the shares are of, or what is counted.
    pub(super) unit: String,
    pub(super) n: N,
    /// The n of each row.
    pub(super) each: Each,
    /// The column of hosts that figures of something else are of: shares of few are not drawn.
    pub(super) hosts: Option<String>,
    /// Whether rows are ordered by the first measure, and not as the query orders them.
    pub(super) is_sorted: bool,
    /// Columns whose value, the same in each row, is stated below the title.
    pub(super) states: Vec<String>,
    /// A sentence below the chart.
    pub(super) note: String,
    /// A sentence on the lines over bars and points, where there are any.
    pub(super) intervals: String,
}

named! {
    /// The kinds of charts, by the names that a header has.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Kind {
        /// A bar for each measure of a row.
        #[default]
        Bars = "bars",
        /// A line for each measure, over years, days or crawls.
        Lines = "lines",
        /// A cell for each pair of names.
        HeatMap = "heatmap",
    }
}

/// A column in the label of a row, with the text before it.
#[derive(Clone, Debug)]
pub struct Piece {
    before: String,
    column: String,
    form: Form,
}

/// How a value is written in a label.
#[derive(Clone, Debug)]
enum Form {
    Text,
    /// With a comma between thousands.
    Count,
    Bytes,
    /// One text for true, another one for false.
    Choice([String; 2]),
}

/// A figure of a row.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    pub(super) label: String,
    /// The column of the figure, or of the count that is a part of `whole`.
    pub(super) column: String,
    /// Columns whose sum the count is divided by; none where the figure is computed.
    pub(super) whole: Vec<String>,
    /// The column of the count that a computed share is of.
    pub(super) count: Option<String>,
}

/// What all figures are of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum N {
    /// Domains and hosts that have a robots.txt.
    #[default]
    Read,
    /// Domains and hosts that were asked for one.
    Asked,
    /// The first value of a column, and what it counts.
    First(String, String),
    /// The sum of a column, and what it counts.
    Sum(String, String),
    /// What the n of each row counts.
    OfEach(String),
    /// The rows.
    Rows,
    /// What SQL counts that may have left hosts out.
    Unstated,
}

/// What the figures of a row are of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Each {
    /// The same as those of other rows, or the whole that its measures are a part of.
    #[default]
    Whole,
    /// The sum of its counts.
    Sum,
    /// A column.
    Column(String),
}

impl Shape {
    /// Returns the chart that the comment at the beginning of SQL describes, if it has one.
    ///
    /// # Errors
    ///
    /// If it has another form than `docs/sql.md` describes.
    pub fn from_sql(sql: &str) -> Result<Option<Self>, NoChart> {
        let mut text = String::new();
        let comment = sql.trim_start().lines();
        for line in comment.map_while(|line| line.strip_prefix("--")) {
            if let Some(rest) = line.strip_prefix(" Chart:") {
                text = format!("{rest} ");
            } else if !text.is_empty() {
                if !line.starts_with("  ") {
                    break;
                }
                text.push_str(line);
            }
        }
        if text.is_empty() {
            return Ok(None);
        }
        Self::parse(&text).map(Some)
    }

    /// Returns the chart of a query of a page, which has one.
    ///
    /// # Errors
    ///
    /// As [`Self::from_sql`].
    pub fn of_query(sql: &str) -> Result<Self, NoChart> {
        let absent = "expected a chart in the header of the query";
        Self::from_sql(sql)?.ok_or_else(|| NoChart(absent.to_owned()))
    }

    /// Returns the chart that a text behind `-- Chart:` describes.
    ///
    /// # Errors
    ///
    /// As [`Self::from_sql`].
    pub fn parse(text: &str) -> Result<Self, NoChart> {
        let words = split(text)?;
        let (first, words) = words.split_first().ok_or_else(|| refusal(text))?;
        let kind = Kind::from_name(first).ok_or_else(|| refusal(first))?;
        let mut shape = Self::new(kind);
        for word in words {
            if word == "sorted" {
                shape.is_sorted = true;
                continue;
            }
            let (key, value) = word.split_once('=').ok_or_else(|| refusal(word))?;
            shape.set(key, value).ok_or_else(|| refusal(word))?;
        }
        if shape.label.is_empty() || shape.measures.is_empty() {
            return Err(refusal(text));
        }
        Ok(shape)
    }

    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            null: "(none)".to_owned(),
            intervals: "Lines over bars and points are 95 % intervals.".to_owned(),
            ..Self::default()
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let text = value.to_owned();
        match key {
            "label" => {
                self.label = pieces(value)?;
                if self.axis.is_empty() {
                    self.axis = self.label[0].column.replace('_', " ");
                }
            }
            "axis" => self.axis = text,
            "time" => self.time = Some(text),
            "mark" => self.mark = Some(text),
            "null" => self.null = text,
            "series" => self.series = Some(text),
            "value" => self.measures.push(Measure::parse(value)?),
            "of" => (self.is_share, self.unit) = (true, text),
            "count" => self.unit = text,
            "n" => self.n = N::parse(value)?,
            "each" if value == "sum" => self.each = Each::Sum,
            "each" => self.each = Each::Column(text),
            "hosts" => self.hosts = Some(text),
            "states" => self.states.push(text),
            "note" => self.note = text,
            _ => return None,
        }
        Some(())
    }

    /// Returns the same chart of rows that may not be of all hosts of a dataset.
    pub(super) fn of_rows_alone(mut self) -> Self {
        if matches!(self.n, N::Read | N::Asked) {
            self.n = N::Unstated;
        }
        self
    }

    /// Returns what the chart consists of.
    pub fn kind_in_words(&self) -> &'static str {
        match self.kind {
            Kind::HeatMap => "heat map",
            kind => kind.as_str(),
        }
    }

    /// Returns the label of a row; empty where all of its columns are NULL.
    pub(super) fn label(&self, row: &ResultRow) -> Result<String, NoChart> {
        let mut label = String::new();
        for (index, piece) in self.label.iter().enumerate() {
            let Some(text) = piece.shown(row)? else {
                continue;
            };
            // What stands between two columns is written where both have a value.
            if index == 0 || !label.is_empty() {
                label.push_str(&piece.before);
            }
            label.push_str(&text);
        }
        Ok(label)
    }
}

impl Piece {
    pub(super) fn new(column: &str) -> Self {
        Self {
            before: String::new(),
            column: column.to_owned(),
            form: Form::Text,
        }
    }

    fn shown(&self, row: &ResultRow) -> Result<Option<String>, NoChart> {
        let value = row.value(&self.column)?;
        if value.is_null() {
            return Ok(None);
        }
        let text = match &self.form {
            Form::Text => super::text::shown(value),
            Form::Count => Some(words::count(row.count(&self.column)?)),
            Form::Bytes => Some(words::bytes(row.count(&self.column)?)),
            Form::Choice([yes, no]) => {
                let text = if row.is_true(&self.column)? { yes } else { no };
                Some(text.clone()).filter(|text| !text.is_empty())
            }
        };
        Ok(text)
    }
}

impl Measure {
    pub(super) fn new(label: &str, column: &str) -> Self {
        Self {
            label: label.to_owned(),
            column: column.to_owned(),
            ..Self::default()
        }
    }

    /// Parses `label: column (count)` or `label: count / whole + whole`, with or without the label.
    fn parse(text: &str) -> Option<Self> {
        let (label, figure) = text.rsplit_once(": ").unwrap_or(("", text));
        if let Some((count, whole)) = figure.split_once('/') {
            let whole = whole.split('+').map(|part| part.trim().to_owned());
            return Some(Self {
                whole: whole.collect(),
                count: Some(count.trim().to_owned()),
                ..Self::new(label, count.trim())
            });
        }
        let Some((column, count)) = figure.split_once(" (") else {
            return Some(Self::new(label, figure));
        };
        Some(Self {
            count: Some(count.strip_suffix(')')?.to_owned()),
            ..Self::new(label, column)
        })
    }
}

impl N {
    /// Parses `read`, `asked`, `rows`, `each: what`, `column: what` or `sum of column: what`.
    fn parse(text: &str) -> Option<Self> {
        let Some((column, what)) = text.split_once(": ") else {
            return match text {
                "read" => Some(Self::Read),
                "asked" => Some(Self::Asked),
                "rows" => Some(Self::Rows),
                _ => None,
            };
        };
        Some(match column.strip_prefix("sum of ") {
            Some(column) => Self::Sum(column.to_owned(), what.to_owned()),
            None if column == "each" => Self::OfEach(what.to_owned()),
            None => Self::First(column.to_owned(), what.to_owned()),
        })
    }

    /// Returns the number in words, and how many it is where that is one number; `totals` are those
    /// of the dataset.
    pub(super) fn in_words(
        &self,
        rows: &ResultSet,
        totals: &Totals,
    ) -> Result<(String, Option<u64>), NoChart> {
        let (n, what) = match self {
            Self::Read | Self::Asked => {
                let (domains, hosts, what) = if *self == Self::Read {
                    (totals.domains_read, totals.hosts_read, "have a robots.txt")
                } else {
                    (totals.domains, totals.hosts, "were asked for a robots.txt")
                };
                let (of_domains, of_hosts) = (words::count(domains), words::count(hosts));
                let text =
                    format!("n = {of_domains} registered domains and {of_hosts} hosts that {what}");
                return Ok((text, Some(domains)));
            }
            Self::OfEach(what) => return Ok((format!("n = {what}, with each name"), None)),
            Self::Rows => {
                let n = rows.rows().len();
                let what = if n == 1 { "row" } else { "rows" };
                return Ok((format!("n = {} {what}", words::count(n as u64)), None));
            }
            Self::Unstated => return Ok(("n as the SQL counts it".to_owned(), None)),
            Self::First(column, what) => {
                let first = rows.rows().first().map(|row| row.count(column));
                (first.transpose()?.unwrap_or(0), what)
            }
            Self::Sum(column, what) => {
                let counts = rows.rows().iter().map(|row| row.count(column));
                (counts.sum::<Result<_, _>>()?, what)
            }
        };
        Ok((format!("n = {} {what}", words::count(n)), Some(n)))
    }
}

/// Counts of a dataset.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Totals {
    /// Registered domains.
    pub domains: u64,
    /// Registered domains that have a robots.txt, redirects followed.
    pub domains_read: u64,
    /// Host names.
    pub hosts: u64,
    /// Host names that have a robots.txt, redirects followed.
    pub hosts_read: u64,
}

/// Splits a text at blanks, but not at those between double quotes, which are left out.
fn split(text: &str) -> Result<Vec<String>, NoChart> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut is_quoted = false;
    for c in text.chars() {
        if c == '"' {
            is_quoted = !is_quoted;
        } else if c.is_whitespace() && !is_quoted {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        } else if !(c.is_whitespace() && word.ends_with(' ')) {
            // A text over two lines has one blank between them.
            word.push(c);
        }
    }
    if is_quoted {
        return Err(refusal(&word));
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    Ok(words)
}

/// Returns the columns of a label, such as `{written} -> {meant}{has_colon?: (no colon)}`.
fn pieces(text: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (before, behind) = rest.split_once('{')?;
        let (name, behind) = behind.split_once('}')?;
        let (column, form) = if let Some((column, choice)) = name.split_once('?') {
            let (yes, no) = choice.split_once(':')?;
            (column, Form::Choice([yes.to_owned(), no.to_owned()]))
        } else if let Some((column, form)) = name.split_once(':') {
            match form {
                "count" => (column, Form::Count),
                "bytes" => (column, Form::Bytes),
                _ => return None,
            }
        } else {
            (name, Form::Text)
        };
        pieces.push(Piece {
            before: before.to_owned(),
            column: column.to_owned(),
            form,
        });
        rest = behind;
    }
    (!pieces.is_empty()).then_some(pieces)
}

fn refusal(word: &str) -> NoChart {
    NoChart(format!(
        "-- Chart: expected bars, lines or heatmap, a label, a value and other words such as of=hosts, but found {:?}",
        word.trim()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Shape {
        Shape::parse(text).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_header_is_read_up_to_its_next_line() {
        let sql = "-- Which?\n--\n-- Chart:   bars label={a} of=\"those  that\n--          ask\" value=\"b: c (d)\"\n-- Tables:  x\nSELECT 1";
        let shape = Shape::from_sql(sql).unwrap().expect("a chart");
        assert_eq!((&*shape.unit, shape.is_share), ("those that ask", true));
        assert_eq!(shape.measures[0].count.as_deref(), Some("d"));
        assert!(Shape::from_sql("-- Chart\nSELECT 1").unwrap().is_none());
        assert!(
            Shape::from_sql("SELECT 1 -- Chart: bars")
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn what_is_no_chart_is_refused_with_the_word() {
        for (text, word) in [
            ("pie label={a} value=b", "pie"),
            ("bars label={a}", "bars label={a}"),
            ("bars value=b", "bars value=b"),
            ("bars label={a value=b", "label={a"),
            ("bars label={a:hex} value=b", "label={a:hex}"),
            ("bars label={a} value=b color=red", "color=red"),
            ("bars label={a} value=b n=many", "n=many"),
            ("bars label=\"{a} value=b", "label={a} value=b"),
        ] {
            let error = Shape::parse(text).expect_err(text).to_string();
            assert!(error.ends_with(&format!("found {word:?}")), "{error}");
        }
    }

    #[test]
    fn a_label_has_what_is_known() {
        let shape = parse("bars label=\"up to {n:count}, {size:bytes}{ok?: (not ok)}\" value=n");
        let label = |row: &str| {
            let rows = ResultSet::from_json(&format!("[{row}]")).expect("a row");
            shape.label(&rows.rows()[0]).expect("all columns")
        };
        assert_eq!(
            label(r#"{"n":1000,"size":2048,"ok":true}"#),
            "up to 1,000, 2 KiB"
        );
        assert_eq!(label(r#"{"n":null,"size":2048,"ok":true}"#), "2 KiB");
        assert_eq!(
            label(r#"{"n":1,"size":null,"ok":false}"#),
            "up to 1 (not ok)"
        );
        assert_eq!(label(r#"{"n":null,"size":null,"ok":null}"#), "");
    }

    #[test]
    fn figures_are_columns_or_parts_of_a_sum() {
        let shape =
            parse("lines label={a} value=\"named: b / c + d\" value=share_x n=\"sum of d: files\"");
        let [part, column] = &shape.measures[..] else {
            panic!("{shape:?}");
        };
        assert_eq!((&*part.label, &*part.column), ("named", "b"));
        assert_eq!(part.whole, ["c", "d"]);
        assert_eq!((&*column.label, &*column.column), ("", "share_x"));
        let rows = ResultSet::from_json(r#"[{"d":2},{"d":1500}]"#).expect("rows");
        let n = shape.n.in_words(&rows, &Totals::default());
        assert_eq!(
            n.expect("a number"),
            ("n = 1,502 files".to_owned(), Some(1502))
        );
    }
}
