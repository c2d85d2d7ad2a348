//! The size of Bloom filters, which fits the hosts of a row group.

use parquet::{bloom_filter::Sbbf, errors::Result};

use super::ColumnLayout;

/// Distinct values for which a filter is allocated, before it is folded to what its chunk needs.
pub(super) const DISTINCT_VALUES: u64 = 20_000;
/// Probability that a filter does not exclude a row group that lacks the value.
pub(super) const FALSE_POSITIVES: f64 = 0.01;

/// Returns an empty filter, if the column has one.
pub(super) fn new_filter(layout: &ColumnLayout) -> Result<Option<Sbbf>> {
    let new = || Sbbf::new_with_ndv_fpp(DISTINCT_VALUES, FALSE_POSITIVES);
    layout.has_bloom_filter.then(new).transpose()
}

/// Returns the filter in the size in which it is written.
pub(super) fn folded(mut filter: Sbbf) -> Sbbf {
    filter.fold_to_target_fpp(FALSE_POSITIVES);
    filter
}
