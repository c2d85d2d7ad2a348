//! The collection of answers: what flips is put aside, and everything is counted.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use super::{
    config::CompareConfig,
    external::ParserFault,
    found::{FoundFault, Totals, fault_key},
    observe::Observations,
    output::Output,
    prepare::{Pass, PreparedChunk},
    query::Queries,
    read::{Chunk, FileSlot, NewFile},
    record::{Flip, FlippingCapture, FlippingFile, FlippingFiles, from_record, to_record},
    sampling::Sample,
    side::{CellAnswer, FileAnswers, LateFault},
};
use crate::{
    archive::error::Error,
    dataset::{
        run::DamagedArchive, sink::Spill, summary::Distinct, table::parser_faults::ParserFaultRow,
    },
    digest::sha1,
};

/// Files that took an external parser longest, of each side.
const MAX_TIMINGS: usize = 1000;
/// Files that are known by name for faults that follow their answers.
const MAX_RECENT: usize = 64 * 1024;
/// Kinds and files by which faults are told apart; more are counted, and are rows of their table.
const MAX_FOUND_FAULTS: usize = 10_000;

/// What the first pass leaves.
pub(super) struct Asked {
    pub totals: Totals,
    pub damaged: Vec<DamagedArchive>,
    pub files: FlippingFiles,
    /// Captures of flipping files, in the order of the archives; with a sample those come last that
    /// precede the one by which their file was taken.
    pub captures: Spill,
    /// Files for the fit of an external side.
    pub observations: Observations,
    pub timings: [BinaryHeap<Timing>; 2],
    /// All files, taken or not, if a sample was taken.
    pub sample: Option<Sample>,
    pub faults: Faults,
    /// The number of files that were asked about.
    n_asked: u64,
    /// The last files asked about.
    recent: VecDeque<RecentFile>,
}

/// A file whose answers were taken, but may be followed by a fault.
#[derive(Clone, Debug)]
struct RecentFile {
    /// The number among flipping files, or [`NO_FLIP`].
    flipping: u32,
    capture_id: i64,
    host: Box<str>,
    digest: [u8; 32],
}

/// The faults of external parsers.
#[derive(Debug, Default)]
pub(super) struct Faults {
    pub n_faults: u64,
    /// By kind and file, in the order in which they were met first; no more than
    /// [`MAX_FOUND_FAULTS`].
    pub found: Vec<FoundFault>,
    by_key: HashMap<String, usize>,
}

/// A file that took an external parser long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timing {
    /// Reversed, so that the least of a heap's items is on top.
    pub microseconds: Reverse<u64>,
    /// The number of the file among those asked.
    pub file: u64,
    pub capture_id: i64,
    pub host: Box<str>,
    pub digest: [u8; 32],
    pub content_length: usize,
    pub queries: usize,
}

/// The number of a file that does not flip.
pub(super) const NO_FLIP: u32 = u32::MAX;

/// What is known about a body for its captures.
#[derive(Clone, Copy, Debug)]
struct FileState {
    /// Cells that both sides answered, and their weight.
    n_cells: u32,
    n_unanswered: u32,
    weight: f64,
    /// The number among flipping files, or [`NO_FLIP`].
    flipping: u32,
    /// Whether both sides answered.
    is_asked: bool,
    /// Whether it is in the sample; true where none is taken.
    is_taken: bool,
    captures: u32,
}

impl FileState {
    /// Returns the state of a file that was not asked about.
    fn new(file: &NewFile) -> FileState {
        FileState {
            n_cells: 0,
            n_unanswered: 0,
            weight: 0.0,
            flipping: NO_FLIP,
            is_asked: false,
            is_taken: file.body.is_some(),
            captures: 0,
        }
    }
}

/// Collects the answers about chunk after chunk.
pub(super) struct Collector<'c> {
    config: &'c CompareConfig,
    output: &'c mut Output,
    asked: Asked,
    hosts: Distinct,
    /// The files that are known for the whole comparison.
    known: Vec<FileState>,
    /// Captures of those that a sample has not taken yet, with the numbers among the known ones.
    waiting: Spill,
}

