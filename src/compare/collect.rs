//! The collection of answers: what flips is put aside, and everything is counted.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, VecDeque},
    time::Duration,
};

use super::{
    config::CompareConfig,
    explain::Agreed,
    external::{ParserFault, Reply},
    found::{FoundFault, Totals, fault_key},
    observe::{MAX_AGREED, Observations, spread},
    output::Output,
    prepare::{Pass, PreparedChunk, PreparedFile},
    query::FileQueries,
    read::{NewFile, max_known},
    record::{ComparedCapture, FileKey, Flip, FlippingFile, FlippingFiles, Records},
    sampling::Sample,
    side::{CellAnswer, SIDES},
};
use crate::{
    archive::error::Error,
    dataset::{run::DamagedArchive, summary::Distinct},
    digest::sha1,
};

/// Files that took an external parser longest, of each side.
const MAX_TIMINGS: usize = 1000;
/// Files that are known by name for faults that follow their answers.
const MAX_RECENT: usize = 64 * 1024;
/// Faults that are told apart by their files; others by their kinds alone.
const MAX_FOUND_FAULTS: usize = 10_000;

/// The answers about chunk after chunk, and in the end what the first pass leaves.
pub(super) struct Asked {
    pub totals: Totals,
    pub damaged: Vec<DamagedArchive>,
    pub files: FlippingFiles,
    /// Captures of flipping files, in the order of the archives; with a sample those come last that
    /// precede the one by which their file was taken.
    pub captures: Records<Vec<ComparedCapture>>,
    /// Files for the fit of an external side.
    pub observations: Observations,
    /// The slowest files of each side, in that order.
    pub timings: [BTreeSet<Timing>; 2],
    /// All files, taken or not, if a sample was taken.
    pub sample: Option<Sample>,
    pub faults: Faults,
    /// The number of files that were asked about.
    pub n_asked: u64,
    /// The last files asked about.
    recent: VecDeque<RecentFile>,
    hosts: Distinct,
    /// The files that are known for the whole comparison, and behind [`max_known`] of them the
    /// others of a chunk.
    known: Vec<FileState>,
}

/// A file whose answers were taken, but may be followed by a fault.
#[derive(Debug)]
struct RecentFile {
    /// The number among flipping files, if it is one.
    flipping: Option<u32>,
    key: FileKey,
}

/// The faults of external parsers.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// By kind and file, in the order in which they were met first.
    pub found: Vec<FoundFault>,
    by_key: HashMap<String, usize>,
}

/// A file that took an external parser long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timing {
    /// Reversed, so that the slowest file comes first.
    pub microseconds: Reverse<u64>,
    /// The number of the file among those asked.
    pub file: u64,
    pub key: FileKey,
    pub content_length: usize,
    pub queries: usize,
}

/// What is known about a body for its captures.
#[derive(Clone, Copy, Debug, Default)]
struct FileState {
    /// Cells that both sides answered, and their weight.
    n_cells: u32,
    n_unanswered: u32,
    weight: f64,
    /// The number among flipping files, if it is one.
    flipping: Option<u32>,
    /// Whether both sides answered.
    is_asked: bool,
    /// Whether it is in the sample; true where none is taken.
    is_taken: bool,
    captures: u32,
}

impl Asked {
    pub(super) fn new(config: &CompareConfig, output: &Output) -> Result<Asked, Error> {
        Ok(Asked {
            totals: Totals::default(),
            damaged: Vec::new(),
            files: FlippingFiles::new(output.dataset.spill("files")?),
            captures: Records::new(output.dataset.spill("captures")?),
            observations: Observations::default(),
            timings: [BTreeSet::new(), BTreeSet::new()],
            sample: config.sampling.map(|sampling| Sample::new(sampling.share)),
            faults: Faults::default(),
            n_asked: 0,
            recent: VecDeque::new(),
            hosts: Distinct::default(),
            known: Vec::new(),
        })
    }

    /// Takes a chunk with the answers of external parsers; `waiting` gets captures of files that a
    /// sample has not taken yet, with the numbers among the known ones.
    pub(super) fn take(
        &mut self,
        pass: &Pass<'_>,
        output: &mut Output,
        waiting: &mut Records<Vec<ComparedCapture>>,
        prepared: PreparedChunk,
        external: [Option<Vec<Reply>>; 2],
    ) -> Result<(), Error> {
        let PreparedChunk { chunk, files } = prepared;
        let mut files = files.into_iter();
        let mut external = external.map(|answers| answers.map(Vec::into_iter));
        for file in &chunk.files {
            let mut state = FileState {
                is_taken: file.body.is_some(),
                ..FileState::default()
            };
            if state.is_taken
                && let Some(prepared) = files.next()
            {
                let answers = external.each_mut().map(|answers| answers.as_mut()?.next());
                self.take_file(pass, output, file, prepared, answers, &mut state)?;
            }
            match self.known.get_mut(file.slot as usize) {
                Some(untaken) => {
                    state.captures = untaken.captures;
                    *untaken = state;
                }
                None => self.known.push(state),
            }
        }
        let n_known = self.known.len().min(max_known(pass.config));
        self.take_captures(chunk.captures, n_known, waiting)?;
        let of_chunk = self.known.split_off(n_known);
        self.add_to_sample(&of_chunk);
        Ok(())
    }

