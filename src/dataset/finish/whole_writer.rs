//! Writes a table that is built from all parts: one file for each crawl, in place of older ones.

use std::sync::Arc;

use arrow_array::RecordBatch;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::{
    archive::error::{Error, ErrorKind},
    dataset::{
        sink::{Dataset, Encoder, Format, PartWriter, RowGroup, TableFile, WholeTable},
        table::Columns,
    },
};

/// Rows that a builder collects before they are encoded: few enough to stay in the processor's
/// caches.
const BATCH_ROWS: usize = 16 * 1024;
/// Bytes of text at which a batch ends before it has as many rows: hosts and URLs may be long.
const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// Rows after which a row group ends: engines scan those of 100,000 and more best, and all that was
/// encoded is in memory until then.
pub(super) const ROW_GROUP_ROWS: usize = 8 * BATCH_ROWS;
/// Encoded bytes at which a row group ends before it has as many rows; most have some 10 MB.
const ROW_GROUP_BYTES: usize = 32 * 1024 * 1024;
/// Encoded bytes of a share of the rows that a thread holds.
const MAX_HELD_BYTES: usize = ROW_GROUP_BYTES;

/// Returns whether the rows of a builder are as many as are encoded at a time.
pub(super) fn is_batch(rows: &impl Columns) -> bool {
    rows.n_rows() >= BATCH_ROWS || rows.n_bytes() >= BATCH_BYTES
}

/// Encodes batches as row groups, which end with a batch.
pub(super) struct RowGroupEncoder {
    encoder: Encoder,
    /// Of the row group that has not ended.
    n_rows: usize,
}

impl RowGroupEncoder {
    pub(super) fn new(format: Arc<Format>) -> Self {
        let encoder = Encoder::new(format);
        Self { encoder, n_rows: 0 }
    }

    /// Encodes rows, and returns the row group that is complete with them, if there is one.
    pub(super) fn write(&mut self, rows: RecordBatch) -> Result<Vec<RowGroup>, Error> {
        self.n_rows += rows.num_rows();
        self.encoder.write(rows)?;
        match self.n_rows >= ROW_GROUP_ROWS || self.encoder.memory_size() >= ROW_GROUP_BYTES {
            true => self.finish(),
            false => Ok(Vec::new()),
        }
    }

    /// Returns the last row group, if it has rows.
    pub(super) fn finish(&mut self) -> Result<Vec<RowGroup>, Error> {
        self.n_rows = 0;
        self.encoder.finish()
    }
}

/// Writes the files of a table.
pub(super) struct WholeWriter<'d> {
    dataset: &'d Dataset,
    format: Arc<Format>,
    open: Option<PartWriter>,
    /// The files of the crawls that have ended.
    files: Vec<TableFile>,
}

impl<'d> WholeWriter<'d> {
    pub(super) fn new(dataset: &'d Dataset, format: Arc<Format>) -> Self {
        Self {
            dataset,
            format,
            open: None,
            files: Vec::new(),
        }
    }

