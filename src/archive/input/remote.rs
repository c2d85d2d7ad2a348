//! Archives behind HTTP(S) and in S3.

use std::{
    io::{self, Read},
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::SystemTime,
};

use super::{ArchiveSource, Source};
use crate::archive::remote::{self, RemoteArchive};

/// Returns true if and only if a word is a URL and not a path, or is meant as one and is no path of
/// a file either: its error shows no password.
pub(super) fn is_url(word: &str) -> bool {
    remote::is_remote(word) || remote::is_misspelled(word) && !Path::new(word).exists()
}

/// An archive that is downloaded. Its size is known once the server was asked ([`look_up`]).
#[derive(Debug)]
pub(super) struct RemoteSource(pub(super) Arc<RemoteArchive>);

impl Source for RemoteSource {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        self.open_at(0)
    }

    fn open_at(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(remote::open_at(&self.0, offset)?))
    }

    fn size(&self) -> Option<u64> {
        self.0.n_wanted()
    }

    fn file_size(&self) -> Option<u64> {
        self.0.size()
    }

    // It can be read again, also where its size is not known.
    fn is_stream(&self) -> bool {
        false
    }

    fn modified(&self) -> Option<SystemTime> {
        self.0.modified()
    }

    fn location(&self) -> String {
        self.0.url.to_string()
    }
}

/// Asks servers for the sizes and versions of archives, as the metadata of files is read: so parts
/// are cut alike. Ends early once `stop` is set.
pub(crate) fn look_up(archives: &[ArchiveSource], stop: &AtomicBool) {
    // Of ranges the size is known, and the answer to the first request has the version.
    let whole = archives.iter().filter(|archive| archive.ranges.is_none());
    let remote = whole.filter_map(|archive| archive.remote.clone());
    remote::look_up(&remote.collect::<Vec<_>>(), stop);
}
