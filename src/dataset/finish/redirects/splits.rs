//! The captures of a dataset, divided among threads.

use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::{
    archive::error::Error,
    dataset::{
        progress::Progress,
        sink::{PublishedFile, row_group_rows},
    },
};

/// Rows of a split, unless one row group has more: some 16 MiB of what hosts are made of.
pub(in crate::dataset) const SPLIT_ROWS: u64 = 64 * 1024;

/// Captures that one thread reads at a time.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Split<'d> {
    /// From 0, in the order of the captures.
    pub(super) number: usize,
    pub(super) slices: Vec<Slice<'d>>,
}

/// Adjacent captures of one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Slice<'d> {
    pub(super) file: &'d PublishedFile,
    /// `None` is all of them.
    pub(super) row_groups: Option<Range<usize>>,
}

/// Divides the rows of files by these alone: not by the number of threads. A split has at most
/// `max_rows`, unless one row group has more.
///
/// # Errors
///
/// A file that cannot be read, and [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
pub(in crate::dataset) fn split<'d>(
    files: &'d [PublishedFile],
    max_rows: u64,
    progress: &Progress,
) -> Result<Vec<Split<'d>>, Error> {
    split_by(files, max_rows, |file| {
        progress.check()?;
        row_group_rows(&file.path)
    })
}

fn split_by(
    files: &[PublishedFile],
    max_rows: u64,
    row_groups: impl Fn(&PublishedFile) -> Result<Vec<u64>, Error> + Sync,
) -> Result<Vec<Split<'_>>, Error> {
    let of_long = files
        .par_iter()
        .map(|file| (file.rows > max_rows).then(|| row_groups(file)).transpose());
    let of_long: Vec<Option<Vec<u64>>> = of_long.collect::<Result<_, _>>()?;
    let mut splits: Vec<Split<'_>> = Vec::new();
    let mut rows_of_split = 0;
    for (file, row_groups) in files.iter().zip(of_long) {
        // All rows of a short file are as one row group.
        let is_whole = row_groups.is_none();
        let row_groups = row_groups.unwrap_or_else(|| vec![file.rows]);
        for (row_group, n_rows) in row_groups.into_iter().enumerate() {
            rows_of_split += n_rows;
            let split = match splits.last_mut() {
                Some(split) if rows_of_split <= max_rows => split,
                _ => {
                    rows_of_split = n_rows;
                    let number = splits.len();
                    let slices = Vec::new();
                    splits.push_mut(Split { number, slices })
                }
            };
            let last = split.slices.last_mut().filter(|slice| slice.file == file);
            match last.and_then(|slice| slice.row_groups.as_mut()) {
                Some(row_groups) => row_groups.end += 1,
                None => split.slices.push(Slice {
                    file,
                    row_groups: (!is_whole).then_some(row_group..row_group + 1),
                }),
            }
        }
    }
    Ok(splits)
}

/// Cuts a range into ranges of at most `most` by the sum of their sizes, or of one item.
pub(in crate::dataset) fn cut(
    range: Range<usize>,
    most: u64,
    size: impl Fn(usize) -> u64,
) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut start = range.start;
    let mut bytes = 0_u64;
    for index in range.clone() {
        let sum = bytes.saturating_add(size(index));
        if index > start && sum > most {
            cuts.push(start..index);
            start = index;
            bytes = size(index);
        } else {
            bytes = sum;
        }
    }
    cuts.push(start..range.end);
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_hold_whole_row_groups_in_the_order_of_the_files() {
        let file = |part: &str, rows| PublishedFile {
            crawl: None,
            path: format!("{part}/{rows}").into(),
            part: part.to_owned(),
            rows,
            sha1: String::new(),
        };
        let files = [
            file("a", 4),
            file("a", 6),
            file("b", 25),
            file("c", 0),
            file("d", 1),
        ];
        let splits = split_by(&files, 10, |file| {
            assert_eq!(file.rows, 25);
            Ok(vec![6, 4, 15])
        });
        let splits = splits.unwrap();
        let describe = |slice: &Slice<'_>| {
            let file = files.iter().position(|file| file == slice.file);
            (file.unwrap(), slice.row_groups.clone())
        };
        let slices = |split: &Split<'_>| split.slices.iter().map(describe).collect();
        let described: Vec<Vec<_>> = splits.iter().map(slices).collect();
        assert_eq!(
            described,
            [
                vec![(0, None), (1, None)],
                vec![(2, Some(0..2))],
                vec![(2, Some(2..3))],
                vec![(3, None), (4, None)],
            ]
        );
        assert!(splits.iter().map(|split| split.number).eq(0..4));
        assert!(split_by(&[], 10, |_| Ok(Vec::new())).unwrap().is_empty());
    }
}
