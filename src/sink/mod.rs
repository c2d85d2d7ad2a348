//! Record batches in, Parquet files of a dataset out: encoded where they are made, written in order, published whole or not at all.
//!
//! This room knows batches and schemas, not what a table means. It is the only one that writes files. The folder it makes:
//!
//! ```text
//! census/
//!   _dataset.json          tool version, schema version, digest of matrix, dialects and options
//!   _manifest/<part>.json  published last: the mark that every file of the part is there
//!   _tmp/                  until a run has ended: files that are not complete, and the list of its inputs
//!   captures/part-<part>.parquet, or captures/crawl=CC-MAIN-2025-05/part-<part>.parquet
//!   groups/ agents/ rules/ ..
//!   dialects/part-dialects.parquet, matrix_agents/part-matrix_agents.parquet: of the whole dataset
//!   redirects/part-redirects.parquet, or redirects/crawl=CC-MAIN-2025-05/part-redirects.parquet: made of all parts
//! ```

mod chunk;
mod dataset;
mod encode;
mod inputs;
mod lock;
mod part;
mod published;
mod whole;

pub use self::{
    dataset::{Dataset, Identity, OpenMode},
    encode::{Encoder, Format, MAX_ROW_GROUP_ROWS, RowGroup},
    inputs::Input,
    part::{Part, PublishedPart},
    published::{PublishedFile, read_columns},
};
