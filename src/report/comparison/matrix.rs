//! The page of several comparisons with one baseline: a row for each candidate, a column for each
//! change of answers by which they differ from it.
//!
//! Rows are sorted by the style sheet, since pages run no scripts: each row has its rank by each
//! column, and a radio button in the head of a column chooses which of them is the order.

use std::{cmp::Reverse, collections::BTreeMap};

use minijinja::context;
use serde_json::Value;

use super::{Compared, Side, case::case};
use crate::report::{
    result::{NoChart, ResultRow, ResultSet},
    template::{self, document, html},
    words,
};

/// The style sheet of the matrix, after that of all pages.
const CSS: &str = include_str!("../templates/matrix.css");
/// Changes that have a column.
const MAX_CHANGES: usize = 16;
/// The column by which rows are sorted at first, the agreement.
const SORTED_BY: usize = 1;
/// Characters of the name of a change, and of a parser.
const MAX_CHARS: usize = 40;

/// A row of the matrix.
struct Candidate<'a> {
    sides: [Side; 3],
    totals: &'a Value,
    /// Milliseconds of its processes; none of a dialect, or where the system does not tell.
    cpu: Option<f64>,
    changes: &'a ResultSet,
}

impl Candidate<'_> {
    fn name(&self) -> String {
        words::label(&self.sides[1].name, MAX_CHARS)
    }

    fn count(&self, name: &str) -> u64 {
        self.totals[name].as_u64().unwrap_or_default()
    }

    /// Returns the part of the cells that flips.
    fn flipping(&self) -> f64 {
        self.count("flips") as f64 / self.count("cells").max(1) as f64
    }

    /// Returns the row of a change, if a verdict flips by it.
    fn change(&self, name: &str) -> Option<&ResultRow> {
        let mut rows = self.changes.rows().iter();
        rows.find(|row| row.text("change").is_ok_and(|change| change == name))
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
            totals: &one.comparison["totals"],
            cpu: one.comparison["usage"][1]["cpu_milliseconds"].as_f64(),
            changes: &results[0],
        })
        .collect();
    // Equal ranks leave rows in this order.
    candidates.sort_by_cached_key(|one| one.count("parser_faults"));
    candidates.sort_by(|one, other| one.flipping().total_cmp(&other.flipping()));
    let candidates = &candidates[..];
    let baseline = candidates.first().map_or("", |first| &first.sides[0].name);
    let title = match title {
        Some(title) => words::plain(title),
        None => format!("Parsers beside {baseline}"),
    };
    let changes = changes(candidates)?;
    let shown = &changes[..changes.len().min(MAX_CHANGES)];
    let columns = columns(candidates, shown);
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
    let rows = candidates.iter().enumerate();
    let rows = rows.map(|(index, candidate)| row(index, candidate, shown, &columns));
    let facts = context! {
        title,
        baseline,
        files => asked("files", candidates),
        n_hosts => asked("hosts", candidates),
        columns => columns.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        sorted_by => SORTED_BY,
        candidates => rows.collect::<Result<Vec<_>, _>>()?,
        n_left_out => changes.len() - shown.len(),
        most_chars => MAX_CHARS,
        version => env!("CARGO_PKG_VERSION"),
    };
    let body = html(include_str!("../templates/matrix.html.j2"), facts)?;
    document(&title, &css, &body)
}

/// Returns how many files or hosts the candidates were asked about.
fn asked(name: &str, candidates: &[Candidate<'_>]) -> String {
    let counts = || candidates.iter().map(|one| one.count(name));
    let both = [counts().min(), counts().max()].map(Option::unwrap_or_default);
    let mut both = both.map(words::count).to_vec();
    both.dedup();
    both.join(" to ")
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

/// Returns the columns by which rows can be sorted, with a key for each row; that of the first row
/// is the least.
fn columns<'c>(candidates: &[Candidate<'_>], changes: &'c [String]) -> Vec<(&'c str, Vec<f64>)> {
    let mut names: Vec<_> = candidates.iter().map(Candidate::name).collect();
    names.sort_unstable();
    let of = |key: &dyn Fn(&Candidate<'_>) -> f64| candidates.iter().map(key).collect::<Vec<_>>();
    let place = |one: &Candidate<'_>| names.partition_point(|name| *name < one.name()) as f64;
    let most_first = |count: &str| of(&|one| -(one.count(count) as f64));
    let mut columns = vec![
        ("parser", of(&place)),
        ("agreement", of(&|one| one.flipping())),
        ("hosts that flip", most_first("flipping_hosts")),
        ("cells not answered", most_first("unanswered")),
        ("faults", most_first("parser_faults")),
        ("CPU time", of(&|one| one.cpu.unwrap_or(f64::MAX))),
    ];
    for name in changes {
        let n_hosts = |one: &Candidate<'_>| one.change(name)?.count("flipping_hosts").ok();
        let keys = of(&|one| -(n_hosts(one).unwrap_or(0) as f64));
        columns.push((name, keys));
    }
    columns
}

/// Returns the row of a candidate, with what its cells open.
fn row(
    index: usize,
    candidate: &Candidate<'_>,
    changes: &[String],
    columns: &[(&str, Vec<f64>)],
) -> Result<minijinja::Value, NoChart> {
    let mut cells = Vec::new();
    for (number, name) in changes.iter().enumerate() {
        let Some(row) = candidate.change(name) else {
            cells.push(None);
            continue;
        };
        let share = row.count("flipping_hosts")? as f64 / candidate.count("hosts").max(1) as f64;
        cells.push(Some(context! {
            id => format!("case-{index}-{number}"),
            row => template::row(row),
            // The darker the more hosts it affects.
            heat => (share.sqrt() * 4.0).ceil() as u64,
            case => case(&candidate.sides, row)?,
        }));
    }
    // The number of rows before it, and one for the head.
    let rank = |keys: &[f64]| 1 + keys.iter().filter(|key| **key < keys[index]).count();
    let ranks = columns.iter().enumerate();
    let ranks = ranks.map(|(at, (_, keys))| format!("--{at}:{};", rank(keys)));
    let seconds = |milliseconds| format!("{:.1}\u{a0}s", milliseconds / 1e3);
    Ok(context! {
        name => candidate.name(),
        totals => candidate.totals,
        ranks => ranks.collect::<String>(),
        agreeing => candidate.count("cells").saturating_sub(candidate.count("flips")),
        cpu => candidate.cpu.map(seconds).unwrap_or_default(),
        cells,
    })
}
