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
        let (domains, hosts) = (row.count("domains_full")?, full(row)?);
        let (of_domains, of_hosts) = (row.count("domains_read")?, row.count("hosts_read")?);
        agents.push(agent);
        let gap = (hosts * of_domains).abs_diff(domains * of_hosts);
        if widest.is_none_or(|most| gap > most) {
            widest = Some(gap);
            let of_domains = words::share(domains, of_domains);
            let of_hosts = words::share(hosts, of_hosts);
            text = if of_domains == of_hosts {
                "The two shares of no agent differ by a tenth of a percent.".to_owned()
            } else {
                format!(
                    "The two shares differ most for {}: {of_domains} of domains, {of_hosts} of hosts.",
                    words::plain(agent)
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
    let agent = first.text("agent")?;
    let share = |row: &ResultRow| -> Caption {
        let [domains, of] = [row.count("domains_full")?, row.count("domains")?];
        let crawl = words::plain(row.text("crawl")?);
        Ok(format!("{} in {crawl}", words::domains(domains, of)))
    };
    Ok(format!(
        "Of the hosts that have a robots.txt in the first crawl, those of {} shut {} out, and of {}. Of {} members {} have no robots.txt that was read in \
         the last crawl, and no share includes them: {} answered that they have none, of the others nothing is known.{}",
        share(first)?,
        words::plain(agent),
        share(last)?,
        words::count(last.count("members")?),
        words::count(last.count("missing")?),
        words::count(last.count("no_file")?),
        totals.on_unnameable(&[agent])
    ))
}

/// Returns how many domains gained a group for the agent, lost it, closed and opened.
pub fn gains(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let first = result.rows().first().ok_or(NO_ROW)?;
    let sum = |column| -> Caption {
        let counts = result.rows().iter().map(|row| row.count(column));
        Ok(words::count(counts.sum::<Result<u64, _>>()?))
    };
    let agent = first.text("agent")?;
    Ok(format!(
        "Of domains that answered in two crawls that follow each other, {} gained a group of their own for {} and {} lost theirs, over all pairs of \
         crawls; {} closed to it and {} opened. A crawl in which a domain did not answer says nothing of it.{}",
        sum("gained")?,
        words::plain(agent),
        sum("lost")?,
        sum("closed")?,
        sum("opened")?,
        totals.on_unnameable(&[agent])
    ))
}

/// Returns which agent most domains named, and how long after its announcement.
pub fn first_naming(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let Some(row) = result.rows().first() else {
        return Ok("No agent is named by a domain.".to_owned());
    };
    let mut days = String::new();
    let [least, most] = [
        row.number("median_days_at_least")?,
        row.number("median_days_at_most")?,
    ];
    if let (Some(least), Some(most)) = (least, most) {
        days = format!(
            "; half of those that began to did so within {least:.0} days of its announcement by their last answer without it, within {most:.0} by the \
             first with it"
        );
    }
    Ok(format!(
        "{} is named by {} at some time{days}. {} of them named it in their first answer, so that it is not known since when.",
        words::plain(row.text("agent")?),
        words::domains(row.count("named")?, row.count("domains")?),
        words::count(row.count("named_at_first")?)
    ))
}

/// Returns which share of the domains that closed to the agent stayed so.
pub fn survival(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let [first, later @ ..] = result.rows() else {
        return Ok("No domain is known to have begun to shut it out.".to_owned());
    };
    let agent = first.text("agent")?;
    let begun = format!(
        "Of {} domains that were seen to begin to shut {} out",
        words::count(first.count("at_risk")?),
        words::plain(agent)
    );
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
    Ok(format!(
        "{begun}, {} (95 % interval {} to {}) still did after step {} from one crawl to the next, the last one with at least {MIN_HOSTS} of them.{}",
        share("survival")?,
        share("survival_low")?,
        share("survival_high")?,
        words::count(last.count("crawls")?),
        totals.on_unnameable(&[agent])
    ))
}

/// Returns how many files changed between the last two crawls.
pub fn changes(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let row = result.rows().last().ok_or(NO_ROW)?;
    let of = row.count("domains")?;
    Ok(format!(
        "From {} to {} the file of {} changed its meaning, and that of {} its bytes. {} that answered in the first of the two crawls did not in the \
         second.",
        words::plain(row.text("crawl_before")?),
        words::plain(row.text("crawl")?),
        words::domains(row.count("changed_meaning")?, of),
        words::domains(row.count("changed_bytes")?, of),
        words::count(row.count("vanished")?)
    ))
}

/// Returns which crawls or years are compared.
pub fn by_year(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let period = |row: &ResultRow| -> Caption {
        let period = row.text("period")?;
        Ok(words::plain(if period.is_empty() {
            "unknown"
        } else {
            period
        }))
    };
    Ok(match result.rows() {
        [first, .., last] => {
            let agent = first.text("agent")?;
            format!(
                "From {} to {}: who shuts {} out, by name or by the group of *. A host counts once in each crawl; where archives name no crawl, it \
                 counts once, in the year of its fetch that counts. Crawls and years differ in their hosts, not only in time. {INTERVALS}{}",
                period(first)?,
                period(last)?,
                words::plain(agent),
                totals.on_unnameable(&[agent])
            )
        }
        [only] => format!("All fetches are of one crawl or year: {}.", period(only)?),
        [] => String::new(),
    })
}

/// Returns how many hosts answer with success.
pub fn status(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let mut files = (0, 0);
    for row in result.rows() {
        if row.text("status_class")? == "2xx" {
            files = (row.count("hosts_at_first")?, row.count("hosts_at_last")?);
        }
    }
    Ok(format!(
        "{} answer the first request with success; once redirects are followed it is {}.",
        words::hosts(files.0, totals.of.hosts),
        words::hosts(files.1, totals.of.hosts)
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
    Ok(format!(
        "{} redirect the request; for {} of these, a robots.txt is read at the end.",
        words::hosts(followed, totals.of.hosts),
        words::hosts(read, followed)
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
    Ok(format!(
        "{} serve a file longer than the 500 KiB that every crawler must read (RFC 9309, 2.5), and {} an empty one. \
         Each bar counts files of up to twice the size of the one before.",
        words::hosts(over, totals.of.hosts_read),
        words::hosts(empty, totals.of.hosts_read)
    ))
}

/// Returns which agent is shut out most often, and by which groups others are restricted.
pub fn restriction(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let row = most(result, "domains_full")?.ok_or(NO_ROW)?;
    let agents = result.rows().iter().map(|row| row.text("agent"));
    let agents = agents.collect::<Result<Vec<_>, _>>()?;
    let whole = row.count("domains_read")?;
    let by_name = row.count("domains_partial_named")?;
    let by_everybody = row.count("domains_partial_everybody")?;
    Ok(format!(
        "{} is shut out of everything most often, by {}, {} of them by name. Partly, some but not all of the paths in the file are closed to it by {}: by \
         a group of its own for {}, by the group of *, which is for agents that no other group names, for {}.{}",
        words::plain(row.text("agent")?),
        words::domains(row.count("domains_full")?, whole),
        words::count(row.count("domains_full_named")?),
        words::domains(by_name + by_everybody, whole),
        words::count(by_name),
        words::count(by_everybody),
        totals.on_unnameable(&agents)
    ))
}

/// Returns how many domains shut out the first category, and whether search engines as well.
pub fn ai_against_search(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let row = result.rows().first().ok_or(NO_ROW)?;
    let only = row.count("domains_only_these")?;
    let shut_out = only + row.count("domains_both_shut_out")?;
    let of_hosts = row.count("only_these")? + row.count("both_shut_out")?;
    Ok(format!(
        "{} shut out at least one agent of the category {}, and {} let search engines in. By host, {} shut one out.",
        words::domains(shut_out, row.count("domains_read")?),
        words::plain(row.text("agent_category")?),
        words::domains(only, shut_out),
        words::hosts(of_hosts, row.count("hosts_read")?)
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
    Ok(format!(
        "Of the {} registered domains that name {}, {} name {} as well. Each number is the share, in percent, of those naming the agent of the row that also \
         name the agent of the column.",
        words::count(of_first),
        words::plain(first),
        words::share(both, of_first),
        words::plain(second)
    ))
}

/// Returns under which top-level domain the largest share shuts AI agents out.
pub fn top_level_domains(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let (mut most, mut text) = (None, String::new());
    for row in result.rows() {
        let (any_ai, whole) = (row.count("domains_any_ai")?, row.count("domains_read")?);
        let share = any_ai as f64 / whole as f64;
        if whole >= MIN_HOSTS && most.is_none_or(|so_far| share > so_far) {
            most = Some(share);
            text = format!(
                "Under .{}, {} of {} domains ({}) shut out at least one AI agent, the largest share of those shown. {INTERVALS} Where the lines of two \
                 top-level domains overlap much, their order may be due to chance.",
                words::plain(row.text("url_host_tld")?),
                words::count(any_ai),
                words::count(whole),
                words::share(any_ai, whole)
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
    Ok(format!(
        "{} say {}={}, more than any other signal.",
        both(row, totals)?,
        words::label(row.text("key")?, 40),
        words::label(row.text("value")?, 40)
    ))
}

/// Returns where the second dialect of the run decides otherwise than the reference dialect.
pub fn disagreements(result: &ResultSet, totals: &DatasetTotals) -> Caption {
    let (reference, others) = (&totals.reference_dialect, &totals.on_other_dialects);
    let Some(row) = result.rows().first() else {
        return Ok(format!(
            "{reference} and {} give the same verdict for every agent and URL of the matrix, on every host.{others}",
            totals.candidate_dialect
        ));
    };
    Ok(format!(
        "Most often {reference} says {} and {} says {}: on {} and {}, in {} verdicts, where the first decides by {} and the second by {}.{others}",
        row.text("base_verdict")?,
        words::plain(row.text("dialect")?),
        row.text("verdict")?,
        words::domains(row.count("domains")?, totals.of.domains),
        words::hosts(row.count("hosts")?, totals.of.hosts),
        words::count(row.count("cells")?),
        row.text("base_basis")?,
        row.text("basis")?
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
    Ok(format!(
        "The most frequent is {} ({whereabouts}), on {} of the pages.",
        words::plain(row.text("directive")?),
        words::share(row.count("pages")?, row.count("of_pages")?)
    ))
}

/// Returns how many pages the first agent may fetch and must not index.
pub fn robots_and_pages(result: &ResultSet, _: &DatasetTotals) -> Caption {
    let row = result.rows().first().ok_or(NO_ROW)?;
    Ok(format!(
        "{} may fetch and must not index {} of the pages, which are of {} hosts and have a statement on the page as a whole and a robots.txt of their origin \
         in the dataset. What a page states is never read by an agent that robots.txt shuts out.",
        words::plain(row.text("agent")?),
        words::share(row.count("shut_out_by_page")?, row.count("pages")?),
        words::count(row.count("hosts")?)
    ))
}

/// Returns the share of links with nofollow.
pub fn links(result: &ResultSet, _: &DatasetTotals) -> Caption {
    for row in result.rows() {
        if row.is_true("is_total")? {
            return Ok(format!(
                "{} of the links have nofollow.",
                words::share(row.count("nofollow_links")?, row.count("links")?)
            ));
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
    Ok(format!(
        "{} {what} {}, more than any other.",
        both(row, totals)?,
        words::label(row.text(column)?, 40)
    ))
}
