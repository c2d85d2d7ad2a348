//! The evaluation of the body of a capture.

use std::mem;

use super::{Evaluation, EvaluationScope, FileFacts};
use crate::{
    archive::capture::{Capture, Truncation},
    digest::{Sha1Digest, sha1},
    robots::{
        dialect::{
            Access, AnomalyFinder, Dialect, FetchOutcome, OtherRecord, Rule, RuleKind, RuleSet,
            SemanticDigester,
        },
        lines::{BodyKind, Field, Line, RobotsTxt, decimal, parse},
        matrix::{DigestScratch, Matrix, evaluate::Evaluator},
        policy::{self, Assessor, Policy},
    },
};

/// Evaluates bodies; its buffers serve for all of them.
pub(crate) struct BodyEvaluator<'r> {
    matrix: &'r Matrix,
    /// By dialect; the first is the reference dialect.
    evaluators: &'r [Evaluator],
    scope: EvaluationScope,
    /// Rules under dialects other than the reference.
    rules: RuleSet,
    /// Set if the reference dialect is not google, by whose rules findings on lines are made
    /// whatever the reference dialect: they are about the file, not about one interpretation of it.
    google: Option<(Dialect, RuleSet)>,
    finder: AnomalyFinder,
    digester: SemanticDigester,
    /// By dialect.
    assessors: Vec<Assessor>,
    /// Those of each selection of the dialect at hand.
    policies: Vec<Policy>,
    scratch: DigestScratch,
    text: Vec<u8>,
    /// That of the last body.
    evaluation: Evaluation,
}

impl<'r> BodyEvaluator<'r> {
    /// Returns an evaluator for the dialects of `evaluators`, of which the first is the reference
    /// dialect.
    ///
    /// # Panics
    ///
    /// If there is no dialect.
    pub(crate) fn new(
        matrix: &'r Matrix,
        evaluators: &'r [Evaluator],
        scope: EvaluationScope,
    ) -> Self {
        let specs = evaluators.iter().map(Evaluator::dialect);
        Self {
            matrix,
            evaluators,
            scope,
            rules: RuleSet::new(),
            google: (*evaluators[0].dialect() != Dialect::GOOGLE)
                .then(|| (Dialect::GOOGLE, RuleSet::new())),
            finder: AnomalyFinder::new(),
            digester: SemanticDigester::default(),
            assessors: specs.cloned().map(Assessor::new).collect(),
            policies: Vec::new(),
            scratch: DigestScratch::default(),
            text: Vec::new(),
            evaluation: Evaluation::default(),
        }
    }

    /// Evaluates the body of a capture.
    pub(crate) fn evaluate(&mut self, capture: &Capture<'_>) -> &Evaluation {
        let is_cut_off = capture.truncated.is_some_and(Truncation::is_cut_off);
        let outcome = FetchOutcome::of_response(capture.fetch_status, is_cut_off);
        let origin = capture.location.origin();
        // Taken out, since the functions below borrow all of the rest.
        let mut evaluation = mem::take(&mut self.evaluation);
        let n_dialects = self.evaluators.len();
        evaluation.accesses.clear();
        for evaluator in self.evaluators {
            let access = evaluator.dialect().access.decide(outcome);
            evaluation.accesses.push(access);
        }
        (evaluation.cells).resize_with(n_dialects, Default::default);
        evaluation.crawl_delays.resize_with(n_dialects, Vec::new);
        (evaluation.policies).resize_with(n_dialects, Default::default);
        evaluation.facts = None;
        evaluation.anomalies.clear();
        // A body that no dialect reads is as good as empty.
        let is_read = evaluation.accesses.contains(&Access::Conditional);
        let body = if is_read { capture.payload } else { b"" };
        if is_read {
            parse(body, &mut evaluation.robots);
        }
        for dialect in 0..n_dialects {
            self.evaluate_dialect(dialect, body, origin, &mut evaluation);
        }
        if self.scope.answers_digest {
            self.digest_answers(body, &mut evaluation);
        }
        if self.scope.policies {
            self.text.clear();
            for policies in &evaluation.policies {
                policies.append_to(&mut self.text);
            }
            evaluation.policies_digest = sha1(&self.text);
        }
        self.evaluation = evaluation;
        &self.evaluation
    }

