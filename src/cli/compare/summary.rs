//! The summary of a comparison as text for people.

use std::{collections::BTreeMap, fmt::Display, path::Path};

use indicatif::HumanCount;
use robocensus::compare::{
    Comparison,
    external::UsageRatio,
    found::{Estimate, FoundCause},
};
use serde_json::{Value, json};

use super::super::{
    escape::{evidence, shortened},
    layout::sections,
    template::rendered,
};

/// What the sides were asked, and where their answers differ.
const FIGURES: &str = include_str!("../templates/comparison.txt.j2");
/// Why, each with its smallest case.
const CAUSES: &str = include_str!("../templates/comparison-causes.txt.j2");

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
    let shown = causes.iter().take(MOST_CAUSES);
    let below = json!({
        "causes": shown.map(|cause| in_text(cause, sides)).collect::<Vec<_>>(),
        "more": causes.len().saturating_sub(MOST_CAUSES),
        "out": evidence(out.to_string_lossy().as_bytes()),
        "seconds": comparison.seconds,
    });
    sections(&rendered(FIGURES, figures(comparison, title))) + &rendered(CAUSES, below)
}

/// Returns what the sides were asked, where their answers differ, and how much of that is
/// explained.
fn figures(comparison: &Comparison, title: String) -> Value {
    let totals = &comparison.totals;
    let flips = totals.flips();
    // Without weights every cell weighs 1.
    let weighed = (totals.weight != totals.cells as f64).then(|| {
        let share = 100.0 * totals.flipping_weight / totals.weight.max(f64::MIN_POSITIVE);
        let flipping = format!("{:.3}", totals.flipping_weight);
        json!({"flipping": flipping, "share": format!("{share:.3}")})
    });
    let ratios = UsageRatio::between(comparison.usage).into_iter();
    let usage = ratios.map(|taken| {
        json!({"name": taken.name, "ratio": format!("{:.2}", taken.ratio), "amounts": taken.amounts})
    });
    let count = |n: f64| HumanCount(n.round() as u64).to_string();
    let estimated = |Estimate { value, low, high }| [value, low, high].map(count);
    let estimates = totals.sample.map(|sample| {
        [
            ("flips", estimated(sample.flips)),
            ("captures that flip", estimated(sample.flipping_captures)),
            ("files that flip", estimated(sample.flipping_files)),
        ]
    });
    let fitted = &comparison.fitted;
    let mut figures = json!(totals);
    figures["title"] = title.into();
    figures["flips"] = flips.into();
    figures["kinds"] = json!([named(&totals.directions), named(&totals.stances)].concat());
    figures["weighed"] = json!(weighed);
    figures["usage"] = usage.collect();
    figures["explained"] = flips.saturating_sub(totals.unexplained).into();
    figures["fitted"] = json!({"reproduced": fitted.reproduced, "queries": fitted.queries});
    figures["candidate"] = json!(comparison.sides[1]);
    figures["estimates"] = json!(estimates);
    figures
}

/// Returns counts with their names, in the order of these.
fn named<K: Display>(counts: &BTreeMap<K, u64>) -> Vec<(String, u64)> {
    let counts = counts.iter();
    counts.map(|(name, n)| (name.to_string(), *n)).collect()
}

/// Returns a cause with its figures and its smallest case.
fn in_text(cause: &FoundCause, sides: &[String; 2]) -> Value {
    let case = &cause.example;
    let question = format!("{} asks for {}", case.agent, case.url);
    let answers = [0, 1].map(|side| format!("{}: {}", sides[side], cause.answers[side]));
    json!({
        "key": evidence(cause.key.as_bytes()),
        "hosts": cause.hosts,
        "files": cause.files,
        "directions": named(&cause.directions),
        "stances": named(&cause.stances),
        "robots": shortened(&robots_on_a_line(&case.body), MOST_CHARS),
        "is_minimal": cause.is_minimal,
        "question": shortened(&evidence(question.as_bytes()), MOST_CHARS),
        "answers": answers.map(|answer| evidence(answer.as_bytes())),
    })
}

/// Returns the lines of a robots.txt on one line.
fn robots_on_a_line(body: &[u8]) -> String {
    let end = body.len().min(4 * MOST_CHARS);
    let lines = body[..end].split(|byte| *byte == b'\n');
    let lines: Vec<String> = lines.map(evidence).collect();
    lines.join(" | ")
}
