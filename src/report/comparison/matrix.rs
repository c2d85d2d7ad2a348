//! The page of several comparisons with one baseline: a row for each candidate, a column for each
//! change of answers by which they differ from it.
//!
//! Rows are sorted by the style sheet, since pages run no scripts: each row has its rank by each
//! column, and a radio button in the head of a column chooses which of them is the order.

use std::{cmp::Reverse, collections::BTreeMap};

use maud::{Markup, html};

use super::{Compared, Side, Totals, case::case};
use crate::report::{
    dataset::page::document,
    result::{NoChart, ResultRow, ResultSet},
    words,
};

/// The style sheet of the matrix, after that of all pages.
const CSS: &str = include_str!("matrix.css");
/// Changes that have a column.
const MAX_CHANGES: usize = 16;
/// The column by which rows are sorted at first, the agreement.
const SORTED_BY: usize = 1;
/// Characters of the name of a change, and of a parser.
const MAX_CHARS: usize = 40;

/// A row of the matrix.
struct Candidate<'a> {
    sides: [Side; 3],
    totals: Totals<'a>,
    /// Milliseconds of its processes; none of a dialect, or where the system does not tell.
    cpu: Option<f64>,
    changes: &'a ResultSet,
}

impl Candidate<'_> {
    fn name(&self) -> String {
        words::label(&self.sides[1].name, MAX_CHARS)
    }

    fn count(&self, name: &str) -> f64 {
        self.totals.count(name) as f64
    }

    /// Returns the part of the cells that flips.
    fn flipping(&self) -> f64 {
        self.count("flips") / self.count("cells").max(1.0)
    }

    /// Returns the row of a change, if a verdict flips by it.
    fn change(&self, name: &str) -> Option<&ResultRow> {
        let mut rows = self.changes.rows().iter();
        rows.find(|row| row.text("change").is_ok_and(|change| change == name))
    }
}

/// A column by which rows can be sorted.
struct Column {
    name: String,
    /// For each row the number of rows before it, and one for the head.
    ranks: Vec<usize>,
}

impl Column {
    /// Returns a column in which the row of the least key is first.
    fn new(name: &str, keys: Vec<f64>) -> Self {
        let rank = |key: &f64| 1 + keys.iter().filter(|other| *other < key).count();
        Self {
            name: name.to_owned(),
            ranks: keys.iter().map(rank).collect(),
        }
    }
}

/// Returns the page.
pub fn page(
    title: Option<&str>,
    compared: &[Compared],
    results: &[Vec<ResultSet>],
) -> Result<String, NoChart> {
    let mut candidates: Vec<_> = (compared.iter().zip(results))
        .map(|(one, results)| Candidate {
            sides: one.sides(),
            totals: one.totals(),
            cpu: one.comparison["usage"][1]["cpu_milliseconds"].as_f64(),
            changes: &results[0],
        })
        .collect();
    // Equal ranks leave rows in this order.
    candidates.sort_by_cached_key(|one| one.totals.count("parser_faults"));
    candidates.sort_by(|one, other| one.flipping().total_cmp(&other.flipping()));
    let candidates = &candidates[..];
    let baseline = candidates.first().map_or("", |first| &first.sides[0].name);
    let title = match title {
        Some(title) => words::plain(title),
        None => format!("Parsers beside {baseline}"),
    };
    let changes = changes(candidates)?;
    let shown = &changes[..changes.len().min(MAX_CHANGES)];
    let columns = columns(candidates, shown)?;
    let mut css = CSS.to_owned();
    let n = columns.len() - 1;
    css.push_str(&format!(
        ".matrix{{grid-template-columns:minmax(0,min(14rem,36vw)) repeat({n},auto)}}\n"
    ));
    for index in 0..columns.len() {
        css.push_str(&format!(
            ".matrix:has(#by-{index}:checked) tbody tr>*{{order:var(--{index})}}\n"
        ));
    }
    let mut cases = Vec::new();
    let table = matrix(candidates, shown, &columns, &mut cases)?;
    let body = html! {
        header {
            h1 { (title) }
            p.lead { (lead(baseline, candidates)) }
            p {
                "A cell, a capture with an agent and a URL, flips where the verdict of the parser is not that of " (baseline) "; agreement is the share that does not. CPU time is of the parser, for all that it was asked, also to make examples small. "
                "A change is an answer, as in " code { "robocensus dialects" } ", by which the parser differs; " code { "unexplained" } " has what no answer explains. "
                "A figure of a change is of hosts with a flip of which it is a part, above their share of the cells. It opens the smallest file that shows it."
            }
        }
        main {
            section {
                h2 { "Which parser differs, by what, and on how many hosts?" }
                p.small { "The head of a column sorts by it." }
                div.scroll tabindex="0" role="region" aria-label="Matrix" { (table) }
                @if changes.len() > shown.len() {
                    p.small { "The changes of fewest hosts, " (words::count((changes.len() - shown.len()) as u64)) ", are on the pages of single comparisons alone." }
                }
            }
            @for case in &cases { (case) }
        }
        footer { p.small { "Page of robocensus " (env!("CARGO_PKG_VERSION")) ". A verdict is what a parser says, not what a crawler does." } }
    };
    Ok(document(&title, &css, &body).into_string())
}

