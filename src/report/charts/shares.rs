//! Charts of shares with their confidence intervals: by agent, by year and by top-level domain.

use super::{Chart, DatasetTotals, MIN_HOSTS};
use crate::report::{
    bars::{self, Bar, BarGroup, fraction},
    result::{MissingColumn, ResultRow, ResultSet},
    style::Color,
    words,
};

/// What the lines over bars are.
const INTERVALS: &str = "The lines over the bars are 95 % intervals (Wilson): they show how far a share may be off by chance if the domains were a random \
     sample of those of interest, and nothing about how they were selected.";

/// The legend of charts that compare domains with hosts.
const DOMAINS_AND_HOSTS: [(Color, &str); 2] = [
    (Color::Strong, "registered domains that shut it out"),
    (Color::Middle, "hosts that shut it out"),
];

/// Returns for each agent the share of registered domains that shut it out, and that of hosts.
pub fn by_domain(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let mut agents = Vec::new();
    let mut widest: Option<(u64, String)> = None;
    for row in result.rows() {
        let agent = row.text("agent")?;
        let (domains, hosts) = (row.count("domains_full")?, full(row)?);
        let (of_domains, of_hosts) = (row.count("domains_read")?, row.count("hosts_read")?);
        agents.push(agent);
        let bars = [
            Bar::new(domains, of_domains, Color::Strong)
                .with_interval(interval(row, "share_of_domains_full")?),
            Bar::new(hosts, of_hosts, Color::Middle),
        ];
        groups.push((domains, BarGroup::new(totals.agent(agent), bars)));
        let gap = (hosts * of_domains).abs_diff(domains * of_hosts);
        if widest.as_ref().is_none_or(|(most, _)| gap > *most) {
            let text = format!(
                "The two shares differ most for {}: {} of domains, {} of hosts.",
                words::plain(agent),
                words::share(domains, of_domains),
                words::share(hosts, of_hosts)
            );
            widest = Some((gap, text));
        }
    }
    groups.sort_by_key(|&(domains, _)| std::cmp::Reverse(domains));
    let groups: Vec<_> = groups.into_iter().map(|(_, group)| group).collect();
    Ok(Chart {
        caption: format!(
            "{} A domain counts once, represented by one of its host names (the bare domain, else www, else the shortest): an owner of thousands of host \
             names has the weight of any other. {INTERVALS}{}",
            widest.map(|(_, text)| text).unwrap_or_default(),
            totals.on_unnameable(agents)
        ),
        denominator: totals.hosts_whose_file_was_read(),
        n_hosts: totals.domains_read,
        drawing: bars::draw(&DOMAINS_AND_HOSTS, &groups),
        ..Chart::default()
    })
}

/// Returns what share of domains shuts the agent of the headline out, by crawl, or without crawls
/// by the year of the fetch.
pub fn by_year(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let mut years = Vec::new();
    let first = result.rows().first();
    let agent = first.map_or(Ok(""), |row| row.text("agent"))?;
    for row in result.rows() {
        let year = match row.is_null("period")? {
            true => "unknown".to_owned(),
            false => words::plain(row.text("period")?),
        };
        let of_domains = row.count("domains_read")?;
        let hosts = (row.count("full_by_rules")?, row.count("hosts_read")?);
        let label = format!("{year} (n = {})", words::count(of_domains));
        if of_domains < MIN_HOSTS {
            groups.push(BarGroup::too_few(label));
            years.push(year);
            continue;
        }
        groups.push(BarGroup::new(
            label,
            [
                Bar::new(row.count("domains_full")?, of_domains, Color::Strong)
                    .with_interval(interval(row, "share_of_domains_full")?),
                Bar::new(hosts.0, hosts.1, Color::Middle),
            ],
        ));
        years.push(year);
    }
    let caption = match years.as_slice() {
        [first, .., last] => format!(
            "From {first} to {last}: who shuts {} out, by name or by the group of *. A host counts once in each crawl; where archives name no crawl, it \
             counts once, in the year of its fetch that counts. Crawls and years differ in their hosts, not only in time. {INTERVALS}{}",
            words::plain(agent),
            totals.on_unnameable([agent])
        ),
        [only] => format!("All fetches are of one crawl or year: {only}."),
        [] => String::new(),
    };
    Ok(Chart {
        caption,
        denominator: format!(
            "n = registered domains of the crawl or year that have a robots.txt; {} in all of them together",
            words::count(totals.domains_read)
        ),
        n_hosts: totals.domains_read,
        drawing: bars::draw(&DOMAINS_AND_HOSTS, &groups).filter(|_| years.len() > 1),
        ..Chart::default()
    })
}

/// Returns what share of domains shuts AI agents out, by top-level domain.
pub fn top_level_domains(
    result: &ResultSet,
    totals: &DatasetTotals,
) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let (mut shown, mut most_domains) = (0, 0);
    let mut most: Option<(f64, String)> = None;
    for row in result.rows() {
        let (any_ai, whole) = (row.count("domains_any_ai")?, row.count("domains_read")?);
        let name = format!(".{}", words::plain(row.text("url_host_tld")?));
        shown += whole;
        most_domains = most_domains.max(whole);
        let share = fraction(any_ai, whole);
        let is_enough = whole >= MIN_HOSTS;
        if is_enough && most.as_ref().is_none_or(|(so_far, _)| share > *so_far) {
            let text = format!(
                "Under {name}, {} of {} domains ({}) shut out at least one AI agent, the largest share of those shown. {INTERVALS} Where the lines of two \
                 top-level domains overlap much, their order may be due to chance.",
                words::count(any_ai),
                words::count(whole),
                words::share(any_ai, whole)
            );
            most = Some((share, text));
        }
        let label = format!("{name} (n = {})", words::count(whole));
        if whole < MIN_HOSTS {
            groups.push(BarGroup::too_few(label));
            continue;
        }
        groups.push(BarGroup::new(
            label,
            [
                Bar::new(any_ai, whole, Color::Strong)
                    .with_interval(interval(row, "share_any_ai")?),
                Bar::new(row.count("domains_everybody")?, whole, Color::Middle)
                    .with_interval(interval(row, "share_everybody")?),
            ],
        ));
    }
    Ok(Chart {
        caption: most.map(|(_, text)| text).unwrap_or_default(),
        denominator: format!(
            "n = {} registered domains under the top-level domains shown, of {} that have a robots.txt",
            words::count(shown),
            words::count(totals.domains_read)
        ),
        n_hosts: most_domains,
        drawing: bars::draw(
            &[
                (Color::Strong, "at least one AI agent shut out"),
                (Color::Middle, "every agent shut out (*)"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns the hosts that shut the agent of a row out.
pub fn full(row: &ResultRow) -> Result<u64, MissingColumn> {
    Ok(row.count("full_named")? + row.count("full_everybody")?)
}

/// Returns the interval of a share, by the name of its column.
fn interval(row: &ResultRow, share: &str) -> Result<Option<[f64; 2]>, MissingColumn> {
    let low = row.number(&format!("{share}_low"))?;
    let high = row.number(&format!("{share}_high"))?;
    Ok(low.zip(high).map(<[f64; 2]>::from))
}
