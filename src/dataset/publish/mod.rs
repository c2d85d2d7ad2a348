//! The publication of a dataset: texts beside its tables by which others find it, trust it and can
//! cite it. A template makes each text, from the lists of the dataset, from the results of queries
//! ([`Figures`]) and from the words of its publisher ([`Card`]).
//!
//! The folder of the dataset is what is published: the Hub of Hugging Face and any web server serve
//! it as it is, and it stays a dataset. `SHA256SUMS` has every file of it and is written last. It
//! has the lists of the dataset too, which change with every other file, so that a publication
//! which is out of date is found without reading the tables.

mod card;
mod site;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use minijinja::{AutoEscape, Environment};
use serde::Serialize;
use serde_json::{Value, json};

pub use self::card::{Card, Creator};
use self::card::{license_url, markdown, plain};
pub use self::site::{SITE_FOLDER, Site};
use crate::{
    archive::{
        error::{Error, FolderConflict},
        input::crawl_in,
    },
    dataset::{
        progress::Progress,
        run::extent::{extent, run_id},
        sink::{
            DATASET_FILE, Dataset, Manifest, TableFile, WholeTable, digests_of, lists_of,
            read_if_there, sha256_of,
        },
        summary::{Extent, share},
        table::{SCHEMA_VERSION, all_tables},
        written::WrittenTables,
    },
    share::thousands,
};

/// The digests of all files of a publication.
const SUMS: &str = "SHA256SUMS";

/// The templates of the other texts.
const TEMPLATES: [(&str, &str); 4] = [
    ("README.md", include_str!("templates/README.md.j2")),
    (
        "croissant.json",
        include_str!("templates/croissant.json.j2"),
    ),
    ("CITATION.cff", include_str!("templates/CITATION.cff.j2")),
    ("datacite.json", include_str!("templates/datacite.json.j2")),
];

/// The names of Croissant 1.1, as its reference implementation writes them.
const CONTEXT: &str = include_str!("templates/croissant_context.json");

/// The texts of which each is written only if the card has what every citation needs.
const CITATIONS: [&str; 2] = ["CITATION.cff", "datacite.json"];

/// Archives that were not read whole and are named one by one.
const MOST_NAMED: usize = 100;

/// The sizes that the Hub knows, by the numbers of rows from which they begin.
const SIZES: [(u64, &str); 8] = [
    (1_000_000_000, "n>1B"),
    (100_000_000, "100M<n<1B"),
    (10_000_000, "10M<n<100M"),
    (1_000_000, "1M<n<10M"),
    (100_000, "100K<n<1M"),
    (10_000, "10K<n<100K"),
    (1_000, "1K<n<10K"),
    (0, "n<1K"),
];

/// The results of queries over the dataset: rows, as DuckDB writes them in JSON.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    /// `first_fetch`, `last_fetch` and `agents`.
    pub times: Value,
    /// The row of the query `list-provenance`; `None` if the dataset lacks the table `hosts`.
    pub provenance: Option<Value>,
    /// The rows of the query `list-coverage`, or those of them that need no table `hosts`.
    pub coverage: Vec<Value>,
    /// `code`, `n` and `archives` of the faults of archives.
    pub faults: Vec<Value>,
    /// `name`, `n_rows`, `emails` and `secrets` of each table that has some.
    pub sensitive: Vec<Value>,
}

/// What was published.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its files.
    pub files: u64,
    /// Whether an earlier publication was of other files.
    pub was_stale: bool,
    /// Whether it can be cited: the card names creators and a day.
    pub can_be_cited: bool,
    /// How much of the dataset is complete.
    pub extent: Extent,
}

