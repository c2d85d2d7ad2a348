//! The file that states what all parts of a dataset have in common.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{DATASET_FILE, Dataset, LISTS_FILE, create_whole, read_json, storage};
use crate::{
    archive::error::{Error, FolderConflict},
    dataset::table::SCHEMA_VERSION,
};

/// The lists among the options of a run, each in the form in which users write it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OptionLists {
    pub(crate) agents: String,
    pub(crate) urls: String,
    /// The dialects that are not built in, as TOML.
    pub(crate) dialects: BTreeMap<String, String>,
    /// The members of the cohort, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cohort: Option<String>,
}

/// The options of a dataset.
pub(crate) struct StoredOptions {
    /// By name, as the description states them.
    pub(crate) values: BTreeMap<String, String>,
    pub(crate) lists: OptionLists,
}

/// Returns true if and only if two options are the lengths of lists with their digests.
fn is_digest(theirs: &str, ours: &str) -> bool {
    [theirs, ours].iter().all(|text| text.contains(", sha1 "))
}

impl Dataset {
    /// Writes the description of the dataset, or checks that the one in the folder is the same.
    pub(super) fn claim(&self) -> Result<(), Error> {
        let file = self.root().join(DATASET_FILE);
        let is_first = !Self::exists(self.root())?
            && create_whole(&self.session.folder, &file, &self.identity_json())?;
        if is_first {
            Ok(())
        } else {
            // Of two workers that begin at the same time, the second finds the description of the
            // first.
            self.check_identity()
        }
    }

    pub(super) fn check_identity(&self) -> Result<(), Error> {
        let theirs = Self::read_description(self.root())?;
        let differing = differences(&theirs, &self.identity_json());
        if differing.is_empty() {
            return Ok(());
        }
        let differing = differing.join("; ");
        let message =
            format!("the dataset in this folder was made with other options ({differing})");
        Err(Error::folder(self.root(), FolderConflict::Differs, message))
    }

    /// Writes the lists among the options unless they are there, for runs that join without stating
    /// them.
    pub(crate) fn record_lists(&self, lists: &OptionLists) -> Result<(), Error> {
        let file = self.root().join(LISTS_FILE);
        if !storage::exists(&file)? {
            create_whole(&self.session.folder, &file, lists)?;
        }
        Ok(())
    }

    /// Returns the options of a dataset; `None` if one of their two files is not there (yet).
    pub(crate) fn read_options(root: &Path) -> Result<Option<StoredOptions>, Error> {
        let (description, file) = (root.join(DATASET_FILE), root.join(LISTS_FILE));
        if !storage::exists(&file)? || !Self::exists(root)? {
            return Ok(None);
        }
        let values = serde_json::from_value(read_json(&description)?["options"].take())
            .map_err(|e| Error::corrupt(&description, format!("expected options: {e}")))?;
        let lists = storage::read(&file)?;
        let lists = serde_json::from_slice(&lists).map_err(|e| {
            let message = format!(
                "expected the lists of a run: {e}; delete this file and state all options again"
            );
            Error::corrupt(&file, message)
        })?;
        Ok(Some(StoredOptions { values, lists }))
    }

    fn identity_json(&self) -> Value {
        let options: BTreeMap<_, _> = self.identity().options.iter().cloned().collect();
        json!({
            "tool": "robocensus",
            "tool_version": env!("CARGO_PKG_VERSION"),
            "schema_version": SCHEMA_VERSION,
            "options_digest": self.identity().options_digest,
            "options": options,
        })
    }
}

/// Returns in what the options of two datasets differ, and the versions that made them, given their
/// descriptions: a clause for each, in which `theirs` is there and `ours` is here.
pub(crate) fn differences(theirs: &Value, ours: &Value) -> Vec<String> {
    let of_tool = ["tool_version", "schema_version"]
        .map(|key| (key, &theirs[key], &ours[key]))
        .into_iter();
    let of_theirs = theirs["options"].as_object().into_iter().flatten();
    let of_ours = ours["options"].as_object().into_iter().flatten();
    // An option that only one of them has counts too.
    let keys: BTreeSet<&String> = of_theirs.chain(of_ours).map(|(key, _)| key).collect();
    let of_options = keys.into_iter().map(|key| {
        let (theirs, ours) = (&theirs["options"][key], &ours["options"][key]);
        (key.as_str(), theirs, ours)
    });
    of_tool
        .chain(of_options)
        .filter(|(_, theirs, ours)| theirs != ours)
        // These follow from the dialects, which are named.
        .filter(|(key, ..)| {
            let follows = ["dialect_answers", "redirects"].contains(key);
            !follows || theirs["options"]["dialects"] == ours["options"]["dialects"]
        })
        .map(|(key, theirs, ours)| match (theirs, ours) {
            _ if key == "dialect_answers" => {
                "the definitions of the dialects are others there".to_owned()
            }
            (Value::String(theirs), Value::String(ours)) if is_digest(theirs, ours) => {
                let [theirs, ours] = [theirs, ours].map(|text| text.split(',').next());
                let [theirs, ours] = [theirs, ours].map(Option::unwrap_or_default);
                format!("the list of {key} is another, of {theirs} there and of {ours} here")
            }
            (Value::Null, ours) => format!("{key} is {ours} here and not set there"),
            (theirs, Value::Null) => format!("{key} is {theirs} there and not set here"),
            _ => format!("{key} is {theirs} there and {ours} here"),
        })
        .collect()
}
