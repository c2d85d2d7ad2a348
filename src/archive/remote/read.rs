//! Reading one archive or list by itself.

use std::{
    io::{self, Read},
    sync::Arc,
};

use super::{
    archive::RemoteArchive,
    buffer::{Buffer, Reader, memory},
    download::download,
    store::spawn,
    url::RemoteUrl,
};
use crate::archive::error::{Error, ErrorKind};

/// Bytes that wait in memory.
const READ_AHEAD: u64 = 4 * 1024 * 1024;

/// Reads an archive, or what is wanted of it, from a byte on.
pub(crate) fn open_at(archive: &Arc<RemoteArchive>, start: u64) -> io::Result<Reader> {
    let buffer = Arc::new(Buffer::new(READ_AHEAD, memory(READ_AHEAD)));
    let (archive, into) = (archive.clone(), buffer.clone());
    spawn(async move { download(&archive, start, &into).await });
    Reader::open(buffer, Arc::default())
}

/// Reads what is at a URL, of at most `most` bytes.
///
/// # Errors
///
/// Why it cannot be read, and that there are more bytes.
pub(crate) fn read(url: &RemoteUrl, most: u64, allows_private: bool) -> Result<Vec<u8>, Error> {
    let failed = |offset: u64, source| {
        Error::from(ErrorKind::Read {
            location: url.to_string(),
            offset,
            source,
        })
    };
    let archive = Arc::new(RemoteArchive::new(url.clone(), allows_private, None));
    let mut bytes = Vec::new();
    let reader = open_at(&archive, 0).map_err(|e| failed(0, e))?;
    let read = reader.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|e| failed(bytes.len() as u64, e))?;
    if bytes.len() as u64 > most {
        return Err(Error::usage(format!(
            "{url}: expected at most {most} bytes, but found more; is it the right file?"
        )));
    }
    Ok(bytes)
}
