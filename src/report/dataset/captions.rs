//! What the figures of each section say in words.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    chart::{MIN_HOSTS, Totals},
    result::{NoChart, ResultRow, ResultSet},
    words,
};
use crate::{archive::http::Finding, robots::dialect::AnomalyCode};

/// Counts and names of the dataset that several captions use.
#[derive(Debug, Default)]
pub struct DatasetTotals {
    /// Domains and hosts.
    pub of: Totals,
    /// Host names whose file is a page of HTML.
    pub hosts_html: u64,
    /// The reference dialect.
    pub reference_dialect: String,
    /// The dialect that is compared with the reference; empty where there is none.
    pub candidate_dialect: String,
    /// A sentence on how to compare other dialects, after a blank; empty where there are none.
    pub on_other_dialects: String,
    /// Agents of the matrix that no user-agent line can name under the reference dialect.
    pub unnameable: Vec<String>,
}

impl DatasetTotals {
    /// Returns a sentence on the agents of a chart that no line can name; empty where there is
    /// none.
    pub fn on_unnameable(&self, agents: &[&str]) -> String {
        let charted = self.unnameable.iter();
        let charted = charted.filter(|agent| agents.contains(&agent.as_str()));
        let charted: BTreeSet<_> = charted.map(|agent| words::plain(agent)).collect();
        if charted.is_empty() {
            return String::new();
        }
        format!(
            " Under {} no user-agent line can name {}: these figures are those of the group of *, and another dialect may give others.",
            self.reference_dialect,
            Vec::from_iter(charted).join(", ")
        )
    }
}

/// The sentences of a section. The error is [`NO_ROW`] where the query gives no row.
pub type Caption = Result<String, Option<NoChart>>;

/// The query gives no row.
const NO_ROW: Option<NoChart> = None;

/// What the lines over bars are.
const INTERVALS: &str = "The lines over the bars are 95 % intervals (Wilson): they show how far a share may be off by chance if the domains were a random \
     sample of those of interest, and nothing about how they were selected.";

/// Returns for which agent the share of domains differs most from that of hosts.
pub fn by_domain(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let mut agents = Vec::new();
    let (mut widest, mut text) = (None, String::new());
    for row in result.rows() {
        let agent = row.text("agent")?;
        let hosts = full(row)?;
        let [domains, of_domains, of_hosts] =
            row.counts(["domains_full", "domains_read", "hosts_read"])?;
        agents.push(agent);
        let gap = (hosts * of_domains).abs_diff(domains * of_hosts);
        if widest.is_none_or(|most| gap > most) {
            widest = Some(gap);
            let (agent, of_domains) = (words::plain(agent), words::share(domains, of_domains));
            let of_hosts = words::share(hosts, of_hosts);
            text = if of_domains == of_hosts {
                "The two shares of no agent differ by a tenth of a percent.".to_owned()
            } else {
                format!(
                    "The two shares differ most for {agent}: {of_domains} of domains, {of_hosts} of hosts."
                )
            };
        }
    }
    Ok(format!(
        "{text} A domain counts once, represented by one of its host names (the bare domain, else www, else the shortest): an owner of thousands of host \
         names has the weight of any other. {INTERVALS}{}",
        totals.on_unnameable(&agents)
    ))
}

/// Returns the share of a cohort that shuts the agent out in its first crawl and in the last.
pub fn cohort(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let [first, .., last] = result.rows() else {
        return Ok(String::new());
    };
    let share = |row: &ResultRow| -> Caption {
        let ([domains, of], crawl) = (
            row.counts(["domains_full", "domains"])?,
            row.plain("crawl")?,
        );
        Ok(format!("{} in {crawl}", words::domains(domains, of)))
    };
    let (before, after) = (share(first)?, share(last)?);
    let missing = last.counts(["members", "missing", "no_file"])?;
    let [members, missing, no_file] = missing.map(words::count);
    let agent = first.text("agent")?;
    let (name, on_unnameable) = (words::plain(agent), totals.on_unnameable(&[agent]));
    Ok(format!(
        "Of the hosts that have a robots.txt in the first crawl, those of {before} shut {name} out, and of {after}. Of {members} members {missing} have no \
         robots.txt that was read in the last crawl, and no share includes them: {no_file} answered that they have none, of the others nothing is \
         known.{on_unnameable}"
    ))
}

