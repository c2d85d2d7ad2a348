//! The sections of the page of a comparison.

use maud::{Markup, PreEscaped, html};

use super::{CAUSES, Compared, DIRECTIONS, Side, Totals, case::case};
use crate::{
    compare::found::{Direction, Stance},
    report::{
        PageQuery,
        chart::{self, Chart, Shape},
        dataset::{figures, page::document},
        result::{NoChart, ResultRow, ResultSet},
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
    let (parsers, totals) = (compared.sides(), compared.totals());
    let title = match title {
        Some(title) => words::plain(title),
        None => format!("{} and {}", parsers[0].name, parsers[1].name),
    };
    let rows = causes.rows();
    let shown = &rows[..rows.len().min(MAX_CASES)];
    let body = html! {
        header {
            h1 { (title) }
            p.lead { (lead(totals)) }
            (sides(&parsers))
            p {
                "A flip is one cell, a capture with an agent and a URL, on which the verdicts of the two differ. A cause is the change of answers, as in "
                code { "robocensus dialects" } ", that turns the verdict of the baseline into that of the candidate; what no change explains is told apart by "
                "its smallest case. A case is smallest where no line and no byte of it can go without the flip."
            }
        }
        main {
            section #directions { (flips_by_direction(totals, directions)?) }
            section #causes { (flips_by_cause(totals, causes)?) }
            @for row in shown { (cause(&parsers, totals, row, affected)?) }
            @if rows.len() > shown.len() {
                p.small { "The cases of " (words::count((rows.len() - shown.len()) as u64)) " smaller causes are in the folder cases/ of the comparison." }
            }
            section #faults {
                h2 { "On which files did a parser fail?" }
                @if faults.rows().is_empty() { p.caption { "On none." } } @else {
                    p.caption { "Such a file has no verdict of that side; without one of the baseline or the candidate it cannot flip." }
                    (figures::table(faults))
                }
            }
            section #slowest {
                h2 { "Which files take longest?" }
                @if slowest.rows().is_empty() { p.caption { "Only external parsers are timed." } } @else { (figures::table(slowest)) }
            }
        }
        footer { p.small { "Page of robocensus " (env!("CARGO_PKG_VERSION")) ". A verdict is what a parser says, not what a crawler does." } }
    };
    Ok(document(&title, "", &body).into_string())
}

/// Returns the sentence that opens the page.
fn lead(totals: Totals<'_>) -> String {
    let count = |name| totals.count(name);
    let hosts = words::hosts(count("flipping_hosts"), count("hosts"));
    let share = words::share(count("flips"), count("cells"));
    let names = ["flips", "cells", "flipping_files", "files"];
    let [flips, cells, flipping, files] = names.map(|name| words::count(count(name)));
    format!(
        "{flips} of {cells} verdicts flip ({share}), on {hosts}, in {flipping} of {files} distinct files."
    )
}

fn sides(parsers: &[Side; 3]) -> Markup {
    html! {
        dl.glossary {
            @for side in parsers.iter().filter(|side| !side.name.is_empty()) {
                dt { (side.role) } dd { (side.name) " " code { (words::label(&side.definition, MAX_CHARS)) } }
            }
        }
    }
}

fn flips_by_direction(totals: Totals<'_>, directions: &ResultSet) -> Result<Markup, NoChart> {
    let count = |name| totals.count(name);
    let of_all = |name: &str| totals.0["stances"][name].as_u64();
    let stances = counted(&Stance::ALL.map(Stance::as_str), of_all);
    Ok(html! {
        h2 { "In which direction do verdicts flip?" }
        (chart(DIRECTIONS, "Flips by direction", directions)?)
        @if !stances.is_empty() { p { "Flips: " (stances) "." } }
        p.denominator {
            "n = " (words::count(count("cells"))) " cells that both sides answered"
            @if count("unstable") > 0 { "; " (words::count(count("unstable"))) " answers changed when they were asked again, and are no flips" }
        }
    })
}

fn flips_by_cause(totals: Totals<'_>, causes: &ResultSet) -> Result<Markup, NoChart> {
    Ok(html! {
        h2 { "Why do they flip, and on how many hosts?" }
        (chart(CAUSES, "Hosts by cause", causes)?)
        @if !causes.rows().is_empty() {
            p.denominator { "n = " (words::count(totals.count("hosts"))) " hosts; a host may have flips of several causes" }
            (figures::table(causes))
        }
    })
}

/// Returns the chart of the rows of a query.
fn chart(query: PageQuery, title: &str, result: &ResultSet) -> Result<Markup, NoChart> {
    let shape = Shape::of_query(query.sql)?;
    let chart = Chart::new(&shape, title, &[], result, &chart::Totals::default())?;
    Ok(html! {
        @if chart.is_empty() { p.caption { "No verdict flips." } } @else { figure { (PreEscaped(chart.element())) } }
    })
}

fn cause(
    parsers: &[Side; 3],
    totals: Totals<'_>,
    row: &ResultRow,
    affected: &ResultSet,
) -> Result<Markup, NoChart> {
    let id = row.text("cause_id")?;
    let of_cause = |name: &str| row.count(name).ok();
    let directions = counted(&Direction::ALL.map(Direction::as_str), of_cause);
    let stances = counted(&Stance::ALL.map(Stance::as_str), of_cause);
    let (mut hosts, mut has_ranks) = (Vec::new(), false);
    for host in affected.rows() {
        has_ranks |= !host.is_null("host_rank")?;
    }
    for host in affected.rows() {
        if host.text("cause_id")? == id {
            hosts.push(host_row(host, has_ranks)?);
        }
    }
    Ok(html! {
        section id=(format!("cause-{id}")) {
            h2 { (row.plain("changes")?) }
            p.caption {
                (words::count(row.count("cells")?)) " flips on " (words::hosts(row.count("hosts")?, totals.count("hosts")))
                ", in " (words::count(row.count("files")?)) " distinct files: " (directions) "."
                @if !stances.is_empty() { " " (stances) "." }
            }
            (case(parsers, row)?)
            @if !hosts.is_empty() {
                table {
                    thead { tr { th { "affected first" } @if has_ranks { th.number { "rank" } } th.number { "flips" } th { "such as" } } }
                    tbody { @for row in &hosts { (row) } }
                }
            }
        }
    })
}

/// Returns counts with their names in words; those that are 0 or not known are absent.
fn counted(names: &[&str], count: impl Fn(&str) -> Option<u64>) -> String {
    let counts = names.iter().map(|name| (count(name).unwrap_or(0), name));
    let counts = counts.filter(|(n, _)| *n > 0);
    let counts = counts.map(|(n, name)| format!("{} {}", words::count(n), in_words(name)));
    Vec::from_iter(counts).join(", ")
}

fn host_row(row: &ResultRow, has_ranks: bool) -> Result<Markup, NoChart> {
    let rank = row.number("host_rank")?;
    let rank = rank.map(|rank| words::count(rank as u64));
    Ok(html! {
        tr {
            td { (words::label(row.text("url_host_name")?, MAX_CHARS)) }
            @if has_ranks { td.number { (rank.unwrap_or_default()) } }
            td.number { (words::count(row.count("flips")?)) }
            td { code { (words::label(row.text("agent")?, MAX_CHARS)) } " " code { (words::label(row.text("url")?, MAX_CHARS)) }
                ": " (in_words(row.text("direction")?)) }
        }
    })
}

fn in_words(direction: &str) -> String {
    words::plain(&direction.replace('_', " "))
}
