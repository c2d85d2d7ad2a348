//! Archives in, chunks of distinct bodies out.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, mpsc::SyncSender},
};

use super::{
    config::{CompareConfig, Probes},
    strata::stratum,
};
use crate::{
    dialect::Dialect,
    digest::{Base32Digest, Hasher, Sha1Digest},
    error::Error,
    input::ArchiveSource,
    pipeline::{DamagedArchive, LocatedCapture, Progress, read_captures},
};

/// Distinct bodies that are known by their digests, so that each is asked about once. With more
/// distinct bodies one that comes again much later is asked about again. Each takes about 80 bytes.
const MAX_KNOWN: usize = 1 << 21;
/// Distinct bodies of a chunk, its captures, and the bytes of its bodies.
const MAX_FILES: usize = 512;
const MAX_CAPTURES: usize = 16 * 1024;
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Distinct bodies and captures, in the order of the archives.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Bodies that are new in this chunk.
    pub files: Vec<NewFile>,
    pub captures: Vec<ChunkCapture>,
    n_bytes: usize,
}

/// A body that was not met before.
#[derive(Debug)]
pub(super) struct NewFile {
    pub slot: FileSlot,
    /// The body; `None` where a sample does not take it.
    pub body: Option<Arc<[u8]>>,
    pub digest: Base32Digest,
    pub stratum: usize,
    /// URLs of the matrix that only this origin is asked for.
    pub own_urls: Vec<String>,
    /// Its first capture.
    pub first_id: i64,
    pub first_host: Box<str>,
}

/// A capture.
#[derive(Debug)]
pub(super) struct ChunkCapture {
    pub id: i64,
    pub archive: u32,
    pub offset: u64,
    pub host: Box<str>,
    pub file: FileSlot,
}

/// The number of a body: among those that are known for the whole comparison, or among the others
/// of its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileSlot {
    Known(u32),
    OfChunk(u32),
}

/// Sorts captures into chunks.
pub(super) struct ChunkReader<'r> {
    config: &'r CompareConfig,
    /// The dialects that must read the lines of a capture.
    dialects: Vec<&'r Dialect>,
    only: Option<HashSet<Base32Digest>>,
    known: HashMap<[u8; 16], u32>,
    /// Those that are not known for the whole comparison.
    of_chunk: HashMap<[u8; 16], u32>,
    chunk: Chunk,
    max_known: usize,
    /// Bodies that are asked about.
    n_taken: u64,
}

impl<'r> ChunkReader<'r> {
    /// Returns a reader of captures that all `dialects` read; `only` are the digests of the bodies
    /// that are wanted.
    pub(super) fn new(
        config: &'r CompareConfig,
        dialects: Vec<&'r Dialect>,
        only: Option<HashSet<Base32Digest>>,
    ) -> Self {
        Self {
            config,
            dialects,
            only,
            known: HashMap::new(),
            of_chunk: HashMap::new(),
            chunk: Chunk::default(),
            max_known: MAX_KNOWN,
            n_taken: 0,
        }
    }

    /// Reads archives and sends their chunks, until the receiver is gone; returns the archives that
    /// are damaged.
    pub(super) fn read(
        mut self,
        archives: &[ArchiveSource],
        progress: &Progress,
        chunks: &SyncSender<Chunk>,
    ) -> Result<Vec<DamagedArchive>, Error> {
        let (limits, max_body) = (self.config.limits, self.config.max_body);
        let damaged = read_captures(archives, limits, max_body, progress, |capture| {
            Ok(match self.push(&capture) {
                Some(chunk) => chunks.send(chunk).is_ok(),
                None => true,
            })
        })?;
        progress.begin_step("files asked", self.n_taken);
        // The receiver is gone only if the comparison ends early.
        let _ = chunks.send(self.chunk);
        Ok(damaged)
    }

    /// Adds a capture, and returns the chunk if it is full.
    fn push(&mut self, located: &LocatedCapture<'_>) -> Option<Chunk> {
        let capture = &located.capture;
        let is_read = self
            .dialects
            .iter()
            .all(|dialect| located.is_read_by(dialect));
        let is_wanted = self
            .only
            .as_ref()
            .is_none_or(|only| only.contains(&capture.digest));
        if !is_read || !is_wanted {
            return None;
        }
        let own_urls: Vec<String> = match self.config.probes {
            Probes::Matrix => {
                let urls = self.config.matrix.urls.of_origin(capture.location.origin());
                urls.map(str::to_owned).collect()
            }
            Probes::Derived(_) => Vec::new(),
        };
        let mut hasher = Hasher::default();
        hasher.update(capture.payload);
        if !own_urls.is_empty() {
            // The same body of another origin is asked about other URLs.
            hasher.update(capture.location.origin().as_bytes());
        }
        let sha1 = hasher.finish();
        let file = self.slot(&sha1, located, own_urls);
        self.chunk.captures.push(ChunkCapture {
            id: located.id,
            archive: located.archive,
            offset: located.offset,
            host: capture.location.host_name().into(),
            file,
        });
        let chunk = &self.chunk;
        let is_full = chunk.files.len() >= MAX_FILES
            || chunk.captures.len() >= MAX_CAPTURES
            || chunk.n_bytes >= MAX_BYTES;
        is_full.then(|| {
            self.of_chunk.clear();
            std::mem::take(&mut self.chunk)
        })
    }

    /// Returns the number of a body, which is added to the chunk if it is new.
    fn slot(
        &mut self,
        sha1: &Sha1Digest,
        located: &LocatedCapture<'_>,
        own_urls: Vec<String>,
    ) -> FileSlot {
        let capture = &located.capture;
        let key: [u8; 16] = *sha1.first_chunk().expect("a SHA-1 has 20 bytes");
        if let Some(&slot) = self.known.get(&key) {
            return FileSlot::Known(slot);
        }
        if let Some(&slot) = self.of_chunk.get(&key) {
            return FileSlot::OfChunk(slot);
        }
        let slot = if self.known.len() < self.max_known {
            let slot = self.known.len() as u32;
            self.known.insert(key, slot);
            FileSlot::Known(slot)
        } else {
            let slot = self.of_chunk.len() as u32;
            self.of_chunk.insert(key, slot);
            FileSlot::OfChunk(slot)
        };
        let is_taken = (self.config.sampling).is_none_or(|sampling| sampling.takes(sha1));
        if is_taken {
            self.n_taken += 1;
            self.chunk.n_bytes += capture.payload.len();
        }
        self.chunk.files.push(NewFile {
            slot,
            body: is_taken.then(|| capture.payload.into()),
            digest: capture.digest,
            stratum: stratum(capture.payload),
            own_urls,
            first_id: located.id,
            first_host: capture.location.host_name().into(),
        });
        slot
    }
}
