//! Record batches in, Parquet files of a dataset out: encoded where they are made, written in
//! order, published whole or not at all.
//!
//! This room knows batches and schemas, not what a table means. It is the only one that writes
//! files. The folder it makes:
//!
//! ```text
//! census/
//!   _dataset.json          tool version, schema version, digest of matrix, dialects and options
//!   _inputs/<digest>.json  the archives that a run was given, one file for each list: what the dataset is to hold
//!   _manifest/<part>.json  published last: the mark that every file of the part is there, with sizes and digests
//!   _tables/<table>.json   the same for tables that are made of the whole, with the parts they were made of
//!   _tmp/                  until a run has ended: files that are not complete, in a folder for each process
//!   captures/part-<part>.parquet, or captures/crawl=CC-MAIN-2025-05/part-<part>.parquet
//!   groups/ agents/ rules/ ..
//!   dialects/part-dialects.parquet, matrix_agents/part-matrix_agents.parquet: of the whole dataset
//!   redirects/part-redirects.parquet, or redirects/crawl=CC-MAIN-2025-05/part-redirects.parquet: made of all parts
//! ```
//!
//! # Whose files these are
//!
//! - A folder that holds no dataset and is not empty is refused. Nothing is deleted but a process's
//!   own temporary folder, those of processes that are proven dead (`session`), parts whose files
//!   are damaged, and on request the files of the dataset (`clear`). No link is followed.
//! - Publishing and deleting touch many files. What is about to be done stands in the process's
//!   temporary folder (`pending`); should it die in the middle, the next run finishes it, and until
//!   then queries refuse the dataset.
//! - A part is what its archives are, and an archive is in one part only. Workers that join look
//!   their archives up before they begin and again when they publish, which one of them does at a
//!   time; a part that another worker has published meanwhile is dropped, and one that overlaps
//!   with it stops its worker with nothing lost. On a file system that cannot lock a folder, two
//!   workers that are given the same archive and publish in the same moment are not told apart;
//!   [`Manifest`]s then name the archive twice.

mod chunk;
mod clear;
mod dataset;
mod encode;
mod inputs;
mod listing;
mod lock;
mod manifest;
mod part;
mod pending;
mod published;
mod session;
mod whole;

pub(crate) use self::session::publishing;
pub(crate) use self::{
    clear::refuse_inside,
    dataset::{DATASET_FILE, Identity},
    encode::MAX_ROW_GROUP_ROWS,
    inputs::Input,
    listing::{Listed, digest_of, list},
    lock::Lock,
    manifest::{Manifest, PartArchive, WholeTable, planned},
    part::{Part, TableFile},
    published::{PublishedFile, n_rows, read_columns},
};
pub use self::{
    dataset::{Dataset, OpenMode},
    encode::{Encoder, Format, RowGroup},
};
