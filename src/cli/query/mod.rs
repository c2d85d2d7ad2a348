//! `robocensus query`: SQL over the views of `queries/views.sql`, run by DuckDB on a dataset.
//!
//! Rows go to standard output, notes on them to standard error.

mod before;
mod chart;
#[cfg(feature = "chart-files")]
mod chart_files;
mod rows;
pub(super) mod setup;
mod statements;
pub mod stored;
mod tables;
mod together;
mod variables;
mod views;

use std::{
    ffi::OsString,
    fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};
use robocensus::{
    dataset::{run::extent, sink::Dataset, table::COMPARISON_TABLES},
    report::{self, chart::Shape, comparison},
};
use serde_json::Value;

use self::{
    before::check_before,
    chart::ChartRequest,
    statements::{Statements, statements},
    stored::{PAGE_VIEWS, STORED_QUERIES, StoredQuery, VIEWS, comment},
    variables::{BoundQuery, DatasetFacts, SQL_OF_RANKS, SQL_OF_TIMES},
    views::{Names, Views},
};
pub(super) use self::{setup::Setup, together::description};
use super::{
    args::{QueryArgs, RowFormat},
    dataset_notes::{self, on_choice},
    duckdb,
    escape::{print, print_message},
};

/// The end of the name of a file of SQL.
const FILE_END: &str = ".sql";
/// The views that `--print` shows, by their names.
const VIEWS_BY_NAME: [(&str, &str); 2] = [("views", VIEWS), ("page-views", PAGE_VIEWS)];
/// The table without which a comparison is not complete.
const CAUSES: &str = "causes";

/// Returns the words of a command line, so that SQL which begins with a comment is no flag of
/// `query`: a flag has no white space before its value.
pub fn words(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut is_query = false;
    words.enumerate().map(move |(index, word)| {
        is_query |= index == 1 && word == "query";
        match word.to_str() {
            Some(sql) if is_query && is_comment(sql) => format!("\n{sql}").into(),
            _ => word,
        }
    })
}

fn is_comment(word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    word.starts_with("--") && name.contains(char::is_whitespace)
}

/// Runs the query, or prints what is asked for.
pub fn run(args: &QueryArgs) -> anyhow::Result<()> {
    let Some(word) = &args.query else {
        return Ok(print(&list()?)?);
    };
    let mut views = VIEWS_BY_NAME.iter();
    if let Some((_, views)) = views.find(|(name, _)| args.print && word == name) {
        let text = if args.data.is_empty() {
            (*views).to_owned()
        } else {
            views_that_bind(&args.data, args.before.as_slice())?
        };
        return Ok(print(&text)?);
    }
    let sql = sql(word)?;
    if args.print {
        return Ok(print(&terminated(sql))?);
    }
    check_format(args.format)?;
    if let Some(setup) = comparison_views(&args.data)? {
        return query_comparison(args, word, setup, &sql);
    }
    query_dataset(args, word, &sql)
}

/// Returns the statements of all views that can be made over a dataset, or a comparison.
fn views_that_bind(data: &[PathBuf], before: &[PathBuf]) -> anyhow::Result<String> {
    let setup = match comparison_views(data)? {
        Some(setup) => setup,
        None => {
            let mut setup = Setup::over(data)?;
            setup.add_dataset("data", before)?;
            setup
        }
    };
    let all = setup.views.all();
    Ok(setup.views_that_bind(&all).collect())
}

/// Runs a query over the tables of datasets.
fn query_dataset(args: &QueryArgs, word: &str, sql: &str) -> anyhow::Result<()> {
    let chart = ChartRequest::new(args, word, sql)?;
    let stored = StoredQuery::named(word);
    let declared = stored.map(|stored| stored.variables());
    let mut setup = Setup::of_datasets();
    let reads = match stored {
        Some(_) => setup.views.read_by(sql),
        None => setup.views.named_in(sql),
    };
    let query = BoundQuery {
        name: name_of(word),
        sql,
        declared: declared.as_deref(),
        reads: &reads,
        set: &args.set,
    };
    let statements = match stored {
        Some(_) => Statements::new(sql),
        None => statements(query.name, sql)?,
    };
    let mut notes = query.check_names(args.before.is_some(), &setup.views.variables_of(&reads))?;
    let description = description(&args.data)?;
    notes.extend(add_datasets(args, &mut setup, &reads)?);
    if stored.is_some()
        && let Some(refusal) = setup.refusal(sql)
    {
        bail!("{refusal}");
    }
    if let Some(before) = &args.before {
        let asked = query.set_value("dialect");
        let of_before = check_before(&args.data[0], before, asked)?.into_iter();
        notes.extend(of_before.map(|note| format!("--before: {note}")));
    }
    for (name, value) in &args.set {
        setup.set_by_user(name, value);
    }
    notes.extend(notes_on_figures(query, &mut setup)?);
    match chart {
        Some(chart) => {
            let declared = query.declared.unwrap_or_default();
            chart.draw(&setup, &reads, &statements, declared, Some(&description))?;
        }
        None => print_rows(&setup, &reads, &statements, args.format)?,
    }
    // What is refused needs no notes.
    for note in notes {
        print_message(&format!("note: {note}"));
    }
    Ok(())
}

