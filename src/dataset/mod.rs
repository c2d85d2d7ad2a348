//! Captures in, a dataset of Parquet files out, and back.
//!
//! A [`run`] reads archives: each body is evaluated once (`evaluation`), the results become rows
//! ([`table`]) and the rows Parquet files ([`sink`]). [`finish`] makes the tables that depend on
//! all archives, [`verify`] compares a dataset with its manifests, [`lookup`] finds a row and the
//! bytes that it was made from, [`asof`] answers about pages at their times, `publish` describes a
//! dataset to others, and [`summary`] has the counts.

mod growth;

mod progress;

pub(crate) mod redirect;

mod written;

mod config;
mod shard;

mod bodies;

pub(crate) mod evaluation;

pub mod table;
mod table_rows;

#[doc(hidden)]
pub mod sink;

pub mod summary;

pub mod run;

pub(crate) mod finish;

pub mod verify;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod publish;

#[doc(hidden)]
pub mod lookup;

#[doc(hidden)]
pub mod asof;
