//! The captures of published parts, a few columns of them, read from their files as often as
//! needed.

use std::{collections::BTreeMap, path::Path};

use arrow_array::{
    Array, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, types::Int32Type,
};

use crate::{
    error::{Error, ErrorKind},
    pipeline::progress::Progress,
    redirect::{Redirect, write_canonical},
    sink::{PublishedFile, read_columns},
};

/// The captures of some files.
#[derive(Clone, Copy)]
pub(in crate::pipeline) struct CaptureRows<'d> {
    /// The masks of all captures, if all are known.
    pub(in crate::pipeline) masks: Option<&'d CategoryMasks>,
    pub(in crate::pipeline) files: &'d [PublishedFile],
    pub(in crate::pipeline) progress: &'d Progress,
}

/// By part, and by capture in the order of the rows: the categories of agents that its rules shut
/// out of `/` ([`category_mask`](super::mask::category_mask)). No table has them in one column.
pub(in crate::pipeline) type CategoryMasks = BTreeMap<String, Vec<u32>>;

/// A row of `captures`.
#[derive(Clone, Copy)]
pub(in crate::pipeline) struct CaptureRow<'b> {
    /// Its identifier.
    pub(in crate::pipeline) id: i64,
    /// When it was fetched, microseconds since 1970, or [`Redirect::NO_TIME`].
    pub(in crate::pipeline) time: i64,
    /// Its status code.
    pub(in crate::pipeline) status: Option<i32>,
    /// The host of its URL.
    pub(in crate::pipeline) host: &'b str,
    /// Scheme, host and port of its URL.
    pub(in crate::pipeline) origin: &'b str,
    /// The path of its URL.
    pub(in crate::pipeline) path: &'b str,
    /// The query of its URL.
    pub(in crate::pipeline) query: Option<&'b str>,
    /// Where it leads.
    pub(in crate::pipeline) redirect: Option<&'b str>,
    /// What the fetch itself decides under the reference dialect.
    pub(in crate::pipeline) access: &'b str,
}

const COLUMNS: [&str; 9] = [
    "capture_id",
    "url_host_name",
    "url_path",
    "url_query",
    "origin",
    "fetch_time",
    "fetch_status",
    "fetch_redirect",
    "access",
];

impl CaptureRows<'_> {
    /// Calls `each` with every capture, in the order of the files.
    pub(super) fn each(
        &self,
        each: &mut impl FnMut(&CaptureRow<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.each_batch(&COLUMNS, |path, batch, _| each_row(path, batch, each))
    }

    /// Calls `each` with batches of these columns, in the order of the files: with the path of the
    /// file, the batch and the masks of its captures, of which there are none if they are not
    /// known.
    pub(super) fn each_batch(
        &self,
        columns: &[&str],
        mut each: impl FnMut(&Path, &RecordBatch, &[u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rows_read: BTreeMap<&str, usize> = BTreeMap::new();
        for file in self.files {
            // Masks are of a part, which may have several files.
            let masks = self.masks.and_then(|masks| masks.get(&file.part));
            let read = rows_read.entry(&file.part).or_default();
            read_columns(&file.path, columns, |batch| {
                if self.progress.is_stopped() {
                    return Err(ErrorKind::Interrupted.into());
                }
                let masks = masks.and_then(|masks| masks.get(*read..));
                *read += batch.num_rows();
                each(&file.path, batch, masks.unwrap_or_default())
            })?;
        }
        Ok(())
    }
}

impl CaptureRow<'_> {
    /// Returns the status of a redirect.
    pub(super) fn redirect_status(&self) -> Option<i32> {
        self.status.filter(|&status| is_redirect(status))
    }

    /// Replaces `url` by the canonical URL.
    pub(super) fn write_url(&self, url: &mut String) {
        write_canonical(self.origin, self.path, self.query, url);
    }
}

/// Returns true if and only if a capture of that status is a redirect.
pub(super) fn is_redirect(status: i32) -> bool {
    (300..=399).contains(&status)
}

fn each_row(
    path: &Path,
    batch: &RecordBatch,
    each: &mut impl FnMut(&CaptureRow<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let ids = column::<Int64Array>(path, batch, "capture_id")?;
    let times = column::<TimestampMicrosecondArray>(path, batch, "fetch_time")?;
    let statuses = column::<Int32Array>(path, batch, "fetch_status")?;
    let hosts = column::<StringArray>(path, batch, "url_host_name")?;
    let origins = column::<StringArray>(path, batch, "origin")?;
    let paths = column::<StringArray>(path, batch, "url_path")?;
    let queries = column::<StringArray>(path, batch, "url_query")?;
    let redirects = column::<StringArray>(path, batch, "fetch_redirect")?;
    let accesses = column::<DictionaryArray<Int32Type>>(path, batch, "access")?;
    let names = accesses.values().as_any().downcast_ref::<StringArray>();
    let access = |row: usize| {
        let name = accesses.key(row).zip(names);
        name.map_or("", |(key, names)| names.value(key))
    };
    for row in 0..batch.num_rows() {
        each(&CaptureRow {
            id: ids.value(row),
            time: match times.is_valid(row) {
                true => times.value(row),
                false => Redirect::NO_TIME,
            },
            status: statuses.is_valid(row).then(|| statuses.value(row)),
            host: hosts.value(row),
            origin: origins.value(row),
            path: paths.value(row),
            query: text(queries, row),
            redirect: text(redirects, row),
            access: access(row),
        })?;
    }
    Ok(())
}

/// Returns a text, unless it is NULL.
pub(super) fn text(array: &StringArray, row: usize) -> Option<&str> {
    array.is_valid(row).then(|| array.value(row))
}

/// Returns a column as the type that the table `captures` has for it.
pub(in crate::pipeline) fn column<'b, A: Array + 'static>(
    path: &Path,
    batch: &'b RecordBatch,
    name: &str,
) -> Result<&'b A, Error> {
    let array = batch.column_by_name(name);
    array
        .and_then(|array| array.as_any().downcast_ref())
        .ok_or_else(|| {
            let found = array.map(|array| array.data_type().to_string());
            let found = found.as_deref().unwrap_or("none");
            let message = format!(
                "expected the column {name} as this version writes it, but found {found}; the file is not of this dataset"
            );
            Error::corrupt(path, message)
        })
}

/// Numbers redirects in the order of the captures, so that they have the same numbers each time
/// they are read.
#[derive(Debug)]
pub(super) struct RedirectNumbers {
    next: u32,
    n_redirects: usize,
}

impl RedirectNumbers {
    /// Returns the numbers of as many redirects as were found at first.
    pub(super) fn new(n_redirects: usize) -> Self {
        Self {
            next: 0,
            n_redirects,
        }
    }

    /// Returns the number of the next redirect.
    ///
    /// # Errors
    ///
    /// One redirect more than were found at first.
    pub(super) fn next(&mut self) -> Result<u32, Error> {
        let number = self.next;
        if number as usize == self.n_redirects {
            return Err(changed());
        }
        self.next += 1;
        Ok(number)
    }
}

/// Returns the error of captures that are not those that were read first.
pub(super) fn changed() -> Error {
    Error::usage(
        "the captures of the dataset changed while its redirects were resolved; resolve them again when no run replaces its parts",
    )
}
