//! `robocensus publish`: asks the dataset for the figures of its data card in one DuckDB process,
//! and writes the texts of a publication.

use std::path::Path;

use anyhow::bail;
use robocensus::dataset::{
    publish::{Card, Figures, publish},
    run::{WrittenTables, extent},
    sink::{DatasetCopy, files_of_tables},
    table::{Column, ColumnType, all_tables},
};
use serde_json::{Value, json};

use super::{
    args::PublishArgs,
    config::read_toml,
    dataset_notes::notes,
    escape::{print, print_message},
    layout::counted,
    progress::stopped_by_ctrl_c,
    query::{Setup, description, refuse_comparison, stored::StoredQuery},
    site::{answers, site},
    template::rendered,
};

/// What the tables that every dataset has say about its times and its agents.
const TIMES: &str = include_str!("sql/card-times.sql");

/// The faults of archives.
const FAULTS: &str = include_str!("sql/card-faults.sql");

/// The rows of `list-coverage` that need no table of hosts.
const SKIPPED: &str = include_str!("sql/card-skipped.sql");

/// What is personal or risky in the texts of tables.
const SENSITIVE: &str = include_str!("sql/card-sensitive.sql.j2");

/// Publishes a dataset.
pub fn run(args: &PublishArgs) -> anyhow::Result<()> {
    let card = match &args.card {
        Some(file) => read_toml(file, Card::from_toml)?,
        None => Card::default(),
    };
    refuse_comparison(&args.dataset, "is not published")?;
    description(std::slice::from_ref(&args.dataset))?;
    // What a killed run left is refused before any work.
    extent(&args.dataset)?;
    for name in &args.without {
        check_left_out(name)?;
    }
    let progress = stopped_by_ctrl_c()?;
    let without: Vec<_> = args.without.iter().map(String::as_str).collect();
    let copy = args
        .out
        .as_ref()
        .map(|out| DatasetCopy::begin(&args.dataset, out, &without));
    let copy = copy.transpose()?;
    let folder = copy
        .as_ref()
        .map_or(args.dataset.as_path(), |copy| &copy.folder);
    let site = args
        .site
        .then(|| site(folder, &card, args.engine.as_deref()));
    let site = site.transpose()?;
    let published = publish(folder, &card, &figures(folder)?, site.as_ref(), &progress)?;
    let target = args.out.as_ref().unwrap_or(&args.dataset);
    if let Some(copy) = copy {
        copy.finish()?;
    }
    print(&format!(
        "published: {} in {}\n",
        counted(published.files, "file"),
        target.display()
    ))?;
    let stale = published.was_stale.then(|| {
        "the dataset has changed since it was published; the new publication has the changes"
            .to_owned()
    });
    let uncited = (!published.can_be_cited).then(|| {
        "without creators and published in --card, no CITATION.cff and no datacite.json are written".to_owned()
    });
    let of_extent = notes(&published.extent, &["archives", "crawls", "redirects"]);
    for note in stale.into_iter().chain(uncited).chain(of_extent) {
        print_message(&format!("note: {note}"));
    }
    Ok(())
}

fn check_left_out(name: &str) -> anyhow::Result<()> {
    let names = all_tables().map(|table| table.name);
    let names: Vec<_> = names
        .filter(|name| WrittenTables::can_be_left_out(name))
        .collect();
    if !names.contains(&name) {
        bail!(
            "--without: expected some of {}, but found {name:?}",
            names.join(", ")
        );
    }
    Ok(())
}

/// Asks a dataset for the figures of its card.
fn figures(folder: &Path) -> anyhow::Result<Figures> {
    let setup = Setup::over(&[folder.to_owned()])?;
    let stored = |name| StoredQuery::named(name).map_or("", |query| query.sql);
    let asked = [
        ("times", TIMES),
        ("faults", FAULTS),
        ("sensitive", &sql_of_sensitive(folder)?),
        ("skipped", SKIPPED),
        ("coverage", stored("list-coverage")),
        ("coverage of pages", stored("list-coverage-of-pages")),
        ("provenance", stored("list-provenance")),
    ];
    let mut found = answers(&setup, "", asked)?;
    let mut rows = |name| match found.remove(name) {
        Some(Value::Array(rows)) => rows,
        _ => Vec::new(),
    };
    let mut provenance = rows("provenance").pop();
    let (skipped, mut coverage) = (rows("skipped"), rows("coverage"));
    if coverage.is_empty() || provenance.is_none() {
        (coverage, provenance) = (skipped, None);
    }
    coverage.extend(rows("coverage of pages"));
    Ok(Figures {
        times: rows("times").pop().unwrap_or_default(),
        faults: rows("faults"),
        sensitive: rows("sensitive"),
        coverage,
        provenance,
    })
}

/// Returns SQL that counts what is personal or risky in the texts of each table.
fn sql_of_sensitive(folder: &Path) -> anyhow::Result<String> {
    let files = files_of_tables(folder)?;
    let is_text =
        |column: &&Column| matches!(column.column_type, ColumnType::Text | ColumnType::Name);
    let tables = all_tables().filter(|table| files.contains_key(table.name));
    let tables = tables.map(|table| {
        let texts = table
            .columns
            .iter()
            .filter(is_text)
            .map(|column| column.name);
        json!({"name": table.name, "texts": texts.collect::<Vec<_>>()})
    });
    let facts = json!({"tables": tables.collect::<Vec<_>>()});
    Ok(rendered(SENSITIVE, facts))
}
