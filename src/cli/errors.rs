//! `robocensus errors`: the codes of the table `errors`, each with a sentence and an example.
//!
//! Enters: the codes of files and lines, and those of responses. Leaves: text, or one JSON array.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use robocensus::{
    capture::ResponseCode,
    http::{Example, Finding},
    robots::{AnomalyCode, MAX_LINES},
};
use serde_json::json;

use super::{args::ErrorsArgs, check::find_anomalies};

/// Characters of an example that are shown: a response takes some 120, and one example is a line of
/// 16,664 bytes.
const MAX_EXAMPLE: usize = 160;

/// Bytes of the shortest file that is beyond a limit: one more than google-legacy reads.
const BEYOND_LIMIT: usize = 500_001;
/// Lines of the shortest file of which not all lines are read.
const TOO_MANY_LINES: usize = MAX_LINES + 1;

/// One code, as it is printed.
struct Code {
    code: &'static str,
    severity: &'static str,
    sentence: String,
    /// The smallest file or response that shows it, escaped, or words that say what it is like.
    example: String,
    /// The dialects that read such a line all the same; `None` for a code of the response.
    accepted_by: Option<Vec<&'static str>>,
}

/// Prints all codes.
pub fn run(args: &ErrorsArgs) -> anyhow::Result<ExitCode> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let codes = of_files().chain(of_responses());
    if args.json {
        let codes = codes.map(|code| {
            json!({
                "code": code.code,
                "severity": code.severity,
                "sentence": code.sentence,
                "example": code.example,
                "concerns": if code.accepted_by.is_some() { "file" } else { "response" },
                "accepted_by": code.accepted_by.unwrap_or_default(),
            })
        });
        writeln!(out, "{:#}", json!(codes.collect::<Vec<_>>()))?;
    } else {
        for code in codes {
            writeln!(out, "{} ({})", code.code, code.severity)?;
            writeln!(out, "  {}", code.sentence)?;
            writeln!(out, "  example: {}", shortened(&code.example))?;
            match code.accepted_by.as_deref() {
                None => writeln!(out, "  concerns the response, not the lines of the file\n")?,
                Some([]) => writeln!(out, "  no dialect reads it all the same\n")?,
                Some(names) => writeln!(out, "  read all the same by {}\n", names.join(", "))?,
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Walks over the codes of a file and its lines.
fn of_files() -> impl Iterator<Item = Code> {
    AnomalyCode::ALL.iter().map(|&code| Code {
        code: code.as_str(),
        severity: code.severity().as_str(),
        sentence: code.sentence().to_owned(),
        example: match code.example() {
            [] if code == AnomalyCode::TooManyLines => format!("a file of {TOO_MANY_LINES} lines"),
            [] => format!("a file of {BEYOND_LIMIT} bytes"),
            body => body.escape_ascii().to_string(),
        },
        accepted_by: Some(accepted_by(code)),
    })
}

/// Walks over the codes of a response.
fn of_responses() -> impl Iterator<Item = Code> {
    ResponseCode::all().map(|code| Code {
        code: code.as_str(),
        severity: code.severity(),
        sentence: match code {
            ResponseCode::Http(Finding::OverLimit) => format!("{} (--max-body)", code.sentence()),
            _ => code.sentence().to_owned(),
        },
        example: match code.example() {
            Example::Response(bytes) => bytes.escape_ascii().to_string(),
            Example::Words(words) => words.to_owned(),
        },
        accepted_by: None,
    })
}

/// Returns an example as a line shows it.
fn shortened(example: &str) -> String {
    match example.char_indices().nth(MAX_EXAMPLE) {
        None => example.to_owned(),
        Some((end, _)) => format!("{}.. ({} characters)", &example[..end], example.len()),
    }
}

/// Returns the dialects that accept the example of a code.
fn accepted_by(code: AnomalyCode) -> Vec<&'static str> {
    let large;
    let body = match code.example() {
        // The codes without an example are those of size.
        [] => {
            large = match code {
                AnomalyCode::TooManyLines => b"\n".repeat(TOO_MANY_LINES),
                _ => b"#".repeat(BEYOND_LIMIT),
            };
            &large[..]
        }
        body => body,
    };
    let found = find_anomalies(body);
    let anomaly = found.iter().find(|anomaly| anomaly.code == code);
    anomaly.map_or_else(Vec::new, |anomaly| anomaly.accepted_by.names().collect())
}
