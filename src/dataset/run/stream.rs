//! The bytes of a source, and of a stream an error as soon as the run is stopped.
//!
//! A stream may block its reader for ever: a pipe that no process writes to. Neither `read` nor
//! `open` of a named pipe can be cancelled, so a thread of its own blocks there. When the run is
//! stopped, that thread is left to end with its source or with the process.

use std::{
    io::{self, Cursor, ErrorKind, Read},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, SendError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use super::{downloads::is_changed, progress::Progress};
use crate::{
    archive::input::Source,
    digest::{Hasher, Sha1Digest},
};

/// Bytes that are read at once: the capacity of a pipe of Linux.
const CHUNK: usize = 64 * 1024;
/// Chunks that are read ahead.
const AHEAD: usize = 4;
/// Time between two checks of whether the run is stopped.
const TICK: Duration = Duration::from_millis(50);

/// Opens a source: a file, whose bytes exist already, or a stream, of unknown size, which is read
/// ahead on a thread of its own.
///
/// # Errors
///
/// Those of the source, and one where the run is stopped before a stream has opened.
pub(super) fn open<'p>(
    source: &Arc<dyn Source>,
    progress: &'p Progress,
) -> io::Result<Box<dyn Read + Send + 'p>> {
    match source.size() {
        Some(_) => Ok(source.open()?),
        None => Ok(Box::new(open_stream(source, progress)?)),
    }
}

fn open_stream<'p>(source: &Arc<dyn Source>, progress: &'p Progress) -> io::Result<Stream<'p>> {
    let (sender, chunks) = sync_channel(AHEAD);
    let source = source.clone();
    thread::Builder::new()
        .name("stream".to_owned())
        // A receiver that is gone needs no error.
        .spawn(move || drop(read_ahead(&*source, &sender)))?;
    let stream = Stream {
        chunks,
        progress,
        chunk: Cursor::default(),
        has_ended: false,
    };
    // The first chunk, which is empty, means that the source has opened.
    stream.next()?;
    Ok(stream)
}

/// Sends nothing, then the chunks of a source, and nothing again at its end.
fn read_ahead(
    source: &dyn Source,
    chunks: &SyncSender<io::Result<Vec<u8>>>,
) -> Result<(), SendError<io::Result<Vec<u8>>>> {
    let mut bytes = match source.open() {
        Ok(bytes) => bytes,
        Err(e) => return chunks.send(Err(e)),
    };
    chunks.send(Ok(Vec::new()))?;
    loop {
        let mut chunk = vec![0; CHUNK];
        match bytes.read(&mut chunk) {
            Ok(n) => {
                chunk.truncate(n);
                chunks.send(Ok(chunk))?;
                if n == 0 {
                    return Ok(());
                }
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return chunks.send(Err(e)),
        }
    }
}

/// A stream that is read ahead.
struct Stream<'p> {
    chunks: Receiver<io::Result<Vec<u8>>>,
    progress: &'p Progress,
    chunk: Cursor<Vec<u8>>,
    has_ended: bool,
}

impl Stream<'_> {
    /// Waits for the next chunk.
    fn next(&self) -> io::Result<Vec<u8>> {
        loop {
            match self.chunks.recv_timeout(TICK) {
                Ok(chunk) => return chunk,
                Err(RecvTimeoutError::Timeout) if self.progress.is_stopped() => {
                    return Err(stopped());
                }
                Err(RecvTimeoutError::Timeout) => {}
                // The end of the stream is a chunk too, so this is not the end.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the thread that reads it has panicked"));
                }
            }
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let is_read = self.chunk.position() == self.chunk.get_ref().len() as u64;
        if is_read && !self.has_ended {
            let chunk = self.next()?;
            self.has_ended = chunk.is_empty();
            self.chunk = Cursor::new(chunk);
        }
        self.chunk.read(buffer)
    }
}

/// Bytes of a source that are counted and hashed as they are read. Reading fails once the run is
/// stopped, so that an archive without records ends then too.
pub(in crate::dataset) struct CountedBytes<'p> {
    source: Box<dyn Read + Send + 'p>,
    /// The URL of a download: a server that fails to give the rest says nothing about other
    /// archives.
    url: Option<String>,
    progress: &'p Progress,
    n_read: u64,
    /// How many bytes are left of those that are to be read.
    pub(super) left: u64,
    hasher: Hasher,
    /// Whether reading has failed, so that no more bytes can be read.
    pub(super) has_failed: bool,
    error: Option<io::Error>,
}

