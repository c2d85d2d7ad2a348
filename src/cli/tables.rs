//! `robocensus tables`: the tables of a dataset and their columns, from the schema by which the
//! files are written, and the views that SQL has over them, from the comments of these.

use anyhow::{anyhow, bail};
use robocensus::dataset::table::{COMPARISON_TABLES, Column, FILE_TABLES, Table, all_tables};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    args::TablesArgs,
    escape::{print, print_json},
    query::stored::{PAGE_VIEWS, VIEWS},
    template::rendered,
};

/// The section of `docs/tables.md`.
const MARKDOWN: &str = include_str!("templates/tables.md.j2");
/// The tables and views as text.
const TEXT: &str = include_str!("templates/tables.txt.j2");

/// The source of a column that no other work defines.
const OURS: &str = "robocensus";
/// What the SQL of a view begins with.
const CREATE: &str = "CREATE OR REPLACE TEMP VIEW ";

/// A view of SQL, as the comment above it describes it.
#[derive(Serialize)]
struct View<'s> {
    name: &'s str,
    /// What a row is.
    row: &'s str,
    /// The columns that identify a row.
    key: &'s str,
    /// The lines of the comment above these two, without the marks.
    about: Vec<&'s str>,
}

/// Prints one table with its columns, one view, or all.
pub fn run(args: &TablesArgs) -> anyhow::Result<()> {
    let views: Vec<View<'_>> = (views(VIEWS).into_iter().chain(views(PAGE_VIEWS)))
        .filter(|view| args.name.as_deref().is_none_or(|name| name == view.name))
        .collect();
    let tables: Vec<&Table> = match &args.name {
        Some(name) if views.is_empty() => vec![table(name)?],
        Some(name) => all().filter(|table| table.name == name).collect(),
        // The table of tables in `docs/tables.md` is of datasets.
        None if args.markdown => all_tables().collect(),
        None => all().collect(),
    };
    if args.json {
        if tables.is_empty() {
            bail!(
                "NAME: {} is a view, and --json describes tables; leave it out",
                views[0].name
            );
        }
        return print_json(&in_json(&tables));
    }
    let template = if args.markdown { MARKDOWN } else { TEXT };
    let facts = json!({
        "tables": in_json(&tables),
        "ours": OURS,
        "views": views,
        "is_all": args.name.is_none(),
    });
    Ok(print(&rendered(template, facts))?)
}

/// Returns the tables of datasets, those of datasets with pages, those of comparisons, then those
/// of `asof` and `corpus`.
fn all() -> impl Iterator<Item = &'static Table> {
    all_tables().chain(&COMPARISON_TABLES).chain(&FILE_TABLES)
}

fn table(name: &str) -> anyhow::Result<&'static Table> {
    let found = all().find(|table| table.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = all().map(|table| table.name).collect();
        let names = names.join(", ");
        anyhow!(
            "NAME: no table and no view is called {name}; expected one of {names}, or a view that robocensus tables lists"
        )
    })
}

fn in_json(tables: &[&Table]) -> Value {
    let column = |column: &Column| {
        json!({
            "name": column.name,
            "type": column.column_type.sql_name(),
            "nullable": column.nullable,
            "meaning": column.about,
            "unit": column.unit,
            "source": column.source.unwrap_or(OURS),
        })
    };
    let table = |table: &&Table| {
        let columns: Vec<_> = table.columns.iter().map(column).collect();
        json!({"name": table.name, "row": table.about, "columns": columns})
    };
    tables.iter().map(table).collect()
}

/// Returns the views of a file of SQL whose comments say what a row is.
fn views(sql: &str) -> Vec<View<'_>> {
    let mut views = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in sql.lines() {
        if let Some(text) = line.strip_prefix("--") {
            comment.push(text.strip_prefix(' ').unwrap_or(text));
            continue;
        }
        let comment = std::mem::take(&mut comment);
        let name = line
            .strip_prefix(CREATE)
            .and_then(|rest| rest.split(' ').next());
        if let (Some(name), [about @ .., row, key]) = (name, &comment[..])
            && let (Some(row), Some(key)) = (row.strip_prefix("Row: "), key.strip_prefix("Key: "))
        {
            views.push(View {
                name,
                row: row.trim_end_matches('.'),
                key: key.trim_end_matches('.'),
                about: about.to_vec(),
            });
        }
    }
    views
}
