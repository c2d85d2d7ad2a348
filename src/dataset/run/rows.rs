//! From captures to rows: append what the evaluation of a body found, and count.

use std::collections::HashSet;

use super::{
    archive::{Item, LocatedResponse, OpenArchive},
    assemble::{Assembler, CompletedRows, SequenceNumber, WorkEnd},
    config::Config,
    downloads::{download_of, input_of},
    page_rows::PageRows,
    queue::QueuedTask,
    sets::{MAX_REMEMBERED, SetCollector},
    shared::Shared,
    tables::{HAND_OVER_BYTES, Tables},
};
use crate::{
    archive::{capture::Capture, error::Error, input::ArchiveSource},
    dataset::{
        evaluation::{BodyEvaluator, Evaluation, EvaluationScope},
        sink::{Input, Loss, PartArchive},
        summary::Counts,
        table::{CaptureKey, fetch::Provenance, groups, hosts::SetIds, policy_sets, verdict_sets},
    },
    digest::{Sha1Digest, base32, hex, sha1},
    robots::{
        dialect::{OtherRecord, RuleSet},
        lines::Field,
        matrix::{Matrix, evaluate::Evaluator},
    },
};

/// Digests of bodies that a worker remembers, so that an archive of any size takes no more memory.
const MAX_BODIES_SEEN: usize = 1 << 20;

/// Turns captures and faults into rows.
pub(super) struct Rows<'a, 'r> {
    shared: &'r Shared<'r>,
    evaluator: BodyEvaluator<'r>,
    writes_verdicts: bool,
    writes_policies: bool,
    /// In a run that reads pages.
    pages: Option<PageRows>,
    out: Out<'a, 'r>,
}

/// The rows that are not handed over yet.
struct Out<'a, 'r> {
    assembler: &'a Assembler<'r>,
    /// The number of the rows.
    sequence: SequenceNumber,
    sets: SetCollector,
    tables: Tables,
    counts: Counts,
    /// The digests of the bodies of this chunk.
    bodies_seen: HashSet<Sha1Digest>,
}

impl<'a, 'r> Rows<'a, 'r> {
    pub(super) fn new(shared: &'r Shared<'r>, assembler: &'a Assembler<'r>) -> Self {
        let job = shared.job;
        let config = job.config;
        let scope = scope(config);
        Self {
            shared,
            evaluator: BodyEvaluator::new(&config.matrix, &shared.evaluators, scope),
            writes_verdicts: scope.answers_digest,
            writes_policies: scope.policies,
            pages: config.pages.then(|| PageRows::new(config)),
            out: Out {
                assembler,
                sequence: SequenceNumber::default(),
                sets: SetCollector::new(MAX_REMEMBERED),
                tables: Tables::new(config, &job.dataset.identity().options_digest, job.formats),
                counts: Counts::default(),
                bodies_seen: HashSet::new(),
            },
        }
    }

    /// Begins a chunk of a task; a task that is not cut has one.
    pub(super) fn begin(&mut self, task: &QueuedTask<'_>, chunk: usize) {
        self.out.sequence = SequenceNumber {
            task: task.number,
            chunk,
        };
        self.out.sets.begin(task.part, task.number_in_part, chunk);
        self.out.bodies_seen.clear();
    }

    /// Appends a capture, a page or a fault of an archive, and hands rows over once they are many.
    pub(super) fn append(&mut self, archive: &ArchiveSource, item: Item<'_>) -> Result<(), Error> {
        match item {
            Item::Fault(fault) => {
                let faults = &mut self.out.tables.archive_errors.rows;
                faults.append(&archive.name, &fault);
                self.out.encode()?;
            }
            Item::Response(LocatedResponse {
                id,
                offset,
                length,
                response,
            }) => {
                let provenance = Provenance {
                    archive,
                    offset,
                    length,
                };
                let capture = &response.capture;
                if response.is_capture {
                    self.append_capture(id, &provenance, capture)?;
                    self.out.encode()?;
                }
                if let (Some(head), Some(pages)) = (response.page_head, &mut self.pages) {
                    let Out { tables, counts, .. } = &mut self.out;
                    pages.append((tables, counts), id, &provenance, capture, head);
                    self.out.encode()?;
                }
            }
        }
        Ok(())
    }

