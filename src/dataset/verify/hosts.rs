//! The rows of `hosts`, compared with the origins of the captures.

use std::{collections::HashSet, path::Path};

use arrow_array::{Array, StringArray};

use super::violation::{Verified, ViolationKind};
use crate::{
    archive::error::Error,
    dataset::{
        finish::redirects::column,
        sink::{Manifest, WholeTable, read_columns},
        table::captures,
    },
    digest::sha1,
};

/// Origins that are held at once: as many as a hash table of 2^23 slots holds, which takes 143 MB.
/// Of more captures, all are read several times, for a share of the origins each time.
const MAX_ORIGINS: u64 = (1 << 23) / 8 * 7;

/// Compares the rows of `hosts` with the distinct origins of the captures of a robots.txt; parts
/// and table are intact. Which fetch counts is not found out again.
pub(super) fn account_hosts(
    root: &Path,
    manifests: &[Manifest],
    table: &WholeTable,
    n_captures: u64,
    stop: impl Fn() -> Result<(), Error>,
    verified: &mut Verified,
) -> Result<(), Error> {
    let n_rows: u64 = table.files.iter().map(|file| file.rows).sum();
    let shares = u128::from(n_captures.div_ceil(MAX_ORIGINS).max(1));
    let mut n_origins = 0;
    for share in 0..shares {
        let mut origins = HashSet::new();
        for file in manifests.iter().flat_map(|manifest| &manifest.files) {
            if file.table != captures::TABLE.name {
                continue;
            }
            let path = root.join(&file.path);
            read_columns(&path, &["url_path", "url_query", "origin"], |batch| {
                stop()?;
                let paths = column::<StringArray>(&path, batch, "url_path")?;
                let queries = column::<StringArray>(&path, batch, "url_query")?;
                let texts = column::<StringArray>(&path, batch, "origin")?;
                let is_asked =
                    |&row: &usize| paths.value(row) == "/robots.txt" && queries.is_null(row);
                let rows = (0..batch.num_rows()).filter(is_asked);
                let hashes = rows.map(|row| hash(texts.value(row)));
                origins.extend(hashes.filter(|hash| hash % shares == share));
                Ok(())
            })?;
        }
        n_origins += origins.len() as u64;
    }
    if n_rows != n_origins {
        verified.find(
            "_tables/hosts.json",
            ViolationKind::Accounting,
            format!(
                "expected {n_origins} rows of hosts, one for each origin of which a robots.txt was requested, but found {n_rows}; resolve the redirects again"
            ),
        );
    }
    Ok(())
}

/// Returns 128 bits of the digest of an origin, by which distinct ones are told apart.
fn hash(origin: &str) -> u128 {
    let digest = sha1(origin.as_bytes());
    u128::from_be_bytes(digest[..16].try_into().expect("a SHA-1 has 20 bytes"))
}
