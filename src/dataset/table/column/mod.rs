//! Builders of columns: values in, row by row, and an Arrow array out for each batch.
//!
//! They differ from those of `arrow-array` in what they know beforehand. A batch has about as many
//! rows as the longest before, so its capacity is reserved at its first row: a vector that grows
//! copies itself a dozen times, and leaves holes in memory of all those sizes. The memory of one
//! huge capture is freed with its batch. Between two batches a column holds nothing.

mod bool;
mod capture_keys;
mod known_name;
mod primitive;
mod text;

use arrow_array::ArrayRef;

use super::schema::Column;

pub use self::capture_keys::CaptureKey;
pub(super) use self::{
    bool::Bool,
    capture_keys::{CaptureKeys, PageKeys},
    known_name::KnownName,
    primitive::{Float64, Int32, Int64, Time},
    text::{Name, Text},
};

/// The most rows for which capacity is reserved: those of a batch of the pipeline, and some more,
/// since batches end with a capture.
const BATCH_CAPACITY: usize = 22 * 1024;

/// Returns the rows for which a batch reserves capacity, given those of the longest batch so far:
/// tables with few rows, such as `archives`, must not take the memory of a full batch.
fn rows_to_reserve(most_rows: usize) -> usize {
    (most_rows + most_rows / 8).min(BATCH_CAPACITY)
}

/// A text, or NULL.
pub(crate) trait OptionalText {
    fn text(&self) -> Option<&str>;
}

impl<S: AsRef<str> + ?Sized> OptionalText for &S {
    fn text(&self) -> Option<&str> {
        Some(self.as_ref())
    }
}

impl<S: AsRef<str>> OptionalText for Option<S> {
    fn text(&self) -> Option<&str> {
        self.as_ref().map(S::as_ref)
    }
}

/// A builder of one column, or of several that are adjacent.
///
/// Values are appended by methods of each builder, so that no type is looked up for a value; this
/// trait is what is done once a batch.
pub(crate) trait Columns {
    /// The columns. A builder of one column leaves name and documentation to the table.
    const COLUMNS: &'static [Column];

    /// Returns the number of rows of the batch so far.
    fn n_rows(&self) -> usize;

    /// Returns the bytes of text of the batch so far.
    fn n_bytes(&self) -> usize {
        0
    }

    /// Ends the batch and appends its arrays.
    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>);
}
