//! A decision as JSON: the same evidence as the text, unabridged.

use bstr::ByteSlice;
use robocensus::robots::{
    dialect::{Access, Anomaly, Rule, SelectionKind},
    lines::Field,
};
use serde_json::{Value, json};

use super::{CheckReport, DialectAnswer};

/// Renders one object, with an answer for each dialect that was asked.
pub fn render(checked: &CheckReport<'_>) -> String {
    let is_single = checked.query.is_single();
    let answers = checked.rows.iter().map(|row| {
        let mut value = answer(checked, row);
        if !is_single {
            value["agents"] = json!(checked.query.agents[row.agent].chain);
            value["agent_category"] = json!(checked.query.agents[row.agent].category);
            value["url"] = json!(checked.query.urls[row.url]);
        }
        value
    });
    let answers: Vec<_> = answers.collect();
    let anomalies: Vec<_> = checked
        .anomalies
        .iter()
        .map(|anomaly| finding(checked, anomaly))
        .collect();
    let query = &checked.query;
    let mut value = json!({
        "robots": query.name,
        "status": query.status,
        "robots_url": query.robots_url,
        "answers": answers,
        "errors": anomalies,
    });
    if is_single {
        value["agents"] = json!(query.agents[0].chain);
        value["url"] = json!(query.urls[0]);
    }
    if let Some(source) = &query.source {
        value[source.key] = source.json.clone();
    }
    format!("{value:#}\n")
}

/// Returns one answer with its evidence.
pub fn answer(checked: &CheckReport<'_>, row: &DialectAnswer<'_>) -> Value {
    let answer = &row.answer;
    let groups = row
        .groups
        .iter()
        .map(|&(first, last)| json!({"line_first": first, "line_last": last}));
    let lost = row.lost.iter().map(|(rule, loss)| {
        let mut value = in_json(checked, rule);
        value["lost"] = json!(loss.as_str());
        value
    });
    json!({
        "dialect": row.spec.name,
        "verdict": answer.decision.verdict.as_str(),
        "basis": answer.decision.basis.as_str(),
        "access": answer.access.map(Access::as_str),
        "is_in_scope": answer.is_in_scope,
        "group_kind": answer.selection.map(SelectionKind::as_str),
        "group_line": answer.group_line,
        "groups": groups.collect::<Vec<_>>(),
        "rule_line": answer.decision.rule_line,
        "rule": row.rule.map(|rule| in_json(checked, &rule)),
        "lost": lost.collect::<Vec<_>>(),
        "signals": row.signals,
    })
}

fn in_json(checked: &CheckReport<'_>, rule: &Rule) -> Value {
    json!({
        "line": rule.line,
        "kind": rule.kind.as_str(),
        "value": rule.value.of(checked.body).to_str_lossy(),
        "byte_offset": rule.value.start,
        "pattern_octets": rule.pattern.len(),
    })
}

/// Returns a finding on the file.
pub fn finding(checked: &CheckReport<'_>, anomaly: &Anomaly) -> Value {
    json!({
        "code": anomaly.code.as_str(),
        "severity": anomaly.code.severity().as_str(),
        "sentence": anomaly.code.sentence(),
        "line": anomaly.line,
        "byte_offset": anomaly.span.start,
        "text": anomaly.span.of(checked.body).to_str_lossy(),
        "meant": anomaly.meant.map(Field::as_str),
        "accepted_by": anomaly.accepted_by.names().collect::<Vec<_>>(),
        "place_count": anomaly.count,
    })
}
