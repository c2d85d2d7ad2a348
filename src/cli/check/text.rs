//! A decision as text: evidence line by line for one dialect, one row a dialect for all.
//!
//! Whatever others wrote is escaped where it is inserted, since colors are escape sequences too.

use robocensus::robots::{
    dialect::{Anomaly, Basis, Decision, FetchOutcome, Rule, SelectionKind, Severity},
    lines::Span,
};
use serde_json::{Value, json};

use super::{
    super::{
        color::Painter,
        escape::{evidence, line, shortened},
        layout::{columns, listed},
        template::rendered,
    },
    CheckReport, DialectAnswer,
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

/// Renders the answer of one dialect with its evidence.
pub fn render(checked: &CheckReport<'_>, painter: Painter) -> String {
    render_parts(&[ANSWER, SIGNALS], checked, painter, json!({}))
}

/// Renders one row for each dialect; those that differ from the first are marked.
pub fn render_all(checked: &CheckReport<'_>, painter: Painter) -> String {
    let head = ["", "dialect", "verdict", "basis", "group", "rule", ""];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let reference = checked.rows[0].answer.decision.verdict;
    let number = |line: Option<u32>| line.map_or("-".to_owned(), |line| line.to_string());
    for row in &checked.rows {
        let decision = row.answer.decision;
        let is_same = decision.verdict == reference;
        rows.push(vec![
            if is_same { " " } else { "!" }.to_owned(),
            line(&row.spec.name).into_owned(),
            painter.verdict(decision.verdict, decision.verdict.as_str()),
            decision.basis.as_str().to_owned(),
            number(row.answer.group_line),
            number(decision.rule_line),
            row.rule
                .map_or_else(String::new, |rule| directive(checked, &rule)),
        ]);
    }
    let facts = json!({
        "table": columns(&rows).trim_end_matches('\n'),
        "n_other": rows.iter().filter(|row| row[0] == "!").count(),
        "n_dialects": checked.rows.len(),
    });
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
    facts["source"] = json!(query.source.as_ref().map(|source| &source.lines));
    facts["answer"] = answer(checked, &checked.rows[0], painter);
    facts["findings"] = findings(checked);
    rendered(&(parts.concat() + FINDINGS), facts)
}

fn answer(checked: &CheckReport<'_>, row: &DialectAnswer<'_>, painter: Painter) -> Value {
    let Decision { verdict, basis, .. } = row.answer.decision;
    let lost = row.lost.iter().take(MAX_SHOWN).map(|(rule, loss)| {
        json!({
            "line": rule.line,
            "directive": directive(checked, rule),
            "octets": rule.pattern.len(),
            "why": loss.sentence(),
        })
    });
    let rule = row.rule.map(|rule| {
        json!({
            "line": rule.line,
            "octets": rule.pattern.len(),
            "excerpt": excerpt(checked, rule.line, rule.value),
        })
    });
    let signals = row.signals.iter().take(MAX_SHOWN).map(|signal| {
        json!({
            "line": signal.line,
            "vocabulary": signal.vocabulary.as_str(),
            "text": shortened(&signal.text, MAX_LINE),
            "reason": signal.reason,
        })
    });
    json!({
        "verdict": painter.verdict(verdict, verdict.as_str()),
        "dialect": row.spec.name,
        "basis": basis.as_str(),
        "reason": reason(basis),
        "access": access(row),
        "scope": scope(checked, row),
        "groups": row.answer.selection.map(|kind| groups(row, kind)),
        "rule": rule,
        "lost": lost.collect::<Vec<_>>(),
        "n_lost": row.lost.len(),
        "signals": signals.collect::<Vec<_>>(),
        "n_signals": row.signals.len(),
    })
}

fn reason(basis: Basis) -> &'static str {
    match basis {
        Basis::Rule => "a rule decides",
        Basis::NoRuleMatched => "a group applies to the agent, and none of its rules matches",
        Basis::NoGroup => "no group applies to the agent",
        Basis::Access => "the result of the fetch decides",
        Basis::RobotsTxtItself => "the URL is the robots.txt, which is always allowed",
        Basis::OutOfScope => "the file does not apply to this URL",
    }
}

/// Returns what the end of the fetch means.
fn access(row: &DialectAnswer<'_>) -> Option<String> {
    let how = match row.outcome? {
        FetchOutcome::Status(status) => format!("status {status}"),
        FetchOutcome::Unreachable => "no complete response".to_owned(),
        FetchOutcome::TooManyHops => "too many redirects".to_owned(),
    };
    Some(format!("{how}: {}", row.answer.access?.as_str()))
}

/// Returns whether the file applies to the URL, where that is in question.
fn scope(checked: &CheckReport<'_>, row: &DialectAnswer<'_>) -> Option<String> {
    // Files of a dataset are asked about their own origin, unless the URL names another.
    let is_own = checked.query.source.is_some() && row.answer.is_in_scope == Some(true);
    let robots_url = checked.query.robots_url.filter(|_| !is_own)?;
    let scope = match row.answer.is_in_scope {
        Some(true) => "applies to the URL",
        Some(false) => {
            "does not apply to the URL: it must be /robots.txt of the same scheme, host and port"
        }
        None => "cannot be compared: both must be absolute URLs",
    };
    Some(format!("{robots_url} {scope}"))
}

fn groups(row: &DialectAnswer<'_>, kind: SelectionKind) -> String {
    let lines = row.groups.iter().map(|&(first, last)| {
        if first == last {
            format!("line {first}")
        } else {
            format!("lines {first}-{last}")
        }
    });
    let lines: Vec<_> = lines.collect();
    let right = match kind {
        SelectionKind::Named => "names the agent",
        SelectionKind::Wildcard => "for every agent (*); no group names this one",
        SelectionKind::None => "none",
    };
    if lines.is_empty() {
        right.to_owned()
    } else {
        format!("{}, {right}", listed(&lines, MAX_SHOWN))
    }
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
