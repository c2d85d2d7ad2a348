//! Writes a table that is built from all parts: one file for each crawl, in place of an older one
//! unless that is what would be written. The files of all crawls are published together, when they
//! are complete: one that no record names would be left by a run that is interrupted between two.

use std::{path::PathBuf, sync::Arc};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::{
    archive::error::Error,
    dataset::{
        sink::{Dataset, Format, PartWriter, RowGroup, TableFile, Targets, WholeTable},
        table_rows::ROW_GROUP_BYTES,
    },
};

/// Encoded bytes of a share of the rows that a thread holds.
const MAX_HELD_BYTES: usize = ROW_GROUP_BYTES;

/// Writes the files of a table that belongs to the dataset, not to a part of it.
pub(in crate::dataset) struct WholeWriter<'d> {
    dataset: &'d Dataset,
    table: &'static str,
    /// One for each crawl, of which the last may be open. A file that is not published is deleted
    /// with its writer.
    crawls: Vec<PartWriter>,
    /// The files of the crawls that have ended.
    files: Vec<TableFile>,
    /// The temporary paths of those that were written, and their final ones.
    targets: Targets,
    /// Bytes of those that were written.
    bytes: u64,
}

impl<'d> WholeWriter<'d> {
    pub(in crate::dataset) fn new(dataset: &'d Dataset, table: &'static str) -> Self {
        Self {
            dataset,
            table,
            crawls: Vec::new(),
            files: Vec::new(),
            targets: Vec::new(),
            bytes: 0,
        }
    }

    /// Keeps the file of a crawl and returns true, if there is one that is intact, was written with
    /// this metadata and is recorded as made of these parts. The metadata names all that rows
    /// follow from, the files of the parts and the options of the dataset, so that another file
    /// would have the same bytes.
    pub(super) fn keep(
        &mut self,
        crawl: Option<&str>,
        parts: &[&str],
        metadata: &[(String, String)],
    ) -> bool {
        let intact = self.dataset.intact(self.table, crawl, parts, metadata);
        let is_kept = intact.is_some();
        self.files.extend(intact);
        is_kept
    }

    /// Begins the file of a crawl.
    pub(in crate::dataset) fn begin(&mut self, format: &Arc<Format>) -> Result<(), Error> {
        let formats = std::slice::from_ref(format);
        let part = self.dataset.begin_part(self.table, formats)?;
        self.crawls.push(part);
        Ok(())
    }

    /// Appends row groups to the file that was begun.
    pub(in crate::dataset) fn append(&mut self, row_groups: Vec<RowGroup>) -> Result<(), Error> {
        let part = self.crawls.last_mut();
        let part = part.expect("a file is open while rows come");
        part.append(self.table, row_groups)
    }

    /// Appends shares of the rows to the file that was begun, each encoded by one of all threads:
    /// `encode` passes on row groups as they are complete.
    ///
    /// The row groups of a share are held until those before it are written. If they take more than
    /// [`MAX_HELD_BYTES`], they are dropped, and the share is encoded again when they can be
    /// written at once.
    pub(super) fn append_shares<S: Sync>(
        &mut self,
        shares: &[S],
        encode: impl Fn(&S, &mut dyn FnMut(Vec<RowGroup>) -> Result<(), Error>) -> Result<(), Error>
        + Sync,
    ) -> Result<(), Error> {
        let hold = |share: &S| {
            let (mut held, mut n_bytes) = (Vec::new(), 0);
            encode(share, &mut |row_groups| {
                n_bytes += row_groups.iter().map(RowGroup::n_bytes).sum::<usize>();
                if n_bytes <= MAX_HELD_BYTES {
                    held.extend(row_groups);
                } else {
                    held.clear();
                }
                Ok(())
            })?;
            Ok((n_bytes <= MAX_HELD_BYTES).then_some(held))
        };
        for shares in shares.chunks(rayon::current_num_threads()) {
            let held: Vec<_> = match shares {
                [_] => vec![None],
                _ => shares.par_iter().map(hold).collect::<Result<_, Error>>()?,
            };
            for (share, held) in shares.iter().zip(held) {
                match held {
                    Some(row_groups) => self.append(row_groups)?,
                    None => encode(share, &mut |row_groups| self.append(row_groups))?,
                }
            }
        }
        Ok(())
    }