impl<'c> Collector<'c> {
    pub(super) fn new(
        config: &'c CompareConfig,
        output: &'c mut Output,
    ) -> Result<Collector<'c>, Error> {
        let (files, captures, waiting) = (
            output.dataset().spill("files")?,
            output.dataset().spill("captures")?,
            output.dataset().spill("waiting")?,
        );
        Ok(Collector {
            config,
            output,
            asked: Asked {
                totals: Totals::default(),
                damaged: Vec::new(),
                files: FlippingFiles::new(files),
                captures,
                observations: Observations::default(),
                timings: [BinaryHeap::new(), BinaryHeap::new()],
                sample: config.sampling.map(Sample::new),
                faults: Faults::default(),
                n_asked: 0,
                recent: VecDeque::new(),
            },
            hosts: Distinct::default(),
            known: Vec::new(),
            waiting,
        })
    }

    /// Takes a chunk with the answers of external parsers.
    pub(super) fn take(
        &mut self,
        pass: &Pass<'_>,
        prepared: PreparedChunk,
        external: [Option<Vec<FileAnswers>>; 2],
    ) -> Result<(), Error> {
        let PreparedChunk { chunk, files } = prepared;
        let mut of_chunk = Vec::new();
        let mut files = files.into_iter();
        let mut external = external.map(|answers| answers.map(Vec::into_iter));
        for file in &chunk.files {
            let mut state = FileState::new(file);
            if let (Some(body), Some(prepared)) =
                (&file.body, file.body.as_ref().and_then(|_| files.next()))
            {
                let mut answers = [None, None];
                for (side, of_dialect) in prepared.answers.into_iter().enumerate() {
                    answers[side] = match (of_dialect, &mut external[side]) {
                        (Some(answers), _) => Some(answers),
                        (None, Some(external)) => match external.next() {
                            Some(answers) => {
                                self.take_external(side, file, &prepared.queries, answers)?
                            }
                            None => None,
                        },
                        (None, None) => None,
                    };
                }
                if let [Some(baseline), Some(candidate)] = answers {
                    let queries = &prepared.queries;
                    state = self.compare(pass, file, body, queries, [baseline, candidate])?;
                    let (totals, coverage) = (&mut self.asked.totals, prepared.coverage);
                    totals.cut_files += u64::from(coverage.is_cut);
                    totals.rules += coverage.rules;
                    totals.rules_left_out += coverage.rules_left_out;
                }
                self.asked.n_asked += 1;
                self.asked.recent.push_back(RecentFile {
                    flipping: state.flipping,
                    capture_id: file.first_id,
                    host: file.first_host.clone(),
                    digest: file.digest,
                });
                if self.asked.recent.len() > MAX_RECENT {
                    self.asked.recent.pop_front();
                }
            }
            let (states, slot) = match file.slot {
                FileSlot::Known(slot) => (&mut self.known, slot),
                FileSlot::OfChunk(slot) => (&mut of_chunk, slot),
            };
            match states.get_mut(slot as usize) {
                Some(untaken) => {
                    state.captures = untaken.captures;
                    *untaken = state;
                }
                None => states.push(state),
            }
        }
        self.take_captures(&chunk, &mut of_chunk)?;
        self.add_to_sample(&of_chunk);
        Ok(())
    }

    /// Takes what an external parser answers about a file; returns its answers, unless it is at
    /// fault.
    fn take_external(
        &mut self,
        side: usize,
        file: &NewFile,
        queries: &Queries,
        answers: FileAnswers,
    ) -> Result<Option<Vec<CellAnswer>>, Error> {
        let elapsed = answers.elapsed;
        let timings = &mut self.asked.timings[side];
        timings.push(Timing {
            microseconds: Reverse(u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)),
            file: self.asked.n_asked,
            capture_id: file.first_id,
            host: file.first_host.clone(),
            digest: file.digest,
            content_length: file.body.as_ref().map_or(0, |body| body.len()),
            queries: queries.len(),
        });
        if timings.len() > MAX_TIMINGS {
            timings.pop();
        }
        match answers.answers {
            Ok(answers) => Ok(Some(answers)),
            Err(fault) => {
                let digest = String::from_utf8_lossy(&file.digest);
                let capture = (file.first_id, &*file.first_host, &*digest);
                let asked = &mut self.asked;
                (asked.faults).take(self.output, side, &fault, elapsed, Some(capture))?;
                Ok(None)
            }
        }
    }

    /// Compares the answers of both sides about a file.
    fn compare(
        &mut self,
        pass: &Pass<'_>,
        file: &NewFile,
        body: &Arc<[u8]>,
        queries: &Queries,
        [baseline, candidate]: [Vec<CellAnswer>; 2],
    ) -> Result<FileState, Error> {
        let has_weights =
            !(self.config.agent_weights.is_empty() && self.config.url_weights.is_empty());
        let mut state = FileState {
            is_asked: true,
            ..FileState::new(file)
        };
        let mut flips = Vec::new();
        let mut flipping = Vec::new();
        let answers = baseline.iter().zip(&candidate);
        for (index, (baseline, candidate)) in answers.enumerate() {
            let (Some(before), Some(after)) = (baseline.verdict, candidate.verdict) else {
                state.n_unanswered += 1;
                let is_only_one = baseline.verdict.is_some() || candidate.verdict.is_some();
                self.asked.totals.answered_by_one += u64::from(is_only_one);
                continue;
            };
            let weight = if has_weights {
                let (agent, url) = queries.pairs()[index];
                pass.weight(queries.agent(agent), queries.url(url))
            } else {
                1.0
            };
            state.n_cells += 1;
            state.weight += weight;
            if before != after {
                flipping.push(index);
                flips.push(Flip {
                    baseline: *baseline,
                    candidate: *candidate,
                    weight,
                    explanation: Default::default(),
                    rough: 0,
                });
            }
        }
        self.asked.totals.files += 1;
        self.asked.totals.queries += u64::from(state.n_cells);
        if pass.dialects.iter().any(Option::is_none) {
            let observations = &mut self.asked.observations;
            observations.offer(body, queries, [&baseline, &candidate]);
        }
        if !flips.is_empty() {
            state.flipping = self.asked.files.len() as u32;
            let record = FlippingFile {
                digest: file.digest,
                first_id: file.first_id,
                first_host: file.first_host.to_string(),
                body: body.to_vec(),
                queries: queries.compact(&flipping),
                flips,
            };
            self.asked.files.push(&record)?;
        }
        Ok(state)
    }

    /// Returns the number of files that were asked about so far.
    pub(super) fn n_asked(&self) -> u64 {
        self.asked.n_asked
    }

    fn take_captures(&mut self, chunk: &Chunk, of_chunk: &mut [FileState]) -> Result<(), Error> {
        let mut flipping = Vec::new();
        let mut waiting = Vec::new();
        for capture in &chunk.captures {
            let state = match capture.file {
                FileSlot::Known(slot) => &mut self.known[slot as usize],
                FileSlot::OfChunk(slot) => &mut of_chunk[slot as usize],
            };
            state.captures += 1;
            let rank = self.config.ranks.rank(&capture.host);
            let weight = self.config.ranks.weight(rank);
            let of_file = |file| FlippingCapture {
                id: capture.id,
                file,
                archive: capture.archive,
                offset: capture.offset,
                host: capture.host.to_string(),
                rank: rank.unwrap_or(0),
                weight,
            };
            match capture.file {
                FileSlot::Known(slot) if !state.is_taken => waiting.push(of_file(slot)),
                _ if state.is_asked => {
                    self.asked.totals.count(state, weight);
                    self.hosts.insert(host_hash(&capture.host));
                    if state.flipping != NO_FLIP {
                        flipping.push(of_file(state.flipping));
                    }
                }
                _ => {}
            }
        }
        append(&mut self.waiting, &waiting)?;
        append(&mut self.asked.captures, &flipping)
    }

    /// Takes the captures of files that were taken only after them.
    fn take_waiting(&mut self) -> Result<(), Error> {
        let mut offset = 0;
        while let Some((record, next)) = self.waiting.read(offset)? {
            offset = next;
            let mut flipping = Vec::new();
            for mut capture in from_record::<Vec<FlippingCapture>>(&record) {
                let state = &self.known[capture.file as usize];
                if !state.is_asked {
                    continue;
                }
                self.asked.totals.count(state, capture.weight);
                self.hosts.insert(host_hash(&capture.host));
                if state.flipping != NO_FLIP {
                    capture.file = state.flipping;
                    flipping.push(capture);
                }
            }
            append(&mut self.asked.captures, &flipping)?;
        }
        Ok(())
    }

    fn add_to_sample(&mut self, files: &[FileState]) {
        if let Some(sample) = &mut self.asked.sample {
            for file in files {
                let taken = file.is_taken.then_some(file.flipping);
                sample.add(file.captures, taken);
            }
        }
    }

    pub(super) fn finish(mut self, damaged: Vec<DamagedArchive>) -> Result<Asked, Error> {
        self.take_waiting()?;
        let known = std::mem::take(&mut self.known);
        self.add_to_sample(&known);
        let mut asked = self.asked;
        asked.totals.hosts = self.hosts.count();
        asked.damaged = damaged;
        Ok(asked)
    }
}

