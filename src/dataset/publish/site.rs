//! The page of a publication that reads its tables in a browser: what it has to know of the
//! dataset before it reads the first of them.

use std::{borrow::Cow, collections::BTreeMap, path::Path};

use serde_json::{Map, Value, json};

use crate::{
    archive::error::Error,
    dataset::{
        sink::{Manifest, TableFile, WholeTable, crawl_of_file, layout},
        table::{agents, bodies, captures, comments, directives, errors, hosts, rules},
    },
};

/// The folder of the files of the page but for [`PAGE`].
pub const SITE_FOLDER: &str = "explorer";
/// The page, which a server shows for the folder.
const PAGE: &str = "index.html";

/// The tables of parts in which the page looks up a capture, with the columns that it reads between
/// blanks, the key first.
const OF_PARTS: [(&str, &str); 7] = [
    (
        captures::TABLE.name,
        "capture_id content_digest semantic_digest warc_filename warc_record_offset",
    ),
    (bodies::TABLE.name, "capture_id content_digest is_utf8 body"),
    (agents::TABLE.name, "capture_id line agent_raw"),
    (
        rules::TABLE.name,
        "capture_id line rule_kind pattern_raw pattern",
    ),
    (directives::TABLE.name, "capture_id line key value_raw"),
    (comments::TABLE.name, "capture_id line text"),
    (errors::TABLE.name, "capture_id line code severity text"),
];

/// The columns of hosts that the page reads. Its rows are sorted by the first of them.
const OF_HOSTS: &str = "url_host_registered_domain url_host_name url_protocol url_port capture_id \
    fetch_time fetch_status redirect_outcome redirect_hops end_status access is_primary";

/// A page without what it has to know of the dataset.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// Its files, by their paths below the folder of the dataset.
    pub files: BTreeMap<String, Cow<'static, [u8]>>,
    /// What it knows of the dataset by queries.
    pub facts: Map<String, Value>,
}

impl Site {
    /// Returns all files of the page.
    pub(super) fn files(
        &self,
        root: &Path,
        facts: &Value,
        parts: &[Manifest],
        whole: &[WholeTable],
    ) -> Result<BTreeMap<String, Cow<'static, [u8]>>, Error> {
        let mut files = self.files.clone();
        let mut add = |name: String, value: &Value| {
            let text = value.to_string().into_bytes();
            files.insert(format!("{SITE_FOLDER}/{name}"), text.into());
        };
        // Files of one name have the rows of the same captures.
        let mut named: BTreeMap<_, Map<_, _>> = BTreeMap::new();
        for file in parts.iter().flat_map(|part| &part.files) {
            let columns = OF_PARTS.iter().find(|(table, _)| *table == file.table);
            if let Some((_, columns)) = columns.filter(|_| file.rows > 0) {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                let name = name.trim_end_matches(".parquet");
                let tables = named.entry(name).or_default();
                tables.insert(file.table.clone(), of_file(root, file, columns)?);
            }
        }
        let mut of_parts = Vec::new();
        for (name, tables) in named {
            let groups = tables.get(captures::TABLE.name);
            let groups = groups.and_then(|table| table["groups"].as_array());
            let ends = groups.into_iter().flatten().map(|group| &group["ends"]);
            let ends: Vec<_> = ends.collect();
            of_parts.push(json!({"layout": format!("{name}.json"), "ends": ends}));
            add(format!("{name}.json"), &tables.into());
        }
        let mut crawls = Vec::new();
        let is_of_hosts = |table: &&WholeTable| table.table == hosts::TABLE.name;
        for file in whole
            .iter()
            .filter(is_of_hosts)
            .flat_map(|table| &table.files)
        {
            let name = format!("hosts-{}.json", crawls.len());
            add(name.clone(), &of_file(root, file, OF_HOSTS)?);
            crawls.push(json!({"crawl": crawl_of_file(&file.path), "layout": name}));
        }
        let mut all = self.facts.clone();
        for key in ["name", "made"] {
            all.insert(key.to_owned(), facts[key].clone());
        }
        if all.contains_key("engine_bytes") {
            add("tables.json".to_owned(), &facts["tables"]);
        }
        all.insert("parts".to_owned(), of_parts.into());
        all.insert("crawls".to_owned(), crawls.into());
        add("dataset.json".to_owned(), &all.into());
        Ok(files)
    }
}

/// Returns true if and only if a file of a publication belongs to its page.
pub(super) fn has(path: &str) -> bool {
    path == PAGE || matches!(path.split_once('/'), Some((SITE_FOLDER, _)))
}

fn of_file(root: &Path, file: &TableFile, columns: &str) -> Result<Value, Error> {
    let columns: Vec<_> = columns.split(' ').collect();
    let mut layout = layout(&root.join(&file.path), &columns)?;
    layout["path"] = file.path.as_str().into();
    layout["bytes"] = file.bytes.into();
    Ok(layout)
}
