//! The rows of each page, and which of them have a value.

use std::ops::Range;

use arrow_array::Array;

use super::hybrid;

/// Rows of a page, about: an engine that seeks by the page index reads at least a page, and each
/// page costs a header.
const PAGE_ROWS: usize = 20_000;

/// Returns the ranges of rows of a batch that become pages, all of about the same length; a batch
/// of at most one and a half pages is one.
pub(super) fn pages(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let n = ((rows + PAGE_ROWS / 2) / PAGE_ROWS).max(1);
    let length = rows.div_ceil(n).max(1);
    (0..rows)
        .step_by(length)
        .map(move |start| start..rows.min(start + length))
}

/// Appends the definition levels of a page of a nullable column, preceded by their length.
pub(super) fn encode(array: &dyn Array, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    match array.logical_nulls() {
        Some(nulls) => hybrid::encode_validity(&nulls.inner().sliced(), array.len(), out),
        None => hybrid::run(array.len(), 1, 1, out),
    }
    let length = u32::try_from(out.len() - start - 4).expect("a page has few rows");
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Appends the values of the rows that have one.
pub(super) fn append_valid<T: Copy>(values: &[T], array: &dyn Array, out: &mut Vec<T>) {
    match array.logical_nulls() {
        Some(nulls) => {
            for (start, end) in nulls.valid_slices() {
                out.extend_from_slice(&values[start..end]);
            }
        }
        None => out.extend_from_slice(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_cover_all_rows_and_none_is_too_long() {
        for rows in [0, 1, 19_999, 20_000, 29_999, 30_000, 65_537] {
            let mut at = 0;
            for page in pages(rows) {
                assert_eq!(page.start, at);
                assert!(!page.is_empty() && page.len() < PAGE_ROWS / 2 * 3);
                at = page.end;
            }
            assert_eq!(at, rows);
        }
    }
}
