//! Charts of the fetch: what hosts answer, how many redirects precede a file, how large files are.

use super::{Chart, DatasetTotals};
use crate::report::{
    bars::{self, Bar, BarGroup, fraction},
    histogram,
    result::{MissingColumn, ResultSet},
    style::Color,
    words,
};

/// The size that every crawler must read at least, in bytes (RFC 9309, 2.5).
const PARSING_LIMIT: u64 = 500 * 1024;

/// Returns the classes of status, of the first answer and after redirects.
pub fn status(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let mut files = (0, 0);
    for row in result.rows() {
        let class = row.text("status_class")?;
        let (first, last) = (row.count("hosts_at_first")?, row.count("hosts_at_last")?);
        if class == "2xx" {
            files = (first, last);
        }
        let bars = [
            Bar::new(row.count("domains_at_last")?, totals.domains, Color::Strong),
            Bar::new(last, totals.hosts, Color::Middle),
            Bar::new(first, totals.hosts, Color::Faint),
        ];
        groups.push(BarGroup::new(class, bars));
    }
    Ok(Chart {
        caption: format!(
            "{} answer the first request with success; once redirects are followed it is {}.",
            words::hosts(files.0, totals.hosts),
            words::hosts(files.1, totals.hosts)
        ),
        denominator: totals.hosts_asked(),
        n_hosts: totals.domains,
        drawing: bars::draw(
            &[
                (Color::Strong, "registered domains, at the end of redirects"),
                (Color::Middle, "hosts, at the end of redirects"),
                (Color::Faint, "hosts, at the first request"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns how many redirects are followed, and what is at their end.
pub fn redirects(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut groups = Vec::new();
    let (mut followed, mut read) = (0, 0);
    for row in result.rows() {
        let (hosts, hosts_read) = (row.count("hosts")?, row.count("hosts_read")?);
        let outcome = row.text("outcome")?;
        let label = match (row.is_null("redirects")?, row.count("redirects")?) {
            (false, 0) => "no redirect".to_owned(),
            (false, 1) => "1 redirect".to_owned(),
            (false, n) => format!("{n} redirects"),
            (true, _) => match outcome {
                "loop" => "a loop",
                "too_many_hops" => "more redirects than are followed",
                "not_followed" => "not followed by the dialect",
                "not_modified" => "304 without an earlier file",
                "not_followable" => "cannot be followed",
                "not_in_corpus" => "target not captured",
                other => other,
            }
            .to_owned(),
        };
        if outcome != "no_redirect" {
            followed += hosts;
            read += hosts_read;
        }
        let read = (Color::Middle, hosts_read);
        let segments = [read, (Color::MiddleHatched, hosts - hosts_read)];
        let bars = [
            Bar::new(row.count("domains")?, totals.domains, Color::Strong),
            Bar::stacked(hosts, totals.hosts, &segments),
        ];
        groups.push(BarGroup::new(label, bars));
    }
    let caption = match followed {
        0 => "No host redirects the request.".to_owned(),
        _ => format!(
            "{} redirect the request; for {} of these, a robots.txt is read at the end.",
            words::hosts(followed, totals.hosts),
            words::hosts(read, followed)
        ),
    };
    Ok(Chart {
        caption,
        denominator: totals.hosts_asked(),
        n_hosts: totals.domains,
        drawing: bars::draw(
            &[
                (Color::Strong, "registered domains"),
                (Color::Middle, "hosts, a robots.txt is read"),
                (Color::MiddleHatched, "hosts, an error or nothing known"),
            ],
            &groups,
        ),
        ..Chart::default()
    })
}

/// Returns the sizes of files and the limit up to which a crawler must read.
pub fn sizes(result: &ResultSet, totals: &DatasetTotals) -> Result<Chart, MissingColumn> {
    let mut columns = Vec::new();
    let (mut empty, mut over) = (0, 0);
    for row in result.rows() {
        let (from, hosts) = (row.count("bytes_from")?, row.count("hosts")?);
        if from == 0 {
            empty = hosts;
        }
        over += row.count("hosts_over_500_kib")?;
        columns.push((from, fraction(row.count("domains")?, totals.domains_read)));
    }
    Ok(Chart {
        caption: format!(
            "{} serve a file longer than the 500 KiB that every crawler must read (the dashed line), and {} an empty one (the column at 0). \
             Each column counts registered domains with files of up to twice the size of the one before.",
            words::hosts(over, totals.hosts_read),
            words::hosts(empty, totals.hosts_read)
        ),
        denominator: totals.hosts_whose_file_was_read(),
        n_hosts: totals.domains_read,
        drawing: histogram::draw(&columns, PARSING_LIMIT),
        ..Chart::default()
    })
}
