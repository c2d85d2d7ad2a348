//! Hosts as the view `hosts` of `queries/views.sql` counts them: each host name once, by its
//! primary origin, redirects followed by the reference dialect.
//!
//! The counts are exact. Each origin takes 41 bytes in a hash table that is at most half empty. Of
//! more than [`MAX_ORIGINS`] captures, all are read several times, for a share of the host names
//! each time.

use hashbrown::HashTable;

use super::{
    captures::{CaptureRow, CaptureRows, RedirectNumbers},
    follower::Follower,
};
use crate::{
    dialect::Access,
    digest::sha1,
    error::Error,
    evaluation::RootBlocked,
    redirect::{CandidateKind, Chains, Outcome, Redirect},
    summary::{HostShare, Hosts},
};

/// Origins that are held at once: as many as a table of 2^23 slots holds, which takes 344 MB.
const MAX_ORIGINS: u64 = (1 << 23) / 8 * 7;
/// Categories of agents that a [`Label`] has bits for.
pub(in crate::pipeline) const MAX_CATEGORIES: usize = 15;

/// What counting needs to know of the capture at the end of a chain, in 32 bits: whether its lines
/// decide, whether it is an answer, and from the third bit on its category mask.
#[derive(Clone, Copy)]
pub(super) struct Label(u32);

impl Label {
    fn new(is_read: bool, is_answer: bool, mask: u32) -> Self {
        Self(u32::from(is_read) | u32::from(is_answer) << 1 | mask << 2)
    }

    /// Returns the label of a capture by itself.
    pub(super) fn of(capture: &CaptureRow<'_>) -> u32 {
        let is_answer = capture
            .status
            .is_some_and(|status| matches!(status, 200..=299 | 400..=428 | 430..=499));
        let is_read = capture.access == Access::Conditional.as_str();
        Self::new(is_read, is_answer, capture.mask).0
    }

    fn is_read(self) -> bool {
        self.0 & 1 != 0
    }

    fn is_answer(self) -> bool {
        self.0 & 2 != 0
    }

    fn mask(self) -> u32 {
        self.0 >> 2
    }
}

/// Returns a mask with two bits for each category: whether at least one of its agents is shut out,
/// and whether every one is.
pub(in crate::pipeline) fn category_mask(blocked: &[RootBlocked]) -> u32 {
    let bits = blocked.iter().take(MAX_CATEGORIES).enumerate();
    bits.fold(0, |mask, (category, &RootBlocked { any, all })| {
        mask | (u32::from(any) | u32::from(all) << 1) << (2 * category)
    })
}

/// The fetch of an origin that counts so far.
struct OriginFetch {
    host: u64,
    /// Scheme and port, in the order of the text of the origin.
    rank: u64,
    time: i64,
    capture_id: i64,
    label: Label,
}

/// Counts the hosts; `n_captures` is the number of all captures, `n_categories` that of the
/// categories in their masks, if those are known.
pub(super) fn count(
    captures: CaptureRows<'_>,
    chains: &Chains,
    reference: &Follower,
    n_captures: u64,
    n_categories: Option<usize>,
) -> Result<Hosts, Error> {
    let mut hosts = Hosts {
        categories: n_categories.map(|n| vec![HostShare::default(); n]),
        ..Hosts::default()
    };
    let shares = n_captures.div_ceil(MAX_ORIGINS).max(1);
    for share in 0..shares {
        let mut origins = HashTable::new();
        let mut redirects = RedirectNumbers::new(chains.len());
        captures.each(&mut |capture| {
            let index = match capture.redirect_status() {
                Some(status) => Some((redirects.next()?, status)),
                None => None,
            };
            if capture.path != "/robots.txt" || capture.query.is_some() {
                return Ok(());
            }
            let host = host_hash(capture.host);
            if host % shares != share {
                return Ok(());
            }
            let label = match index {
                Some((index, status)) => label(chains, reference, index, status, capture),
                None => Label(Label::of(capture)),
            };
            offer(
                &mut origins,
                OriginFetch {
                    host,
                    rank: rank(capture.origin),
                    time: capture.time,
                    capture_id: capture.id,
                    label,
                },
            );
            Ok(())
        })?;
        add(&mut hosts, origins.into_iter().collect());
    }
    Ok(hosts)
}

