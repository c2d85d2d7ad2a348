//! The rows of a dataset agree with each other: captures, groups, lines and verdicts add up.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::{
    damage::sums::mixed,
    util::{Census, Table, generated, tally},
};

#[test]
fn capture_ids_are_unique_and_rise_inside_a_part() {
    for census in [mixed(), &generated().census] {
        let captures = census.table("captures");
        let ids = captures.all_ints("capture_id");
        let unique: HashSet<_> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len());
        let names = captures.all_texts("warc_filename");
        for (id, name) in ids.windows(2).zip(names.windows(2)) {
            assert!(id[0] < id[1] || name[0] != name[1], "{id:?} in {name:?}");
        }
    }
}

#[test]
fn every_row_below_captures_belongs_to_a_capture_and_its_host() {
    for census in [mixed(), &generated().census] {
        let hosts = hosts(census);
        for table in "groups agents rules directives errors".split(' ') {
            let rows = census.table(table);
            assert!(rows.n_rows() > 0);
            let names = rows.all_texts("url_host_name");
            for (id, name) in rows.all_ints("capture_id").iter().zip(&names) {
                assert_eq!(hosts.get(id), Some(name), "{table}");
            }
        }
    }
}

fn hosts(census: &Census) -> HashMap<i64, String> {
    let captures = census.table("captures");
    let ids = captures.all_ints("capture_id");
    ids.into_iter()
        .zip(captures.all_texts("url_host_name"))
        .collect()
}

#[test]
fn the_counts_of_a_capture_are_its_rows() {
    for census in [mixed(), &generated().census] {
        let captures = census.table("captures");
        let ids = captures.all_ints("capture_id");
        let of_value = |table: &str, column: &str, value: &str| {
            let rows = census.table(table);
            let ids = rows.all_ints("capture_id").into_iter();
            let found = ids.zip(rows.all_texts(column));
            tally(found.filter(|(_, own)| own == value).map(|(id, _)| id))
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
            for (id, said) in ids.iter().zip(captures.ints(column)) {
                let found = rows.get(id).copied().unwrap_or_default();
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
    let parts = groups
        .all_ints("allow_count")
        .into_iter()
        .zip(groups.all_ints("disallow_count"));
    let sums: Vec<_> = parts.map(|(allow, disallow)| allow + disallow).collect();
    assert_eq!(sums, groups.all_ints("rule_count"));
}

#[test]
fn every_dialect_answers_every_agent_for_every_path_and_for_the_urls_of_the_origin() {
    let census = mixed();
    let captures = census.table("captures");
    let (n_dialects, n_agents, n_paths, n_own) = (2, 3, 2, 2);
    let own = captures.all_texts("origin");
    let own = own
        .iter()
        .filter(|origin| *origin == "http://a.example:80")
        .count();
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
    let rules = census.table("rules");
    let lines: HashSet<_> = rules
        .all_ints("capture_id")
        .into_iter()
        .zip(rules.all_ints("line"))
        .collect();
    let verdicts = census.table("verdicts");
    let ids = verdicts.all_ints("capture_id");
    let bases = verdicts.all_texts("basis");
    let mut decided = 0;
    for ((id, basis), line) in ids.into_iter().zip(bases).zip(verdicts.ints("rule_line")) {
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
    let captures = census.table("captures");
    let ids = captures.all_ints("capture_id");
    let lines: HashMap<_, _> = ids.into_iter().zip(captures.ints("line_count")).collect();
    let errors = census.table("errors");
    for (id, line) in errors
        .all_ints("capture_id")
        .iter()
        .zip(errors.ints("line"))
    {
        let Some(line) = line else { continue };
        let n_lines = lines[id].expect("a file that is not read has no lines");
        assert!(
            (1..=n_lines + 1).contains(&line),
            "line {line} of {n_lines}"
        );
    }
}

#[test]
fn the_crawl_delay_of_a_group_is_its_first_that_is_a_number() {
    let census = &generated().census;
    let directives = census.table("directives");
    let keys = directives.all_texts("key");
    let groups = directives.ints("group_index");
    let ids = directives.all_ints("capture_id");
    let mut wanted = HashMap::new();
    for (row, number) in directives.floats("value_number").into_iter().enumerate() {
        if let (true, Some(group), Some(number)) = (keys[row] == "crawl-delay", groups[row], number)
        {
            wanted.entry((ids[row], group)).or_insert(number);
        }
    }
    assert!(!wanted.is_empty());
    let groups = census.table("groups");
    let keys = groups
        .all_ints("capture_id")
        .into_iter()
        .zip(groups.all_ints("group_index"));
    for (key, delay) in keys.zip(groups.floats("crawl_delay")) {
        assert_eq!(delay, wanted.remove(&key));
    }
    assert!(wanted.is_empty());
}
