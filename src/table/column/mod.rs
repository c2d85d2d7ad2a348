//! Builders of columns: values in, row by row, and an Arrow array out for each batch.
//!
//! They differ from those of `arrow-array` in what they know beforehand. A batch has about as many
//! rows as the one before, so room for it is made at once, at its first row: a vector that grows
//! copies itself a dozen times, and leaves holes in memory of all those sizes. What one huge
//! capture needed is given back with its batch. Between two batches a column holds nothing.

mod keys;
mod name;
mod number;
mod text;

pub use self::keys::CaptureKey;
pub(super) use self::{
    keys::Keys,
    name::{Known, Repeated},
    number::Numbers,
    text::Texts,
};

/// Rows that room is made for: those of a batch of the pipeline, and some more, since batches end
/// with a capture.
const ROOM: usize = 22 * 1024;
