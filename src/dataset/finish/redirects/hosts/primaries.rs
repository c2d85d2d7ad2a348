//! The primary origin of each host, and of each domain, among rows that are in their order.

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};

use super::super::mask::add_mask;
use crate::dataset::{
    summary::HostShare,
    table::hosts::{HostRow, Primary},
};

/// Chooses among rows that are offered in the order of domain, host and origin.
pub(super) struct Primaries {
    n_rows: usize,
    /// By row.
    of_hosts: BooleanBufferBuilder,
    of_domains: BooleanBufferBuilder,
    host: Best<OriginRank>,
    domain: Best<HostRank>,
}

/// What was chosen, by row.
pub(super) struct Chosen {
    of_hosts: BooleanBuffer,
    of_domains: BooleanBuffer,
}

/// How many hosts and domains shut agents out, by category.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct CategoryShares {
    pub(super) of_hosts: Vec<HostShare>,
    pub(super) of_domains: Vec<HostShare>,
}

/// The first of the best rows so far among those with the same name.
struct Best<R> {
    name: String,
    /// Its rank, of which the smallest is the best, and its number.
    row: Option<(R, usize)>,
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

impl Primaries {
    /// Returns a chooser without rows.
    pub(super) fn new() -> Self {
        Self {
            n_rows: 0,
            of_hosts: BooleanBufferBuilder::new(0),
            of_domains: BooleanBufferBuilder::new(0),
            host: Best::new(),
            domain: Best::new(),
        }
    }

    /// Adds the next row.
    pub(super) fn offer(&mut self, row: &HostRow<'_>) {
        if self.host.name != row.url_host_name {
            self.finish_host();
            self.host.begin(row.url_host_name);
        }
        if self.domain.name != row.domain() {
            self.finish_domain();
            self.domain.begin(row.domain());
        }
        self.host.offer(OriginRank::from_row(row), self.n_rows);
        self.n_rows += 1;
        self.of_hosts.append(false);
        self.of_domains.append(false);
    }

    fn finish_host(&mut self) {
        let Some((rank, number)) = self.host.row.take() else {
            return;
        };
        self.of_hosts.set_bit(number, true);
        let rank = HostRank::new(&self.host.name, &self.domain.name, rank.has_no_robots_txt);
        self.domain.offer(rank, number);
    }

    fn finish_domain(&mut self) {
        if let Some((_, number)) = self.domain.row.take() {
            self.of_domains.set_bit(number, true);
        }
    }

    /// Returns what was chosen among the rows.
    pub(super) fn finish(mut self) -> Chosen {
        self.finish_host();
        self.finish_domain();
        Chosen {
            of_hosts: self.of_hosts.finish(),
            of_domains: self.of_domains.finish(),
        }
    }
}

impl Chosen {
    /// Returns whether a row, by its number, is the primary one of its host, and of its domain.
    pub(super) fn get(&self, row: usize) -> Primary {
        Primary {
            of_host: self.of_hosts.value(row),
            of_domain: self.of_domains.value(row),
        }
    }
}

impl CategoryShares {
    /// Returns the shares of no hosts, for so many categories.
    pub(super) fn new(n_categories: usize) -> Self {
        Self {
            of_hosts: vec![HostShare::default(); n_categories],
            of_domains: vec![HostShare::default(); n_categories],
        }
    }

    /// Counts a row with a robots.txt by its mask, if it is a primary one.
    pub(super) fn count(&mut self, mask: u32, primary: Primary) {
        if primary.of_host {
            add_mask(&mut self.of_hosts, mask);
        }
        if primary.of_domain {
            add_mask(&mut self.of_domains, mask);
        }
    }

    /// Adds the shares of further hosts.
    pub(super) fn add(&mut self, more: &Self) {
        let pairs = [
            (&mut self.of_hosts, &more.of_hosts),
            (&mut self.of_domains, &more.of_domains),
        ];
        for (shares, more) in pairs {
            for (share, more) in shares.iter_mut().zip(more) {
                share.any += more.any;
                share.all += more.all;
            }
        }
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

    fn offer(&mut self, rank: R, number: usize) {
        if self.row.as_ref().is_none_or(|(best, _)| rank < *best) {
            self.row = Some((rank, number));
        }
    }
}

impl OriginRank {
    fn from_row(row: &HostRow<'_>) -> Self {
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
    fn new(host: &str, domain: &str, has_no_robots_txt: bool) -> Self {
        Self {
            has_no_robots_txt,
            is_not_bare: host != domain,
            is_not_www: host.strip_prefix("www.") != Some(domain),
            length: host.chars().count(),
        }
    }
}
