//! A decision as text: evidence line by line for one dialect, one row a dialect for all.
//!
//! Whatever others wrote is escaped where it is inserted, since colors are escape sequences too.

use robocensus::robots::{
    dialect::{Anomaly, FetchOutcome, Rule, Severity},
    lines::Span,
};
use serde_json::{Value, json};

use super::{
    super::{
        color::Painter,
        escape::{evidence, shortened},
        template::rendered,
    },
    CheckReport,
    answers::Answer,
    json::finding,
};

/// Characters of a line that are shown on each side of the marked ones.
const MAX_LINE: usize = 120;
/// Characters of a losing rule that are shown.
const MAX_RULE: usize = 60;
/// Findings, signals and losing rules that are shown; `--json` has them all.
const MAX_SHOWN: usize = 20;

/// The parts of the texts.
const ANSWER: &str = include_str!("../templates/check/answer.txt.j2");
const SIGNALS: &str = include_str!("../templates/check/signals.txt.j2");
const DIALECTS: &str = include_str!("../templates/check/dialects.txt.j2");
const AGREEMENT: &str = include_str!("../templates/check/agreement.txt.j2");
const FINDINGS: &str = include_str!("../templates/check/findings.txt.j2");

/// Renders the answer of one dialect with its evidence; or, of all, one row for each dialect, where
/// those that differ from the first are marked.
pub fn render(report: &CheckReport<'_>, painter: Painter, is_all: bool) -> String {
    let parts: &[_] = if is_all {
        &[DIALECTS, SIGNALS, AGREEMENT]
    } else {
        &[ANSWER, SIGNALS]
    };
    let answers = report.answers(report.query.agents);
    let answers: Vec<_> = answers.map(|row| answer(report, row, painter)).collect();
    let facts = json!({"answer": answers[0], "answers": answers, "most": MAX_SHOWN});
    render_parts(parts, report, facts)
}

/// Renders parts of a text, and below them the findings on the file. The parts are filled with
/// these facts, what was asked, and where the file comes from.
pub fn render_parts(parts: &[&str], report: &CheckReport<'_>, mut facts: Value) -> String {
    let query = &report.query;
    facts["name"] = json!(query.name);
    facts["agent"] = query.agents[0].chain.join(", then ").into();
    facts["urls"] = json!(query.urls);
    facts["robots_url"] = json!(query.robots_url);
    facts["source"] = json!(query.source.as_ref().map(|source| source.text.trim_end()));
    facts["findings"] = findings(report);
    rendered(&(parts.concat() + FINDINGS), facts)
}

/// Returns an answer as JSON has it, with the lists as far as they are shown, and with what only
/// the text says.
fn answer(report: &CheckReport<'_>, mut row: Answer<'_>, painter: Painter) -> Value {
    let (n_groups, n_lost, n_signals) = (row.groups.len(), row.lost.len(), row.signals.len());
    row.groups.truncate(MAX_SHOWN);
    row.lost.truncate(MAX_SHOWN);
    row.signals.truncate(MAX_SHOWN);
    let mut value = json!(row);
    value["group_count"] = n_groups.into();
    value["lost_count"] = n_lost.into();
    value["signal_count"] = n_signals.into();
    let verdict = row.evidence.decision.verdict;
    value["verdict"] = painter.verdict(verdict, verdict.as_str()).into();
    value["outcome"] = json!(row.outcome.map(|outcome| match outcome {
        FetchOutcome::Status(status) => format!("status {status}"),
        FetchOutcome::Unreachable => "no complete response".to_owned(),
        FetchOutcome::TooManyHops => "too many redirects".to_owned(),
    }));
    if let Some(rule) = &row.rule {
        value["rule"]["directive"] = directive(report, rule).into();
        value["rule"]["excerpt"] = excerpt(report, rule.line, rule.value).into();
    }
    for (index, (rule, loss)) in row.lost.iter().enumerate() {
        let value = &mut value["lost"][index];
        value["directive"] = directive(report, rule).into();
        value["why"] = loss.sentence().into();
    }
    value
}

fn directive(report: &CheckReport<'_>, rule: &Rule) -> String {
    let value = evidence(rule.value.of(report.robots.body()));
    format!("{}: {}", rule.kind.as_str(), shortened(&value, MAX_RULE))
}

/// Returns a line with its number, and carets under the bytes of `marked`. Of a long line only what
/// is around them is shown.
fn excerpt(report: &CheckReport<'_>, number: u32, marked: Span) -> String {
    let Some(line) = report.robots.lines().get(number as usize - 1) else {
        return String::new();
    };
    let span = line.text;
    let (start, end) = (span.start as usize, span.end as usize);
    let from = (marked.start as usize).clamp(start, end);
    let to = (marked.end as usize).clamp(start, end);
    let before = evidence(&report.robots.body()[start..from]);
    let marked = evidence(&report.robots.body()[from..to]);
    let after = evidence(&report.robots.body()[to..end]);
    let before = match before.char_indices().rev().nth(MAX_LINE) {
        Some((at, _)) => format!("..{}", &before[at..]),
        None => before,
    };
    let marked = shortened(&marked, MAX_LINE);
    let carets = "^".repeat(marked.chars().count().max(1));
    let label = format!("{number:>8} | ");
    let indent = " ".repeat(before.chars().count());
    let after = shortened(&after, MAX_LINE);
    let shown = format!("{label}{before}{marked}{after}");
    format!("{}\n{:>8} | {indent}{carets}", shown.trim_end(), "")
}

/// Returns the findings on the file, the worst first.
fn findings(report: &CheckReport<'_>) -> Value {
    let mut order: Vec<_> = report.robots.anomalies().iter().collect();
    order.sort_by_key(|anomaly| std::cmp::Reverse(anomaly.code.severity()));
    // The last that is listed of a code counts those beyond the limit of a list.
    let places =
        |anomalies: &[&Anomaly]| -> u64 { anomalies.iter().map(|one| u64::from(one.count)).sum() };
    let is_error = |anomaly: &&&Anomaly| anomaly.code.severity() == Severity::Error;
    let n_first_errors = order.iter().take_while(is_error).count();
    let (shown, others) = order.split_at(order.len().min(MAX_SHOWN));
    let with_excerpt = |anomaly: &&Anomaly| {
        let mut value = finding(report, anomaly);
        let excerpt = anomaly.line.map(|line| excerpt(report, line, anomaly.span));
        value["excerpt"] = excerpt.into();
        value
    };
    json!({
        "all": places(&order),
        "errors": places(&order[..n_first_errors]),
        "shown": shown.iter().map(with_excerpt).collect::<Vec<_>>(),
        "more": places(others),
        "listed": order.len(),
    })
}
