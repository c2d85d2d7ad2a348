//! A small corpus over which parsers are compared again and again: files of a dataset that show
//! what all of them would.
//!
//! Up to half of the files are examples of traits ([`traits`]), those of most captures first: each
//! trait that no file before it has. The others are a sample, in which a file of N captures has N
//! times the chance of one. What is chosen depends on the files and their captures alone.

mod traits;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    io::Write,
    sync::Arc,
};

use rayon::prelude::*;

use self::traits::TraitFinder;
use super::{collect::host_hash, input::SAMPLE, sampling::uniform};
use crate::{
    archive::{error::Error, warc::DEFAULT_MAX_BODY},
    dataset::{
        lookup::{CaptureStore, FileCapture},
        run::Progress,
        sink::{Encoder, Format, LoneFile},
        summary::Distinct,
        table::{
            CaptureKey, Columns, TableBuilder,
            corpus::{CorpusBuilder, TABLE},
        },
    },
    digest::{Sha1Digest, base32, sha1},
    robots::dialect::{Access, Dialect},
};

/// Files that a corpus has unless another number is asked for.
pub const DEFAULT_FILES: usize = 5_000;
/// Files of which traits are found at a time, by all threads, and their bytes.
const MAX_FILES: usize = 1_024;
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of rows that are encoded at a time.
const BATCH_BYTES: usize = 4 * 1024 * 1024;
/// The random numbers of the sample.
const SEED: u64 = 1;

/// What was chosen, and of how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorpusCounts {
    /// Files of the corpus.
    pub files: usize,
    /// Those that are examples of traits.
    pub examples: usize,
    /// Distinct files of the dataset.
    pub of_files: usize,
    /// Traits that a file of the corpus has.
    pub traits: usize,
    /// Traits that a file of the dataset has.
    pub of_traits: usize,
}

/// Chooses at most `max` files of a dataset, of at most 8 MiB each, and writes them as a Parquet
/// file.
///
/// # Errors
///
/// A dataset without the table `bodies`, one that cannot be read, an output that cannot be written
/// to, and [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
pub fn write_corpus(
    store: &CaptureStore,
    max: usize,
    progress: &Progress,
    out: &mut (dyn Write + Send),
) -> Result<CorpusCounts, Error> {
    store.require_files()?;
    let mut files = Files::default();
    each_file(store, progress, |body, captures| {
        files.push(body, captures);
        Ok(())
    })?;
    files.find_traits();
    let (mut reasons, counts) = files.choose(max);
    let format = Arc::new(Format::new(&TABLE, &[])?);
    let mut file = LoneFile::new(&format, out)?;
    let mut encoder = Encoder::new(format);
    let mut rows = CorpusBuilder::default();
    each_file(store, progress, |body, captures| {
        let digest = sha1(body);
        let Some(reason) = reasons.remove(&digest) else {
            return Ok(());
        };
        let known = &files.known[&digest];
        let first = captures.first().expect("a stored file has a capture");
        let key = CaptureKey {
            id: first.id,
            host: &first.host,
        };
        let counts = [known.captures, known.hosts.count()];
        rows.append(key, (&base32(&digest), body), counts, &reason);
        if rows.n_bytes() >= BATCH_BYTES {
            encoder.write(rows.finish())?;
        }
        Ok(())
    })?;
    encoder.write(rows.finish())?;
    file.append(encoder.finish()?)?;
    file.finish()?;
    Ok(counts)
}

/// Calls `each` with the files that the dialect google reads, up to the length that a corpus may
/// have.
fn each_file(
    store: &CaptureStore,
    progress: &Progress,
    mut each: impl FnMut(&[u8], &[&FileCapture]) -> Result<(), Error>,
) -> Result<(), Error> {
    let is_read = |outcome| Dialect::GOOGLE.access.decide(outcome) == Access::Conditional;
    store.each_file(is_read, |body, captures| {
        progress.check()?;
        if body.len() > DEFAULT_MAX_BODY {
            return Ok(());
        }
        each(body, captures)
    })
}

