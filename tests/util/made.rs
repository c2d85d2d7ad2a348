//! Archives made by hand, and runs of the library on archives held in memory.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use arrow_array::{ArrayRef, RecordBatch};
use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};
use parquet::{arrow::ArrowWriter, file::properties::WriterProperties};
use robocensus::{ArchiveSource, Config, Progress, Summary, archive::input::Source, sample};

use super::{Census, Dir};

/// How the bytes of an archive are opened.
type Open = fn(Vec<u8>) -> io::Result<Box<dyn Read + Send>>;

/// An archive in memory.
#[derive(Clone, Debug)]
pub struct Held {
    pub name: String,
    pub bytes: Vec<u8>,
    /// What the source says of its size; the plan of a run depends on it.
    pub size: Option<u64>,
    open: Open,
}

impl Source for Held {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        (self.open)(self.bytes.clone())
    }

    fn size(&self) -> Option<u64> {
        self.size
    }

    fn location(&self) -> String {
        self.name.clone()
    }
}

/// Opens bytes on a disk that fails behind them.
pub fn open_failing(bytes: Vec<u8>) -> io::Result<Box<dyn Read + Send>> {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    Ok(Box::new(io::Cursor::new(bytes).chain(Fails)))
}

impl Held {
    /// Returns a source that does this with its bytes when it is opened.
    pub fn opened_by(mut self, open: Open) -> ArchiveSource {
        self.open = open;
        self.source()
    }

    pub fn new(name: &str, bytes: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            size: Some(bytes.len() as u64),
            bytes,
            open: |bytes| Ok(Box::new(io::Cursor::new(bytes))),
        }
    }

    /// Returns the archive with a size of that many MiB, by which a run is planned.
    pub fn of_mib(mut self, mib: u64) -> Self {
        self.size = Some(mib << 20);
        self
    }

    pub fn source(self) -> ArchiveSource {
        ArchiveSource::new(self.name.clone(), Box::new(self))
    }
}

/// Returns a generated archive.
pub fn sample(captures: u64, seed: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    sample::write(&sample::Options { captures, seed }, &mut bytes).unwrap();
    bytes
}

/// Writes generated archives into the folder `archives`. The second one is cut off.
pub fn write_archives(dir: &Dir, n: u64) {
    for seed in 0..n {
        let mut bytes = sample(60 + 40 * seed, seed);
        if seed == 1 {
            bytes.truncate(bytes.len() - 100);
        }
        dir.write(&format!("archives/{seed}.warc.gz"), bytes);
    }
}

/// Runs the library on one archive with the default options.
pub fn run_alone(archive: Held, out: &Path) -> Summary {
    let config = Config::new(out);
    let summary = robocensus::run(&config, &[archive.source()], &Progress::default()).unwrap();
    Census(out.to_owned()).assert_counts(&summary.counts);
    summary
}

/// Returns a `response` record of a capture with status 200.
pub fn response(url: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    response_with(url, "Content-Type: text/plain", body)
}

/// Returns a `response` record with this field in its HTTP header.
pub fn response_with(url: &str, field: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\n{field}\r\n\r\n");
    answered(url, [head.as_bytes(), body.as_ref()].concat())
}

/// Returns a `response` record of a capture with this HTTP response.
pub fn answered(url: &str, http: impl AsRef<[u8]>) -> Vec<u8> {
    record(url, "WARC-Date: 2026-01-02T03:04:05Z\r\n", http)
}

/// Returns a `response` record with these lines in its header, and this block.
pub fn record(url: &str, lines: &str, block: impl AsRef<[u8]>) -> Vec<u8> {
    let block = block.as_ref();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n{lines}\
         WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// Writes a Parquet file of these columns, which Snappy compresses.
pub fn write_parquet<const N: usize>(path: &Path, columns: [(&str, ArrayRef); N]) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let snappy = WriterProperties::builder().set_compression(parquet::basic::Compression::SNAPPY);
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(snappy.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// Returns the bytes as one gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a file's bytes, inflated if it is gzip.
pub fn read(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    if !bytes.starts_with(b"\x1f\x8b") {
        return bytes;
    }
    let mut inflated = Vec::new();
    MultiGzDecoder::new(&bytes[..])
        .read_to_end(&mut inflated)
        .unwrap();
    inflated
}
