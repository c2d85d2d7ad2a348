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

/// Names of views and macros.
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
    /// The views and macros that it reads.
    reads: Vec<&'static str>,
    /// The tables that it reads.
    tables: BTreeSet<&'static str>,
}

impl Views {
    /// Reads files of views.
    pub fn new(files: &[&'static str]) -> Self {
        let texts = files.iter().flat_map(|file| split(file));
        let statements = texts.map(|sql| Statement {
            name: name_of_statement(sql),
            sql,
            reads: Vec::new(),
            tables: tables_read_by(sql),
        });
        let mut views = Self {
            statements: statements.collect(),
        };
        let all = views.all();
        for statement in &mut views.statements {
            let others = all.iter().filter(|name| Some(**name) != statement.name);
            let read = others.filter(|name| reads(statement.sql, name));
            statement.reads = read.copied().collect();
        }
        views
    }

    /// Returns the names of all views, without macros.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let is_view = |one: &&Statement| one.sql.starts_with("CREATE OR REPLACE TEMP VIEW ");
        let views = self.statements.iter().filter(is_view);
        views.filter_map(|statement| statement.name)
    }

    /// Returns what SQL of this program reads, itself or through others.
    pub fn read_by(&self, sql: &str) -> Names {
        self.with_those_they_read(|name| reads(sql, name))
    }

    /// Returns at least what SQL of a user reads, as far as its words say so.
    pub fn named_in(&self, sql: &str) -> Names {
        let sql = sql.to_lowercase();
        if LISTS.iter().any(|word| sql.contains(word)) {
            return self.all();
        }
        self.with_those_they_read(|name| has_word(&sql, name))
    }

    /// Returns all views and macros.
    pub fn all(&self) -> Names {
        let statements = self.statements.iter();
        statements.filter_map(|statement| statement.name).collect()
    }

    fn with_those_they_read(&self, is_read: impl Fn(&str) -> bool) -> Names {
        let mut waiting: Vec<_> = self
            .all()
            .into_iter()
            .filter(|name| is_read(name))
            .collect();
        let mut found = Names::new();
        while let Some(name) = waiting.pop() {
            if found.insert(name) {
                let read = self
                    .statements_of(name)
                    .flat_map(|statement| &statement.reads);
                waiting.extend(read);
            }
        }
        found
    }

    fn statements_of(&self, name: &str) -> impl Iterator<Item = &Statement> {
        let statements = self.statements.iter();
        statements.filter(move |statement| statement.name == Some(name))
    }

    /// Returns the tables that a view or a macro needs, itself or through others.
    pub fn tables_of(&self, name: &str) -> BTreeSet<&'static str> {
        let names = self.with_those_they_read(|other| other == name);
        let statements = names.iter().flat_map(|name| self.statements_of(name));
        statements
            .flat_map(|statement| &statement.tables)
            .copied()
            .collect()
    }

    /// Returns the variables that views and macros read.
    pub fn variables_of(&self, names: &Names) -> BTreeSet<&'static str> {
        let statements = names.iter().flat_map(|name| self.statements_of(name));
        statements
            .flat_map(|statement| variables_read_by(statement.sql))
            .collect()
    }

    /// Returns the statements that make views and macros, without those that need a table which is
    /// lacking.
    pub fn statements_that_bind(
        &self,
        names: &Names,
        lacks: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = &'static str> {
        let is_made = move |statement: &&Statement| {
            statement.name.is_none_or(|name| {
                let can_bind = || !self.tables_of(name).iter().any(|table| lacks(table));
                names.contains(name) && can_bind()
            })
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
        let read = views.read_by(sql);
        let tables: BTreeSet<_> = read.iter().flat_map(|name| views.tables_of(name)).collect();
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
