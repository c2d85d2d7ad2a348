//! The shape of rows of any SQL, by the names and types of its columns.
//!
//! One column has names (text), or points of time (dates, times, or whole numbers in a column
//! `year`); the others are numbers of one unit. Names give bars, times give lines. With times, a
//! column of names and one of numbers there is a line for each name. Numbers are shares where each
//! column is called `share` or `share_..` and has values from 0 to 1. Columns `X_low` and `X_high`
//! are the interval of X.

use std::collections::BTreeMap;

use super::{
    NoChart,
    grid::{Grid, Label, Point, shown},
    shape::Kind,
    style::MOST_SERIES,
    text::clean,
};
use crate::report::result::{ResultRow, ResultSet};

/// What a column is to a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Name,
    Time,
    Number,
    Other,
}

struct Column {
    name: String,
    sql_type: String,
    role: Role,
}

/// Columns that a message lists.
const MOST_LISTED: usize = 8;
/// The characters of a date.
const DATE: usize = "0000-00-00".len();

/// Returns the figures of rows; `columns` has the names and types of theirs.
pub fn grid(columns: &ResultSet, rows: &[ResultRow]) -> Result<Grid, NoChart> {
    let mut all = Vec::new();
    for row in columns.rows() {
        let (name, sql_type) = (row.text("column_name")?, row.text("column_type")?);
        all.push(Column {
            name: name.to_owned(),
            sql_type: sql_type.to_owned(),
            role: role(name, sql_type),
        });
    }
    let of_role = |role| all.iter().filter(move |column| column.role == role);
    let (names, times): (Vec<_>, Vec<_>) =
        (of_role(Role::Name).collect(), of_role(Role::Time).collect());
    let numbers: Vec<_> = of_role(Role::Number).collect();
    let measures: Vec<_> = numbers
        .iter()
        .filter(|column| !is_bound(column, &numbers))
        .map(|column| column.name.as_str())
        .collect();
    let has_shape = matches!(
        (times.len(), names.len(), measures.len()),
        (0, 1, 1..=MOST_SERIES) | (1, 0, 1..=MOST_SERIES) | (1, 1, 1)
    );
    if !has_shape || of_role(Role::Other).next().is_some() {
        return Err(NoChart(format!(
            "expected rows with one column of names, dates or years, and up to {MOST_SERIES} of numbers, to draw; found {}",
            listed(&all)
        )));
    }
    let is_share = is_share(&measures, rows)?;
    let (kind, label) = match times.first() {
        Some(time) => (Kind::Lines, *time),
        None => (Kind::Bars, names[0]),
    };
    let series = names.first().filter(|_| kind == Kind::Lines);
    let mut grid = Grid {
        kind,
        label_title: clean(&label.name),
        labels: Vec::new(),
        series: Vec::new(),
        points: Vec::new(),
        is_share,
        value_title: match (measures.as_slice(), is_share) {
            ([one], true) => format!("{}, in percent", clean(one)),
            ([one], false) => clean(one),
            (_, true) => "share, in percent".to_owned(),
            (_, false) => String::new(),
        },
    };
    let mut indexes = BTreeMap::new();
    for row in rows {
        let text = shown(row.value(&label.name)?);
        let point = |name: &str| point(name, &numbers, row);
        if kind == Kind::Bars {
            let text = text.unwrap_or_else(|| "(none)".to_owned());
            grid.labels.push(Label::new(text, None));
            let points = measures.iter().map(|name| point(name));
            grid.points.push(points.collect::<Result<_, _>>()?);
            continue;
        }
        // What has no time is on no axis of time.
        let Some(text) = text.map(without_midnight) else {
            continue;
        };
        let at = time(&text);
        let index = *indexes.entry(text.clone()).or_insert_with(|| {
            grid.labels.push(Label::new(text, at));
            grid.points.push(Vec::new());
            grid.labels.len() - 1
        });
        for name in &measures {
            let series = match series {
                Some(column) => {
                    let name = shown(row.value(&column.name)?);
                    name.unwrap_or_else(|| "(none)".to_owned())
                }
                None => clean(name),
            };
            let known = grid.series.iter().position(|known| *known == series);
            if known.is_some_and(|known| grid.points[index].get(known).is_some_and(Option::is_some))
            {
                return Err(NoChart(format!(
                    "expected one row for each point of a line, but found two for {} {}",
                    label.name, grid.labels[index].text
                )));
            }
            grid.put(index, &series, point(name)?);
        }
    }
    if kind == Kind::Bars {
        grid.series = measures.iter().map(|name| clean(name)).collect();
    }
    grid.complete();
    Ok(grid.of_one_time())
}

