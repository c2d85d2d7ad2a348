//! Views over a dataset that was written without some tables (`run --tables`).
//!
//! The view of a table that was not chosen has its columns, so that all views that build on it can
//! be made. Every query that names it, however indirectly, then ends with what is missing before
//! any row is read: the table function of the view has an argument that fails when it is bound. A
//! column or a row that failed would not do, since the optimizer may find that it is not needed.

use std::path::Path;

use robocensus::dataset::{
    run::WrittenTables,
    table::{PAGE_TABLES, Table, all_tables},
};

use super::{
    references::references,
    stored::{PAGE_VIEWS, VIEWS},
};

/// The variable that makes queries fail: views are bound too while they are made.
const FAILS: &str = "queries_of_absent_tables_fail";
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

    /// Returns why SQL cannot be run: tables that it reads through views were not chosen.
    pub fn refusal(&self, sql: &str) -> Option<String> {
        let references = references(sql, &[VIEWS, PAGE_VIEWS].concat());
        let read = all_tables().map(|table| table.name);
        let mut absent: Vec<_> = read
            .filter(|name| references.tables.contains(*name) && self.lacks(name))
            .collect();
        // Either form of verdicts will do.
        if FORMS.iter().all(|form| absent.contains(form)) {
            absent.retain(|name| *name != FORMS[1]);
        }
        (!absent.is_empty()).then(|| self.sentence(&absent))
    }

    /// Returns true if and only if rows are missing: of verdicts one form is as good as the other.
    fn lacks(&self, table: &str) -> bool {
        let is_other_form = FORMS.contains(&table) && FORMS.iter().any(|form| self.contains(form));
        !self.contains(table) && !is_other_form
    }

    fn sentence(&self, absent: &[&str]) -> String {
        let names = self.written.names().unwrap_or_default();
        let (tables, them) = match absent {
            [table] => (format!("table {table}"), "it"),
            [tables @ .., last] => (format!("tables {} and {last}", tables.join(", ")), "them"),
            [] => unreachable!("a table is absent"),
        };
        let is_of_pages = |name: &&str| PAGE_TABLES.iter().any(|table| table.name == *name);
        let pages = match absent.iter().any(is_of_pages) {
            true => "--pages ",
            false => "",
        };
        format!(
            "expected the {tables}, but {} was written without {them}, with --tables {names}; run again with {pages}--tables {}",
            self.folder,
            self.written.names_with(absent)
        )
    }

    /// Returns SQL for a table of the dataset that the variable names.
    fn rows_of(&self, table: &Table, variable: &str) -> String {
        if !self.contains(table.name) {
            self.subquery(table)
        } else {
            table_of(variable, table.name)
        }
    }

    /// Returns a subquery with the columns of a table that the dataset does not have.
    fn subquery(&self, table: &Table) -> String {
        let from = match self.lacks(table.name) {
            true => {
                let message = self.sentence(&[table.name]).replace('\'', "''");
                format!("range(if(getvariable('{FAILS}'), error('{message}'), 0)::BIGINT)")
            }
            false => "range(0)".to_owned(),
        };
        let columns = table.columns.iter();
        let columns = columns.map(|column| {
            let sql_type = column.column_type.sql_name();
            format!("NULL::{sql_type} AS {}", column.name)
        });
        let columns: Vec<_> = columns.collect();
        format!("(SELECT {} FROM {from})", columns.join(", "))
    }
}

/// Returns the statements `views` for a dataset and an earlier one: unchanged if both have all
/// tables.
pub fn views(views: &str, data: &DatasetTables, before: Option<&DatasetTables>) -> String {
    let made = without_absent(views, data, before);
    let is_whole = |tables: &DatasetTables| all_tables().all(|table| !tables.lacks(table.name));
    match is_whole(data) && before.is_none_or(is_whole) {
        true => made,
        // Other views may have been made before.
        false => format!("SET VARIABLE {FAILS} = false;\n{made}\nSET VARIABLE {FAILS} = true;\n"),
    }
}