    /// Appends the row of an archive that has ended.
    pub(super) fn end_archive(&mut self, archive: OpenArchive<'_>) -> PartArchive {
        let is_unopened = archive.bytes.is_err();
        let OpenArchive { source, counts, .. } = archive;
        let download = download_of(source);
        let tables = &mut self.out.tables;
        let archives = &mut tables.archives.rows;
        archives.append(source, &counts, download.as_ref());
        tables.archive_skips.rows.append(&source.name, &counts);
        let total = &mut self.out.counts;
        total.archives += 1;
        total.archives_without_captures += u64::from(counts.captures == 0);
        total.archives_incomplete += u64::from(counts.first_loss.is_some());
        total.bytes_in += counts.read.bytes;
        total.member_bytes += counts.read.member_bytes;
        total.bytes_skipped += counts.read.bytes_skipped;
        total.bytes_inflated += counts.read.bytes_inflated;
        total.records += counts.read.records;
        total.pages_of_other_paths += counts.pages_of_other_paths;
        for (reason, n) in counts.skips() {
            *total.skipped.entry(reason.as_str()).or_default() += n;
        }
        self.shared.job.progress.add_archive();
        PartArchive {
            input: Input {
                is_unopened,
                ..input_of(source)
            },
            sha1: counts.digest.as_ref().map(hex),
            captures: counts.captures,
            is_complete: counts.first_loss.is_none(),
            loss: counts.first_loss.map(|fault| Loss {
                code: fault.kind.as_str().to_owned(),
                message: fault.to_string(),
            }),
        }
    }

    /// Hands over the rows that are left, with the archives that ended with them.
    pub(super) fn end(&mut self, archives: Vec<PartArchive>, end: WorkEnd) -> Result<(), Error> {
        self.out.hand_over(archives, end)
    }

    fn append_capture(
        &mut self,
        id: i64,
        provenance: &Provenance<'_>,
        capture: &Capture<'_>,
    ) -> Result<(), Error> {
        let key = CaptureKey {
            id,
            host: capture.location.host_name(),
        };
        let config = self.shared.job.config;
        let out = &mut self.out;
        let evaluation = self.evaluator.evaluate(capture);
        // Tables of lines have rows of what the reference dialect reads, and of nothing else.
        if evaluation.facts.is_some() {
            out.append_file(key, capture.payload, evaluation)?;
            out.append_body(key, capture);
        }
        let response_error_count = out.append_response_errors(key, capture);
        out.count(capture, evaluation);
        if self.writes_verdicts {
            out.counts.verdicts += evaluation.n_cells() as u64;
        }
        let origin = capture.location.origin();
        config
            .matrix
            .urls
            .note_origin(origin, &self.shared.seen_origins);
        let matrix = &config.matrix;
        let asked = (matrix, origin);
        let evaluators = &self.shared.evaluators;
        let body = capture.payload;
        let verdict_set_id = if !self.writes_verdicts {
            None
        } else if evaluation.is_large() {
            let digest = &evaluation.answers_digest;
            let (id, is_new) = out.sets.id_of_large(matrix, origin, digest);
            if is_new {
                out.append_answers(id, evaluators, asked, body, evaluation)?;
            }
            Some(id)
        } else {
            Some(out.sets.id_of_answers(matrix, origin, evaluation))
        };
        let writes_policies = self.writes_policies;
        let sets = SetIds {
            verdicts: verdict_set_id,
            policies: writes_policies.then(|| out.sets.id_of_policies(evaluation)),
        };
        out.tables.captures.rows.append(
            id,
            provenance,
            capture,
            evaluation,
            response_error_count,
            sets,
        );
        Ok(())
    }
}

/// Returns what is computed of a body, by the tables that need it.
fn scope(config: &Config) -> EvaluationScope {
    let policies = config.tables.contains(policy_sets::TABLE.name);
    EvaluationScope {
        answers: config.tables.needs_answers(),
        answers_digest: config.tables.contains(verdict_sets::TABLE.name),
        crawl_delays: policies || config.tables.contains(groups::TABLE.name),
        policies,
    }
}

impl Out<'_, '_> {
    /// Hands over the rows so far.
    fn hand_over(&mut self, archives: Vec<PartArchive>, end: WorkEnd) -> Result<(), Error> {
        let completed = CompletedRows {
            rows: self.tables.finish()?,
            sets: self.sets.take(),
            counts: std::mem::take(&mut self.counts),
            archives,
        };
        self.assembler.take(self.sequence, completed, end)
    }

    /// Encodes the batches that are full, and hands rows over once they are many.
    fn encode(&mut self) -> Result<(), Error> {
        self.tables.encode_full()?;
        if self.tables.memory_size() + self.sets.new_bytes > HAND_OVER_BYTES {
            self.hand_over(Vec::new(), WorkEnd::None)?;
        }
        Ok(())
    }

