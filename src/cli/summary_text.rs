//! The summary of a run as text for people.

use std::fmt::Write;

use indicatif::{HumanBytes, HumanCount};
use robocensus::{
    Summary,
    archive::{capture::Skip, warc::FaultKind},
    dataset::summary::{
        self, CategoryCounts, Distinct, HostShare, Hosts, PageRobotsCounts, Redirects,
    },
};

use super::{dataset_notes, escape::line};

/// Agents of a dialect that a note names; `--summary-json` has them all.
const MOST_AGENTS: usize = 10;
/// Codes of findings that are shown; `--summary-json` has them all.
const TOP_ERRORS: usize = 10;
/// Archives that a message names.
const MOST_ARCHIVES: usize = 3;

/// Returns the summary of a run over archives into the folder `out`.
pub fn render(summary: &Summary, out: &str) -> String {
    let counts = &summary.counts;
    let mut text = String::new();
    let mut section = |title: &str, rows: Vec<SummaryRow>| append_section(&mut text, title, rows);

    section(
        "Archives",
        vec![
            SummaryRow::new("read", count(counts.archives), ""),
            SummaryRow::new("incomplete", count(counts.archives_incomplete), ""),
            SummaryRow::new(
                "bytes in",
                HumanBytes(counts.bytes_in).to_string(),
                &format!("{} inflated", HumanBytes(counts.bytes_inflated)),
            ),
            SummaryRow::new(
                "bytes skipped",
                HumanBytes(counts.bytes_skipped).to_string(),
                "",
            ),
            SummaryRow::new("records", count(counts.records), &skipped(summary)),
        ],
    );

    let of_captures = |n: u64| share(n, counts.captures);
    let mut rows = vec![
        SummaryRow::new("captures", count(counts.captures), ""),
        SummaryRow::new(
            "host names",
            distinct(&counts.hosts),
            "hops of redirects included",
        ),
    ];
    rows.extend(counts.status.iter().map(|(class, &n)| {
        let name = match *class {
            "none" => "no status".to_owned(),
            class => format!("status {class}"),
        };
        SummaryRow::new(&name, count(n), &of_captures(n))
    }));
    let n_response_errors = counts.n_response_errors();
    rows.push(SummaryRow::new(
        "response errors",
        count(n_response_errors),
        "",
    ));
    section("Captures", rows);

    let mut rows: Vec<_> = counts
        .access
        .iter()
        .map(|(access, &n)| {
            SummaryRow::new(
                access,
                count(n),
                &format!("{}  {}", of_captures(n), meaning(access)),
            )
        })
        .collect();
    rows.sort_by_key(|row| row.name != "conditional");
    section(
        &format!("Access, by the dialect {}", summary.reference_dialect),
        rows,
    );

    if let Some(redirects) = &summary.redirects {
        section(&redirects_title(redirects), redirect_rows(redirects));
    }

    if summary.has_pages {
        section(
            "Pages",
            vec![
                SummaryRow::new("pages", count(counts.pages), ""),
                SummaryRow::new("statements", count(counts.page_statements), ""),
                SummaryRow::new(
                    "with a policy",
                    count(counts.pages_with_policy),
                    &format!(
                        "{}  a statement is about the page as a whole",
                        share(counts.pages_with_policy, counts.pages)
                    ),
                ),
            ],
        );
    }
    if let Some(robots) = &summary.page_robots {
        section(PAGES_TITLE, page_rows(robots));
    }

    let hosts = summary.hosts();
    let mut rows = match hosts {
        Some(hosts) => vec![
            SummaryRow::new(
                "of domains",
                count(hosts.domains_read),
                &format!(
                    "{}  of {} registered domains in the dataset have one, redirects followed",
                    share(hosts.domains_read, hosts.domains),
                    count(hosts.domains)
                ),
            ),
            SummaryRow::new(
                "of hosts",
                count(hosts.read),
                &format!(
                    "{}  of {}; HTML pages are none, as in the table hosts",
                    share(hosts.read, hosts.asked),
                    count(hosts.asked)
                ),
            ),
        ],
        None => vec![SummaryRow::new(
            "of host names",
            distinct(&counts.hosts_read),
            "redirects not followed",
        )],
    };
    rows.extend([
        SummaryRow::new("groups", count(counts.groups), ""),
        SummaryRow::new("user-agent lines", count(counts.agents), ""),
        SummaryRow::new("rules", count(counts.rules), ""),
        SummaryRow::new("other directives", count(counts.directives), ""),
        SummaryRow::new("errors", count(counts.n_errors()), ""),
    ]);
    section("Robots.txt files read", rows);

    let mut errors: Vec<_> = counts
        .errors
        .iter()
        .chain(&counts.response_errors)
        .collect();
    errors.sort_by_key(|&(code, n)| (std::cmp::Reverse(*n), *code));
    let title = match errors.len() {
        n if n > TOP_ERRORS => format!("Errors, the {TOP_ERRORS} most frequent of {n} codes"),
        _ => "Errors, by code".to_owned(),
    };
    section(
        &title,
        errors
            .into_iter()
            .take(TOP_ERRORS)
            .map(|(code, n)| SummaryRow::new(code, count(*n), ""))
            .collect(),
    );

    let by_definition = hosts.and_then(|hosts| {
        let of_hosts = hosts.categories.as_deref()?;
        Some((hosts, hosts.domain_categories.as_deref()?, of_hosts))
    });
    let (whose, rows) = match by_definition {
        Some((whole, of_domains, of_hosts)) => {
            let figures = of_domains.iter().zip(of_hosts);
            let row = |(name, (domains, hosts)): (&String, (&HostShare, &HostShare))| {
                let note = format!(
                    "{}; hosts {} {}",
                    shares(*domains, whole.domains_read),
                    count(hosts.any),
                    shares(*hosts, whole.read)
                );
                SummaryRow::new(name, count(domains.any), &note)
            };
            let rows = summary.categories.iter().zip(figures).map(row);
            ("Registered domains, and hosts,", rows.collect())
        }
        None => {
            let named = summary.categories.iter().zip(&counts.categories);
            let row = |(name, category): (&String, &CategoryCounts)| {
                let (any, all) = (category.any.count(), category.all.count());
                let note = shares(HostShare { any, all }, counts.hosts_read.count());
                SummaryRow::new(name, distinct(&category.any), &note)
            };
            (
                "Host names of this run, redirects not followed,",
                named.map(row).collect(),
            )
        }
    };
    section(
        &format!(
            "{whose} whose rules disallow / by category: for at least one of its agents (for all)"
        ),
        rows,
    );

    append_notes(&mut text, summary);

    let parts = match summary.parts_kept {
        0 => format!("{} part{}", count(summary.parts), plural(summary.parts)),
        kept => format!(
            "{} part{}, besides {} that existed before and are not counted here",
            count(summary.parts),
            plural(summary.parts),
            count(kept)
        ),
    };
    let verdicts = match counts.verdicts {
        0 => String::new(),
        n => format!("{} verdicts, ", count(n)),
    };
    let _ = writeln!(
        text,
        "\n{} in {out}: {verdicts}{parts}; {:.1} s, {} captures/s",
        HumanBytes(summary.bytes_out),
        summary.seconds,
        count(summary.captures_per_second() as u64),
    );
    text
}