fn append(spill: &mut Spill, captures: &[FlippingCapture]) -> Result<(), Error> {
    if !captures.is_empty() {
        spill.append(&to_record(&captures))?;
    }
    Ok(())
}

impl Totals {
    /// Counts a capture of a file that was asked about; `weight` is that of its host.
    fn count(&mut self, file: &FileState, weight: f64) {
        self.captures += 1;
        self.cells += u64::from(file.n_cells);
        self.unanswered += u64::from(file.n_unanswered);
        self.weight += weight * file.weight;
    }
}

impl Faults {
    /// Writes a fault of a side, with the capture, its host and its digest where they are known.
    pub(super) fn take(
        &mut self,
        output: &mut Output,
        side: usize,
        fault: &ParserFault,
        elapsed: Duration,
        capture: Option<(i64, &str, &str)>,
    ) -> Result<(), Error> {
        self.n_faults += 1;
        let digest = capture.map(|(.., digest)| digest);
        let key = fault_key(fault.kind, digest);
        if let Some(&index) = self.by_key.get(&key) {
            self.found[index].faults += 1;
        } else if self.found.len() < MAX_FOUND_FAULTS {
            let host = capture.map_or("an unknown file", |(_, host, _)| host);
            let side = ["baseline", "candidate"][side];
            self.by_key.insert(key, self.found.len());
            self.found.push(FoundFault {
                kind: fault.kind,
                content_digest: digest.map(str::to_owned),
                faults: 1,
                sentence: format!("{side}: {host}: {}", fault.message),
            });
        }
        output.append_fault(&ParserFaultRow {
            side,
            capture,
            kind: fault.kind.as_str(),
            milliseconds: elapsed.as_secs_f64() * 1000.0,
            message: &fault.message,
        })
    }
}

