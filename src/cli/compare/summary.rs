//! The summary of a comparison as text for people.

use std::{
    fmt::{Display, Write},
    path::Path,
};

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
    let Comparison { sides, causes, .. } = comparison;
    let mut summary = format!(
        "{} -> {}\n",
        evidence(sides[0].as_bytes()),
        evidence(sides[1].as_bytes())
    );
    summary += &asked(comparison);
    summary += &flips(comparison);
    if let Some(sample) = &comparison.totals.sample {
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
        "\n{}: {:.1} s",
        evidence(out.to_string_lossy().as_bytes()),
        comparison.seconds
    );
    summary
}

/// Lines of a name, a figure and a note, in columns.
#[derive(Default)]
struct Rows(String);

impl Rows {
    fn row(&mut self, name: &str, figure: impl Display, note: impl Display) {
        let figure = figure.to_string();
        let line = format!("  {name:<22} {figure:>14}  {note}");
        let _ = writeln!(self.0, "{}", line.trim_end());
    }

    fn count(&mut self, name: &str, n: u64, note: impl Display) {
        self.row(name, HumanCount(n), note);
    }

    fn count_if_any(&mut self, name: &str, n: u64, note: impl Display) {
        if n > 0 {
            self.count(name, n, note);
        }
    }

    /// Appends a number with its share of the whole.
    fn part(&mut self, name: &str, n: u64, whole: u64) {
        self.count(name, n, share_of(n, whole));
    }
}

fn share_of(n: u64, whole: u64) -> String {
    format!("{} of {}", share(n, whole), HumanCount(whole))
}

/// Returns what the sides were asked.
fn asked(comparison: &Comparison) -> String {
    let totals = &comparison.totals;
    let mut rows = Rows::default();
    rows.count("files", totals.files, "distinct bodies");
    rows.count("captures", totals.captures, "");
    let queries = format!("{} queries to each side", HumanCount(totals.queries));
    rows.count("cells asked", totals.cells, queries);
    let unanswered = "a parser reports an error";
    rows.count_if_any("cells not answered", totals.unanswered, unanswered);
    if totals.cut_files > 0 {
        let cut = share_of(totals.cut_files, totals.files);
        let note = format!("{cut}: more queries than --max-probes");
        rows.count("files cut", totals.cut_files, note);
        rows.part("rules not asked about", totals.rules_left_out, totals.rules);
    }
    rows.0
}

/// Returns where the answers differ, and how much of that is explained.
fn flips(comparison: &Comparison) -> String {
    let totals = &comparison.totals;
    let flips = totals.flips();
    let mut rows = Rows::default();
    rows.count("flips", flips, share(flips, totals.cells));
    for (direction, &n) in &totals.directions {
        rows.count(&format!("  {direction}"), n, share(n, flips));
    }
    rows.part("files that flip", totals.flipping_files, totals.files);
    rows.part("hosts that flip", totals.flipping_hosts, totals.hosts);
    // Without weights every cell weighs 1.
    if totals.weight != totals.cells as f64 {
        let part = 100.0 * totals.flipping_weight / totals.weight.max(f64::MIN_POSITIVE);
        let weight = format!("{:.3}", totals.flipping_weight);
        rows.row("weight that flips", weight, format!("{part:.3} %"));
    }
    let unstable = "answers that changed when asked again";
    rows.count_if_any("unstable", totals.unstable, unstable);
    rows.count_if_any(
        "parser faults",
        totals.parser_faults,
        "rows of parser_faults",
    );
    if flips > 0 {
        let explained = flips.saturating_sub(totals.unexplained);
        rows.count("flips explained", explained, share(explained, flips));
        let note = format!(
            "of the queries are answered by the fitted dialect as by {}",
            comparison.sides[1]
        );
        let fitted = &comparison.fitted;
        rows.row("fit", share(fitted.reproduced, fitted.queries), note);
    }
    rows.0
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
    format!("{}: {answer}", evidence(side.as_bytes()))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