impl<'p> CountedBytes<'p> {
    /// Returns the bytes of a source that is open; `url` is that of a download.
    pub(in crate::dataset) fn new(
        source: Box<dyn Read + Send + 'p>,
        url: Option<String>,
        progress: &'p Progress,
    ) -> Self {
        Self {
            source,
            url,
            progress,
            n_read: 0,
            left: u64::MAX,
            hasher: Hasher::default(),
            has_failed: false,
            error: None,
        }
    }

    /// Returns the digest of the bytes read so far.
    pub(in crate::dataset) fn digest(&self) -> Sha1Digest {
        self.hasher.clone().finish()
    }

    /// Returns the error at which reading ended, and the number of bytes read before it.
    pub(in crate::dataset) fn failure(&mut self) -> Option<(u64, io::Error)> {
        self.error.take().map(|error| (self.n_read, error))
    }
}

impl Read for CountedBytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_stopped() {
            return Err(stopped());
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let most = most.min(buffer.len());
        match self.source.read(&mut buffer[..most]) {
            Ok(n) => {
                self.n_read += n as u64;
                self.left -= n as u64;
                self.hasher.update(&buffer[..n]);
                self.progress.add_bytes(n as u64);
                Ok(n)
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => Err(e),
            Err(e) => {
                self.has_failed = true;
                // The archive is incomplete then, and the run continues.
                if let Some(url) = &self.url
                    && !is_changed(&e)
                {
                    return Err(io::Error::new(e.kind(), format!("{url}: {e}")));
                }
                let kind = e.kind();
                self.error = Some(e);
                Err(kind.into())
            }
        }
    }
}

/// Returns the error of reading when the run is stopped; it is never shown.
fn stopped() -> io::Error {
    io::Error::other("the run was stopped")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes one by one, with an interruption before each, and then waits or fails.
    #[derive(Clone, Debug)]
    struct Slow {
        bytes: Vec<u8>,
        is_endless: bool,
        is_interrupted: bool,
    }

    impl Source for Slow {
        fn open(&self) -> io::Result<Box<dyn Read + Send>> {
            if self.bytes.is_empty() {
                Err(ErrorKind::PermissionDenied.into())
            } else {
                Ok(Box::new(self.clone()))
            }
        }

        fn size(&self) -> Option<u64> {
            None
        }

        fn location(&self) -> String {
            "slow".to_owned()
        }
    }

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            match self.bytes.first() {
                Some(_) if self.is_interrupted => Err(ErrorKind::Interrupted.into()),
                Some(&byte) => {
                    self.bytes.remove(0);
                    buffer[0] = byte;
                    Ok(1)
                }
                None if self.is_endless => loop {
                    thread::park();
                },
                None => Err(io::Error::other("the disk is gone")),
            }
        }
    }

    fn source(bytes: &[u8], is_endless: bool) -> Arc<dyn Source> {
        Arc::new(Slow {
            bytes: bytes.into(),
            is_endless,
            is_interrupted: false,
        })
    }

    #[test]
    fn every_byte_comes_and_then_what_the_source_fails_with() {
        let progress = Progress::default();
        let mut stream = open(&source(b"abc", false), &progress).expect("it opens");
        let mut bytes = Vec::new();
        let error = stream.read_to_end(&mut bytes).expect_err("it fails");
        assert_eq!(
            (bytes.as_slice(), error.to_string()),
            (&b"abc"[..], "the disk is gone".into())
        );
        let refused = open(&source(b"", false), &progress).map(drop);
        assert_eq!(
            refused.map_err(|e| e.kind()),
            Err(ErrorKind::PermissionDenied)
        );
    }

    #[test]
    fn a_blocked_reader_returns_once_the_run_is_stopped() {
        let progress = Progress::default();
        let mut stream = open(&source(b"a", true), &progress).expect("it opens");
        let mut byte = [0];
        assert_eq!(stream.read(&mut byte).ok(), Some(1));
        thread::scope(|scope| {
            let waits = scope.spawn(|| stream.read(&mut byte).map_err(|e| e.to_string()));
            progress.stop();
            let read = waits.join().expect("it does not panic");
            assert_eq!(read, Err(stopped().to_string()));
        });
    }
}
