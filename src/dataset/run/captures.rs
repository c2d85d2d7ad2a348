//! The captures of archives, one archive after the other, for what is not a dataset of a run.

use std::num::NonZeroUsize;

use super::{
    archive::{Buffers, Item, OpenArchive},
    config::DEFAULT_PREFETCH,
    downloads::{Downloads, look_up},
    progress::Progress,
};
use crate::{
    archive::{
        capture::{Capture, Truncation},
        error::Error,
        input::ArchiveSource,
        warc::Limits,
    },
    robots::dialect::FetchOutcome,
};

/// Archives that are downloaded at a time: the one that is read, and those that come next.
const AT_A_TIME: NonZeroUsize = NonZeroUsize::MIN.saturating_add(2);

/// One capture, and where it is.
pub struct LocatedCapture<'a> {
    /// Its key in the table `captures`.
    pub id: i64,
    /// The number of its archive.
    pub archive: u32,
    /// Its offset in the archive, in bytes.
    pub offset: u64,
    /// The capture.
    pub capture: Capture<'a>,
}

impl LocatedCapture<'_> {
    /// Returns how the fetch ended.
    pub(crate) fn outcome(&self) -> FetchOutcome {
        let is_cut_off = self.capture.truncated.is_some_and(Truncation::is_cut_off);
        FetchOutcome::of_response(self.capture.fetch_status, is_cut_off)
    }
}

/// An archive of which captures may be missing.
#[derive(Clone, Debug)]
pub struct DamagedArchive {
    /// Its name.
    pub name: String,
    /// The first fault: where it is, and what was expected.
    pub fault: String,
}

/// What the reading of archives finds.
pub enum Found<'a> {
    /// A capture.
    Capture(LocatedCapture<'a>),
    /// The end of an archive that is damaged, or could not be opened.
    Damaged(DamagedArchive),
}

/// Passes what archives have to `take` in their order, until that returns false.
///
/// # Errors
///
/// An archive that a disk or a network fails to give, what `take` returns, and
/// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
pub fn read_captures(
    archives: &[ArchiveSource],
    limits: Limits,
    progress: &Progress,
    mut take: impl FnMut(Found<'_>) -> Result<bool, Error>,
) -> Result<(), Error> {
    let mut buffers = Buffers::with_limits(limits);
    look_up(archives, progress)?;
    let downloads = Downloads::start(
        archives,
        0..archives.len(),
        AT_A_TIME,
        DEFAULT_PREFETCH,
        progress,
    );
    for (number, source) in archives.iter().enumerate() {
        let mut archive = OpenArchive::open(number, source, &downloads, progress, &mut buffers);
        let has_more = archive.read(&mut buffers, |item| match item {
            Item::Response(found) if found.response.is_capture => {
                take(Found::Capture(LocatedCapture {
                    id: found.id,
                    archive: number as u32,
                    offset: found.offset,
                    capture: found.response.capture,
                }))
            }
            Item::Response(_) | Item::Fault(_) => Ok(true),
        })?;
        if has_more {
            break;
        }
        if let Some(fault) = archive.counts.first_loss {
            let name = source.name.clone();
            let fault = fault.to_string();
            if !take(Found::Damaged(DamagedArchive { name, fault }))? {
                break;
            }
        }
        progress.add_archive();
    }
    Ok(())
}