/// Adds the datasets of the flags, and returns notes on what they lack.
fn add_datasets(args: &QueryArgs, setup: &mut Setup, reads: &Names) -> anyhow::Result<Vec<String>> {
    let mut notes = Vec::new();
    for (name, folders) in [
        ("data", args.data.as_slice()),
        ("before", args.before.as_slice()),
    ] {
        setup.add_dataset(name, folders)?;
        if reads.is_empty() {
            continue;
        }
        for folder in folders {
            let of_dataset = notes_on_dataset(folder, reads)?.into_iter();
            let name = match folders {
                [_] => name.to_owned(),
                _ => format!("{name} {}", folder.display()),
            };
            notes.extend(of_dataset.map(|note| format!("--{name}: {note}")));
        }
    }
    Ok(notes)
}

/// Returns a message of DuckDB with the line of a question in the SQL of the user: it stands below
/// the line that makes a table of it. Where definitions stand before it, its line is not known.
fn with_line_of_user(message: &str, is_alone: bool) -> String {
    let place = message.split_once("; LINE ").and_then(|(said, rest)| {
        let (line, near) = rest.split_once(": ")?;
        let line = line.parse::<u64>().ok()?.checked_sub(1)?;
        let place = match line {
            1.. if is_alone => format!("line {line}"),
            _ => "near".to_owned(),
        };
        Some(format!("{said}; {place}: {}", near.trim_start()))
    });
    place.unwrap_or_else(|| message.to_owned())
}

/// Returns notes on what a dataset lacks, for a query that reads these views.
fn notes_on_dataset(folder: &Path, reads: &Names) -> anyhow::Result<Vec<String>> {
    let choice = report::choice(&Dataset::read_description(folder)?);
    let extent = extent(folder)?;
    let mut notes: Vec<_> = choice.as_deref().map(on_choice).into_iter().collect();
    let mut kinds = vec!["archives", "crawls"];
    let of_hosts = ["redirects", "fetches", "hosts"];
    if of_hosts.iter().any(|view| reads.contains(view)) {
        kinds.extend(["redirects", "hosts", "window"]);
    }
    if reads.contains("page_robots") {
        kinds.push("pages");
    }
    notes.extend(dataset_notes::notes(&extent, &kinds));
    Ok(notes)
}

/// Prints the rows of SQL.
fn print_rows(
    setup: &Setup,
    reads: &Names,
    statements: &Statements<'_>,
    format: RowFormat,
) -> anyhow::Result<()> {
    let sql = [statements.before, statements.question].concat();
    let printed = rows::print(&setup.script(&sql, reads)?, statements, format);
    let all = setup.views.all();
    let printed = match printed {
        // A view that is named in another way, or a similar name.
        Err(error) if error.to_string().contains("Catalog Error") && *reads != all => {
            rows::print(&setup.script(&sql, &all)?, statements, format)
        }
        printed => printed,
    };
    printed.map_err(|error| {
        let message = error.to_string();
        if !message.starts_with("DuckDB: ") {
            return error;
        }
        let reason = setup.reason(&message).map(|reason| format!("; {reason}"));
        let message = with_line_of_user(&message, statements.before.is_empty());
        anyhow!("{message}{}", reason.unwrap_or_default())
    })
}

/// Refuses a format that standard output cannot have, before the work.
fn check_format(format: RowFormat) -> anyhow::Result<()> {
    if format != RowFormat::Parquet {
        return Ok(());
    }
    if io::stdout().is_terminal() {
        bail!(
            "--format parquet: standard output is a terminal; redirect it to a file, such as > rows.parquet"
        );
    }
    if cfg!(not(unix)) {
        bail!("--format parquet: DuckDB writes it to standard output on Unix only");
    }
    Ok(())
}

/// Runs SQL over the tables of a comparison.
fn query_comparison(
    args: &QueryArgs,
    word: &str,
    mut setup: Setup,
    sql: &str,
) -> anyhow::Result<()> {
    let data = args.data[0].display();
    if StoredQuery::named(word).is_some() {
        let tables: Vec<_> = COMPARISON_TABLES.iter().map(|table| table.name).collect();
        bail!(
            "{data}: expected a dataset of robocensus run for the query {word}, but this is a comparison; give SQL over its tables {}",
            tables.join(", ")
        );
    }
    if args.before.is_some() {
        bail!(
            "--before: expected none, since {data} is a comparison, not a dataset of robocensus run"
        );
    }
    let statements = statements(name_of(word), sql)?;
    for (name, value) in &args.set {
        setup.set_by_user(name, value);
    }
    let all = setup.views.all();
    match ChartRequest::new(args, word, sql)? {
        Some(chart) => chart.draw(&setup, &all, &statements, &[], None),
        None => print_rows(&setup, &all, &statements, args.format),
    }
}

