//! The captures of published parts, a few columns of them, read from their files as often as
//! needed, or once if they are few.

use std::{
    collections::BTreeMap,
    ops::Range,
    path::Path,
    slice,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use arrow_array::{
    Array, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, types::Int32Type,
};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::splits::Split;
use crate::{
    archive::error::{Error, ErrorKind},
    dataset::{
        progress::Progress,
        redirect::{Redirect, write_canonical},
    },
};

/// The captures of some splits of a dataset.
#[derive(Clone, Copy)]
pub(in crate::dataset) struct CaptureRows<'d> {
    pub(in crate::dataset) splits: &'d [Split<'d>],
    /// The masks of all captures, if all are known.
    pub(in crate::dataset) masks: Option<&'d CategoryMasks>,
    /// What is not read again.
    pub(in crate::dataset) held: Option<&'d HeldCaptures>,
    pub(in crate::dataset) progress: &'d Progress,
}

/// All captures of a dataset, decoded.
pub(in crate::dataset) struct HeldCaptures {
    /// By split and slice.
    batches: Vec<Vec<Vec<RecordBatch>>>,
}

/// The most captures that are held: those of an ordinary part.
pub(super) const MAX_HELD: u64 = 128 * 1024;
/// The most bytes that they may take, which are some 300 each unless their URLs are long.
const MAX_HELD_BYTES: usize = 48 * 1024 * 1024;

/// By part, and by capture in the order of the rows: the categories of agents that its rules shut
/// out of `/` ([`category_mask`](super::mask::category_mask)). No table has them in one column.
pub(in crate::dataset) type CategoryMasks = BTreeMap<String, Vec<u32>>;

/// A row of `captures`.
#[derive(Clone, Copy)]
pub(in crate::dataset) struct CaptureRow<'b> {
    /// Its identifier.
    pub(in crate::dataset) id: i64,
    /// When it was fetched, microseconds since 1970, or [`Redirect::NO_TIME`].
    pub(in crate::dataset) time: i64,
    /// Its status code.
    pub(in crate::dataset) status: Option<i32>,
    /// Scheme, host and port of its URL.
    pub(in crate::dataset) origin: &'b str,
    /// The path of its URL.
    pub(in crate::dataset) path: &'b str,
    /// The query of its URL.
    pub(in crate::dataset) query: Option<&'b str>,
    /// What the fetch itself decides under the reference dialect.
    pub(in crate::dataset) access: &'b str,
}

/// A row of `captures` that is a redirect.
#[derive(Clone, Copy)]
pub(super) struct RedirectRow<'b> {
    pub(super) capture: CaptureRow<'b>,
    /// Its status code.
    pub(super) status: i32,
    /// The host of its URL.
    pub(super) host: &'b str,
    /// Where it leads.
    pub(super) location: Option<&'b str>,
}

