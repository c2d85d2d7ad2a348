//! The consistency of the counts of a run, checked in debug builds: a difference is an error of
//! this program.

use std::collections::BTreeMap;

use super::config::Config;
use crate::dataset::{
    summary::Counts,
    table::{
        agents, archives, captures, directives, errors, groups, page_directives, pages,
        response_errors, rules,
    },
};

/// Checks the sums of a finished run.
///
/// # Panics
///
/// If two figures differ that must be equal.
pub(super) fn check(counts: &Counts, rows: &BTreeMap<String, u64>, config: &Config) {
    for (what, one, other) in counts.sums() {
        assert_eq!(one, other, "{what} are not the same number");
    }
    for (table, counted) in [
        (archives::TABLE, counts.archives),
        (captures::TABLE, counts.captures),
        (groups::TABLE, counts.groups),
        (agents::TABLE, counts.agents),
        (rules::TABLE, counts.rules),
        (directives::TABLE, counts.directives),
        (errors::TABLE, counts.n_errors()),
        (response_errors::TABLE, counts.n_response_errors()),
        (pages::TABLE, counts.pages),
        (page_directives::TABLE, counts.page_statements),
    ] {
        if !config.tables.contains(table.name) {
            continue;
        }
        let written = rows.get(table.name).copied().unwrap_or_default();
        assert_eq!(
            written, counted,
            "rows of {}: written, and counted",
            table.name
        );
    }
}
