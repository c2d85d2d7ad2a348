//! Which views SQL reads, and which tables of a dataset it so needs.
//!
//! Each view is made by a statement of its own, and one that reads a table which the dataset lacks
//! is left out, so that DuckDB refuses SQL that names it. Which view reads which is found in the
//! text of the views, which is part of this program. SQL of a user is not read: of its words those
//! that are names of views choose more views rather than fewer, and where one is missing all the
//! same, all are made.

use std::collections::BTreeSet;

/// How SQL of this program reads the tables of a dataset.
const TABLES: [&str; 3] = ["table_of(getvariable('data'), '", "table_of('", "both_of('"];
/// Words by which SQL may list views, or find them by a text.
const LISTS: [&str; 8] = [
    "show",
    "describe",
    "query_table",
    "information_schema",
    "duckdb_",
    "pg_",
    "pragma_",
    "sqlite_",
];

/// Names of views and macros, of tables or of variables.
pub type Names = BTreeSet<&'static str>;

/// The statements that make views and macros.
#[derive(Clone, Debug, Default)]
pub struct Views {
    statements: Vec<Statement>,
}

#[derive(Clone, Debug)]
struct Statement {
    /// The name of what it makes; `None` for a setting.
    name: Option<&'static str>,
    sql: &'static str,
    /// What must be made for it: itself, and the views and macros that it reads, also through
    /// others.
    needs: Names,
    /// The tables that all of these read.
    tables: Names,
}

impl Views {
    /// Reads files of views, in which each stands below those that it reads.
    pub fn new(files: &[&'static str]) -> Self {
        let mut views = Self::default();
        for sql in files.iter().flat_map(|file| split(file)) {
            let name = name_of_statement(sql);
            let mut needs = views.read_by(sql);
            let mut tables = views.tables_of(&needs);
            tables.extend(tables_read_by(sql));
            needs.extend(name);
            views.statements.push(Statement {
                name,
                sql,
                needs,
                tables,
            });
        }
        views
    }

    /// Returns what SQL of this program reads, itself or through others.
    pub fn read_by(&self, sql: &str) -> Names {
        self.needed(|name| reads(sql, name))
    }

    /// Returns at least what SQL of a user reads, as far as its words say so.
    pub fn named_in(&self, sql: &str) -> Names {
        let sql = sql.to_lowercase();
        let lists_views = LISTS.iter().any(|word| sql.contains(word));
        self.needed(|name| lists_views || has_word(&sql, name))
    }

    /// Returns all views and macros.
    pub fn all(&self) -> Names {
        self.needed(|_| true)
    }

    fn needed(&self, is_read: impl Fn(&str) -> bool) -> Names {
        let statements = self.statements.iter();
        let read = statements.filter(|statement| statement.name.is_some_and(&is_read));
        read.flat_map(|statement| &statement.needs)
            .copied()
            .collect()
    }

    fn statements_of(&self, names: &Names) -> impl Iterator<Item = &Statement> {
        let statements = self.statements.iter();
        statements.filter(|statement| statement.name.is_some_and(|name| names.contains(name)))
    }

    /// Returns the tables that views and macros need, themselves or through others.
    pub fn tables_of(&self, names: &Names) -> Names {
        let statements = self.statements_of(names);
        let tables = statements.flat_map(|statement| &statement.tables);
        tables.copied().collect()
    }

    /// Returns the variables that views and macros read.
    pub fn variables_of(&self, names: &Names) -> Names {
        let statements = self.statements_of(names);
        let variables = statements.flat_map(|statement| variables_read_by(statement.sql));
        variables.collect()
    }

    /// Returns the statements that make views and macros, without those that need a table which is
    /// lacking.
    pub fn statements_that_bind(
        &self,
        names: &Names,
        lacks: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = &'static str> {
        let is_made = move |statement: &&Statement| {
            statement.name.is_none_or(|name| names.contains(name))
                && !statement.tables.iter().any(|table| lacks(table))
        };
        let made = self.statements.iter().filter(is_made);
        made.map(|statement| statement.sql)
    }
}

/// Splits a file of views into its statements, without the comments between them.
fn split(file: &'static str) -> Vec<&'static str> {
    let mut statements = Vec::new();
    let (mut begin, mut end) = (None, 0);
    for line in file.split_inclusive('\n') {
        if line.starts_with(char::is_uppercase) {
            begin = begin.or(Some(end));
        }
        end += line.len();
        if line.trim_end().ends_with(';')
            && !line.starts_with("--")
            && let Some(begin) = begin.take()
        {
            statements.push(&file[begin..end]);
        }
    }
    statements
}

fn name_of_statement(sql: &'static str) -> Option<&'static str> {
    let rest = sql.strip_prefix("CREATE OR REPLACE TEMP ")?;
    let rest = rest.strip_prefix("VIEW ").or(rest.strip_prefix("MACRO "))?;
    rest.split([' ', '(']).next()
}

/// Returns the tables that SQL of this program reads by itself.
pub fn tables_read_by(sql: &str) -> BTreeSet<&str> {
    let calls = TABLES.iter().flat_map(|call| sql.split(call).skip(1));
    calls.filter_map(|rest| rest.split('\'').next()).collect()
}

/// Returns the variables that SQL of this program reads by itself.
pub fn variables_read_by(sql: &str) -> BTreeSet<&str> {
    let calls = sql.split("getvariable('").skip(1);
    calls.filter_map(|rest| rest.split('\'').next()).collect()
}

/// Returns whether SQL of this program reads a view or calls a macro.
fn reads(sql: &str, name: &str) -> bool {
    let mut places = places_of(name, sql).into_iter();
    places.any(|at| {
        let is_table = ["FROM ", "JOIN "]
            .iter()
            .any(|word| sql[..at].ends_with(word));
        is_table || sql[at + name.len()..].starts_with('(')
    })
}

/// Returns whether a word stands in SQL, comments of whole lines aside.
pub fn has_word(sql: &str, word: &str) -> bool {
    !places_of(word, sql).is_empty()
}

/// Returns where a word stands in SQL, comments of whole lines aside.
fn places_of(word: &str, sql: &str) -> Vec<usize> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let places = sql.match_indices(word).map(|(at, _)| at);
    let whole = places.filter(|at| {
        let line = sql[..*at].rfind('\n').map_or(0, |end| end + 1);
        !sql[..*at].ends_with(is_inside)
            && !sql[at + word.len()..].starts_with(is_inside)
            && !sql[line..].trim_start().starts_with("--")
    });
    whole.collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::stored::{PAGE_VIEWS, VIEWS},
        *,
    };

    fn views() -> Views {
        Views::new(&[VIEWS, PAGE_VIEWS])
    }

    fn tables(sql: &str) -> Vec<&'static str> {
        let views = views();
        let tables = views.tables_of(&views.read_by(sql));
        tables.into_iter().collect()
    }