    /// Takes a file that was asked about, with the answers of external parsers, unless they are at
    /// fault.
    fn take_file(
        &mut self,
        pass: &Pass<'_>,
        output: &mut Output,
        file: &NewFile,
        prepared: PreparedFile,
        external: [Option<Reply>; 2],
        state: &mut FileState,
    ) -> Result<(), Error> {
        let asked = &prepared.asked;
        let mut answers = prepared.answers;
        for (side, external) in external.into_iter().enumerate() {
            let Some(external) = external else {
                continue;
            };
            let elapsed = external.elapsed;
            let timings = &mut self.timings[side];
            timings.insert(Timing {
                microseconds: Reverse(u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)),
                file: self.n_asked,
                key: file.key.clone(),
                content_length: asked.body.len(),
                queries: asked.queries.len(),
            });
            if timings.len() > MAX_TIMINGS {
                timings.pop_last();
            }
            match external.result {
                Ok(of_file) => answers[side] = Some(of_file),
                Err(fault) => {
                    let faults = &mut self.faults;
                    faults.take(output, side, &fault, elapsed, Some(&file.key))?;
                }
            }
        }
        if let [Some(baseline), Some(candidate)] = answers {
            state.is_asked = true;
            self.compare(pass, file, asked, [baseline, candidate], state)?;
            let (totals, coverage) = (&mut self.totals, prepared.coverage);
            totals.cut_files += u64::from(coverage.is_cut);
            totals.rules += coverage.rules;
            totals.rules_left_out += coverage.rules_left_out;
        }
        self.n_asked += 1;
        self.recent.push_back(RecentFile {
            flipping: state.flipping,
            key: file.key.clone(),
        });
        if self.recent.len() > MAX_RECENT {
            self.recent.pop_front();
        }
        Ok(())
    }

    /// Compares the answers of both sides about a file, and notes in its state what differs.
    fn compare(
        &mut self,
        pass: &Pass<'_>,
        file: &NewFile,
        FileQueries { body, queries }: &FileQueries,
        [baseline, candidate]: [Vec<CellAnswer>; 2],
        state: &mut FileState,
    ) -> Result<(), Error> {
        let mut flips = Vec::new();
        let (mut flipping, mut agreed) = (Vec::new(), Vec::new());
        let answers = baseline.iter().zip(&candidate);
        for (index, (baseline, candidate)) in answers.enumerate() {
            let (Some(before), Some(after)) = (baseline.verdict, candidate.verdict) else {
                state.n_unanswered += 1;
                let is_only_one = baseline.verdict.is_some() || candidate.verdict.is_some();
                self.totals.answered_by_one += u64::from(is_only_one);
                continue;
            };
            let (agent, url) = queries.get(index);
            let weight = pass.weight(agent, url);
            state.n_cells += 1;
            state.weight += weight;
            if before != after {
                flipping.push(index);
                flips.push(Flip {
                    answers: [*baseline, *candidate],
                    weight,
                    ..Flip::default()
                });
            } else {
                agreed.push(index);
            }
        }
        self.totals.files += 1;
        self.totals.queries += u64::from(state.n_cells);
        let has_external = pass.dialects.iter().any(Option::is_none);
        if has_external {
            let observations = &mut self.observations;
            observations.offer(&file.key, body, queries, [&baseline, &candidate]);
        }
        if !flips.is_empty() {
            state.flipping = Some(self.files.len() as u32);
            let most = if has_external { MAX_AGREED } else { 0 };
            let agreed: Vec<usize> = spread(&agreed, most).collect();
            let verdicts = agreed.iter().filter_map(|&index| baseline[index].verdict);
            let record = FlippingFile {
                key: file.key.clone(),
                body: body.to_vec(),
                queries: queries.compact(&flipping),
                flips,
                agreed: Agreed {
                    verdicts: verdicts.collect(),
                    queries: queries.compact(&agreed),
                },
            };
            self.files.push(&record)?;
        }
        Ok(())
    }

    /// Takes the captures of a chunk; the first `n_known` files may be taken by a later one.
    fn take_captures(
        &mut self,
        captures: Vec<ComparedCapture>,
        n_known: usize,
        waiting: &mut Records<Vec<ComparedCapture>>,
    ) -> Result<(), Error> {
        let known = &mut self.known;
        let is_untaken = |capture: &ComparedCapture| {
            let slot = capture.file as usize;
            known[slot].captures += 1;
            slot < n_known && !known[slot].is_taken
        };
        let (untaken, taken): (Vec<_>, Vec<_>) = captures.into_iter().partition(is_untaken);
        if !untaken.is_empty() {
            waiting.push(&untaken)?;
        }
        self.count(taken)
    }

    /// Counts the captures whose files were asked about, and keeps those of files that flip.
    fn count(&mut self, captures: Vec<ComparedCapture>) -> Result<(), Error> {
        let mut flipping = Vec::new();
        for mut capture in captures {
            let state = self.known[capture.file as usize];
            if !state.is_asked {
                continue;
            }
            let totals = &mut self.totals;
            totals.captures += 1;
            totals.cells += u64::from(state.n_cells);
            totals.unanswered += u64::from(state.n_unanswered);
            totals.weight += capture.weight * state.weight;
            self.hosts.insert(host_hash(&capture.host));
            if let Some(number) = state.flipping {
                capture.file = number;
                flipping.push(capture);
            }
        }
        if !flipping.is_empty() {
            self.captures.push(&flipping)?;
        }
        Ok(())
    }

    fn add_to_sample(&mut self, files: &[FileState]) {
        if let Some(sample) = &mut self.sample {
            for file in files {
                sample.add(file.captures, file.is_taken, file.flipping);
            }
        }
    }

    /// Numbers the files that flip in the order of the archives, whatever the one in which they
    /// were asked about.
    fn sort_flipping(&mut self) {
        let mut order = Vec::new();
        let mut numbers = vec![0; self.files.len()];
        let flipping = self.known.iter_mut();
        for number in flipping.filter_map(|state| state.flipping.as_mut()) {
            numbers[*number as usize] = order.len() as u32;
            order.push(std::mem::replace(number, order.len() as u32));
        }
        self.files.sort(&order);
        let recent = self.recent.iter_mut();
        for number in recent.filter_map(|file| file.flipping.as_mut()) {
            *number = numbers[*number as usize];
        }
    }

    /// Ends the collection; with a budget of time the files are a sample of this `share`, or all.
    pub(super) fn finish(
        &mut self,
        config: &CompareConfig,
        mut waiting: Records<Vec<ComparedCapture>>,
        damaged: Vec<DamagedArchive>,
        share: Option<f64>,
    ) -> Result<(), Error> {
        let has_budget = config.budget.is_some();
        if has_budget {
            self.sort_flipping();
            self.sample = share.map(Sample::new);
        }
        // The captures of files that were taken only after them.
        for number in 0..waiting.len() {
            self.count(waiting.read(number)?.0)?;
        }
        let known = std::mem::take(&mut self.known);
        self.add_to_sample(&known);
        if let Some(sample) = self.sample.as_ref().filter(|_| has_budget) {
            self.totals.not_asked = sample.n_untaken_files;
        }
        self.totals.hosts = self.hosts.count();
        self.damaged = damaged;
        Ok(())
    }

    /// Takes faults of files whose answers were taken already, and returns the numbers of those
    /// that flip.
    pub(super) fn take_late(
        &mut self,
        output: &mut Output,
        side: usize,
        late: &[Reply],
    ) -> Result<Vec<u32>, Error> {
        let mut dropped = Vec::new();
        let first = self.n_asked - self.recent.len() as u64;
        for late in late {
            // What follows was asked again, or about an example.
            let is_of_first_pass = late.id.is_none_or(|file| file < self.n_asked);
            let Some(fault) = late.result.as_ref().err().filter(|_| is_of_first_pass) else {
                continue;
            };
            let recent = late.id.and_then(|file| {
                let index = usize::try_from(file.checked_sub(first)?).ok()?;
                self.recent.get(index)
            });
            let file = recent.map(|file| &file.key);
            self.faults.take(output, side, fault, late.elapsed, file)?;
            dropped.extend(recent.and_then(|file| file.flipping));
        }
        Ok(dropped)
    }
}

