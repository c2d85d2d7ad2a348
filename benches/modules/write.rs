//! Writing: from record batches to encoded row groups, table by table.
//!
//! The batches are those of a run over the sample archive with the built-in matrix, read back from
//! its files. The peer is a plain `ArrowWriter` on the same batches and with the same compression,
//! whose other properties are its defaults: it also compares every value for the statistics that we
//! omit, and it writes none of our Bloom filters.

use std::{fs::File, io, path::Path, sync::Arc};

use arrow_array::RecordBatch;
use criterion::{BenchmarkId, Criterion, Throughput};
use parquet::{
    arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder},
    basic::{Compression, ZstdLevel},
    file::properties::WriterProperties,
};
use robocensus::{
    Config, Progress,
    archive::input,
    dataset::{
        sink::{Encoder, Format, RowGroup},
        table::TABLES,
    },
    sample,
};

use crate::inputs;

/// Rows of a batch, as in a run.
const BATCH_ROWS: usize = 16 * 1024;
/// A table of fewer rows, such as one with a row for each archive, is not measured.
const LEAST_ROWS: usize = 100;

pub fn define(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for a dataset can be made");
    make_dataset(folder.path());
    let compression = ZstdLevel::try_new(1).expect("zstd has a level 1");
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(compression))
        .build();
    let mut group = criterion.benchmark_group("write");
    for table in &TABLES {
        let batches = batches(&folder.path().join("census").join(table.name));
        let n_rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        if n_rows < LEAST_ROWS {
            println!("Excluded: {} with {n_rows} rows", table.name);
            continue;
        }
        let format = Format::new(table, &[]);
        let format = Arc::new(format.expect("Parquet can hold every table"));
        group.throughput(Throughput::Elements(n_rows as u64));
        group.bench_function(BenchmarkId::new(table.name, "robocensus"), |bencher| {
            bencher.iter(|| assert_eq!(encode(&format, &batches), n_rows));
        });
        group.bench_function(BenchmarkId::new(table.name, "ArrowWriter"), |bencher| {
            bencher.iter(|| assert_eq!(by_arrow_writer(&properties, &batches), n_rows));
        });
    }
    group.finish();
}

fn make_dataset(folder: &Path) {
    let archive = folder.join("sample.warc.gz");
    let mut file = File::create(&archive).expect("a file can be made");
    sample::write(&inputs::SAMPLE, &mut file).expect("the archive can be written");
    let archives = input::expand(&[archive.to_string_lossy()]).expect("the archive is there");
    let config = Config::new(folder.join("census"));
    robocensus::run(&config, &archives, &Progress::default()).expect("the archive can be read");
}

fn batches(table: &Path) -> Vec<RecordBatch> {
    let mut batches = Vec::new();
    let files = table.read_dir().expect("every table has a folder");
    for file in files.flatten() {
        let file = File::open(file.path()).expect("what was written can be read");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file)
            .and_then(|builder| builder.with_batch_size(BATCH_ROWS).build())
            .expect("what was written is Parquet");
        batches.extend(reader.map(|batch| batch.expect("what was written can be decoded")));
    }
    batches
}

fn encode(format: &Arc<Format>, batches: &[RecordBatch]) -> usize {
    let mut encoder = Encoder::new(format.clone());
    for batch in batches {
        encoder
            .write(batch.clone())
            .expect("the batches are of the schema");
    }
    let groups = encoder.finish().expect("what was encoded can be finished");
    groups.iter().map(RowGroup::n_rows).sum()
}

fn by_arrow_writer(properties: &WriterProperties, batches: &[RecordBatch]) -> usize {
    let schema = batches[0].schema();
    let mut writer = ArrowWriter::try_new(io::sink(), schema, Some(properties.clone()))
        .expect("Parquet can hold every table");
    for batch in batches {
        writer.write(batch).expect("the batches are of the schema");
    }
    let closed = writer.close().expect("nothing is written anywhere");
    closed.file_metadata().num_rows() as usize
}
