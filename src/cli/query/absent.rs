//! Views over a dataset that was written without some tables (`run --tables`).
//!
//! The view of a table that was not chosen has its columns, and states what is missing when it is
//! read. So all views that build on it can be made, and every query that reads it ends with that
//! sentence, not with a count of nothing.

use std::path::Path;

use robocensus::{
    pipeline::WrittenTables,
    table::{PAGE_TABLES, TABLES, Table},
};

use super::{
    references::references,
    stored::{PAGE_VIEWS, VIEWS},
};

/// The tables of verdicts in either form: one of them has no rows in any dataset.
const FORMS: [&str; 2] = ["verdicts", "verdict_sets"];

/// The tables that a dataset was written with.
pub struct DatasetTables {
    folder: String,
    written: WrittenTables,
}

impl DatasetTables {
    /// Reads which tables a dataset was written with.
    pub fn of(folder: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            folder: folder.display().to_string(),
            written: WrittenTables::of_dataset(folder)?,
        })
    }

    /// Returns true if and only if the dataset has a table, unless it is damaged or not finished.
    pub fn contains(&self, table: &str) -> bool {
        self.written.contains(table)
    }

    /// Returns why SQL cannot be run: a table that it reads through views was not chosen.
    pub fn refusal(&self, sql: &str) -> Option<String> {
        let references = references(sql, &[VIEWS, PAGE_VIEWS].concat());
        let mut read = all_tables().filter(|table| references.tables.contains(table.name));
        let absent = read.find(|table| self.lacks(table.name))?;
        Some(self.sentence(absent.name))
    }

    /// Returns true if and only if rows are missing: of verdicts one form is as good as the other.
    fn lacks(&self, table: &str) -> bool {
        let is_other_form = FORMS.contains(&table) && FORMS.iter().any(|form| self.contains(form));
        !self.contains(table) && !is_other_form
    }

    fn sentence(&self, table: &str) -> String {
        let names = self.written.names().unwrap_or_default();
        format!(
            "expected the table {table}, but {} was written without it, with --tables {names}; run again with --tables {names},{table}",
            self.folder
        )
    }

    /// Returns a subquery with the columns of a table that the dataset does not have, behind those
    /// of `first`.
    fn subquery(&self, table: &Table, first: &str) -> String {
        let (from, condition) = match self.lacks(table.name) {
            // Of columns of NULL the optimizer would conclude that no row is needed.
            true => {
                let message = self.sentence(table.name).replace('\'', "''");
                let from = format!(" FROM (SELECT error('{message}') AS absent)");
                (from, "absent IS NULL")
            }
            false => (" FROM (SELECT NULL AS absent)".to_owned(), "false"),
        };
        let columns = table.columns.iter();
        let columns = columns.map(|column| {
            let sql_type = column.column_type.sql_name();
            format!("absent::{sql_type} AS {}", column.name)
        });
        let columns: Vec<_> = columns.collect();
        format!(
            "(SELECT {first}{}{from} WHERE {condition})",
            columns.join(", ")
        )
    }
}

/// Returns the statements `views` for a dataset and an earlier one: unchanged if both have all
/// tables.
pub fn views(views: &str, data: &DatasetTables, before: Option<&DatasetTables>) -> String {
    let mut views = views.to_owned();
    for table in all_tables() {
        let name = table.name;
        if !data.contains(name) {
            let one = format!("table_of(getvariable('data'), '{name}')");
            views = views.replace(&one, &data.subquery(table, ""));
        }
        let either = [Some(data), before].into_iter().flatten();
        if let Some(without) = either.into_iter().find(|tables| !tables.contains(name)) {
            let both = format!("both_of('{name}')");
            let subquery = without.subquery(table, "'data' AS dataset, ");
            views = views.replace(&both, &subquery);
        }
    }
    views
}

fn all_tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(&PAGE_TABLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &str) -> DatasetTables {
        DatasetTables {
            folder: "it's".to_owned(),
            written: WrittenTables::of_names(names.split(',')).expect("names of tables"),
        }
    }

    #[test]
    fn views_over_all_tables_stay_as_they_are() {
        let all = DatasetTables {
            folder: String::new(),
            written: WrittenTables::default(),
        };
        assert_eq!(views(VIEWS, &all, Some(&all)), VIEWS);
        assert_ne!(views(VIEWS, &all, Some(&of("captures"))), VIEWS);
    }

    #[test]
    fn no_view_reads_a_table_that_was_not_chosen() {
        let made = views(&[VIEWS, PAGE_VIEWS].concat(), &of("verdict_sets"), None);
        for table in all_tables() {
            let reads = ["table_of(getvariable('data'), ", "both_of("]
                .iter()
                .any(|macro_of| made.contains(&format!("{macro_of}'{}')", table.name)));
            let is_written = of("verdict_sets").contains(table.name);
            assert_eq!(reads, is_written, "{}", table.name);
        }
        assert!(made.contains("error('expected the table rules, but it''s was written without"));
        assert!(!made.contains("expected the table verdicts,"));
    }

    #[test]
    fn a_query_is_refused_for_the_table_that_its_views_read() {
        for (sql, names, absent) in [
            ("FROM captures", "captures", None),
            ("FROM rules", "captures", Some("rules")),
            ("FROM rules", "rules", None),
            ("FROM hosts", "policies", Some("redirects")),
            ("FROM hosts", "redirects", None),
            ("FROM host_policies", "redirects", Some("policies")),
            ("FROM answer_cells", "verdict_sets", None),
            ("FROM verdicts", "verdict_sets", None),
            ("FROM verdicts", "policies", Some("verdicts")),
            ("FROM page_policies", "pages", Some("page_policies")),
        ] {
            let wanted = absent.map(|table| format!("expected the table {table}, but it's was "));
            match (of(names).refusal(sql), wanted) {
                (None, None) => {}
                (Some(said), Some(wanted)) => assert!(said.starts_with(&wanted), "{sql}: {said}"),
                (said, wanted) => panic!("{sql} of {names}: {said:?}, not {wanted:?}"),
            }
        }
    }
}
