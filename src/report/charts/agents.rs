//! Charts of agents: how far they are restricted, which are named together, and where dialects
//! disagree.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{Chart, DatasetTotals, MIN_HOSTS};
use crate::report::{
    bars::{self, Bar, BarGroup, fraction},
    heatmap,
    result::{MissingColumn, ResultRow, ResultSet},
    style::Color,
    words,
};

/// Agents of the heatmap.
const MOST_NAMED: usize = 8;
/// Disagreements that are drawn.
const MOST_DISAGREEMENTS: usize = 12;

/// Returns for each agent how far hosts restrict it, and whether by name.
pub fn restriction(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let mut agents = Vec::new();
    let mut most: Option<(u64, &ResultRow)> = None;
    for row in result.rows() {
        let (agent, whole) = (row.text("agent")?, row.count("domains_read")?);
        let (full, named) = (row.count("domains_full")?, row.count("domains_full_named")?);
        let mut segments = vec![
            (Color::Strong, named),
            (Color::StrongHatched, full - named),
            (Color::Middle, row.count("domains_partial_named")?),
            (
                Color::MiddleHatched,
                row.count("domains_partial_everybody")?,
            ),
        ];
        let restricted: u64 = segments.iter().map(|(_, n)| n).sum();
        segments.push((Color::Faint, whole.saturating_sub(restricted)));
        let bar = Bar::stacked(full, whole, &segments);
        groups.push((full, BarGroup::new(totals.agent(agent), [bar])));
        agents.push(agent);
        if most.is_none_or(|(so_far, _)| full > so_far) {
            most = Some((full, row));
        }
    }
    groups.sort_by_key(|&(full, _)| Reverse(full));
    let groups: Vec<_> = groups.into_iter().map(|(_, group)| group).collect();
    let caption = match most {
        Some((full, row)) => format!(
            "{} is shut out of everything most often, by {}, {} of them by name (the figures of the bars). Partly, some but not all of the paths in the \
             file are closed to it by {}: by a group of its own for {}, by the group of *, which is for agents that no other group names, for {}.{}",
            words::plain(row.text("agent")?),
            words::domains(full, row.count("domains_read")?),
            words::count(row.count("domains_full_named")?),
            words::domains(
                row.count("domains_partial_named")? + row.count("domains_partial_everybody")?,
                row.count("domains_read")?
            ),
            words::count(row.count("domains_partial_named")?),
            words::count(row.count("domains_partial_everybody")?),
            totals.on_unnameable(agents)
        ),
        None => String::new(),
    };
    Ok(Chart {
        caption,
        denominator: totals.hosts_whose_file_was_read(),
        n_hosts: totals.domains_read,
        drawing: bars::draw(
            &[
                (Color::Strong, "shut out, by name"),
                (Color::StrongHatched, "shut out, by the group of *"),
                (Color::Middle, "partly, by name"),
                (Color::MiddleHatched, "partly, by the group of *"),
                (Color::Faint, "not at all"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns for each purpose how many hosts shut its agents out, and whether search engines as well.
pub fn ai_against_search(
    result: &ResultSet,
    totals: &DatasetTotals,
) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let mut caption = String::new();
    for row in result.rows() {
        let (only, both) = (
            row.count("domains_only_these")?,
            row.count("domains_both_shut_out")?,
        );
        let (search, whole) = (
            row.count("domains_only_search")?,
            row.count("domains_read")?,
        );
        let of_hosts = row.count("only_these")? + row.count("both_shut_out")?;
        let category = words::plain(row.text("agent_category")?);
        if caption.is_empty() {
            caption = format!(
                "{} shut out at least one agent of the category {category}, and {} let search engines in. By host, {} shut one out.",
                words::domains(only + both, whole),
                words::domains(only, only + both),
                words::hosts(of_hosts, row.count("hosts_read")?)
            );
        }
        let label = format!("{category} ({} agents)", words::count(row.count("agents")?));
        let segments = [
            (Color::Strong, only),
            (Color::StrongHatched, both),
            (Color::MiddleHatched, search),
            (Color::Faint, whole.saturating_sub(only + both + search)),
        ];
        let bar = Bar::stacked(only + both, whole, &segments);
        groups.push(BarGroup::new(label, [bar]));
    }
    Ok(Chart {
        caption,
        denominator: totals.hosts_whose_file_was_read(),
        n_hosts: totals.domains_read,
        drawing: bars::draw(
            &[
                (Color::Strong, "these shut out, search let in"),
                (Color::StrongHatched, "both shut out"),
                (Color::MiddleHatched, "only search shut out"),
                (Color::Faint, "neither"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns how often registered domains that name one agent name another one too.
pub fn named_together(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut naming: BTreeMap<&str, u64> = BTreeMap::new();
    let mut naming_both: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for row in result.rows() {
        let (agent, other) = (row.text("agent")?, row.text("other_agent")?);
        let both = row.count("domains_naming_both")?;
        naming.insert(agent, both + row.count("domains_naming_only_the_first")?);
        naming_both.insert((agent, other), both);
    }
    let mut agents: Vec<_> = naming.into_iter().collect();
    agents.sort_by_key(|&(agent, domains)| (Reverse(domains), agent));
    agents.truncate(MOST_NAMED);
    let [(first, of_first), (second, _), ..] = agents[..] else {
        return Ok(Chart {
            denominator: totals.hosts_whose_file_was_read(),
            ..Chart::default()
        });
    };
    let rows = agents.iter().map(|&(agent, domains)| {
        let share = |other| Some(fraction(*naming_both.get(&(agent, other))?, domains));
        let shares = agents.iter().map(|&(other, _)| share(other)).collect();
        heatmap::Row {
            name: agent,
            n: domains,
            shares: (domains >= MIN_HOSTS).then_some(shares),
        }
    });
    let rows: Vec<_> = rows.collect();
    Ok(Chart {
        caption: format!(
            "Of the {} registered domains that name {}, {} name {} as well. Each number is the share, in percent, of those naming the agent of the row that also name \
             the agent of the column; columns have the numbers of the rows.",
            words::count(of_first),
            words::plain(first),
            words::share(
                naming_both.get(&(first, second)).copied().unwrap_or(0),
                of_first
            ),
            words::plain(second)
        ),
        denominator: "n = registered domains that name the agent of the row".to_owned(),
        n_hosts: of_first,
        drawing: Some(heatmap::draw(&rows)),
        ..Chart::default()
    })
}

/// Returns where the second dialect of the run decides otherwise than the reference dialect.
pub fn disagreements(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let others = &totals.on_other_dialects;
    let mut caption = format!(
        "{} and {} give the same verdict for every agent and URL of the matrix, on every host.{others}",
        totals.reference_dialect, totals.candidate_dialect
    );
    let mut groups = Vec::new();
    let mut most = 0;
    for row in result.rows().iter().take(MOST_DISAGREEMENTS) {
        let domains = row.count("domains")?;
        let (from, to) = (row.text("base_verdict")?, row.text("verdict")?);
        let (from_basis, to_basis) = (row.text("base_basis")?, row.text("basis")?);
        if groups.is_empty() {
            let dialect = words::plain(row.text("dialect")?);
            caption = format!(
                "Most often {} says {from} and {dialect} says {to}: on {} and {}, in {} verdicts, where the first decides by {from_basis} and the second by \
                 {to_basis}. The bars are registered domains.{others}",
                totals.reference_dialect,
                words::domains(domains, totals.domains),
                words::hosts(row.count("hosts")?, totals.hosts),
                words::count(row.count("cells")?),
            );
        }
        let label = format!(
            "{from}, {} \u{2192} {to}, {}",
            short(from_basis),
            short(to_basis)
        );
        let color = match to {
            "disallow" => Color::Strong,
            _ => Color::Middle,
        };
        groups.push(BarGroup::new(
            label,
            [Bar::new(domains, totals.domains, color)],
        ));
        most = most.max(domains);
    }
    Ok(Chart {
        caption,
        denominator: totals.hosts_asked(),
        n_hosts: most,
        drawing: bars::draw(
            &[
                (Color::Strong, "the second dialect says disallow"),
                (Color::Middle, "it says allow or undefined"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns a basis as a label abbreviates it.
fn short(basis: &str) -> &str {
    match basis {
        "no_rule_matched" => "no rule",
        "no_group" => "no group",
        other => other,
    }
}
