//! Text files: lists of archives and files of options, plain or gzip.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use flate2::bufread::MultiGzDecoder;

use crate::archive::error::Error;

/// The longest list of archives, in bytes of text.
pub(super) const MOST_LIST: u64 = 256 * 1024 * 1024;
/// The most archives that lists name together: 70 times those of a crawl's robots.txt, so that a
/// wrong file takes neither minutes nor gigabytes. Until some are chosen, each takes its line and
/// some 60 bytes.
const MOST_LISTED: usize = 1_000_000;

/// Returns the lines of a list that are no comments, with their numbers; `list` is where it was
/// read from. They name archives beside some that were found before.
///
/// # Errors
///
/// A list that cannot be read or decompressed, is too long, is not UTF-8, or has no such line.
pub(super) fn lines(
    bytes: impl Read,
    list: &Path,
    n_found: usize,
) -> Result<Vec<(u32, Box<str>)>, Error> {
    let (text, failed) = decompressed(bytes, MOST_LIST, list)?;
    let (mut lines, mut n_listed, mut n_bytes) = (Vec::new(), n_found, 0);
    for (line, number) in text.split(b'\n').zip(1..) {
        let line = line.map_err(Error::io(failed, list))?;
        n_bytes += line.len() as u64 + 1;
        if n_bytes > MOST_LIST {
            return Err(too_long(MOST_LIST, list));
        }
        let Ok(line) = str::from_utf8(&line) else {
            return Err(Error::usage(format!(
                "{}: line {number}: expected a list of paths in UTF-8",
                list.display()
            )));
        };
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        n_listed += 1;
        // Beyond the limit they are only counted.
        if n_listed <= MOST_LISTED {
            lines.push((number, line.into()));
        }
    }
    if n_listed > MOST_LISTED {
        return Err(Error::usage(format!(
            "{}: expected at most {MOST_LISTED} archives in a run, but found {n_listed} with those of this list; divide the list among several runs that join one dataset",
            list.display()
        )));
    }
    if lines.is_empty() {
        return Err(Error::usage(format!(
            "{}: this list names no archive; expected one path or URL a line",
            list.display()
        )));
    }
    Ok(lines)
}

/// Reads a file of at most `most` bytes of text, decompressed if it begins with the magic of gzip,
/// without a byte order mark.
///
/// # Errors
///
/// A file that cannot be read or decompressed, or that has more than `most` bytes, compressed or
/// not: no more are read, so that a wrong file costs neither time nor memory.
pub fn read_maybe_gzip(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let (mut text, failed) = decompressed(open(path)?, most, path)?;
    let mut bytes = Vec::new();
    let read = text.read_to_end(&mut bytes);
    read.map_err(Error::io(failed, path))?;
    if bytes.len() as u64 > most {
        return Err(too_long(most, path));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    Ok(bytes)
}

/// Returns the bytes of a text of any length, decompressed if it begins with the magic of gzip.
///
/// # Errors
///
/// A text of which nothing can be read.
#[cfg(feature = "cli")]
pub(crate) fn maybe_gzip<'a>(
    bytes: impl Read + 'a,
    path: &Path,
) -> Result<Box<dyn BufRead + 'a>, Error> {
    Ok(decompressed(bytes, u64::MAX - 1, path)?.0)
}

pub(super) fn open(path: &Path) -> Result<fs::File, Error> {
    fs::File::open(path).map_err(Error::io("cannot read", path))
}

/// Returns one byte more than `most` of a text, decompressed if it begins with the magic of gzip,
/// and what fails where it cannot be read.
fn decompressed<'a>(
    bytes: impl Read + 'a,
    most: u64,
    path: &Path,
) -> Result<(Box<dyn BufRead + 'a>, &'static str), Error> {
    let mut bytes = BufReader::new(bytes);
    let first = bytes.fill_buf().map_err(Error::io("cannot read", path))?;
    if !first.starts_with(b"\x1f\x8b") {
        return Ok((Box::new(bytes.take(most + 1)), "cannot read"));
    }
    let text = MultiGzDecoder::new(bytes).take(most + 1);
    Ok((Box::new(BufReader::new(text)), "cannot decompress"))
}

fn too_long(most: u64, path: &Path) -> Error {
    Error::usage(format!(
        "{}: expected at most {most} bytes of text, but found more; is it the right file?",
        path.display()
    ))
}