impl Asked {
    /// Takes a fault of a file whose answers were taken already; returns its number if it flips.
    pub(super) fn take_late(
        &mut self,
        output: &mut Output,
        side: usize,
        late: &LateFault,
    ) -> Result<Option<u32>, Error> {
        if late.file.is_some_and(|file| file >= self.n_asked) {
            // It was asked again, or about an example.
            return Ok(None);
        }
        let recent = late.file.and_then(|file| {
            let first = self.n_asked - self.recent.len() as u64;
            let index = usize::try_from(file.checked_sub(first)?).ok()?;
            self.recent.get(index).cloned()
        });
        let digest = (recent.as_ref()).map(|file| String::from_utf8_lossy(&file.digest));
        let capture = (recent.as_ref().zip(digest.as_deref()))
            .map(|(file, digest)| (file.capture_id, &*file.host, digest));
        self.faults
            .take(output, side, &late.fault, late.elapsed, capture)?;
        let flipping = recent.as_ref().map(|file| file.flipping);
        Ok(flipping.filter(|&number| number != NO_FLIP))
    }
}

/// Returns a hash of a host of which every bit is as good as random.
pub(super) fn host_hash(host: &str) -> u64 {
    let digest = sha1(host.as_bytes());
    u64::from_le_bytes(*digest.first_chunk().expect("a SHA-1 has 20 bytes"))
}