/// Returns the label of a redirect: that of the capture at its end, or what the lack of one means
/// to the dialect.
fn label(
    chains: &Chains,
    reference: &Follower,
    index: u32,
    status: i32,
    capture: &CaptureRow<'_>,
) -> Label {
    let resolution = reference.resolve(chains, index, status);
    if let Some(CandidateKind::Other(label)) = resolution.end.map(|end| end.kind) {
        return Label(label);
    }
    let is_read = reference.access(resolution.outcome) == Some(Access::Conditional);
    let is_answer = !matches!(
        resolution.outcome,
        Outcome::NotInCorpus | Outcome::TooFarInTime | Outcome::NotModified
    );
    Label::new(is_read, is_answer, capture.mask)
}

/// Replaces the fetch of an origin by a later one; an answer counts more than any other fetch.
fn offer(origins: &mut HashTable<OriginFetch>, fetch: OriginFetch) {
    let hash = |origin: &OriginFetch| origin.host ^ origin.rank.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let is_same = |known: &OriginFetch| (known.host, known.rank) == (fetch.host, fetch.rank);
    let counts = |fetch: &OriginFetch| (fetch.label.is_answer(), fetch.time, fetch.capture_id);
    match origins.find_mut(hash(&fetch), is_same) {
        Some(known) if counts(known) < counts(&fetch) => *known = fetch,
        Some(_) => {}
        None => {
            origins.insert_unique(hash(&fetch), fetch, hash);
        }
    }
}

/// Counts each host by its primary origin: one that has a file, then that of https, then that of
/// the usual port, then the first by its text.
fn add(hosts: &mut Hosts, mut origins: Vec<OriginFetch>) {
    let usual = [rank("https:443"), rank("http:80")];
    origins.sort_unstable_by_key(|origin| {
        let is_https = scheme_of(origin.rank) == HTTPS;
        let is_usual = usual.contains(&origin.rank);
        let order = (!origin.label.is_read(), !is_https, !is_usual);
        (origin.host, order, origin.rank)
    });
    origins.dedup_by_key(|origin| origin.host);
    for primary in origins {
        hosts.asked += 1;
        if !primary.label.is_read() {
            continue;
        }
        hosts.read += 1;
        for (category, share) in hosts.categories.iter_mut().flatten().enumerate() {
            let bits = primary.label.mask() >> (2 * category);
            share.any += u64::from(bits & 1);
            share.all += u64::from(bits >> 1 & 1);
        }
    }
}

const HTTPS: u64 = 2;

/// Returns scheme and port of an origin as a number that sorts as its text does among the origins
/// of a host.
fn rank(origin: &str) -> u64 {
    let scheme = match origin.split_once(':') {
        Some(("https", _)) => HTTPS,
        Some(("http", _)) => 1,
        _ => 0,
    };
    let port = origin.rsplit(':').next().unwrap_or_default();
    let digits = port.bytes().chain(std::iter::repeat(0)).take(5);
    digits.fold(scheme, |rank, digit| rank << 8 | u64::from(digit))
}

fn scheme_of(rank: u64) -> u64 {
    rank >> 40
}

/// Returns a host as the 64-bit hash that distinct hosts are counted by.
pub(in crate::pipeline) fn host_hash(host: &str) -> u64 {
    let digest = sha1(host.as_bytes());
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"))
}

// An unknown time is before all others, as NULLS LAST puts it after all in falling order.
const _: () = assert!(Redirect::NO_TIME == i64::MIN);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_takes_the_bytes_that_the_module_documents() {
        assert_eq!(size_of::<OriginFetch>(), 40);
    }

    #[test]
    fn origins_of_a_host_sort_as_their_texts() {
        let origins = [
            "ftp://a:21",
            "http://a:80",
            "http://a:8080",
            "http://a:9",
            "https://a:10443",
            "https://a:443",
            "https://a:8443",
        ];
        assert!(origins.is_sorted());
        assert!(origins.map(rank).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_label_has_what_was_put_into_it() {
        let blocked = (0..20).map(|n| RootBlocked {
            any: n % 2 == 0,
            all: n % 3 == 0,
        });
        let blocked: Vec<_> = blocked.collect();
        let label = Label::new(true, false, category_mask(&blocked));
        assert!(label.is_read() && !label.is_answer());
        for (category, blocked) in blocked.iter().take(MAX_CATEGORIES).enumerate() {
            let bits = label.mask() >> (2 * category) & 3;
            let found = (bits & 1 != 0, bits & 2 != 0);
            assert_eq!(found, (blocked.any, blocked.all), "{category}");
        }
    }
}
