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
    CheckReport, DialectAnswer,
    json::{self, finding},
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

/// Renders the answer of one dialect with its evidence.
pub fn render(checked: &CheckReport<'_>, painter: Painter) -> String {
    render_parts(&[ANSWER, SIGNALS], checked, painter, json!({}))
}

/// Renders one row for each dialect; those that differ from the first are marked.
pub fn render_all(checked: &CheckReport<'_>, painter: Painter) -> String {
    let answers = checked.rows.iter();
    let answers = answers.map(|row| answer(checked, row, painter));
    let facts = json!({"answers": answers.collect::<Vec<_>>()});
    render_parts(&[DIALECTS, SIGNALS, AGREEMENT], checked, painter, facts)
}

/// Renders parts of a text, and below them the findings on the file. The parts are filled with
/// these facts, what was asked, where the file comes from, and the first answer.
pub fn render_parts(
    parts: &[&str],
    checked: &CheckReport<'_>,
    painter: Painter,
    mut facts: Value,
) -> String {
    let query = &checked.query;
    let agents = query.agents.iter();
    let agents = agents.map(|agent| agent.chain.join(", then "));
    facts["name"] = json!(query.name);
    facts["agents"] = agents.collect();
    facts["urls"] = json!(query.urls);
    facts["robots_url"] = json!(query.robots_url);
    facts["source"] = json!(query.source.as_ref().map(|source| source.text.trim_end()));
    facts["answer"] = answer(checked, &checked.rows[0], painter);
    facts["most"] = MAX_SHOWN.into();
    facts["findings"] = findings(checked);
    rendered(&(parts.concat() + FINDINGS), facts)
}

/// Returns an answer as JSON has it, with what only the text says.
fn answer(checked: &CheckReport<'_>, row: &DialectAnswer<'_>, painter: Painter) -> Value {
    let verdict = row.answer.decision.verdict;
    let mut value = json::answer(checked, row);
    value["verdict"] = painter.verdict(verdict, verdict.as_str()).into();
    value["outcome"] = json!(row.outcome.map(|outcome| match outcome {
        FetchOutcome::Status(status) => format!("status {status}"),
        FetchOutcome::Unreachable => "no complete response".to_owned(),
        FetchOutcome::TooManyHops => "too many redirects".to_owned(),
    }));
    if let Some(rule) = row.rule {
        value["rule"]["directive"] = directive(checked, &rule).into();
        value["rule"]["excerpt"] = excerpt(checked, rule.line, rule.value).into();
    }
    for (index, (rule, loss)) in row.lost.iter().enumerate().take(MAX_SHOWN) {
        let value = &mut value["lost"][index];
        value["directive"] = directive(checked, rule).into();
        value["why"] = loss.sentence().into();
    }
    value
}

fn directive(checked: &CheckReport<'_>, rule: &Rule) -> String {
    let value = evidence(rule.value.of(checked.body));
    format!("{}: {}", rule.kind.as_str(), shortened(&value, MAX_RULE))
}

/// Returns a line with its number, and carets under the bytes of `marked`. Of a long line only what
/// is around them is shown.
fn excerpt(checked: &CheckReport<'_>, number: u32, marked: Span) -> String {
    let Some(line) = checked.robots.lines().get(number as usize - 1) else {
        return String::new();
    };
    let span = line.text;
    let (start, end) = (span.start as usize, span.end as usize);
    let from = (marked.start as usize).clamp(start, end);
    let to = (marked.end as usize).clamp(start, end);
    let before = evidence(&checked.body[start..from]);
    let marked = evidence(&checked.body[from..to]);
    let after = evidence(&checked.body[to..end]);
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
fn findings(checked: &CheckReport<'_>) -> Value {
    let mut order: Vec<_> = checked.anomalies.iter().collect();
    order.sort_by_key(|anomaly| std::cmp::Reverse(anomaly.code.severity()));
    // The last that is listed of a code counts those beyond the limit of a list.
    let places =
        |anomalies: &[&Anomaly]| -> u64 { anomalies.iter().map(|one| u64::from(one.count)).sum() };
    let is_error = |anomaly: &&&Anomaly| anomaly.code.severity() == Severity::Error;
    let n_first_errors = order.iter().take_while(is_error).count();
    let (shown, others) = order.split_at(order.len().min(MAX_SHOWN));
    let with_excerpt = |anomaly: &&Anomaly| {
        let mut value = finding(checked, anomaly);
        let excerpt = anomaly
            .line
            .map(|line| excerpt(checked, line, anomaly.span));
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
