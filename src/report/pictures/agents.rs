//! Pictures of agents: who is restricted, who is named with whom, where, and whether dialects
//! agree.

use std::collections::BTreeMap;

use super::{Chart, Shown, Totals};
use crate::report::{
    answer::{Answer, MissingColumn},
    bars::{Bar, Bars, fraction, note, simple},
    grid::Grid,
    ink::Ink,
    words,
};

/// Agents that the square of names has room for.
const GRID: usize = 8;
/// Disagreements that are drawn.
const DISAGREEMENTS: usize = 12;

/// Shows for each agent how far hosts restrict it, and whether by name.
pub fn restriction(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let mut agents = Vec::new();
    for row in answer.rows() {
        let counts = [
            (Ink::Strong, row.count("full_named")?),
            (Ink::StrongHatched, row.count("full_everybody")?),
            (Ink::Middle, row.count("partial_named")?),
            (Ink::MiddleHatched, row.count("partial_everybody")?),
        ];
        let whole = row.count("hosts_read")?;
        let restricted: u64 = counts.iter().map(|(_, n)| n).sum();
        let mut parts: Vec<_> = counts.map(|(ink, n)| (ink, fraction(n, whole))).to_vec();
        parts.push((
            Ink::Faint,
            fraction(whole.saturating_sub(restricted), whole),
        ));
        agents.push(row.text("agent")?);
        bars.push(Bar {
            label: totals.agent(row.text("agent")?),
            note: note(counts[0].1 + counts[1].1, whole),
            parts,
            interval: None,
        });
    }
    let reading = match answer.rows().first() {
        Some(row) => {
            let (named, everybody) = (row.count("full_named")?, row.count("full_everybody")?);
            format!(
                "{} is shut out of everything most often, by {}, {} of them by name (the figures beside the bars); partly means that some but not all \
                 of the paths in the file are closed, with everybody that the group of * says so.{}",
                words::plain(row.text("agent")?),
                words::hosts(named + everybody, row.count("hosts_read")?),
                words::count(named),
                totals.on_unnameable(agents)
            )
        }
        None => String::new(),
    };
    Ok(Shown {
        reading,
        whole: totals.hosts_whose_file_was_read(),
        n_hosts: totals.hosts_read,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "shut out, by name"),
                (Ink::StrongHatched, "shut out, with everybody"),
                (Ink::Middle, "partly, by name"),
                (Ink::MiddleHatched, "partly, with everybody"),
                (Ink::Faint, "not at all"),
            ],
            bars,
        }),
    })
}

/// Shows for each purpose who shuts its agents out, and whether search engines as well.
pub fn ai_against_search(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let mut reading = String::new();
    for row in answer.rows() {
        let (only, both) = (row.count("only_these")?, row.count("both_shut_out")?);
        let whole = row.count("hosts_read")?;
        let category = words::plain(row.text("agent_category")?);
        if reading.is_empty() {
            reading = format!(
                "{} shut out at least one agent of the category {category}, and {} let search engines in.",
                words::hosts(only + both, whole),
                words::hosts(only, only + both)
            );
        }
        let parts = [
            (Ink::Strong, only),
            (Ink::StrongHatched, both),
            (Ink::MiddleHatched, row.count("only_search")?),
            (Ink::Faint, row.count("neither")?),
        ];
        bars.push(Bar {
            label: format!("{category} ({} agents)", words::count(row.count("agents")?)),
            note: note(only + both, whole),
            parts: parts.map(|(ink, n)| (ink, fraction(n, whole))).to_vec(),
            interval: None,
        });
    }
    Ok(Shown {
        reading,
        whole: totals.hosts_whose_file_was_read(),
        n_hosts: totals.hosts_read,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "these shut out, search let in"),
                (Ink::StrongHatched, "both shut out"),
                (Ink::MiddleHatched, "only search shut out"),
                (Ink::Faint, "neither"),
            ],
            bars,
        }),
    })
}