/// Appends a sentence on each part of the matrix, and on archives, that had no effect.
fn append_notes(text: &mut String, summary: &Summary) {
    let mut notes = Vec::new();
    let choice = summary.choice.as_deref();
    notes.extend(choice.map(dataset_notes::on_choice));
    for unnamable in &summary.unnamable {
        let agents = &unnamable.agents;
        let named = agents[..agents.len().min(MOST_AGENTS)].join(", ");
        let more = match agents.len().saturating_sub(MOST_AGENTS) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        notes.push(format!(
            "no user-agent line can name {named}{more} in the dialect {}, so the group of * always applies, in its category too",
            unnamable.dialect
        ));
    }
    if let Some(n) = summary.urls_of_other_origins.filter(|&n| n > 0) {
        notes.push(format!(
            "{} of {} absolute URLs were evaluated for no capture: their origins are not in the archives",
            count(n),
            count(summary.absolute_urls)
        ));
    }
    let counts = &summary.counts;
    if counts.archives_without_captures > 0 {
        notes.push(format!(
            "archives without a capture of a robots.txt: {} of {}",
            count(counts.archives_without_captures),
            count(counts.archives)
        ));
    }
    notes.extend(dataset_notes::on_archives(&summary.dataset));
    notes.extend(dataset_notes::on_redirects(&summary.dataset));
    notes.extend(dataset_notes::on_hosts(&summary.dataset));
    notes.extend(dataset_notes::on_window(&summary.dataset));
    if !notes.is_empty() {
        let _ = writeln!(text, "\nNotes");
    }
    for note in notes {
        let _ = writeln!(text, "  {note}");
    }
}

