//! One worker: all scratch, and the way of a capture from its record to appended rows.

use std::{io::Read, sync::Arc};

use super::{
    assemble::{Archive, Delivery, Stop},
    config::{Config, VerdictForm},
    plan::Task,
    progress::{Counted, Progress},
    sets::Gathered,
    tables::{HAND_OVER_BYTES, Tables},
};
use crate::{
    capture::{Capture, CaptureReader, Skip},
    dialect::{
        Access, Anomaly, AnomalyFinder, Basis, DialectSpec, FetchOutcome, RuleKind, RuleSet,
        Verdict, builtin,
    },
    digest::sha1,
    error::ErrorKind,
    input::ArchiveSource,
    matrix::{
        Answers, Matrix,
        evaluate::{Cells, Evaluator},
    },
    policy::{self, Assessor, Policy},
    robots::{BodyKind, Field, RobotsTxt, decimal, parse},
    sink::{Format, Input},
    summary::{CategoryCounts, Counts},
    table::{
        CaptureKey,
        archives::ArchiveCounts,
        captures::{FileFacts, Found, Provenance},
    },
    warc::{Fault, FaultKind, Reader},
};

/// The dialect by whose rules anomalies are found, whatever the reference dialect: an anomaly is one of the file, not of a reading.
const GOOGLE: &str = "google";
/// The subset of Common Crawl that holds nothing but fetches of robots.txt.
const ROBOTS_SUBSET: &str = "robotstxt";

/// What all workers read and none changes.
pub(super) struct Shared<'r> {
    pub(super) config: &'r Config,
    pub(super) archives: &'r [ArchiveSource],
    pub(super) inputs: &'r [Input],
    pub(super) run_id: &'r str,
    pub(super) formats: &'r [Arc<Format>],
    pub(super) evaluators: Vec<Evaluator>,
    pub(super) categories: Categories,
    pub(super) progress: &'r Progress,
}

/// Which agents of the matrix belong to which category, and where the path `/` stands.
pub(super) struct Categories {
    root: Option<usize>,
    /// Agents, by category.
    agents: Vec<Vec<usize>>,
}

impl Categories {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let agents = matrix.categories().into_iter().map(|category| {
            let is_of = |&agent: &usize| matrix.agents[agent].category.as_deref() == Some(category);
            (0..matrix.agents.len()).filter(is_of).collect()
        });
        Self {
            root: matrix.urls.paths().iter().position(|path| path == "/"),
            agents: agents.collect(),
        }
    }
}

/// The scratch of one thread.
pub(super) struct Worker<'r> {
    shared: &'r Shared<'r>,
    reader: Reader,
    captures: CaptureReader,
    rows: Rows<'r>,
}

/// Everything behind the record: from a capture to rows.
struct Rows<'r> {
    shared: &'r Shared<'r>,
    robots: RobotsTxt,
    rules: RuleSet,
    /// What the finder of anomalies wants, where the reference dialect is another than google.
    google: Option<(DialectSpec, RuleSet)>,
    finder: AnomalyFinder,
    anomalies: Vec<Anomaly>,
    crawl_delays: Vec<Option<f64>>,
    /// The answers to one capture, by dialect.
    cells: Vec<Cells>,
    sets: Gathered,
    assessor: Assessor,
    policies: Vec<Policy>,
    tables: Tables,
    counts: Counts,
}

impl<'r> Worker<'r> {
    pub(super) fn new(shared: &'r Shared<'r>) -> Self {
        let config = shared.config;
        Self {
            shared,
            reader: Reader::new(config.limits),
            captures: CaptureReader::new(config.max_body),
            rows: Rows {
                shared,
                robots: RobotsTxt::new(),
                rules: RuleSet::new(),
                google: google_beside(&config.dialects[0]),
                finder: AnomalyFinder::new(),
                anomalies: Vec::new(),
                crawl_delays: Vec::new(),
                cells: config.dialects.iter().map(|_| Cells::default()).collect(),
                sets: Gathered::default(),
                assessor: Assessor::new(config.dialects[0].clone()),
                policies: Vec::new(),
                tables: Tables::new(config, shared.run_id, shared.formats),
                counts: Counts::default(),
            },
        }
    }

    /// Reads the archives of a task and hands over their rows, the last of them with `is_last`.
    pub(super) fn work(
        &mut self,
        task: &Task<'_>,
        deliver: &mut impl FnMut(Delivery) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut finished = Vec::new();
        self.rows.sets.begin(task.part, task.number);
        for index in task.archives.clone() {
            let archive = self.read_archive(index, &mut |rows| {
                deliver(rows.hand_over(Vec::new(), false)?)
            })?;
            finished.push(archive);
            self.shared.progress.add_archive();
        }
        deliver(self.rows.hand_over(finished, true)?)
    }

