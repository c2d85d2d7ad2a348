//! The third pass: the flips of each file become rows of each of its captures, and figures of their
//! causes.

use std::collections::{HashMap, hash_map::Entry};

use super::{
    collect::host_hash,
    examples::NamedCauses,
    found::{FoundCause, Totals},
    output::{Output, verdict_of},
    probe::ORIGIN,
    record::{ComparedCapture, FlippingFile, FlippingFiles, Records},
    settle::Group,
};
use crate::{
    archive::error::Error,
    dataset::{
        sink::Input,
        summary::Distinct,
        table::{CaptureKey, as_i32, as_i64},
    },
};

/// Bytes of flipping files that are held, since the captures of a body are often near each other.
const MAX_HELD: usize = 32 * 1024 * 1024;

/// Writes the flips of all captures, completes the totals, and returns the causes, the one of most
/// hosts first.
pub(super) fn fan_out(
    captures: &mut Records<Vec<ComparedCapture>>,
    files: &mut FlippingFiles,
    named: NamedCauses,
    archives: &[Input],
    totals: &mut Totals,
    output: &mut Output,
) -> Result<Vec<FoundCause>, Error> {
    let mut is_met = vec![false; files.len()];
    let mut held: HashMap<u32, FlippingFile> = HashMap::new();
    let mut n_held_bytes = 0;
    let mut fan_out = FanOut {
        hosts_of_causes: vec![Distinct::default(); named.causes.len()],
        hosts: Distinct::default(),
        of_capture: Vec::new(),
        named,
        archives,
        totals,
        output,
    };
    for number in 0..captures.len() {
        let (of_record, _) = captures.read(number)?;
        for capture in of_record {
            if n_held_bytes > MAX_HELD {
                held.clear();
                n_held_bytes = 0;
            }
            let file = match held.entry(capture.file) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let (file, n_bytes) = files.read(capture.file)?;
                    n_held_bytes += n_bytes;
                    entry.insert(file)
                }
            };
            if !file.flips.is_empty() {
                let is_first = !std::mem::replace(&mut is_met[capture.file as usize], true);
                fan_out.take(&capture, file, is_first)?;
            }
        }
    }
    fan_out.totals.flipping_hosts = fan_out.hosts.count();
    let mut causes = fan_out.named.causes;
    for (cause, hosts) in causes.iter_mut().zip(&fan_out.hosts_of_causes) {
        cause.hosts = hosts.count();
    }
    causes.retain(|cause| cause.cells > 0);
    causes.sort_by(|a, b| (b.hosts, b.cells, &a.key).cmp(&(a.hosts, a.cells, &b.key)));
    Ok(causes)
}

/// What is counted and written for the captures.
struct FanOut<'f> {
    named: NamedCauses,
    hosts_of_causes: Vec<Distinct>,
    hosts: Distinct,
    /// The causes that the capture has.
    of_capture: Vec<usize>,
    archives: &'f [Input],
    totals: &'f mut Totals,
    output: &'f mut Output,
}

impl FanOut<'_> {
    /// Counts a capture of a file with flips and writes these; `is_first` tells the first of the
    /// file.
    fn take(
        &mut self,
        capture: &ComparedCapture,
        file: &FlippingFile,
        is_first: bool,
    ) -> Result<(), Error> {
        let host = host_hash(&capture.host);
        let totals = &mut *self.totals;
        totals.flipping_files += u64::from(is_first);
        totals.flipping_captures += 1;
        self.hosts.insert(host);
        self.of_capture.clear();
        for ((agent, url), flip) in file.queries.iter().zip(&file.flips) {
            let group = self.named.of_group.get(&Group::from_flip(flip));
            let (Some(direction), Some(&index)) = (flip.direction(), group) else {
                continue;
            };
            let cause = &mut self.named.causes[index];
            let weight = capture.weight * flip.weight;
            *cause.directions.entry(direction).or_default() += 1;
            cause.cells += 1;
            cause.weight += weight;
            if !self.of_capture.contains(&index) {
                self.of_capture.push(index);
                cause.captures += 1;
                cause.files += u64::from(is_first);
                self.hosts_of_causes[index].insert(host);
            }
            *totals.directions.entry(direction).or_default() += 1;
            if let Some(stance) = flip.stance() {
                *cause.stances.entry(stance).or_default() += 1;
                *totals.stances.entry(stance).or_default() += 1;
            }
            totals.flipping_weight += weight;
            totals.unexplained += u64::from(cause.changes.is_empty());
            let key = CaptureKey {
                id: capture.id,
                host: &capture.host,
            };
            let archive = &self.archives[capture.archive as usize].name;
            let [before, after] = &flip.answers;
            let reference = flip.reference.and_then(|answer| answer.verdict);
            self.output.append_flip(|rows| {
                rows.capture.append(key);
                rows.content_digest.append(file.key.digest());
                rows.warc_filename.append(archive);
                rows.warc_record_offset.append(as_i64(capture.offset));
                rows.host_rank.append(capture.rank.map(as_i32));
                rows.agent.append(agent);
                rows.url.append(url.strip_prefix(ORIGIN).unwrap_or(url));
                rows.direction.append(direction as usize);
                rows.baseline_verdict.append(verdict_of(before));
                rows.baseline_basis.append(before.basis);
                rows.baseline_line.append(before.line.map(as_i32));
                rows.candidate_verdict.append(verdict_of(after));
                rows.candidate_basis.append(after.basis);
                rows.candidate_line.append(after.line.map(as_i32));
                rows.reference_verdict.append(reference);
                rows.weight.append(weight);
                rows.cause_id.append(&cause.id);
            })?;
        }
        Ok(())
    }
}
