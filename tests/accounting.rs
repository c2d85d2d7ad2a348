//! The rows of a dataset agree with each other: captures, groups, lines and verdicts add up.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::{
    damage::sums::mixed,
    util::{Table, generated, tally},
};

#[test]
fn capture_ids_are_unique_and_rise_inside_a_part() {
    for census in [mixed(), &generated().census] {
        let captures = census.table("captures");
        let rows: Vec<(i64, String)> = captures.rows("capture_id warc_filename");
        let unique: HashSet<_> = rows.iter().map(|(id, _)| id).collect();
        assert_eq!(unique.len(), rows.len());
        for two in rows.windows(2) {
            assert!(two[0].0 < two[1].0 || two[0].1 != two[1].1, "{two:?}");
        }
    }
}

#[test]
fn every_row_below_captures_belongs_to_a_capture_and_its_host() {
    for census in [mixed(), &generated().census] {
        let hosts = census.table("captures").rows("capture_id url_host_name");
        let hosts: HashMap<i64, String> = hosts.into_iter().collect();
        for table in "groups agents rules directives errors".split(' ') {
            let rows: Vec<(i64, String)> = census.table(table).rows("capture_id url_host_name");
            assert!(!rows.is_empty());
            for (id, name) in rows {
                assert_eq!(hosts.get(&id), Some(&name), "{table}");
            }
        }
    }
}

#[test]
fn the_counts_of_a_capture_are_its_rows() {
    for census in [mixed(), &generated().census] {
        let captures = census.table("captures");
        let of_value = |table: &str, column: &str, value: &str| {
            let rows: Vec<(i64, String)> =
                census.table(table).rows(&format!("capture_id {column}"));
            let found = rows.into_iter().filter(|(_, own)| own == value);
            tally(found.map(|(id, _)| id))
        };
        let rows = |table: &str| tally(census.table(table).all_ints("capture_id"));
        for (column, rows) in [
            ("group_count", rows("groups")),
            ("rule_count", rows("rules")),
            ("allow_count", of_value("rules", "rule_kind", "allow")),
            ("disallow_count", of_value("rules", "rule_kind", "disallow")),
            ("sitemap_count", of_value("directives", "key", "sitemap")),
            ("error_count", rows("errors")),
            ("response_error_count", rows("response_errors")),
        ] {
            let counts = captures.rows::<(i64, Option<i64>)>(&format!("capture_id {column}"));
            for (id, said) in counts {
                let found = rows.get(&id).copied().unwrap_or_default();
                assert_eq!(said.unwrap_or_default(), found as i64, "{column}");
            }
        }
    }
}

#[test]
fn the_counts_of_a_group_are_its_rows() {
    let census = &generated().census;
    let key = |table: &Table| table.lines("capture_id group_index").into_iter();
    let groups = census.table("groups");
    for (table, column) in [("agents", "agent_count"), ("rules", "rule_count")] {
        let rows = tally(key(&census.table(table)));
        for (key, said) in key(&groups).zip(groups.all_ints(column)) {
            let found = rows.get(&key).copied().unwrap_or_default();
            assert_eq!(found as i64, said, "{column}");
        }
    }
    for [allow, disallow, all] in groups.rows::<[i64; 3]>("allow_count disallow_count rule_count") {
        assert_eq!(allow + disallow, all);
    }
}

#[test]
fn every_dialect_answers_every_agent_for_every_path_and_for_the_urls_of_the_origin() {
    let census = mixed();
    let captures = census.table("captures");
    let (n_dialects, n_agents, n_paths, n_own) = (2, 3, 2, 2);
    let urls = captures.all_texts("url");
    let is_own = |url: &&String| url.starts_with("http://a.example/");
    let own = urls.iter().filter(is_own).count();
    assert!(own >= 2);
    let cells = n_dialects * n_agents * (n_paths * captures.n_rows() + n_own * own);
    let verdicts = census.table("verdicts");
    assert_eq!(verdicts.n_rows(), cells);
    let by_dialect = tally(verdicts.all_texts("dialect"));
    let half = ["google", "rfc9309"].map(|dialect| (dialect.to_owned(), cells / 2));
    assert_eq!(by_dialect, BTreeMap::from(half));
}

#[test]
fn a_verdict_that_a_rule_decided_names_a_line_of_rules() {
    let census = &generated().census;
    let lines = census.table("rules").rows("capture_id line");
    let lines: HashSet<(i64, i64)> = lines.into_iter().collect();
    let verdicts: Vec<(i64, String, Option<i64>)> =
        census.table("verdicts").rows("capture_id basis rule_line");
    let mut decided = 0;
    for (id, basis, line) in verdicts {
        assert_eq!(line.is_some(), basis == "rule");
        if let Some(line) = line {
            assert!(lines.contains(&(id, line)), "{id}, line {line}");
            decided += 1;
        }
    }
    assert!(decided > 1_000);
}

#[test]
fn lines_of_errors_lie_inside_their_files_and_only_files_that_are_read_have_them() {
    let census = &generated().census;
    let lines = census.table("captures").rows("capture_id line_count");
    let lines: HashMap<i64, Option<i64>> = lines.into_iter().collect();
    let errors: Vec<(i64, Option<i64>)> = census.table("errors").rows("capture_id line");
    for (id, line) in errors {
        let Some(line) = line else { continue };
        let n_lines = lines[&id].expect("a file that is not read has no lines");
        assert!(
            (1..=n_lines + 1).contains(&line),
            "line {line} of {n_lines}"
        );
    }
}

#[test]
fn the_crawl_delay_of_a_group_is_its_first_that_is_a_number() {
    let census = &generated().census;
    type Directive = (String, i64, Option<i64>, Option<f64>);
    let directives = census.table("directives");
    let directives = directives.rows::<Directive>("key capture_id group_index value_number");
    let mut wanted = HashMap::new();
    for (key, id, group, number) in directives {
        if let ("crawl-delay", Some(group), Some(number)) = (&*key, group, number) {
            wanted.entry((id, group)).or_insert(number);
        }
    }
    assert!(!wanted.is_empty());
    type Group = (i64, i64, Option<f64>);
    let groups = census.table("groups");
    for (id, group, delay) in groups.rows::<Group>("capture_id group_index crawl_delay") {
        assert_eq!(delay, wanted.remove(&(id, group)));
    }
    assert!(wanted.is_empty());
}