    #[test]
    fn every_statement_is_found_with_its_name() {
        let views = views();
        let n = [VIEWS, PAGE_VIEWS].concat().matches("\nCREATE ").count();
        assert_eq!(views.all().len(), n);
        let unnamed = views.statements.iter().filter(|one| one.name.is_none());
        let unnamed: Vec<_> = unnamed.map(|one| one.sql).collect();
        assert_eq!(unnamed, ["SET TimeZone = 'UTC';\n"]);
        assert!(views.statements.iter().all(|one| one.sql.ends_with(";\n")));
    }

    #[test]
    fn a_query_reads_the_tables_of_its_views() {
        assert_eq!(tables("SELECT 1 AS captures"), [""; 0]);
        assert_eq!(tables("FROM captures"), ["captures"]);
        assert_eq!(tables("-- FROM rules\nFROM captures"), ["captures"]);
        assert_eq!(tables("SELECT asked_dialect()"), ["dialects"]);
        assert_eq!(
            tables("SELECT count(*) AS rules FROM templates"),
            ["agents", "comments", "rules"]
        );
        assert!(tables("FROM a JOIN host_policies").contains(&"policy_sets"));
    }

    #[test]
    fn words_of_a_user_choose_no_view_too_few() {
        let named = |sql| views().named_in(sql);
        assert!(named("SELECT 1").is_empty());
        for sql in [
            "FROM range(1), Captures",
            "TABLE captures",
            "FROM \"temp\".main.\"captures\"",
            "SELECT 1 AS captures",
        ] {
            assert!(named(sql).contains("captures"), "{sql}");
        }
        assert_eq!(named("SHOW TABLES"), views().all());
    }

    #[test]
    fn a_view_without_its_tables_is_left_out() {
        let views = views();
        let all = views.all();
        let made = views.statements_that_bind(&all, |table| table == "policy_sets");
        let sql: String = made.collect();
        for name in ["policies", "host_policies"] {
            assert!(!sql.contains(&format!("VIEW {name} ")), "{name}");
        }
        assert!(sql.contains("VIEW hosts ") && sql.contains("MACRO host_pairs("));
    }
}
