//! The summary of a run as text for people.

use std::{cmp::Reverse, fmt::Write};

use indicatif::{HumanBytes, HumanCount};
use robocensus::{
    Summary,
    archive::{capture::Skip, warc::FaultKind},
    dataset::summary::{self, Distinct, HostShare, Hosts, PageRobotsCounts, Redirects},
};

use super::{
    dataset_notes,
    escape::line,
    layout::{Section, SummaryRow, counted, listed},
};

/// Agents of a dialect that a note names; `--summary-json` has them all.
const MOST_AGENTS: usize = 10;
/// Codes of findings that are shown; `--summary-json` has them all.
const TOP_ERRORS: usize = 10;
/// Archives that a message names.
const MOST_ARCHIVES: usize = 3;

/// Returns the summary of a run over archives into the folder `out`.
pub fn render(summary: &Summary, out: &str) -> String {
    let mut text = String::new();
    archives(summary).append_to(&mut text);
    captures(summary).append_to(&mut text);
    access(summary).append_to(&mut text);
    if let Some(redirects) = &summary.redirects {
        redirect_section(redirects).append_to(&mut text);
    }
    if summary.has_pages {
        pages(summary).append_to(&mut text);
    }
    if let Some(robots) = &summary.page_robots {
        page_section(robots).append_to(&mut text);
    }
    files_read(summary).append_to(&mut text);
    errors(summary).append_to(&mut text);
    categories(summary).append_to(&mut text);
    append_notes(&mut text, summary);
    append_output(&mut text, summary, out);
    text
}

fn archives(summary: &Summary) -> Section {
    let counts = &summary.counts;
    let inflated = format!("{} inflated", HumanBytes(counts.bytes_inflated));
    Section::new("Archives")
        .count("read", counts.archives, "")
        .count("incomplete", counts.archives_incomplete, "")
        .row("bytes in", HumanBytes(counts.bytes_in), inflated)
        .row("bytes skipped", HumanBytes(counts.bytes_skipped), "")
        .count("records", counts.records, skipped(summary))
}

fn captures(summary: &Summary) -> Section {
    let counts = &summary.counts;
    let hosts = distinct(&counts.hosts);
    let by_status = counts.status.iter().map(|(class, &n)| {
        let name = match *class {
            "none" => "no status".to_owned(),
            class => format!("status {class}"),
        };
        SummaryRow::count(name, n, share(n, counts.captures))
    });
    Section::new("Captures")
        .count("captures", counts.captures, "")
        .row("host names", hosts, "hops of redirects included")
        .rows(by_status)
        .count("response errors", counts.n_response_errors(), "")
}

fn access(summary: &Summary) -> Section {
    let counts = &summary.counts;
    let title = format!("Access, by the dialect {}", summary.reference_dialect);
    let rows = counts.access.iter().map(|(access, &n)| {
        let note = format!("{}  {}", share(n, counts.captures), meaning(access));
        SummaryRow::count(access, n, note)
    });
    Section::new(title).rows(rows).with_first("conditional")
}

fn pages(summary: &Summary) -> Section {
    let counts = &summary.counts;
    let share = share(counts.pages_with_policy, counts.pages);
    let note = format!("{share}  a statement is about the page as a whole");
    Section::new("Pages")
        .count("pages", counts.pages, "")
        .count("statements", counts.page_statements, "")
        .count("with a policy", counts.pages_with_policy, note)
}

fn files_read(summary: &Summary) -> Section {
    let counts = &summary.counts;
    let mut section = Section::new("Robots.txt files read");
    if let Some(hosts) = summary.hosts() {
        let of_domains = format!(
            "{}  of {} registered domains in {} have one, redirects followed",
            share(hosts.domains_read, hosts.domains),
            HumanCount(hosts.domains),
            crawl_in_words(hosts, "the dataset")
        );
        let of_hosts = format!(
            "{}  of {}; HTML pages are none, as in the table hosts",
            share(hosts.read, hosts.asked),
            HumanCount(hosts.asked)
        );
        section = section
            .count("of domains", hosts.domains_read, of_domains)
            .count("of hosts", hosts.read, of_hosts);
    } else {
        let hosts = distinct(&counts.hosts_read);
        section = section.row("of host names", hosts, "redirects not followed");
    }
    section
        .count("groups", counts.groups, "")
        .count("user-agent lines", counts.agents, "")
        .count("rules", counts.rules, "")
        .count("other directives", counts.directives, "")
        .count("errors", counts.n_errors(), "")
}

