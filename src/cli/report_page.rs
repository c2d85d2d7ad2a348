//! `robocensus report`: runs the queries of the page in one DuckDB process and writes the page, of
//! a dataset or of a comparison.

use std::{fs, path::PathBuf, slice};

use anyhow::{Context, bail};
use robocensus::{
    compare::COMPARISON_FILE,
    dataset::{run::extent, sink::Dataset},
    report::{
        self, Commands, Page,
        comparison::{self, Compared},
    },
};
use serde_json::Value;

use super::{
    args::ReportArgs,
    dataset_notes, duckdb,
    escape::print_message,
    output_file::OutputFile,
    query::{Setup, comparison_views, description},
};

/// Makes the view `hosts`, the most expensive of the views, a table.
const HOSTS_ONCE: &str = "CREATE TEMP TABLE counted_hosts AS SELECT * FROM hosts;
CREATE OR REPLACE TEMP VIEW hosts AS SELECT * FROM counted_hosts;
";

/// What the page says about this program.
const COMMANDS: Commands = Commands {
    query: |name| format!("robocensus query {name} --data DIR"),
    remake: |dialects, description| {
        let option = |name: &str| description["options"][name].as_str();
        let pages = option("pages") == Some("yes");
        let more = match option("tables") {
            Some(tables) => format!(" --tables {tables}"),
            None => String::new(),
        };
        format!(
            "robocensus run INPUT... --out DIR --dialects {dialects}{more}{}\nrobocensus report --data DIR --out report.html",
            if pages { " --pages" } else { "" }
        )
    },
    several_dialects: "Run it with several: --dialects google,rfc9309.",
    other_dialects: "To compare other dialects of the run, use robocensus query with --set candidate=NAME.",
};

/// Writes the page.
pub fn run(args: &ReportArgs) -> anyhow::Result<()> {
    let title = args.title.as_deref();
    let data = of_candidates(&args.data)?;
    let begin = || OutputFile::begin(&args.out, data.iter().map(PathBuf::as_path), []);
    if let Some(compared) = comparisons(&data)? {
        let out = begin()?;
        let html = comparison::render(title, &compared)?;
        out.finish(|out| out.write_all(html.as_bytes()))?;
        return Ok(());
    }
    let description = description(&args.data)?;
    let out = begin()?;
    let page = page(title.unwrap_or(report::TITLE), &args.data, &description)?;
    out.finish(|out| out.write_all(page.html.as_bytes()))?;
    if page.hosts == 0 {
        let but = if report::has_pages(&description) {
            " but those of pages"
        } else {
            ""
        };
        print_message(&format!(
            "note: {}: the dataset has no fetch of a robots.txt, so all figures of the report{but} are 0",
            args.data[0].display()
        ));
    }
    Ok(())
}

/// Returns the folders; in place of one that has comparisons of several candidates, these.
fn of_candidates(data: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for folder in data {
        let n_before = folders.len();
        if folder.is_dir() && !Dataset::exists(folder)? {
            let cannot = || format!("{}: cannot read", folder.display());
            for entry in fs::read_dir(folder).with_context(cannot)? {
                let path = entry.with_context(cannot)?.path();
                if path.is_dir() && comparison_views(slice::from_ref(&path))?.is_some() {
                    folders.push(path);
                }
            }
        }
        if folders.len() == n_before {
            folders.push(folder.clone());
        }
        folders[n_before..].sort_unstable();
    }
    Ok(folders)
}

/// Returns what is read of comparisons; nothing if the folders are datasets.
fn comparisons(data: &[PathBuf]) -> anyhow::Result<Option<Vec<Compared>>> {
    let queries = comparison::queries(data.len()).iter();
    let queries: String = queries.map(|query| duckdb::whole(query.sql)).collect();
    let mut compared: Vec<Compared> = Vec::new();
    for folder in data {
        let Some(setup) = comparison_views(slice::from_ref(folder))? else {
            return comparison_views(data).map(|_| None);
        };
        let description = Dataset::read_description(folder)?;
        if let Some(first) = compared.first() {
            refuse_other_options(&first.description, &description)
                .with_context(|| format!("{} and {}", data[0].display(), folder.display()))?;
        }
        let file = folder.join(COMPARISON_FILE);
        let text = fs::read(&file).with_context(|| format!("{}: cannot read", file.display()))?;
        let expected = || format!("{}: expected JSON", file.display());
        compared.push(Compared {
            description,
            comparison: serde_json::from_slice(&text).with_context(expected)?,
            results: duckdb::results(&setup.with(&queries)?)?,
        });
    }
    Ok(Some(compared))
}

/// Refuses comparisons whose figures cannot stand next to each other.
fn refuse_other_options(first: &Value, other: &Value) -> anyhow::Result<()> {
    let options = other["options"].as_object().into_iter().flatten();
    for (name, value) in
        options.filter(|(name, _)| !["candidate", "reference"].contains(&name.as_str()))
    {
        let expected = &first["options"][name];
        if value != expected {
            bail!(
                "expected comparisons that differ in the candidate alone, but their {name} is {} and {}; compare with the same flags",
                expected.as_str().unwrap_or("not stated"),
                value.as_str().unwrap_or("not stated")
            );
        }
    }
    Ok(())
}

/// Returns the page of some datasets that are asked as one.
pub(super) fn page(title: &str, data: &[PathBuf], description: &Value) -> anyhow::Result<Page> {
    let mut setup = Setup::over(data)?;
    for (name, value) in report::variables(description) {
        setup.set(name, value);
    }
    // All charts are of hosts.
    if let Some(refusal) = setup.refusal("FROM hosts") {
        bail!("{refusal}");
    }
    let (mut crawls, mut notes) = (0, Vec::new());
    for folder in data {
        let extent = extent(folder)?;
        crawls += extent.crawls;
        let kinds = ["archives", "crawls", "redirects"];
        notes.extend(dataset_notes::notes(&extent, &kinds));
    }
    let statements = report::queries(description, crawls).map(|query| {
        let sql = duckdb::whole(query.sql);
        let sql = match query.agent {
            Some(agent) => format!("SET VARIABLE agent = {agent};\n{sql}RESET VARIABLE agent;\n"),
            None => sql,
        };
        setup.refusal(query.sql).is_none().then_some(sql)
    });
    let statements: Vec<_> = statements.collect();
    let charts: String = statements.iter().flatten().map(String::as_str).collect();
    let found = duckdb::results(&setup.with(&(HOSTS_ONCE.to_owned() + &charts))?)?;
    let mut found = found.into_iter();
    let results = statements
        .iter()
        .map(|run| run.as_ref().and_then(|_| found.next()));
    let results: Vec<_> = results.collect();
    Ok(report::render(
        title,
        description,
        crawls,
        &notes,
        &results,
        &COMMANDS,
    )?)
}