/// Returns how many domains gained a group for the agent, lost it, closed and opened.
pub fn gains(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let first = result.rows().first().ok_or(NO_ROW)?;
    let sum = |column| -> Caption {
        let counts = result.rows().iter().map(|row| row.count(column));
        Ok(words::count(counts.sum::<Result<u64, _>>()?))
    };
    let [gained, lost] = [sum("gained")?, sum("lost")?];
    let [closed, opened] = [sum("closed")?, sum("opened")?];
    let agent = first.text("agent")?;
    let (name, on_unnameable) = (words::plain(agent), totals.on_unnameable(&[agent]));
    Ok(format!(
        "Of domains that answered in two crawls that follow each other, {gained} gained a group of their own for {name} and {lost} lost theirs, over all \
         pairs of crawls; {closed} closed to it and {opened} opened. A crawl in which a domain did not answer says nothing of it.{on_unnameable}"
    ))
}

/// Returns which agent most domains named, and how long after its announcement.
pub fn first_naming(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let Some(row) = result.rows().first() else {
        return Ok("No agent is named by a domain.".to_owned());
    };
    let mut days = String::new();
    let least = row.number("median_days_at_least")?;
    let most = row.number("median_days_at_most")?;
    if let (Some(least), Some(most)) = (least, most) {
        days = format!(
            "; half of those that began to did so within {least:.0} days of its announcement by their last answer without it, within {most:.0} by the \
             first with it"
        );
    }
    let [named, of, at_first] = row.counts(["named", "domains", "named_at_first"])?;
    let (agent, named) = (row.plain("agent")?, words::domains(named, of));
    let at_first = words::count(at_first);
    Ok(format!(
        "{agent} is named by {named} at some time{days}. {at_first} of them named it in their first answer, so that it is not known since when."
    ))
}

/// Returns which share of the domains that closed to the agent stayed so.
pub fn survival(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let [first, later @ ..] = result.rows() else {
        return Ok("No domain is known to have begun to shut it out.".to_owned());
    };
    let agent = first.text("agent")?;
    let (name, at_risk) = (words::plain(agent), words::count(first.count("at_risk")?));
    let begun = format!("Of {at_risk} domains that were seen to begin to shut {name} out");
    let is_enough = |row: &&ResultRow| row.count("at_risk").is_ok_and(|n| n >= MIN_HOSTS);
    let Some(last) = later.iter().rfind(is_enough) else {
        return Ok(format!(
            "{begun}, fewer than {MIN_HOSTS} were seen again in a later crawl."
        ));
    };
    let share = |column| -> Caption {
        let share = last.number(column)?;
        Ok(share.map_or_else(String::new, words::rounded_share))
    };
    let (low, high) = (share("survival_low")?, share("survival_high")?);
    let (survival, crawls) = (share("survival")?, words::count(last.count("crawls")?));
    let on_unnameable = totals.on_unnameable(&[agent]);
    Ok(format!(
        "{begun}, {survival} (95 % interval {low} to {high}) still did after step {crawls} from one crawl to the next, the last one with at least {MIN_HOSTS} \
         of them.{on_unnameable}"
    ))
}

/// Returns how many files changed between the last two crawls.
pub fn changes(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let row = result.rows().last().ok_or(NO_ROW)?;
    let of = row.count("domains")?;
    let changed = row.counts(["changed_meaning", "changed_bytes"])?;
    let [meaning, bytes] = changed.map(|n| words::domains(n, of));
    let (before, crawl) = (row.plain("crawl_before")?, row.plain("crawl")?);
    let vanished = words::count(row.count("vanished")?);
    Ok(format!(
        "From {before} to {crawl} the file of {meaning} changed its meaning, and that of {bytes} its bytes. {vanished} that answered in the first of the two \
         crawls did not in the second."
    ))
}

