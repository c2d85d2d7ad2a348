//! `robocensus query`: SQL over the views of `queries/views.sql`, run by DuckDB on a dataset.
//!
//! Rows go to standard output, and what a reader must know beside them to standard error.

use std::{
    fs,
    io::{self, Write},
    path::{MAIN_SEPARATOR, Path},
    process::ExitCode,
};

use anyhow::{Context, anyhow, bail};
use robocensus::{pipeline::extent, sink::Dataset};

use super::{
    args::QueryArgs,
    asked::{Asked, Facts, SQL_OF_YEARS, note_on_years},
    duckdb,
    escape::say,
    extent::{of_archives, of_redirects},
    questions::{QUESTIONS, Question, VIEWS},
    reads::reads,
};

/// The end of a word that names a file.
const FILE_END: &str = ".sql";

/// Answers, or shows what is asked for.
pub fn run(args: &QueryArgs) -> anyhow::Result<ExitCode> {
    let Some(word) = &args.question else {
        io::stdout().write_all(list().as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let sql = sql(word)?;
    if args.print {
        io::stdout().write_all(ended(sql).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let reads = reads(&sql, VIEWS);
    let asked = Asked {
        name: match word.contains(char::is_whitespace) {
            true => "the SQL",
            false => word,
        },
        reads: &reads,
        set: &args.set,
    };
    asked.check_names(args.before.is_some())?;
    let folders = [("data", &args.data), ("before", &args.before)];
    let mut script = String::new();
    for (name, folder) in folders {
        if let Some(folder) = folder {
            check(folder)?;
            script.push_str(&set(name, &literal(folder)?));
            if !reads.views.is_empty() {
                let extent = extent(folder)?;
                // The fetches that count, and the hosts made of them, are those behind redirects.
                let follows = ["redirects", "fetches"].map(|view| reads.views.contains(view));
                let stale = of_redirects(&extent).filter(|_| follows.contains(&true));
                let notes = of_archives(&extent).into_iter().chain(stale);
                notes.for_each(|note| say(&format!("note: --{name}: {note}")));
            }
        }
    }
    for (name, value) in &args.set {
        script.push_str(&set(name, value));
    }
    script.push_str(VIEWS);
    for note in notes(asked, &script)? {
        say(&format!("note: {note}"));
    }
    script.push_str(&ended(sql));
    duckdb::run(&script, args.format)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses what the dataset does not have, and returns what stands beside the rows; `script` makes
/// the views.
fn notes(asked: Asked<'_>, script: &str) -> anyhow::Result<Vec<String>> {
    let facts = duckdb::ask(&format!("{script}{}", asked.sql_of_facts()))?;
    let facts = Facts::read(&facts)?;
    asked.check_values(&facts)?;
    let mut notes = asked.notes(&facts);
    // To find the fetches that count is work; most datasets are of one crawl and need none of it.
    if asked.may_pool_years(&facts) {
        let answer = duckdb::ask(&format!("{script}{SQL_OF_YEARS}"))?;
        notes.extend(note_on_years(&answer)?);
    }
    Ok(notes)
}

fn list() -> String {
    let lines = QUESTIONS
        .iter()
        .map(|question| format!("{}\n  {}\n", question.name, question.in_words()));
    lines.collect()
}

/// Returns the SQL that a word of the command line stands for: that of a query by its name, of a
/// file, or the word itself.
fn sql(word: &str) -> anyhow::Result<String> {
    if let Some(question) = Question::named(word) {
        return Ok(question.sql.to_owned());
    }
    if word.ends_with(FILE_END) {
        return fs::read_to_string(word).with_context(|| format!("{word}: cannot read"));
    }
    if word.contains(char::is_whitespace) {
        return Ok(word.to_owned());
    }
    let like = QUESTIONS
        .iter()
        .map(|question| question.name)
        .find(|name| name.contains(word));
    Err(anyhow!(
        "no query is called {word:?}{}; robocensus query --list shows them all, a file ends with {FILE_END}, and SQL has blanks in it",
        like.map_or_else(String::new, |name| format!(", but one is called {name}"))
    ))
}

/// Returns SQL of which the last statement is ended.
pub(super) fn ended(mut sql: String) -> String {
    // A comment may stand at the end; the semicolon has a line of its own so as not to be part of
    // it.
    if !sql.trim_end().ends_with(';') {
        sql.push_str("\n;");
    }
    sql.push('\n');
    sql
}

/// Returns the statement that sets a variable.
pub(super) fn set(name: &str, value: &str) -> String {
    format!("SET VARIABLE {name} = '{}';\n", value.replace('\'', "''"))
}

/// Refuses a folder that holds no dataset, or one without a table that the views read.
pub(super) fn check(folder: &Path) -> anyhow::Result<()> {
    if !Dataset::stands_in(folder) {
        bail!(
            "{}: expected the folder of a dataset, as robocensus run writes it with --out, but found none",
            folder.display()
        );
    }
    match tables().find(|table| !folder.join(table).is_dir()) {
        Some("redirects") => bail!(
            "{0}: the table redirects is missing; robocensus redirects {0} makes it",
            folder.display()
        ),
        Some(table) => bail!(
            "{}: the table {table} is missing: the dataset is not finished, or another version of robocensus wrote it; run it again",
            folder.display()
        ),
        None => Ok(()),
    }
}

/// Returns the path of a folder as `table_of` of the views takes it: from the root on, since DuckDB
/// takes `~` and `s3://` at the beginning of a path for something else.
pub(super) fn literal(folder: &Path) -> anyhow::Result<String> {
    let path = std::path::absolute(folder)
        .with_context(|| format!("{}: cannot find this folder", folder.display()))?;
    let is_readable = |path: &&str| MAIN_SEPARATOR == '\\' || !path.contains('\\');
    match path.to_str().filter(is_readable) {
        Some(path) => Ok(path.to_owned()),
        None => bail!(
            "{}: DuckDB cannot read a folder whose path has a backslash or is no UTF-8; give it another name, or a symbolic link with one",
            path.display()
        ),
    }
}

/// Returns the tables that the views read.
fn tables() -> impl Iterator<Item = &'static str> {
    let named = VIEWS.split("table_of(getvariable('data'), '").skip(1);
    named.filter_map(|rest| rest.split('\'').next())
}

#[cfg(test)]
mod tests {
    use robocensus::table::TABLES;

    use super::*;

    #[test]
    fn a_word_is_a_question_a_file_or_sql() {
        let question = sql("count-captures-by-status").expect("a question");
        assert!(question.starts_with("-- How many captures, "));
        assert_eq!(sql("FROM hosts").expect("SQL"), "FROM hosts");
        let error = |word| sql(word).expect_err("no such thing").to_string();
        assert!(error("count-captures").contains("one is called count-captures-by-status"));
        assert!(!error("nonsense").contains("one is called"));
        assert!(error("absent.sql").contains("absent.sql: cannot read"));
    }

    #[test]
    fn the_tables_of_a_run_are_those_that_the_views_read() {
        let read: Vec<_> = tables().collect();
        for table in TABLES {
            assert!(read.contains(&table.name), "{}", table.name);
        }
        assert!(read.contains(&"redirects"));
    }

    #[test]
    fn a_value_stays_a_value_whatever_it_holds() {
        assert_eq!(
            set("url", "/a'; DROP TABLE x; --"),
            "SET VARIABLE url = '/a''; DROP TABLE x; --';\n"
        );
    }

    #[test]
    fn the_last_statement_is_ended_even_behind_a_comment() {
        assert_eq!(ended("FROM hosts;".to_owned()), "FROM hosts;\n");
        assert_eq!(
            ended("FROM hosts -- all".to_owned()),
            "FROM hosts -- all\n;\n"
        );
    }
}