fn errors(summary: &Summary) -> Section {
    let counts = &summary.counts;
    let found = counts.errors.iter().chain(&counts.response_errors);
    let mut errors: Vec<_> = found.collect();
    errors.sort_by_key(|&(code, n)| (Reverse(*n), *code));
    let title = match errors.len() {
        n if n > TOP_ERRORS => format!("Errors, the {TOP_ERRORS} most frequent of {n} codes"),
        _ => "Errors, by code".to_owned(),
    };
    let top = errors.into_iter().take(TOP_ERRORS);
    Section::new(title).rows(top.map(|(code, &n)| SummaryRow::count(code, n, "")))
}

/// Returns domains and hosts by category where the dataset tells them apart, else host names.
fn categories(summary: &Summary) -> Section {
    let title = |whose: &str| {
        Section::new(format!(
            "{whose} whose rules disallow / by category: for at least one of its agents (for all)"
        ))
    };
    let names = summary.categories.iter();
    if let Some(whole) = summary.hosts()
        && let (Some(hosts), Some(domains)) = (&whole.categories, &whole.domain_categories)
    {
        let rows = names
            .zip(domains)
            .zip(hosts)
            .map(|((name, domains), hosts)| {
                let note = format!(
                    "{}; hosts {} {}",
                    shares(*domains, whole.domains_read),
                    HumanCount(hosts.any),
                    shares(*hosts, whole.read)
                );
                SummaryRow::count(name, domains.any, note)
            });
        let of_crawl = whole.crawl.as_ref().map(|crawl| format!(" of {crawl}"));
        let of_crawl = of_crawl.unwrap_or_default();
        return title(&format!("Registered domains, and hosts{of_crawl},")).rows(rows);
    }
    let counts = &summary.counts;
    let rows = names.zip(&counts.categories).map(|(name, category)| {
        let (any, all) = (category.any.count(), category.all.count());
        let note = shares(HostShare { any, all }, counts.hosts_read.count());
        SummaryRow::new(name, distinct(&category.any), note)
    });
    title("Host names of this run, redirects not followed,").rows(rows)
}

/// Appends what was written into the folder `out`, and how fast.
fn append_output(text: &mut String, summary: &Summary, out: &str) {
    let mut parts = counted(summary.parts, "part");
    if summary.parts_kept > 0 {
        let kept = HumanCount(summary.parts_kept);
        parts += &format!(", besides {kept} that existed before and are not counted here");
    }
    let verdicts = match summary.counts.verdicts {
        0 => String::new(),
        n => format!("{} verdicts, ", HumanCount(n)),
    };
    let _ = writeln!(
        text,
        "\n{} in {out}: {verdicts}{parts}; {:.1} s, {} captures/s",
        HumanBytes(summary.bytes_out),
        summary.seconds,
        HumanCount(summary.captures_per_second() as u64),
    );
}

