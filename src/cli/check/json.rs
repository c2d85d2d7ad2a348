//! A report as JSON: the same evidence as the text, unabridged. Keys are sorted.

use bstr::ByteSlice;
use robocensus::robots::{
    dialect::{Access, Anomaly, Rule, SelectionKind},
    lines::Field,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};

use super::{CheckReport, answers::Answer};

/// A list whose items are made one by one while it is written.
struct List<F>(F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl Serialize for CheckReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let query = &self.query;
        let source = |key| query.source.as_ref().filter(|source| source.key == key);
        let mut map = serializer.serialize_map(None)?;
        if query.is_single() {
            map.serialize_entry("agents", &query.agents[0].chain)?;
        }
        map.serialize_entry("answers", &List(|| self.answers(query.agents)))?;
        if let Some(capture) = source("capture") {
            map.serialize_entry("capture", &capture.json)?;
        }
        let findings = || {
            self.robots
                .anomalies()
                .iter()
                .map(|anomaly| finding(self, anomaly))
        };
        map.serialize_entry("errors", &List(findings))?;
        if let Some(fetch) = source("fetch") {
            map.serialize_entry("fetch", &fetch.json)?;
        }
        map.serialize_entry("robots", &query.name)?;
        map.serialize_entry("robots_url", &query.robots_url)?;
        map.serialize_entry("status", &query.status)?;
        if query.is_single() {
            map.serialize_entry("url", &query.urls[0])?;
        }
        map.end()
    }
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (report, evidence) = (self.report, &self.evidence);
        let (decision, is_single) = (evidence.decision, report.query.is_single());
        let groups = || {
            let groups = self.groups.iter();
            groups.map(|(first, last)| json!({"line_first": first, "line_last": last}))
        };
        let lost = || {
            self.lost.iter().map(|(rule, loss)| {
                let mut value = in_json(report, rule);
                value["lost"] = loss.as_str().into();
                value
            })
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("access", &evidence.access.map(Access::as_str))?;
        if !is_single {
            map.serialize_entry("agent_category", &self.agent.category)?;
            map.serialize_entry("agents", &self.agent.chain)?;
        }
        map.serialize_entry("basis", decision.basis.as_str())?;
        map.serialize_entry("dialect", &self.spec.name)?;
        let kind = evidence.selection.map(SelectionKind::as_str);
        map.serialize_entry("group_kind", &kind)?;
        map.serialize_entry("group_line", &evidence.group_line)?;
        map.serialize_entry("groups", &List(groups))?;
        map.serialize_entry("is_in_scope", &evidence.is_in_scope)?;
        map.serialize_entry("lost", &List(lost))?;
        let rule = self.rule.map(|rule| in_json(report, &rule));
        map.serialize_entry("rule", &rule)?;
        map.serialize_entry("rule_line", &decision.rule_line)?;
        map.serialize_entry("signals", &self.signals)?;
        if !is_single {
            map.serialize_entry("url", self.url)?;
        }
        map.serialize_entry("verdict", decision.verdict.as_str())?;
        map.end()
    }
}

fn in_json(report: &CheckReport<'_>, rule: &Rule) -> Value {
    json!({
        "line": rule.line,
        "kind": rule.kind.as_str(),
        "value": rule.value.of(report.robots.body()).to_str_lossy(),
        "byte_offset": rule.value.start,
        "pattern_octets": rule.pattern.len(),
    })
}

/// Returns a finding on the file.
pub fn finding(report: &CheckReport<'_>, anomaly: &Anomaly) -> Value {
    json!({
        "code": anomaly.code.as_str(),
        "severity": anomaly.code.severity().as_str(),
        "sentence": anomaly.code.sentence(),
        "line": anomaly.line,
        "byte_offset": anomaly.span.start,
        "text": anomaly.span.of(report.robots.body()).to_str_lossy(),
        "meant": anomaly.meant.map(Field::as_str),
        "accepted_by": anomaly.accepted_by.names().collect::<Vec<_>>(),
        "place_count": anomaly.count,
    })
}
