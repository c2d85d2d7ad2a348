//! The summary of a comparison as text for people.

use std::{
    collections::BTreeMap,
    fmt::{Display, Write},
    path::Path,
};

use indicatif::HumanCount;
use robocensus::{
    compare::{
        Comparison,
        external::UsageRatio,
        found::{Estimate, FoundCause},
        side::CellAnswer,
    },
    dataset::summary::share,
};

use super::super::{
    escape::{evidence, shortened},
    layout::{Section, SummaryRow},
};

/// Causes that are shown; the table `causes` has them all.
const MOST_CAUSES: usize = 20;
/// Characters of a smallest case that are shown; the folder `cases` has it whole.
const MOST_CHARS: usize = 160;

/// Returns the summary of a comparison into the folder `out`.
pub fn render(comparison: &Comparison, out: &Path) -> String {
    let Comparison { sides, causes, .. } = comparison;
    let [baseline, candidate] = [0, 1].map(|side| evidence(sides[side].as_bytes()));
    let mut title = format!("{baseline} -> {candidate}");
    if let Some(reference) = &comparison.reference {
        title += &format!(" (reference: {})", evidence(reference.as_bytes()));
    }
    let mut summary = figures(comparison, title).to_string();
    if let Some(sample) = &comparison.totals.sample {
        let title = format!(
            "All {} distinct bodies, estimated from the sample (95 % confidence):",
            HumanCount(sample.files)
        );
        Section::new(title)
            .rows([
                estimated("flips", sample.flips),
                estimated("captures that flip", sample.flipping_captures),
                estimated("files that flip", sample.flipping_files),
            ])
            .append_to(&mut summary);
    }
    if !causes.is_empty() {
        let _ = writeln!(summary, "\nCauses, by hosts:");
    }
    for (index, cause) in causes.iter().take(MOST_CAUSES).enumerate() {
        summary.push_str(&cause_lines(index + 1, cause, sides));
    }
    if causes.len() > MOST_CAUSES {
        let more = causes.len() - MOST_CAUSES;
        let _ = writeln!(summary, "\n  and {more} more in the table causes");
    }
    let out = evidence(out.to_string_lossy().as_bytes());
    let _ = writeln!(summary, "\n{out}: {:.1} s", comparison.seconds);
    summary
}

/// Returns what the sides were asked, where their answers differ, and how much of that is
/// explained.
fn figures(comparison: &Comparison, title: String) -> Section {
    let totals = &comparison.totals;
    let part = |n: u64, whole: u64| format!("{} of {}", share(n, whole), HumanCount(whole));
    let if_any = |name: &str, n: u64, note: &str| (n > 0).then(|| SummaryRow::count(name, n, note));
    let queries = format!("{} queries to each side", HumanCount(totals.queries));
    let mut section = Section::new(title)
        .count("files", totals.files, "distinct bodies")
        .rows(if_any(
            "files not asked",
            totals.not_asked,
            "the time of --budget was over",
        ))
        .count("captures", totals.captures, "")
        .count("cells asked", totals.cells, queries)
        .rows(if_any(
            "cells not answered",
            totals.unanswered,
            "a parser reports an error",
        ));
    if totals.cut_files > 0 {
        let cut = part(totals.cut_files, totals.files);
        let note = format!("{cut}: more queries than --max-probes");
        let left_out = part(totals.rules_left_out, totals.rules);
        section = section.count("files cut", totals.cut_files, note).count(
            "rules not asked about",
            totals.rules_left_out,
            left_out,
        );
    }
    let flips = totals.flips();
    let files = part(totals.flipping_files, totals.files);
    let hosts = part(totals.flipping_hosts, totals.hosts);
    section = section
        .count("flips", flips, share(flips, totals.cells))
        .rows(parts(&totals.directions, flips))
        .rows(parts(&totals.stances, flips))
        .count("files that flip", totals.flipping_files, files)
        .count("hosts that flip", totals.flipping_hosts, hosts);
    // Without weights every cell weighs 1.
    if totals.weight != totals.cells as f64 {
        let part = 100.0 * totals.flipping_weight / totals.weight.max(f64::MIN_POSITIVE);
        let weight = format!("{:.3}", totals.flipping_weight);
        section = section.row("weight that flips", weight, format!("{part:.3} %"));
    }
    section = section
        .rows(if_any(
            "not asked again",
            totals.not_asked_again,
            "files that flip: the time of --budget was over",
        ))
        .rows(if_any(
            "unstable",
            totals.unstable,
            "answers that changed when asked again",
        ))
        .rows(if_any(
            "parser faults",
            totals.parser_faults,
            "rows of parser_faults",
        ));
    let ratios = UsageRatio::between(comparison.usage).into_iter();
    section = section.rows(ratios.map(|taken| {
        let times = format!("{:.2} x", taken.ratio);
        SummaryRow::new(taken.name, times, taken.amounts)
    }));
    if flips == 0 {
        return section;
    }
    let explained = flips.saturating_sub(totals.unexplained);
    let candidate = &comparison.sides[1];
    let note = format!("of the queries are answered by the fitted dialect as by {candidate}");
    let fitted = &comparison.fitted;
    section
        .count("flips explained", explained, share(explained, flips))
        .rows(if_any(
            "kinds not reduced",
            totals.kinds_not_reduced,
            "of unexplained flips, beyond the most frequent ones; their cause is unexplained:other",
        ))
        .row("fit", share(fitted.reproduced, fitted.queries), note)
}

fn parts<K: Display>(of: &BTreeMap<K, u64>, all: u64) -> impl Iterator<Item = SummaryRow> {
    let rows = of.iter();
    rows.map(move |(name, &n)| SummaryRow::count(format!("  {name}"), n, share(n, all)))
}

fn listed<K: Display>(counts: &BTreeMap<K, u64>) -> String {
    let parts = counts.iter();
    let parts = parts.map(|(name, n)| format!("{} {name}", HumanCount(*n)));
    Vec::from_iter(parts).join(", ")
}

fn estimated(name: &str, Estimate { value, low, high }: Estimate) -> SummaryRow {
    let count = |n: f64| HumanCount(n.round() as u64);
    let interval = format!("{} to {}", count(low), count(high));
    SummaryRow::new(name, count(value), interval)
}

/// Returns a cause with its figures, and its smallest case in three lines.
fn cause_lines(number: usize, cause: &FoundCause, sides: &[String; 2]) -> String {
    let mut flips = listed(&cause.directions);
    if !cause.stances.is_empty() {
        flips += &format!("; {}", listed(&cause.stances));
    }
    let case = &cause.example;
    let note = if cause.is_minimal {
        ""
    } else {
        " (not minimal)"
    };
    let [agent, url] = [&case.agent, &case.url].map(|text| evidence(text.as_bytes()));
    let question = format!("{agent} asks for {url}");
    format!(
        "\n  {number}. {}\n     {} hosts, {} files: {}\n     {}{note}\n     {}\n     {}; {}\n",
        evidence(cause.key.as_bytes()),
        HumanCount(cause.hosts),
        HumanCount(cause.files),
        flips,
        shortened(&robots_on_a_line(&case.body), MOST_CHARS),
        shortened(&question, MOST_CHARS),
        answered(&sides[0], &cause.answers[0]),
        answered(&sides[1], &cause.answers[1]),
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
