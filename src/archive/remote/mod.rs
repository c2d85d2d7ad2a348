//! Archives, lists and datasets behind HTTP(S) and in S3.
//!
//! Only this module knows the network. Others name what is remote by its [`RemoteUrl`], and call
//! functions that block.
//!
//! An archive is downloaded by one request. Where that is cut it is resumed by a request for the
//! rest, on the condition that the server still has the same version; where it has another, or no
//! ranges, the download restarts ([`download`]). Bytes wait in memory until they are read
//! ([`buffer`]), and archives are downloaded ahead in the order in which they will be read
//! ([`downloads`]).
//!
//! An archive that fits into that memory is read when it is complete, so a restart is never
//! noticed. A larger one is read while it comes: should it change then, reading ends with
//! [`Changed`], and what was made of the bytes before must be made again.

mod archive;
mod buffer;
mod client;
mod date;
mod download;
mod downloads;
mod gate;
mod object;
mod pace;
mod profile;
mod read;
mod redirect;
mod retry;
#[cfg(feature = "cli")]
mod robots;
mod status;
mod store;
mod url;

pub(crate) use self::{
    archive::{RemoteArchive, look_up},
    downloads::Downloads,
    object::Object,
    read::{open_at, read},
    status::Changed,
    url::{RemoteUrl, is_misspelled, is_remote, without_secrets},
};
#[cfg(feature = "cli")]
pub(crate) use self::{
    retry::notify_of_waits,
    robots::{LiveRobots, fetch_robots},
    store::s3_access,
};