    /// Completes the file that was begun.
    pub(in crate::dataset) fn end(&mut self, crawl: Option<&str>) -> Result<(), Error> {
        let part = self.crawls.last_mut().expect("a file was begun");
        let (files, targets) = self.dataset.complete(crawl, part)?;
        self.bytes += files.iter().map(|file| file.bytes).sum::<u64>();
        self.files.extend(files);
        self.targets.extend(targets);
        Ok(())
    }

    /// Returns the paths of the files, once they are published, in the order of their crawls.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let root = self.dataset.root();
        self.files
            .iter()
            .map(|file| root.join(&file.path))
            .collect()
    }

    /// Publishes the files with the parts that the table was built from, and returns the bytes that
    /// were written.
    pub(in crate::dataset) fn publish(&self, parts: &[&str]) -> Result<u64, Error> {
        self.dataset.publish_files(&self.targets)?;
        self.dataset.record(&WholeTable {
            table: self.table.to_owned(),
            parts: parts.iter().map(|&part| part.to_owned()).collect(),
            files: self.files.clone(),
        })?;
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        ops::Range,
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
    };

    use arrow_array::Int64Array;

    use super::*;
    use crate::{
        dataset::{
            sink::{column, empty_dataset, read_columns},
            table::{CaptureKey, Columns, bodies},
            table_rows::{BATCH_BYTES, BATCH_ROWS, TableRows},
        },
        sample::random::Random,
    };

    fn format() -> Arc<Format> {
        Format::new(&bodies::TABLE, &[]).unwrap().into()
    }

    /// Encodes a batch for each 16 bodies of 1 MiB, which compress to some 0.75 MiB, and passes row
    /// groups to `each`.
    fn encode(
        ids: Range<i64>,
        each: &mut dyn FnMut(Vec<RowGroup>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let rows = bodies::BodiesBuilder::default();
        let mut table = TableRows::new(rows, BATCH_ROWS, Some(format()));
        let mut random = Random::new(5);
        for id in ids {
            let mut body = Vec::with_capacity(BATCH_BYTES / 16);
            while body.len() < BATCH_BYTES / 16 {
                let bits = random.below(1 << 30);
                body.extend((0..5).map(|n| b' ' + (bits >> (6 * n) & 63) as u8));
            }
            let key = CaptureKey { id, host: "" };
            table.rows.append(key, &[b'A'; 32], &body);
            each(table.complete_row_groups()?)?;
            assert!(table.rows.n_rows() < 16);
        }
        each(table.finish()?)
    }

    #[test]
    fn batches_and_row_groups_end_by_bytes_before_they_have_many_rows() {
        let mut n_rows = Vec::new();
        let mut collect = |row_groups: Vec<RowGroup>| {
            n_rows.extend(row_groups.iter().map(RowGroup::n_rows));
            Ok(())
        };
        encode(0..50, &mut collect).unwrap();
        assert_eq!(n_rows, [48, 2]);
    }

    #[test]
    fn shares_are_written_in_their_order_and_a_long_one_is_encoded_again() {
        let dir = tempfile::tempdir().unwrap();
        let dataset = empty_dataset(&dir.path().join("out"));
        let shares = [0..2, 2..70, 70..75];
        for (n_threads, expected) in [(1, [1, 1, 1]), (2, [1, 2, 1]), (3, [1, 2, 1])] {
            let n_encoded = [(); 3].map(|()| AtomicUsize::new(0));
            let path = dir
                .path()
                .join(format!("out/bodies/crawl={n_threads}/part-bodies.parquet"));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            pool.build().unwrap().install(|| {
                let mut writer = WholeWriter::new(&dataset, bodies::TABLE.name);
                writer.begin(&format()).unwrap();
                let encode = |share: &Range<i64>, append: &mut dyn FnMut(_) -> _| {
                    let index = shares.iter().position(|other| other == share).unwrap();
                    n_encoded[index].fetch_add(1, Relaxed);
                    encode(share.clone(), append)
                };
                writer.append_shares(&shares, encode).unwrap();
                writer.end(Some(&n_threads.to_string())).unwrap();
                assert!(!path.exists());
                writer.publish(&[]).unwrap();
            });
            assert_eq!(n_encoded.map(AtomicUsize::into_inner), expected);
            let mut ids: Vec<i64> = Vec::new();
            read_columns(&path, &["capture_id"], |batch| {
                ids.extend(column::<&Int64Array>(&path, batch, "capture_id")?.values());
                Ok(())
            })
            .unwrap();
            assert!(ids.into_iter().eq(0..75));
        }
    }
}