    fn evaluate_dialect(
        &mut self,
        dialect: usize,
        body: &[u8],
        origin: &str,
        evaluation: &mut Evaluation,
    ) {
        let scope = self.scope;
        if dialect > 0 && !scope.answers {
            return;
        }
        let evaluator = &self.evaluators[dialect];
        let access = evaluation.accesses[dialect];
        let cells = &mut evaluation.cells[dialect];
        let delays = &mut evaluation.crawl_delays[dialect];
        let policies = &mut evaluation.policies[dialect];
        delays.clear();
        let urls = self.matrix.urls.of_origin(origin);
        if access != Access::Conditional {
            if scope.answers {
                evaluator.answer_all(access, urls.count(), cells);
            }
            if scope.policies {
                policies.set_access(access, self.matrix.agents.len());
            }
            return;
        }
        let rules = match dialect {
            0 => &mut evaluation.rules,
            _ => &mut self.rules,
        };
        rules.compile(evaluator.dialect(), body, &evaluation.robots);
        if scope.answers {
            evaluator.evaluate(rules, urls, cells);
        }
        if scope.crawl_delays {
            find_delays(rules, body, delays);
        }
        if scope.policies {
            let file = policy::Rules { body, set: rules };
            self.assessors[dialect].assess(file, cells.selections(), &mut self.policies);
            policies.set_lines(cells, &self.policies, delays);
        }
        if dialect == 0 {
            let semantic_digest = rules.semantic_digest_by(&mut self.digester);
            evaluation.facts = Some(facts(&evaluation.robots, rules, semantic_digest));
            self.find_anomalies(body, evaluation);
        }
    }

    fn find_anomalies(&mut self, body: &[u8], evaluation: &mut Evaluation) {
        let robots = &evaluation.robots;
        let rules = match &mut self.google {
            Some((spec, rules)) => {
                rules.compile(spec, body, robots);
                rules
            }
            None => &evaluation.rules,
        };
        self.finder
            .find(body, robots, rules, &mut evaluation.anomalies);
    }

    fn digest_answers(&mut self, body: &[u8], evaluation: &mut Evaluation) {
        self.text.clear();
        if evaluation.is_large() {
            // Not all answers are held, but they follow from these.
            let accesses = evaluation.accesses.iter().map(|&access| access as u8);
            self.text.extend(accesses);
            self.text.extend_from_slice(&sha1(body));
        } else {
            for answers in evaluation.answers() {
                answers.append_digests(&mut self.scratch, &mut self.text);
            }
        }
        evaluation.answers_digest = sha1(&self.text);
    }
}

fn facts(robots: &RobotsTxt, rules: &RuleSet, semantic_digest: Sha1Digest) -> FileFacts {
    let is_sitemap = |record: &&OtherRecord| record.field == Field::Sitemap;
    let sitemap_count = rules.records().iter().filter(is_sitemap).count() as u32;
    let is_allow = |rule: &&Rule| rule.kind == RuleKind::Allow;
    let allow_count = rules.rules().iter().filter(is_allow).count() as u32;
    FileFacts {
        semantic_digest,
        line_count: robots.line_count(),
        group_count: rules.groups().len() as u32,
        allow_count,
        disallow_count: rules.rules().len() as u32 - allow_count,
        sitemap_count,
        over_limit_bytes: rules.over_limit_bytes(),
        is_robots_txt: is_robots_txt(robots, rules),
    }
}

/// Returns true if and only if a body is a robots.txt and no error page: text in which some line
/// has a known field, or in which nothing is but comments.
fn is_robots_txt(robots: &RobotsTxt, rules: &RuleSet) -> bool {
    let is_known = |record: &OtherRecord| record.field != Field::Unknown;
    let is_recognized = !rules.agents().is_empty()
        || !rules.rules().is_empty()
        || rules.records().iter().any(is_known);
    let is_blank = |line: &Line| line.directive.content().is_empty();
    robots.kind() == BodyKind::Text && (is_recognized || robots.lines().iter().all(is_blank))
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
