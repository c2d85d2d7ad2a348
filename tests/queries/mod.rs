//! `queries/`: each file states what it answers, runs in a real DuckDB, and returns the known rows.

mod asked;
mod by_hand;
mod cases;
#[cfg(feature = "chart-files")]
mod chart_files;
pub mod charts;
mod command;
mod drawings;
#[cfg(unix)]
mod folders;
pub mod pages;
mod shell;
mod views;

use std::{collections::BTreeSet, fs, path::PathBuf};

use robocensus::dataset::table::PAGE_TABLES;

use self::by_hand::by_hand;
use crate::util::{answer, files_with_end, or_skip, package};

/// A file of `queries/`.
pub struct Query {
    name: String,
    path: PathBuf,
    text: String,
}

impl Query {
    /// Returns whether it reads the views over pages.
    fn is_of_pages(&self) -> bool {
        let read = self.tables();
        PAGE_TABLES.iter().any(|table| read.contains(table.name))
    }

    /// Returns the tables and views that it says it reads.
    fn tables(&self) -> BTreeSet<&str> {
        let mut lines = self.text.lines();
        let tables = lines.find_map(|line| line.strip_prefix("-- Tables:"));
        tables.unwrap().split(',').map(str::trim).collect()
    }
}

fn queries() -> Vec<Query> {
    let mut files = files_with_end(&package().join("queries"), "sql");
    files.retain(|path| !path.ends_with("views.sql") && !path.ends_with("page-views.sql"));
    let queries = files.into_iter().map(|path| Query {
        name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
        text: fs::read_to_string(&path).unwrap(),
        path,
    });
    queries.collect()
}

pub fn text_of_views() -> String {
    let views = ["queries/views.sql", "queries/page-views.sql"];
    views
        .map(|name| fs::read_to_string(package().join(name)).unwrap())
        .concat()
}

/// Returns the words after FROM and JOIN, and the tables of both datasets, that are views or
/// macros of tables.
fn views_read(sql: &str) -> BTreeSet<&str> {
    let text = text_of_views();
    let defined = text.lines().filter_map(|line| {
        let (_, defined) = line.split_once(" TEMP ")?;
        let (kind, defined) = defined.split_once(' ')?;
        let is_table = kind == "VIEW" || kind == "MACRO" && line.ends_with(" AS TABLE");
        let name = defined.split([' ', '(']).next()?;
        // What these two read is counted by the tables they are given.
        (is_table && !["table_of", "both_of"].contains(&name)).then_some(name)
    });
    let views: BTreeSet<_> = defined.collect();
    let lines = sql.lines().filter(|line| !line.starts_with("--"));
    let words: Vec<_> = lines.flat_map(str::split_whitespace).collect();
    let behind = words
        .windows(2)
        .filter(|pair| matches!(pair[0].trim_start_matches('('), "FROM" | "JOIN"))
        .map(|pair| pair[1].trim_matches([';', ')']))
        .map(|word| word.trim_start_matches("both_of('").trim_end_matches('\''))
        .map(|word| word.split('(').next().unwrap_or(word));
    behind.filter(|word| views.contains(word)).collect()
}

#[test]
fn every_query_states_what_it_answers_and_what_it_reads() {
    let queries = queries();
    assert!(queries.len() > 40);
    for query in queries {
        let Query { name, text, .. } = &query;
        let mut at = 0;
        for begin in ["?\n--\n-- Tables:  ", "-- Caveats: ", "-- Shape:   "] {
            let found = text[at..].find(begin);
            at += found.unwrap_or_else(|| panic!("{name}: expected {begin:?}"));
        }
        assert_eq!(query.tables(), views_read(text), "{name}");
        assert!(!text.contains("read_parquet"), "{name}");
        let verb = name.split('-').next();
        let is_verb = matches!(verb, Some("count" | "list" | "rank" | "compare"));
        assert!(is_verb, "{name}");
    }
}

