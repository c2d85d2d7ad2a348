//! The summary of a run as text for people.

use std::cmp::Reverse;

use indicatif::HumanCount;
use robocensus::{
    Summary,
    dataset::summary::{PageRobotsCounts, Redirects},
};
use serde_json::json;

use super::{
    dataset_notes,
    layout::{listed, sections},
    template::rendered,
};

/// Agents of a dialect that a note names; `--summary-json` has them all.
const MOST_AGENTS: usize = 10;
/// Codes of findings that are shown; `--summary-json` has them all.
const TOP_ERRORS: usize = 10;
/// Archives that a message names.
const MOST_ARCHIVES: usize = 3;

/// The sections of the summary, each with a title and rows.
const SUMMARY: &str = include_str!("templates/summary.txt.j2");
const REDIRECTS: &str = include_str!("templates/redirects.txt.j2");
const HOSTS: &str = include_str!("templates/hosts.txt.j2");
const PAGE_ROBOTS: &str = include_str!("templates/page-robots.txt.j2");
/// The archives that were damaged or skipped.
const INCOMPLETE: &str = include_str!("templates/incomplete.txt.j2");

/// Returns the summary of a run over archives into the folder `out`.
pub fn render(summary: &Summary, out: &str) -> String {
    let mut facts = summary.to_json();
    facts["out"] = out.into();
    facts["choice"] = json!(summary.choice.as_deref().map(dataset_notes::on_choice));
    let redirects = summary.redirects.as_ref().map(redirects);
    facts["redirects"] = redirects.unwrap_or_default().into();
    let page_robots = summary.page_robots.as_ref().map(page_robots);
    facts["page_robots"] = page_robots.unwrap_or_default().into();
    let counts = &summary.counts;
    let mut errors: Vec<_> = counts
        .errors
        .iter()
        .chain(&counts.response_errors)
        .collect();
    errors.sort_by_key(|&(code, n)| (Reverse(*n), *code));
    facts["n_codes"] = errors.len().into();
    errors.truncate(TOP_ERRORS);
    facts["top_errors"] = json!(errors);
    facts["categories"] = json!(summary.categories);
    let unnamable = summary.unnamable.iter().map(|unnamable| {
        json!({"dialect": unnamable.dialect, "agents": listed(&unnamable.agents, MOST_AGENTS)})
    });
    facts["unnamable"] = unnamable.collect();
    let kinds = ["archives", "redirects", "hosts", "window"];
    facts["notes"] = dataset_notes::notes(&summary.dataset, &kinds).into();
    sections(&rendered(SUMMARY, facts))
}

/// Returns the archives that were damaged or skipped, one line each.
pub fn render_incomplete(summary: &Summary) -> String {
    let unnamed = summary.n_incomplete() - summary.incomplete.len() as u64;
    let facts = json!({"incomplete": summary.incomplete, "unnamed": unnamed});
    rendered(INCOMPLETE, facts)
}

/// Returns a sentence on archives that the dataset holds already; `None` if there are none.
pub fn left_out(summary: &Summary) -> Option<String> {
    let named = summary.left_out.iter().take(MOST_ARCHIVES);
    let named: Vec<_> = named.map(String::as_str).collect();
    let more = match summary.archives_left_out.saturating_sub(named.len() as u64) {
        0 => String::new(),
        n => format!(" and {} more", HumanCount(n)),
    };
    (!named.is_empty()).then(|| {
        format!(
            "archives of the same name and size that the dataset holds already were not read: {}{more}",
            named.join(", ")
        )
    })
}

/// Returns how the redirects of a dataset end, and how many hosts it has.
pub fn render_redirects(found: &Redirects) -> String {
    let mut text = redirects(found);
    if text.is_empty() && !found.outcomes.is_empty() {
        text.push_str("No redirects in the dataset\n\n");
    }
    if let Some(hosts) = &found.hosts {
        let facts = json!({
            "crawl": hosts.crawl,
            "origins": hosts.origins,
            "asked": hosts.asked,
            "read": hosts.read,
            "domains": hosts.domains,
        });
        text.push_str(&rendered(HOSTS, facts));
    }
    sections(&text)
}

/// Returns what robots.txt states about the pages of a dataset.
pub fn render_page_robots(counts: &PageRobotsCounts) -> String {
    sections(&page_robots(counts))
}

/// Returns the section on redirects; nothing if there are none.
fn redirects(found: &Redirects) -> String {
    let ends = found.outcomes.iter().filter(|(_, n)| **n > 0);
    let mut ends: Vec<_> = ends.collect();
    ends.sort_by_key(|(outcome, _)| **outcome != "resolved");
    let facts = json!({
        "dialect": found.dialect,
        "max_hops": found.max_hops,
        "ends": ends,
        "total": found.outcomes.values().sum::<u64>(),
    });
    rendered(REDIRECTS, facts)
}

fn page_robots(counts: &PageRobotsCounts) -> String {
    let total: u64 = counts.verdicts.values().sum();
    rendered(PAGE_ROBOTS, json!({ "counts": counts, "total": total }))
}
