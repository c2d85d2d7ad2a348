//! Bytes between a download and the worker that reads them.

use std::{
    collections::VecDeque,
    io::{self, Read},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::sync::{Notify, Semaphore};

use super::status::{Changed, Failure, Trouble};

/// Time between two checks of whether the run is stopped.
const TICK: Duration = Duration::from_millis(50);
/// What memory is counted in: a semaphore counts no more than 2^32.
const UNIT: u64 = 1024;
/// Bytes of a block: so many that the allocator maps it separately, and returns it to the system
/// once it was read. Small blocks would stay with the threads that receive, beside what the workers
/// and the redirects need after them.
const BLOCK: usize = 2 * 1024 * 1024;

/// The memory of all downloads of a run.
#[derive(Clone)]
pub(super) struct Budget(Arc<Semaphore>);

impl Budget {
    pub(super) fn new(bytes: u64) -> Self {
        Self(Arc::new(Semaphore::new(units(bytes) as usize)))
    }

    /// Waits for memory, which callers get in the order in which they ask.
    pub(super) async fn take(&self, bytes: u64) -> u32 {
        let permits = self.0.acquire_many(units(bytes)).await;
        let permits = permits.expect("the semaphore is never closed");
        let n = permits.num_permits() as u32;
        permits.forget();
        n
    }

    fn give_back(&self, units: u32) {
        self.0.add_permits(units as usize);
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT))
        .unwrap_or(u32::MAX)
        .max(1)
}

/// The bytes of one download that were received and not yet read.
///
/// They can be read once all are there, or as many as fit (`capacity`). Until then the download may
/// restart.
pub(super) struct Buffer {
    capacity: u64,
    budget: Option<Budget>,
    state: Mutex<State>,
    /// Bytes, the end or a failure have come.
    has_come: Condvar,
    /// Bytes were read, or will not be.
    has_gone: Notify,
}

#[derive(Default)]
struct State {
    blocks: VecDeque<Vec<u8>>,
    /// Bytes in `blocks`.
    waiting: u64,
    /// Bytes since the beginning, including those that were read.
    received: u64,
    /// Whether bytes were passed on, so that the download cannot restart.
    is_read: bool,
    is_abandoned: bool,
    end: Option<Result<(), End>>,
    /// Units of the budget.
    held: u32,
}

/// Why bytes end early.
#[derive(Clone)]
pub(super) enum End {
    Failed(Failure),
    Changed,
}

