//! Archives in, captures out: bytes of a WARC file, from a disk, an HTTP(S) server or S3, whatever
//! their damage.
//!
//! [`input`] lists the archives, `remote` downloads them, [`warc`] reads records, [`http`] parses
//! the response in a record, and [`capture`] decides whether the record is a capture of a
//! robots.txt, a page, or neither.

pub(crate) mod error;

pub mod input;

#[doc(hidden)]
pub mod cohort;

#[doc(hidden)]
pub mod index;

#[cfg(feature = "remote")]
pub(crate) mod remote;

#[doc(hidden)]
pub mod warc;

#[doc(hidden)]
pub mod http;

#[doc(hidden)]
pub mod capture;