    fn read_archive(
        &mut self,
        index: usize,
        hand_over: &mut impl FnMut(&mut Rows<'r>) -> Result<(), Stop>,
    ) -> Result<Archive, Stop> {
        let shared = self.shared;
        let archive = &shared.archives[index];
        let mut counts = ArchiveCounts::default();
        let mut damage = Damage::default();
        match archive.source.open() {
            Ok(source) => {
                let mut source = Counted::new(source, shared.progress);
                self.read_records(archive, &mut source, &mut counts, &mut damage, hand_over)?;
                if let Some((offset, source)) = source.failure() {
                    let location = archive.source.location();
                    let error = ErrorKind::Read {
                        location,
                        offset,
                        source,
                    };
                    return Err(Stop::Failed(error.into()));
                }
            }
            Err(e) => {
                let fault = Fault {
                    offset: 0,
                    bytes_skipped: 0,
                    kind: FaultKind::OpenFailed,
                    message: format!("{}: cannot open: {e}", archive.source.location()),
                };
                damage.note(&mut self.rows.tables, &archive.name, fault);
            }
        }
        counts.errors = damage.n_faults;
        counts.first_loss = damage.first_loss;
        let rows = &mut self.rows;
        let (crawl, subset) = (archive.crawl.as_deref(), archive.subset.as_deref());
        rows.tables
            .archives
            .append(&archive.name, crawl, subset, &counts);
        let total = &mut rows.counts;
        total.archives += 1;
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
        Ok(Archive {
            input: shared.inputs[index].clone(),
            captures: counts.captures,
            first_loss: counts.first_loss,
        })
    }

    fn read_records(
        &mut self,
        archive: &ArchiveSource,
        source: &mut dyn Read,
        counts: &mut ArchiveCounts,
        damage: &mut Damage,
        hand_over: &mut impl FnMut(&mut Rows<'r>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let base = base_id(&archive.name);
        self.reader.begin(archive.source.size());
        self.captures
            .begin(archive.subset.as_deref() == Some(ROBOTS_SUBSET));
        while let Some(record) = self.reader.read_record(source) {
            if self.shared.progress.is_stopped() {
                return Err(Stop::Asked);
            }
            match self.captures.read(&record) {
                Ok(capture) => {
                    counts.captures += 1;
                    let provenance = Provenance {
                        warc_filename: &archive.name,
                        crawl: archive.crawl.as_deref(),
                        subset: archive.subset.as_deref(),
                        offset: record.offset,
                        length: record.length,
                    };
                    let id = base + i64::try_from(record.key).unwrap_or(i64::MAX - base);
                    self.rows.append(id, &provenance, &capture);
                    self.rows.tables.encode_full()?;
                    if self.rows.memory_size() > HAND_OVER_BYTES {
                        hand_over(&mut self.rows)?;
                    }
                    self.shared.progress.add_capture();
                }
                Err(skip) => counts.skipped[skip as usize] += 1,
            }
            let tables = &mut self.rows.tables;
            self.reader
                .take_faults(|fault| damage.note(tables, &archive.name, fault));
        }
        let tables = &mut self.rows.tables;
        self.reader
            .take_faults(|fault| damage.note(tables, &archive.name, fault));
        counts.read = self.reader.counts();
        if counts.read.records == 0 && damage.n_faults == 0 {
            let fault = Fault {
                offset: 0,
                bytes_skipped: 0,
                kind: FaultKind::Empty,
                message: "expected records, but the archive holds none".to_owned(),
            };
            damage.note(tables, &archive.name, fault);
        }
        Ok(())
    }
}

/// The faults of one archive so far.
#[derive(Default)]
struct Damage {
    n_faults: u64,
    first_loss: Option<String>,
}

impl Damage {
    fn note(&mut self, tables: &mut Tables, archive: &str, fault: Fault) {
        self.n_faults += 1;
        if fault.kind.loses_records() && self.first_loss.is_none() {
            self.first_loss = Some(fault.to_string());
        }
        tables.archive_errors.append(archive, &fault);
    }
}

/// Returns where the identifiers of an archive's captures begin.
///
/// An identifier is this number plus the record's key, which is its offset. The beginnings are spread over 2^62 by a digest of the name, so
/// that among 75 million captures of a crawl the chance of any two equal identifiers is about one in 1,600 (n^2 / 2^63).
fn base_id(name: &str) -> i64 {
    let digest = sha1(name.as_bytes());
    let first = u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"));
    i64::try_from(first >> 2).expect("62 bits fit")
}

/// Returns a host as the 64-bit hash that distinct hosts are counted by.
fn host_hash(host: &str) -> u64 {
    let digest = sha1(host.as_bytes());
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"))
}

impl Rows<'_> {
    fn hand_over(&mut self, archives: Vec<Archive>, is_last: bool) -> Result<Delivery, Stop> {
        Ok(Delivery {
            rows: self.tables.finish()?,
            sets: self.sets.take(),
            counts: std::mem::take(&mut self.counts),
            archives,
            is_last,
        })
    }

    /// Returns about how many bytes of memory the rows take that are not handed over yet.
    fn memory_size(&self) -> usize {
        self.tables.memory_size() + self.sets.memory_size()
    }

    fn append(&mut self, id: i64, provenance: &Provenance<'_>, capture: &Capture<'_>) {
        let key = CaptureKey {
            id,
            host: capture.location.host_name(),
        };
        let reference = self.shared.evaluators[0].spec();
        let access = access(reference, capture);
        let errors_before = self.tables.errors.n_rows();
        let facts = if access == Access::Conditional {
            parse(capture.payload, &mut self.robots);
            self.rules.compile(reference, capture.payload, &self.robots);
            self.append_anomalies(key, capture.payload);
            Some(self.append_lines(key, capture.payload))
        } else {
            None
        };
        self.append_findings(key, capture);
        let n_errors = self.tables.errors.n_rows() - errors_before;
        let host = host_hash(key.host);
        self.count(host, capture, access);
        self.evaluate(key, host, capture, access);
        let found = Found {
            access,
            facts: facts.as_ref(),
            error_count: n_errors,
            verdict_set_id: self.append_answers(key, capture.location.origin()),
        };
        self.tables.captures.append(id, provenance, capture, &found);
    }

    /// Appends the rows of a file's lines, as the reference dialect reads them.
    fn append_lines(&mut self, key: CaptureKey<'_>, body: &[u8]) -> FileFacts {
        let rules = &mut self.rules;
        let semantic_digest = rules.semantic_digest();
        let is_text = self.robots.kind() == BodyKind::Text;
        let mut sitemap_count = 0;
        self.crawl_delays.clear();
        self.crawl_delays.resize(rules.groups().len(), None);
        for record in rules.records() {
            // The lines of an HTML page are full of colons; none of them was meant as a directive.
            if record.field == Field::Unknown && !is_text {
                continue;
            }
            self.tables.directives.append(key, body, record);
            self.tables.signals.append(key, body, record);
            self.counts.directives += 1;
            sitemap_count += u32::from(record.field == Field::Sitemap);
            if let (Field::CrawlDelay, Some(group)) = (record.field, record.group_index) {
                self.crawl_delays[group as usize] =
                    self.crawl_delays[group as usize].or_else(|| decimal(record.value.of(body)));
            }
        }
        for (index, group) in rules.groups().iter().enumerate() {
            self.tables
                .groups
                .append(key, index, group, self.crawl_delays[index]);
        }
        for agent in rules.agents() {
            self.tables.agents.append(key, body, agent);
        }
        let mut allow_count = 0;
        for rule in rules.rules() {
            self.tables
                .rules
                .append(key, body, rule, rules.pattern(rule));
            allow_count += u32::from(rule.kind == RuleKind::Allow);
        }
        if is_text {
            // What stands behind the limit is not read; its comments are not either.
            let n_read = body.len() - rules.over_limit_bytes() as usize;
            for (index, line) in self.robots.lines().iter().enumerate() {
                self.tables
                    .comments
                    .append(key, &body[..n_read], index + 1, line);
            }
        }
        let n_rules = rules.rules().len();
        self.counts.groups += rules.groups().len() as u64;
        self.counts.agents += rules.agents().len() as u64;
        self.counts.rules += n_rules as u64;
        FileFacts {
            semantic_digest,
            has_bom: self.robots.has_bom(),
            line_ending: self.robots.line_ending(),
            line_count: self.robots.line_count(),
            group_count: rules.groups().len() as u32,
            allow_count,
            disallow_count: n_rules as u32 - allow_count,
            sitemap_count,
            over_limit_bytes: rules.over_limit_bytes(),
        }
    }

    fn append_anomalies(&mut self, key: CaptureKey<'_>, body: &[u8]) {
        let rules = match &mut self.google {
            Some((spec, rules)) => {
                rules.compile(spec, body, &self.robots);
                rules
            }
            None => &self.rules,
        };
        self.finder
            .find(body, &self.robots, rules, &mut self.anomalies);
        for anomaly in &self.anomalies {
            self.tables.errors.append(key, body, anomaly);
            *self.counts.errors.entry(anomaly.code.as_str()).or_default() += 1;
        }
    }

    fn append_findings(&mut self, key: CaptureKey<'_>, capture: &Capture<'_>) {
        let errors = &mut self.tables.errors;
        for finding in capture.findings.iter() {
            errors.append_response(key, finding.code(), "info", finding.describe());
            *self.counts.errors.entry(finding.code()).or_default() += 1;
        }
        if capture.is_cut {
            let (code, text) = (
                "record_cut",
                "the archive's record holds less than was archived",
            );
            errors.append_response(key, code, "warning", text);
            *self.counts.errors.entry(code).or_default() += 1;
        }
    }

    fn count(&mut self, host: u64, capture: &Capture<'_>, access: Access) {
        let counts = &mut self.counts;
        counts.captures += 1;
        let class = Counts::status_class(capture.fetch_status);
        *counts.status.entry(class).or_default() += 1;
        *counts.access.entry(access.as_str()).or_default() += 1;
        counts.hosts.insert(host);
        if access == Access::Conditional {
            counts.hosts_read.insert(host);
        }
    }

    /// Asks the matrix under every dialect, and notes what the reference dialect makes of agents as a whole.
    fn evaluate(
        &mut self,
        key: CaptureKey<'_>,
        host: u64,
        capture: &Capture<'_>,
        reference: Access,
    ) {
        let matrix = &self.shared.config.matrix;
        let origin = capture.location.origin();
        for (index, evaluator) in self.shared.evaluators.iter().enumerate() {
            let access = match index {
                0 => reference,
                _ => access(evaluator.spec(), capture),
            };
            let cells = &mut self.cells[index];
            if access == Access::Conditional {
                if index > 0 {
                    self.rules
                        .compile(evaluator.spec(), capture.payload, &self.robots);
                }
                let urls = matrix.urls.of_origin(origin);
                evaluator.evaluate(&self.rules, urls, cells);
            } else {
                let n_urls = matrix.urls.of_origin(origin).count();
                evaluator.answer_all(access, n_urls, cells);
            }
            if index == 0 {
                self.append_policies(key, capture, access);
                self.count_categories(host);
            }
        }
    }

    /// Appends the answers in the form that the run has, and returns the identifier of their vector if that is the form.
    fn append_answers(&mut self, key: CaptureKey<'_>, origin: &str) -> Option<i64> {
        let config = self.shared.config;
        let answers = self.cells.iter().map(Cells::answers);
        self.counts.verdicts += answers.clone().map(Answers::n_cells).sum::<usize>() as u64;
        match config.verdicts {
            VerdictForm::Rows => {
                let verdicts = &mut self.tables.verdicts;
                for (dialect, answers) in answers.enumerate() {
                    verdicts.append(key, dialect, &config.matrix, origin, answers);
                }
                None
            }
            VerdictForm::Sets => Some(self.sets.id_of(&config.matrix, origin, &self.cells)),
        }
    }

    /// Appends what the capture means for each agent as a whole, while rules and cells are those of the reference dialect.
    fn append_policies(&mut self, key: CaptureKey<'_>, capture: &Capture<'_>, access: Access) {
        if access != Access::Conditional {
            return self.tables.policies.append_access(key, access);
        }
        let rules = policy::Rules {
            body: capture.payload,
            set: &self.rules,
        };
        self.assessor
            .assess(rules, self.cells[0].selections(), &mut self.policies);
        let (policies, delays) = (&self.policies, &self.crawl_delays);
        self.tables
            .policies
            .append(key, &self.cells[0], policies, delays);
    }

    /// Counts the host for every category of agents that its rules shut out of `/`.
    fn count_categories(&mut self, host: u64) {
        let categories = &self.shared.categories;
        let Some(root) = categories.root else {
            return;
        };
        let counts = &mut self.counts.categories;
        counts.resize_with(categories.agents.len(), CategoryCounts::default);
        for (agents, counts) in categories.agents.iter().zip(counts) {
            let is_shut_out = |&agent: &usize| {
                let decision = self.cells[0].of_agent(agent)[root];
                decision.verdict == Verdict::Disallow && decision.basis == Basis::Rule
            };
            if agents.iter().any(is_shut_out) {
                counts.any.insert(host);
            }
            if agents.iter().all(is_shut_out) {
                counts.all.insert(host);
            }
        }
    }
}

/// Returns the dialect google and a rule set for it, unless it is the reference dialect.
fn google_beside(reference: &DialectSpec) -> Option<(DialectSpec, RuleSet)> {
    let google = builtin(GOOGLE).expect("google is built in");
    (google != *reference).then(|| (google, RuleSet::new()))
}

/// Returns what the fetch itself decides under a dialect.
fn access(spec: &DialectSpec, capture: &Capture<'_>) -> Access {
    let is_cut_off = matches!(capture.truncated, Some("time" | "disconnect"));
    let outcome = match capture.fetch_status {
        Some(status) if !is_cut_off => FetchOutcome::Status(status),
        _ => FetchOutcome::Unreachable,
    };
    spec.access.decide(outcome)
}
