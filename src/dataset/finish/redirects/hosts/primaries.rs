//! The primary origin of each host, and of each domain, among rows that are in their order.

use crate::dataset::table::hosts::{HostRow, Primary};

/// Chooses among rows that are offered in the order of domain, host and origin.
#[derive(Default)]
pub(super) struct Primaries {
    /// By row.
    chosen: Vec<Primary>,
    host: Best<OriginRank>,
    domain: Best<HostRank>,
}

/// The first of the best rows so far among those with the same name.
#[derive(Default)]
struct Best<R> {
    name: String,
    /// Its rank, of which the smallest is the best, and its number.
    row: Option<(R, usize)>,
}

/// Which origin of a host is primary, of several of the same rank the first: whether it has no
/// robots.txt, is not HTTPS, and not at the default port.
type OriginRank = (bool, bool, bool);

/// Which host represents a domain, of several of the same rank the first: whether it has no
/// robots.txt, is not the domain, and is not that with `www.`; and its characters.
type HostRank = (bool, bool, bool, usize);

impl Primaries {
    /// Adds the next row.
    pub(super) fn offer(&mut self, row: &HostRow<'_>) {
        if self.host.name != row.url_host_name {
            self.finish_host();
            row.url_host_name.clone_into(&mut self.host.name);
        }
        if self.domain.name != row.domain() {
            self.finish_domain();
            row.domain().clone_into(&mut self.domain.name);
        }
        self.host.offer(origin_rank(row), self.chosen.len());
        self.chosen.push(Primary::default());
    }

    fn finish_host(&mut self) {
        let Some((rank, number)) = self.host.row.take() else {
            return;
        };
        self.chosen[number].of_host = true;
        let (host, domain) = (&*self.host.name, &*self.domain.name);
        let is_www = host.strip_prefix("www.") == Some(domain);
        let rank = (rank.0, host != domain, !is_www, host.chars().count());
        self.domain.offer(rank, number);
    }

    fn finish_domain(&mut self) {
        if let Some((_, number)) = self.domain.row.take() {
            self.chosen[number].of_domain = true;
        }
    }

    /// Returns whether each row is the primary one of its host, and of its domain.
    pub(super) fn finish(mut self) -> Vec<Primary> {
        self.finish_host();
        self.finish_domain();
        self.chosen
    }
}

impl<R: Ord> Best<R> {
    fn offer(&mut self, rank: R, number: usize) {
        if self.row.as_ref().is_none_or(|(best, _)| rank < *best) {
            self.row = Some((rank, number));
        }
    }
}

fn origin_rank(row: &HostRow<'_>) -> OriginRank {
    let is_https = row.url_protocol == "https";
    let is_default = row.origin().has_default_port();
    (!row.has_robots_txt(), !is_https, !is_default)
}
