//! Archives or stored files in, chunks of distinct bodies out.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, mpsc::SyncSender},
    time::Instant,
};

use serde::{Deserialize, Serialize};

use super::{
    config::{CompareConfig, Probes},
    input::{CompareInput, damaged, read_corpus},
    record::{ComparedCapture, FileKey, Records},
    sampling::uniform,
};
use crate::{
    archive::{
        capture::Capture,
        error::{Error, ErrorKind},
    },
    dataset::{
        lookup::FileCapture,
        run::{DamagedArchive, Found, Progress, read_captures},
        sink::{Spill, n_rows},
    },
    digest::{Base32Digest, Hasher, Sha1Digest},
    robots::dialect::{Access, Dialect, FetchOutcome},
};

/// Distinct bodies that are known by their digests, so that each is asked about once. With more
/// distinct bodies one that comes again much later is asked about again. Each takes about 80 bytes,
/// with a sample 8 more.
const MAX_KNOWN: usize = 1 << 21;
/// Distinct bodies of a chunk, its captures, and the bytes of its bodies.
const MAX_FILES: usize = 512;
const MAX_CAPTURES: usize = 16 * 1024;
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// What a file lacks that no number of captures takes.
const NEVER: u32 = u32::MAX;
/// Files of the first chunk of a random order. Later ones have this part of those that were sent:
/// few enough for what is under way when the time is over to take little more.
const FIRST_FILES: usize = 8;
const PART_OF_SENT: usize = 32;

/// Distinct bodies and captures, in the order of the archives.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Bodies that are new in this chunk, and with a sample those that it takes from now on.
    pub files: Vec<NewFile>,
    pub captures: Vec<ComparedCapture>,
    n_bytes: usize,
}

impl Chunk {
    fn push(&mut self, file: NewFile) {
        self.n_bytes += file.body.as_ref().map_or(0, |body| body.len());
        self.files.push(file);
    }
}

/// A body that was not met before; or was, but only now has as many captures as a sample demands.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct NewFile {
    /// Its number among the bodies that are known, or from [`MAX_KNOWN`] on among the others of the
    /// chunk.
    pub slot: u32,
    /// The body; `None` where a sample does not take it, or not yet.
    pub body: Option<Arc<[u8]>>,
    /// URLs of the matrix that only this origin is asked for.
    pub own_urls: Vec<String>,
    /// With its first capture, or with a sample that by which it was taken.
    pub key: FileKey,
}

/// A body as it is read, and what holds for each capture of it.
struct ReadFile<'f> {
    body: &'f [u8],
    /// Has taken the body: a stored one is hashed once for all its captures.
    hasher: Hasher,
    /// What a capture weighs: in a corpus one stands for all captures of its file.
    weight: f64,
    is_example: bool,
}

/// The numbers of bodies by the first bytes of their digests.
#[derive(Debug, Default)]
struct Bodies {
    /// The number of the first one.
    first: u32,
    slots: HashMap<[u8; 16], u32>,
    /// The captures that each lacks until it is taken, if a sample is taken.
    missing: Vec<u32>,
}

/// All files, deferred until their captures are counted and a random order of them is known.
pub(super) struct DeferredFiles {
    /// When no more are sent; `None` if that time never comes.
    until: Option<Instant>,
    seed: u64,
    files: Records<NewFile>,
    /// The random number of each.
    uniform: Vec<f64>,
}

impl DeferredFiles {
    pub(super) fn new(until: Option<Instant>, seed: u64, spill: Spill) -> Self {
        Self {
            until,
            seed,
            files: Records::new(spill),
            uniform: Vec::new(),
        }
    }

    fn add(&mut self, sha1: &Sha1Digest, file: &NewFile) -> Result<(), Error> {
        self.uniform.push(uniform(sha1, self.seed));
        self.files.push(file)
    }

    /// Sends chunks of files until the time is over, at least one, those of many captures with
    /// more chance to be early; returns the share of which they are a sample, and `None` if they
    /// are all. What files lack tells how many captures they have.
    fn send(
        mut self,
        missing: &[u32],
        progress: &Progress,
        chunks: &SyncSender<Chunk>,
    ) -> Result<Option<f64>, Error> {
        let files = self.uniform.iter().zip(missing).zip(0..);
        let mut order: Vec<(f64, u32)> = files
            .map(|((uniform, missing), slot)| (uniform / f64::from(NEVER - missing), slot))
            .collect();
        order.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut n_sent = 0;
        while n_sent < order.len() {
            let is_late = self.until.is_some_and(|until| Instant::now() >= until);
            if is_late && n_sent > 0 {
                break;
            }
            let mut chunk = Chunk::default();
            let max = (n_sent / PART_OF_SENT).clamp(FIRST_FILES, MAX_FILES);
            for &(_, slot) in order[n_sent..].iter().take(max) {
                let (file, _) = self.files.read(slot as usize)?;
                chunk.push(file);
                if chunk.n_bytes >= MAX_BYTES {
                    break;
                }
            }
            n_sent += chunk.files.len();
            if chunks.send(chunk).is_err() || progress.is_stopped() {
                break;
            }
        }
        // A file is asked about if and only if its number is below that of the first which is not.
        Ok(order.get(n_sent).map(|&(share, _)| share))
    }
}

