//! A finished run: its counts, its time, and what was given up.

use serde_json::{Map, Value, json};

use super::{Counts, Distinct, Redirects};

/// What a run found and made.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The run's identifier: a digest of its inputs and options.
    pub run_id: String,
    /// The reference dialect.
    pub reference_dialect: String,
    /// What was found.
    pub counts: Counts,
    /// The names of `counts.categories`.
    pub categories: Vec<String>,
    /// Archives of which records may be missing, of this run's parts and of those kept, in the order of their names; at most
    /// [`Summary::MOST_GIVEN_UP`].
    pub given_up: Vec<GivenUp>,
    /// Archives of unknown size, such as standard input, that were not read: a part of their names
    /// was published before.
    pub not_read: Vec<String>,
    /// The table `redirects`, of the whole dataset and not this run alone; `None` if it was not made.
    pub redirects: Option<Redirects>,
    /// Parts written by this run.
    pub parts: u64,
    /// Parts that were published before and not made again.
    pub parts_kept: u64,
    /// Archives of those parts of which records may be missing.
    pub kept_incomplete: u64,
    /// Bytes of the Parquet files written by this run.
    pub bytes_out: u64,
    /// Wall time, seconds.
    pub seconds: f64,
}

/// An archive of which records may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The archive's name.
    pub name: String,
    /// The first fault that lost something.
    pub reason: String,
}

impl Summary {
    /// Archives that are named one by one; the table `archives` has them all.
    pub const MOST_GIVEN_UP: usize = 100;

    /// Returns how many archives there are of which records may be missing, in this run's parts and in those kept.
    pub fn n_incomplete(&self) -> u64 {
        self.counts.archives_incomplete + self.kept_incomplete
    }

    /// Names an archive of which records may be missing, if not too many are named already.
    pub(crate) fn give_up(&mut self, name: String, reason: String) {
        if self.given_up.len() < Self::MOST_GIVEN_UP {
            self.given_up.push(GivenUp { name, reason });
        }
    }

    /// Returns the summary as JSON; fractions are between 0 and 1, sizes in bytes, times in seconds.
    pub fn to_json(&self) -> Value {
        let counts = &self.counts;
        let hosts_read = counts.hosts_read.count();
        let share = |n: u64| (hosts_read > 0).then(|| n as f64 / hosts_read as f64);
        let categories: Map<String, Value> = self
            .categories
            .iter()
            .zip(&counts.categories)
            .map(|(name, category)| {
                let (any, all) = (category.any.count(), category.all.count());
                let value = json!({
                    "any_agent": {"hosts": any, "share_of_hosts_read": share(any)},
                    "every_agent": {"hosts": all, "share_of_hosts_read": share(all)},
                });
                (name.clone(), value)
            })
            .collect();
        let given_up: Vec<Value> = self
            .given_up
            .iter()
            .map(|archive| json!({"name": archive.name, "reason": archive.reason}))
            .collect();
        json!({
            "tool_version": env!("CARGO_PKG_VERSION"),
            "run_id": self.run_id,
            "reference_dialect": self.reference_dialect,
            "archives": counts.archives,
            "archives_incomplete": counts.archives_incomplete,
            "incomplete": given_up,
            "not_read": self.not_read,
            "records": counts.records,
            "records_skipped": counts.skipped,
            "captures": counts.captures,
            "captures_by_status": counts.status,
            "captures_by_access": counts.access,
            "hosts": distinct(&counts.hosts),
            "hosts_read": distinct(&counts.hosts_read),
            "groups": counts.groups,
            "agent_lines": counts.agents,
            "rules": counts.rules,
            "directives": counts.directives,
            "verdicts": counts.verdicts,
            "errors": counts.n_errors(),
            "errors_by_code": counts.errors,
            "redirects_by_outcome": self.redirects.as_ref().map(|redirects| &redirects.outcomes),
            "root_disallowed_by_category": categories,
            "parts": self.parts,
            "parts_kept": self.parts_kept,
            "archives_incomplete_kept": self.kept_incomplete,
            "bytes_in": counts.bytes_in,
            "bytes_skipped": counts.bytes_skipped,
            "bytes_inflated": counts.bytes_inflated,
            "bytes_out": self.bytes_out,
            "seconds": self.seconds,
            "captures_per_second": self.captures_per_second(),
        })
    }

    /// Returns the captures a second of wall time.
    pub fn captures_per_second(&self) -> f64 {
        if self.seconds > 0.0 {
            self.counts.captures as f64 / self.seconds
        } else {
            0.0
        }
    }
}

fn distinct(distinct: &Distinct) -> Value {
    json!({"count": distinct.count(), "is_exact": distinct.is_exact()})
}