    /// Appends all answers of a capture to a large matrix. They are encoded as they come, since the
    /// rows of one capture may take more than the memory of a batch.
    fn append_answers(
        &mut self,
        id: i64,
        evaluators: &[Evaluator],
        asked: (&Matrix, &str),
        body: &[u8],
        evaluation: &Evaluation,
    ) -> Result<(), Error> {
        let mut rules = RuleSet::new();
        for (dialect, (evaluator, cells)) in evaluators.iter().zip(&evaluation.cells).enumerate() {
            if !cells.answers.are_held() {
                rules.compile(evaluator.dialect(), body, &evaluation.robots);
            }
            evaluator.each_block(&rules, cells, |block| {
                let verdict_sets = &mut self.tables.verdict_sets.rows;
                verdict_sets.append(id, dialect, asked, block);
                self.encode()
            })?;
        }
        Ok(())
    }

    /// Appends the rows of a file that the reference dialect reads, and counts them, whether their
    /// tables are written or not. A file of many lines has more rows than a batch.
    fn append_file(
        &mut self,
        key: CaptureKey<'_>,
        body: &[u8],
        evaluation: &Evaluation,
    ) -> Result<(), Error> {
        let Self { tables, counts, .. } = self;
        for anomaly in &evaluation.anomalies {
            if tables.errors.is_written() {
                tables.errors.rows.append(key, body, anomaly);
            }
            *counts.errors.entry(anomaly.code.as_str()).or_default() += 1;
        }
        let rules = &evaluation.rules;
        let is_text = evaluation.is_text();
        let is_directive = |record: &&OtherRecord| record.field != Field::Unknown || is_text;
        for record in rules.records().iter().filter(is_directive) {
            counts.directives += 1;
            (tables.directives).append_batches(1, |rows, _| rows.append(key, body, record))?;
            (tables.signals).append_batches(1, |rows, _| rows.append(key, body, record))?;
        }
        let (groups, delays) = (rules.groups(), &evaluation.crawl_delays[0]);
        (tables.groups).append_batches(groups.len(), |builder, rows| {
            let (start, delays) = (rows.start, &delays[rows.clone()]);
            builder.append_all(key, start, &groups[rows], delays);
        })?;
        (tables.agents).append_batches(rules.agents().len(), |builder, rows| {
            builder.append_all(key, body, &rules.agents()[rows]);
        })?;
        (tables.rules).append_batches(rules.rules().len(), |builder, rows| {
            builder.append_all(key, body, rules, &rules.rules()[rows]);
        })?;
        if is_text && tables.comments.is_written() {
            // What is beyond the dialect's limit is not read; its comments are not either.
            let n_read = body.len() - rules.over_limit_bytes() as usize;
            for (index, line) in evaluation.robots.lines().iter().enumerate() {
                if line.comment().is_some() {
                    tables.comments.append_batches(1, |rows, _| {
                        rows.append(key, &body[..n_read], index + 1, line);
                    })?;
                }
            }
        }
        counts.groups += rules.groups().len() as u64;
        counts.agents += rules.agents().len() as u64;
        counts.rules += rules.rules().len() as u64;
        Ok(())
    }

    /// Appends the body of a file, unless one of this chunk has it already.
    fn append_body(&mut self, key: CaptureKey<'_>, capture: &Capture<'_>) {
        let bodies = &mut self.tables.bodies;
        if !bodies.is_written() {
            return;
        }
        let computed = sha1(capture.payload);
        let digest = base32(&computed);
        // By a digest that the archive states wrongly, no one would find the body.
        let is_new = self.bodies_seen.insert(computed);
        if is_new || digest != capture.digest {
            bodies.rows.append(key, &digest, capture.payload);
        }
        if self.bodies_seen.len() >= MAX_BODIES_SEEN {
            self.bodies_seen.clear();
        }
    }

    /// Appends the findings on the response, and returns their number.
    fn append_response_errors(&mut self, key: CaptureKey<'_>, capture: &Capture<'_>) -> usize {
        let errors = &mut self.tables.response_errors;
        let counts = &mut self.counts.response_errors;
        let mut n = 0;
        for code in capture.findings.iter() {
            if errors.is_written() {
                errors.rows.append(key, code);
            }
            *counts.entry(code.as_str()).or_default() += 1;
            n += 1;
        }
        n
    }

    fn count(&mut self, capture: &Capture<'_>, evaluation: &Evaluation) {
        let counts = &mut self.counts;
        counts.captures += 1;
        let class = Counts::status_class(capture.fetch_status);
        *counts.status.entry(class).or_default() += 1;
        *counts
            .access
            .entry(evaluation.access().as_str())
            .or_default() += 1;
    }
}
