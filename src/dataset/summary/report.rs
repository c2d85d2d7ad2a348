//! The summary of a finished run.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Counts, Extent, Hosts, PageRobotsCounts, Redirects};

/// What a run found and wrote.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The run's identifier: a digest of the options and of the contents of all archives of the
    /// dataset, which other runs may have read.
    pub run_id: String,
    /// The reference dialect.
    pub reference_dialect: String,
    /// What was found.
    pub counts: Counts,
    /// The names of the categories of agents, in the order of the matrix.
    pub categories: Vec<String>,
    /// Archives of which records may be missing, of all parts, in the order of their names; at most
    /// [`Summary::MAX_NAMED`].
    pub incomplete: Vec<IncompleteArchive>,
    /// Streams, such as standard input, that were not read: a part of their names was published
    /// before.
    pub not_read: Vec<String>,
    /// The tables `redirects` and `hosts`, of the whole dataset and not of this run alone; `None`
    /// if neither was written.
    pub redirects: Option<Redirects>,
    /// Whether pages were read.
    pub has_pages: bool,
    /// The table `page_robots`, of the whole dataset; `None` if it was not written.
    pub page_robots: Option<PageRobotsCounts>,
    /// The agents that no user-agent line can name, for each dialect that has some, in the order of
    /// the run.
    pub unnamable: Vec<Unnamable>,
    /// Absolute URLs of the matrix.
    pub absolute_urls: u64,
    /// Of those, the ones whose origins no archive has a capture of; `None` if there were parts
    /// before, whose origins are not known.
    pub urls_of_other_origins: Option<u64>,
    /// Parts written by this run.
    pub parts: u64,
    /// Parts that were published before and not rebuilt.
    pub parts_kept: u64,
    /// Archives of those parts of which records may be missing.
    pub kept_incomplete: u64,
    /// Archives of this run that are in published parts of other names, and so were not read again.
    pub archives_left_out: u64,
    /// Their names, at most [`Summary::MAX_NAMED`].
    pub left_out: Vec<String>,
    /// Parts that were published before and were rebuilt.
    pub rebuilt: Vec<RebuiltPart>,
    /// How the archives of the dataset were chosen among more; `None` if they were not.
    pub choice: Option<String>,
    /// The extent of the dataset now: this run's parts and all others.
    pub dataset: Extent,
    /// Bytes of the Parquet files written by this run.
    pub bytes_out: u64,
    /// Wall time, seconds.
    pub seconds: f64,
}

/// Agents that no user-agent line gives a group of their own in a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unnamable {
    /// The dialect.
    pub dialect: String,
    /// The agents' names, in the order of the matrix.
    pub agents: Vec<String>,
}

/// A part that was published before and was rebuilt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RebuiltPart {
    /// The part's name.
    pub part: String,
    /// What was wrong with it, as a clause.
    pub reason: String,
}

/// An archive of which records may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IncompleteArchive {
    /// The archive's name.
    pub name: String,
    /// The code of the first fault that lost something, as in the table `archive_errors`.
    pub code: String,
    /// The fault in words.
    pub reason: String,
}

impl Summary {
    /// Archives that are named one by one; the table `archives` has them all.
    pub const MAX_NAMED: usize = 100;

    /// Returns the number of archives of which records may be missing, in all parts.
    pub fn n_incomplete(&self) -> u64 {
        self.counts.archives_incomplete + self.kept_incomplete
    }

    /// Names an archive of which records may be missing; of too many, the first by name are named.
    pub(crate) fn add_incomplete(&mut self, name: String, code: String, reason: String) {
        let before = |known: &IncompleteArchive| known.name < name;
        let at = self.incomplete.partition_point(before);
        self.incomplete
            .insert(at, IncompleteArchive { name, code, reason });
        self.incomplete.truncate(Self::MAX_NAMED);
    }

    /// Counts an archive that the dataset has already, and names it unless too many are named.
    pub(crate) fn leave_out(&mut self, name: String) {
        self.archives_left_out += 1;
        if self.left_out.len() < Self::MAX_NAMED {
            self.left_out.push(name);
        }
    }

