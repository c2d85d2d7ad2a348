//! Decisions about several crawlers or URLs as one table: a row for each crawler, a column for each
//! URL, and further rows where dialects differ.

use std::{borrow::Cow, iter};

use robocensus::{Verdict, robots::matrix::MatrixAgent};
use serde_json::{Value, json};

use super::{
    super::{color::Painter, escape::line, layout::listed},
    CheckReport,
    text::render_parts,
};

/// The longest table, in lines.
const MOST_LINES: usize = 40;
/// The widest that all URLs may be together to stand above their columns; longer ones have numbers.
const MOST_WIDTH: usize = 60;
/// Names of crawlers, and of dialects, of one row.
const MOST_NAMES: usize = 3;

/// Crawlers whose answers are held at a time.
const AT_ONCE: usize = 10_000;

/// A verdict, and the line that decides.
type Cell = (Verdict, Option<u32>);

/// Crawlers with the same rows.
struct Block<'a> {
    agents: Vec<&'a MatrixAgent>,
    /// A cell for each URL, behind the dialects that give these answers if several are asked.
    rows: Vec<String>,
}

impl Block<'_> {
    /// Returns the rows of text, of which the first names the crawlers.
    fn lines(&self) -> impl Iterator<Item = String> {
        let agents = self.agents.iter();
        let names = agents.map(|agent| line(&agent.chain.join(", then ")).into_owned());
        let names = listed(&names.collect::<Vec<_>>(), MOST_NAMES);
        let names = iter::once(names).chain(iter::repeat(String::new()));
        names
            .zip(&self.rows)
            .map(|(name, row)| format!("{name}\t{row}"))
    }
}

/// The table, and what stands around it.
const TEXT: &str = include_str!("../templates/check/table.txt.j2");

/// Renders the table, and below it the findings on the file.
pub fn render(report: &CheckReport<'_>, painter: Painter) -> String {
    let query = &report.query;
    let widths = query.urls.iter().map(|url| url.chars().count());
    let is_wide = widths.sum::<usize>() > MOST_WIDTH;
    // Those of the file and of the head.
    let others = 2 + if is_wide { query.urls.len() } else { 0 };
    let mut facts = rows(report, painter, MOST_LINES - others);
    facts["dialect"] = match &*report.dialects {
        [(spec, _)] => json!(spec.name),
        _ => Value::Null,
    };
    facts["has_numbers"] = is_wide.into();
    facts["agent_count"] = query.agents.len().into();
    render_parts(&[TEXT], report, facts)
}

/// Returns the rows of all crawlers: at most so many, and crawlers with equal ones together if
/// there are more.
fn rows(report: &CheckReport<'_>, painter: Painter, most: usize) -> Value {
    let n_urls = report.query.urls.len();
    // The rows of each crawler, and those of each that differ, as far as they are shown.
    let (mut each, mut n_each) = (Vec::new(), 0);
    let (mut blocks, mut n_blocks, mut left_out) = (Vec::<Block<'_>>::new(), 0, 0);
    for agents in report.query.agents.chunks(AT_ONCE) {
        // Those of an agent do not stand together if several dialects are asked.
        let mut by_agent = vec![Vec::new(); agents.len()];
        for (n, row) in report.answers(agents).enumerate() {
            let decision = row.evidence.decision;
            by_agent[n / n_urls % agents.len()].push((decision.verdict, decision.rule_line));
        }
        for (agent, cells) in agents.iter().zip(by_agent) {
            let block = Block {
                agents: vec![agent],
                rows: rows_of(report, &cells, painter),
            };
            let n_rows = block.rows.len();
            n_each += n_rows;
            if n_each <= most {
                each.extend(block.lines());
            }
            if let Some(equal) = blocks.iter_mut().find(|known| known.rows == block.rows) {
                equal.agents.push(agent);
            } else if left_out == 0 && n_blocks + n_rows <= most {
                n_blocks += n_rows;
                blocks.push(block);
            } else {
                left_out += 1;
            }
        }
    }
    let is_summarized = n_each > most;
    if is_summarized {
        each = blocks.iter().flat_map(Block::lines).collect();
    }
    json!({"rows": each, "left_out": left_out, "is_summarized": is_summarized})
}

/// Returns the rows of one crawler: one, or as many as there are different answers of dialects.
fn rows_of(report: &CheckReport<'_>, cells: &[Cell], painter: Painter) -> Vec<String> {
    let n_dialects = report.dialects.len();
    // Those that differ in verdicts, each with the dialects that give them.
    let mut kinds: Vec<(&[Cell], Vec<Cow<'_, str>>)> = Vec::new();
    let by_dialect = cells.chunks(report.query.urls.len());
    for ((spec, _), cells) in report.dialects.iter().zip(by_dialect) {
        let verdicts = |cells: &[Cell]| cells.iter().map(|cell| cell.0).collect::<Vec<_>>();
        match kinds
            .iter_mut()
            .find(|(known, _)| verdicts(known) == verdicts(cells))
        {
            Some((_, names)) => names.push(line(&spec.name)),
            None => kinds.push((cells, vec![line(&spec.name)])),
        }
    }
    let n_kinds = kinds.len();
    let rows = kinds.into_iter().map(|(cells, names)| {
        let names = match n_kinds {
            1 => format!("all {n_dialects}"),
            _ => listed(&names, MOST_NAMES),
        };
        let names = (n_dialects > 1).then_some(names);
        let cells = cells.iter().map(|cell| in_text(*cell, painter));
        Vec::from_iter(names.into_iter().chain(cells)).join("\t")
    });
    rows.collect()
}

fn in_text((verdict, rule_line): Cell, painter: Painter) -> String {
    let word = painter.verdict(verdict, verdict.as_str());
    match rule_line {
        Some(line) => format!("{word} {line}"),
        None => word,
    }
}