/// Shows how often who names one agent names another one too.
pub fn named_together(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut naming: BTreeMap<&str, u64> = BTreeMap::new();
    let mut both_named: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for row in answer.rows() {
        let (agent, other) = (row.text("agent")?, row.text("other_agent")?);
        let both = row.count("naming_both")?;
        naming.insert(agent, both + row.count("naming_only_the_first")?);
        both_named.insert((agent, other), both);
    }
    let mut agents: Vec<_> = naming.into_iter().collect();
    agents.sort_by_key(|&(agent, hosts)| (std::cmp::Reverse(hosts), agent));
    agents.truncate(GRID);
    let share = |(agent, hosts): (&str, u64), other: &str| {
        let both = both_named.get(&(agent, other))?;
        Some(fraction(*both, hosts))
    };
    let shares = agents
        .iter()
        .map(|&one| agents.iter().map(|(other, _)| share(one, other)).collect());
    let reading = match agents.as_slice() {
        [first, second, ..] => format!(
            "Of the {} hosts that name {}, {} name {} as well. Each number is the share, in percent, of hosts naming the agent of the row that also name \
             the agent of the column; columns have the numbers of the rows.",
            words::count(first.1),
            words::plain(first.0),
            words::share(
                both_named.get(&(first.0, second.0)).copied().unwrap_or(0),
                first.1
            ),
            words::plain(second.0)
        ),
        _ => String::new(),
    };
    let chart = (agents.len() > 1).then(|| {
        Chart::Grid(Grid {
            names: agents
                .iter()
                .map(|(agent, _)| (*agent).to_owned())
                .collect(),
            shares: shares.collect(),
        })
    });
    let whole = agents
        .iter()
        .map(|(agent, hosts)| format!("{} {}", words::count(*hosts), words::plain(agent)));
    Ok(Shown {
        reading,
        whole: match chart {
            Some(_) => format!(
                "n = hosts that name the agent of the row: {}",
                whole.collect::<Vec<_>>().join(", ")
            ),
            None => totals.hosts_whose_file_was_read(),
        },
        n_hosts: agents.first().map_or(0, |&(_, hosts)| hosts),
        notes: Vec::new(),
        chart,
    })
}

/// Shows what dialects answer differently from the reference dialect.
pub fn disagreements(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let mut reading = String::new();
    let others = match totals.n_dialects {
        0..=2 => "",
        _ => {
            " Other dialects of the run are compared by robocensus query with --set candidate=NAME."
        }
    };
    let mut most = 0;
    for row in answer.rows().iter().take(DISAGREEMENTS) {
        let hosts = row.count("hosts")?;
        most = most.max(hosts);
        let dialect = words::plain(row.text("dialect")?);
        let (from, to) = (row.text("base_verdict")?, row.text("verdict")?);
        if reading.is_empty() {
            reading = format!(
                "Most often {} says {from} and {dialect} says {to}: in {} answers, on {}, where the first decides by {} and the second by {}. \
                 The bars are hosts; those of most answers stand first.{others}",
                totals.reference_dialect,
                words::count(row.count("cells")?),
                words::hosts(hosts, totals.hosts),
                row.text("base_basis")?,
                row.text("basis")?
            );
        }
        let (from_basis, to_basis) = (row.text("base_basis")?, row.text("basis")?);
        let label = format!(
            "{from}, {} \u{2192} {to}, {}",
            short(from_basis),
            short(to_basis)
        );
        let ink = match to {
            "disallow" => Ink::Strong,
            _ => Ink::Middle,
        };
        bars.push(simple(label, hosts, totals.hosts, ink));
    }
    if reading.is_empty() {
        reading = format!(
            "{} and {} answer every question of the matrix alike, on every host.{others}",
            totals.reference_dialect, totals.candidate_dialect
        );
    }
    Ok(Shown {
        reading,
        whole: totals.hosts_asked(),
        n_hosts: most,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "the other dialect says disallow"),
                (Ink::Middle, "it says something else"),
            ],
            bars,
        }),
    })
}

/// Returns a basis in as few letters as a label has room for.
fn short(basis: &str) -> &str {
    match basis {
        "no_rule_matched" => "no rule",
        "no_group" => "no group",
        other => other,
    }
}
