//! What a body says under the dialects of a run, worked out once for equal bodies.
//!
//! Enters: a capture. Leaves: a [`Reading`], from which rows are made. Platforms serve one
//! robots.txt for all their sites, and a host serves it under `http` and `https`, with and without
//! `www`: two in five of the generated files were read shortly before, and one in four of the real
//! ones of eight archives, which are only a sample of theirs.

use std::cell::Cell;

use super::{
    config::{Config, VerdictForm},
    recent::{Place, Recent},
};
use crate::{
    capture::{Capture, Truncation},
    dialect::{
        Access, Anomaly, AnomalyFinder, Basis, Decision, Dialect, FetchOutcome, OtherRecord,
        RuleKind, RuleSet, Verdict, builtin,
    },
    digest::{Sha1Digest, sha1},
    matrix::{
        Answers, DigestScratch, Matrix,
        evaluate::{Cells, Evaluator},
    },
    policy::{self, Assessor, Policy},
    robots::{BodyKind, Field, RobotsTxt, decimal, parse},
    table::captures::FileFacts,
};

/// The dialect by whose rules anomalies are found, whatever the reference dialect: an anomaly is
/// one of the file, not of a reading.
const GOOGLE: &str = "google";
/// Bytes of a body up to which its reading is kept for the next of its like. What repeats is short,
/// and readings take several times as much.
const LONGEST_KEPT: usize = 4 * 1024;
/// Bytes of answers up to which a reading is kept: at most 200 of them are.
const MOST_ANSWERS_KEPT: usize = 64 * 1024;
/// Cells of a capture, all dialects taken together, from which on a matrix is large: its answers
/// are written in blocks, and told apart by the files they follow from.
pub(super) const LARGE_MATRIX: usize = 1 << 18;
/// Bytes of a body whose reading takes so little room that it is not worth giving back.
const SHORT: usize = 1024;

/// A body under the dialects of a run, or what a fetch decides without one.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// What the fetch decides, by dialect.
    pub(super) accesses: Vec<Access>,
    /// The body, of a reading that is kept.
    body: Vec<u8>,
    /// The lines, if any dialect reads them.
    pub(super) robots: RobotsTxt,
    /// The groups and rules of the reference dialect, if it reads the lines.
    pub(super) rules: RuleSet,
    /// The facts and anomalies of a file that the reference dialect reads; empty otherwise.
    pub(super) facts: Option<FileFacts>,
    pub(super) anomalies: Vec<Anomaly>,
    /// The delay of each group in seconds, by dialect; empty for one that reads no line.
    pub(super) crawl_delays: Vec<Vec<Option<f64>>>,
    /// The policy of each selection of a dialect's cells, by dialect; empty for one that reads no
    /// line.
    pub(super) policies: Vec<Vec<Policy>>,
    /// The answers, by dialect.
    pub(super) cells: Vec<Cells>,
    /// By category of agents: whether at least one, and whether every one, is shut out of `/`;
    /// empty if `/` is not asked.
    pub(super) shut_out: Vec<(bool, bool)>,
    /// Equal for equal answers; made where answers are written as sets.
    pub(super) answers_digest: Sha1Digest,
    /// The identifier that the answers were given last, and in which epoch of identifiers.
    pub(super) set_id: Cell<Option<(u64, i64)>>,
}

/// Which agents of the matrix belong to which category, and whether the path `/` is asked.
pub(super) struct Categories {
    has_root: bool,
    /// Agents, by category.
    agents: Vec<Vec<usize>>,
}

/// Reads bodies, and remembers some readings.
pub(super) struct BodyReader<'r> {
    config: &'r Config,
    evaluators: &'r [Evaluator],
    categories: &'r Categories,
    recent: Recent,
    readings: Vec<Reading>,
    /// What is not kept.
    passing: Reading,
    accesses: Vec<Access>,
    tools: Tools,
}

/// What reading takes beside the body.
struct Tools {
    /// Rules under dialects other than the reference.
    rules: RuleSet,
    /// What the finder of anomalies wants, where the reference dialect is another than google.
    google: Option<(Dialect, RuleSet)>,
    finder: AnomalyFinder,
    /// By dialect.
    assessors: Vec<Assessor>,
    scratch: DigestScratch,
    text: Vec<u8>,
}

impl Categories {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let agents = matrix.categories().into_iter().map(|category| {
            let is_of = |&agent: &usize| matrix.agents[agent].category.as_deref() == Some(category);
            (0..matrix.agents.len()).filter(is_of).collect()
        });
        Self {
            has_root: matrix.urls.paths().iter().any(|path| path == "/"),
            agents: agents.collect(),
        }
    }
}

