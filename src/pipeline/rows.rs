//! From captures to rows: append what a reading says, and count.

use super::{
    archive::{Item, OpenArchive},
    assemble::{Delivery, Stop},
    config::VerdictForm,
    plan::Task,
    reading::{BodyReader, Reading},
    redirects::{host_hash, mark},
    sets::Gathered,
    tables::{HAND_OVER_BYTES, Tables},
    worker::Shared,
};
use crate::{
    capture::{Capture, ResponseCode, Skip},
    dialect::Access,
    matrix::{Answers, Matrix, evaluate::Cells},
    robots::Field,
    sink::PartArchive,
    summary::{CategoryCounts, Counts},
    table::{
        CaptureKey,
        captures::{Found, Provenance},
    },
};

/// Everything behind the capture.
pub(super) struct Rows<'r> {
    shared: &'r Shared<'r>,
    reader: BodyReader<'r>,
    out: Out,
}

/// What is handed over.
struct Out {
    sets: Gathered,
    tables: Tables,
    counts: Counts,
    marks: Vec<u32>,
}

impl<'r> Rows<'r> {
    pub(super) fn new(shared: &'r Shared<'r>) -> Self {
        let config = shared.config;
        Self {
            shared,
            reader: BodyReader::new(config, &shared.evaluators, &shared.categories),
            out: Out {
                sets: Gathered::default(),
                tables: Tables::new(config, shared.run_id, shared.formats),
                counts: Counts::default(),
                marks: Vec::new(),
            },
        }
    }

    /// Begins a stretch of a task; a task that is not cut has one.
    pub(super) fn begin(&mut self, task: &Task<'_>, stretch: usize) {
        self.out.sets.begin(task.part, task.number, stretch);
    }

    /// Appends what an archive holds, and hands rows over where they have become many.
    pub(super) fn take(
        &mut self,
        archive: &str,
        item: Item<'_>,
        mut hand_over: impl FnMut(Delivery) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match item {
            Item::Fault(fault) => self.out.tables.archive_errors.append(archive, &fault),
            Item::Capture(id, provenance, capture) => {
                self.append(id, &provenance, &capture);
                self.out.tables.encode_full()?;
                if self.out.memory_size() > HAND_OVER_BYTES {
                    hand_over(self.hand_over(Vec::new())?)?;
                }
            }
        }
        Ok(())
    }

    /// Appends the row of an archive that has ended.
    pub(super) fn end_archive(&mut self, archive: OpenArchive<'_>) -> PartArchive {
        let OpenArchive {
            index,
            source,
            counts,
            ..
        } = archive;
        let (crawl, subset) = (source.crawl.as_deref(), source.subset.as_deref());
        self.out
            .tables
            .archives
            .append(&source.name, crawl, subset, &counts);
        let total = &mut self.out.counts;
        total.archives += 1;
        total.archives_without_captures += u64::from(counts.captures == 0);
        total.archives_incomplete += u64::from(counts.first_loss.is_some());
        total.bytes_in += counts.read.bytes;
        total.bytes_skipped += counts.read.bytes_skipped;
        total.bytes_inflated += counts.read.bytes_inflated;
        total.records += counts.read.records;
        for (skip, n) in Skip::ALL.iter().zip(counts.skipped) {
            if n > 0 {
                *total.skipped.entry(skip.name()).or_default() += n;
            }
        }
        self.shared.progress.add_archive();
        PartArchive {
            input: self.shared.inputs[index].clone(),
            captures: counts.captures,
            is_complete: counts.first_loss.is_none(),
            reason: counts.first_loss,
        }
    }

    /// Hands out the rows so far, and the archives that ended with them.
    pub(super) fn hand_over(&mut self, archives: Vec<PartArchive>) -> Result<Delivery, Stop> {
        let out = &mut self.out;
        Ok(Delivery {
            rows: out.tables.finish()?,
            sets: out.sets.take(),
            counts: std::mem::take(&mut out.counts),
            marks: std::mem::take(&mut out.marks),
            archives,
        })
    }

