//! The page that `robocensus publish --site` adds to a publication: what it says of the dataset as
//! a whole, by queries, and the engine with which it runs SQL.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};
use robocensus::{
    dataset::{
        publish::{Card, SITE_FOLDER, Site},
        run::extent,
        sink::files_of_tables,
    },
    report::{self, EXPLORER, PageQuery},
    robots::dialect::{NAMES, work},
};
use serde_json::{Map, Value, json};

use super::{
    duckdb,
    query::{Setup, description, stored::StoredQuery},
    report_page::page,
};

/// The crawlers, and the dialects of the run.
const AGENTS: &str = include_str!("sql/agents.sql");
const DIALECTS: &str = "SELECT dialect, definition FROM dialects ORDER BY dialect_index";

/// The hosts of a crawl that have a robots.txt, by what it says to a crawler about a path
/// of the matrix.
const CELLS: &str = include_str!("sql/cells.sql");

/// Hosts to try the page with: the first that name a crawler.
const EXAMPLES: &str = include_str!("sql/examples.sql");

/// The query for how much is forbidden to each crawler, and what the page shows of it.
const RESTRICTION: &str = "compare-restriction-by-agent";
const OF_RESTRICTION: &str = "agent, hosts_read, named, full_named + full_everybody AS whole, partial_named + partial_everybody AS partly";

/// The package of the engine, its files that a page needs, and those of its versions whose DuckDB
/// runs the views.
const PACKAGE: &str = "@duckdb/duckdb-wasm";
const ENGINE: [&str; 2] = ["duckdb-browser-eh.worker.js", "duckdb-eh.wasm"];
const VERSIONS: [&str; 2] = ["1.32.", "1.33."];

/// Makes the page of a dataset.
pub fn site(folder: &Path, card: &Card, engine: Option<&Path>) -> anyhow::Result<Site> {
    let mut site = Site::default();
    for (name, bytes) in EXPLORER {
        let path = match *name {
            "index.html" => (*name).to_owned(),
            name => format!("{SITE_FOLDER}/{name}"),
        };
        site.files.insert(path, Cow::Borrowed(*bytes));
    }
    let data = [folder.to_owned()];
    let description = description(&data)?;
    let title = card.name.as_deref().unwrap_or(report::TITLE);
    let report = page(title, &data, &description)?;
    let mut add = |name: &str, bytes: Vec<u8>| {
        let path = format!("{SITE_FOLDER}/{name}");
        site.files.insert(path, Cow::Owned(bytes));
    };
    add("report.html", report.html.into_bytes());
    let setup = Setup::over(&data)?;
    if let Some(engine) = engine {
        let files = read_engine(engine)?;
        let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
        site.facts.insert("engine_bytes".to_owned(), bytes.into());
        for (name, bytes) in files {
            add(name, bytes);
        }
        let queries = report::queries(&description, extent(folder)?.crawls);
        add("sql.json", sql(&setup, &description, queries)?);
    }
    let works = NAMES.map(|name| (name.to_owned(), Value::from(work(name))));
    let works = works.into_iter().collect();
    site.facts.insert("works".to_owned(), works);
    let of_dataset = [
        ("agents", AGENTS),
        ("dialects", DIALECTS),
        ("examples", EXAMPLES),
    ];
    site.facts.extend(answers(&setup, "", of_dataset)?);
    // The page numbers the files of hosts in this order too.
    let hosts = files_of_tables(folder)?.remove("hosts").unwrap_or_default();
    for (index, path) in hosts.iter().enumerate() {
        let crawl = path.split('/').find_map(|name| name.strip_prefix("crawl="));
        let crawl = crawl.map(|crawl| format!("SET VARIABLE crawl = {};\n", duckdb::quoted(crawl)));
        let restriction = StoredQuery::named(RESTRICTION).map(|query| {
            let all = query.sql.trim_end().trim_end_matches(';');
            let sql = format!("SELECT {OF_RESTRICTION} FROM (\n{all}\n)");
            ("restriction", sql)
        });
        let of_crawl = [("cells", CELLS.to_owned())].into_iter().chain(restriction);
        let counts = answers(&setup, &crawl.unwrap_or_default(), of_crawl)?;
        let counts = Value::from(counts).to_string().into_bytes();
        add(&format!("counts-{index}.json"), counts);
    }
    Ok(site)
}

/// Returns what the page needs to run the SQL of its charts.
fn sql(
    setup: &Setup,
    description: &Value,
    queries: impl Iterator<Item = PageQuery>,
) -> anyhow::Result<Vec<u8>> {
    let of_agent = queries.filter_map(|query| Some((query.name, query.agent?)));
    let of_agent = BTreeMap::from_iter(of_agent);
    let agent = of_agent.values().next();
    let agent = agent.map(|sql| ("agent", format!("SELECT {sql} AS agent")));
    let sql = json!({
        "views": setup.views_of_page(),
        "lacking": setup.lacking(),
        "variables": report::variables(description),
        "agent": answers(setup, "", agent)?["agent"][0]["agent"],
        "of_agent": of_agent.keys().collect::<Vec<_>>(),
    });
    Ok(sql.to_string().into_bytes())
}

/// Returns the rows of those queries by their names whose tables the dataset has.
pub fn answers(
    setup: &Setup,
    before: &str,
    queries: impl IntoIterator<Item = (&'static str, impl AsRef<str>)>,
) -> anyhow::Result<Map<String, Value>> {
    let mut asked: Vec<_> = queries.into_iter().collect();
    asked.retain(|(_, sql)| setup.refusal(sql.as_ref()).is_none());
    let statements = asked.iter().map(|(_, sql)| duckdb::whole(sql.as_ref()));
    let script = before.to_owned() + &statements.collect::<String>();
    let mut answers = Map::new();
    for ((name, _), rows) in asked.iter().zip(duckdb::results(&setup.with(&script)?)?) {
        let rows = if rows.is_empty() { "[]" } else { &rows };
        let rows = serde_json::from_str(rows).context("DuckDB: expected rows")?;
        answers.insert((*name).to_owned(), rows);
    }
    Ok(answers)
}

/// Reads the files of the engine from the folder of its package, or from that of its files.
fn read_engine(folder: &Path) -> anyhow::Result<Vec<(&'static str, Vec<u8>)>> {
    let shown = folder.display();
    let expected = || {
        format!(
            "{shown}: expected the npm package {PACKAGE}, version 1.32 or 1.33, as npm install {PACKAGE} leaves it in node_modules/{PACKAGE}"
        )
    };
    let places = [folder.join("dist"), folder.to_owned()];
    let dist = places.iter().find(|place| place.join(ENGINE[1]).is_file());
    let dist = dist.ok_or_else(|| anyhow!("{}, but found no {}", expected(), ENGINE[1]))?;
    let package: PathBuf = dist.join("../package.json");
    let text = fs::read(&package)
        .with_context(|| format!("{}, but cannot read its package.json", expected()))?;
    let package: Value = serde_json::from_slice(&text).unwrap_or_default();
    let version = package["version"].as_str().unwrap_or_default();
    if !VERSIONS.iter().any(|begin| version.starts_with(begin)) {
        bail!("{}, but found version {version:?}", expected());
    }
    let read = |name| {
        let file = dist.join(name);
        let bytes = fs::read(&file).with_context(|| format!("{}: cannot read", file.display()))?;
        Ok((name, bytes))
    };
    ENGINE.into_iter().map(read).collect()
}
