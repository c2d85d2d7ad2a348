//! `robocensus query`: SQL over the views of `queries/views.sql`, run by DuckDB on a dataset.
//!
//! Rows go to standard output, notes on them to standard error.

mod absent;
mod before;
mod chart;
#[cfg(feature = "png")]
mod png;
mod references;
mod rows;
mod setup;
mod statements;
pub mod stored;
mod variables;

use std::{
    ffi::OsString,
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::{Context, Error, anyhow, bail};
use robocensus::{
    dataset::{
        run::{extent, refuse_unpublished},
        sink::{Dataset, is_remote},
        table::COMPARISON_TABLES,
    },
    report::{self, chart::Shape, comparison, has_pages},
};

use self::{
    before::check_before,
    chart::{ChartRequest, Figures},
    references::references,
    stored::{STORED_QUERIES, StoredQuery},
    variables::{
        BoundQuery, DatasetFacts, SQL_OF_RANKS, SQL_OF_TIMES, note_on_ranks, note_on_years,
    },
};
use super::{
    args::{QueryArgs, RowFormat},
    dataset_notes::{on_archives, on_choice, on_pages, on_redirects, on_window},
    duckdb,
    escape::print_message,
    exit_code::ExitCode,
};

pub use self::stored::{PAGE_VIEWS, VIEWS};
pub(super) use self::{absent::DatasetTables, setup::Setup, statements::statements};

/// The end of the name of a file of SQL.
const FILE_END: &str = ".sql";
/// The name under which `--print` shows the views.
const VIEWS_NAME: &str = "views";
/// The name under which it shows the views over pages.
const PAGE_VIEWS_NAME: &str = "page-views";
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
pub fn run(args: &QueryArgs) -> anyhow::Result<ExitCode> {
    let Some(word) = &args.query else {
        io::stdout().write_all(list()?.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let views = [(VIEWS_NAME, VIEWS), (PAGE_VIEWS_NAME, PAGE_VIEWS)];
    if let Some((_, views)) = views.iter().find(|(name, _)| args.print && word == name) {
        let views = match &args.data {
            Some(data) => views_of_datasets(views, data, args.before.as_deref())?,
            None => (*views).to_owned(),
        };
        io::stdout().write_all(views.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let sql = sql(word)?;
    if args.print {
        io::stdout().write_all(terminated(sql).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    check_format(args.format)?;
    if let Some(data) = &args.data
        && let Some(setup) = comparison_views(data)?
    {
        return query_comparison(args, data, word, setup, &sql);
    }
    query_dataset(args, word, &sql).map_err(|error| {
        // DuckDB says the first table that it misses, and this says all.
        let refusal = || DatasetTables::of(args.data.as_ref()?).ok()?.refusal(&sql);
        match error.to_string().starts_with("expected the table ") {
            true => refusal().map_or(error, Error::msg),
            false => error,
        }
    })
}

/// Runs a query over the tables of a dataset, or of none.
fn query_dataset(args: &QueryArgs, word: &str, sql: &str) -> anyhow::Result<ExitCode> {
    let chart = ChartRequest::new(args, word, sql)?;
    let references = references(sql, &[VIEWS, PAGE_VIEWS].concat());
    let reads_pages =
        views_of(PAGE_VIEWS).any(|view| references.views.contains(view) && !defines(sql, view));
    let query = BoundQuery {
        name: name_of(word),
        references: &references,
        is_stored: STORED_QUERIES.iter().any(|stored| stored.name == word),
        set: &args.set,
    };
    statements(query.name, sql)?;
    query.check_names(args.before.is_some())?;
    let folders = [("data", &args.data), ("before", &args.before)];
    let mut setup = Setup::default();
    for (name, folder) in folders {
        if let Some(folder) = folder {
            check(folder)?;
            if reads_pages && name == "data" {
                check_pages(folder)?;
            }
            setup.add_dataset(name, folder)?;
            if !references.views.is_empty() {
                let choice = report::choice(&Dataset::read_description(folder)?);
                let choice = choice.as_deref().map(on_choice);
                let extent = extent(folder)?;
                // The view hosts is made of fetches, which follow redirects.
                let follows = ["redirects", "fetches"].map(|view| references.views.contains(view));
                let of_redirects = [on_redirects(&extent), on_window(&extent)]
                    .into_iter()
                    .flatten();
                let of_redirects = of_redirects.filter(|_| follows.contains(&true));
                let unresolved = on_pages(&extent).filter(|_| reads_pages);
                let notes = choice.into_iter().chain(on_archives(&extent));
                let notes = notes.chain(of_redirects).chain(unresolved);
                notes.for_each(|note| print_message(&format!("note: --{name}: {note}")));
            }
        }
    }
    if let (Some(data), Some(before)) = (&args.data, &args.before) {
        let mut set = args.set.iter();
        let asked = set.find_map(|(name, value)| (name == "dialect").then_some(value.as_str()));
        for note in check_before(data, before, asked)? {
            print_message(&format!("note: --before: {note}"));
        }
    }
    for (name, value) in &args.set {
        setup.set_by_user(name, value);
    }
    let views = match reads_pages {
        true => &[VIEWS, PAGE_VIEWS].concat(),
        false => VIEWS,
    };
    let mut sql = sql.to_owned();
    match &args.data {
        Some(data) => {
            let before = args.before.as_deref().map(DatasetTables::of).transpose()?;
            let data = DatasetTables::of(data)?;
            setup.add_views(&absent::views(views, &data, before.as_ref()));
            // Queries of two datasets read tables without a view.
            sql = absent::without_absent(&sql, &data, before.as_ref());
        }
        None => setup.add_views(views),
    }
    for note in notes(query, &setup)? {
        print_message(&format!("note: {note}"));
    }
    match (chart, &args.data) {
        (Some(chart), Some(data)) => {
            let before = args.before.as_deref();
            let chart = chart.of_rows(&sql);
            chart.draw(&setup, &references, Figures::OfDataset { data, before })?;
        }
        _ => print_rows(&setup, query.name, &sql, args.format)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the rows of SQL.
fn print_rows(setup: &Setup, name: &str, sql: &str, format: RowFormat) -> anyhow::Result<()> {
    let statements = statements(name, sql)?;
    let printed = rows::print(&setup.script(sql, false)?, &statements, format);
    match printed {
        // With all views DuckDB finds the one that the SQL means, or a similar name.
        Err(error) if error.to_string().contains("Catalog Error") => {
            rows::print(&setup.script(sql, true)?, &statements, format)
        }
        printed => printed,
    }
}

/// Returns the statements `views` for a dataset, which may have been written without some tables or
/// columns.
pub(super) fn views_of_dataset(views: &str, data: &Path) -> anyhow::Result<String> {
    views_of_datasets(views, data, None)
}

/// Returns the statements `views` for a dataset and an earlier one.
fn views_of_datasets(views: &str, data: &Path, before: Option<&Path>) -> anyhow::Result<String> {
    let before = before.map(DatasetTables::of).transpose()?;
    Ok(absent::views(
        views,
        &DatasetTables::of(data)?,
        before.as_ref(),
    ))
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
    folder: &Path,
    word: &str,
    mut setup: Setup,
    sql: &str,
) -> anyhow::Result<ExitCode> {
    let data = folder.display();
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
    let name = name_of(word);
    statements(name, sql)?;
    for (name, value) in &args.set {
        setup.set_by_user(name, value);
    }
    match ChartRequest::new(args, word, sql)? {
        Some(chart) => {
            let references = references(sql, comparison::VIEWS);
            chart.draw(&setup, &references, Figures::OfComparison { folder })?;
        }
        None => print_rows(&setup, name, sql, args.format)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the views of the tables of a comparison, or `None` if the folder does not hold one.
pub(super) fn comparison_views(folder: &Path) -> anyhow::Result<Option<Setup>> {
    let is_comparison =
        Dataset::exists(folder)? && comparison::is_comparison(&Dataset::read_description(folder)?);
    if !is_comparison {
        return Ok(None);
    }
    if !Dataset::has_table(folder, CAUSES)? {
        bail!(
            "{}: the table {CAUSES} is missing: the comparison did not finish; run robocensus compare again",
            folder.display()
        );
    }
    let mut setup = Setup::default();
    setup.add_dataset("data", folder)?;
    setup.add_views(comparison::VIEWS);
    Ok(Some(setup))
}

/// Refuses values that the dataset does not have, and returns notes on the rows.
fn notes(query: BoundQuery<'_>, setup: &Setup) -> anyhow::Result<Vec<String>> {
    if !query.depends_on_facts() {
        return Ok(Vec::new());
    }
    let sql = query.sql_of_facts();
    let facts = duckdb::query_json(&(setup.script(&sql, false)? + &sql))?;
    let facts = DatasetFacts::read(&facts)?;
    query.check_values(&facts)?;
    let mut notes = query.notes(&facts);
    // Finding the fetches that count is work, which a dataset of one crawl does not need.
    if query.may_pool_years(&facts) {
        let rows = duckdb::query_json(&(setup.script(SQL_OF_TIMES, false)? + SQL_OF_TIMES))?;
        notes.extend(note_on_years(&rows)?);
    }
    if query.reads_ranks() {
        let rows = duckdb::query_json(&(setup.script(SQL_OF_RANKS, false)? + SQL_OF_RANKS))?;
        notes.extend(note_on_ranks(&rows)?);
    }
    Ok(notes)
}

/// Returns the name of a query in messages.
fn name_of(word: &str) -> &str {
    match word.contains(char::is_whitespace) {
        true => "the SQL",
        false => word,
    }
}

fn list() -> anyhow::Result<String> {
    let mut list = String::new();
    for query in STORED_QUERIES {
        list.push_str(&format!("{}\n  {}\n", query.name, query.in_words()));
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
    let sql = match is_file {
        true => fs::read_to_string(word).with_context(|| format!("{word}: cannot read"))?,
        false => word.to_owned(),
    };
    if references(&sql, "").words.is_empty() {
        let name = if is_file { word } else { "query" };
        bail!("{name}: expected SQL, a file of it, or the name of a query, but found no statement");
    }
    if is_file || word.contains(char::is_whitespace) {
        return Ok(sql);
    }
    if [VIEWS_NAME, PAGE_VIEWS_NAME].contains(&word) {
        bail!(
            "{word:?} are no query but what queries read; robocensus query --print {word} shows them"
        );
    }
    if views_of(VIEWS)
        .chain(views_of(PAGE_VIEWS))
        .any(|view| view == word)
    {
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

/// Returns SQL whose last statement is terminated.
pub(super) fn terminated(mut sql: String) -> String {
    // On a line of its own, since the SQL may end with a comment.
    if !sql.trim_end().ends_with(';') {
        sql.push_str("\n;");
    }
    sql.push('\n');
    sql
}

/// Refuses a folder that holds no dataset, or one without a table that the views read.
pub(super) fn check(folder: &Path) -> anyhow::Result<()> {
    if !Dataset::exists(folder)? {
        bail!(
            "{}: expected the folder of a dataset, such as robocensus run writes, but found none",
            folder.display()
        );
    }
    if is_remote(folder) {
        refuse_unpublished(folder)?;
    }
    match missing(folder, VIEWS)? {
        Some("redirects") => bail!(
            "{0}: the table redirects is missing; robocensus finish {0} builds it",
            folder.display()
        ),
        Some(table) => bail!(
            "{}: the table {table} is missing: the dataset is not finished, or another version of robocensus wrote it; run it again",
            folder.display()
        ),
        None => Ok(()),
    }
}

/// Returns the first table that views read and a dataset is to have, but does not.
fn missing(folder: &Path, views: &'static str) -> anyhow::Result<Option<&'static str>> {
    let written = DatasetTables::of(folder)?;
    for table in tables(views) {
        if written.contains(table) && !Dataset::has_table(folder, table)? {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// Refuses a dataset without a table that the views over pages read.
pub(super) fn check_pages(folder: &Path) -> anyhow::Result<()> {
    match missing(folder, PAGE_VIEWS)? {
        Some("page_robots") => bail!(
            "{0}: the table page_robots is missing; robocensus finish {0} builds it",
            folder.display()
        ),
        None if has_pages(&Dataset::read_description(folder)?) => Ok(()),
        _ => bail!(
            "{}: expected a dataset with pages, such as robocensus run --pages writes, but this one has none",
            folder.display()
        ),
    }
}

/// Returns true if and only if SQL names a common table expression like a view, so that it does not
/// read the view.
fn defines(sql: &str, view: &str) -> bool {
    let sql = sql.to_ascii_lowercase();
    let words: Vec<_> = sql.split_whitespace().collect();
    words.windows(3).any(|three| {
        let is_expression = three[0] == "with" || three[0].ends_with(',');
        is_expression && three[1] == view && three[2].starts_with("as")
    })
}

/// Returns the tables that views read.
fn tables(views: &'static str) -> impl Iterator<Item = &'static str> {
    let named = views.split("table_of(getvariable('data'), '").skip(1);
    named.filter_map(|rest| rest.split('\'').next())
}

/// Returns the names of views.
fn views_of(views: &'static str) -> impl Iterator<Item = &'static str> {
    let named = views.split(" TEMP VIEW ").skip(1);
    named.filter_map(|rest| rest.split(' ').next())
}

#[cfg(test)]
mod tests {
    use robocensus::dataset::table::{PAGE_TABLES, TABLES};

    use super::*;

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
        for nothing in ["", "  ", ";", "-- SELECT 1", "/* SELECT 1 */ ;"] {
            assert!(error(nothing).contains("found no statement"), "{nothing}");
        }
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
        let read: Vec<_> = tables(VIEWS).collect();
        for table in TABLES {
            // The view hosts is computed: it depends on variables, and the table does not.
            let is_read = table.name != "hosts";
            assert_eq!(read.contains(&table.name), is_read, "{}", table.name);
        }
        assert!(read.contains(&"redirects"));
        let read: Vec<_> = tables(PAGE_VIEWS).collect();
        assert_eq!(read.len(), PAGE_TABLES.len());
        for table in PAGE_TABLES {
            assert!(read.contains(&table.name), "{}", table.name);
        }
    }

    #[test]
    fn sql_may_have_a_table_expression_with_the_name_of_a_view() {
        for own in [
            "WITH pages AS (SELECT 1) FROM pages",
            "WITH a AS (FROM b), pages AS(SELECT 1) FROM a",
        ] {
            assert!(defines(own, "pages"), "{own}");
        }
        for view in ["FROM pages", "SELECT p.url, FROM pages AS p"] {
            assert!(!defines(view, "pages"), "{view}");
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
