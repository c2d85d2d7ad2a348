//! A decision as text: evidence line by line for one dialect, one row a dialect for all.
//!
//! Whatever others wrote is escaped where it is inserted, since colors are escape sequences too.

use std::fmt::Write;

use indicatif::HumanCount;
use robocensus::robots::{
    dialect::{Anomaly, Basis, Decision, FetchOutcome, Rule, SelectionKind, Severity},
    lines::Span,
};

use super::{
    super::{
        color::Painter,
        escape::{evidence, line, shortened},
        layout::{columns, counted, listed},
    },
    CheckReport, DialectAnswer,
    signals::SignalLine,
};

/// Characters of a line that are shown on each side of the marked ones.
const MAX_LINE: usize = 120;
/// Findings and losing rules that are shown; `--json` has them all.
const MAX_SHOWN: usize = 20;

/// Renders the answer of one dialect with its evidence.
pub fn render(checked: &CheckReport<'_>, painter: Painter) -> String {
    let mut text = String::new();
    for row in &checked.rows {
        let Decision { verdict, basis, .. } = row.answer.decision;
        let colored = painter.verdict(verdict, verdict.as_str());
        let _ = writeln!(text, "verdict   {colored}");
        render_question(&mut text, checked);
        field(&mut text, "dialect", &row.spec.name);
        let basis = format!("{}: {}", basis.as_str(), reason(basis));
        field(&mut text, "basis", &basis);
        render_source(&mut text, checked);
        render_fetch(&mut text, checked, row);
        render_groups(&mut text, row);
        render_rules(&mut text, checked, row);
        render_signals(&mut text, row);
    }
    render_anomalies(&mut text, checked);
    text
}