/// Returns the archives that were damaged or skipped, one line each.
pub fn render_incomplete(summary: &Summary) -> String {
    let mut text = String::new();
    for archive in &summary.incomplete {
        let (name, reason) = (line(&archive.name), line(&archive.reason));
        let flag = limit_flag(&archive.code).map(|flag| format!(" ({flag})"));
        let _ = writeln!(text, "{name}: {reason}{}", flag.unwrap_or_default());
    }
    let unnamed = summary.n_incomplete() - summary.incomplete.len() as u64;
    if unnamed > 0 {
        let _ = writeln!(
            text,
            "and {} more; see the table archives, column is_complete",
            count(unnamed)
        );
    }
    text
}

/// Returns the flag that sets the limit which a kind of fault exceeds, given its code.
fn limit_flag(code: &str) -> Option<&'static str> {
    const FLAGS: [(FaultKind, &str); 2] = [
        (FaultKind::MemberTooLong, "--max-member"),
        (FaultKind::HeaderTooLong, "--max-header"),
    ];
    let found = FLAGS.iter().find(|(kind, _)| kind.code() == code);
    found.map(|(_, flag)| *flag)
}

/// Returns a sentence on archives that other parts hold already; `None` if there are none.
pub fn left_out(summary: &Summary) -> Option<String> {
    let named = summary.left_out.iter().take(MOST_ARCHIVES);
    let named: Vec<_> = named.map(String::as_str).collect();
    let more = match summary.archives_left_out.saturating_sub(named.len() as u64) {
        0 => String::new(),
        n => format!(" and {} more", count(n)),
    };
    (!named.is_empty()).then(|| {
        format!(
            "archives that other parts hold already were not read again: {}{more}",
            named.join(", ")
        )
    })
}

/// Returns how the redirects of a dataset end, and how many hosts it has.
pub fn render_redirects(redirects: &Redirects) -> String {
    let mut text = String::new();
    let title = redirects_title(redirects);
    append_section(&mut text, &title, redirect_rows(redirects));
    if text.is_empty() && !redirects.outcomes.is_empty() {
        text.push_str("No redirects in the dataset\n");
    }
    if let Some(hosts) = &redirects.hosts {
        append_section(&mut text, HOSTS_TITLE, host_rows(hosts));
    }
    text
}

const HOSTS_TITLE: &str = "Hosts of the whole dataset";

fn host_rows(hosts: &Hosts) -> Vec<SummaryRow> {
    let note = format!("{}  of the host names", share(hosts.read, hosts.asked));
    vec![
        SummaryRow::new("origins", count(hosts.origins), "scheme, host and port"),
        SummaryRow::new("host names", count(hosts.asked), ""),
        SummaryRow::new("with a file", count(hosts.read), &note),
        SummaryRow::new("domains", count(hosts.domains), "registered, else the host"),
    ]
}

fn redirects_title(redirects: &Redirects) -> String {
    format!(
        "Redirects of the whole dataset, by where they end under the dialect {}",
        redirects.dialect
    )
}

fn redirect_rows(redirects: &Redirects) -> Vec<SummaryRow> {
    let outcomes = &redirects.outcomes;
    let all = outcomes.values().sum();
    let met = outcomes.iter().filter(|(_, n)| **n > 0);
    let mut rows: Vec<_> = met
        .map(|(outcome, &n)| {
            let note = format!("{}  {}", share(n, all), end(outcome, redirects.max_hops));
            SummaryRow::new(outcome, count(n), &note)
        })
        .collect();
    rows.sort_by_key(|row| row.name != "resolved");
    rows
}

