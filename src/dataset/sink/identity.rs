//! What all parts of a dataset have in common, and the digest that identifies it.

use crate::{
    dataset::table::SCHEMA_VERSION,
    digest::{hex, sha1_of_list},
};

/// The properties that all parts of a dataset share; two runs may share a folder if and only if
/// theirs are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetIdentity {
    /// Digest of matrix, dialects and every option that rows depend on.
    pub options_digest: String,
    /// The same in readable form: option and value.
    pub options: Vec<(String, String)>,
}

impl DatasetIdentity {
    /// Returns the identity of a dataset with these options, of this version of the program.
    pub(crate) fn new(options: Vec<(String, String)>) -> Self {
        Self {
            options_digest: Self::digest_of(&options),
            options,
        }
    }

    /// Returns the digest of the version of the program and of the tables and of options, in any
    /// order: parts of two versions do not make one dataset either.
    fn digest_of(options: &[(String, String)]) -> String {
        let mut sorted: Vec<_> = options.iter().collect();
        sorted.sort();
        let tables = SCHEMA_VERSION.to_string();
        let versions = [env!("CARGO_PKG_VERSION"), &tables].into_iter();
        let options = sorted.into_iter().flat_map(|(key, value)| [key, value]);
        hex(&sha1_of_list(versions.chain(options.map(String::as_str))))
    }

    /// Returns the value of an option.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter();
        let (_, value) = options.find(|(key, _)| key == name)?;
        Some(value)
    }

    /// Returns the name of the reference dialect, the first of the dialects.
    pub(crate) fn reference_dialect(&self) -> Option<&str> {
        self.option("dialects")?.split(',').next()
    }

    /// Returns the key-value metadata of a file of the dataset, with what it has besides.
    pub(crate) fn metadata<const N: usize>(
        &self,
        more: [(&str, String); N],
    ) -> Vec<(String, String)> {
        [
            ("tool_version", env!("CARGO_PKG_VERSION").to_owned()),
            ("schema_version", SCHEMA_VERSION.to_string()),
            ("options_digest", self.options_digest.clone()),
        ]
        .into_iter()
        .chain(more)
        .map(|(key, value)| (format!("robocensus.{key}"), value))
        .collect()
    }

    /// Returns true if and only if the digest is that of the options.
    pub(crate) fn is_consistent(&self) -> bool {
        self.options_digest == Self::digest_of(&self.options)
    }
}
