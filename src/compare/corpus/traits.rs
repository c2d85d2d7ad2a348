//! What a file may show that others do not: its traits, as texts that a reader understands.

use std::collections::BTreeSet;

use crate::{
    compare::{
        config::DEFAULT_MAX_PROBES,
        decider::DecisionBuffers,
        probe::{self, ProbeOptions},
        shape::{self, LineShape},
    },
    robots::{
        agents::built_in_tokens,
        dialect::{Anomaly, AnomalyFinder, Decision, Dialect, RuleSet},
        lines::{self, Field, RobotsTxt},
    },
};

/// Finds traits, and reuses its memory.
pub(super) struct TraitFinder {
    probes: ProbeOptions,
    robots: RobotsTxt,
    /// By the built-in dialects.
    rules: Vec<RuleSet>,
    buffers: DecisionBuffers,
    finder: AnomalyFinder,
    findings: Vec<Anomaly>,
}

impl TraitFinder {
    pub(super) fn new() -> TraitFinder {
        TraitFinder {
            probes: ProbeOptions {
                agents: built_in_tokens().map(str::to_owned).collect(),
                max: DEFAULT_MAX_PROBES.get(),
                has_chains: true,
                has_external: false,
            },
            robots: RobotsTxt::new(),
            rules: vec![RuleSet::new(); Dialect::BUILT_IN.len()],
            buffers: DecisionBuffers::default(),
            finder: AnomalyFinder::new(),
            findings: Vec::new(),
        }
    }

    /// Returns the traits of a file: its size, its findings, the fields of its lines and how they
    /// are written, the forms of its agents and patterns, and where the built-in dialects differ
    /// their verdicts with the lines that decide.
    pub(super) fn find(&mut self, body: &[u8]) -> BTreeSet<String> {
        lines::parse(body, &mut self.robots);
        for (rules, dialect) in self.rules.iter_mut().zip(Dialect::BUILT_IN) {
            rules.compile(dialect, body, &self.robots);
        }
        let size = body.len().next_power_of_two();
        let mut traits = BTreeSet::from([format!("size: at most {size} bytes")]);
        let google = &self.rules[0];
        let findings = &mut self.findings;
        self.finder.find(body, &self.robots, google, findings);
        traits.extend(
            findings
                .iter()
                .map(|found| format!("finding: {}", found.code.as_str())),
        );
        let shapes = shape::shapes(body);
        for (line, LineShape { kind, field }) in self.robots.lines().iter().zip(&shapes) {
            traits.insert(format!("field: {field}"));
            if matches!(
                line.field,
                Field::UserAgent | Field::Allow | Field::Disallow
            ) {
                traits.insert(format!("form: {kind}"));
            }
        }
        self.add_verdicts(body, &shapes, &mut traits);
        traits
    }

    fn add_verdicts(&mut self, body: &[u8], shapes: &[LineShape], traits: &mut BTreeSet<String>) {
        let readers: Vec<&RuleSet> = self.rules.iter().collect();
        let queries = probe::derive(body, &readers, &self.probes).queries;
        let answers = self.rules.iter().zip(Dialect::BUILT_IN);
        let answers = answers.map(|(rules, dialect)| self.buffers.decide(rules, dialect, &queries));
        let answers: Vec<Vec<Decision>> = answers.collect();
        for (index, (_, url)) in queries.iter().enumerate() {
            let decisions = || answers.iter().map(|answers| answers[index]);
            if decisions().all(|decision| decision.verdict == answers[0][index].verdict) {
                continue;
            }
            let verdicts: String = decisions()
                .map(|decision| &decision.verdict.as_str()[..1])
                .collect();
            let lines = decisions().filter_map(|decision| decision.rule_line);
            let lines = lines.filter_map(|line| shapes.get(line as usize - 1));
            let lines: BTreeSet<&str> = lines.map(|line| line.kind.trim_ascii()).collect();
            let lines = Vec::from_iter(lines).join(" | ");
            traits.insert(format!(
                "verdicts: {verdicts} {} by {lines}",
                shape::special(url)
            ));
        }
    }
}