impl<'r> BodyReader<'r> {
    pub(super) fn new(
        config: &'r Config,
        evaluators: &'r [Evaluator],
        categories: &'r Categories,
    ) -> Self {
        let reference = &config.dialects[0];
        Self {
            config,
            evaluators,
            categories,
            recent: Recent::new(),
            readings: Vec::new(),
            passing: Reading::default(),
            accesses: Vec::new(),
            tools: Tools {
                rules: RuleSet::new(),
                google: google_beside(reference),
                finder: AnomalyFinder::new(),
                assessors: config.dialects.iter().cloned().map(Assessor::new).collect(),
                scratch: DigestScratch::default(),
                text: Vec::new(),
            },
        }
    }

    /// Reads the body of a capture.
    pub(super) fn read(&mut self, capture: &Capture<'_>) -> &Reading {
        self.accesses.clear();
        let outcome = outcome(capture);
        let decide = |evaluator: &Evaluator| evaluator.dialect().access.decide(outcome);
        self.accesses.extend(self.evaluators.iter().map(decide));
        // Where the fetch has decided, no body says anything.
        let body = match self.accesses.contains(&Access::Conditional) {
            true => capture.payload,
            false => b"",
        };
        let origin = capture.location.origin();
        let has_own_urls = self.config.matrix.urls.of_origin(origin).next().is_some();
        let is_kept = body.len() <= LONGEST_KEPT && !has_own_urls;
        let index = match is_kept.then(|| self.recent.find(key(&capture.digest, &self.accesses))) {
            None => None,
            Some(Place::Found(index)) if self.readings[index].is_of(&self.accesses, body) => {
                return &self.readings[index];
            }
            Some(Place::Found(index) | Place::Free(index)) => Some(index),
        };
        let most = index.map_or(0, |index| index + 1);
        if self.readings.len() < most {
            self.readings.resize_with(most, Reading::default);
        }
        let reading = match index {
            Some(index) => &mut self.readings[index],
            None => &mut self.passing,
        };
        if reading.body.len() > SHORT && body.len() < reading.body.len() / 2 {
            // Otherwise every reading that is kept would come to have the room of one of the
            // longest.
            *reading = Reading::default();
        }
        reading.accesses.clone_from(&self.accesses);
        reading.body.clear();
        if is_kept {
            reading.body.extend_from_slice(body);
        }
        reading.fill(
            body,
            origin,
            &self.config.matrix,
            self.evaluators,
            &mut self.tools,
        );
        reading.find_shut_out(self.categories);
        if self.config.verdicts == VerdictForm::Sets {
            reading.digest_answers(body, &mut self.tools);
        }
        match index {
            Some(index) if self.readings[index].answers_size() > MOST_ANSWERS_KEPT => {
                self.passing = std::mem::take(&mut self.readings[index]);
                &self.passing
            }
            Some(index) => &self.readings[index],
            None => &self.passing,
        }
    }
}

impl Reading {
    /// Returns what the fetch decides under the reference dialect.
    pub(super) fn access(&self) -> Access {
        self.accesses[0]
    }

    /// Returns true if and only if this is the reading of that body after such a fetch.
    fn is_of(&self, accesses: &[Access], body: &[u8]) -> bool {
        self.accesses == accesses && self.body == body
    }

    /// Reads `body` and asks the matrix.
    fn fill(
        &mut self,
        body: &[u8],
        origin: &str,
        matrix: &Matrix,
        evaluators: &[Evaluator],
        tools: &mut Tools,
    ) {
        self.facts = None;
        self.anomalies.clear();
        if self.accesses.contains(&Access::Conditional) {
            parse(body, &mut self.robots);
        }
        self.cells.resize_with(evaluators.len(), Cells::default);
        self.crawl_delays.resize_with(evaluators.len(), Vec::new);
        self.policies.resize_with(evaluators.len(), Vec::new);
        for (index, evaluator) in evaluators.iter().enumerate() {
            let cells = &mut self.cells[index];
            let (policies, delays) = (&mut self.policies[index], &mut self.crawl_delays[index]);
            policies.clear();
            delays.clear();
            let urls = matrix.urls.of_origin(origin);
            if self.accesses[index] != Access::Conditional {
                evaluator.answer_all(self.accesses[index], urls.count(), cells);
                continue;
            }
            let rules = match index {
                0 => &mut self.rules,
                _ => &mut tools.rules,
            };
            rules.compile(evaluator.dialect(), body, &self.robots);
            evaluator.evaluate(rules, urls, cells);
            find_delays(rules, body, delays);
            let rules = policy::Rules { body, set: rules };
            tools.assessors[index].assess(rules, cells.selections(), policies);
            if index == 0 {
                self.find_facts();
                self.find_anomalies(body, tools);
            }
        }
    }

