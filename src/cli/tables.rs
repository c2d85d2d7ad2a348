//! `robocensus tables`: the tables of a dataset and their columns, from the schema by which the
//! files are written.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use anyhow::anyhow;
use robocensus::table::{COMPARISON_TABLES, Column, PAGE_TABLES, TABLES, Table};
use serde_json::{Value, json};

use super::{args::TablesArgs, exit_code::ExitCode, wrap::wrapped};

/// The source of a column that no other work defines.
const OURS: &str = "robocensus";
/// The widest line, in characters.
const WIDTH: usize = 100;

/// Prints one table with its columns, or all.
pub fn run(args: &TablesArgs) -> anyhow::Result<ExitCode> {
    let tables: Vec<&Table> = match &args.name {
        Some(name) => vec![table(name)?],
        // The table of tables in the README is of datasets.
        None if args.markdown => TABLES.iter().chain(&PAGE_TABLES).collect(),
        None => all().collect(),
    };
    let text = if args.json {
        let tables: Vec<Value> = tables.into_iter().map(in_json).collect();
        format!("{:#}\n", json!(tables))
    } else if args.markdown {
        in_markdown(&tables)
    } else {
        let shown: Vec<String> = tables.into_iter().map(in_text).collect();
        format!(
            "{}\nA ? behind a type: the column may be NULL, which means \"does not apply\" unless stated otherwise.\n",
            shown.join("\n")
        )
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the tables of datasets, those of datasets with pages, then those of comparisons.
fn all() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(&PAGE_TABLES).chain(&COMPARISON_TABLES)
}

fn table(name: &str) -> anyhow::Result<&'static Table> {
    let found = all().find(|table| table.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = all().map(|table| table.name).collect();
        let names = names.join(", ");
        anyhow!("NAME: no table is called {name}; expected one of {names}")
    })
}

fn in_json(table: &Table) -> Value {
    let columns = table.columns.iter().map(|column| {
        json!({
            "name": column.name,
            "type": column.column_type.sql_name(),
            "nullable": column.nullable,
            "meaning": column.about,
            "unit": column.unit,
            "source": column.source.unwrap_or(OURS),
        })
    });
    json!({
        "name": table.name,
        "row": table.about,
        "columns": columns.collect::<Vec<_>>(),
    })
}

fn in_text(table: &Table) -> String {
    let widest = |width: fn(&Column) -> usize| table.columns.iter().map(width).max().unwrap_or(0);
    let name_width = widest(|column| column.name.len());
    let kind_width = widest(|column| kind(column).len());
    let about_width = WIDTH - (2 + name_width + 2 + kind_width + 2);
    let mut text = format!("{}: a row is {}\n", table.name, table.about);
    for column in table.columns {
        let mut about = column.about.to_owned();
        if let Some(unit) = column.unit {
            let _ = write!(about, " [{unit}]");
        }
        if let Some(source) = column.source {
            let _ = write!(about, " ({source})");
        }
        let mut names = format!("{:name_width$}  {:kind_width$}", column.name, kind(column));
        for line in wrapped(&about, about_width) {
            let _ = writeln!(text, "  {names}  {line}");
            names = " ".repeat(name_width + 2 + kind_width);
        }
    }
    text
}

fn kind(column: &Column) -> String {
    let null = if column.nullable { "?" } else { "" };
    format!("{}{null}", column.column_type.sql_name())
}

/// Returns the section of the README.
fn in_markdown(tables: &[&Table]) -> String {
    let mut text = "| table | a row is | columns |\n|---|---|---|\n".to_owned();
    for table in tables {
        let names: Vec<String> = (table.columns.iter())
            .map(|column| format!("`{}`", column.name))
            .collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} |",
            table.name,
            table.about,
            names.join(" ")
        );
    }
    text
}