/// Returns the sentence that opens the page.
fn lead(baseline: &str, candidates: &[Candidate<'_>]) -> String {
    let asked = |name| {
        let counts = || candidates.iter().map(|one| one.totals.count(name));
        let both = [counts().min(), counts().max()].map(Option::unwrap_or_default);
        let mut both = both.map(words::count).to_vec();
        both.dedup();
        both.join(" to ")
    };
    format!(
        "{} parsers, each asked what {baseline} was asked about {} distinct files of {} hosts.",
        words::count(candidates.len() as u64),
        asked("files"),
        asked("hosts"),
    )
}

/// Returns the names of the changes, the one of most hosts over all candidates first.
fn changes(candidates: &[Candidate<'_>]) -> Result<Vec<String>, NoChart> {
    let mut n_hosts: BTreeMap<&str, u64> = BTreeMap::new();
    for row in candidates.iter().flat_map(|one| one.changes.rows()) {
        *n_hosts.entry(row.text("change")?).or_default() += row.count("flipping_hosts")?;
    }
    let mut changes: Vec<_> = n_hosts.into_iter().collect();
    changes.sort_by_key(|(_, hosts)| Reverse(*hosts));
    Ok(changes.iter().map(|(name, _)| (*name).to_owned()).collect())
}

fn columns(candidates: &[Candidate<'_>], changes: &[String]) -> Result<Vec<Column>, NoChart> {
    let mut names: Vec<_> = candidates.iter().map(Candidate::name).collect();
    names.sort_unstable();
    let of = |key: &dyn Fn(&Candidate<'_>) -> f64| candidates.iter().map(key).collect::<Vec<_>>();
    let place = |one: &Candidate<'_>| names.partition_point(|name| *name < one.name()) as f64;
    let mut columns = vec![
        Column::new("parser", of(&place)),
        Column::new("agreement", of(&|one| one.flipping())),
        Column::new("hosts that flip", of(&|one| -one.count("flipping_hosts"))),
        Column::new("cells not answered", of(&|one| -one.count("unanswered"))),
        Column::new("faults", of(&|one| -one.count("parser_faults"))),
        Column::new("CPU time", of(&|one| one.cpu.unwrap_or(f64::MAX))),
    ];
    for name in changes {
        let mut keys = Vec::new();
        for candidate in candidates {
            let row = candidate.change(name);
            let hosts = row.map(|row| row.count("flipping_hosts")).transpose()?;
            keys.push(-(hosts.unwrap_or_default() as f64));
        }
        columns.push(Column::new(name, keys));
    }
    Ok(columns)
}

/// Returns the table, and appends the cases that its cells open.
fn matrix(
    candidates: &[Candidate<'_>],
    changes: &[String],
    columns: &[Column],
    cases: &mut Vec<Markup>,
) -> Result<Markup, NoChart> {
    let mut rows = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let mut cells = Vec::new();
        for (number, name) in changes.iter().enumerate() {
            let Some(row) = candidate.change(name) else {
                cells.push(html! { td {} });
                continue;
            };
            let id = format!("case-{index}-{number}");
            cells.push(cell(candidate, row, &id)?);
            cases.push(opened(candidate, row, &id)?);
        }
        let ranks = columns.iter().enumerate();
        let ranks = ranks.map(|(at, column)| format!("--{at}:{};", column.ranks[index]));
        let count = |name| candidate.totals.count(name);
        let agreeing = count("cells").saturating_sub(count("flips"));
        rows.push(html! {
            tr style=(ranks.collect::<String>()) {
                th scope="row" { (candidate.name()) }
                td.number { (words::share(agreeing, count("cells"))) }
                td.number { (words::count(count("flipping_hosts"))) br; span.small { (words::share(count("flipping_hosts"), count("hosts"))) } }
                td.number { (words::count(count("unanswered"))) }
                td.number { (words::count(count("parser_faults"))) }
                td.number { @if let Some(milliseconds) = candidate.cpu { (format!("{:.1}\u{a0}s", milliseconds / 1e3)) } }
                @for cell in &cells { (cell) }
            }
        });
    }
    Ok(html! {
        table.matrix {
            thead {
                tr {
                    @for (at, column) in columns.iter().enumerate() {
                        th scope="col" {
                            label { input #(format!("by-{at}")) type="radio" name="by" checked[at == SORTED_BY]; span { (words::label(&column.name, MAX_CHARS)) } }
                        }
                    }
                }
            }
            tbody { @for row in &rows { (row) } }
        }
    })
}

/// Returns the cell of a change, the darker the more hosts it affects.
fn cell(candidate: &Candidate<'_>, row: &ResultRow, id: &str) -> Result<Markup, NoChart> {
    let (hosts, cells) = (row.count("flipping_hosts")?, row.count("flipping_cells")?);
    let share = hosts as f64 / candidate.count("hosts").max(1.0);
    let heat = (share.sqrt() * 4.0).ceil();
    Ok(html! {
        td class=(format!("number heat-{heat}")) {
            button type="button" popovertarget=(id) { (words::count(hosts)) }
            br; span.small { (words::share(cells, candidate.totals.count("cells"))) }
        }
    })
}

/// Returns what a cell opens: its figures and its smallest file.
fn opened(candidate: &Candidate<'_>, row: &ResultRow, id: &str) -> Result<Markup, NoChart> {
    let n_causes = row.count("n_causes")?;
    Ok(html! {
        div id=(id) popover {
            h2 { (candidate.name()) ": " (words::label(row.text("change")?, MAX_CHARS)) }
            p.caption {
                (words::count(row.count("flipping_cells")?)) " flips on " (words::hosts(row.count("flipping_hosts")?, candidate.totals.count("hosts")))
                @if n_causes > 1 { ", of " (words::count(n_causes)) " causes" }
                ". The case is of the cause " code { (row.plain("changes")?) } "."
            }
            (case(&candidate.sides, row)?)
        }
    })
}
