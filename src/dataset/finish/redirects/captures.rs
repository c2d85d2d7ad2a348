//! The captures of published parts, a few columns of them, read from their files as often as
//! needed.

use std::{ops::Range, path::Path, slice};

use arrow_array::{Int32Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::splits::Split;
use crate::{
    archive::error::Error,
    dataset::{
        progress::Progress,
        redirect::{Origin, Redirect, write_canonical},
        sink::{Names, StoredColumn, read_row_groups, stored_columns},
    },
};

/// The captures of some splits of a dataset.
#[derive(Clone, Copy)]
pub(in crate::dataset) struct CaptureRows<'d> {
    pub(in crate::dataset) splits: &'d [Split<'d>],
    pub(in crate::dataset) progress: &'d Progress,
}

/// A row of `captures`.
#[derive(Clone, Copy)]
pub(in crate::dataset) struct CaptureRow<'b> {
    /// Its identifier.
    pub(in crate::dataset) id: i64,
    /// When it was fetched, microseconds since 1970, or [`Redirect::NO_TIME`].
    pub(in crate::dataset) time: i64,
    /// Its status code.
    pub(in crate::dataset) status: Option<i32>,
    /// The origin of its URL.
    pub(in crate::dataset) origin: Origin<'b>,
    /// The path of its URL.
    pub(in crate::dataset) path: &'b str,
    /// The query of its URL.
    pub(in crate::dataset) query: Option<&'b str>,
    /// Where it leads, if it is a redirect.
    pub(in crate::dataset) location: Option<&'b str>,
    /// What the fetch itself decides under the reference dialect.
    pub(in crate::dataset) access: &'b str,
}

stored_columns! {
    /// The columns of a [`CaptureRow`].
    struct CaptureColumns<'b> {
        capture_id: &'b Int64Array,
        url_protocol: Names<'b>,
        url_host_name: &'b StringArray,
        url_port: &'b Int32Array,
        url_path: &'b StringArray,
        url_query: &'b StringArray,
        fetch_time: &'b TimestampMicrosecondArray,
        fetch_status: &'b Int32Array,
        fetch_redirect: &'b StringArray,
        access: Names<'b>,
    }
}

impl<'d> CaptureRows<'d> {
    /// Calls `each` with every capture, in the order of the files.
    pub(super) fn each(
        &self,
        mut each: impl FnMut(&CaptureRow<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.each_batch(&CaptureColumns::NAMES, |path, batch| {
            let captures = CaptureColumns::from_batch(path, batch)?;
            (0..batch.num_rows()).try_for_each(|row| each(&captures.row(row)))
        })
    }

    /// Calls `each` with every capture, in the order of the files, and with the number and the
    /// status of those that are redirects.
    ///
    /// # Errors
    ///
    /// More or fewer redirects than were numbered, besides a file that cannot be read.
    pub(super) fn each_numbered(
        &self,
        numbers: &RedirectNumbers,
        mut each: impl FnMut(&CaptureRow<'_>, Option<(u32, i32)>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut numbers = numbers.of(self.splits);
        self.each(|capture| each(capture, numbers.next(capture.status)?))?;
        numbers.finish()
    }

    /// Calls `each` with the path of each file and its batches, which have these columns, in the
    /// order of the files.
    pub(super) fn each_batch(
        &self,
        columns: &[&str],
        mut each: impl FnMut(&Path, &RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for split in self.splits {
            for slice in &split.slices {
                let path = &slice.file.path;
                read_row_groups(path, slice.row_groups.clone(), columns, |batch| {
                    self.progress.check()?;
                    each(path, batch)
                })?;
            }
        }
        Ok(())
    }

    /// Returns the captures in their order, some splits for each thread at a time.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Self> {
        let splits = self.splits.chunks(4 * rayon::current_num_threads());
        splits.map(|splits| Self { splits, ..*self })
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
    /// Replaces `url` by the canonical URL.
    pub(super) fn write_url(&self, url: &mut String) {
        write_canonical(self.origin, self.path, self.query, url);
    }
}

/// Returns the status of a capture, if it is that of a redirect.
pub(super) fn redirecting(status: Option<i32>) -> Option<i32> {
    status.filter(|status| (300..=399).contains(status))
}

impl<'b> CaptureColumns<'b> {
    fn row(&self, row: usize) -> CaptureRow<'b> {
        let origin = (self.url_protocol, self.url_host_name, self.url_port);
        CaptureRow {
            id: self.capture_id.value(row),
            time: self.fetch_time.get(row).unwrap_or(Redirect::NO_TIME),
            status: self.fetch_status.get(row),
            origin: Origin::of_row(origin, row),
            path: self.url_path.value(row),
            query: self.url_query.get(row),
            location: self.fetch_redirect.get(row),
            access: self.access.get(row).unwrap_or_default(),
        }
    }
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

    /// Returns the numbers of the redirects of adjacent splits.
    pub(super) fn of(&self, splits: &[Split<'_>]) -> SplitNumbers {
        let (Some(first), Some(last)) = (splits.first(), splits.last()) else {
            return SplitNumbers(0..0);
        };
        let before = first.number.checked_sub(1);
        SplitNumbers(before.map_or(0, |before| self.ends[before])..self.ends[last.number])
    }
}

/// The numbers of redirects that are read again.
#[derive(Debug)]
pub(super) struct SplitNumbers(pub(super) Range<u32>);

impl SplitNumbers {
    /// Returns the number and the status of the next capture, given that status, if it is a
    /// redirect.
    ///
    /// # Errors
    ///
    /// One redirect more than were found at first.
    pub(super) fn next(&mut self, status: Option<i32>) -> Result<Option<(u32, i32)>, Error> {
        let Some(status) = redirecting(status) else {
            return Ok(None);
        };
        let number = self.0.next().ok_or_else(changed)?;
        Ok(Some((number, status)))
    }

    /// Checks that all redirects were read.
    ///
    /// # Errors
    ///
    /// Fewer redirects than were found at first.
    pub(super) fn finish(self) -> Result<(), Error> {
        if !self.0.is_empty() {
            return Err(changed());
        }
        Ok(())
    }
}

/// Returns the error of captures that are not those that were read first.
pub(super) fn changed() -> Error {
    Error::usage(
        "the captures of the dataset changed while its redirects were resolved; resolve them again when no run replaces its parts",
    )
}
