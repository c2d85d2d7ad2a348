//! `robocensus tables`: the tables of a dataset and their columns, from the schema by which the
//! files are written, and the views that SQL has over them, from the comments of these.

use std::fmt::Write;

use anyhow::{anyhow, bail};
use robocensus::dataset::table::{COMPARISON_TABLES, Column, FILE_TABLES, Table, all_tables};
use serde_json::{Value, json};

use super::{
    args::TablesArgs,
    escape::print,
    layout::wrapped,
    query::stored::{PAGE_VIEWS, VIEWS},
    template::rendered,
};

/// The section of `docs/tables.md`.
const MARKDOWN: &str = include_str!("templates/tables.md.j2");

/// The source of a column that no other work defines.
const OURS: &str = "robocensus";
/// What the SQL of a view begins with.
const CREATE: &str = "CREATE OR REPLACE TEMP VIEW ";
/// The widest line, in characters.
const WIDTH: usize = 100;

/// A view of SQL, as the comment above it describes it.
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
    let text = if args.json {
        if tables.is_empty() {
            bail!(
                "NAME: {} is a view, and --json describes tables; leave it out",
                views[0].name
            );
        }
        format!("{:#}\n", in_json(&tables))
    } else if args.markdown {
        rendered(MARKDOWN, json!({"tables": in_json(&tables)}))
    } else {
        let mut shown: Vec<String> = tables.into_iter().map(in_text).collect();
        if !shown.is_empty() {
            shown.push(
                "A ? behind a type: the column may be NULL, which means \"does not apply\" unless stated otherwise.\n"
                    .to_owned(),
            );
        }
        match &args.name {
            Some(_) => shown.extend(views.iter().map(view_in_text)),
            None => shown.push(list_of_views(&views)),
        }
        shown.join("\n")
    };
    Ok(print(&text)?)
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

fn in_text(table: &Table) -> String {
    let widest = |width: fn(&Column) -> usize| table.columns.iter().map(width).max().unwrap_or(0);
    let name_width = widest(|column| column.name.len());
    let kind_width = widest(|column| kind(column).len());
    let mut text = format!("{}: a row is {}\n", table.name, table.about);
    for column in table.columns {
        let mut about = column.about.to_owned();
        if let Some(unit) = column.unit {
            let _ = write!(about, " [{unit}]");
        }
        if let Some(source) = column.source {
            let _ = write!(about, " ({source})");
        }
        let (name, kind) = (column.name, kind(column));
        let names = format!("  {name:name_width$}  {kind:kind_width$}  ");
        text.push_str(&wrapped(&names, &about, WIDTH));
    }
    text
}

fn kind(column: &Column) -> String {
    let null = if column.nullable { "?" } else { "" };
    format!("{}{null}", column.column_type.sql_name())
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

fn view_in_text(view: &View<'_>) -> String {
    let View { name, row, key, .. } = view;
    let mut text = format!("{name}, a view of SQL: a row is {row}; key: {key}\n");
    for line in &view.about {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Returns the list of views that stands below the tables.
fn list_of_views(views: &[View<'_>]) -> String {
    let mut text = "Views of SQL (robocensus query), each with what a row is and its key. \"robocensus tables NAME\"\nexplains one, \"robocensus query --print views\" prints their SQL. The views verdicts, hosts and\npage_policies take the place of the tables of these names.\n\n".to_owned();
    let width = views.iter().map(|view| view.name.len()).max().unwrap_or(0);
    for View { name, row, key, .. } in views {
        let (name, about) = (format!("  {name:width$}  "), format!("{row}; key: {key}"));
        text.push_str(&wrapped(&name, &about, WIDTH));
    }
    text
}