/// The distinct files of a dataset. Each takes some bytes for each of its captures and four for
/// each of its traits.
#[derive(Default)]
struct Files {
    known: BTreeMap<Sha1Digest, KnownFile>,
    /// The numbers of the traits, by their names.
    traits: HashMap<String, usize>,
    /// Those whose traits are not found yet.
    new: Vec<(Sha1Digest, Vec<u8>)>,
    n_new_bytes: usize,
}

#[derive(Default)]
struct KnownFile {
    captures: u64,
    hosts: Distinct,
    traits: Vec<u32>,
}

impl Files {
    /// Counts captures of a file.
    fn push(&mut self, body: &[u8], captures: &[&FileCapture]) {
        let digest = sha1(body);
        let file = self.known.entry(digest).or_insert_with(|| {
            self.n_new_bytes += body.len();
            self.new.push((digest, body.to_vec()));
            KnownFile::default()
        });
        file.captures += captures.len() as u64;
        for capture in captures {
            file.hosts.insert(host_hash(&capture.host));
        }
        if self.new.len() >= MAX_FILES || self.n_new_bytes >= MAX_BYTES {
            self.find_traits();
        }
    }

    /// Finds the traits of files that are new.
    fn find_traits(&mut self) {
        self.n_new_bytes = 0;
        let new = std::mem::take(&mut self.new);
        let found = new.par_iter();
        let found = found.map_init(TraitFinder::new, |finder, (_, body)| finder.find(body));
        let found: Vec<_> = found.collect();
        for ((digest, _), names) in new.into_iter().zip(found) {
            let numbers = names.into_iter().map(|name| {
                let next = self.traits.len();
                *self.traits.entry(name).or_insert(next) as u32
            });
            self.known.entry(digest).or_default().traits = numbers.collect();
        }
    }

    /// Returns the digests of at most `max` files, each with the reason why it is chosen.
    fn choose(&self, max: usize) -> (HashMap<Sha1Digest, String>, CorpusCounts) {
        type File<'f> = (&'f Sha1Digest, &'f KnownFile);
        let place = |(digest, file): File<'_>| uniform(digest, SEED) / file.captures as f64;
        let mut order: Vec<File<'_>> = self.known.iter().collect();
        order.sort_by(|one, other| place(*one).total_cmp(&place(*other)));
        // The captures that have each trait, and the first file in this order.
        let mut had_by: Vec<(u64, Option<File<'_>>)> = vec![(0, None); self.traits.len()];
        for &file in &order {
            for &number in &file.1.traits {
                let (captures, first) = &mut had_by[number as usize];
                *captures += file.1.captures;
                first.get_or_insert(file);
            }
        }
        let mut traits: Vec<_> = self.traits.iter().collect();
        traits.sort_unstable_by_key(|&(name, &number)| (Reverse(had_by[number].0), name));
        let mut has_example = vec![false; traits.len()];
        let mut reasons: HashMap<Sha1Digest, String> = HashMap::new();
        for (name, &number) in traits {
            if reasons.len() >= max.div_ceil(2) {
                break;
            }
            if let Some((digest, file)) = had_by[number].1.filter(|_| !has_example[number]) {
                file.mark(&mut has_example);
                reasons.insert(*digest, name.clone());
            }
        }
        let examples = reasons.len();
        for (digest, file) in order {
            if reasons.len() >= max {
                break;
            }
            file.mark(&mut has_example);
            let reason = reasons.entry(*digest);
            reason.or_insert_with(|| SAMPLE.to_owned());
        }
        let counts = CorpusCounts {
            files: reasons.len(),
            examples,
            of_files: self.known.len(),
            traits: has_example.iter().filter(|has| **has).count(),
            of_traits: has_example.len(),
        };
        (reasons, counts)
    }
}

impl KnownFile {
    /// Marks the traits that the file has.
    fn mark(&self, traits: &mut [bool]) {
        for &number in &self.traits {
            traits[number as usize] = true;
        }
    }
}
