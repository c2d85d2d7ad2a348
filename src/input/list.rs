//! Text files: lists of archives and files of options, plain or gzip.

use std::{fs, io::Read, path::Path};

use super::NamedArchive;
use crate::error::Error;

/// The longest list of archives, in bytes of text.
const MOST_LIST: u64 = 256 * 1024 * 1024;

/// Adds the archives of a list, one path a line. A relative path that does not exist is resolved
/// against the list's folder.
pub(super) fn read_list(list: &Path, found: &mut Vec<NamedArchive>) -> Result<(), Error> {
    let bytes = read_maybe_gzip(list, MOST_LIST)?;
    let text = std::str::from_utf8(&bytes).map_err(|e| {
        Error::usage(format!(
            "{}: offset {}: expected a list of paths in UTF-8",
            list.display(),
            e.valid_up_to()
        ))
    })?;
    let before = found.len();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let written = Path::new(line);
        let in_folder = list.parent().map(|folder| folder.join(written));
        let path = match in_folder {
            Some(path) if !written.exists() && path.exists() => path,
            _ => written.to_owned(),
        };
        found.push(NamedArchive::named(path));
    }
    if found.len() == before {
        return Err(Error::usage(format!(
            "{}: this list names no archive; expected one path a line",
            list.display()
        )));
    }
    Ok(())
}

/// Reads a file of at most `most` bytes of text, decompressed if it begins with the magic of gzip,
/// without a byte order mark.
///
/// # Errors
///
/// A file that cannot be read or decompressed, or that has more than `most` bytes, compressed or
/// not: no more are read, so that a wrong file costs neither time nor memory.
pub fn read_maybe_gzip(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let read = |source: &mut dyn Read, what: &'static str| -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        source
            .take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(Error::io(what, path))?;
        if bytes.len() as u64 > most {
            return Err(Error::usage(format!(
                "{}: expected at most {most} bytes of text, but found more; is it the right file?",
                path.display()
            )));
        }
        Ok(bytes)
    };
    let mut file = fs::File::open(path).map_err(Error::io("cannot read", path))?;
    let mut text = read(&mut file, "cannot read")?;
    if text.starts_with(b"\x1f\x8b") {
        let mut inflated = flate2::read::MultiGzDecoder::new(&text[..]);
        text = read(&mut inflated, "cannot decompress")?;
    }
    if text.starts_with(b"\xef\xbb\xbf") {
        text.drain(..3);
    }
    Ok(text)
}
