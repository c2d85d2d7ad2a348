//! The parser: [`read`] keeps a file, and [`decide`] asks about it.

use std::cell::RefCell;

use robocensus::{
    Decision, Dialect, ProductTokens, Robots,
    robots::{
        agents::{NamedAgent, read_agent},
        dialect::{Access, AccessPolicy, FetchOutcome},
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer;

thread_local! {
    static ROBOTS: RefCell<Option<Robots>> = const { RefCell::new(None) };
}

/// Reads the name of a crawler, the text in the buffer, and returns the length of its product
/// tokens with notes on how it was understood, or of what is wrong with it.
#[unsafe(no_mangle)]
pub extern "C" fn agent() -> usize {
    answer(|text| match read_agent(&String::from_utf8_lossy(&text)) {
        Ok(NamedAgent { chain, notes }) => json!({"tokens": chain, "notes": notes}),
        Err(message) => json!({"error": message}),
    })
}

/// Reads a robots.txt, the bytes in the buffer, and returns the length of what it has: lines,
/// groups and findings.
#[unsafe(no_mangle)]
pub extern "C" fn read() -> usize {
    answer(|body| {
        let robots = Robots::parse(body);
        let description = describe(&robots);
        ROBOTS.set(Some(robots));
        description
    })
}

/// Decides about a request, JSON in the buffer, under each dialect, and returns the length of the
/// answers.
#[unsafe(no_mangle)]
pub extern "C" fn decide() -> usize {
    answer(|request| match serde_json::from_slice(&request) {
        Ok(request) => ROBOTS.with_borrow(|robots| decisions(robots.as_ref(), &request)),
        Err(error) => json!({"error": error.to_string()}),
    })
}

/// A request of a crawler.
#[derive(Debug, Deserialize)]
pub struct Request {
    /// The product tokens of the crawler, the most specific first.
    pub tokens: Vec<String>,
    /// A URL, or its path with the query.
    pub url: String,
    /// The status code of the fetch, or of the end of its redirects, 0 without an answer; without
    /// it, the file was found.
    #[serde(default)]
    pub status: Option<u16>,
    /// Where the fetch leads, if it answers with a redirect.
    #[serde(default)]
    pub redirects: Option<Redirects>,
    /// Dialects of the dataset that are not built in, as TOML.
    #[serde(default)]
    pub dialects: Vec<String>,
}

/// The redirects of a fetch, as the reference dialect of the dataset follows them.
#[derive(Debug, Deserialize)]
pub struct Redirects {
    /// How they end, a value of the column `redirect_outcome`.
    pub outcome: String,
    /// How many are followed.
    pub hops: u64,
}

impl Redirects {
    /// Returns what they mean to a dialect; nothing where their end decides.
    fn access(&self, policy: &AccessPolicy) -> Option<Access> {
        let is_longer = self.outcome == "too_many_hops";
        let is_followed = policy.follows(self.hops + u64::from(is_longer));
        match (self.outcome.as_str(), policy.redirect) {
            ("not_modified", _) => Some(Access::Undefined),
            (_, Access::Redirect) if !is_followed => Some(policy.too_many_hops),
            ("resolved", Access::Redirect) => None,
            ("loop" | "not_followable", Access::Redirect) => Some(policy.too_many_hops),
            // The answer at the end is not known.
            (_, Access::Redirect) => Some(Access::Undefined),
            (_, other) => Some(other),
        }
    }
}

/// The decision of one dialect.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    dialect: &'a str,
    verdict: &'static str,
    basis: &'static str,
    group: Option<u32>,
    line: Option<u32>,
    /// The groups that apply to the crawler, and why they do.
    groups: Vec<u32>,
    selected_by: &'static str,
    /// The lines that match the URL, the deciding one among them.
    matching: Vec<u32>,
}

/// Decides under all built-in dialects, and those of the request. Without a file only the outcome
/// of the fetch decides.
pub fn decisions(robots: Option<&Robots>, request: &Request) -> Value {
    let empty = Robots::parse("");
    let robots = robots.unwrap_or(&empty);
    let own = request
        .dialects
        .iter()
        .filter_map(|text| Dialect::from_toml(text).ok());
    let all = Dialect::BUILT_IN.into_iter().cloned().chain(own);
    let tokens = ProductTokens::new(&request.tokens);
    let answers = all.map(|dialect| {
        let rules = robots.rules_for(&dialect, tokens.clone());
        let redirects = request.redirects.as_ref();
        let by_redirects = redirects.and_then(|redirects| redirects.access(&dialect.access));
        let by_status = || Some(dialect.access.decide(FetchOutcome::Status(request.status?)));
        let by_fetch = by_redirects.or_else(by_status).and_then(Access::decision);
        let decision: Decision = by_fetch.unwrap_or_else(|| rules.decide(&request.url));
        json!(Answer {
            dialect: &dialect.name,
            verdict: decision.verdict.as_str(),
            basis: decision.basis.as_str(),
            group: decision.group_index,
            line: decision.rule_line,
            groups: rules.groups().map(|group| group.index()).collect(),
            selected_by: rules.selected_by().as_str(),
            matching: rules
                .matching(&request.url)
                .iter()
                .map(|rule| rule.line)
                .collect(),
        })
    });
    answers.collect()
}

/// What a file has, as the reference dialect reads it.
fn describe(robots: &Robots) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let dialect = &Dialect::GOOGLE;
    let lines = (1..).map_while(|number| robots.line(number)).map(text);
    let groups = robots.groups(dialect).map(|group| {
        let agents = group.agents();
        json!({
            "agents": agents.map(|agent| json!({"line": agent.line, "token": text(agent.token), "all": agent.is_wildcard})).collect::<Value>(),
            "rules": group.rules().len(),
            "first": group.line_first(),
            "last": group.line_last(),
        })
    });
    let rules = robots.rules(dialect).map(|rule| {
        json!({"line": rule.line, "group": rule.group_index, "kind": rule.kind.as_str(), "pattern": text(rule.pattern)})
    });
    let records = robots.records(dialect).map(|record| {
        json!({"line": record.line, "group": record.group_index, "field": record.field.as_str(), "value": text(record.value)})
    });
    let findings = robots.findings().map(|finding| {
        json!({
            "line": finding.line,
            "code": finding.code.as_str(),
            "severity": finding.code.severity().as_str(),
            "sentence": finding.code.sentence(),
            "text": text(finding.text),
            "count": finding.count,
        })
    });
    json!({
        "lines": lines.collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
        "records": records.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}