impl Faults {
    /// Writes a fault of a side, with the file at fault where it is known.
    pub(super) fn take(
        &mut self,
        output: &mut Output,
        side: usize,
        fault: &ParserFault,
        elapsed: Duration,
        file: Option<&FileKey>,
    ) -> Result<(), Error> {
        let mut digest = file.map(FileKey::digest);
        let mut key = fault_key(fault.kind, digest);
        if self.found.len() >= MAX_FOUND_FAULTS && !self.by_key.contains_key(&key) {
            digest = None;
            key = fault_key(fault.kind, None);
        }
        let index = *self.by_key.entry(key).or_insert(self.found.len());
        if index == self.found.len() {
            let host = file.map_or("an unknown file", |file| &file.host);
            self.found.push(FoundFault {
                kind: fault.kind,
                content_digest: digest.map(str::to_owned),
                faults: 0,
                sentence: format!("{}: {host}: {}", SIDES[side], fault.message),
            });
        }
        self.found[index].faults += 1;
        output.append_fault(|rows| {
            rows.side.append(SIDES[side]);
            rows.capture_id.append(file.map(|file| file.capture_id));
            rows.url_host_name.append(file.map(|file| &*file.host));
            rows.content_digest.append(file.map(FileKey::digest));
            rows.kind.append(fault.kind.as_str());
            rows.milliseconds.append(elapsed.as_secs_f64() * 1000.0);
            rows.message.append(&fault.message);
        })
    }
}

/// Returns a hash of a host of which every bit is as good as random.
pub(super) fn host_hash(host: &str) -> u64 {
    let digest = sha1(host.as_bytes());
    u64::from_le_bytes(*digest.first_chunk().expect("a SHA-1 has 20 bytes"))
}
