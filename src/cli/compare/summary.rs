//! The summary of a comparison as text for people.

use std::{fmt::Write, path::Path};

use indicatif::HumanCount;
use robocensus::{
    compare::{
        Comparison,
        found::{Estimate, FoundCause, ReducedCase},
        side::CellAnswer,
    },
    dataset::summary::share,
};

use super::super::escape::evidence;

/// Causes that are shown; the table `causes` has them all.
const MOST_CAUSES: usize = 20;
/// Characters of a smallest case that are shown; the folder `cases` has it whole.
const MOST_CHARS: usize = 160;

/// Returns the summary of a comparison into the folder `out`.
pub fn render(comparison: &Comparison, out: &Path) -> String {
    let Comparison {
        sides,
        causes,
        totals,
        fitted,
        seconds,
        ..
    } = comparison;
    let mut text = String::new();
    let mut row = |name: &str, figure: String, note: String| {
        let line = format!("  {name:<22} {figure:>14}  {note}");
        let _ = writeln!(text, "{}", line.trim_end());
    };
    let count = |n: u64| HumanCount(n).to_string();
    row("files", count(totals.files), "distinct bodies".to_owned());
    row("captures", count(totals.captures), String::new());
    row(
        "cells asked",
        count(totals.cells),
        format!("{} queries to each side", count(totals.queries)),
    );
    if totals.unanswered > 0 {
        row(
            "cells not answered",
            count(totals.unanswered),
            "a parser reports an error".to_owned(),
        );
    }
    if totals.cut_files > 0 {
        row(
            "files cut",
            count(totals.cut_files),
            format!(
                "{} of {}: more queries than --max-probes",
                share(totals.cut_files, totals.files),
                count(totals.files)
            ),
        );
        row(
            "rules not asked about",
            count(totals.rules_left_out),
            format!(
                "{} of {}",
                share(totals.rules_left_out, totals.rules),
                count(totals.rules)
            ),
        );
    }
    row(
        "flips",
        count(totals.flips()),
        share(totals.flips(), totals.cells),
    );
    for (direction, n) in &totals.directions {
        row(
            &format!("  {direction}"),
            count(*n),
            share(*n, totals.flips()),
        );
    }
    let of = |n: u64, whole: u64| format!("{} of {}", share(n, whole), count(whole));
    row(
        "files that flip",
        count(totals.flipping_files),
        of(totals.flipping_files, totals.files),
    );
    row(
        "hosts that flip",
        count(totals.flipping_hosts),
        of(totals.flipping_hosts, totals.hosts),
    );
    // Without weights every cell weighs 1.
    if totals.weight != totals.cells as f64 {
        let part = 100.0 * totals.flipping_weight / totals.weight.max(f64::MIN_POSITIVE);
        row(
            "weight that flips",
            format!("{:.3}", totals.flipping_weight),
            format!("{part:.3} %"),
        );
    }
    if totals.unstable > 0 {
        row(
            "unstable",
            count(totals.unstable),
            "answers that changed when asked again".to_owned(),
        );
    }
    if totals.parser_faults > 0 {
        row(
            "parser faults",
            count(totals.parser_faults),
            "rows of parser_faults".to_owned(),
        );
    }
    let explained = totals.flips() - totals.unexplained.min(totals.flips());
    if totals.flips() > 0 {
        row(
            "flips explained",
            count(explained),
            share(explained, totals.flips()),
        );
        let note = format!(
            "of the queries are answered by the fitted dialect as by {}",
            sides[1]
        );
        row("fit", share(fitted.reproduced, fitted.queries), note);
    }
    let mut summary = format!(
        "{} -> {}\n{text}",
        evidence(sides[0].as_bytes()),
        evidence(sides[1].as_bytes())
    );
    if let Some(sample) = &totals.sample {
        let _ = writeln!(
            summary,
            "\nAll {} distinct bodies, estimated from the sample (95 % confidence):",
            HumanCount(sample.files)
        );
        for (name, estimate) in [
            ("flips", sample.flips),
            ("captures that flip", sample.flipping_captures),
            ("files that flip", sample.flipping_files),
        ] {
            let _ = writeln!(summary, "  {name:<22} {}", estimated(estimate));
        }
    }
    if !causes.is_empty() {
        let _ = writeln!(summary, "\nCauses, by hosts:");
    }
    for (index, cause) in causes.iter().take(MOST_CAUSES).enumerate() {
        summary.push_str(&cause_lines(index + 1, cause, sides));
    }
    if causes.len() > MOST_CAUSES {
        let _ = writeln!(
            summary,
            "\n  and {} more in the table causes",
            causes.len() - MOST_CAUSES
        );
    }
    let _ = writeln!(
        summary,
        "\n{}: {seconds:.1} s",
        evidence(out.to_string_lossy().as_bytes())
    );
    summary
}

fn estimated(Estimate { value, low, high }: Estimate) -> String {
    let count = |n: f64| HumanCount(n.round() as u64).to_string();
    format!("{:>14}  {} to {}", count(value), count(low), count(high))
}

/// Returns a cause with its figures, and its smallest case in three lines.
fn cause_lines(number: usize, cause: &FoundCause, sides: &[String; 2]) -> String {
    let directions = cause.directions.iter();
    let directions: Vec<String> = directions
        .map(|(direction, n)| format!("{} {direction}", HumanCount(*n)))
        .collect();
    let ReducedCase {
        body,
        agent,
        url,
        baseline,
        candidate,
        is_minimal,
    } = &cause.example;
    let note = if *is_minimal { "" } else { " (not minimal)" };
    format!(
        "\n  {number}. {}\n     {} hosts, {} files: {}\n     {}{note}\n     {}\n     {}; {}\n",
        evidence(cause.key.as_bytes()),
        HumanCount(cause.hosts),
        HumanCount(cause.files),
        directions.join(", "),
        shortened(&robots_on_a_line(body)),
        shortened(&format!(
            "{} asks for {}",
            evidence(agent.as_bytes()),
            evidence(url.as_bytes())
        )),
        answered(&sides[0], baseline),
        answered(&sides[1], candidate),
    )
}

/// Returns the lines of a robots.txt on one line.
fn robots_on_a_line(body: &[u8]) -> String {
    let end = body.len().min(4 * MOST_CHARS);
    let lines = body[..end].split(|byte| *byte == b'\n');
    let lines: Vec<String> = lines.map(evidence).collect();
    lines.join(" | ")
}

fn answered(side: &str, answer: &CellAnswer) -> String {
    let verdict = answer.verdict.map_or("error", |verdict| verdict.as_str());
    let line = match answer.line {
        Some(0) => " by no line".to_owned(),
        Some(line) => format!(" by line {line}"),
        None => String::new(),
    };
    format!("{}: {verdict}{line}", evidence(side.as_bytes()))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