    /// Counts lines, as the reference dialect reads them.
    fn find_facts(&mut self) {
        let rules = &mut self.rules;
        let semantic_digest = rules.semantic_digest();
        let is_sitemap = |record: &&OtherRecord| record.field == Field::Sitemap;
        let sitemap_count = rules.records().iter().filter(is_sitemap).count() as u32;
        let is_allow = |rule: &&crate::dialect::Rule| rule.kind == RuleKind::Allow;
        let allow_count = rules.rules().iter().filter(is_allow).count() as u32;
        self.facts = Some(FileFacts {
            semantic_digest,
            has_bom: self.robots.has_bom(),
            line_ending: self.robots.line_ending(),
            line_count: self.robots.line_count(),
            group_count: rules.groups().len() as u32,
            allow_count,
            disallow_count: rules.rules().len() as u32 - allow_count,
            sitemap_count,
            over_limit_bytes: rules.over_limit_bytes(),
        });
    }

    fn find_anomalies(&mut self, body: &[u8], tools: &mut Tools) {
        let rules = match &mut tools.google {
            Some((spec, rules)) => {
                rules.compile(spec, body, &self.robots);
                rules
            }
            None => &self.rules,
        };
        tools
            .finder
            .find(body, &self.robots, rules, &mut self.anomalies);
    }

    /// Finds the categories of agents that the rules shut out of `/`.
    fn find_shut_out(&mut self, categories: &Categories) {
        self.shut_out.clear();
        if !categories.has_root {
            return;
        }
        let is_shut_out = |&agent: &usize| {
            let is_ruled_out = |decision: Decision| {
                decision.verdict == Verdict::Disallow && decision.basis == Basis::Rule
            };
            self.cells[0].root(agent).is_some_and(is_ruled_out)
        };
        let of_category = |agents: &Vec<usize>| {
            let mut agents = agents.iter();
            (agents.clone().any(is_shut_out), agents.all(is_shut_out))
        };
        self.shut_out
            .extend(categories.agents.iter().map(of_category));
    }

    /// Returns the number of cells of all dialects.
    pub(super) fn n_cells(&self) -> usize {
        let answers = self.cells.iter().map(Cells::answers);
        answers.map(Answers::n_cells).sum()
    }

    fn answers_size(&self) -> usize {
        let answers = self.cells.iter().map(Cells::answers);
        answers.map(Answers::memory_size).sum()
    }

    fn digest_answers(&mut self, body: &[u8], tools: &mut Tools) {
        tools.text.clear();
        if self.n_cells() > LARGE_MATRIX {
            let accesses = self.accesses.iter().map(|&access| access as u8);
            tools.text.extend(accesses);
            tools.text.extend_from_slice(&sha1(body));
        } else {
            for cells in &self.cells {
                let answers = cells.answers();
                answers.append_digests(&mut tools.scratch, &mut tools.text);
            }
        }
        self.answers_digest = sha1(&tools.text);
        self.set_id.set(None);
    }

    /// Returns whether the lines are those of a text file: the lines of an HTML page are full of
    /// colons, and none of them was meant as a directive.
    pub(super) fn is_text(&self) -> bool {
        self.robots.kind() == BodyKind::Text
    }
}

/// Replaces the content of `delays` by the first number of seconds that each group asks for.
fn find_delays(rules: &RuleSet, body: &[u8], delays: &mut Vec<Option<f64>>) {
    delays.resize(rules.groups().len(), None);
    for record in rules.records() {
        if let (Field::CrawlDelay, Some(group)) = (record.field, record.group_index) {
            let delay = &mut delays[group as usize];
            *delay = delay.or_else(|| decimal(record.value.of(body)));
        }
    }
}

/// Returns the number by which a reading is looked up. The digest may be whatever an archive
/// states, so bodies are compared in the end.
fn key(digest: &[u8], accesses: &[Access]) -> u64 {
    let first = digest.first_chunk().copied().map_or(0, u64::from_le_bytes);
    match accesses.contains(&Access::Conditional) {
        true => first,
        false => accesses
            .iter()
            .fold(1, |key, &access| key * 8 + access as u64),
    }
}

/// Returns the dialect google and a rule set for it, unless it is the reference dialect.
fn google_beside(reference: &Dialect) -> Option<(Dialect, RuleSet)> {
    let google = builtin(GOOGLE).expect("google is built in");
    (google != *reference).then(|| (google, RuleSet::new()))
}

/// Returns how a fetch ended.
///
/// A 2xx stands for its body: one that is cut off or broken is no answer. Any other status has its
/// whole meaning once the head is there (RFC 9112, 8), and nobody reads the body behind it.
fn outcome(capture: &Capture<'_>) -> FetchOutcome {
    let is_cut_off = capture.truncated.is_some_and(Truncation::is_cut_off);
    match capture.fetch_status {
        Some(200..=299) if is_cut_off => FetchOutcome::Unreachable,
        Some(status) => FetchOutcome::Status(status),
        None => FetchOutcome::Unreachable,
    }
}
