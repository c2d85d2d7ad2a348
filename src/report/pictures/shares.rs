//! Pictures of shares with what bounds them: by registered domain beside hosts, by year, and by
//! top-level domain, each with its interval.

use super::{Chart, Shown, Totals};
use crate::report::{
    answer::{Answer, MissingColumn, Row},
    bars::{Bar, Bars, fraction, note, simple},
    ink::Ink,
    words,
};

/// What the lines over bars are.
const INTERVALS: &str = "The lines over the bars are 95 % intervals (Wilson): they say how far the share may be off by chance \
     alone, had the domains been drawn at random from those that one asks about, and nothing of how they were chosen.";

/// Shows for each agent the share of registered domains that shut it out, and that of hosts.
pub fn by_domain(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let mut agents = Vec::new();
    let mut widest: Option<(u64, String)> = None;
    let mut rows = Vec::new();
    for row in answer.rows() {
        rows.push((std::cmp::Reverse(row.count("domains_full")?), row));
    }
    rows.sort_by_key(|&(most_first, _)| most_first);
    for (_, row) in rows {
        let agent = row.text("agent")?;
        let (domains, hosts) = (row.count("domains_full")?, full(row)?);
        let (of_domains, of_hosts) = (row.count("domains_read")?, row.count("hosts_read")?);
        agents.push(agent);
        bars.push(Bar {
            interval: interval(
                row,
                "share_of_domains_full_low",
                "share_of_domains_full_high",
            )?,
            ..simple(totals.agent(agent), domains, of_domains, Ink::Strong)
        });
        bars.push(simple(String::new(), hosts, of_hosts, Ink::Middle));
        let gap = (hosts * of_domains).abs_diff(domains * of_hosts);
        if widest.as_ref().is_none_or(|(most, _)| gap > *most) {
            let text = format!(
                "The two differ most for {}: {} of domains, {} of hosts.",
                words::plain(agent),
                words::share(domains, of_domains),
                words::share(hosts, of_hosts)
            );
            widest = Some((gap, text));
        }
    }
    Ok(Shown {
        reading: format!(
            "{} A domain counts once, as the host name that stands for it (the bare domain, else www, else the shortest): one owner of thousands of \
             host names weighs as much as any other. {INTERVALS}{}",
            widest.map(|(_, text)| text).unwrap_or_default(),
            totals.on_unnameable(agents)
        ),
        whole: totals.domains_whose_file_was_read(),
        n_hosts: totals.domains_read,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "registered domains that shut it out"),
                (Ink::Middle, "hosts that shut it out"),
            ],
            bars,
        }),
    })
}

/// Shows what share of domains shuts the agent of the headline out, by the year of the fetch.
pub fn by_year(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let mut years = Vec::new();
    let agent = answer
        .rows()
        .first()
        .map_or(Ok(""), |row| row.text("agent"))?;
    let shown = words::plain(agent);
    for row in answer.rows() {
        let year = match row.is_null("year")? {
            true => "unknown".to_owned(),
            false => row.count("year")?.to_string(),
        };
        let of_domains = row.count("domains_read")?;
        years.push(year.clone());
        bars.push(Bar {
            interval: interval(
                row,
                "share_of_domains_full_low",
                "share_of_domains_full_high",
            )?,
            ..simple(
                format!("{year} (n = {})", words::count(of_domains)),
                row.count("domains_full")?,
                of_domains,
                Ink::Strong,
            )
        });
        bars.push(simple(
            String::new(),
            row.count("full_by_rules")?,
            row.count("hosts_read")?,
            Ink::Middle,
        ));
    }
    let reading = match years.as_slice() {
        [first, .., last] => format!(
            "Fetches from {first} to {last}: who shuts {shown} out, by name or with everybody. Each host is in the year of its fetch that counts; years \
             differ in whom they hold, not only in time. {INTERVALS}{}",
            totals.on_unnameable([agent])
        ),
        [only] => format!("All fetches are of one year: {only}."),
        [] => String::new(),
    };
    Ok(Shown {
        reading,
        whole: format!(
            "n = registered domains of the year whose robots.txt was read; {} in all years together",
            words::count(totals.domains_read)
        ),
        n_hosts: totals.domains_read,
        notes: Vec::new(),
        chart: (years.len() > 1)
            .then(|| {
                Chart::of_bars(Bars {
                    legend: vec![
                        (Ink::Strong, "registered domains that shut it out"),
                        (Ink::Middle, "hosts that shut it out"),
                    ],
                    bars,
                })
            })
            .flatten(),
    })
}

/// Shows what share of domains shuts AI agents out, by top-level domain.
pub fn top_level_domains(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let (mut shown, mut most_domains) = (0, 0);
    let mut most: Option<(f64, String)> = None;
    for row in answer.rows() {
        let whole = row.count("domains_read")?;
        let (any_ai, everybody) = (
            row.count("domains_any_ai")?,
            row.count("domains_everybody")?,
        );
        let name = format!(".{}", words::plain(row.text("url_host_tld")?));
        shown += whole;
        most_domains = most_domains.max(whole);
        let share = fraction(any_ai, whole);
        if most.as_ref().is_none_or(|(so_far, _)| share > *so_far) {
            let text = format!(
                "Under {name}, {} of {} domains ({}) shut out at least one AI agent, the largest share of those shown. {INTERVALS} Where two lines \
                 overlap much, the order of the two may be chance.",
                words::count(any_ai),
                words::count(whole),
                words::share(any_ai, whole)
            );
            most = Some((share, text));
        }
        bars.push(Bar {
            interval: interval(row, "share_any_ai_low", "share_any_ai_high")?,
            ..simple(
                format!("{name} (n = {})", words::count(whole)),
                any_ai,
                whole,
                Ink::Strong,
            )
        });
        bars.push(Bar {
            label: String::new(),
            note: note(everybody, whole),
            parts: vec![(Ink::Middle, fraction(everybody, whole))],
            interval: interval(row, "share_everybody_low", "share_everybody_high")?,
        });
    }
    Ok(Shown {
        reading: most.map(|(_, text)| text).unwrap_or_default(),
        whole: format!(
            "n = {} registered domains under the top-level domains shown, of {} whose robots.txt was read",
            words::count(shown),
            words::count(totals.domains_read)
        ),
        n_hosts: most_domains,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "at least one AI agent shut out"),
                (Ink::Middle, "everybody shut out (*)"),
            ],
            bars,
        }),
    })
}

/// Returns the hosts that shut the agent of a row out.
pub fn full(row: &Row) -> Result<u64, MissingColumn> {
    Ok(row.count("full_named")? + row.count("full_everybody")?)
}

fn interval(
    row: &Row,
    low: &'static str,
    high: &'static str,
) -> Result<Option<[f64; 2]>, MissingColumn> {
    let ends = [row.number(low)?, row.number(high)?];
    Ok(ends[0].zip(ends[1]).map(|(low, high)| [low, high]))
}
