//! One download: requests until all bytes of one version were received.

use std::{
    io::{
        self,
        ErrorKind::{TimedOut, UnexpectedEof},
        Write,
    },
    mem,
    ops::Range,
    time::Instant,
};

use flate2::write::MultiGzDecoder;

use super::{
    archive::RemoteArchive,
    buffer::Buffer,
    client::{Answer, Version, get, next_chunk, refuse_page},
    gate,
    pace::{LEAST_RATE, Pace, least_bytes},
    retry::Retries,
    status::Trouble,
};

/// How often an archive may restart. One that changes more often is being written.
const MAX_RESTARTS: u32 = 5;
/// Bytes of a compressed transfer that are inflated at once: to 16 MiB at most.
const INFLATED_AT_ONCE: usize = 16 * 1024;

/// Downloads an archive from a byte on into a buffer, which learns how that ended.
pub(super) async fn download(archive: &RemoteArchive, start: u64, buffer: &Buffer) {
    let download = Download {
        archive,
        start,
        buffer,
    };
    buffer.end(download.receive().await);
}

struct Download<'a> {
    archive: &'a RemoteArchive,
    /// Where it begins, among the bytes that are wanted.
    start: u64,
    buffer: &'a Buffer,
}

impl Download<'_> {
    async fn receive(&self) -> Result<(), Trouble> {
        let mut version = None;
        let mut retries = Retries::new(&self.archive.url);
        let mut restarts = 0;
        loop {
            let (begun, received) = (Instant::now(), self.buffer.received());
            match self.request(&mut version).await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Trouble::Passing(failure, retry_after)) => {
                    // Fewer bytes are as good as none: tries are a second apart at least, and after
                    // a server fell silent or slow, that lasted.
                    let (least, last_bytes) = match failure.kind {
                        TimedOut => (least_bytes(), begun),
                        _ => (LEAST_RATE, Instant::now()),
                    };
                    let has_advanced = self.buffer.received().saturating_sub(received) >= least;
                    let last_bytes = has_advanced.then_some(last_bytes);
                    let waited = retries.wait(failure, retry_after, last_bytes).await;
                    waited.map_err(Trouble::Lasting)?;
                }
                Err(Trouble::Changed) => {
                    restarts += 1;
                    if restarts > MAX_RESTARTS {
                        let message = format!(
                            "{restarts} times it changed while it was read, or the server did not send the rest of it as it was asked to"
                        );
                        return Err(Trouble::lasting(io::ErrorKind::Other, message));
                    }
                    if !self.buffer.restart() {
                        return Err(Trouble::Changed);
                    }
                    version = None;
                    gate::wait_to_try_again(&self.archive.url.host(), 0, None, |_| {}).await;
                }
                Err(other) => return Err(other),
            }
        }
    }

    /// Makes one request for the bytes that are missing, and takes those that come: all, or of
    /// ranges those that are near one another. Returns whether none is missing.
    async fn request(&self, version: &mut Option<Version>) -> Result<bool, Trouble> {
        self.buffer.wait_for_space().await?;
        let received = self.start + self.buffer.received();
        let (mut from, mut until) = (received, None);
        if let Some(ranges) = self.archive.ranges() {
            let size = version.as_ref().and_then(|known| known.size);
            let is_there = |request: &Range<u64>| size.is_none_or(|size| request.start < size);
            let Some(request) = ranges.next_request(received).filter(is_there) else {
                return Ok(true);
            };
            (from, until) = (request.start, Some(request.end));
        }
        // Without a condition the rest might be of another version, and ranges of compressed bytes
        // are not those of the file.
        if until.is_none()
            && version
                .as_ref()
                .is_some_and(|known| known.condition().is_none() || known.is_compressed)
        {
            if self.buffer.restart() {
                (*version, from) = (None, self.start);
            } else {
                from = 0;
            }
        }
        let private = self.archive.allows_private;
        self.archive.count_request();
        let mut answer = get(&self.archive.url, private, from, until, version.as_ref()).await?;
        if until.is_some() && answer.version.is_compressed {
            let message = "expected a part of the file, but the server sends it compressed (Content-Encoding), so that records cannot be read by an index; read the whole archive";
            return Err(Trouble::lasting(io::ErrorKind::Other, message));
        }
        if answer.start > 0 && answer.version.is_compressed {
            self.archive.count_request();
            answer = get(&self.archive.url, private, 0, None, version.as_ref()).await?;
        }
        if let Some(trouble) = refuse_page(answer.response.headers()) {
            return Err(trouble);
        }
        if let Some(known) = version {
            if !known.may_be(&answer.version) {
                return Err(Trouble::Changed);
            }
            answer.version.size = answer.version.size.or(known.size);
        } else {
            self.archive.set_version(answer.version.clone());
            *version = Some(answer.version.clone());
        }
        self.take(answer, until).await?;
        Ok(until.is_none())
    }

    /// Takes the bytes of an answer, up to a byte if one is given. One that does not say its size
    /// has at least the one that was stated before, wherever the server ends it.
    async fn take(&self, answer: Answer, until: Option<u64>) -> Result<(), Trouble> {
        let Answer {
            mut response,
            version,
            start: mut at,
        } = answer;
        let is_beyond = |left: &Range<u64>| at > left.start;
        // A server that sends other ranges than those it is asked for is asked for all.
        if self.left().first().is_some_and(is_beyond) {
            return Err(Trouble::Changed);
        }
        let of_both = |size: u64| until.map_or(size, |until| until.min(size));
        let end = version.size.map(of_both).or(until);
        let mut inflater = version
            .is_compressed
            .then(|| MultiGzDecoder::new(Vec::new()));
        let mut pace = Pace::default();
        loop {
            self.buffer.wait_for_space().await?;
            // At the last byte, since servers may keep the connection open.
            if end.is_some_and(|end| at >= end) {
                return Ok(());
            }
            let asked = Instant::now();
            let Some(chunk) = next_chunk(&mut response).await? else {
                break;
            };
            pace.count(asked.elapsed(), chunk.len())?;
            let Some(inflater) = &mut inflater else {
                self.push(&chunk, &mut at, end);
                continue;
            };
            for piece in chunk.chunks(INFLATED_AT_ONCE) {
                self.buffer.wait_for_space().await?;
                let bytes = inflated(inflater.write_all(piece), inflater)?;
                self.push(&bytes, &mut at, None);
            }
        }
        if let Some(inflater) = &mut inflater {
            let bytes = inflated(inflater.try_finish(), inflater)?;
            self.push(&bytes, &mut at, None);
        }
        match end.or_else(|| self.archive.size()) {
            Some(size) if at < size => {
                let message = format!("expected {size} bytes, but the server sent {at}");
                Err(Trouble::passing(UnexpectedEof, message))
            }
            _ => Ok(()),
        }
    }

    /// Passes on those of the bytes from `at` to `end` that are wanted, but for those that the
    /// buffer has: a server without ranges sends all from the beginning.
    fn push(&self, bytes: &[u8], at: &mut u64, end: Option<u64>) {
        let begin = *at;
        *at += bytes.len() as u64;
        let end = end.map_or(*at, |end| end.min(*at));
        for wanted in self.left() {
            let (from, to) = (wanted.start.max(begin), wanted.end.min(end));
            if from < to {
                // Both are in `bytes`, whose length is a `usize`.
                self.buffer
                    .push(&bytes[(from - begin) as usize..(to - begin) as usize]);
            }
        }
    }

    /// Returns what is left to receive of the file, of its ranges if it has some.
    fn left(&self) -> Vec<Range<u64>> {
        let received = self.start + self.buffer.received();
        match self.archive.ranges() {
            Some(ranges) => ranges.after(received).collect(),
            None => std::iter::once(received..u64::MAX).collect(),
        }
    }
}

/// Takes the bytes that were inflated, if that succeeded.
fn inflated(
    result: io::Result<()>,
    inflater: &mut MultiGzDecoder<Vec<u8>>,
) -> Result<Vec<u8>, Trouble> {
    if result.is_err() {
        let message = "the gzip in which the server sends it (Content-Encoding) is cut or damaged";
        return Err(Trouble::passing(UnexpectedEof, message));
    }
    Ok(mem::take(inflater.get_mut()))
}
