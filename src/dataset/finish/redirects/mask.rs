//! What hosts are counted by: hashes of their names, and the categories of agents that a file shuts
//! out of `/` as the bits of a number.

use crate::{
    dataset::{evaluation::RootBlocked, summary::HostShare},
    digest::sha1,
};

/// Categories of agents that a mask has bits for.
pub(in crate::dataset) const MAX_CATEGORIES: usize = 15;

/// Returns a mask with two bits for each category: whether at least one of its agents is shut out,
/// and whether every one is.
pub(in crate::dataset) fn category_mask(blocked: &[RootBlocked]) -> u32 {
    let bits = blocked.iter().take(MAX_CATEGORIES).enumerate();
    bits.fold(0, |mask, (category, &RootBlocked { any, all })| {
        mask | (u32::from(any) | u32::from(all) << 1) << (2 * category)
    })
}

/// Counts a file by its mask, in the categories that are counted.
pub(super) fn add_mask(shares: &mut [HostShare], mask: u32) {
    for (category, share) in shares.iter_mut().enumerate() {
        let bits = mask >> (2 * category);
        share.any += u64::from(bits & 1);
        share.all += u64::from(bits >> 1 & 1);
    }
}

/// Returns a host as the 64-bit hash that distinct hosts are counted by.
pub(in crate::dataset) fn host_hash(host: &str) -> u64 {
    let digest = sha1(host.as_bytes());
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_counts_what_was_put_into_it() {
        let blocked = (0..20).map(|n| RootBlocked {
            any: n % 2 == 0,
            all: n % 3 == 0,
        });
        let blocked: Vec<_> = blocked.collect();
        let mut shares = [HostShare::default(); MAX_CATEGORIES];
        add_mask(&mut shares, category_mask(&blocked));
        for (share, blocked) in shares.iter().zip(&blocked) {
            let found = (share.any == 1, share.all == 1);
            assert_eq!(found, (blocked.any, blocked.all));
        }
    }
}
