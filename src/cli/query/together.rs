//! Datasets that are asked as one: each must have crawls of its own, and the options of the others,
//! or a row would be there twice, or two rows would not mean the same.
//!
//! The identifiers of captures and of vectors follow from the names of archives, which name their
//! crawl, so those of other crawls are others.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::bail;
use robocensus::dataset::sink::{Dataset, crawls_of, differences};
use serde_json::Value;

use super::tables::require_dataset;

/// The option that says how the archives were chosen among more.
const CHOICE: &str = "choice";

/// Returns the description of datasets that are asked as one, which is that of the first with the
/// choices of all.
///
/// # Errors
///
/// A folder that holds no dataset, a crawl that is in two of them, and an option that differs.
pub fn description(data: &[PathBuf]) -> anyhow::Result<Value> {
    let mut all = Value::Null;
    let mut choices: Vec<String> = Vec::new();
    let mut folder_of = BTreeMap::new();
    for folder in data {
        require_dataset(folder)?;
        let shown = folder.display();
        let mut one = Dataset::read_description(folder)?;
        // How archives were chosen differs from crawl to crawl, and is told beside the figures.
        let chosen = one["options"].as_object_mut();
        if let Some(Value::String(choice)) = chosen.and_then(|all| all.remove(CHOICE)) {
            choices.push(choice);
        }
        if all.is_null() {
            all = one;
        } else if let differing = differences(&all, &one)
            && !differing.is_empty()
        {
            bail!(
                "--data {shown}: it was made with other options than {} ({}), so they are not asked as one; run one of them again with the options of the other",
                data[0].display(),
                differing.join("; ")
            );
        }
        if data.len() == 1 {
            break;
        }
        for crawl in crawls_of(folder)? {
            let named = match &crawl {
                Some(crawl) => format!("the crawl {crawl}"),
                None => "archives that name no crawl".to_owned(),
            };
            if let Some(other) = folder_of.insert(crawl, shown.to_string()) {
                bail!(
                    "--data {shown}: it has {named}, and so has {other}, so that hosts would count twice; leave one of them out, or drop the crawl from one by finish --drop-crawl"
                );
            }
        }
    }
    if !choices.is_empty() {
        choices.dedup();
        all["options"][CHOICE] = choices.join("; ").into();
    }
    Ok(all)
}
