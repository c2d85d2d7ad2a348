//! The third pass: the flips of each file become rows of each of its captures, and figures of their
//! causes.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    rc::Rc,
};

use super::{
    collect::host_hash,
    examples::NamedCause,
    found::{Direction, FoundCause, Totals},
    output::{Output, side_answer},
    probe::ORIGIN,
    record::{FlippingCapture, FlippingFile},
    settle::Group,
};
use crate::{
    archive::{error::Error, input::ArchiveSource},
    dataset::{
        sink::Spill,
        summary::Distinct,
        table::{CaptureKey, flips::FlipRow},
    },
};

/// Bytes of flipping files that are held, since the captures of a body are often near each other.
const MAX_HELD: usize = 32 * 1024 * 1024;

/// The figures of one cause.
#[derive(Clone, Debug, Default)]
struct CauseCounts {
    directions: BTreeMap<Direction, u64>,
    captures: u64,
    files: u64,
    hosts: Distinct,
    cells: u64,
    weight: f64,
}

/// Flipping files that were read last.
struct FlippingFiles<'f> {
    spill: &'f mut Spill,
    offsets: &'f [u64],
    held: HashMap<u32, Rc<FlippingFile>>,
    order: VecDeque<(u32, usize)>,
    n_bytes: usize,
}

impl FlippingFiles<'_> {
    fn get(&mut self, number: u32) -> Result<Rc<FlippingFile>, Error> {
        if let Some(file) = self.held.get(&number) {
            return Ok(Rc::clone(file));
        }
        let record = self.spill.read(self.offsets[number as usize])?;
        let record = record.map(|(record, _)| record).unwrap_or_default();
        let file = Rc::new(FlippingFile::from_record(&record));
        self.n_bytes += record.len();
        self.order.push_back((number, record.len()));
        self.held.insert(number, Rc::clone(&file));
        while self.n_bytes > MAX_HELD
            && let Some((oldest, n)) = self.order.pop_front()
        {
            self.held.remove(&oldest);
            self.n_bytes -= n;
        }
        Ok(file)
    }
}

/// Writes the flips of all captures, completes the totals, and returns the causes, the one of most
/// hosts first.
pub(super) fn fan_out(
    captures: &mut Spill,
    (files, offsets, dropped): (&mut Spill, &[u64], &HashSet<u32>),
    (causes, of_group): (Vec<NamedCause>, &HashMap<Group, usize>),
    archives: &[ArchiveSource],
    totals: &mut Totals,
    output: &mut Output,
) -> Result<Vec<FoundCause>, Error> {
    let mut counts: Vec<CauseCounts> = vec![CauseCounts::default(); causes.len()];
    let mut files = FlippingFiles {
        spill: files,
        offsets,
        held: HashMap::new(),
        order: VecDeque::new(),
        n_bytes: 0,
    };
    let mut is_met = vec![false; offsets.len()];
    let mut hosts = Distinct::default();
    let mut of_capture: Vec<usize> = Vec::new();
    let mut offset = 0;
    while let Some((record, next)) = captures.read(offset)? {
        offset = next;
        for capture in FlippingCapture::from_record(&record) {
            let file = files.get(capture.file)?;
            if file.flips.is_empty() || dropped.contains(&capture.file) {
                continue;
            }
            let is_first = !std::mem::replace(&mut is_met[capture.file as usize], true);
            let host = host_hash(&capture.host);
            totals.flipping_files += u64::from(is_first);
            totals.flipping_captures += 1;
            hosts.insert(host);
            of_capture.clear();
            let digest = String::from_utf8_lossy(&file.digest);
            let key = CaptureKey {
                id: capture.id,
                host: &capture.host,
            };
            for ((agent, url), flip) in file.queries.iter().zip(&file.flips) {
                let verdicts = flip.baseline.verdict.zip(flip.candidate.verdict);
                let direction = verdicts.and_then(|(one, other)| Direction::of(one, other));
                let (Some(direction), Some(&cause)) = (direction, of_group.get(&Group::of(flip)))
                else {
                    continue;
                };
                let weight = capture.weight * flip.weight;
                let of_cause = &mut counts[cause];
                *of_cause.directions.entry(direction).or_default() += 1;
                of_cause.cells += 1;
                of_cause.weight += weight;
                if !of_capture.contains(&cause) {
                    of_capture.push(cause);
                    of_cause.captures += 1;
                    of_cause.files += u64::from(is_first);
                    of_cause.hosts.insert(host);
                }
                *totals.directions.entry(direction).or_default() += 1;
                totals.flipping_weight += weight;
                totals.unexplained += u64::from(causes[cause].changes.is_empty());
                output.append_flip(
                    key,
                    &FlipRow {
                        content_digest: &digest,
                        warc_filename: &archives[capture.archive as usize].name,
                        warc_record_offset: capture.offset,
                        host_rank: (capture.rank > 0).then_some(capture.rank),
                        agent,
                        url: url.strip_prefix(ORIGIN).unwrap_or(url),
                        direction: direction as usize,
                        baseline: side_answer(&flip.baseline),
                        candidate: side_answer(&flip.candidate),
                        weight,
                        cause_id: &causes[cause].id,
                    },
                )?;
            }
        }
    }
    totals.flipping_hosts = hosts.count();
    let found = causes
        .into_iter()
        .zip(counts)
        .map(|(cause, counts)| FoundCause {
            id: cause.id,
            key: cause.key,
            changes: cause.changes,
            directions: counts.directions,
            captures: counts.captures,
            files: counts.files,
            hosts: counts.hosts.count(),
            cells: counts.cells,
            weight: counts.weight,
            example: cause.example,
        });
    let mut found: Vec<FoundCause> = found.filter(|cause| cause.cells > 0).collect();
    found.sort_by(|a, b| (b.hosts, b.cells, &a.key).cmp(&(a.hosts, a.cells, &b.key)));
    Ok(found)
}
