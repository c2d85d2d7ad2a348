//! Distinct vectors of answers and of policies, each stored once for the captures that share it.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroUsize,
};

use robocensus::{
    Config, Progress,
    robots::{dialect::Dialect, matrix::read_urls},
};

use crate::util::{
    Dir, Held, Table, answer, files_below, generated, gzip, or_skip, response, sample,
};

/// Two paths for every host, and absolute URLs that only two of them are asked.
const URLS: &str =
    "/\n/wp-admin/x\nhttps://own.example/a\nhttps://own.example/b\nhttp://other.example/a\n";

/// Returns two parts of three tasks each, by what their sources say of their sizes: tasks hold 16
/// MiB.
fn archives() -> Vec<Held> {
    let of_urls = ["https://own", "http://other", "https://a"].map(|host| {
        let url = format!("{host}.example/robots.txt");
        response(&url, "User-agent: *\nDisallow: /a\n")
    });
    let samples = (1..6).map(|seed| sample(120, seed));
    let archives = [gzip(&of_urls.concat())].into_iter().chain(samples);
    let named = archives
        .enumerate()
        .map(|(number, bytes)| Held::new(&format!("{number}.warc.gz"), bytes).of_mib(10));
    named.collect()
}

/// Returns the rows of a table as texts without their key, by their key and in their order.
fn vectors(table: &Table, key: &str) -> BTreeMap<i64, Vec<String>> {
    let rows = table.rows_without(&[key]).into_iter();
    let mut vectors: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for (id, row) in table.all_ints(key).into_iter().zip(rows) {
        vectors.entry(id).or_default().push(row);
    }
    vectors
}

#[test]
fn a_vector_stands_once_in_a_part_and_parts_share_no_identifier() {
    let dir = Dir::new();
    let mut config = Config::new(dir.path("census"));
    config.threads = NonZeroUsize::new(3).unwrap();
    config.part_bytes = 32 << 20;
    config.dialects = vec![Dialect::GOOGLE, Dialect::PYTHON];
    config.matrix.urls = read_urls(URLS).unwrap();
    let archives: Vec<_> = archives().into_iter().map(Held::source).collect();
    robocensus::run(&config, &archives, &Progress::default()).unwrap();
    for (table, key) in [
        ("verdict_sets", "verdict_set_id"),
        ("policy_sets", "policy_set_id"),
    ] {
        let files = files_below(&dir.path("census").join(table));
        assert_eq!(files.len(), 2);
        let mut ids_of_all = BTreeSet::new();
        let mut vectors_of_all = BTreeSet::new();
        let mut n_vectors = 0;
        for file in files {
            let by_set = vectors(&Table::of_file(&file), key);
            for id in by_set.keys() {
                assert!(ids_of_all.insert(*id), "{id} is in both parts");
            }
            let distinct: BTreeSet<_> = by_set.values().cloned().collect();
            assert_eq!(distinct.len(), by_set.len(), "{table}");
            n_vectors += distinct.len();
            vectors_of_all.extend(distinct);
        }
        // The parts do have vectors in common, or the identifiers would be apart anyway.
        assert!(vectors_of_all.len() < n_vectors, "{table}");
    }
}

#[test]
fn the_views_have_a_row_for_each_capture() {
    let census = &generated().census;
    for view in ["verdicts", "policies"] {
        let sql = format!("SELECT count(*) AS n FROM {view}");
        let rows = or_skip!(answer(&census.0, &sql, &[]));
        assert_eq!(rows[0]["n"], census.table(view).n_rows(), "{view}");
    }
}