/// Returns the views of the tables of a comparison, or `None` if the folder does not hold one.
pub(super) fn comparison_views(data: &[PathBuf]) -> anyhow::Result<Option<Setup>> {
    let mut found = None;
    for folder in data {
        if Dataset::exists(folder)?
            && comparison::is_comparison(&Dataset::read_description(folder)?)
        {
            found = Some(folder);
        }
    }
    let Some(folder) = found else {
        return Ok(None);
    };
    if data.len() > 1 {
        bail!(
            "--data {}: expected datasets of robocensus run to be asked as one, but this is a comparison",
            folder.display()
        );
    }
    Dataset::identity_of(folder)?;
    if !Dataset::has_table(folder, CAUSES)? {
        bail!(
            "{}: the table {CAUSES} is missing: the comparison did not finish; run robocensus compare again",
            folder.display()
        );
    }
    let mut setup = Setup::new(Views::new(&[comparison::VIEWS]));
    setup.add_tables("data", data)?;
    Ok(Some(setup))
}

/// Refuses the folder of a comparison, where only a dataset is good for something, and says why.
pub(super) fn refuse_comparison(folder: &Path, why: &str) -> anyhow::Result<()> {
    if comparison_views(&[folder.to_owned()])?.is_some() {
        bail!(
            "{}: expected a dataset of robocensus run, but this is a comparison, which {why}",
            folder.display()
        );
    }
    Ok(())
}

/// Refuses values that the dataset does not have, sets the dialects that are not set, since DuckDB
/// filters by a value sooner than by an answer of the dataset, and returns notes on the rows.
fn notes_on_figures(query: BoundQuery<'_>, setup: &mut Setup) -> anyhow::Result<Vec<String>> {
    if !query.depends_on_facts() {
        return Ok(Vec::new());
    }
    let facts = DatasetFacts::read(&asked(setup, true, &query.sql_of_facts())?)?;
    query.check_values(&facts)?;
    for (name, dialect) in query.default_dialects(&facts) {
        setup.set(name, &dialect);
    }
    // The source of a chart is the archives of the crawl that its figures are of.
    let crawl = query.default_crawl(&facts);
    if let Some(crawl) = crawl.filter(|_| query.sql.contains("-- Chart:")) {
        setup.set("crawl", crawl);
    }
    // Finding the fetches that count is work, which a dataset of one crawl does not need.
    let times = asked(setup, query.may_pool_years(&facts), SQL_OF_TIMES)?;
    let ranks = asked(setup, query.reads_ranks(), SQL_OF_RANKS)?;
    Ok(query.notes(&facts, &times, &ranks))
}

/// Returns the row of SQL of this program that has one, or nothing if it is not needed.
fn asked(setup: &Setup, is_needed: bool, sql: &str) -> anyhow::Result<Value> {
    if !is_needed {
        return Ok(Value::Null);
    }
    let mut rows = duckdb::rows(&setup.with(sql)?)?.into_iter();
    rows.next().context("DuckDB: expected a row")
}

/// Returns the name of a query in messages.
fn name_of(word: &str) -> &str {
    if word.contains(char::is_whitespace) {
        "the SQL"
    } else {
        word
    }
}

fn list() -> anyhow::Result<String> {
    let mut list = String::new();
    for query in STORED_QUERIES {
        list.push_str(&format!("{}\n  {}\n", query.name, comment(query.sql)));
        if let Some(shape) = Shape::from_sql(query.sql)? {
            list.push_str(&format!("  Chart: {}\n", shape.kind_in_words()));
        }
    }
    Ok(list)
}

