//! The rows of `hosts`, compared with the origins of the captures.

use std::{collections::HashSet, path::Path};

use arrow_array::{Array, Int32Array, StringArray};

use super::violation::{Verified, ViolationKind, list_of_table};
use crate::{
    archive::{capture::ROBOTS_PATH, error::Error},
    dataset::{
        config::Config,
        progress::Progress,
        redirect::Origin,
        sink::{Manifest, Names, StoredColumn, WholeTable, stored_columns},
        table::captures,
    },
    digest::sha1_of_list,
};

/// Origins that are held at once: as many as a hash table of 2^23 slots holds, which takes 143 MB.
/// Of more captures, all are read several times, for a share of the origins each time.
const MAX_ORIGINS: u64 = (1 << 23) / 8 * 7;

/// Compares the rows of `hosts` with the distinct origins of the captures of a robots.txt in each
/// crawl, of the cohort if there is one; parts and table are intact. Which fetch counts is not
/// found out again.
pub(super) fn account_hosts(
    (root, config): (&Path, &Config),
    manifests: &[Manifest],
    table: &WholeTable,
    n_captures: u64,
    progress: &Progress,
    verified: &mut Verified,
) -> Result<(), Error> {
    let cohort = config.cohort.as_deref();
    let is_member = |host: &str, domain: Option<&str>| {
        cohort.is_none_or(|cohort| cohort.names.have(host, || domain))
    };
    let n_rows = table.n_rows();
    let shares = u128::from(n_captures.div_ceil(MAX_ORIGINS).max(1));
    let mut n_origins = 0;
    for share in 0..shares {
        let mut origins = HashSet::new();
        let parts = manifests.iter();
        for file in parts.flat_map(|part| part.files_of(captures::TABLE.name)) {
            let path = root.join(&file.path);
            // Captures of a crawl are in a folder of its own, as rows of hosts are.
            let crawl = file.path.split('/').rev().nth(1).unwrap_or_default();
            UrlColumns::each_row(&path, None, |urls, row| {
                progress.check()?;
                let domain = urls.url_host_registered_domain.get(row);
                let columns = (urls.url_protocol, urls.url_host_name, urls.url_port);
                let origin = Origin::of_row(columns, row);
                if urls.url_path.value(row) == ROBOTS_PATH
                    && urls.url_query.is_null(row)
                    && is_member(origin.host, domain)
                {
                    let hash = hash(crawl, &origin.to_string());
                    if hash % shares == share {
                        origins.insert(hash);
                    }
                }
                Ok(())
            })?;
        }
        n_origins += origins.len() as u64;
    }
    if n_rows != n_origins {
        let message = format!(
            "expected {n_origins} rows of hosts, one for each crawl and origin of which a robots.txt was requested, but found {n_rows}; resolve the redirects again"
        );
        let list = list_of_table(&table.table);
        verified.find(list, ViolationKind::Accounting, message);
    }
    Ok(())
}

stored_columns! {
    /// The columns by which a capture is known as one of a robots.txt.
    struct UrlColumns<'b> {
        url_path: &'b StringArray,
        url_query: &'b StringArray,
        url_protocol: Names<'b>,
        url_host_name: &'b StringArray,
        url_port: &'b Int32Array,
        url_host_registered_domain: &'b StringArray,
    }
}

/// Returns 128 bits of the digest of an origin in a crawl, by which distinct ones are told apart.
fn hash(crawl: &str, origin: &str) -> u128 {
    let digest = sha1_of_list([crawl, origin]);
    u128::from_be_bytes(digest[..16].try_into().expect("a SHA-1 has 20 bytes"))
}
