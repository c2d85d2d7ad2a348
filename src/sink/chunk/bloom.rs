//! The Bloom filter of a chunk: made for the hosts of a row group, folded to what its values need.

use parquet::{bloom_filter::Sbbf, errors::Result};

use super::Layout;

/// Distinct values that a filter is made for: hosts of one row group.
const DISTINCT: u64 = 20_000;
/// Chance that a filter lets a row group through that lacks the value.
const FALSE_POSITIVES: f64 = 0.01;

/// Returns an empty filter, if the column is to have one.
pub(super) fn begin(layout: &Layout) -> Result<Option<Sbbf>> {
    let make = || Sbbf::new_with_ndv_fpp(DISTINCT, FALSE_POSITIVES);
    layout.has_bloom.then(make).transpose()
}

/// Returns the filter as it is written.
pub(super) fn end(bloom: Option<Sbbf>) -> Option<Sbbf> {
    bloom.map(|mut bloom| {
        bloom.fold_to_target_fpp(FALSE_POSITIVES);
        bloom
    })
}