/// Returns SQL that reads subqueries in the place of the tables that a dataset, or an earlier one,
/// does not have.
pub fn without_absent(sql: &str, data: &DatasetTables, before: Option<&DatasetTables>) -> String {
    let before = before.map(|tables| ("before", tables));
    let sides: Vec<_> = before.into_iter().chain([("data", data)]).collect();
    let mut sql = sql.to_owned();
    for table in all_tables() {
        let name = table.name;
        if !data.contains(table.name) {
            let rows = data.rows_of(table, "data");
            sql = replace_call(&sql, &table_of("data", table.name), &rows);
        }
        if sides.iter().all(|(_, tables)| tables.contains(table.name)) {
            continue;
        }
        let rows = sides.iter().map(|(side, tables)| {
            let rows = tables.rows_of(table, side);
            format!("SELECT '{side}' AS dataset, * FROM {rows}")
        });
        let rows: Vec<_> = rows.collect();
        let mut both = rows.join(" UNION ALL ");
        if sides.len() == 1 {
            // Which tables an earlier dataset has that is named later is not known.
            both.push_str(&format!(
                " WHERE if(getvariable('before') IS NULL, true, error('expected views made for both datasets, since {} lacks the table {name}; robocensus query views --print --data DIR --before DIR prints them'))",
                data.folder.replace('\'', "''")
            ));
        }
        let both = format!("({both})");
        sql = replace_call(&sql, &format!("both_of('{name}')"), &both);
    }
    sql
}

/// Replaces a call in SQL, whatever its letter case and the white space between its tokens.
fn replace_call(sql: &str, call: &str, by: &str) -> String {
    let mut replaced = String::with_capacity(sql.len());
    let mut rest = sql;
    let mut is_in_word = false;
    while let Some(first) = rest.chars().next() {
        let len = match is_in_word {
            true => None,
            false => len_of_call(rest.as_bytes(), call.as_bytes()),
        };
        match len {
            Some(_) => replaced.push_str(by),
            None => replaced.push(first),
        }
        rest = &rest[len.unwrap_or(first.len_utf8())..];
        is_in_word = len.is_none() && (first.is_alphanumeric() || first == '_');
    }
    replaced
}

/// Returns the length of the call with which SQL begins.
fn len_of_call(sql: &[u8], call: &[u8]) -> Option<usize> {
    let is_sign = |byte: u8| matches!(byte, b'(' | b')' | b',');
    let mut at = 0;
    // White space before the call is not part of it.
    let mut last = b'a';
    for &byte in call.iter().filter(|&&byte| byte != b' ') {
        if is_sign(byte) || is_sign(last) {
            at += sql[at..]
                .iter()
                .take_while(|b| b.is_ascii_whitespace())
                .count();
        }
        if !sql.get(at)?.eq_ignore_ascii_case(&byte) {
            return None;
        }
        at += 1;
        last = byte;
    }
    Some(at)
}

/// Returns the call that reads a table of the dataset that a variable names.
fn table_of(variable: &str, table: &str) -> String {
    format!("table_of(getvariable('{variable}'), '{table}')")
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
        assert!(made.ends_with("= true;\n"));
    }

    #[test]
    fn calls_are_replaced_however_they_are_written() {
        for (sql, wanted) in [
            ("FROM both_of('captures') x", "FROM (rows) x"),
            ("FROM BOTH_OF\n ( 'captures'\t)", "FROM (rows)"),
            ("both_of('captures'),both_of('captures')", "(rows),(rows)"),
            ("FROM both_of('groups')", "FROM both_of('groups')"),
            ("FROM xboth_of('captures') é", "FROM xboth_of('captures') é"),
            ("FROM both_of('captures'", "FROM both_of('captures'"),
        ] {
            assert_eq!(replace_call(sql, "both_of('captures')", "(rows)"), wanted);
        }
        let call = table_of("data", "rules");
        let sql = "table_of( getvariable ('data'),'rules' )";
        assert_eq!(replace_call(sql, &call, "x"), "x");
    }

    #[test]
    fn a_refusal_names_all_tables_and_what_they_are_made_of() {
        let refusal = of("captures").refusal("FROM rules JOIN host_verdicts USING (capture_id)");
        assert_eq!(
            refusal.as_deref(),
            Some(
                "expected the tables rules, verdicts and redirects, but it's was written without them, with --tables captures; run again with --tables captures,rules,verdicts,redirects"
            )
        );
        let refusal = of("captures")
            .refusal("FROM page_robots")
            .unwrap_or_default();
        let end = "run again with --pages --tables captures,pages,robots_bodies,page_robots";
        assert!(refusal.ends_with(end), "{refusal}");
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
            ("FROM page_directives", "pages", Some("page_directives")),
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
