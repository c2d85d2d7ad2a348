//! The rows of the table `hosts`, by a naive choice over all fetches in memory.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use crate::util::{Census, origin_of};

/// The rows of a table as texts, by column.
fn shown(census: &Census, table: &str) -> Vec<BTreeMap<String, String>> {
    if !census.0.join(table).is_dir() {
        return Vec::new();
    }
    let table = census.table(table);
    let mut rows = vec![BTreeMap::new(); table.n_rows()];
    for name in table.names() {
        for (row, value) in rows.iter_mut().zip(table.shown(&name)) {
            row.insert(name.clone(), value);
        }
    }
    rows
}

pub fn rows(census: &Census) -> Vec<BTreeMap<String, String>> {
    shown(census, "hosts")
}

/// Returns a text, or a number, of a value that is not NULL.
fn inner(value: &str) -> &str {
    let inner = value.strip_prefix("Some(").unwrap_or_default();
    inner.trim_end_matches(')').trim_matches('"')
}

fn number(value: &str) -> Option<i64> {
    inner(value).parse().ok()
}

/// Returns the rows that the table must have, in their order: every fetch with its end, the fetch
/// that counts for each origin, then the primary ones, each by sorting all of its kind.
pub fn by_definition(census: &Census) -> Vec<BTreeMap<String, String>> {
    const NULL: &str = "None";
    let captures = shown(census, "captures");
    let dialects = shown(census, "dialects");
    let is_reference = |row: &&BTreeMap<_, _>| row["dialect_index"] == "Some(0)";
    let reference = &dialects.iter().find(is_reference).unwrap()["dialect"];
    let redirects = shown(census, "redirects");
    let redirects: HashMap<_, _> = redirects
        .iter()
        .filter(|row| row["dialect"] == *reference)
        .map(|row| (&row["capture_id"], row))
        .collect();
    let by_id: HashMap<_, _> = captures
        .iter()
        .map(|row| (&row["capture_id"], row))
        .collect();
    let mut by_crawl: BTreeMap<_, BTreeMap<_, Vec<Fetch>>> = BTreeMap::new();
    for capture in &captures {
        if inner(&capture["url_path"]) != "/robots.txt" || capture["url_query"] != NULL {
            continue;
        }
        let mut row: BTreeMap<String, String> = [
            "capture_id",
            "url_host_name",
            "url_host_tld",
            "url_host_registered_domain",
            "url_protocol",
            "url_port",
            "crawl",
            "fetch_time",
            "fetch_status",
        ]
        .map(|name| (name.to_owned(), capture[name].clone()))
        .into();
        let chain = redirects.get(&capture["capture_id"]);
        let of_chain = |name: &str| chain.map_or(NULL, |chain| chain[name].as_str());
        let outcome = inner(of_chain("outcome"));
        let end = match outcome {
            "" | "not_followed" => Some(capture),
            _ => by_id
                .get(&of_chain("effective_capture_id").to_owned())
                .copied(),
        };
        let of_end = |name: &str| end.map_or(NULL, |end| end[name].as_str());
        let status = number(of_end("fetch_status"));
        let (access, is_answer) = match of_chain("access") {
            NULL => (
                match inner(of_end("access")) {
                    "" | "redirect" => "Some(\"undefined\")",
                    _ => of_end("access"),
                },
                status.is_some_and(|status| matches!(status / 100, 2 | 4) && status != 429),
            ),
            access => (
                access,
                !["not_in_corpus", "not_modified"].contains(&outcome),
            ),
        };
        let is_html = match of_end("is_html") {
            NULL => "Some(false)",
            is_html => is_html,
        };
        let has_robots_txt = match of_end("is_robots_txt") {
            NULL => "Some(false)",
            is_robots_txt => is_robots_txt,
        };
        let applies = end.unwrap_or(capture);
        let fetch = if applies["capture_id"] == capture["capture_id"] {
            NULL
        } else {
            &capture["capture_id"]
        };
        for (name, value) in [
            ("capture_id", applies["capture_id"].as_str()),
            ("fetch_capture_id", fetch),
            ("verdict_set_id", &applies["verdict_set_id"]),
            ("policy_set_id", &applies["policy_set_id"]),
            ("redirect_outcome", of_chain("outcome")),
            ("redirect_hops", of_chain("hops")),
            ("end_status", of_end("fetch_status")),
            ("end_is_html", is_html),
            ("has_robots_txt", has_robots_txt),
            ("access", access),
        ] {
            row.insert(name.to_owned(), value.to_owned());
        }
        let counts = (
            is_answer,
            number(&row["fetch_time"]),
            number(&capture["capture_id"]),
        );
        let crawl = inner(&capture["crawl"]).to_owned();
        let host = &capture["url_host_name"];
        let domain = match capture["url_host_registered_domain"].as_str() {
            NULL => host,
            registered => registered,
        };
        let origin = origin_of(inner(&capture["url"]));
        let place = [inner(domain).to_owned(), inner(host).to_owned(), origin];
        let by_origin = by_crawl.entry(crawl).or_default();
        by_origin.entry(place).or_default().push((counts, row));
    }
    let mut rows = Vec::new();
    for by_origin in by_crawl.into_values() {
        rows.extend(of_crawl(by_origin));
    }
    rows
}

