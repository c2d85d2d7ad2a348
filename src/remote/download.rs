//! One download: requests until all bytes of one version were received.

use std::{io::ErrorKind::TimedOut, time::Instant};

use super::{
    archive::RemoteArchive,
    buffer::{Buffer, End},
    client::{Answer, Version, get, next_chunk, refuse_page},
    gate,
    pace::{LEAST_RATE, Pace, least_bytes},
    retry::Retries,
    status::{Failure, Trouble},
};

/// How often an archive may restart. One that changes more often is being written.
const MAX_RESTARTS: u32 = 5;

/// Downloads an archive from a byte on into a buffer, which learns how that ended.
pub(super) async fn download(archive: &RemoteArchive, start: u64, buffer: &Buffer) {
    match receive(archive, start, buffer).await {
        Ok(()) => buffer.end(Ok(())),
        Err(Trouble::Passing(failure, _) | Trouble::Lasting(failure)) => {
            buffer.end(Err(End::Failed(failure)));
        }
        Err(Trouble::Changed) => buffer.end(Err(End::Changed)),
        Err(Trouble::Abandoned) => {}
    }
}

async fn receive(archive: &RemoteArchive, start: u64, buffer: &Buffer) -> Result<(), Trouble> {
    let mut version = None;
    let mut retries = Retries::of(archive.url());
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
                    let kind = std::io::ErrorKind::Other;
                    return Err(Trouble::Lasting(Failure::new(kind, message)));
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
    // Without a condition the rest might be of another version.
    if version
        .as_ref()
        .is_some_and(|known| known.condition().is_none())
    {
        if buffer.restart() {
            (*version, from) = (None, start);
        } else {
            from = 0;
        }
    }
    archive.count_request();
    let mut answer = get(archive.url(), from, version.as_ref()).await?;
    if let Some(failure) = refuse_page(answer.response.headers()) {
        return Err(Trouble::Lasting(failure));
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
    let stated = archive.size().filter(|_| answer.ends_with_connection());
    take(answer, stated, start, buffer).await
}

/// Takes the bytes of an answer. One that does not say its size has at least the `stated` one.
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
    let mut pace = Pace::default();
    loop {
        buffer.wait_for_space().await?;
        // At the last byte, since servers may keep the connection open.
        if version.size.is_some_and(|size| at >= size) {
            return Ok(());
        }
        let asked = Instant::now();
        let Some(mut chunk) = next_chunk(&mut response).await? else {
            break;
        };
        pace.count(asked.elapsed(), chunk.len())?;
        let begin = at;
        at += chunk.len() as u64;
        if let Some(size) = version.size
            && at > size
        {
            chunk.truncate(usize::try_from(size - begin).unwrap_or(usize::MAX));
        }
        // A server without ranges sends all from the beginning.
        let wanted = start + buffer.received();
        let had = usize::try_from(wanted.saturating_sub(begin)).unwrap_or(usize::MAX);
        if had < chunk.len() {
            buffer.push(&chunk[had..]);
        }
    }
    match version.size.or(stated) {
        Some(size) if at < size => Err(passing(format!(
            "expected {size} bytes, but the server sent {at}"
        ))),
        _ => Ok(()),
    }
}

fn passing(message: String) -> Trouble {
    Trouble::Passing(
        Failure::new(std::io::ErrorKind::UnexpectedEof, message),
        None,
    )
}