/// Writes the texts of a publication into the folder of a dataset, and its page if it is to have
/// one, in place of those of an earlier one; `progress` can stop it before it has written anything.
///
/// # Errors
///
/// A folder that holds no dataset of this version, that a run alone is writing to or that a killed
/// one left, a file that is not as its list states, and a text in the place of one of these that is
/// none of them.
pub fn publish(
    root: &Path,
    card: &Card,
    figures: &Figures,
    site: Option<&Site>,
    progress: &Progress,
) -> Result<Published, Error> {
    let dataset = Dataset::existing(root)?;
    let extent = extent(root)?;
    let before = Sums::read(root)?;
    let was_stale = before.is_stale(root)?;
    let manifests = Manifest::read_all(root)?;
    let whole = WholeTable::read_all(root)?;
    let of_parts = manifests.iter().flat_map(|manifest| &manifest.files);
    let of_tables = whole.iter().flat_map(|table| &table.files);
    let files: Vec<_> = of_parts.chain(of_tables).collect();
    let mut sums = Sums::of_lists(root)?;
    for file in &files {
        progress.check()?;
        let path = root.join(&file.path);
        let found = digests_of(&path)?;
        if found.sha1 != file.sha1 {
            let message = "expected the file that its list names, but found other bytes, so the dataset is not published";
            return Err(Error::corrupt(path, message));
        }
        sums.0.insert(file.path.clone(), found.sha256);
    }
    let mut facts = facts(&dataset, card, figures, &extent, &manifests, &files, &sums)?;
    facts["has_site"] = site.is_some().into();
    let can_be_cited = card.can_be_cited();
    let is_written = |name: &str| can_be_cited || !CITATIONS.contains(&name);
    let site = site.map(|site| site.files(root, &facts, &manifests, &whole));
    let mut texts = site.transpose()?.unwrap_or_default();
    let names = TEMPLATES.map(|(name, _)| name);
    for (name, template) in TEMPLATES.into_iter().filter(|(name, _)| is_written(name)) {
        let text = rendered(name, template, &facts);
        texts.insert(name.to_owned(), text.into_bytes().into());
    }
    let old = before.0.keys().filter(|name| site::has(name));
    let old: BTreeSet<&str> = old.map(|name| &**name).chain(names).collect();
    before.refuse_foreign(root, SUMS, None)?;
    for name in texts.keys().map(|name| &**name).chain(old.iter().copied()) {
        before.refuse_foreign(root, name, texts.get(name).map(|text| &**text))?;
    }
    for name in old.into_iter().filter(|&name| !texts.contains_key(name)) {
        dataset.delete_file(name)?;
    }
    for (name, bytes) in texts {
        dataset.write_file(&name, &bytes)?;
        sums.0.insert(name, sha256_of(&bytes));
    }
    dataset.write_file(SUMS, sums.text().as_bytes())?;
    Ok(Published {
        files: sums.0.len() as u64 + 1,
        was_stale,
        can_be_cited,
        extent,
    })
}

/// Returns true if and only if a dataset was published and has changed since.
///
/// # Errors
///
/// A list of the dataset that cannot be read.
pub fn is_stale(root: &Path) -> Result<bool, Error> {
    Sums::read(root)?.is_stale(root)
}

/// Returns what the templates are filled with.
fn facts(
    dataset: &Dataset,
    card: &Card,
    figures: &Figures,
    extent: &Extent,
    manifests: &[Manifest],
    files: &[&TableFile],
    sums: &Sums,
) -> Result<Value, Error> {
    let identity = dataset.identity();
    let options: BTreeMap<_, _> = identity.options.iter().cloned().collect();
    let run_id = run_id(&identity.options_digest, &extent.archives_digest);
    let digest = &extent.archives_digest[..16];
    let archives: Vec<_> = manifests.iter().flat_map(|one| &one.archives).collect();
    let names = archives.iter().map(|archive| &archive.input.name);
    let crawls = names.filter_map(|name| crawl_in(name));
    let incomplete = archives.iter().filter(|archive| !archive.is_complete);
    let incomplete =
        incomplete.map(|archive| json!({"name": archive.input.name, "loss": archive.loss}));
    let lacking = extent.crawls_lacking.iter().map(|crawl| {
        json!({"name": crawl.crawl, "complete": crawl.archives_complete, "planned": crawl.archives_planned})
    });
    let day = |column: &str| figures.times[column].as_str()?.get(..10);
    let days = day("first_fetch").zip(day("last_fetch"));
    let fetched = days.map_or_else(String::new, |(first, last)| {
        if first == last {
            return format!(" fetched on {first}");
        }
        format!(" fetched from {first} to {last}")
    });
    let name = card.name.clone();
    let name = name.unwrap_or_else(|| format!("robots.txt files{fetched}"));
    let tool_version = env!("CARGO_PKG_VERSION");
    let made = format!(
        "Tables that robocensus {tool_version} made of {} archives of robots.txt files{fetched}: every file, its lines, and what it allows to each crawler, with the line that decides.",
        archives.len()
    );
    let purpose = card.purpose.as_deref().unwrap_or_default().trim();
    let rows: u64 = files.iter().map(|file| file.rows).sum();
    let size = SIZES.iter().find(|(from, _)| rows >= *from);
    Ok(json!({
        "card": card,
        "context": serde_json::from_str::<Value>(CONTEXT).expect("it is part of this program"),
        "figures": figures,
        "cite_as": card.cite_as(&name, &format!("robocensus {tool_version}, run {run_id}, archives {digest}")),
        "name": name,
        "description": format!("{purpose} {made}"),
        "made": made,
        "purpose": purpose.split("\n\n").filter(|text| !text.is_empty()).collect::<Vec<_>>(),
        "license_url": card.license.as_deref().and_then(license_url),
        "version": card.version.as_ref().unwrap_or(&run_id),
        "size": size.map(|(_, name)| name),
        "rows": rows,
        "bytes": files.iter().map(|file| file.bytes).sum::<u64>(),
        "tables": tables(files, sums),
        "left_out": WrittenTables::of_dataset(dataset.root())?.left_out(),
        "archives": extent.archives,
        "archives_planned": extent.archives_planned,
        "crawls": crawls.collect::<BTreeSet<_>>(),
        "crawls_lacking": lacking.collect::<Vec<_>>(),
        "incomplete": incomplete.take(MOST_NAMED).collect::<Vec<_>>(),
        "options": options,
        "tool_version": tool_version,
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id,
        "archives_digest": digest,
    }))
}