impl ReadFile<'_> {
    fn new(body: &[u8]) -> ReadFile<'_> {
        ReadFile {
            body,
            hasher: Hasher::of(body),
            weight: 1.0,
            is_example: false,
        }
    }

    /// Returns the key of the file with this capture.
    fn key(&self, capture: &FileCapture) -> FileKey {
        FileKey {
            digest: capture.digest,
            capture_id: capture.id,
            host: capture.host.clone(),
            is_example: self.is_example,
        }
    }
}

impl Bodies {
    fn of_chunk() -> Bodies {
        Bodies {
            first: MAX_KNOWN as u32,
            ..Bodies::default()
        }
    }

    /// Adds a body and returns its number.
    fn insert(&mut self, key: [u8; 16], missing: Option<u32>) -> u32 {
        let slot = self.first + self.slots.len() as u32;
        self.slots.insert(key, slot);
        self.missing.extend(missing);
        slot
    }

    /// Counts another capture of a body that was added; returns its number, and true if and only if
    /// it is to be taken from now on.
    fn count(&mut self, key: &[u8; 16]) -> Option<(u32, bool)> {
        let slot = *self.slots.get(key)?;
        let missing = self.missing.get_mut((slot - self.first) as usize);
        let missing = missing.filter(|n| **n > 0);
        let is_taken = missing.is_some_and(|missing| {
            *missing -= 1;
            *missing == 0
        });
        Some((slot, is_taken))
    }
}

/// Returns how many bodies have a number for the whole comparison at most: with a budget, which
/// defers them, all.
pub(super) fn max_known(config: &CompareConfig) -> usize {
    config.budget.map_or(MAX_KNOWN, |_| usize::MAX)
}

/// Sorts captures into chunks.
pub(super) struct ChunkReader<'r> {
    config: &'r CompareConfig,
    only: Option<HashSet<Base32Digest>>,
    known: Bodies,
    /// Those that are not known for the whole comparison.
    of_chunk: Bodies,
    chunk: Chunk,
    /// Bodies that are asked about.
    n_taken: u64,
    /// With a budget of time all files, of which none is taken at first.
    deferred: Option<DeferredFiles>,
}

impl<'r> ChunkReader<'r> {
    /// Returns a reader of captures; `only` are the digests of the bodies that are wanted.
    pub(super) fn new(
        config: &'r CompareConfig,
        only: Option<HashSet<Base32Digest>>,
        deferred: Option<DeferredFiles>,
    ) -> Self {
        Self {
            config,
            only,
            known: Bodies::default(),
            of_chunk: Bodies::of_chunk(),
            chunk: Chunk::default(),
            n_taken: 0,
            deferred,
        }
    }