/// A row, and by what it is chosen among others.
type Fetch = ((bool, Option<i64>, Option<i64>), BTreeMap<String, String>);

/// Returns the rows of a crawl, given its fetches by domain, host and origin.
fn of_crawl(by_origin: BTreeMap<[String; 3], Vec<Fetch>>) -> Vec<BTreeMap<String, String>> {
    let mut rows: Vec<_> = by_origin
        .into_iter()
        .filter_map(|([domain, _, origin], fetches)| {
            let (_, mut row) = fetches.into_iter().max_by_key(|(counts, _)| *counts)?;
            row.insert("domain".to_owned(), format!("Some({domain:?})"));
            row.insert("origin".to_owned(), format!("Some({origin:?})"));
            Some(row)
        })
        .collect();
    let has_file = |row: &BTreeMap<String, String>| row["has_robots_txt"] == "Some(true)";
    mark(&mut rows, "url_host_name", "is_primary", |_, row| {
        let protocol = inner(&row["url_protocol"]);
        let port = number(&row["url_port"]);
        let usual = [("https", 443), ("http", 80), ("ftp", 21)];
        let is_other = port.is_some_and(|port| !usual.contains(&(protocol, port)));
        let origin = inner(&row["origin"]).to_owned();
        (!has_file(row), protocol != "https", is_other, origin)
    });
    mark(
        &mut rows,
        "domain",
        "is_primary_of_domain",
        |domain, row| {
            let host = inner(&row["url_host_name"]);
            (
                Reverse(row["is_primary"] == "Some(true)"),
                !has_file(row),
                host != domain,
                host != format!("www.{domain}"),
                host.len(),
                host.to_owned(),
            )
        },
    );
    for row in &mut rows {
        row.remove("domain");
        row.remove("origin");
    }
    rows
}

/// Sets a column to true for the smallest of all rows with the same value in another.
fn mark<K: Ord>(
    rows: &mut [BTreeMap<String, String>],
    of: &str,
    column: &str,
    rank: impl Fn(&str, &BTreeMap<String, String>) -> K,
) {
    let mut first: BTreeMap<String, (K, usize)> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        let name = inner(&row[of]).to_owned();
        let rank = rank(&name, row);
        match first.get(&name) {
            Some((best, _)) if *best <= rank => {}
            _ => drop(first.insert(name, (rank, index))),
        }
    }
    for (index, row) in rows.iter_mut().enumerate() {
        let is_first = first.values().any(|(_, first)| *first == index);
        row.insert(column.to_owned(), format!("Some({is_first})"));
    }
}