    fn append(&mut self, id: i64, provenance: &Provenance<'_>, capture: &Capture<'_>) {
        let key = CaptureKey {
            id,
            host: capture.location.host_name(),
        };
        let config = self.shared.config;
        let out = &mut self.out;
        let reading = self.reader.read(capture);
        let errors_before = out.tables.errors.n_rows();
        if reading.facts.is_some() {
            out.append_file(key, capture.payload, reading);
        }
        out.append_policies(key, reading);
        out.append_findings(key, capture);
        out.count(capture, reading);
        if self.shared.has_marks {
            out.marks.push(mark(&reading.shut_out));
        }
        let origin = capture.location.origin();
        config
            .matrix
            .urls
            .note_origin(origin, &self.shared.seen_origins);
        let verdict_set_id = match config.verdicts {
            VerdictForm::Rows => {
                out.append_verdicts(key, &config.matrix, origin, reading);
                None
            }
            VerdictForm::Sets => Some(out.sets.id_of(&config.matrix, origin, reading)),
        };
        let found = Found {
            access: reading.access(),
            facts: reading.facts.as_ref(),
            error_count: out.tables.errors.n_rows() - errors_before,
            verdict_set_id,
        };
        out.tables.captures.append(id, provenance, capture, &found);
    }
}

impl Out {
    /// Returns about how many bytes of memory the rows take that are not handed over yet.
    fn memory_size(&self) -> usize {
        self.tables.memory_size() + self.sets.memory_size()
    }

    /// Appends the rows of a file that the reference dialect reads.
    fn append_file(&mut self, key: CaptureKey<'_>, body: &[u8], reading: &Reading) {
        let Self { tables, counts, .. } = self;
        for anomaly in &reading.anomalies {
            tables.errors.append(key, body, anomaly);
            *counts.errors.entry(anomaly.code.as_str()).or_default() += 1;
        }
        let rules = &reading.rules;
        for record in rules.records() {
            if record.field != Field::Unknown || reading.is_text() {
                tables.directives.append(key, body, record);
                tables.signals.append(key, body, record);
                counts.directives += 1;
            }
        }
        for (index, group) in rules.groups().iter().enumerate() {
            let delay = reading.crawl_delays[0][index];
            tables.groups.append(key, index, group, delay);
        }
        for agent in rules.agents() {
            tables.agents.append(key, body, agent);
        }
        for rule in rules.rules() {
            tables.rules.append(key, body, rule, rules.pattern(rule));
        }
        if reading.is_text() {
            // What stands behind the limit is not read; its comments are not either.
            let n_read = body.len() - rules.over_limit_bytes() as usize;
            for (index, line) in reading.robots.lines().iter().enumerate() {
                tables
                    .comments
                    .append(key, &body[..n_read], index + 1, line);
            }
        }
        counts.groups += rules.groups().len() as u64;
        counts.agents += rules.agents().len() as u64;
        counts.rules += rules.rules().len() as u64;
    }

    /// Appends the policies of every dialect.
    fn append_policies(&mut self, key: CaptureKey<'_>, reading: &Reading) {
        let table = &mut self.tables.policies;
        for (dialect, &access) in reading.accesses.iter().enumerate() {
            if access == Access::Conditional {
                let cells = &reading.cells[dialect];
                let (policies, delays) =
                    (&reading.policies[dialect], &reading.crawl_delays[dialect]);
                table.append(key, dialect, cells, policies, delays);
            } else {
                table.append_access(key, dialect, access);
            }
        }
    }

    fn append_findings(&mut self, key: CaptureKey<'_>, capture: &Capture<'_>) {
        let errors = &mut self.tables.errors;
        for code in ResponseCode::of(capture) {
            errors.append_response(key, code);
            *self.counts.errors.entry(code.as_str()).or_default() += 1;
        }
    }

    fn append_verdicts(
        &mut self,
        key: CaptureKey<'_>,
        matrix: &Matrix,
        origin: &str,
        reading: &Reading,
    ) {
        let verdicts = &mut self.tables.verdicts;
        for (dialect, cells) in reading.cells.iter().enumerate() {
            verdicts.append(key, dialect, matrix, origin, cells.answers());
        }
    }

    fn count(&mut self, capture: &Capture<'_>, reading: &Reading) {
        let counts = &mut self.counts;
        let host = host_hash(capture.location.host_name());
        let access = reading.access();
        counts.captures += 1;
        let class = Counts::status_class(capture.fetch_status);
        *counts.status.entry(class).or_default() += 1;
        *counts.access.entry(access.as_str()).or_default() += 1;
        counts.hosts.insert(host);
        if access == Access::Conditional {
            counts.hosts_read.insert(host);
        }
        let answers = reading.cells.iter().map(Cells::answers);
        counts.verdicts += answers.map(Answers::n_cells).sum::<usize>() as u64;
        let categories = &mut counts.categories;
        categories.resize_with(reading.shut_out.len(), CategoryCounts::default);
        for (counts, &(any, all)) in categories.iter_mut().zip(&reading.shut_out) {
            if any {
                counts.any.insert(host);
            }
            if all {
                counts.all.insert(host);
            }
        }
    }
}