/// Returns the tables that have files, in the order of the schema.
fn tables(files: &[&TableFile], sums: &Sums) -> Vec<Value> {
    let mut found = Vec::new();
    for table in all_tables() {
        let of_table = files.iter().filter(|file| file.table == table.name);
        let mut of_table: Vec<_> = of_table.collect();
        of_table.sort_by_key(|file| &file.path);
        let columns = table.columns.iter().map(|column| {
            json!({"name": column.name, "sql": column.column_type.sql_name(), "nullable": column.nullable, "about": column.about, "unit": column.unit})
        });
        let named = of_table.iter().map(
            |file| json!({"path": file.path, "bytes": file.bytes, "sha256": sums.0[&file.path]}),
        );
        if !of_table.is_empty() {
            found.push(json!({
                "name": table.name,
                "about": table.about,
                "rows": of_table.iter().map(|file| file.rows).sum::<u64>(),
                "bytes": of_table.iter().map(|file| file.bytes).sum::<u64>(),
                "files": named.collect::<Vec<_>>(),
                "columns": columns.collect::<Vec<_>>(),
            }));
        }
    }
    found
}

/// Returns a text of a publication.
fn rendered(name: &str, template: &str, facts: &Value) -> String {
    let mut templates = Environment::new();
    templates.set_trim_blocks(true);
    templates.set_lstrip_blocks(true);
    templates.set_keep_trailing_newline(true);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.add_filter("md", |text: String| markdown(&text));
    templates.add_filter("plain", |text: String| plain(&text));
    templates.add_filter("n", thousands);
    templates.add_filter("share", share);
    let own = "the templates are part of this program";
    let text = templates.render_named_str(name, template, facts);
    let text = text.expect(own);
    if !name.ends_with(".json") {
        return text;
    }
    let value: Value = serde_json::from_str(&text).expect(own);
    format!("{value:#}\n")
}

/// The SHA-256 of files, by their paths below the dataset's folder.
#[derive(Debug, Default)]
struct Sums(BTreeMap<String, String>);

impl Sums {
    /// Returns those of the last publication; none of a dataset that was not published.
    fn read(root: &Path) -> Result<Self, Error> {
        let text = read_if_there(&root.join(SUMS))?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().filter_map(|line| line.split_once("  "));
        let sums = lines.map(|(sum, path)| (path.to_owned(), sum.to_owned()));
        Ok(Self(sums.collect()))
    }

    fn of_lists(root: &Path) -> Result<Self, Error> {
        let sum = |path: String| Ok((path.clone(), digests_of(&root.join(path))?.sha256));
        let sums: Result<_, Error> = lists_of(root)?.into_iter().map(sum).collect();
        Ok(Self(sums?))
    }

    fn is_stale(&self, root: &Path) -> Result<bool, Error> {
        if !self.0.contains_key(DATASET_FILE) {
            return Ok(false);
        }
        let now = Self::of_lists(root)?.0;
        let lists = self.0.iter().filter(|(path, _)| path.starts_with('_'));
        Ok(lists.ne(now.iter()))
    }

    /// Refuses a text that is there and was written neither by the last publication nor by one of
    /// the same words, which was interrupted.
    fn refuse_foreign(&self, root: &Path, name: &str, text: Option<&[u8]>) -> Result<(), Error> {
        let path = root.join(name);
        let Some(bytes) = read_if_there(&path)? else {
            return Ok(());
        };
        let is_ours = match self.0.get(name) {
            _ if text == Some(&bytes[..]) => true,
            Some(sum) => *sum == sha256_of(&bytes),
            None => name == SUMS && self.0.contains_key(DATASET_FILE),
        };
        if is_ours {
            return Ok(());
        }
        let message = "this file is not as a publication wrote it, so it is not replaced";
        Err(Error::folder(path, FolderConflict::Foreign, message))
    }

    /// Returns the lines that `sha256sum` checks.
    fn text(&self) -> String {
        let sums = self.0.iter();
        let lines = sums.map(|(path, sum)| format!("{sum}  {path}\n"));
        lines.collect()
    }
}
