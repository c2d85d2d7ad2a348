//! The rows of a dataset agree with each other: captures, groups and lines add up.

use std::collections::HashSet;

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