/// The columns of a [`CaptureRow`].
const COLUMNS: [&str; 7] = [
    "capture_id",
    "url_path",
    "url_query",
    "origin",
    "fetch_time",
    "fetch_status",
    "access",
];
/// The columns of a [`RedirectRow`].
pub(super) const REDIRECT_COLUMNS: [&str; 9] = [
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
/// The columns of the status and the target of a redirect.
const TARGET_COLUMNS: [&str; 2] = ["fetch_status", "fetch_redirect"];

impl HeldCaptures {
    /// Reads these columns of all captures, unless they are more than `max_captures` or too large.
    pub(super) fn read(
        captures: CaptureRows<'_>,
        columns: &[&str],
        max_captures: u64,
    ) -> Result<Option<Self>, Error> {
        if captures.splits.iter().map(Split::n_rows).sum::<u64>() > max_captures {
            return Ok(None);
        }
        let n_bytes = AtomicUsize::new(0);
        let read = captures.map(|captures| {
            let slices = captures.splits[0].slices.iter().map(|slice| {
                let mut batches = Vec::new();
                slice.each_batch(columns, |batch| {
                    let more = batch.get_array_memory_size();
                    if n_bytes.fetch_add(more, Relaxed) + more > MAX_HELD_BYTES
                        || captures.progress.is_stopped()
                    {
                        return Err(ErrorKind::Interrupted.into());
                    }
                    batches.push(batch.clone());
                    Ok(())
                })?;
                Ok(batches)
            });
            slices.collect::<Result<_, Error>>()
        });
        match n_bytes.into_inner() > MAX_HELD_BYTES {
            true => Ok(None),
            false => Ok(Some(Self { batches: read? })),
        }
    }
}

impl<'d> CaptureRows<'d> {
    /// Calls `each` with every capture, in the order of the files.
    pub(super) fn each(
        &self,
        mut each: impl FnMut(&CaptureRow<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.each_batch(&COLUMNS, |path, batch, _| {
            let captures = CaptureBatch::of(path, batch)?;
            (0..batch.num_rows()).try_for_each(|row| each(&captures.row(row)))
        })
    }

    /// Calls `each` with every capture that is a redirect, in the order of the files.
    pub(super) fn each_redirect(
        &self,
        mut each: impl FnMut(&RedirectRow<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.each_batch(&REDIRECT_COLUMNS, |path, batch, _| {
            let captures = CaptureBatch::of(path, batch)?;
            let hosts = column::<StringArray>(path, batch, "url_host_name")?;
            let locations = column(path, batch, "fetch_redirect")?;
            each_status_of_redirect(captures.statuses, |row, status| {
                each(&RedirectRow {
                    capture: captures.row(row),
                    status,
                    host: hosts.value(row),
                    location: text(locations, row),
                })
            })
        })
    }

    /// Calls `each` with the status of every capture that is a redirect, and where it leads.
    pub(super) fn each_target(
        &self,
        mut each: impl FnMut(i32, Option<&str>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.each_batch(&TARGET_COLUMNS, |path, batch, _| {
            let locations = column(path, batch, "fetch_redirect")?;
            let statuses = column(path, batch, "fetch_status")?;
            each_status_of_redirect(statuses, |row, status| each(status, text(locations, row)))
        })
    }

    /// Calls `each` with batches that have these columns, in the order of the files: with the path
    /// of the file, the batch and the masks of its captures, of which there are none if they are
    /// not known.
    pub(super) fn each_batch(
        &self,
        columns: &[&str],
        mut each: impl FnMut(&Path, &RecordBatch, &[u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for split in self.splits {
            for (number, slice) in split.slices.iter().enumerate() {
                let masks = self.masks.and_then(|masks| masks.get(&slice.file.part));
                let mut first_row = slice.first_row;
                let path = &slice.file.path;
                let each = |batch: &RecordBatch| {
                    if self.progress.is_stopped() {
                        return Err(ErrorKind::Interrupted.into());
                    }
                    let masks = masks.and_then(|masks| masks.get(first_row..));
                    first_row += batch.num_rows();
                    each(path, batch, masks.unwrap_or_default())
                };
                match self.held {
                    Some(held) => held.batches[split.number][number]
                        .iter()
                        .try_for_each(each)?,
                    None => slice.each_batch(columns, each)?,
                }
            }
        }
        Ok(())
    }

    /// Returns the captures in their order, some splits for each thread at a time.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Self> {
        let splits = self.splits.chunks(4 * rayon::current_num_threads());
        splits.map(|splits| Self { splits, ..*self })
    }

    /// Returns the crawl of the captures of one split, if their archives name one.
    pub(super) fn crawl(&self) -> Option<&'d str> {
        self.splits.first().and_then(Split::crawl)
    }

    /// Calls `read` with the captures of each split, on all threads, and returns the results in the
    /// order of the captures.
    pub(super) fn map<T: Send>(
        &self,
        read: impl Fn(CaptureRows<'_>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let splits = self.splits.par_iter().map(|split| {
            read(CaptureRows {
                splits: slice::from_ref(split),
                ..*self
            })
        });
        splits.collect()
    }
}

impl CaptureRow<'_> {
    /// Returns true if and only if the capture is a redirect.
    pub(super) fn is_redirect(&self) -> bool {
        self.status.is_some_and(is_redirect)
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

/// Calls `each` with the row and the status of every redirect.
fn each_status_of_redirect(
    statuses: &Int32Array,
    mut each: impl FnMut(usize, i32) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rows = statuses.iter().enumerate();
    rows.try_for_each(|(row, status)| match status {
        Some(status) if is_redirect(status) => each(row, status),
        _ => Ok(()),
    })
}

/// A batch with [`COLUMNS`].
pub(super) struct CaptureBatch<'b> {
    ids: &'b Int64Array,
    times: &'b TimestampMicrosecondArray,
    statuses: &'b Int32Array,
    origins: &'b StringArray,
    paths: &'b StringArray,
    queries: &'b StringArray,
    accesses: Names<'b>,
}

impl<'b> CaptureBatch<'b> {
    pub(super) fn of(path: &Path, batch: &'b RecordBatch) -> Result<Self, Error> {
        Ok(Self {
            ids: column(path, batch, "capture_id")?,
            times: column(path, batch, "fetch_time")?,
            statuses: column(path, batch, "fetch_status")?,
            origins: column(path, batch, "origin")?,
            paths: column(path, batch, "url_path")?,
            queries: column(path, batch, "url_query")?,
            accesses: Names(column(path, batch, "access")?),
        })
    }

    pub(super) fn row(&self, row: usize) -> CaptureRow<'b> {
        CaptureRow {
            id: self.ids.value(row),
            time: match self.times.is_valid(row) {
                true => self.times.value(row),
                false => Redirect::NO_TIME,
            },
            status: int32(self.statuses, row),
            origin: self.origins.value(row),
            path: self.paths.value(row),
            query: text(self.queries, row),
            access: self.accesses.get(row).unwrap_or_default(),
        }
    }
}

/// A column of names.
pub(in crate::dataset) struct Names<'b>(pub(in crate::dataset) &'b DictionaryArray<Int32Type>);

impl<'b> Names<'b> {
    /// Returns the name of a row, unless it is NULL.
    pub(in crate::dataset) fn get(&self, row: usize) -> Option<&'b str> {
        let names = self.0.values().as_any().downcast_ref::<StringArray>()?;
        Some(names.value(self.0.key(row)?))
    }
}

