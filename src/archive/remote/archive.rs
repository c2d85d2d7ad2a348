//! What is known of an archive, and asking for it.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::SystemTime,
};

use futures_util::{StreamExt, stream};

use super::{
    client::{Version, head},
    retry::Retries,
    status::{Failure, Trouble},
    store::{block_on, unless_stopped},
    url::RemoteUrl,
};
use crate::archive::index::Ranges;

/// How many archives are asked for at once. 72,000 of a crawl take some minutes so, at 50 ms each.
const LOOK_UPS: usize = 32;

/// An archive behind HTTP(S) or in S3.
pub(crate) struct RemoteArchive {
    pub(crate) url: RemoteUrl,
    /// Whether a server outside this network may redirect to an address inside.
    pub(super) allows_private: bool,
    /// The ranges of it that are wanted; all of it if `None`.
    ranges: Option<Arc<Ranges>>,
    found: Mutex<Option<Result<Version, Failure>>>,
    requests: AtomicU64,
}

impl RemoteArchive {
    pub(crate) fn new(url: RemoteUrl, allows_private: bool, ranges: Option<Arc<Ranges>>) -> Self {
        Self {
            url,
            allows_private,
            ranges,
            found: Mutex::default(),
            requests: AtomicU64::new(0),
        }
    }

    /// Returns the size, if the server has said it.
    pub(crate) fn size(&self) -> Option<u64> {
        self.version()?.size
    }

    pub(super) fn ranges(&self) -> Option<&Ranges> {
        self.ranges.as_deref()
    }

    /// Returns how many bytes are wanted of it, as far as that is known.
    pub(crate) fn n_wanted(&self) -> Option<u64> {
        let of_ranges = self.ranges().map(Ranges::n_bytes);
        of_ranges.or_else(|| self.size())
    }

    /// Returns the entity tag, which identifies a version, if the server has said it.
    pub(crate) fn etag(&self) -> Option<String> {
        self.version()?.etag
    }

    /// Returns the time of the last change, if the server has said it.
    pub(crate) fn modified(&self) -> Option<SystemTime> {
        self.version()?.modified()
    }

    /// Returns how many requests for its bytes were made.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Relaxed)
    }

    /// Returns why the server does not have it, if that is known.
    pub(super) fn refusal(&self) -> Option<Failure> {
        self.found().as_ref()?.as_ref().err().cloned()
    }

    pub(super) fn count_request(&self) {
        self.requests.fetch_add(1, Relaxed);
    }

    /// Notes which version is received. One whose answer has no length has the size that was
    /// stated before.
    pub(super) fn set_version(&self, mut version: Version) {
        let mut found = self.found();
        if let Some(Ok(known)) = &*found
            && !version.is_compressed
            && known.may_be(&version)
        {
            version.size = version.size.or(known.size);
        }
        *found = Some(Ok(version));
    }

    fn version(&self) -> Option<Version> {
        self.found().as_ref()?.as_ref().ok().cloned()
    }

    fn found(&self) -> MutexGuard<'_, Option<Result<Version, Failure>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn look_up(&self) {
        if self.found().is_some() {
            return;
        }
        let mut retries = Retries::new(&self.url);
        let found = loop {
            match head(&self.url, self.allows_private).await {
                Ok(version) => break Ok(version),
                Err(Trouble::Passing(failure, retry_after)) => {
                    if let Err(failure) = retries.wait(failure, retry_after, None).await {
                        break Err(failure);
                    }
                }
                Err(Trouble::Lasting(failure)) => break Err(failure),
                Err(Trouble::Changed | Trouble::Abandoned) => {
                    unreachable!("no version is demanded, and no bytes are read")
                }
            }
        };
        *self.found() = Some(found);
    }
}

impl fmt::Debug for RemoteArchive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RemoteArchive").field(&self.url).finish()
    }
}

/// Asks for sizes and versions, many at once, of the archives about which that is not known; ends
/// early once `stop` is set.
pub(crate) fn look_up(archives: &[Arc<RemoteArchive>], stop: &AtomicBool) {
    if archives.is_empty() {
        return;
    }
    let all = stream::iter(archives).for_each_concurrent(LOOK_UPS, |archive| archive.look_up());
    let _ = block_on(unless_stopped(all, stop));
}
