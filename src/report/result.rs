//! The result of a query: rows of named values, as DuckDB writes them in JSON.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use super::words;
use crate::in_order::in_order;

/// The rows of one query.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct ResultSet {
    rows: Vec<ResultRow>,
}

/// One row: its columns in the order of the query.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct ResultRow {
    #[serde(deserialize_with = "in_order")]
    columns: Vec<(String, Value)>,
}

/// Rows of which no chart and no page can be made; it says what is wrong with them.
#[derive(Debug)]
pub struct NoChart(pub(super) String);

impl fmt::Display for NoChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoChart {}

impl From<serde_json::Error> for NoChart {
    fn from(error: serde_json::Error) -> Self {
        Self(format!("expected rows of finite numbers and text: {error}"))
    }
}

impl ResultSet {
    /// Parses an array of objects. An empty text is a result without rows: some versions of DuckDB
    /// write it so.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        match text {
            "" => Ok(Self { rows: Vec::new() }),
            text => serde_json::from_str(text),
        }
    }

    /// Returns the rows.
    pub fn rows(&self) -> &[ResultRow] {
        &self.rows
    }
}

impl ResultRow {
    /// Returns the columns in the order of the query.
    pub fn columns(&self) -> &[(String, Value)] {
        &self.columns
    }

    /// Returns a text; NULL is empty.
    pub fn text(&self, column: &str) -> Result<&str, NoChart> {
        Ok(self.value(column)?.as_str().unwrap_or_default())
    }

    /// Returns a text without characters that control a terminal or the direction of text.
    pub fn plain(&self, column: &str) -> Result<String, NoChart> {
        self.text(column).map(words::plain)
    }

    /// Returns a count; NULL is 0.
    pub fn count(&self, column: &str) -> Result<u64, NoChart> {
        Ok(self.number(column)?.unwrap_or(0.0) as u64)
    }

    /// Returns a number; NULL is `None`.
    pub fn number(&self, column: &str) -> Result<Option<f64>, NoChart> {
        self.value(column).map(number)
    }

    /// Returns a truth value; NULL is false.
    pub fn is_true(&self, column: &str) -> Result<bool, NoChart> {
        Ok(self.value(column)?.as_bool().unwrap_or(false))
    }

    /// Returns true if and only if the value is NULL.
    pub fn is_null(&self, column: &str) -> Result<bool, NoChart> {
        self.value(column).map(Value::is_null)
    }

    /// Returns a value.
    pub fn value(&self, column: &str) -> Result<&Value, NoChart> {
        let found = self.columns.iter().find(|(name, _)| name == column);
        let value = found.map(|(_, value)| value);
        value.ok_or_else(|| NoChart(absent(column)))
    }
}

/// Returns what is wrong with a row without a column.
pub(super) fn absent(column: &str) -> String {
    format!("expected a column {column}, but found none")
}

/// Returns the number that a value is; DuckDB writes decimals and large integers as text.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        value => value.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_order_of_the_query() {
        let result = ResultSet::from_json(r#"[{"z":1,"a":"x","m":null}]"#).unwrap();
        let names: Vec<_> = result.rows()[0].columns().iter().map(|c| &*c.0).collect();
        assert_eq!(names, ["z", "a", "m"]);
    }

    #[test]
    fn numbers_are_parsed_in_every_form_that_duckdb_writes() {
        let result = ResultSet::from_json(r#"[{"a":12,"b":"12","c":null,"d":12.0}]"#).unwrap();
        let row = &result.rows()[0];
        for column in ["a", "b", "d"] {
            assert_eq!(row.count(column).unwrap(), 12, "{column}");
        }
        assert_eq!(row.count("c").unwrap(), 0);
        assert!(row.is_null("c").unwrap());
    }

    #[test]
    fn a_missing_column_is_named() {
        let result = ResultSet::from_json(r#"[{"a":1}]"#).unwrap();
        let error = result.rows()[0].text("b").unwrap_err();
        assert_eq!(error.to_string(), "expected a column b, but found none");
    }

    #[test]
    fn no_text_is_no_row_and_other_text_is_an_error() {
        assert!(ResultSet::from_json("").unwrap().rows().is_empty());
        assert!(ResultSet::from_json("[{\"a\":").is_err());
    }
}