/// Renders one row for each dialect; those that differ from the first are marked.
pub fn render_all(checked: &CheckReport<'_>, painter: Painter) -> String {
    let mut text = String::new();
    render_question(&mut text, checked);
    render_source(&mut text, checked);
    text.push('\n');
    let head = ["", "dialect", "verdict", "basis", "group", "rule", ""];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let reference = checked.rows.first().map(|row| row.answer.decision.verdict);
    let number = |line: Option<u32>| line.map_or("-".to_owned(), |line| line.to_string());
    for row in &checked.rows {
        let decision = row.answer.decision;
        let is_same = Some(decision.verdict) == reference;
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
    text.push_str(&columns(&rows));
    if let Some(first) = checked.rows.first().filter(|row| !row.signals.is_empty()) {
        text.push('\n');
        render_signals(&mut text, first);
    }
    let n_other = rows.iter().filter(|row| row[0] == "!").count();
    let dialects = checked.rows.len();
    let _ = match (n_other, checked.rows.first()) {
        (0, _) | (_, None) => writeln!(text, "\nall {dialects} dialects agree"),
        (n, Some(first)) => writeln!(
            text,
            "\n{n} of {dialects} dialects differ from {} (!)",
            line(&first.spec.name)
        ),
    };
    render_anomalies(&mut text, checked);
    text
}

/// Renders the crawler and the URL of a query that has one of each.
fn render_question(text: &mut String, checked: &CheckReport<'_>) {
    for agent in checked.query.agents {
        field(text, "agent", &agent.chain.join(", then "));
    }
    for url in checked.query.urls {
        field(text, "url", url);
    }
}

/// Renders one line: a name and what it is.
pub fn field(text: &mut String, name: &str, value: &str) {
    // Writing into a string cannot fail; so it is below.
    let _ = writeln!(text, "{name:<8}  {}", line(value));
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

fn render_fetch(text: &mut String, checked: &CheckReport<'_>, row: &DialectAnswer<'_>) {
    if let (Some(outcome), Some(access)) = (row.outcome, row.answer.access) {
        let how = match outcome {
            FetchOutcome::Status(status) => format!("status {status}"),
            FetchOutcome::Unreachable => "no complete response".to_owned(),
            FetchOutcome::TooManyHops => "too many redirects".to_owned(),
        };
        field(text, "access", &format!("{how}: {}", access.as_str()));
    }
    // Files of a dataset are asked about their own origin, unless the URL names another.
    let is_own = checked.query.source.is_some() && row.answer.is_in_scope == Some(true);
    if let Some(robots_url) = checked.query.robots_url.filter(|_| !is_own) {
        let scope = match row.answer.is_in_scope {
            Some(true) => "applies to the URL",
            Some(false) => {
                "does not apply to the URL: it must be /robots.txt of the same scheme, host and port"
            }
            None => "cannot be compared: both must be absolute URLs",
        };
        field(text, "scope", &format!("{robots_url} {scope}"));
    }
}

/// Renders where the file comes from.
pub fn render_source(text: &mut String, checked: &CheckReport<'_>) {
    let source = checked.query.source.iter();
    for (name, value) in source.flat_map(|source| &source.lines) {
        field(text, name, value);
    }
}

fn render_groups(text: &mut String, row: &DialectAnswer<'_>) {
    let Some(kind) = row.answer.selection else {
        return;
    };
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
    let value = if lines.is_empty() {
        right.to_owned()
    } else {
        format!("{}, {right}", listed(&lines, MAX_SHOWN))
    };
    field(text, "group", &value);
}

fn render_rules(text: &mut String, checked: &CheckReport<'_>, row: &DialectAnswer<'_>) {
    let Some(rule) = row.rule else {
        return;
    };
    let place = format!("line {}, pattern of {}", rule.line, octets(&rule));
    field(text, "rule", &place);
    text.push_str(&excerpt(checked, rule.line, rule.value));
    for (loser, loss) in row.lost.iter().take(MAX_SHOWN) {
        let (line, rule) = (loser.line, directive(checked, loser));
        let why = format!("{}; {}", octets(loser), loss.sentence());
        field(text, "lost", &format!("line {line}: {rule} ({why})"));
    }
    render_more(text, "lost", row.lost.len());
}

/// Renders how many of `n` lines of this name are not shown.
fn render_more(text: &mut String, name: &str, n: usize) {
    if n > MAX_SHOWN {
        field(text, name, &format!("and {} more", n - MAX_SHOWN));
    }
}

/// Renders what the file states about use and license, a line each.
fn render_signals(text: &mut String, row: &DialectAnswer<'_>) {
    for signal in row.signals.iter().take(MAX_SHOWN) {
        let SignalLine { line, reason, .. } = signal;
        let vocabulary = signal.vocabulary.as_str();
        let value = shortened(&signal.text, MAX_LINE);
        let value = format!("line {line}: {vocabulary}: {value} ({reason})");
        field(text, "signal", &value);
    }
    render_more(text, "signal", row.signals.len());
}

fn octets(rule: &Rule) -> String {
    counted(rule.pattern.len().into(), "octet")
}

fn directive(checked: &CheckReport<'_>, rule: &Rule) -> String {
    let value = evidence(rule.value.of(checked.body));
    format!("{}: {}", rule.kind.as_str(), shortened(&value, 60))
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
    format!("{}\n{:>8} | {indent}{carets}\n", shown.trim_end(), "")
}

/// Renders the findings on the file.
pub fn render_anomalies(text: &mut String, checked: &CheckReport<'_>) {
    let anomalies = &checked.anomalies;
    if anomalies.is_empty() {
        return;
    }
    let mut order: Vec<_> = anomalies.iter().collect();
    order.sort_by_key(|anomaly| std::cmp::Reverse(anomaly.code.severity()));
    // The last that is listed of a code counts those beyond the limit of a list.
    let places = |anomalies: &[&Anomaly]| anomalies.iter().map(|one| u64::from(one.count)).sum();
    let is_error = |anomaly: &&Anomaly| anomaly.code.severity() == Severity::Error;
    let n_first_errors = order.iter().take_while(|one| is_error(one)).count();
    let n: u64 = places(&order);
    let n_errors = HumanCount(places(&order[..n_first_errors]));
    let _ = writeln!(
        text,
        "\nFindings on the file: {}, of which {n_errors} are errors",
        HumanCount(n)
    );
    let n_shown: u64 = places(&order[..order.len().min(MAX_SHOWN)]);
    for anomaly in order.into_iter().take(MAX_SHOWN) {
        let position = match anomaly.line {
            Some(line) => format!("line {line}"),
            None => "the file".to_owned(),
        };
        let (code, severity) = (anomaly.code.as_str(), anomaly.code.severity().as_str());
        let _ = writeln!(text, "{position}: {severity}, {code}");
        let _ = writeln!(text, "          {}", anomaly.code.sentence());
        if let Some(number) = anomaly.line {
            text.push_str(&excerpt(checked, number, anomaly.span));
        }
        if let Some(meant) = anomaly.meant {
            let _ = writeln!(text, "          meant: {}", meant.as_str());
        }
        if anomaly.count > 1 {
            let _ = writeln!(text, "          occurrences: {}", anomaly.count);
        }
        let names: Vec<_> = anomaly.accepted_by.names().collect();
        if !names.is_empty() {
            let _ = writeln!(text, "          accepted by {}", names.join(", "));
        }
    }
    if anomalies.len() > MAX_SHOWN {
        let more = HumanCount(n - n_shown);
        let listed = HumanCount(anomalies.len() as u64);
        let _ = writeln!(text, "and {more} more; --json lists {listed} in all");
    }
}