/// Appends a sentence on each part of the matrix, and on archives, that had no effect.
fn append_notes(text: &mut String, summary: &Summary) {
    let choice = summary.choice.as_deref().map(dataset_notes::on_choice);
    let mut notes: Vec<_> = choice.into_iter().collect();
    for unnamable in &summary.unnamable {
        notes.push(format!(
            "no user-agent line can name {} in the dialect {}, so the group of * always applies, in its category too",
            listed(&unnamable.agents, MOST_AGENTS),
            unnamable.dialect
        ));
    }
    if let Some(n) = summary.urls_of_other_origins.filter(|&n| n > 0) {
        notes.push(format!(
            "{} of {} absolute URLs were evaluated for no capture: their origins are not in the archives",
            HumanCount(n),
            HumanCount(summary.absolute_urls)
        ));
    }
    let counts = &summary.counts;
    if counts.archives_without_captures > 0 {
        notes.push(format!(
            "archives without a capture of a robots.txt: {} of {}",
            HumanCount(counts.archives_without_captures),
            HumanCount(counts.archives)
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
            HumanCount(unnamed)
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
    let found = FLAGS.iter().find(|(kind, _)| kind.as_str() == code);
    found.map(|(_, flag)| *flag)
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
pub fn render_redirects(redirects: &Redirects) -> String {
    let mut text = String::new();
    redirect_section(redirects).append_to(&mut text);
    if text.is_empty() && !redirects.outcomes.is_empty() {
        text.push_str("No redirects in the dataset\n");
    }
    if let Some(hosts) = &redirects.hosts {
        host_section(hosts).append_to(&mut text);
    }
    text
}

/// Returns the crawl whose hosts are counted, or `whole` where archives name none.
fn crawl_in_words(hosts: &Hosts, whole: &str) -> String {
    match &hosts.crawl {
        Some(crawl) => format!("the crawl {crawl}"),
        None => whole.to_owned(),
    }
}

fn host_section(hosts: &Hosts) -> Section {
    let crawl = crawl_in_words(hosts, "the whole dataset");
    let note = format!("{}  of the host names", share(hosts.read, hosts.asked));
    Section::new(format!("Hosts of {crawl}"))
        .count("origins", hosts.origins, "scheme, host and port")
        .count("host names", hosts.asked, "")
        .count("with a file", hosts.read, note)
        .count("domains", hosts.domains, "registered, else the host")
}

fn redirect_section(redirects: &Redirects) -> Section {
    let title = format!(
        "Redirects of the whole dataset, by where they end under the dialect {}",
        redirects.dialect
    );
    let all = redirects.outcomes.values().sum();
    let found = redirects.outcomes.iter().filter(|(_, n)| **n > 0);
    let rows = found.map(|(outcome, &n)| {
        let note = format!("{}  {}", share(n, all), end(outcome, redirects.max_hops));
        SummaryRow::count(outcome, n, note)
    });
    Section::new(title).rows(rows).with_first("resolved")
}

/// Returns what robots.txt states about the pages of a dataset.
pub fn page_section(counts: &PageRobotsCounts) -> Section {
    let known = share(counts.pages_with_robots, counts.pages);
    let note = format!("{known}  of {}", HumanCount(counts.pages));
    let all = counts.verdicts.values().sum();
    let verdicts = counts.verdicts.iter().map(|(verdict, &n)| {
        SummaryRow::count(
            verdict,
            n,
            format!("{}  of pages and agents", share(n, all)),
        )
    });
    Section::new("Robots.txt of the pages with a policy, of the whole dataset")
        .count("known", counts.pages_with_robots, note)
        .rows(verdicts)
}

/// Returns why records are no captures. Of a run that reads pages they are not just skipped.
fn skipped(summary: &Summary) -> String {
    let counts = &summary.counts;
    let mut text = String::new();
    for (&reason, &n) in &counts.skipped {
        let before = match (text.is_empty(), summary.has_pages) {
            (false, _) => ", ",
            (true, true) => "no captures: ",
            (true, false) => "skipped: ",
        };
        let _ = write!(text, "{before}{} {reason}", HumanCount(n));
        if summary.has_pages && reason == Skip::NotRobotsPath.as_str() {
            let pages = HumanCount(counts.pages_of_other_paths);
            let _ = write!(text, " ({pages} of them read as pages)");
        }
    }
    text
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

fn distinct(distinct: &Distinct) -> String {
    let about = if distinct.is_exact() { "" } else { "about " };
    format!("{about}{}", HumanCount(distinct.count()))
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
        HumanCount(all),
        share(all, whole)
    )
}