    /// Returns the summary as JSON; fractions are between 0 and 1, sizes in bytes, times in
    /// seconds.
    ///
    /// `origins`, `hosts`, `hosts_read`, `domains`, `domains_read` and
    /// `root_disallowed_by_category` are those of [`Hosts`]: of the crawl `hosts_crawl`, as the
    /// table `hosts` has them; null where that was not written. Pages that are no captures
    /// (`of_other_paths`) are among `records_skipped` too, as `not_robots_path`.
    pub fn to_json(&self) -> Value {
        let counts = &self.counts;
        let hosts = self.hosts();
        let outcomes = self.redirects.as_ref().map(|redirects| &redirects.outcomes);
        let categories = hosts.and_then(|hosts| self.by_category(hosts));
        let exactly = |n: u64| json!({"count": n, "is_exact": true});
        let unnamable = self.unnamable.iter();
        let unnamable = unnamable.map(|one| (one.dialect.as_str(), &one.agents));
        let unnamable: BTreeMap<_, _> = unnamable.collect();
        let mut summary = json!({
            "tool_version": env!("CARGO_PKG_VERSION"),
            "run_id": self.run_id,
            "reference_dialect": self.reference_dialect,
            "archives": counts.archives,
            "archives_incomplete": counts.archives_incomplete,
            "archives_without_captures": counts.archives_without_captures,
            "incomplete": self.incomplete,
            "not_read": self.not_read,
            "records": counts.records,
            "records_skipped": counts.skipped,
            "captures": counts.captures,
            "captures_by_status": counts.status,
            "captures_by_access": counts.access,
            "hosts": hosts.map(|hosts| exactly(hosts.asked)),
            "hosts_read": hosts.map(|hosts| exactly(hosts.read)),
            "groups": counts.groups,
            "agent_lines": counts.agents,
            "rules": counts.rules,
            "directives": counts.directives,
            "verdicts": counts.verdicts,
            "errors": counts.n_errors(),
            "errors_by_code": &counts.errors,
            "response_errors": counts.n_response_errors(),
            "response_errors_by_code": counts.response_errors,
            "redirects_by_outcome": outcomes.filter(|outcomes| !outcomes.is_empty()),
            "root_disallowed_by_category": categories,
            "agents_never_named_by_dialect": unnamable,
            "absolute_urls": self.absolute_urls,
            "absolute_urls_of_other_origins": self.urls_of_other_origins,
            "parts": self.parts,
            "parts_kept": self.parts_kept,
            "archives_incomplete_kept": self.kept_incomplete,
            "bytes_in": counts.bytes_in,
            "bytes_skipped": counts.bytes_skipped,
            "bytes_inflated": counts.bytes_inflated,
            "bytes_out": self.bytes_out,
            "seconds": self.seconds,
            "captures_per_second": self.captures_per_second(),
        });
        // The macro would exceed the recursion limit with these in it.
        summary["hosts_crawl"] = json!(hosts.and_then(|hosts| hosts.crawl.as_deref()));
        summary["origins"] = json!(hosts.map(|hosts| exactly(hosts.origins)));
        summary["domains"] = json!(hosts.map(|hosts| exactly(hosts.domains)));
        summary["domains_read"] = json!(hosts.map(|hosts| exactly(hosts.domains_read)));
        summary["archives_left_out"] = self.archives_left_out.into();
        summary["parts_made_again"] = json!(self.rebuilt);
        if self.has_pages {
            summary["pages"] = json!({
                "pages": counts.pages,
                "of_other_paths": counts.pages_of_other_paths,
                "with_policy": counts.pages_with_policy,
                "statements": counts.page_statements,
                "robots": self.page_robots,
            });
        }
        summary["dataset"] = json!({
            "archives_digest": self.dataset.archives_digest.get(..16),
            "archives": self.dataset.archives,
            "archives_planned": self.dataset.archives_planned,
            "choice": self.choice,
            "parts": self.dataset.parts,
            "parts_of_redirects": self.dataset.parts_of_redirects,
            "parts_of_hosts": self.dataset.parts_of_hosts,
        });
        summary
    }

    /// Returns the hosts and domains whose rules shut agents out of `/`, by category.
    fn by_category(&self, hosts: &Hosts) -> Option<Map<String, Value>> {
        let of = |n: u64, whole: u64| (whole > 0).then(|| n as f64 / whole as f64);
        let entry = |domains: u64, n: u64| {
            json!({
                "domains": domains,
                "share_of_domains_read": of(domains, hosts.domains_read),
                "hosts": n,
                "share_of_hosts_read": of(n, hosts.read),
            })
        };
        let shares = hosts.domain_categories.iter().flatten();
        let shares = shares.zip(hosts.categories.as_deref()?);
        let figures = shares.map(|(domains, hosts)| {
            json!({
                "any_agent": entry(domains.any, hosts.any),
                "every_agent": entry(domains.all, hosts.all),
            })
        });
        Some(self.categories.iter().cloned().zip(figures).collect())
    }

    /// Returns the hosts of the dataset, if their table was written.
    pub(crate) fn hosts(&self) -> Option<&Hosts> {
        self.redirects.as_ref()?.hosts.as_ref()
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
