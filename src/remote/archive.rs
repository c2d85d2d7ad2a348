//! What is known of an archive, and reading one by itself.

use std::{
    fmt,
    io::{self, Read},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, SystemTime},
};

use futures_util::{StreamExt, stream};

use super::{
    buffer::{Buffer, Reader},
    client::{Target, Version, head},
    download::download,
    gate,
    status::{Failure, Trouble},
    store::{block_on, spawn},
    url::RemoteUrl,
};
use crate::error::{Error, ErrorKind};

/// How many archives are asked for at once. 72,000 of a crawl take some minutes so, at 50 ms each.
const LOOK_UPS: usize = 32;
/// Bytes that wait in memory where one archive or list is read by itself.
const READ_AHEAD: u64 = 4 * 1024 * 1024;
/// Time between two checks of whether the run is stopped.
const TICK: Duration = Duration::from_millis(50);

/// An archive behind HTTP(S) or in S3.
pub(crate) struct RemoteArchive {
    url: RemoteUrl,
    found: Mutex<Option<Result<Version, Failure>>>,
    requests: AtomicU64,
}

impl RemoteArchive {
    pub(crate) fn new(url: RemoteUrl) -> Self {
        Self {
            url,
            found: Mutex::default(),
            requests: AtomicU64::new(0),
        }
    }

    pub(crate) fn url(&self) -> &RemoteUrl {
        &self.url
    }

    /// Returns the size, if the server has said it.
    pub(crate) fn size(&self) -> Option<u64> {
        self.version()?.size
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

    pub(super) fn set_version(&self, version: Version) {
        *self.found() = Some(Ok(version));
    }

    /// Reads from a byte on.
    pub(crate) fn open_at(self: &Arc<Self>, start: u64) -> io::Result<Reader> {
        let buffer = Arc::new(Buffer::new(READ_AHEAD, None));
        let (archive, into) = (self.clone(), buffer.clone());
        spawn(async move { download(&archive, start, &into).await });
        Reader::open(buffer, Arc::default())
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
        let mut failures = 0;
        let found = loop {
            match head(&Target(&self.url)).await {
                Ok(version) => break Ok(version),
                Err(Trouble::Passing(failure, retry_after)) => {
                    failures += 1;
                    if failures >= gate::max_tries() {
                        break Err(failure);
                    }
                    gate::wait_to_try_again(&self.url.host(), failures, retry_after).await;
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
    let stopped = async {
        while !stop.load(Relaxed) {
            tokio::time::sleep(TICK).await;
        }
    };
    block_on(async {
        futures_util::pin_mut!(all, stopped);
        futures_util::future::select(all, stopped).await;
    });
}

/// Reads what is at a URL, of at most `most` bytes.
///
/// # Errors
///
/// Why it cannot be read, and that there are more bytes.
pub(crate) fn read(url: &RemoteUrl, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |offset: u64, source| {
        Error::from(ErrorKind::Read {
            location: url.to_string(),
            offset,
            source,
        })
    };
    let archive = Arc::new(RemoteArchive::new(url.clone()));
    let mut bytes = Vec::new();
    let reader = archive.open_at(0).map_err(|e| failed(0, e))?;
    let read = reader.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|e| failed(bytes.len() as u64, e))?;
    if bytes.len() as u64 > most {
        return Err(Error::usage(format!(
            "{url}: expected at most {most} bytes, but found more; is it the right file?"
        )));
    }
    Ok(bytes)
}