fn role(name: &str, sql_type: &str) -> Role {
    let whole = sql_type.ends_with("INT") || sql_type == "INTEGER" || sql_type == "UINTEGER";
    match sql_type {
        "DATE" => Role::Time,
        _ if sql_type.contains('[') => Role::Other,
        _ if sql_type.starts_with("TIMESTAMP") => Role::Time,
        _ if whole && name == "year" => Role::Time,
        "FLOAT" | "DOUBLE" => Role::Number,
        _ if whole || sql_type.starts_with("DECIMAL") => Role::Number,
        "VARCHAR" | "UUID" | "BOOLEAN" => Role::Name,
        _ if sql_type.starts_with("ENUM") => Role::Name,
        _ => Role::Other,
    }
}

/// Returns true if and only if a column is the lower or upper bound of another one.
fn is_bound(column: &Column, numbers: &[&Column]) -> bool {
    ["_low", "_high"].iter().any(|end| {
        let Some(of) = column.name.strip_suffix(end) else {
            return false;
        };
        let has = |name: &str| numbers.iter().any(|column| column.name == name);
        has(of) && has(&format!("{of}_low")) && has(&format!("{of}_high"))
    })
}

fn is_share(measures: &[&str], rows: &[ResultRow]) -> Result<bool, NoChart> {
    let mut shares = Vec::new();
    for name in measures {
        let mut is_share = *name == "share" || name.starts_with("share_");
        for row in rows {
            let value = row.number(name)?;
            is_share &= value.is_none_or(|value| (0.0..=1.0).contains(&value));
        }
        if is_share {
            shares.push(*name);
        }
    }
    if shares.is_empty() || shares.len() == measures.len() {
        return Ok(!shares.is_empty());
    }
    Err(NoChart(format!(
        "expected numbers of one unit to draw, but {} {} of shares and other columns are not; select either",
        shares.join(", "),
        if shares.len() == 1 { "is" } else { "are" }
    )))
}

fn point(name: &str, numbers: &[&Column], row: &ResultRow) -> Result<Option<Point>, NoChart> {
    let bounds = ["low", "high"].map(|end| format!("{name}_{end}"));
    let has = |bound: &String| numbers.iter().any(|column| column.name == *bound);
    let interval = match bounds.iter().all(has) {
        true => row.number(&bounds[0])?.zip(row.number(&bounds[1])?),
        false => None,
    };
    let value = row.number(name)?.filter(|value| value.is_finite());
    Ok(value.map(|value| Point::new(value, interval.map(<[f64; 2]>::from))))
}

fn listed(columns: &[Column]) -> String {
    let mut names: Vec<_> = columns
        .iter()
        .take(MOST_LISTED)
        .map(|column| format!("{} ({})", clean(&column.name), clean(&column.sql_type)))
        .collect();
    if columns.len() > MOST_LISTED {
        names.push(format!("{} more", columns.len() - MOST_LISTED));
    }
    names.join(", ")
}

/// Returns a time without its time of day where that is the beginning of the day.
fn without_midnight(text: String) -> String {
    match text.split_once(' ') {
        Some((day, rest)) if rest.starts_with("00:00:00") => day.to_owned(),
        _ => text,
    }
}

