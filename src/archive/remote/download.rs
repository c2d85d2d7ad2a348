//! One download: requests until all bytes of one version were received.

use std::{
    io::{
        self,
        ErrorKind::{TimedOut, UnexpectedEof},
        Write,
    },
    mem,
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
    buffer.end(receive(archive, start, buffer).await);
}

async fn receive(archive: &RemoteArchive, start: u64, buffer: &Buffer) -> Result<(), Trouble> {
    let mut version = None;
    let mut retries = Retries::new(archive.url());
    let mut restarts = 0;
    loop {
        let (begun, received) = (Instant::now(), buffer.received());
        match request(archive, start, &mut version, buffer).await {
            Ok(()) => return Ok(()),
            Err(Trouble::Passing(failure, retry_after)) => {
                // Fewer bytes are as good as none: tries are a second apart at least, and after a
                // server fell silent or slow, that lasted.
                let (least, last_bytes) = match failure.kind {
                    TimedOut => (least_bytes(), begun),
                    _ => (LEAST_RATE, Instant::now()),
                };
                let has_advanced = buffer.received().saturating_sub(received) >= least;
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
                if !buffer.restart() {
                    return Err(Trouble::Changed);
                }
                version = None;
                gate::wait_to_try_again(&archive.url().host(), 0, None, |_| {}).await;
            }
            Err(other) => return Err(other),
        }
    }
}

/// Makes one request for the bytes that are missing, and takes those that come.
async fn request(
    archive: &RemoteArchive,
    start: u64,
    version: &mut Option<Version>,
    buffer: &Buffer,
) -> Result<(), Trouble> {
    buffer.wait_for_space().await?;
    let mut from = start + buffer.received();
    // Without a condition the rest might be of another version, and ranges of compressed bytes are
    // not those of the file.
    if version
        .as_ref()
        .is_some_and(|known| known.condition().is_none() || known.is_compressed)
    {
        if buffer.restart() {
            (*version, from) = (None, start);
        } else {
            from = 0;
        }
    }
    let private = archive.allows_private();
    archive.count_request();
    let mut answer = get(archive.url(), private, from, version.as_ref()).await?;
    if answer.start > 0 && answer.version.is_compressed {
        archive.count_request();
        answer = get(archive.url(), private, 0, version.as_ref()).await?;
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
        archive.set_version(answer.version.clone());
        *version = Some(answer.version.clone());
    }
    take(answer, archive.size(), start, buffer).await
}

/// Takes the bytes of an answer. One that does not say its size has at least the `stated` one,
/// wherever the server ends it.
async fn take(
    answer: Answer,
    stated: Option<u64>,
    start: u64,
    buffer: &Buffer,
) -> Result<(), Trouble> {
    let Answer {
        mut response,
        version,
        start: mut at,
    } = answer;
    let wanted = start + buffer.received();
    // A server that sends other ranges than those it is asked for is asked for all.
    if at > wanted {
        return Err(Trouble::Changed);
    }
    let mut inflater = version
        .is_compressed
        .then(|| Inflater(MultiGzDecoder::new(Vec::new())));
    let mut pace = Pace::default();
    loop {
        buffer.wait_for_space().await?;
        // At the last byte, since servers may keep the connection open.
        if version.size.is_some_and(|size| at >= size) {
            return Ok(());
        }
        let asked = Instant::now();
        let Some(chunk) = next_chunk(&mut response).await? else {
            break;
        };
        pace.count(asked.elapsed(), chunk.len())?;
        let Some(inflater) = &mut inflater else {
            push(&chunk, &mut at, version.size, start, buffer);
            continue;
        };
        for piece in chunk.chunks(INFLATED_AT_ONCE) {
            buffer.wait_for_space().await?;
            push(&inflater.inflate(piece)?, &mut at, None, start, buffer);
        }
    }
    if let Some(inflater) = &mut inflater {
        push(&inflater.finish()?, &mut at, None, start, buffer);
    }
    match version.size.or(stated) {
        Some(size) if at < size => {
            let message = format!("expected {size} bytes, but the server sent {at}");
            Err(Trouble::passing(UnexpectedEof, message))
        }
        _ => Ok(()),
    }
}

/// Passes on the bytes that begin at `at`, up to the end of the file, but for those that the buffer
/// has: a server without ranges sends all from the beginning.
fn push(bytes: &[u8], at: &mut u64, size: Option<u64>, start: u64, buffer: &Buffer) {
    let begin = *at;
    *at += bytes.len() as u64;
    let rest = size.map_or(u64::MAX, |size| size.saturating_sub(begin));
    let end = bytes.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
    let wanted = start + buffer.received();
    let had = usize::try_from(wanted.saturating_sub(begin)).unwrap_or(usize::MAX);
    if had < end {
        buffer.push(&bytes[had..end]);
    }
}

/// Undoes the compression of a transfer.
struct Inflater(MultiGzDecoder<Vec<u8>>);

impl Inflater {
    fn inflate(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Trouble> {
        self.0.write_all(bytes).map_err(not_inflated)?;
        Ok(mem::take(self.0.get_mut()))
    }

    fn finish(&mut self) -> Result<Vec<u8>, Trouble> {
        self.0.try_finish().map_err(not_inflated)?;
        Ok(mem::take(self.0.get_mut()))
    }
}

fn not_inflated(_: io::Error) -> Trouble {
    let message = "the gzip in which the server sends it (Content-Encoding) is cut or damaged";
    Trouble::passing(UnexpectedEof, message)
}
