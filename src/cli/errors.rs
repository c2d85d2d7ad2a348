//! `robocensus errors`: the codes of the table `errors`, each with a sentence and an example.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use robocensus::robots::AnomalyCode;
use serde_json::json;

use super::{args::ErrorsArgs, check::find_anomalies};

/// Bytes of an example that are shown; one example is a line of 16,664.
const MAX_EXAMPLE: usize = 72;

/// Prints all codes.
pub fn run(args: &ErrorsArgs) -> anyhow::Result<ExitCode> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        let codes = AnomalyCode::ALL.iter().map(|&code| {
            json!({
                "code": code.as_str(),
                "severity": code.severity().as_str(),
                "sentence": code.sentence(),
                "example": code.example().escape_ascii().to_string(),
                "accepted_by": accepted_by(code),
            })
        });
        writeln!(out, "{:#}", json!(codes.collect::<Vec<_>>()))?;
    } else {
        for &code in AnomalyCode::ALL {
            writeln!(out, "{} ({})", code.as_str(), code.severity().as_str())?;
            writeln!(out, "  {}", code.sentence())?;
            writeln!(out, "  example: {}", example(code))?;
            match accepted_by(code).as_slice() {
                [] => writeln!(out, "  no dialect reads it all the same\n")?,
                names => writeln!(out, "  read all the same by {}\n", names.join(", "))?,
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn example(code: AnomalyCode) -> String {
    match code.example() {
        [] => "a file of 500,001 bytes".to_owned(),
        long if long.len() > MAX_EXAMPLE => {
            let start = long[..MAX_EXAMPLE].escape_ascii();
            format!("{start}.. ({} bytes)", long.len())
        }
        short => short.escape_ascii().to_string(),
    }
}

/// Returns the dialects that accept the example of a code.
fn accepted_by(code: AnomalyCode) -> Vec<&'static str> {
    let large;
    let body = match code.example() {
        // The only code without an example is that of size.
        [] => {
            large = b"#".repeat(500_001);
            &large[..]
        }
        body => body,
    };
    let found = find_anomalies(body);
    let anomaly = found.iter().find(|anomaly| anomaly.code == code);
    anomaly.map_or_else(Vec::new, |anomaly| anomaly.accepted_by.names().collect())
}
