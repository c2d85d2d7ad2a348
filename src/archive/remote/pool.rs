//! The memory of downloads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::BytesMut;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of a block: few, since the last block of each archive is not full.
pub(super) const BLOCK: usize = 64 * 1024;
/// Bytes that are allocated at once, for several blocks: so many that the allocator maps them
/// separately, and returns them to the system after the last block. Single blocks would stay with
/// the threads that receive, beside what the redirects need after them.
pub(super) const SLAB: usize = 2 * 1024 * 1024;

/// The memory of all downloads of a run.
///
/// A block that was read serves the next bytes: the system would have to clear each page of another
/// one. For each download, at most one block that is being read and the end of one chunk exceed
/// what is reserved. Free blocks return to the system after the last download.
#[derive(Clone)]
pub(super) struct Pool(Arc<Blocks>);

struct Blocks {
    /// How many blocks no download has reserved.
    unreserved: Arc<Semaphore>,
    /// `None` once no more are needed.
    free: Mutex<Option<Vec<BytesMut>>>,
}

impl Pool {
    /// Creates a pool of as many blocks as have so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        Self(Arc::new(Blocks {
            unreserved: Semaphore::new(blocks(bytes) as usize).into(),
            free: Mutex::new(Some(Vec::new())),
        }))
    }

    /// Reserves as many blocks as have so many bytes. Callers get them in the order in which they
    /// ask.
    pub(super) async fn reserve(&self, bytes: u64) -> OwnedSemaphorePermit {
        let unreserved = self.0.unreserved.clone();
        let permit = unreserved.acquire_many_owned(blocks(bytes)).await;
        permit.expect("the semaphore is never closed")
    }

    /// Returns an empty block: one that the caller has reserved, but for the end of a chunk that
    /// does not fit.
    pub(super) fn take(&self) -> Block {
        let mut free = self.free();
        let found = free.as_mut().and_then(Vec::pop);
        let bytes = found.unwrap_or_else(|| {
            let mut first = BytesMut::with_capacity(SLAB);
            while first.capacity() > BLOCK {
                let block = first.split_off(first.capacity() - BLOCK);
                if let Some(free) = &mut *free {
                    free.push(block);
                }
            }
            first
        });
        Block {
            bytes,
            pool: self.clone(),
        }
    }

    /// Frees the blocks that were read, and those that are read from now on: no more bytes will
    /// come.
    pub(super) fn close(&self) {
        *self.free() = None;
    }

    fn free(&self) -> MutexGuard<'_, Option<Vec<BytesMut>>> {
        self.0.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn n_unreserved(&self) -> usize {
        self.0.unreserved.available_permits()
    }

    #[cfg(test)]
    pub(super) fn n_free(&self) -> usize {
        self.free().as_ref().map_or(0, Vec::len)
    }
}

/// Returns how many blocks have so many bytes: one at least.
fn blocks(bytes: u64) -> u32 {
    let n = bytes.div_ceil(BLOCK as u64).max(1);
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A block of a pool, to which it returns.
pub(super) struct Block {
    bytes: BytesMut,
    pool: Pool,
}

impl Block {
    /// Appends the bytes that fit, and returns the others.
    pub(super) fn fill<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let space = self.bytes.capacity() - self.bytes.len();
        let (fits, rest) = bytes.split_at(bytes.len().min(space));
        self.bytes.extend_from_slice(fits);
        rest
    }
}

impl AsRef<[u8]> for Block {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        if let Some(free) = &mut *self.pool.free() {
            free.push(bytes);
        }
    }
}