/// `share_of` never rounds to all or to nothing; cells are so many that their shares have six
/// digits.
#[test]
fn every_share_is_rounded_by_the_one_rule() {
    let mut n_shares = 0;
    for Query {
        name: query, text, ..
    } in queries()
    {
        let shares = text.lines().filter(|line| {
            let name = line.rsplit_once(" AS ").map_or("", |(_, name)| name);
            let is_bound = name.contains("_low") || name.contains("_high");
            name.starts_with("share") && !is_bound && name.trim_end_matches(',') != "share_of_cells"
        });
        for line in shares {
            assert!(line.contains("share_of("), "{query}: {line}");
            n_shares += 1;
        }
    }
    assert!(n_shares > 80, "{n_shares}");
}

/// Queries whose shares are of no hosts, or of domains under another name.
const SHARES_OF_OTHERS: &str = include_str!("../testdata/queries/shares-of-others.tsv");

/// Shares of other queries that are of no hosts.
const SHARES_OF_NO_HOSTS: [&str; 3] = ["share_of_cells", "share_of_pairs", "share_of_rules"];

/// An owner of thousands of hosts decides a share of hosts, and hosts of one owner are no sample.
#[test]
fn each_share_of_hosts_has_that_of_domains_with_its_interval_beside_it() {
    let named = SHARES_OF_OTHERS
        .lines()
        .filter_map(|line| line.split('\t').next());
    let named: Vec<_> = named.collect();
    let (others, queries): (Vec<_>, Vec<_>) =
        (queries().into_iter()).partition(|query| named.contains(&query.name.as_str()));
    assert_eq!(others.len(), named.len());
    for Query {
        name: query, text, ..
    } in queries
    {
        let named = text.lines().filter_map(|line| line.rsplit_once(" AS "));
        let columns: BTreeSet<_> = named.map(|(_, name)| name.trim_end_matches(',')).collect();
        let is_bound = |name: &str| name.ends_with("_low") || name.ends_with("_high");
        let shares = columns.iter().filter(|name| name.starts_with("share_"));
        let shares: Vec<_> = shares.filter(|name| !is_bound(name)).collect();
        for share in shares {
            if SHARES_OF_NO_HOSTS.contains(share) {
                continue;
            }
            let share = match share.strip_prefix("share_").unwrap() {
                // The shares of this query are all of domains.
                _ if query == "rank-large-top-level-domains" => (*share).to_owned(),
                name if name.contains("domains") => (*share).to_owned(),
                "of_hosts" => "share_of_domains".to_owned(),
                "of_naming" => "share_of_naming_domains".to_owned(),
                name => format!("share_of_domains_{}", name.trim_start_matches("of_")),
            };
            assert!(columns.contains(share.as_str()), "{query}: {share}");
            for end in ["low", "high"] {
                let bound = format!("{share}_{end}");
                assert!(columns.contains(bound.as_str()), "{query}: {bound}");
            }
        }
    }
}

#[test]
fn every_query_is_in_the_readme_of_its_folder() {
    let readme = fs::read_to_string(package().join("queries/README.md")).unwrap();
    for Query { name, .. } in queries() {
        assert!(readme.contains(&format!("[{name}]({name}.sql)")), "{name}");
    }
}

#[test]
fn every_query_gives_rows_of_the_columns_it_promises() {
    let hands = by_hand();
    for query in queries() {
        let name = &query.name;
        let rows = or_skip!(answer(&hands.of(&query), name, &hands.words(name)));
        let comment = query.text.lines().take_while(|line| line.starts_with("--"));
        let comment: String = comment.collect();
        let (_, promised) = comment.split_once("-- Shape:").unwrap();
        let first = rows.first().unwrap_or_else(|| panic!("{name}: no row"));
        for column in first.as_object().unwrap().keys() {
            assert!(promised.contains(column.as_str()), "{name}: {column}");
        }
    }
}
