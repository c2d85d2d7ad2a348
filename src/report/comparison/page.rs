//! The sections of the page of a comparison.

use minijinja::context;

use super::{CAUSES, Compared, DIRECTIONS, case::case};
use crate::{
    compare::found::{Direction, Stance},
    report::{
        PageQuery,
        chart::{Chart, Shape, Totals},
        dataset::figures,
        result::{NoChart, ResultSet},
        template::{self, document, html},
        words,
    },
};

/// Causes that are shown with their case; the chart and its figures have all of them.
const MAX_CASES: usize = 40;
/// Characters of a URL or a host name.
const MAX_CHARS: usize = 100;

/// Returns the page.
pub fn page(
    title: Option<&str>,
    compared: &Compared,
    results: &[ResultSet],
) -> Result<String, NoChart> {
    let [directions, causes, affected, faults, slowest] = results else {
        unreachable!("a result for each query");
    };
    let (sides, totals) = (compared.sides(), &compared.comparison["totals"]);
    let title = match title {
        Some(title) => words::plain(title),
        None => format!("{} and {}", sides[0].name, sides[1].name),
    };
    let mut shown = Vec::new();
    for row in causes.rows().iter().take(MAX_CASES) {
        let of_cause = |name: &str| row.count(name).ok();
        shown.push(context! {
            row => template::row(row),
            directions => counted(&Direction::ALL.map(Direction::as_str), of_cause),
            stances => counted(&Stance::ALL.map(Stance::as_str), of_cause),
            case => case(&sides, row)?,
        });
    }
    let of_all = |name: &str| totals["stances"][name].as_u64();
    let table = |result: &ResultSet| {
        let result = Some(result).filter(|result| !result.rows().is_empty());
        result.map(figures::table).transpose()
    };
    let facts = context! {
        title,
        totals,
        sides,
        stances => counted(&Stance::ALL.map(Stance::as_str), of_all),
        chart_of_directions => drawing(DIRECTIONS, "Flips by direction", directions)?,
        chart_of_causes => drawing(CAUSES, "Hosts by cause", causes)?,
        causes => shown,
        n_causes => causes.rows().len(),
        affected => template::rows(affected),
        table_of_causes => table(causes)?,
        table_of_faults => table(faults)?,
        table_of_slowest => table(slowest)?,
        most_chars => MAX_CHARS,
        version => env!("CARGO_PKG_VERSION"),
    };
    let body = html(include_str!("../templates/comparison.html.j2"), facts)?;
    document(&title, "", &body)
}

/// Returns the chart of the rows of a query, an element of SVG; `None` if it is empty.
fn drawing(query: PageQuery, title: &str, result: &ResultSet) -> Result<Option<String>, NoChart> {
    let shape = Shape::of_query(query.sql)?;
    let chart = Chart::new(&shape, title, &[], result, &Totals::default())?;
    Ok((!chart.is_empty()).then(|| chart.element()))
}

/// Returns counts with their names in words; those that are 0 or not known are absent.
fn counted(names: &[&str], count: impl Fn(&str) -> Option<u64>) -> String {
    let counts = names.iter().map(|name| (count(name).unwrap_or(0), name));
    let counts = counts.filter(|(n, _)| *n > 0);
    let counts = counts.map(|(n, name)| format!("{} {}", words::count(n), name.replace('_', " ")));
    Vec::from_iter(counts).join(", ")
}