const PAGES_TITLE: &str = "Robots.txt of the pages with a policy, of the whole dataset";

/// Returns what robots.txt states about the pages of a dataset.
pub fn render_pages(counts: &PageRobotsCounts) -> String {
    let mut text = String::new();
    append_section(&mut text, PAGES_TITLE, page_rows(counts));
    text
}

fn page_rows(counts: &PageRobotsCounts) -> Vec<SummaryRow> {
    let rows: u64 = counts.verdicts.values().sum();
    let known = SummaryRow::new(
        "known",
        count(counts.pages_with_robots),
        &format!(
            "{}  of {}",
            share(counts.pages_with_robots, counts.pages),
            count(counts.pages)
        ),
    );
    let by_verdict = counts.verdicts.iter().map(|(verdict, &n)| {
        let note = format!("{}  of pages and agents", share(n, rows));
        SummaryRow::new(verdict, count(n), &note)
    });
    std::iter::once(known).chain(by_verdict).collect()
}

/// Appends rows in columns below a title, and nothing if there are none.
fn append_section(text: &mut String, title: &str, rows: Vec<SummaryRow>) {
    if rows.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let names = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let values = rows.iter().map(|row| row.value.len()).max().unwrap_or(0);
    let _ = writeln!(text, "{title}");
    for row in rows {
        let line = format!(
            "  {:names$}  {:>values$}  {}",
            row.name, row.value, row.note
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

struct SummaryRow {
    name: String,
    value: String,
    note: String,
}

impl SummaryRow {
    fn new(name: &str, value: String, note: &str) -> Self {
        Self {
            name: name.to_owned(),
            value,
            note: note.to_owned(),
        }
    }
}

/// Returns why records are no captures. Of a run that reads pages they are not just skipped.
fn skipped(summary: &Summary) -> String {
    let counts = &summary.counts;
    if counts.skipped.is_empty() {
        return String::new();
    }
    let reasons: Vec<_> = counts
        .skipped
        .iter()
        .map(|(&reason, &n)| {
            let n = count(n);
            match summary.has_pages && reason == Skip::NotRobotsPath.name() {
                true => {
                    let pages = count(counts.pages_of_other_paths);
                    format!("{n} {reason} ({pages} of them read as pages)")
                }
                false => format!("{n} {reason}"),
            }
        })
        .collect();
    let title = if summary.has_pages {
        "no captures"
    } else {
        "skipped"
    };
    format!("{title}: {}", reasons.join(", "))
}

fn meaning(access: &str) -> &'static str {
    match access {
        "conditional" => "the file decides",
        "full_allow" => "everything may be fetched",
        "full_disallow" => "nothing may be fetched",
        "redirect" => "the target decides",
        _ => "the specification does not say",
    }
}

fn end(outcome: &str, max_hops: Option<u8>) -> String {
    match (outcome, max_hops) {
        ("resolved", _) => "at a capture whose rules apply",
        ("not_in_corpus", _) => "at a target that was not captured",
        ("loop", _) => "at a URL of the same chain",
        ("too_many_hops", Some(5)) => "at a sixth redirect",
        ("too_many_hops", Some(limit)) => {
            return format!("at a redirect after {limit} hops");
        }
        ("not_followed", _) => "at once: the dialect follows none",
        ("not_modified", _) => "at 304: the file fetched before still holds",
        _ => "at one that crawlers do not follow",
    }
    .to_owned()
}

fn count(n: u64) -> String {
    HumanCount(n).to_string()
}

fn distinct(distinct: &Distinct) -> String {
    let about = if distinct.is_exact() { "" } else { "about " };
    format!("{about}{}", count(distinct.count()))
}

/// Returns a share, aligned by its percent sign; nothing if the whole is 0.
fn share(n: u64, whole: u64) -> String {
    match whole {
        0 => String::new(),
        _ => format!("{:>8}", summary::share(n, whole)),
    }
}

/// Returns the share of a category, and number and share of those that disallow all of it.
fn shares(figures: HostShare, whole: u64) -> String {
    let HostShare { any, all } = figures;
    format!(
        "{}  ({}  {})",
        share(any, whole),
        count(all),
        share(all, whole)
    )
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}