/// Returns a year, or a date as days from 1970 on.
fn time(text: &str) -> Option<f64> {
    if let Ok(year) = text.parse() {
        return Some(year);
    }
    let (day, rest) = text.split_at_checked(DATE)?;
    let mut parts = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let clock = rest.trim_start().get(..8).unwrap_or_default();
    let mut seconds = 0.0;
    for part in clock.split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().unwrap_or(0.0);
    }
    // Days of the civil calendar: years begin in March, so that a leap day is the last of its year.
    let year = year - i64::from(month <= 2);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some((days + of_year - 719_468) as f64 + seconds / 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: &[(&str, &str)], rows: &str) -> Result<Grid, NoChart> {
        let columns: Vec<_> = columns
            .iter()
            .map(|(name, sql_type)| {
                format!("{{\"column_name\":\"{name}\",\"column_type\":\"{sql_type}\"}}")
            })
            .collect();
        let columns = ResultSet::from_json(&format!("[{}]", columns.join(","))).expect("JSON");
        let rows = ResultSet::from_json(rows).expect("JSON");
        grid(&columns, rows.rows())
    }

    #[test]
    fn names_and_numbers_are_bars() {
        let grid = of(
            &[("n", "HUGEINT"), ("tld", "VARCHAR")],
            r#"[{"n":"3","tld":"com"},{"n":null,"tld":null}]"#,
        )
        .expect("a shape");
        assert_eq!(grid.kind, Kind::Bars);
        let labels: Vec<_> = grid.labels.iter().map(|label| &*label.text).collect();
        assert_eq!(labels, ["com", "(none)"]);
        assert_eq!(grid.points[0][0].map(|point| point.value), Some(3.0));
        assert_eq!(grid.points[1], [None]);
        assert!(!grid.is_share);
    }

    #[test]
    fn shares_have_their_bounds() {
        let grid = of(
            &[
                ("tld", "VARCHAR"),
                ("share_x", "DOUBLE"),
                ("share_x_low", "DOUBLE"),
                ("share_x_high", "DOUBLE"),
            ],
            r#"[{"tld":"com","share_x":0.5,"share_x_low":0.4,"share_x_high":0.6}]"#,
        )
        .expect("a shape");
        assert!(grid.is_share);
        let point = grid.points[0][0].expect("a point");
        assert_eq!(point.interval, Some([0.4, 0.6]));
    }

    #[test]
    fn times_are_lines_one_for_each_name() {
        let grid = of(
            &[("day", "DATE"), ("agent", "VARCHAR"), ("n", "BIGINT")],
            r#"[{"day":"2024-02-28","agent":"a","n":1},{"day":"2024-03-01","agent":"a","n":2},
                {"day":"2024-03-01","agent":"b","n":3},{"day":null,"agent":"b","n":3}]"#,
        )
        .expect("a shape");
        assert_eq!((grid.kind, grid.labels.len()), (Kind::Lines, 2));
        assert_eq!(grid.series, ["a", "b"]);
        let days = [0, 1].map(|index| grid.labels[index].at.expect("a day"));
        assert_eq!(days[1] - days[0], 2.0, "2024 is a leap year");
        assert_eq!(grid.points[0], [grid.points[0][0], None]);
    }

    #[test]
    fn times_of_the_epoch_and_of_a_day_are_known() {
        assert_eq!(time("1970-01-01"), Some(0.0));
        assert_eq!(time("2000-02-29"), Some(11_016.0));
        assert_eq!(time("1969-12-31 12:00:00+00"), Some(-0.5));
        assert_eq!(time("2024"), Some(2024.0));
        assert_eq!(time("soon"), None);
        assert_eq!(
            without_midnight("2024-01-01 00:00:00+00".to_owned()),
            "2024-01-01"
        );
    }

    #[test]
    fn what_has_no_shape_is_said_with_its_columns() {
        let refused = |columns: &[(&str, &str)], rows: &str| match of(columns, rows) {
            Err(error) => error.to_string(),
            Ok(grid) => panic!("{grid:?}"),
        };
        let two = refused(&[("a", "VARCHAR"), ("b", "VARCHAR"), ("n", "BIGINT")], "[]");
        assert!(
            two.contains("found a (VARCHAR), b (VARCHAR), n (BIGINT)"),
            "{two}"
        );
        assert!(refused(&[("n", "BIGINT")], "[]").contains("one column of names"));
        assert!(refused(&[("a", "VARCHAR"), ("l", "BIGINT[]")], "[]").contains("BIGINT[]"));
        let mixed = refused(
            &[("a", "VARCHAR"), ("n", "BIGINT"), ("share_n", "DOUBLE")],
            r#"[{"a":"x","n":7,"share_n":0.5}]"#,
        );
        assert!(mixed.contains("numbers of one unit"), "{mixed}");
        let twice = refused(
            &[("year", "BIGINT"), ("n", "BIGINT")],
            r#"[{"year":2024,"n":7},{"year":2024,"n":8}]"#,
        );
        assert!(twice.contains("found two for year 2024"), "{twice}");
    }
}
