//! Decisions about several crawlers or URLs as one table: a row for each crawler, a column for each
//! URL, and further rows where dialects differ.

use std::iter;

use robocensus::Verdict;
use serde_json::{Value, json};

use super::{
    super::{color::Painter, escape::line, layout::listed},
    CheckReport, DialectAnswer,
    text::render_parts,
};

/// The longest table, in lines.
const MOST_LINES: usize = 40;
/// The widest that all URLs may be together to stand above their columns; longer ones have numbers.
const MOST_WIDTH: usize = 60;
/// Names of crawlers, and of dialects, of one row.
const MOST_NAMES: usize = 3;

/// Crawlers with the same rows.
struct Block {
    agents: Vec<usize>,
    /// A cell for each URL, behind the dialects that give these answers if several are asked.
    rows: Vec<String>,
}

/// The table, and what stands around it.
const TEXT: &str = include_str!("../templates/check/table.txt.j2");

/// Renders the table, and below it the findings on the file.
pub fn render(checked: &CheckReport<'_>, painter: Painter) -> String {
    let query = &checked.query;
    let n_urls = query.urls.len();
    let n_dialects = checked.rows.len() / (query.agents.len() * n_urls);
    let widths = query.urls.iter().map(|url| url.chars().count());
    let is_wide = widths.sum::<usize>() > MOST_WIDTH;
    // Those of the file and of the head.
    let others = 2 + if is_wide { n_urls } else { 0 };
    let mut facts = rows(checked, painter, MOST_LINES - others);
    facts["dialect"] = json!((n_dialects == 1).then_some(&checked.rows[0].spec.name));
    facts["has_numbers"] = is_wide.into();
    render_parts(&[TEXT], checked, painter, facts)
}

/// Returns the rows of all crawlers: at most so many, and crawlers with equal ones together if
/// there are more.
fn rows(checked: &CheckReport<'_>, painter: Painter, most: usize) -> Value {
    // Those of an agent do not stand together if several dialects are asked.
    let mut by_agent = vec![Vec::new(); checked.query.agents.len()];
    for row in &checked.rows {
        by_agent[row.agent].push(row);
    }
    let blocks = by_agent.iter().enumerate().map(|(agent, answers)| Block {
        agents: vec![agent],
        rows: rows_of(answers, checked.query.urls.len(), painter),
    });
    let mut blocks: Vec<Block> = blocks.collect();
    let n_lines = |blocks: &[Block]| blocks.iter().map(|block| block.rows.len()).sum::<usize>();
    let is_summarized = n_lines(&blocks) > most;
    if is_summarized {
        blocks = merged(blocks);
    }
    let mut rows = Vec::new();
    let mut left_out = 0;
    for block in blocks {
        if left_out > 0 || rows.len() + block.rows.len() > most {
            left_out += block.agents.len();
            continue;
        }
        let names = iter::once(names_of(checked, &block.agents)).chain(iter::repeat(String::new()));
        let named = names.zip(block.rows);
        rows.extend(named.map(|(name, row)| format!("{name}\t{row}")));
    }
    json!({"rows": rows, "left_out": left_out, "is_summarized": is_summarized})
}

/// Returns the rows of one crawler: one, or as many as there are different answers of dialects.
fn rows_of(answers: &[&DialectAnswer<'_>], n_urls: usize, painter: Painter) -> Vec<String> {
    let by_dialect = answers.chunks(n_urls);
    let n_dialects = by_dialect.len();
    let mut kinds: Vec<(Vec<Verdict>, Vec<&[&DialectAnswer<'_>]>)> = Vec::new();
    for answers in by_dialect {
        let verdicts: Vec<_> = (answers.iter())
            .map(|row| row.answer.decision.verdict)
            .collect();
        match kinds.iter_mut().find(|(known, _)| *known == verdicts) {
            Some((_, dialects)) => dialects.push(answers),
            None => kinds.push((verdicts, vec![answers])),
        }
    }
    let n_kinds = kinds.len();
    let rows = kinds.into_iter().map(|(_, dialects)| {
        let names = dialects.iter().map(|answers| line(&answers[0].spec.name));
        let names = match n_kinds {
            1 => format!("all {n_dialects}"),
            _ => listed(&names.collect::<Vec<_>>(), MOST_NAMES),
        };
        let names = (n_dialects > 1).then_some(names);
        let cells = dialects[0].iter().map(|row| cell(row, painter));
        Vec::from_iter(names.into_iter().chain(cells)).join("\t")
    });
    rows.collect()
}

fn cell(row: &DialectAnswer<'_>, painter: Painter) -> String {
    let decision = row.answer.decision;
    let word = painter.verdict(decision.verdict, decision.verdict.as_str());
    match decision.rule_line {
        Some(line) => format!("{word} {line}"),
        None => word,
    }
}

/// Joins the blocks with equal rows, in the order of the first of each.
fn merged(blocks: Vec<Block>) -> Vec<Block> {
    let mut merged: Vec<Block> = Vec::new();
    let mut of_rows = std::collections::HashMap::new();
    for block in blocks {
        let at = *of_rows.entry(block.rows.clone()).or_insert(merged.len());
        match merged.get_mut(at) {
            Some(known) => known.agents.extend(block.agents),
            None => merged.push(block),
        }
    }
    merged
}

fn names_of(checked: &CheckReport<'_>, agents: &[usize]) -> String {
    let agents = agents.iter().map(|&agent| &checked.query.agents[agent]);
    let names = agents.map(|agent| line(&agent.chain.join(", then ")).into_owned());
    listed(&names.collect::<Vec<_>>(), MOST_NAMES)
}