/// Returns the SQL that an argument stands for: that of a stored query, of a file, or the argument
/// itself.
fn sql(word: &str) -> anyhow::Result<String> {
    if let Some(query) = StoredQuery::named(word) {
        return Ok(query.sql.to_owned());
    }
    let is_file = word.ends_with(FILE_END);
    let sql = if is_file {
        read_regular_file(word)?
    } else {
        word.to_owned()
    };
    let is_code =
        |line: &str| !line.trim_start().starts_with("--") && line.contains(char::is_alphabetic);
    if !sql.lines().any(is_code) {
        let name = if is_file { word } else { "query" };
        bail!("{name}: expected SQL, a file of it, or the name of a query, but found no statement");
    }
    if is_file || word.contains(char::is_whitespace) {
        return Ok(sql);
    }
    if VIEWS_BY_NAME.iter().any(|(name, _)| *name == word) {
        bail!(
            "{word:?} are no query but what queries read; robocensus query --print {word} shows them"
        );
    }
    let view = format!("\nCREATE OR REPLACE TEMP VIEW {word} ");
    if VIEWS_BY_NAME.iter().any(|(_, all)| all.contains(&view)) {
        bail!("{word:?} is a view, not a query; robocensus query \"FROM {word}\" prints its rows");
    }
    let similar = STORED_QUERIES
        .iter()
        .map(|query| query.name)
        .find(|name| name.contains(word));
    Err(anyhow!(
        "no query is called {word:?}{}; robocensus query --list shows all; a file ends with {FILE_END}, and SQL contains blanks",
        similar.map_or_else(String::new, |name| format!(", but one is called {name}"))
    ))
}

/// Reads a file of SQL. Another one, such as a pipe that nobody writes, might never end.
fn read_regular_file(name: &str) -> anyhow::Result<String> {
    let cannot_read = || format!("{name}: cannot read");
    if !fs::metadata(name).with_context(cannot_read)?.is_file() {
        bail!("{name}: expected a regular file of SQL");
    }
    let text = fs::read_to_string(name).with_context(cannot_read)?;
    // Of editors that begin UTF-8 with a byte order mark, which is no SQL.
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Returns SQL whose last statement is terminated.
fn terminated(mut sql: String) -> String {
    // On a line of its own, since the SQL may end with a comment.
    if !sql.trim_end().ends_with(';') {
        sql.push_str("\n;");
    }
    sql.push('\n');
    sql
}

#[cfg(test)]
mod tests {
    use robocensus::dataset::table::{PAGE_TABLES, TABLES};

    use super::{views::tables_read_by, *};

    #[test]
    fn an_argument_is_a_name_a_file_or_sql() {
        let stored = sql("count-captures-by-status").expect("a stored query");
        assert!(stored.starts_with("-- How many captures, "));
        assert_eq!(sql("FROM hosts").expect("SQL"), "FROM hosts");
        let error = |word| sql(word).expect_err("no such thing").to_string();
        assert!(error("count-captures").contains("one is called count-captures-by-status"));
        assert!(!error("nonsense").contains("one is called"));
        assert!(error("hosts").contains("\"hosts\" is a view, not a query"));
        assert!(error("absent.sql").contains("absent.sql: cannot read"));
        for nothing in ["", "  ", ";", "-- SELECT 1"] {
            assert!(error(nothing).contains("found no statement"), "{nothing}");
        }
    }

    #[test]
    fn a_line_is_one_of_the_sql() {
        let message = "DuckDB: Binder Error: no x; LINE 3: SELECT x";
        let said = |is_alone| with_line_of_user(message, is_alone);
        assert_eq!(said(true), "DuckDB: Binder Error: no x; line 2: SELECT x");
        assert_eq!(said(false), "DuckDB: Binder Error: no x; near: SELECT x");
        assert_eq!(with_line_of_user("no line", true), "no line");
    }

    #[test]
    fn sql_may_begin_with_a_comment_and_flags_stay_flags() {
        let passed = |line: [&str; 4]| -> Vec<_> {
            let line = line.into_iter().map(OsString::from);
            words(line).map(OsString::into_string).collect()
        };
        let ok = |line: [&str; 4]| line.map(|word| Ok(word.to_owned())).to_vec();
        let flags = ["robocensus", "query", "--set", "--data=a b"];
        assert_eq!(passed(flags), ok(flags));
        let sql = ["robocensus", "query", "-- all = 1\nFROM hosts", "--print"];
        let unlike = ["robocensus", "query", "\n-- all = 1\nFROM hosts", "--print"];
        assert_eq!(passed(sql), ok(unlike));
        let other = ["robocensus", "run", "-- a b", "--print"];
        assert_eq!(passed(other), ok(other));
    }

    #[test]
    fn the_tables_of_a_run_are_those_that_the_views_read() {
        let read = tables_read_by(VIEWS);
        for table in TABLES {
            assert!(read.contains(table.name), "{}", table.name);
        }
        let both = [VIEWS, PAGE_VIEWS].concat();
        let read = tables_read_by(&both);
        assert_eq!(read.len(), TABLES.len() + PAGE_TABLES.len());
        for table in PAGE_TABLES {
            assert!(read.contains(table.name), "{}", table.name);
        }
    }

    #[test]
    fn the_last_statement_is_terminated_even_behind_a_comment() {
        assert_eq!(terminated("FROM hosts;".to_owned()), "FROM hosts;\n");
        assert_eq!(
            terminated("FROM hosts -- all".to_owned()),
            "FROM hosts -- all\n;\n"
        );
    }
}
