//! Bytes between a download and the worker that reads them.

use std::{
    collections::VecDeque,
    io::{self, Read},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::{
    status::Trouble,
    store::{block_on, unless_stopped},
};

/// Bytes of a block: so many that the allocator maps each one separately, and returns it to the
/// system when it was read. Smaller ones would stay with the threads that receive, beside what the
/// redirects need after them. Of a block that is not full, the system gives no more than is filled.
const BLOCK: usize = 2 * 1024 * 1024;
/// Bytes that are reserved as one.
const UNIT: u64 = 64 * 1024;

/// Returns memory of so many bytes, of which downloads reserve some.
pub(super) fn memory(bytes: u64) -> Arc<Semaphore> {
    Semaphore::new(units(bytes.max(1)) as usize).into()
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

/// The bytes of one download that were received and not yet read.
///
/// They can be read once all are there, or as many as fit (`capacity`). Until then the download may
/// restart.
pub(super) struct Buffer {
    capacity: u64,
    memory: Arc<Semaphore>,
    state: Mutex<State>,
    /// Bytes that can be read, the end or a failure have come; or bytes were read, or will not be.
    has_changed: Notify,
}

#[derive(Default)]
struct State {
    blocks: VecDeque<Vec<u8>>,
    /// Bytes in `blocks`, and in the block that is being read.
    waiting: u64,
    /// Bytes in the block that is being read.
    in_use: u64,
    /// Bytes since the beginning, including those that were read.
    received: u64,
    /// Whether bytes were passed on, so that the download cannot restart.
    is_read: bool,
    is_abandoned: bool,
    end: Option<Result<(), Trouble>>,
    /// The memory that is reserved.
    reserved: Option<OwnedSemaphorePermit>,
}

impl State {
    /// Forgets the bytes that are not being read.
    fn clear(&mut self) {
        self.blocks.clear();
        self.waiting = self.in_use;
    }

    /// Releases the memory that no more bytes will need.
    fn settle(&mut self) {
        let is_over = self.end.is_some() || self.is_abandoned;
        if let Some(reserved) = self.reserved.as_mut().filter(|_| is_over) {
            let needed = units(self.waiting) as usize;
            drop(reserved.split(reserved.num_permits().saturating_sub(needed)));
        }
    }
}

impl Buffer {
    pub(super) fn new(capacity: u64, memory: Arc<Semaphore>) -> Self {
        Self {
            capacity,
            memory,
            state: Mutex::default(),
            has_changed: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the memory that the download may use. Downloads get it in the order in which they
    /// ask.
    pub(super) async fn reserve(&self) {
        let memory = self.memory.clone();
        let reserved = memory.acquire_many_owned(units(self.capacity)).await;
        self.lock().reserved = Some(reserved.expect("the semaphore is never closed"));
    }

    /// Returns how many bytes were received since the beginning.
    pub(super) fn received(&self) -> u64 {
        self.lock().received
    }

    /// Forgets what was received, and returns false if some of it was read already.
    pub(super) fn restart(&self) -> bool {
        let mut state = self.lock();
        if state.is_read {
            return false;
        }
        state.clear();
        state.received = 0;
        true
    }

    pub(super) fn push(&self, mut bytes: &[u8]) {
        let mut state = self.lock();
        if state.is_abandoned {
            return;
        }
        state.waiting += bytes.len() as u64;
        state.received += bytes.len() as u64;
        while !bytes.is_empty() {
            if state.blocks.back().is_none_or(|last| last.len() == BLOCK) {
                state.blocks.push_back(Vec::with_capacity(BLOCK));
            }
            let last = state.blocks.back_mut().expect("it was added");
            let (fits, rest) = bytes.split_at(bytes.len().min(BLOCK - last.len()));
            last.extend_from_slice(fits);
            bytes = rest;
        }
        if state.is_read || state.waiting >= self.capacity {
            self.has_changed.notify_waiters();
        }
    }

    /// Waits until `ready` returns something for the state, of which it is asked after each change.
    async fn wait_until<T>(&self, mut ready: impl FnMut(&mut State) -> Option<T>) -> T {
        loop {
            let has_changed = self.has_changed.notified();
            let found = ready(&mut self.lock());
            match found {
                Some(found) => return found,
                None => has_changed.await,
            }
        }
    }

    /// Waits until more bytes fit.
    pub(super) async fn wait_for_space(&self) -> Result<(), Trouble> {
        self.wait_until(|state| {
            if state.is_abandoned {
                return Some(Err(Trouble::Abandoned));
            }
            (state.waiting < self.capacity).then_some(Ok(()))
        })
        .await
    }

    /// Notes that no more bytes will come.
    pub(super) fn end(&self, end: Result<(), Trouble>) {
        let mut state = self.lock();
        // Bytes that nobody has begun to read are not read without the rest.
        if end.is_err() && !state.is_read {
            state.clear();
        }
        state.end = Some(end);
        state.settle();
        self.has_changed.notify_waiters();
    }

    /// Waits until the bytes can be read, and returns why they cannot.
    async fn open(&self) -> io::Result<()> {
        self.wait_until(|state| {
            match &state.end {
                Some(Err(end)) if !state.is_read => return Some(Err(end.clone().into())),
                None if state.waiting < self.capacity => return None,
                _ => state.is_read = true,
            }
            Some(Ok(()))
        })
        .await
    }

    /// Waits for the next bytes, after those before were read; `None` at the end.
    async fn next(&self) -> io::Result<Option<Vec<u8>>> {
        self.wait_until(|state| {
            if state.in_use > 0 {
                state.waiting -= mem::take(&mut state.in_use);
                state.settle();
                self.has_changed.notify_waiters();
            }
            if let Some(block) = state.blocks.pop_front() {
                state.in_use = block.len() as u64;
                return Some(Ok(Some(block)));
            }
            let end = state.end.clone()?;
            Some(end.map(|()| None).map_err(io::Error::from))
        })
        .await
    }

    fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        state.in_use = 0;
        state.clear();
        state.settle();
        self.has_changed.notify_waiters();
    }
}

/// Reads the bytes of a download. The download ends with it.
pub(crate) struct Reader {
    buffer: Arc<Buffer>,
    block: Option<io::Cursor<Vec<u8>>>,
    stop: Arc<AtomicBool>,
}

impl Reader {
    /// Waits until bytes can be read.
    ///
    /// # Errors
    ///
    /// Why there are none; and that the run is stopped.
    pub(super) fn open(buffer: Arc<Buffer>, stop: Arc<AtomicBool>) -> io::Result<Self> {
        let reader = Self {
            buffer,
            block: None,
            stop,
        };
        reader.wait(reader.buffer.open())?;
        Ok(reader)
    }

    fn wait<T>(&self, future: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let found = block_on(unless_stopped(future, &self.stop));
        found.unwrap_or_else(|| Err(io::Error::other("the run was stopped")))
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = match &mut self.block {
                Some(block) => block.read(into)?,
                None => 0,
            };
            if n > 0 || into.is_empty() {
                return Ok(n);
            }
            // What was read is given back before the next bytes come.
            self.block = None;
            self.block = self.wait(self.buffer.next())?.map(io::Cursor::new);
            if self.block.is_none() {
                return Ok(0);
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.buffer.abandon();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::remote::store::block_on;

    fn open(buffer: &Arc<Buffer>) -> io::Result<Reader> {
        Reader::open(buffer.clone(), Arc::default())
    }

    #[test]
    fn memory_is_released_as_blocks_are_read() {
        const UNITS: usize = BLOCK / UNIT as usize;
        let memory = memory(8 * BLOCK as u64);
        let buffer = Arc::new(Buffer::new(5 * BLOCK as u64, memory.clone()));
        block_on(buffer.reserve());
        assert_eq!(memory.available_permits(), 3 * UNITS);
        let bytes: Vec<u8> = (0..BLOCK * 5 / 2).map(|n| (n % 251) as u8).collect();
        for chunk in bytes.chunks(10_007) {
            buffer.push(chunk);
        }
        buffer.end(Ok(()));
        assert_eq!(memory.available_permits(), UNITS * 11 / 2);
        let mut reader = open(&buffer).unwrap();
        let mut read = vec![0; BLOCK + 1];
        reader.read_exact(&mut read).unwrap();
        assert_eq!(memory.available_permits(), UNITS * 13 / 2);
        reader.read_to_end(&mut read).unwrap();
        assert!(read == bytes);
        assert_eq!(memory.available_permits(), 8 * UNITS);
    }

    #[test]
    fn memory_is_released_however_a_download_ends() {
        let memory = memory(BLOCK as u64);
        let download = |end: fn(&Arc<Buffer>)| {
            let buffer = Arc::new(Buffer::new(BLOCK as u64, memory.clone()));
            block_on(buffer.reserve());
            buffer.push(&[7; BLOCK - 1]);
            assert_eq!(memory.available_permits(), 0);
            end(&buffer);
            assert_eq!(memory.available_permits(), BLOCK / UNIT as usize);
        };
        download(|buffer| {
            buffer.end(Ok(()));
            io::copy(&mut open(buffer).unwrap(), &mut io::sink()).unwrap();
        });
        download(|buffer| buffer.end(Err(Trouble::Changed)));
        download(|buffer| {
            assert!(buffer.restart());
            buffer.push(b"ab");
            buffer.end(Ok(()));
            open(buffer).unwrap();
        });
        download(|buffer| {
            buffer.push(b"m");
            open(buffer).unwrap().read_exact(&mut [0]).unwrap();
            buffer.push(b"more than is read");
        });
    }

    #[test]
    fn what_was_read_is_not_received_again() {
        let buffer = Arc::new(Buffer::new(3, memory(3)));
        buffer.push(b"ab");
        assert!(buffer.restart());
        buffer.push(b"cde");
        let mut reader = open(&buffer).unwrap();
        assert!(!buffer.restart());
        buffer.end(Err(Trouble::Changed));
        let mut bytes = Vec::new();
        let error = reader.read_to_end(&mut bytes).unwrap_err();
        assert_eq!(bytes, b"cde");
        assert!(crate::archive::remote::Changed::caused(&error));
    }

    #[test]
    fn bytes_without_the_rest_are_not_opened() {
        let buffer = Arc::new(Buffer::new(3, memory(3)));
        buffer.push(b"ab");
        buffer.end(Err(Trouble::lasting(io::ErrorKind::NotFound, "gone")));
        assert_eq!(open(&buffer).err().unwrap().to_string(), "gone");
        let stopped = Reader::open(
            Arc::new(Buffer::new(3, memory(3))),
            Arc::new(AtomicBool::new(true)),
        );
        assert!(stopped.is_err());
    }
}
