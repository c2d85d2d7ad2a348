//! Archives that are downloaded: only here does a run tell them from files.

#![cfg_attr(
    not(feature = "remote"),
    expect(unused_variables, reason = "nothing is downloaded")
)]

use std::{
    io::{self, Read},
    num::NonZeroUsize,
};

use super::progress::Progress;
#[cfg(feature = "remote")]
use crate::{
    archive::input,
    archive::remote::{self, Changed},
};
use crate::{
    archive::{error::Error, input::ArchiveSource},
    dataset::{sink::Input, table::archives::Download},
};

/// The downloads of a run. Without the feature `remote` there are none.
pub(super) struct Downloads {
    #[cfg(feature = "remote")]
    remote: remote::Downloads,
}

impl Downloads {
    /// Begins to download those archives of some numbers that are remote, in that order.
    pub(super) fn start(
        archives: &[ArchiveSource],
        order: impl Iterator<Item = usize>,
        at_a_time: NonZeroUsize,
        memory: u64,
        progress: &Progress,
    ) -> Self {
        #[cfg(feature = "remote")]
        let order = order.filter_map(|index| Some((index, archives[index].remote.clone()?)));
        Self {
            #[cfg(feature = "remote")]
            remote: remote::Downloads::start(
                order.collect(),
                at_a_time,
                memory,
                progress.stop_flag(),
            ),
        }
    }

    /// Waits until the archive of that number can be read; `None` if it is not downloaded.
    pub(super) fn open(&self, index: usize) -> Option<io::Result<Box<dyn Read + Send>>> {
        #[cfg(feature = "remote")]
        {
            let opened = self.remote.open(index)?;
            Some(opened.map(|reader| Box::new(reader) as Box<dyn Read + Send>))
        }
        #[cfg(not(feature = "remote"))]
        {
            None
        }
    }
}

/// Asks for the sizes and versions of archives that are downloaded.
///
/// # Errors
///
/// [`ErrorKind::Interrupted`](crate::ErrorKind) if the run was stopped meanwhile.
pub(super) fn look_up(archives: &[ArchiveSource], progress: &Progress) -> Result<(), Error> {
    #[cfg(feature = "remote")]
    if archives.iter().any(|archive| archive.remote.is_some()) {
        input::look_up(archives, &progress.stop_flag());
        progress.check()?;
    }
    Ok(())
}

/// Returns an archive as a manifest lists it: of one that was downloaded, the version that was.
pub(super) fn input_of(archive: &ArchiveSource) -> Input {
    let source = &archive.source;
    Input {
        is_stream: source.is_stream(),
        ranges: archive.ranges.as_ref().map(|ranges| ranges.digest()),
        #[cfg(feature = "remote")]
        etag: archive.remote.as_ref().and_then(|remote| remote.etag()),
        ..Input::new(&archive.name, source.size(), source.modified())
    }
}

/// Returns where an archive was downloaded from; `None` of a file.
pub(super) fn download_of(archive: &ArchiveSource) -> Option<Download> {
    #[cfg(feature = "remote")]
    {
        archive.remote.as_ref().map(|remote| Download {
            url: remote.url.to_string(),
            etag: remote.etag(),
            modified: remote.modified(),
            requests: remote.requests(),
        })
    }
    #[cfg(not(feature = "remote"))]
    {
        None
    }
}

/// Returns true if and only if an archive was replaced by another version after bytes of it were
/// read, so that what was made of them must be made again.
pub(super) fn is_changed(error: &io::Error) -> bool {
    #[cfg(feature = "remote")]
    {
        Changed::caused(error)
    }
    #[cfg(not(feature = "remote"))]
    {
        false
    }
}