/// Returns which crawls or years are compared.
pub fn by_year(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let period = |row: &ResultRow| -> Caption {
        let period = row.plain("period")?;
        Ok(if period.is_empty() {
            "unknown".to_owned()
        } else {
            period
        })
    };
    Ok(match result.rows() {
        [first, .., last] => {
            let agent = first.text("agent")?;
            let (name, on_unnameable) = (words::plain(agent), totals.on_unnameable(&[agent]));
            let (first, last) = (period(first)?, period(last)?);
            format!(
                "From {first} to {last}: who shuts {name} out, by name or by the group of *. A host counts once in each crawl; where archives name no crawl, it \
                 counts once, in the year of its fetch that counts. Crawls and years differ in their hosts, not only in time. {INTERVALS}{on_unnameable}"
            )
        }
        [only] => format!("All fetches are of one crawl or year: {}.", period(only)?),
        [] => String::new(),
    })
}

/// Returns how many hosts answer with success.
pub fn status(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let mut files = [0, 0];
    for row in result.rows() {
        if row.text("status_class")? == "2xx" {
            files = row.counts(["hosts_at_first", "hosts_at_last"])?;
        }
    }
    let [first, last] = files.map(|n| words::hosts(n, totals.of.hosts));
    Ok(format!(
        "{first} answer the first request with success; once redirects are followed it is {last}."
    ))
}

/// Returns how many hosts redirect, and for how many of them that ends at a file.
pub fn redirects(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let (mut followed, mut read) = (0, 0);
    for row in result.rows() {
        if row.text("outcome")? != "no_redirect" {
            followed += row.count("hosts")?;
            read += row.count("hosts_read")?;
        }
    }
    if followed == 0 {
        return Ok(
            "No host redirects the request that counts for it, by https or by http.".to_owned(),
        );
    }
    let (hosts, read) = (
        words::hosts(followed, totals.of.hosts),
        words::hosts(read, followed),
    );
    Ok(format!(
        "{hosts} redirect the request; for {read} of these, a robots.txt is read at the end."
    ))
}

/// Returns how many files are longer than crawlers must read, and how many are empty.
pub fn sizes(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let (mut empty, mut over) = (0, 0);
    for row in result.rows() {
        if row.count("bytes_from")? == 0 {
            empty = row.count("hosts")?;
        }
        over += row.count("hosts_over_500_kib")?;
    }
    let [over, empty] = [over, empty].map(|n| words::hosts(n, totals.of.hosts_read));
    Ok(format!(
        "{over} serve a file longer than the 500 KiB that every crawler must read (RFC 9309, 2.5), and {empty} an empty one. \
         Each bar counts files of up to twice the size of the one before."
    ))
}

/// Returns which agent is shut out most often, and by which groups others are restricted.
pub fn restriction(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let row = most(result, "domains_full")?.ok_or(NO_ROW)?;
    let agents = result.rows().iter().map(|row| row.text("agent"));
    let agents = agents.collect::<Result<Vec<_>, _>>()?;
    let [whole, full, full_named] =
        row.counts(["domains_read", "domains_full", "domains_full_named"])?;
    let partial = row.counts(["domains_partial_named", "domains_partial_everybody"])?;
    let [full, partly] = [full, partial.iter().sum()].map(|n| words::domains(n, whole));
    let [by_name, by_everybody] = partial.map(words::count);
    let (agent, full_named) = (row.plain("agent")?, words::count(full_named));
    let on_unnameable = totals.on_unnameable(&agents);
    Ok(format!(
        "{agent} is shut out of everything most often, by {full}, {full_named} of them by name. Partly, some but not all of the paths in the file are closed \
         to it by {partly}: by a group of its own for {by_name}, by the group of *, which is for agents that no other group names, for \
         {by_everybody}.{on_unnameable}"
    ))
}

/// Returns how many domains shut out the first category, and whether search engines as well.
pub fn ai_against_search(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let row = result.rows().first().ok_or(NO_ROW)?;
    let [only, both] = row.counts(["domains_only_these", "domains_both_shut_out"])?;
    let shut_out = words::domains(only + both, row.count("domains_read")?);
    let only = words::domains(only, only + both);
    let of_hosts = row.counts(["only_these", "both_shut_out"])?.iter().sum();
    let of_hosts = words::hosts(of_hosts, row.count("hosts_read")?);
    let category = row.plain("agent_category")?;
    Ok(format!(
        "{shut_out} shut out at least one agent of the category {category}, and {only} let search engines in. By host, {of_hosts} shut one out."
    ))
}

