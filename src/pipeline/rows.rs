//! From captures to rows: parse, ask, append, count.

use super::{
    archive::{Item, OpenArchive},
    assemble::{Archive, Delivery, Stop},
    config::VerdictForm,
    plan::Task,
    sets::Gathered,
    tables::{HAND_OVER_BYTES, Tables},
    worker::Shared,
};
use crate::{
    capture::{Capture, Skip},
    dialect::{
        Access, Anomaly, AnomalyFinder, Basis, DialectSpec, FetchOutcome, RuleKind, RuleSet,
        Verdict, builtin,
    },
    digest::sha1,
    matrix::{Answers, Matrix, evaluate::Cells},
    policy::{self, Assessor, Policy},
    robots::{BodyKind, Field, RobotsTxt, decimal, parse},
    summary::{CategoryCounts, Counts},
    table::{
        CaptureKey,
        captures::{FileFacts, Found, Provenance},
    },
};

/// The dialect by whose rules anomalies are found, whatever the reference dialect: an anomaly is one of the file, not of a reading.
const GOOGLE: &str = "google";

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

/// Everything behind the record: from a capture to rows.
pub(super) struct Rows<'r> {
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

impl<'r> Rows<'r> {
    pub(super) fn new(shared: &'r Shared<'r>) -> Self {
        let config = shared.config;
        Self {
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
        }
    }

    /// Begins a stretch of a task; a task that is not cut has one.
    pub(super) fn begin(&mut self, task: &Task<'_>, stretch: usize) {
        self.sets.begin(task.part, task.number, stretch);
    }

    /// Appends what an archive holds, and hands rows over where they have become many.
    pub(super) fn take(
        &mut self,
        archive: &str,
        item: Item<'_>,
        mut hand_over: impl FnMut(Delivery) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match item {
            Item::Fault(fault) => self.tables.archive_errors.append(archive, &fault),
            Item::Capture(id, provenance, capture) => {
                self.append(id, &provenance, &capture);
                self.tables.encode_full()?;
                if self.memory_size() > HAND_OVER_BYTES {
                    hand_over(self.hand_over(Vec::new())?)?;
                }
            }
        }
        Ok(())
    }

    /// Appends the row of an archive that has ended.
    pub(super) fn end_archive(&mut self, archive: OpenArchive<'_>) -> Archive {
        let OpenArchive {
            index,
            source,
            counts,
            ..
        } = archive;
        let (crawl, subset) = (source.crawl.as_deref(), source.subset.as_deref());
        self.tables
            .archives
            .append(&source.name, crawl, subset, &counts);
        let total = &mut self.counts;
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
        self.shared.progress.add_archive();
        Archive {
            input: self.shared.inputs[index].clone(),
            captures: counts.captures,
            first_loss: counts.first_loss,
        }
    }

    /// Hands out the rows so far, and the archives that ended with them.
    pub(super) fn hand_over(&mut self, archives: Vec<Archive>) -> Result<Delivery, Stop> {
        Ok(Delivery {
            rows: self.tables.finish()?,
            sets: self.sets.take(),
            counts: std::mem::take(&mut self.counts),
            archives,
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

/// Returns a host as the 64-bit hash that distinct hosts are counted by.
fn host_hash(host: &str) -> u64 {
    let digest = sha1(host.as_bytes());
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"))
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
