//! The answers to a query about a file, and their evidence.

use std::borrow::Cow;

use robocensus::robots::{
    check::{Checker, Evidence, LossReason, Request},
    dialect::{Dialect, FetchOutcome, Rule},
    matrix::MatrixAgent,
};

use super::{
    CheckReport,
    signals::{SignalLine, signals},
};

/// The answer of one dialect about one crawler and one URL.
pub struct Answer<'a> {
    /// What was asked.
    pub report: &'a CheckReport<'a>,
    /// The dialect.
    pub spec: &'a Dialect,
    /// The crawler.
    pub agent: &'a MatrixAgent,
    /// The URL.
    pub url: &'a str,
    /// How the fetch ended, where that counts.
    pub outcome: Option<FetchOutcome>,
    /// The decision, and what it is based on.
    pub evidence: Evidence,
    /// For each group that was selected, its first and its last line.
    pub groups: Vec<(u32, u32)>,
    /// The rule that decided.
    pub rule: Option<Rule>,
    /// The rules that matched and did not decide; none in a table, which does not show them.
    pub lost: Vec<(Rule, LossReason)>,
    /// What the file states to the crawler about use and license; none in a table.
    pub signals: Vec<SignalLine>,
}

impl CheckReport<'_> {
    /// Returns the answers of each dialect, of each about every one of these crawlers, of each
    /// about every URL. Each is made when it is asked for, since memory may not hold all.
    pub fn answers<'r>(&'r self, agents: &'r [MatrixAgent]) -> impl Iterator<Item = Answer<'r>> {
        let urls = self.query.urls;
        let of_agent = move |agent| urls.iter().map(move |url| (agent, url));
        let dialects = self.dialects.iter();
        let asked = dialects.flat_map(move |dialect| {
            let pairs = agents.iter().flat_map(of_agent);
            pairs.map(move |(agent, url)| (dialect, agent, url))
        });
        let mut checker = Checker::new();
        checker.parse(self.robots.body());
        asked.enumerate().map(move |(n, (dialect, agent, url))| {
            if n.is_multiple_of(agents.len() * urls.len()) {
                checker.compile(dialect.0, self.robots.body());
            }
            self.answer(&mut checker, *dialect, agent, url)
        })
    }

    /// Returns the answer about a crawler and a URL under the dialect that was compiled last.
    fn answer<'r>(
        &'r self,
        checker: &mut Checker,
        (spec, outcome): (&'r Dialect, Option<FetchOutcome>),
        agent: &'r MatrixAgent,
        url: &'r str,
    ) -> Answer<'r> {
        let chain = agent.chain.iter();
        let chain: Vec<_> = chain.map(|token| Cow::Borrowed(token.as_bytes())).collect();
        let request = Request {
            chain: &chain,
            url: url.as_bytes(),
            outcome,
            robots_url: self.query.robots_url.map(str::as_bytes),
        };
        let evidence = checker.ask(spec, &request);
        let (rules, decision) = (checker.rules(), evidence.decision);
        let is_winner = |rule: &&Rule| Some(rule.line) == decision.rule_line;
        let lines = |&index: &u32| {
            let group = &rules.groups()[index as usize];
            (group.line_first, group.line_last)
        };
        let mut answer = Answer {
            report: self,
            spec,
            agent,
            url,
            outcome,
            evidence,
            groups: checker.groups().iter().map(lines).collect(),
            rule: rules.rules().iter().find(is_winner).copied(),
            lost: Vec::new(),
            signals: Vec::new(),
        };
        if self.query.is_single() {
            answer.lost = checker.lost(spec, &decision);
            if evidence.selection.is_some() {
                let groups = checker.groups();
                answer.signals = signals(
                    spec,
                    self.robots.body(),
                    rules,
                    groups,
                    url,
                    decision.verdict,
                );
            }
        }
        answer
    }
}
