//! The primary origin of each host, and of each domain, among rows that are in their order.

use std::mem;

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};

use super::{super::mask::add_mask, record::Fetch};
use crate::dataset::{
    summary::{HostShare, Hosts},
    table::hosts::HostRow,
};

/// Chooses among rows that are offered in the order of domain, host and origin.
pub(super) struct Primaries {
    n_rows: usize,
    /// By row.
    of_hosts: BooleanBufferBuilder,
    of_domains: BooleanBufferBuilder,
    host: Best<OriginRank>,
    domain: Best<HostRank>,
    counts: Hosts,
}

/// What was chosen.
pub(super) struct Chosen {
    of_hosts: BooleanBuffer,
    of_domains: BooleanBuffer,
    /// Counts of the rows.
    pub(super) counts: Hosts,
}

/// The first of the best rows so far among those with the same name.
struct Best<R> {
    name: String,
    row: Option<Candidate<R>>,
}

struct Candidate<R> {
    number: usize,
    /// The smallest is the best.
    rank: R,
    mask: u32,
}

/// Which origin of a host is primary; of several of the same rank the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OriginRank {
    has_no_robots_txt: bool,
    is_not_https: bool,
    port: PortRank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PortRank {
    /// The default port of the scheme, or no port in the URL.
    Usual,
    Other,
    /// A port of a scheme without a default one: NULL in SQL, which sorts last.
    Unknown,
}

/// Which host represents a domain; of several of the same rank the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HostRank {
    has_no_robots_txt: bool,
    is_not_bare: bool,
    is_not_www: bool,
    /// In characters.
    length: usize,
}

/// Adds the counts of further rows.
pub(super) fn add(counts: &mut Hosts, more: &Hosts) {
    let Hosts {
        origins,
        domains,
        asked,
        read,
        domains_read,
        categories,
        domain_categories,
    } = more;
    counts.origins += origins;
    counts.domains += domains;
    counts.asked += asked;
    counts.read += read;
    counts.domains_read += domains_read;
    for (shares, more) in [
        (&mut counts.categories, categories),
        (&mut counts.domain_categories, domain_categories),
    ] {
        let shares = shares.iter_mut().flatten();
        for (share, more) in shares.zip(more.iter().flatten()) {
            share.any += more.any;
            share.all += more.all;
        }
    }
}

impl Primaries {
    /// Returns a chooser without rows, which counts so many categories of agents, or none.
    pub(super) fn new(n_categories: Option<usize>) -> Self {
        Self {
            n_rows: 0,
            of_hosts: BooleanBufferBuilder::new(0),
            of_domains: BooleanBufferBuilder::new(0),
            host: Best::new(),
            domain: Best::new(),
            counts: Hosts {
                categories: n_categories.map(|n| vec![HostShare::default(); n]),
                domain_categories: n_categories.map(|n| vec![HostShare::default(); n]),
                ..Hosts::default()
            },
        }
    }

    /// Adds the next row.
    pub(super) fn offer(&mut self, Fetch { row, mask }: &Fetch<'_>) {
        if self.host.name != row.url_host_name {
            self.finish_host();
            self.host.begin(row.url_host_name);
        }
        if self.domain.name != row.domain() {
            self.finish_domain();
            self.domain.begin(row.domain());
        }
        self.host.offer(Candidate {
            number: self.n_rows,
            rank: OriginRank::of(row),
            mask: *mask,
        });
        self.n_rows += 1;
        self.of_hosts.append(false);
        self.of_domains.append(false);
    }

    fn finish_host(&mut self) {
        let Some(primary) = self.host.row.take() else {
            return;
        };
        self.of_hosts.set_bit(primary.number, true);
        self.counts.asked += 1;
        let has_no_robots_txt = primary.rank.has_no_robots_txt;
        if !has_no_robots_txt {
            self.counts.read += 1;
            let categories = self.counts.categories.as_deref_mut();
            add_mask(categories.unwrap_or_default(), primary.mask);
        }
        let rank = HostRank::of(&self.host.name, &self.domain.name, has_no_robots_txt);
        self.domain.offer(Candidate {
            number: primary.number,
            rank,
            mask: primary.mask,
        });
    }

    fn finish_domain(&mut self) {
        if let Some(primary) = self.domain.row.take() {
            self.of_domains.set_bit(primary.number, true);
            self.counts.domains += 1;
            if !primary.rank.has_no_robots_txt {
                self.counts.domains_read += 1;
                let categories = self.counts.domain_categories.as_deref_mut();
                add_mask(categories.unwrap_or_default(), primary.mask);
            }
        }
    }

    /// Returns what was chosen among the rows.
    pub(super) fn finish(mut self) -> Chosen {
        self.finish_host();
        self.finish_domain();
        Chosen {
            of_hosts: self.of_hosts.finish(),
            of_domains: self.of_domains.finish(),
            counts: Hosts {
                origins: self.n_rows as u64,
                ..mem::take(&mut self.counts)
            },
        }
    }
}

impl Chosen {
    /// Returns whether a row, by its number, is the primary one of its host, and of its domain.
    pub(super) fn of(&self, row: usize) -> (bool, bool) {
        (self.of_hosts.value(row), self.of_domains.value(row))
    }
}

impl<R: Ord> Best<R> {
    fn new() -> Self {
        let (name, row) = (String::new(), None);
        Self { name, row }
    }

    fn begin(&mut self, name: &str) {
        self.name.clear();
        self.name.push_str(name);
    }

    fn offer(&mut self, candidate: Candidate<R>) {
        let is_better = |best: &Candidate<R>| candidate.rank < best.rank;
        if self.row.as_ref().is_none_or(is_better) {
            self.row = Some(candidate);
        }
    }
}

impl OriginRank {
    fn of(row: &HostRow<'_>) -> Self {
        let usual = match row.url_protocol {
            "https" => Some(443),
            "http" => Some(80),
            _ => None,
        };
        Self {
            has_no_robots_txt: !row.has_robots_txt(),
            is_not_https: row.url_protocol != "https",
            port: match (row.url_port, usual) {
                (None, _) => PortRank::Usual,
                (Some(port), Some(usual)) if port == usual => PortRank::Usual,
                (Some(_), Some(_)) => PortRank::Other,
                (Some(_), None) => PortRank::Unknown,
            },
        }
    }
}

impl HostRank {
    fn of(host: &str, domain: &str, has_no_robots_txt: bool) -> Self {
        Self {
            has_no_robots_txt,
            is_not_bare: host != domain,
            is_not_www: host.strip_prefix("www.") != Some(domain),
            length: host.chars().count(),
        }
    }
}
