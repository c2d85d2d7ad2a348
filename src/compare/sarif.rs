//! The causes of a comparison as SARIF 2.1.0, which code scanning shows at the lines of files.
//!
//! Each cause is a rule, whose identifier is the cause's key, and a result at the line that decides
//! in its smallest example. Accepted causes are suppressed results. Faults of parsers, and what is
//! wrong with the comparison as a whole, are notifications of the run.

use serde_json::{Value, json};

use super::{
    found::FoundCause,
    gate::{CauseState, Gate},
    markdown::printable,
};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

impl Gate<'_> {
    /// Returns the causes as results of code scanning, in SARIF.
    pub fn to_sarif(&self) -> String {
        let comparison = self.comparison;
        let causes = comparison.causes.iter();
        let rules: Vec<Value> = causes.clone().map(rule).collect();
        let results = causes.enumerate();
        let results = results.map(|(index, cause)| result(self, index, cause));
        let results: Vec<Value> = results.collect();
        let faults = comparison.faults.iter().map(|fault| {
            let is_new = self.assessment.new_faults.contains(&fault);
            let level = if is_new { "error" } else { "note" };
            json!({
                "descriptor": { "id": fault.key() },
                "level": level,
                "message": message(&fault.sentence),
            })
        });
        let problems = self.problems.iter();
        let problems =
            problems.map(|problem| json!({ "level": "error", "message": message(problem) }));
        let notifications: Vec<Value> = faults.chain(problems).collect();
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "robocensus",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                } },
                "invocations": [{
                    "executionSuccessful": self.problems.is_empty(),
                    "toolExecutionNotifications": notifications,
                }],
                "results": results,
            }],
        });
        format!("{log:#}\n")
    }
}

fn rule(cause: &FoundCause) -> Value {
    let text = if cause.changes.is_empty() {
        "Flips that no answer of robocensus dialects explains".to_owned()
    } else {
        format!("Flips by {}", cause.changes.join(" and "))
    };
    json!({ "id": cause.key, "shortDescription": { "text": text } })
}

fn result(gate: &Gate<'_>, index: usize, cause: &FoundCause) -> Value {
    let case = &cause.example;
    let [baseline, candidate] = &gate.comparison.sides;
    let state = gate.state(cause);
    let (found, agent, url) = (state.found(cause), &case.agent, &case.url);
    let text = format!(
        "{found}, such as: {agent} asks for {url}; {baseline}: {}; {candidate}: {}",
        cause.answers[0], cause.answers[1]
    );
    let uri = format!("cases/{}.robots.txt", cause.id);
    let mut location = json!({ "artifactLocation": { "uri": uri } });
    let mut lines = cause.answers.iter().rev().filter_map(|answer| answer.line);
    if let Some(line) = lines.find(|&line| line > 0) {
        location["region"] = json!({ "startLine": line });
    }
    let mut result = json!({
        "ruleId": cause.key,
        "ruleIndex": index,
        "level": "error",
        "message": message(&text),
        "locations": [{ "physicalLocation": location }],
        "partialFingerprints": { "cause/v1": cause.key },
    });
    if gate.has_list {
        result["suppressions"] = match state {
            CauseState::Accepted(reasons) => json!([{
                "kind": "external",
                "status": "accepted",
                "justification": printable(reasons.as_bytes()),
            }]),
            CauseState::New | CauseState::Combined(_) | CauseState::Exceeded(_) => json!([]),
        };
    }
    result
}

/// Returns a message in which brackets are no links and braces are no arguments.
fn message(text: &str) -> Value {
    let mut escaped = String::new();
    for char in printable(text.as_bytes()).chars() {
        match char {
            '\\' | '[' | ']' => escaped.extend(['\\', char]),
            '{' | '}' => escaped.extend([char, char]),
            char => escaped.push(char),
        }
    }
    json!({ "text": escaped })
}