/// Returns how often domains that name one agent name another one too.
pub fn named_together(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let mut naming: BTreeMap<&str, u64> = BTreeMap::new();
    let mut naming_both: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for row in result.rows() {
        let (agent, other) = (row.text("agent")?, row.text("other_agent")?);
        let both = row.count("domains_naming_both")?;
        naming.insert(agent, both + row.count("domains_naming_only_the_first")?);
        naming_both.insert((agent, other), both);
    }
    let mut agents: Vec<_> = naming.into_iter().collect();
    agents.sort_by_key(|&(agent, domains)| (std::cmp::Reverse(domains), agent));
    let [(first, of_first), (second, _), ..] = agents[..] else {
        return Ok(String::new());
    };
    let both = naming_both.get(&(first, second)).copied().unwrap_or(0);
    let (both, of_first) = (words::share(both, of_first), words::count(of_first));
    let [first, second] = [first, second].map(words::plain);
    Ok(format!(
        "Of the {of_first} registered domains that name {first}, {both} name {second} as well. Each number is the share, in percent, of those naming the agent \
         of the row that also name the agent of the column."
    ))
}

/// Returns under which top-level domain the largest share shuts AI agents out.
pub fn top_level_domains(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let (mut most, mut text) = (None, String::new());
    for row in result.rows() {
        let [any_ai, whole] = row.counts(["domains_any_ai", "domains_read"])?;
        let share = any_ai as f64 / whole as f64;
        if whole >= MIN_HOSTS && most.is_none_or(|so_far| share > so_far) {
            most = Some(share);
            let (tld, share) = (row.plain("url_host_tld")?, words::share(any_ai, whole));
            let [any_ai, whole] = [any_ai, whole].map(words::count);
            text = format!(
                "Under .{tld}, {any_ai} of {whole} domains ({share}) shut out at least one AI agent, the largest share of those shown. {INTERVALS} Where the \
                 lines of two top-level domains overlap much, their order may be due to chance."
            );
        }
    }
    Ok(text)
}

/// Returns the field of most domains other than user-agent, allow and disallow.
pub fn directives(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    first(result, totals, "have a line of the field", "key")
}

/// Returns the most frequent misspelling.
pub fn misspellings(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let row = most(result, "domains")?.ok_or(NO_ROW)?;
    let written = row.text("written")?;
    let misspelling = match row.text("meant")? {
        "" => words::plain(written),
        // The spelling is right then, and the colon is missing.
        meant if meant == written => format!("{} (no colon)", words::plain(written)),
        meant => format!("{} \u{2192} {meant}", words::label(written, 18)),
    };
    Ok(format!(
        "The most frequent is {misspelling}, in files of {}.",
        both(row, totals)?
    ))
}

/// Returns the finding of most domains.
pub fn errors(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    first(result, totals, "have the finding", "code")
}

/// Returns the sentence on a code, as `robocensus errors` has it.
pub fn on_code(code: &str) -> &'static str {
    let of_line = AnomalyCode::ALL.iter().find(|known| known.as_str() == code);
    let of_response = || Finding::ALL.iter().find(|known| known.as_str() == code);
    of_line
        .map(|known| known.sentence())
        .or_else(|| of_response().map(|known| known.sentence()))
        .unwrap_or("a code of another version of robocensus")
}

/// Returns how many domains have a file that none of the known systems wrote.
pub fn templates(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let mut unknown = words::domains(0, totals.of.domains_read);
    for row in result.rows() {
        if row.is_null("template")? {
            unknown = both(row, totals)?;
        }
    }
    Ok(format!(
        "{unknown} have a file without the sign of a known template; a file may have the signs of several."
    ))
}

/// Returns the vocabulary of terms that most domains use.
pub fn terms(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let what = "state terms in the vocabulary";
    first(result, totals, what, "vocabulary")
}

/// Returns what most Content-Signal lines state.
pub fn content_signals(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let row = most(result, "domains")?.ok_or(NO_ROW)?;
    let domains = both(row, totals)?;
    let [key, value] = [row.text("key")?, row.text("value")?].map(|text| words::label(text, 40));
    Ok(format!(
        "{domains} say {key}={value}, more than any other signal."
    ))
}