    /// Reads all captures whose lines all `dialects` read and sends their chunks, until the
    /// receiver is gone; returns the archives that are damaged, and where the time was over before
    /// all files were sent the share of which those sent are a sample.
    pub(super) fn read(
        mut self,
        dialects: &[&Dialect],
        input: CompareInput<'_>,
        progress: &Progress,
        chunks: &SyncSender<Chunk>,
    ) -> Result<(Vec<DamagedArchive>, Option<f64>), Error> {
        let limits = self.config.limits;
        let is_read = |outcome: FetchOutcome| {
            let mut access = dialects.iter().map(|d| d.access.decide(outcome));
            access.all(|access| access == Access::Conditional)
        };
        // The receiver is gone only if the comparison ends early.
        let mut push = |file: &ReadFile<'_>, capture: &FileCapture| -> Result<bool, Error> {
            let chunk = self.push(file, capture)?;
            Ok(chunk.is_none_or(|chunk| chunks.send(chunk).is_ok()))
        };
        let mut push_stored = |file: &ReadFile<'_>, capture: &FileCapture| -> Result<(), Error> {
            if !push(file, capture)? {
                return Err(ErrorKind::Interrupted.into());
            }
            progress.check()
        };
        let damaged = match input {
            CompareInput::Archives(archives) => {
                let mut damaged = Vec::new();
                read_captures(archives, limits, progress, |found| match found {
                    Found::Damaged(archive) => {
                        damaged.push(archive);
                        Ok(true)
                    }
                    Found::Capture(located) if !is_read(located.outcome()) => Ok(true),
                    Found::Capture(located) => {
                        let Capture {
                            location,
                            digest,
                            payload,
                            ..
                        } = &located.capture;
                        let capture = FileCapture {
                            id: located.id,
                            archive: located.archive,
                            offset: located.offset,
                            host: location.host_name().into(),
                            origin: location.origin().into(),
                            digest: *digest,
                        };
                        push(&ReadFile::new(payload), &capture)
                    }
                })?;
                damaged
            }
            CompareInput::Dataset(store) => {
                progress.begin_step("files asked", store.n_files());
                store.each_file(is_read, |body, captures| {
                    let file = ReadFile::new(body);
                    let mut captures = captures.iter();
                    captures.try_for_each(|capture| push_stored(&file, capture))
                })?;
                damaged(store)
            }
            CompareInput::Corpus(path) => {
                progress.begin_step("files asked", n_rows(path)?);
                read_corpus(path, |found| {
                    let file = ReadFile {
                        weight: found.captures as f64,
                        is_example: found.is_example,
                        ..ReadFile::new(found.body)
                    };
                    push_stored(&file, &found.capture)
                })?;
                Vec::new()
            }
        };
        let n_deferred = self.deferred.as_ref().map(|files| files.files.len() as u64);
        progress.begin_step("files asked", n_deferred.unwrap_or(self.n_taken));
        let _ = chunks.send(self.chunk);
        let share = match self.deferred {
            Some(deferred) => deferred.send(&self.known.missing, progress, chunks)?,
            None => None,
        };
        Ok((damaged, share))
    }

    /// Adds a capture, and returns the chunk if it is full.
    fn push(&mut self, file: &ReadFile<'_>, capture: &FileCapture) -> Result<Option<Chunk>, Error> {
        let is_wanted = |only: &HashSet<_>| only.contains(&capture.digest);
        if !self.only.as_ref().is_none_or(is_wanted) {
            return Ok(None);
        }
        let slot = self.slot(file, capture)?;
        let ranks = &self.config.ranks;
        let rank = ranks.rank(&capture.host);
        self.chunk.captures.push(ComparedCapture {
            id: capture.id,
            file: slot,
            archive: capture.archive,
            offset: capture.offset,
            host: capture.host.clone(),
            rank,
            weight: file.weight * ranks.weight(rank),
        });
        let chunk = &self.chunk;
        let is_full = chunk.files.len() >= MAX_FILES
            || chunk.captures.len() >= MAX_CAPTURES
            || chunk.n_bytes >= MAX_BYTES;
        Ok(is_full.then(|| {
            self.of_chunk = Bodies::of_chunk();
            std::mem::take(&mut self.chunk)
        }))
    }

    /// Returns the number of a body, which is added to the chunk if it is new or is taken now.
    fn slot(&mut self, file: &ReadFile<'_>, capture: &FileCapture) -> Result<u32, Error> {
        let own_urls: Vec<String> = match self.config.probes {
            Probes::Matrix => {
                let urls = self.config.matrix.urls.of_origin(&capture.origin);
                urls.map(str::to_owned).collect()
            }
            Probes::Derived(_) => Vec::new(),
        };
        let mut hasher = file.hasher.clone();
        if !own_urls.is_empty() {
            // The same body of another origin is asked about other URLs.
            hasher.update(capture.origin.as_bytes());
        }
        let sha1 = hasher.finish();
        let key: [u8; 16] = *sha1.first_chunk().expect("a SHA-1 has 20 bytes");
        let known = self.known.count(&key);
        let (slot, is_taken) = match known.or_else(|| self.of_chunk.count(&key)) {
            Some((slot, false)) => return Ok(slot),
            Some(known) => known,
            None => {
                let sampling = self.config.sampling.as_ref();
                let missing = match self.deferred {
                    Some(_) => Some(NEVER - 1),
                    None => sampling.map(|sampling| sampling.captures_to_take(&sha1) - 1),
                };
                let bodies = if self.known.slots.len() < max_known(self.config) {
                    &mut self.known
                } else {
                    &mut self.of_chunk
                };
                (bodies.insert(key, missing), missing.is_none_or(|n| n == 0))
            }
        };
        let is_kept = is_taken || self.deferred.is_some();
        let mut new = NewFile {
            slot,
            body: is_kept.then(|| file.body.into()),
            own_urls,
            key: file.key(capture),
        };
        if let Some(deferred) = &mut self.deferred {
            deferred.add(&sha1, &new)?;
            new.body = None;
        }
        self.n_taken += u64::from(is_taken);
        self.chunk.push(new);
        Ok(slot)
    }
}
