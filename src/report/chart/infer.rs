//! The shape of rows of any SQL, by the names and types of its columns.
//!
//! One column has names (text), or points of time (dates, times, or whole numbers in a column
//! `year`); the others are numbers of one unit. Names give bars, times give lines. With times, a
//! column of names and one of numbers there is a line for each name. Numbers are shares where each
//! column is called `share` or `share_..` and has values from 0 to 1. Columns `X_low` and `X_high`
//! are the bounds of a line over the bar or point of X.

use super::{
    shape::{Kind, Measure, N, Piece, Shape},
    style::MOST_SERIES,
    text::clean,
};
use crate::report::result::{NoChart, ResultRow, ResultSet};

/// What a column is to a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Name,
    Time,
    Number,
    Other,
}

/// Columns that a message lists.
const MOST_LISTED: usize = 8;

/// Returns the chart of rows; `columns` has the names and types of theirs.
pub fn shape(columns: &ResultSet, rows: &[ResultRow]) -> Result<Shape, NoChart> {
    let (mut names, mut times, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let mut has_others = false;
    for row in columns.rows() {
        let name = row.text("column_name")?;
        match role(name, row.text("column_type")?) {
            Role::Name => names.push(name),
            Role::Time => times.push(name),
            Role::Number => numbers.push(name),
            Role::Other => has_others = true,
        }
    }
    let mut measures = numbers.clone();
    measures.retain(|name| !is_bound(name, &numbers));
    let has_shape = matches!(
        (times.len(), names.len(), measures.len()),
        (0, 1, 1..=MOST_SERIES) | (1, 0, 1..=MOST_SERIES) | (1, 1, 1)
    );
    if !has_shape || has_others {
        return Err(NoChart(format!(
            "expected rows with one column of names, dates or years, and up to {MOST_SERIES} of numbers, to draw; found {}",
            listed(columns)?
        )));
    }
    let (kind, label) = match times[..] {
        [time, ..] => (Kind::Lines, time),
        [] => (Kind::Bars, names[0]),
    };
    let mut shape = Shape::new(kind);
    label.clone_into(&mut shape.axis);
    shape.label.push(Piece::new(label));
    if kind == Kind::Lines {
        // What has no time is on no axis of time.
        shape.null.clear();
        shape.series = names.first().map(|name| (*name).to_owned());
    }
    shape.is_share = is_share(&measures, rows)?;
    if let [one] = measures[..] {
        shape.unit = if shape.is_share { "" } else { one }.to_owned();
    }
    for name in measures {
        shape.measures.push(Measure::new(name, name));
    }
    shape.n = N::Rows;
    shape.intervals = "Lines over bars and points are from each _low to its _high.".to_owned();
    Ok(shape)
}

fn role(name: &str, sql_type: &str) -> Role {
    let whole = sql_type.ends_with("INT") || sql_type == "INTEGER" || sql_type == "UINTEGER";
    match sql_type {
        // An identifier is no quantity.
        _ if name.ends_with("_id") => Role::Other,
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
fn is_bound(name: &str, numbers: &[&str]) -> bool {
    let has = |name: &str| numbers.contains(&name);
    let ends = ["_low", "_high"].into_iter();
    ends.filter_map(|end| name.strip_suffix(end))
        .any(|of| has(of) && has(&format!("{of}_low")) && has(&format!("{of}_high")))
}

fn is_share(measures: &[&str], rows: &[ResultRow]) -> Result<bool, NoChart> {
    let mut shares = Vec::new();
    let mut has_figures = rows.is_empty();
    for name in measures {
        let mut is_share = *name == "share" || name.starts_with("share_");
        for row in rows {
            let value = row.number(name)?;
            is_share &= value.is_none_or(|value| (0.0..=1.0).contains(&value));
            has_figures |= value.is_some();
        }
        if is_share {
            shares.push(*name);
        }
    }
    if !has_figures {
        let names = clean(&measures.join(", "));
        return Err(NoChart(format!(
            "expected numbers to draw, but found none in {names}"
        )));
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

fn listed(columns: &ResultSet) -> Result<String, NoChart> {
    let mut names = Vec::new();
    for row in columns.rows().iter().take(MOST_LISTED) {
        let (name, sql_type) = (row.text("column_name")?, row.text("column_type")?);
        names.push(format!("{} ({})", clean(name), clean(sql_type)));
    }
    let more = columns.rows().len().saturating_sub(MOST_LISTED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    Ok(names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::grid::{Grid, Point};

    fn of(columns: &[(&str, &str)], rows: &str) -> Result<Grid, NoChart> {
        let columns: Vec<_> = columns
            .iter()
            .map(|(name, sql_type)| {
                format!("{{\"column_name\":\"{name}\",\"column_type\":\"{sql_type}\"}}")
            })
            .collect();
        let columns = ResultSet::from_json(&format!("[{}]", columns.join(","))).expect("JSON");
        let rows = ResultSet::from_json(rows).expect("JSON");
        Grid::new(&shape(&columns, rows.rows())?, rows.rows())
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
        let reversed = Point {
            interval: Some([0.6, 0.4]),
            ..point
        };
        assert_eq!(reversed.ends(), [0.4, 0.6]);
    }

    #[test]
    fn times_are_lines_one_for_each_name() {
        let grid = of(
            &[("day", "DATE"), ("agent", "VARCHAR"), ("n", "BIGINT")],
            r#"[{"day":"2024-02-28 00:00:00+00","agent":"a","n":1},{"day":"2024-03-01","agent":"a","n":2},
                {"day":"2024-03-01","agent":"b","n":3},{"day":null,"agent":"b","n":3}]"#,
        )
        .expect("a shape");
        assert_eq!((grid.kind, grid.labels.len()), (Kind::Lines, 2));
        assert_eq!(grid.series, ["a", "b"]);
        assert_eq!(grid.labels[0].text, "2024-02-28");
        let days = [0, 1].map(|index| grid.labels[index].at.expect("a day"));
        assert_eq!(days[1] - days[0], 2.0, "2024 is a leap year");
        assert_eq!(grid.points[0], [grid.points[0][0], None]);
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
        let nothing = refused(
            &[("a", "VARCHAR"), ("n", "BIGINT")],
            r#"[{"a":"x","n":null}]"#,
        );
        assert!(nothing.ends_with("found none in n"), "{nothing}");
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