pub(super) fn int32(array: &Int32Array, row: usize) -> Option<i32> {
    array.is_valid(row).then(|| array.value(row))
}

/// Returns a text, unless it is NULL.
pub(super) fn text(array: &StringArray, row: usize) -> Option<&str> {
    array.is_valid(row).then(|| array.value(row))
}

/// Returns a column as the type that the table `captures` has for it.
pub(in crate::dataset) fn column<'b, A: Array + 'static>(
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

/// The numbers of the redirects, in the order of the captures, as they were when they were first
/// read.
#[derive(Debug, Default)]
pub(in crate::dataset) struct RedirectNumbers {
    /// By split: the number of redirects up to its end.
    ends: Vec<u32>,
}

impl RedirectNumbers {
    /// Adds the next split, with so many redirects.
    ///
    /// # Panics
    ///
    /// If there are 2^31 redirects or more.
    pub(super) fn push(&mut self, n: usize) {
        let end = self.len() + n;
        let end = i32::try_from(end).expect("a dataset has fewer than 2^31 redirects");
        self.ends.push(end.cast_unsigned());
    }

    /// Returns how many redirects there are.
    pub(in crate::dataset) fn len(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Returns how many redirects a split has.
    pub(super) fn of_split(&self, split: &Split<'_>) -> usize {
        self.of_splits(slice::from_ref(split)).len()
    }

    /// Returns the numbers of the redirects among some captures.
    pub(super) fn of(&self, captures: CaptureRows<'_>) -> SplitNumbers {
        SplitNumbers {
            left: self.of_splits(captures.splits),
        }
    }

    fn of_splits(&self, splits: &[Split<'_>]) -> Range<u32> {
        let (Some(first), Some(last)) = (splits.first(), splits.last()) else {
            return 0..0;
        };
        let before = first.number.checked_sub(1);
        before.map_or(0, |before| self.ends[before])..self.ends[last.number]
    }
}

/// The numbers of redirects that are read again.
#[derive(Debug)]
pub(super) struct SplitNumbers {
    left: Range<u32>,
}

impl SplitNumbers {
    /// Returns the number of the next redirect.
    ///
    /// # Errors
    ///
    /// One redirect more than were found at first.
    pub(super) fn next(&mut self) -> Result<u32, Error> {
        self.left.next().ok_or_else(changed)
    }

    /// Checks that all redirects were read.
    ///
    /// # Errors
    ///
    /// Fewer redirects than were found at first.
    pub(super) fn finish(self) -> Result<(), Error> {
        match self.left.is_empty() {
            true => Ok(()),
            false => Err(changed()),
        }
    }
}

/// Returns the error of captures that are not those that were read first.
pub(super) fn changed() -> Error {
    Error::usage(
        "the captures of the dataset changed while its redirects were resolved; resolve them again when no run replaces its parts",
    )
}
