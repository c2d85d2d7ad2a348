//! Pictures of the fetch: what hosts answer, how many redirects stand before it, how large the
//! files are.

use super::{Chart, Shown, Totals};
use crate::report::{
    answer::{Answer, MissingColumn},
    bars::{Bar, Bars, fraction, note, simple},
    ink::Ink,
    sizes::Sizes,
    words,
};

/// The size that every crawler must read at least, in bytes (RFC 9309, 2.5).
const PARSING_LIMIT: u64 = 500 * 1024;

/// Shows the classes of status at first and behind redirects.
pub fn status(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let mut files = (0, 0);
    for row in answer.rows() {
        let class = row.text("status_class")?;
        let (first, last) = (row.count("hosts_at_first")?, row.count("hosts_at_last")?);
        if class == "2xx" {
            files = (first, last);
        }
        bars.push(simple(class.to_owned(), first, totals.hosts, Ink::Strong));
        bars.push(simple(String::new(), last, totals.hosts, Ink::Middle));
    }
    Ok(Shown {
        reading: format!(
            "{} answer the first request with success; once redirects are followed it is {}.",
            words::hosts(files.0, totals.hosts),
            words::hosts(files.1, totals.hosts)
        ),
        whole: totals.hosts_asked(),
        n_hosts: totals.hosts,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "at the first request"),
                (Ink::Middle, "at the end of redirects"),
            ],
            bars,
        }),
    })
}

/// Shows how many redirects are followed, and what is at their end.
pub fn redirects(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut bars = Vec::new();
    let (mut followed, mut read) = (0, 0);
    for row in answer.rows() {
        let (hosts, hosts_read) = (row.count("hosts")?, row.count("hosts_read")?);
        let label = match (row.is_null("redirects")?, row.count("redirects")?) {
            (false, 0) => "no redirect".to_owned(),
            (false, 1) => "1 redirect".to_owned(),
            (false, n) => format!("{n} redirects"),
            (true, _) => match row.text("outcome")? {
                "loop" => "a loop",
                "too_many_hops" => "more redirects than are followed",
                "too_far_in_time" => "target fetched at another time",
                "not_followed" => "not followed by the dialect",
                "not_modified" => "304 without an earlier file",
                "not_followable" => "cannot be followed",
                "not_in_corpus" => "target not in the dataset",
                other => other,
            }
            .to_owned(),
        };
        if row.text("outcome")? != "no_redirect" {
            followed += hosts;
            read += hosts_read;
        }
        bars.push(Bar {
            label,
            note: note(hosts, totals.hosts),
            parts: vec![
                (Ink::Strong, fraction(hosts_read, totals.hosts)),
                (Ink::Middle, fraction(hosts - hosts_read, totals.hosts)),
            ],
            interval: None,
        });
    }
    let reading = match followed {
        0 => "No host redirects the request.".to_owned(),
        _ => format!(
            "{} redirect the request; a robots.txt is read behind the redirects of {}.",
            words::hosts(followed, totals.hosts),
            words::hosts(read, followed)
        ),
    };
    Ok(Shown {
        reading,
        whole: totals.hosts_asked(),
        n_hosts: totals.hosts,
        notes: Vec::new(),
        chart: Chart::of_bars(Bars {
            legend: vec![
                (Ink::Strong, "a robots.txt is read"),
                (Ink::Middle, "an error, or nothing known"),
            ],
            bars,
        }),
    })
}

/// Shows the sizes of files and the limit up to which a crawler must read.
pub fn sizes(answer: &Answer, totals: &Totals) -> Result<Shown, MissingColumn> {
    let mut columns = Vec::new();
    let (mut empty, mut over) = (0, 0);
    for row in answer.rows() {
        let (from, hosts) = (row.count("bytes_from")?, row.count("hosts")?);
        if from == 0 {
            empty = hosts;
        }
        over += row.count("hosts_over_500_kib")?;
        columns.push((from, fraction(hosts, totals.hosts_read)));
    }
    let chart = (!columns.is_empty()).then_some(Chart::Sizes(Sizes {
        columns,
        limit: PARSING_LIMIT,
    }));
    Ok(Shown {
        reading: format!(
            "{} serve a file longer than the 500 KiB that every crawler must read (the dashed line), and {} an empty one (the column at 0). \
             Each column holds files of up to twice the size of the one before.",
            words::hosts(over, totals.hosts_read),
            words::hosts(empty, totals.hosts_read)
        ),
        whole: totals.hosts_whose_file_was_read(),
        n_hosts: totals.hosts_read,
        notes: Vec::new(),
        chart,
    })
}