    /// Begins the file of a crawl.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        let formats = std::slice::from_ref(&self.format);
        self.open = Some(self.dataset.begin_part(self.format.name(), formats)?);
        Ok(())
    }

    /// Appends row groups of the format to the file that was begun.
    pub(super) fn append(&mut self, row_groups: Vec<RowGroup>) -> Result<(), Error> {
        self.open().append(0, row_groups)
    }

    /// Appends shares of the rows to the file that was begun, each encoded by one of all threads:
    /// `encode` passes on row groups as they are complete, and what it returns is passed to `each`,
    /// in the order of the shares.
    ///
    /// The row groups of a share are held until those before it are written. If they take more than
    /// [`MAX_HELD_BYTES`], the share is encoded again, when they can be written at once.
    pub(super) fn append_shares<S: Sync, T: Send>(
        &mut self,
        shares: &[S],
        encode: impl Fn(&S, &mut dyn FnMut(Vec<RowGroup>) -> Result<(), Error>) -> Result<T, Error>
        + Sync,
        mut each: impl FnMut(T),
    ) -> Result<(), Error> {
        let hold = |share: &S| {
            let (mut held, mut n_bytes) = (Vec::new(), 0);
            let encoded = encode(share, &mut |row_groups| {
                n_bytes += row_groups.iter().map(RowGroup::n_bytes).sum::<usize>();
                if n_bytes > MAX_HELD_BYTES {
                    // It only ends `encode`: the share is encoded again below.
                    return Err(ErrorKind::Interrupted.into());
                }
                held.extend(row_groups);
                Ok(())
            });
            match n_bytes > MAX_HELD_BYTES {
                true => Ok(None),
                false => Ok(Some((held, encoded?))),
            }
        };
        for shares in shares.chunks(rayon::current_num_threads()) {
            let held: Vec<_> = match shares {
                [_] => vec![None],
                _ => shares.par_iter().map(hold).collect::<Result<_, Error>>()?,
            };
            for (share, held) in shares.iter().zip(held) {
                each(match held {
                    Some((row_groups, encoded)) => {
                        self.append(row_groups)?;
                        encoded
                    }
                    None => encode(share, &mut |row_groups| self.append(row_groups))?,
                });
            }
        }
        Ok(())
    }

    /// Publishes the file that was begun.
    pub(super) fn end(&mut self, crawl: Option<&str>) -> Result<(), Error> {
        let part = self.open.take().expect("a file was begun");
        self.files.extend(self.dataset.replace(crawl, part)?);
        Ok(())
    }

    /// Records the files and the parts that the table was built from, and returns the bytes of the
    /// files.
    pub(super) fn record(self, parts: &[&str]) -> Result<u64, Error> {
        let bytes = self.files.iter().map(|file| file.bytes).sum();
        self.dataset.record(&WholeTable {
            table: self.format.name().to_owned(),
            parts: parts.iter().map(|&part| part.to_owned()).collect(),
            files: self.files,
        })?;
        Ok(bytes)
    }

    fn open(&mut self) -> &mut PartWriter {
        self.open.as_mut().expect("a file is open while rows come")
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
            finish::redirects::column,
            sink::{empty_dataset, read_columns},
            table::{CaptureKey, TableBuilder, robots_bodies},
        },
        sample::random::Random,
    };

    fn format() -> Arc<Format> {
        Format::new(&robots_bodies::TABLE, &[]).unwrap().into()
    }

    /// Encodes a batch for each 16 bodies of 1 MiB, which compress to some 0.75 MiB, and passes row
    /// groups to `each`.
    fn encode(
        ids: Range<i64>,
        each: &mut dyn FnMut(Vec<RowGroup>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut encoder = RowGroupEncoder::new(format());
        let mut builder = robots_bodies::RobotsBodiesBuilder::default();
        let mut random = Random::new(5);
        for id in ids {
            let mut body = Vec::with_capacity(BATCH_BYTES / 16);
            while body.len() < BATCH_BYTES / 16 {
                let bits = random.below(1 << 30);
                body.extend((0..5).map(|n| b' ' + (bits >> (6 * n) & 63) as u8));
            }
            builder.append(CaptureKey { id, host: "" }, &body);
            if is_batch(&builder) {
                assert_eq!(builder.n_rows(), 16);
                each(encoder.write(builder.finish())?)?;
            }
        }
        each(encoder.write(builder.finish())?)?;
        each(encoder.finish()?)
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
            let mut returned = Vec::new();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            pool.build().unwrap().install(|| {
                let mut writer = WholeWriter::new(&dataset, format());
                writer.begin().unwrap();
                let encode = |share: &Range<i64>, append: &mut dyn FnMut(_) -> _| {
                    let index = shares.iter().position(|other| other == share).unwrap();
                    n_encoded[index].fetch_add(1, Relaxed);
                    encode(share.clone(), append).map(|()| index)
                };
                let appended = writer.append_shares(&shares, encode, |index| returned.push(index));
                appended.unwrap();
                writer.end(None).unwrap();
            });
            assert_eq!(n_encoded.map(AtomicUsize::into_inner), expected);
            assert_eq!(returned, [0, 1, 2]);
            let path = dir
                .path()
                .join("out/robots_bodies/part-robots_bodies.parquet");
            let mut ids: Vec<i64> = Vec::new();
            read_columns(&path, &["capture_id"], |batch| {
                ids.extend(column::<Int64Array>(&path, batch, "capture_id")?.values());
                Ok(())
            })
            .unwrap();
            assert!(ids.into_iter().eq(0..75));
        }
    }
}
