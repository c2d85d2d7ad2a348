//! The bodies of captures, read from the table `bodies`.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::PathBuf,
    sync::Arc,
};

use arrow_array::{BooleanArray, Int64Array, StringArray};

use super::{
    sink::{RowKey, read_rows, stored_columns},
    table::bodies,
};
use crate::archive::error::Error;

/// Bodies that are in memory at once; each has at most as many bytes as the run read of a body.
const BODIES_AT_ONCE: usize = 16;

/// The captures whose bodies rows have, by the keys of the rows.
type CapturesOfRows = BTreeMap<i64, Vec<i64>>;

/// The files of a dataset in which bodies are found.
pub(super) struct BodyFiles {
    /// Those of `captures`.
    pub(super) captures: Vec<PathBuf>,
    /// Those of `bodies`.
    pub(super) bodies: Vec<PathBuf>,
}

stored_columns! {
    /// What says which row has the body of a capture, in `captures` and in `bodies`.
    struct DigestColumns<'b> {
        capture_id: &'b Int64Array,
        content_digest: &'b StringArray,
    }
}

stored_columns! {
    struct BodyColumns<'b> {
        capture_id: &'b Int64Array,
        is_utf8: &'b BooleanArray,
        body: &'b StringArray,
    }
}

impl BodyFiles {
    /// Calls `each` with each body and the captures that have it, by their identifiers, in the
    /// order of the stored bodies; one body is in memory at a time, besides the batch that it came
    /// in. Returns the captures whose bodies are not stored.
    pub(super) fn each(
        &self,
        ids: BTreeSet<i64>,
        mut each: impl FnMut(&[i64], &[u8]) -> Result<(), Error>,
    ) -> Result<BTreeSet<i64>, Error> {
        let (rows, missing) = self.rows(ids)?;
        let key = RowKey::Numbers("capture_id", Arc::new(rows.keys().copied().collect()));
        let mut body = Vec::new();
        for path in &self.bodies {
            read_rows(path, &key, &BodyColumns::NAMES, BODIES_AT_ONCE, |batch| {
                let columns = BodyColumns::from_batch(path, batch)?;
                for row in 0..batch.num_rows() {
                    body.clear();
                    let is_utf8 = columns.is_utf8.value(row);
                    bodies::read(is_utf8, columns.body.value(row), &mut body);
                    if let Some(captures) = rows.get(&columns.capture_id.value(row)) {
                        each(captures, &body)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(missing)
    }

    /// Returns the rows with the bodies of captures, by their keys, each with those captures; and
    /// the captures without one.
    fn rows(&self, ids: BTreeSet<i64>) -> Result<(CapturesOfRows, BTreeSet<i64>), Error> {
        let mut missing = ids.clone();
        let key = RowKey::Numbers("capture_id", Arc::new(ids));
        let mut by_digest: HashMap<String, Vec<i64>> = HashMap::new();
        for path in &self.captures {
            DigestColumns::each_row(path, Some(&key), |columns, row| {
                let digest = columns.content_digest.value(row).to_owned();
                let captures = by_digest.entry(digest).or_default();
                captures.push(columns.capture_id.value(row));
                Ok(())
            })?;
        }
        let mut rows = CapturesOfRows::new();
        let mut shared: HashMap<String, i64> = HashMap::new();
        for path in &self.bodies {
            DigestColumns::each_row(path, None, |columns, row| {
                let id = columns.capture_id.value(row);
                let digest = columns.content_digest.value(row);
                if missing.remove(&id) {
                    rows.insert(id, vec![id]);
                }
                if by_digest.contains_key(digest) && !shared.contains_key(digest) {
                    shared.insert(digest.to_owned(), id);
                }
                Ok(())
            })?;
        }
        for (digest, row) in shared {
            let sharing = by_digest.remove(&digest).unwrap_or_default().into_iter();
            let sharing: Vec<_> = sharing.filter(|id| missing.remove(id)).collect();
            if !sharing.is_empty() {
                rows.entry(row).or_default().extend(sharing);
            }
        }
        Ok((rows, missing))
    }
}