/// Returns where the second dialect of the run decides otherwise than the reference dialect.
pub fn disagreements(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let (reference, others) = (&totals.reference_dialect, &totals.on_other_dialects);
    let Some(row) = result.rows().first() else {
        let candidate = &totals.candidate_dialect;
        return Ok(format!(
            "{reference} and {candidate} give the same verdict for every agent and URL of the matrix, on every host.{others}"
        ));
    };
    let (base_verdict, verdict) = (row.text("base_verdict")?, row.text("verdict")?);
    let (base_basis, basis) = (row.text("base_basis")?, row.text("basis")?);
    let [domains, hosts, cells] = row.counts(["domains", "hosts", "cells"])?;
    let domains = words::domains(domains, totals.of.domains);
    let hosts = words::hosts(hosts, totals.of.hosts);
    let (dialect, cells) = (row.plain("dialect")?, words::count(cells));
    Ok(format!(
        "Most often {reference} says {base_verdict} and {dialect} says {verdict}: on {domains} and {hosts}, in {cells} verdicts, where the first decides by \
         {base_basis} and the second by {basis}.{others}"
    ))
}

/// Returns the directive of most pages.
pub fn page_directives(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let mut row = None;
    for of_row in result.rows() {
        // Marks of single links say nothing about their page.
        let is_of_page = of_row.text("source")? != "link" || of_row.text("directive")? == "license";
        row = row.or(Some(of_row).filter(|_| is_of_page));
    }
    let row = row.ok_or(NO_ROW)?;
    let (source, place) = (row.text("source")?, row.text("place")?);
    let mut whereabouts = words::plain(source);
    if source != place {
        whereabouts.push_str(&format!(", {}", words::plain(place)));
    }
    let [pages, of_pages] = row.counts(["pages", "of_pages"])?;
    let (directive, share) = (row.plain("directive")?, words::share(pages, of_pages));
    Ok(format!(
        "The most frequent is {directive} ({whereabouts}), on {share} of the pages."
    ))
}

/// Returns how many pages the first agent may fetch and must not index.
pub fn robots_and_pages(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let row = result.rows().first().ok_or(NO_ROW)?;
    let [shut_out, pages, hosts] = row.counts(["shut_out_by_page", "pages", "hosts"])?;
    let (share, hosts) = (words::share(shut_out, pages), words::count(hosts));
    let agent = row.plain("agent")?;
    Ok(format!(
        "{agent} may fetch and must not index {share} of the pages, which are of {hosts} hosts and have a statement on the page as a whole and a robots.txt of \
         their origin in the dataset. What a page states is never read by an agent that robots.txt shuts out."
    ))
}

/// Returns the share of links with nofollow.
pub fn links(result: &ResultSet, _: &DatasetTotals) -> Caption {
    for row in result.rows() {
        if row.is_true("is_total")? {
            let [nofollow, links] = row.counts(["nofollow_links", "links"])?;
            let share = words::share(nofollow, links);
            return Ok(format!("{share} of the links have nofollow."));
        }
    }
    Ok(String::new())
}

/// Returns the hosts that shut the agent of a row out.
pub fn full(row: &ResultRow) -> Result<u64, NoChart> {
    Ok(row.count("full_named")? + row.count("full_everybody")?)
}

/// Returns the first row with the greatest count in a column.
fn most<'r>(result: &'r ResultSet, column: &str) -> Result<Option<&'r ResultRow>, NoChart> {
    let mut most: Option<(u64, &ResultRow)> = None;
    for row in result.rows() {
        let n = row.count(column)?;
        if most.is_none_or(|(so_far, _)| n > so_far) {
            most = Some((n, row));
        }
    }
    Ok(most.map(|(_, row)| row))
}

/// Returns how many registered domains a row has, and how many hosts.
fn both(row: &ResultRow, totals: &DatasetTotals) -> Caption {
    let domains = words::domains(row.count("domains")?, totals.of.domains_read);
    let hosts = words::hosts(row.count("hosts")?, totals.of.hosts_read);
    Ok(format!("{domains} and {hosts}"))
}

/// Returns how many domains and hosts of the row of most do `what`, and the text of `column`.
fn first(result: &ResultSet, totals: &DatasetTotals, what: &str, column: &str) -> Caption {
    let row = most(result, "domains")?.ok_or(NO_ROW)?;
    let (domains, text) = (both(row, totals)?, words::label(row.text(column)?, 40));
    Ok(format!("{domains} {what} {text}, more than any other."))
}
