//! What the engine answered: rows of named values.
//!
//! Enters: an array of JSON objects, as DuckDB writes it. Leaves: rows whose columns keep the order
//! of the query. Refuses to know what the values mean.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

/// The rows of one query.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Answer {
    rows: Vec<Row>,
}

/// One row: its columns in the order of the query.
#[derive(Debug)]
pub struct Row {
    columns: Vec<(String, Value)>,
}

/// A query that answered without a column that its picture needs.
#[derive(Debug)]
pub struct MissingColumn {
    /// The name of the column.
    pub column: &'static str,
}

impl fmt::Display for MissingColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a column {}, but found none", self.column)
    }
}

impl std::error::Error for MissingColumn {}

impl Answer {
    /// Reads an array of objects.
    ///
    /// # Errors
    ///
    /// If the text is no JSON, or other JSON.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Returns the rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

impl Row {
    /// Returns the columns in the order of the query.
    pub fn columns(&self) -> &[(String, Value)] {
        &self.columns
    }

    /// Returns a text; NULL is empty.
    pub fn text(&self, column: &'static str) -> Result<&str, MissingColumn> {
        Ok(self.value(column)?.as_str().unwrap_or_default())
    }

    /// Returns a number; NULL is nothing.
    pub fn count(&self, column: &'static str) -> Result<u64, MissingColumn> {
        Ok(number(self.value(column)?).unwrap_or(0.0) as u64)
    }

    /// Returns a number that need not be whole; `None` is NULL.
    pub fn number(&self, column: &'static str) -> Result<Option<f64>, MissingColumn> {
        Ok(number(self.value(column)?))
    }

    /// Returns a truth value; NULL is false.
    pub fn is_true(&self, column: &'static str) -> Result<bool, MissingColumn> {
        Ok(self.value(column)?.as_bool().unwrap_or(false))
    }

    /// Returns true if and only if the value is NULL.
    pub fn is_null(&self, column: &'static str) -> Result<bool, MissingColumn> {
        Ok(self.value(column)?.is_null())
    }

    fn value(&self, column: &'static str) -> Result<&Value, MissingColumn> {
        let found = self.columns.iter().find(|(name, _)| name == column);
        found
            .map(|(_, value)| value)
            .ok_or(MissingColumn { column })
    }
}

/// Returns the number that a value is; DuckDB writes decimals and large integers as text.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.parse().ok(),
        value => value.as_f64(),
    }
}

// A map of serde_json would sort the columns by name.
impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut columns = Vec::new();
                while let Some(column) = map.next_entry()? {
                    columns.push(column);
                }
                Ok(Row { columns })
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_the_order_of_the_query() {
        let answer = Answer::from_json(r#"[{"z":1,"a":"x","m":null}]"#).unwrap();
        let names: Vec<_> = answer.rows()[0].columns().iter().map(|c| &*c.0).collect();
        assert_eq!(names, ["z", "a", "m"]);
    }

    #[test]
    fn numbers_are_read_however_the_engine_writes_them() {
        let answer = Answer::from_json(r#"[{"a":12,"b":"12","c":null,"d":12.0}]"#).unwrap();
        let row = &answer.rows()[0];
        for column in ["a", "b", "d"] {
            assert_eq!(row.count(column).unwrap(), 12, "{column}");
        }
        assert_eq!(row.count("c").unwrap(), 0);
        assert!(row.is_null("c").unwrap());
    }

    #[test]
    fn a_column_that_is_not_there_is_named() {
        let answer = Answer::from_json(r#"[{"a":1}]"#).unwrap();
        let error = answer.rows()[0].text("b").unwrap_err();
        assert_eq!(error.to_string(), "expected a column b, but found none");
        assert!(Answer::from_json("{").is_err());
    }
}
