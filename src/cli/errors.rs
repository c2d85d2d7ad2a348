//! `robocensus errors`: the codes of the tables `errors` and `response_errors`.

use anyhow::bail;
use robocensus::{
    Robots,
    archive::{
        http::{Example, Finding},
        warc::FaultKind,
    },
    robots::{dialect::AnomalyCode, lines::MAX_LINES},
};
use serde_json::{Value, json};

use super::{args::ErrorsArgs, escape, layout::nearest, template::rendered};

/// Characters of an example that are printed: a response has some 120, and one example is a line of
/// 16,664 bytes.
const MAX_EXAMPLE: usize = 160;

/// Bytes of the shortest file that is beyond a limit: one more than google-legacy reads.
const BEYOND_LIMIT: usize = 500_001;
/// Lines of the shortest file that is not read completely.
const TOO_MANY_LINES: usize = MAX_LINES + 1;

/// The codes as text.
const TEXT: &str = include_str!("templates/errors.txt.j2");

/// Prints all codes, or one.
pub fn run(args: &ErrorsArgs) -> anyhow::Result<()> {
    if let Some(name) = &args.code {
        refuse_unknown(name)?;
    }
    let is_asked = |code: &str| args.code.as_deref().is_none_or(|name| name == code);
    let codes: Vec<_> = of_files(&is_asked).chain(of_responses(&is_asked)).collect();
    if args.json {
        return escape::print_json(&codes);
    }
    let facts = json!({"codes": codes, "most": MAX_EXAMPLE});
    Ok(escape::print(&rendered(TEXT, facts))?)
}

/// Returns an error unless there is a code of this name.
fn refuse_unknown(name: &str) -> anyhow::Result<()> {
    let of_files = AnomalyCode::ALL.iter().map(|code| code.as_str());
    let of_responses = Finding::ALL.iter().map(|code| code.as_str());
    let codes: Vec<_> = of_files.chain(of_responses).collect();
    if codes.contains(&name) {
        return Ok(());
    }
    if FaultKind::ALL.iter().any(|kind| kind.as_str() == name) {
        bail!("CODE: {name} is one of archive_errors, which robocensus help inputs explains");
    }
    let hint = match nearest(name, &codes) {
        Some(code) => format!("; did you mean {code}?"),
        None => "; robocensus errors lists all".to_owned(),
    };
    bail!("CODE: no code is called {name}{hint}");
}

/// Returns the codes of a file and its lines.
fn of_files(is_asked: &dyn Fn(&str) -> bool) -> impl Iterator<Item = Value> {
    let asked = AnomalyCode::ALL
        .iter()
        .filter(|code| is_asked(code.as_str()));
    asked.map(|&code| {
        // The codes without an example are those of size.
        let (example, body) = match code.example() {
            [] if code == AnomalyCode::TooManyLines => {
                let example = format!("a file of {TOO_MANY_LINES} lines");
                (example, b"\n".repeat(TOO_MANY_LINES))
            }
            [] => {
                let example = format!("a file of {BEYOND_LIMIT} bytes");
                (example, b"#".repeat(BEYOND_LIMIT))
            }
            body => (body.escape_ascii().to_string(), body.to_vec()),
        };
        let robots = Robots::parse(body);
        let finding = robots.findings().find(|finding| finding.code == code);
        let accepted_by = finding.map(|finding| finding.accepted_by().collect::<Vec<_>>());
        json!({
            "code": code.as_str(),
            "severity": code.severity().as_str(),
            "sentence": code.sentence(),
            "example": example,
            "concerns": "file",
            "accepted_by": accepted_by.unwrap_or_default(),
        })
    })
}

/// Returns the codes of a response.
fn of_responses(is_asked: &dyn Fn(&str) -> bool) -> impl Iterator<Item = Value> {
    let asked = Finding::ALL.iter().filter(|code| is_asked(code.as_str()));
    asked.map(|&code| {
        let sentence = match code {
            Finding::OverLimit => {
                format!("{} (--max-body).", code.sentence().trim_end_matches('.'))
            }
            _ => code.sentence().to_owned(),
        };
        let example = match code.example() {
            Example::Response(bytes) => bytes.escape_ascii().to_string(),
            Example::Words(words) => words.to_owned(),
        };
        json!({
            "code": code.as_str(),
            "severity": code.severity().as_str(),
            "sentence": sentence,
            "example": example,
            "concerns": "response",
            "accepted_by": [],
        })
    })
}
