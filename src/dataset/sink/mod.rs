//! Record batches in, Parquet files of a dataset out: encoded by the thread that made them, written
//! in order, and published completely or not at all.
//!
//! This module knows the description of a [`Table`](crate::dataset::table::Table), but no table and no
//! column by name. It is the only one that writes files. A dataset is this folder:
//!
//! ```text
//! census/
//!   _dataset.json          tool version, schema version, digest of matrix, dialects and options
//!   _lists.json            the lists among them, for runs that join without stating them
//!   _inputs/<digest>.json  the archives of a run, one file for each list: what the dataset is to hold
//!   _manifest/<part>.json  published last: every file of the part is present, with sizes and digests
//!   _tables/<table>.json   the same for tables that are made of all parts, with those parts' names
//!   _tmp/                  while a run writes: files that are not complete, in a folder for each process
//!   captures/part-<part>.parquet, or captures/crawl=CC-MAIN-2025-05/part-<part>.parquet
//!   groups/ agents/ rules/ ..
//!   dialects/part-dialects.parquet, matrix_agents/ cohort/ ..: of the whole dataset
//!   redirects/part-redirects.parquet, or redirects/crawl=CC-MAIN-2025-05/part-redirects.parquet: made of all parts
//!   hosts/part-hosts.parquet: made of all parts
//! ```
//!
//! In S3 a dataset has the same files below a prefix ([`storage`] says what differs), and those
//! that are not complete are on this machine.
//!
//! # What may be written and deleted
//!
//! - A folder that holds no dataset and is not empty is refused. The only things deleted are a
//!   process's own temporary folder, those of processes that have ended (`session`), parts whose
//!   files are damaged, and on request the files of the dataset (`clear`). No link is followed.
//! - Publishing and deleting touch many files. A note of what is about to be done is written to the
//!   process's temporary folder first (`pending`); if the process dies before it is done, the next
//!   run finishes it, and until then queries refuse the dataset.
//! - A part is determined by its archives, and an archive is in one part only. Workers that join
//!   look up their archives before they begin and again when they publish; only one publishes at a
//!   time. A part that another worker has already published is discarded; a part that only overlaps
//!   with one stops its worker, without loss of data. Where folders cannot be locked, as in S3, two
//!   workers that publish the same archive in different parts at the same moment do not notice each
//!   other; [`Manifest`]s then name the archive twice. The same part may be published twice: its
//!   names and bytes are the same.

mod attempt;
mod caught;
mod claim;
mod clear;
mod columns;
mod dataset;
#[cfg(feature = "cli")]
mod drop_crawl;
mod encode;
mod identity;
mod inputs;
#[cfg(feature = "cli")]
mod layout;
mod listing;
mod lock;
mod lone_file;
mod manifest;
mod part;
mod pending;
#[cfg(feature = "cli")]
mod publication;
mod published;
mod recorded;
#[cfg(feature = "remote")]
mod remote_file;
mod select;
mod session;
mod sorter;
mod spill;
mod storage;
mod stored_file;
mod user_file;
mod user_rows;
mod whole;

#[cfg(feature = "cli")]
pub use self::publication::DatasetCopy;
use self::{
    attempt::attempt,
    caught::caught,
    clear::clear,
    encode::parquet_error,
    inputs::{added, difference, list_name, other_size},
    lock::Lock,
    manifest::{INPUTS_FOLDER, MANIFEST_FOLDER, REMAKE, TABLES_FOLDER, inputs_of, lists},
    part::file_path,
    pending::Pending,
    published::{open_columns, read_projected, unreadable},
    session::{Session, TEMPORARY_FOLDER, is_ours},
    storage::{is_kind, is_link},
    stored_file::StoredFile,
    whole::{create_whole, json_of, read_json, write_whole},
};
pub(crate) use self::{
    claim::OptionLists,
    clear::refuse_inside,
    columns::{Names, StoredColumn, column, stored_columns},
    identity::DatasetIdentity,
    inputs::{Input, change},
    listing::{DirectoryEntry, FileSizes, digest_of, list},
    lock::lock,
    lone_file::{LoneFile, read_lone_file},
    manifest::{
        DATASET_FILE, LEFT_OUT, LISTS_FILE, Loss, Manifest, PartArchive, WholeTable,
        archives_digest, crawl_of_file, is_listed, planned,
    },
    part::{PartWriter, TableFile, Targets},
    published::{PublishedFile, n_rows, read_columns, read_row_groups, row_group_rows},
    select::{RowKey, read_rows},
    session::{leftover, publishing},
    sorter::{KeyRange, Sorted, Sorter},
    spill::Spill,
    storage::is_remote,
};
#[cfg(feature = "cli")]
pub(crate) use self::{
    claim::differences,
    layout::layout,
    publication::{digests_of, lists_of, sha256_of},
    storage::read_if_there,
};
pub use self::{
    dataset::{Dataset, OpenMode},
    encode::{Encoder, Format, RowGroup},
    manifest::{crawls_of, files_of_tables},
    user_rows::{PARQUET_MAGIC, rows_of_parquet},
};

/// Creates a dataset without parts.
#[cfg(test)]
pub(crate) fn empty_dataset(root: &std::path::Path) -> Dataset {
    let identity = DatasetIdentity::new(Vec::new());
    Dataset::open(root, OpenMode::New, identity, &[], &[]).expect("it can be created")
}