impl Buffer {
    pub(super) fn new(capacity: u64, budget: Option<Budget>) -> Self {
        Self {
            capacity,
            budget,
            state: Mutex::default(),
            has_come: Condvar::new(),
            has_gone: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the memory that the download may use.
    pub(super) async fn reserve(&self) {
        if let Some(budget) = &self.budget {
            let held = budget.take(self.capacity).await;
            self.lock().held = held;
        }
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
        state.blocks.clear();
        (state.waiting, state.received) = (0, 0);
        true
    }

    pub(super) fn push(&self, mut bytes: &[u8]) {
        let mut state = self.lock();
        state.waiting += bytes.len() as u64;
        state.received += bytes.len() as u64;
        while !bytes.is_empty() {
            let last = state.blocks.back_mut();
            match last.filter(|last| last.len() < last.capacity()) {
                Some(last) => {
                    let space = last.capacity() - last.len();
                    let (fits, rest) = bytes.split_at(bytes.len().min(space));
                    last.extend_from_slice(fits);
                    bytes = rest;
                }
                None => {
                    // A reader that waits takes what has come, and small archives are many.
                    let size = match state.is_read && state.blocks.is_empty() {
                        true => bytes.len(),
                        false => usize::try_from(self.capacity).unwrap_or(BLOCK),
                    };
                    state.blocks.push_back(Vec::with_capacity(size.min(BLOCK)));
                }
            }
        }
        self.has_come.notify_all();
    }

    /// Waits until more bytes fit.
    pub(super) async fn wait_for_space(&self) -> Result<(), Trouble> {
        loop {
            let gone = self.has_gone.notified();
            {
                let state = self.lock();
                if state.is_abandoned {
                    return Err(Trouble::Abandoned);
                }
                if state.waiting < self.capacity {
                    return Ok(());
                }
            }
            gone.await;
        }
    }

    /// Notes that no more bytes will come.
    pub(super) fn end(&self, end: Result<(), End>) {
        let mut state = self.lock();
        // Bytes that nobody has begun to read are not read without the rest.
        if end.is_err() && !state.is_read {
            state.blocks.clear();
            state.waiting = 0;
        }
        state.end = Some(end);
        self.settle(&mut state);
        self.has_come.notify_all();
    }

    /// Gives back the memory that no more bytes will need.
    fn settle(&self, state: &mut State) {
        let Some(budget) = &self.budget else { return };
        let needed = match (state.waiting, state.is_abandoned) {
            (0, _) | (_, true) => 0,
            (waiting, false) => units(waiting),
        };
        if (state.end.is_some() || state.is_abandoned) && needed < state.held {
            budget.give_back(state.held - needed);
            state.held = needed;
        }
    }

    /// Waits until the bytes can be read, and returns why they cannot.
    fn open(&self, stop: &AtomicBool) -> io::Result<()> {
        let mut state = self.lock();
        loop {
            match &state.end {
                Some(Err(end)) if !state.is_read => return Err(end.clone().into()),
                Some(_) => break,
                None if state.waiting >= self.capacity => break,
                None => state = self.wait(state, stop)?,
            }
        }
        state.is_read = true;
        Ok(())
    }

    /// Waits for the next bytes; `None` at the end.
    fn next(&self, stop: &AtomicBool) -> io::Result<Option<Vec<u8>>> {
        let mut state = self.lock();
        loop {
            if let Some(block) = state.blocks.pop_front() {
                state.waiting -= block.len() as u64;
                self.settle(&mut state);
                self.has_gone.notify_one();
                return Ok(Some(block));
            }
            match &state.end {
                Some(Ok(())) => return Ok(None),
                Some(Err(end)) => return Err(end.clone().into()),
                None => state = self.wait(state, stop)?,
            }
        }
    }

    fn wait<'s>(
        &self,
        state: MutexGuard<'s, State>,
        stop: &AtomicBool,
    ) -> io::Result<MutexGuard<'s, State>> {
        if stop.load(Relaxed) {
            return Err(io::Error::other("the run was stopped"));
        }
        let waited = self.has_come.wait_timeout(state, TICK);
        Ok(waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        state.blocks.clear();
        state.waiting = 0;
        self.settle(&mut state);
        self.has_gone.notify_one();
    }
}

impl From<End> for io::Error {
    fn from(end: End) -> Self {
        match end {
            End::Failed(failure) => failure.into(),
            End::Changed => Self::other(Changed),
        }
    }
}

/// Reads the bytes of a download. The download ends with it.
pub(crate) struct Reader {
    buffer: Arc<Buffer>,
    block: io::Cursor<Vec<u8>>,
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
            block: io::Cursor::default(),
            stop,
        };
        reader.buffer.open(&reader.stop)?;
        Ok(reader)
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.block.read(into)?;
            if n > 0 || into.is_empty() {
                return Ok(n);
            }
            match self.buffer.next(&self.stop)? {
                Some(block) => self.block = io::Cursor::new(block),
                None => return Ok(0),
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
    use crate::remote::store::block_on;

    fn open(buffer: &Arc<Buffer>) -> io::Result<Reader> {
        Reader::open(buffer.clone(), Arc::default())
    }

    #[test]
    fn memory_is_given_back_as_blocks_are_read() {
        const UNITS: usize = BLOCK / UNIT as usize;
        let budget = Budget::new(8 * BLOCK as u64);
        let free = || budget.0.available_permits();
        let buffer = Arc::new(Buffer::new(5 * BLOCK as u64, Some(budget.clone())));
        block_on(buffer.reserve());
        assert_eq!(free(), 3 * UNITS);
        let bytes: Vec<u8> = (0..BLOCK * 5 / 2).map(|n| (n % 251) as u8).collect();
        for chunk in bytes.chunks(10_007) {
            buffer.push(chunk);
        }
        buffer.end(Ok(()));
        assert_eq!(free(), 8 * UNITS - UNITS * 5 / 2);
        let mut reader = open(&buffer).unwrap();
        let mut read = vec![0; BLOCK + 1];
        reader.read_exact(&mut read).unwrap();
        assert_eq!(free(), 8 * UNITS - UNITS / 2);
        reader.read_to_end(&mut read).unwrap();
        assert!(read == bytes);
        assert_eq!(free(), 8 * UNITS);
    }

    #[test]
    fn memory_of_what_is_not_read_is_given_back() {
        let budget = Budget::new(64 * UNIT);
        let buffer = Arc::new(Buffer::new(40 * UNIT, Some(budget.clone())));
        block_on(buffer.reserve());
        buffer.push(&[7; 20 * UNIT as usize]);
        buffer.end(Err(End::Changed));
        assert_eq!(budget.0.available_permits(), 64);
    }

    #[test]
    fn what_was_read_is_not_received_again() {
        let buffer = Arc::new(Buffer::new(3, None));
        buffer.push(b"ab");
        assert!(buffer.restart());
        buffer.push(b"cde");
        let mut reader = open(&buffer).unwrap();
        assert!(!buffer.restart());
        buffer.end(Err(End::Changed));
        let mut bytes = Vec::new();
        let error = reader.read_to_end(&mut bytes).unwrap_err();
        assert_eq!(bytes, b"cde");
        assert!(Changed::caused(&error));
    }

    #[test]
    fn bytes_without_the_rest_are_not_opened() {
        let buffer = Arc::new(Buffer::new(3, None));
        buffer.push(b"ab");
        buffer.end(Err(End::Failed(Failure::new(
            io::ErrorKind::NotFound,
            "gone",
        ))));
        assert_eq!(open(&buffer).err().unwrap().to_string(), "gone");
        let stopped = Reader::open(
            Arc::new(Buffer::new(3, None)),
            Arc::new(AtomicBool::new(true)),
        );
        assert!(stopped.is_err());
    }
}
