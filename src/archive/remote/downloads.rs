//! Downloads ahead of the workers.
//!
//! Archives get memory strictly in the order in which they will be read, so workers never wait for
//! each other in a circle: the first archive that was not read to its end always has memory, and
//! the worker that will read it waits for no other.

use std::{
    collections::HashMap,
    io,
    num::NonZeroUsize,
    sync::{Arc, atomic::AtomicBool},
};

use tokio::{
    sync::Semaphore,
    task::{JoinHandle, JoinSet},
};

use super::{
    archive::RemoteArchive,
    buffer::{self, Buffer, Reader},
    download::download,
    store::spawn,
};

/// The share of the memory, as a divisor, for an archive that does not fit or whose size is not
/// known: enough for several of them at a time.
const STREAM_SHARE: u64 = 4;

/// The downloads of a run; those that are under way end with it.
pub(crate) struct Downloads {
    buffers: HashMap<usize, (Arc<RemoteArchive>, Arc<Buffer>)>,
    admission: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Downloads {
    /// Begins to download archives, with their numbers, in the order in which they will be read:
    /// so many at a time, and with at most `memory` bytes that wait to be read.
    pub(crate) fn start(
        archives: Vec<(usize, Arc<RemoteArchive>)>,
        at_a_time: NonZeroUsize,
        memory: u64,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let shared = buffer::memory(memory);
        let mut buffers = HashMap::new();
        let mut order = Vec::new();
        for (index, archive) in archives {
            // One byte more than all bytes: a complete archive is never taken for a full buffer.
            let whole = archive.n_wanted().map(|size| size.saturating_add(1));
            let capacity = whole.filter(|&size| size <= memory);
            let capacity = capacity.unwrap_or((memory / STREAM_SHARE).max(1));
            let buffer = Arc::new(Buffer::new(capacity, shared.clone()));
            buffers.insert(index, (archive.clone(), buffer.clone()));
            // What the server does not have is not asked for again.
            if archive.refusal().is_none() {
                order.push((archive, buffer));
            }
        }
        let admission = (!order.is_empty()).then(|| spawn(admit(order, at_a_time)));
        Self {
            buffers,
            admission,
            stop,
        }
    }

    /// Waits until the archive of that number can be read; `None` if it is not remote.
    pub(crate) fn open(&self, index: usize) -> Option<io::Result<Reader>> {
        let (archive, buffer) = self.buffers.get(&index)?;
        Some(match archive.refusal() {
            Some(failure) => Err(failure.into()),
            None => Reader::open(buffer.clone(), self.stop.clone()),
        })
    }
}

impl Drop for Downloads {
    fn drop(&mut self) {
        // The downloads under way are in a set that this task has.
        if let Some(admission) = &self.admission {
            admission.abort();
        }
    }
}

async fn admit(order: Vec<(Arc<RemoteArchive>, Arc<Buffer>)>, at_a_time: NonZeroUsize) {
    let slots = Arc::new(Semaphore::new(at_a_time.get().min(Semaphore::MAX_PERMITS)));
    let mut under_way = JoinSet::new();
    for (archive, buffer) in order {
        buffer.reserve().await;
        let slot = slots.clone().acquire_owned().await;
        let slot = slot.expect("the semaphore is never closed");
        under_way.spawn(async move {
            download(&archive, 0, &buffer).await;
            drop(slot);
        });
        while under_way.try_join_next().is_some() {}
    }
    while under_way.join_next().await.is_some() {}
}
