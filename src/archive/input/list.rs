//! Text files: lists of archives and files of options, plain or gzip.

#[cfg(feature = "remote")]
use std::path::PathBuf;
use std::{fs, io::Read, path::Path};

use super::NamedArchive;
use crate::archive::error::Error;
#[cfg(feature = "remote")]
use crate::archive::remote::{self, RemoteUrl, is_misspelled, is_remote};

/// The longest list of archives, in bytes of text.
pub(super) const MOST_LIST: u64 = 256 * 1024 * 1024;
/// The most archives that lists name together: 70 times those of a crawl's robots.txt, so that a
/// wrong file takes neither minutes nor gigabytes. Each takes some 700 bytes before any is chosen.
const MOST_LISTED: usize = 1_000_000;

/// Adds the archives of a list, one path a line. A relative path that does not exist is resolved
/// against the list's folder.
#[cfg_attr(
    not(feature = "remote"),
    expect(unused_variables, reason = "only URLs are named by their line")
)]
pub(super) fn read_list(list: &Path, found: &mut Vec<NamedArchive>) -> Result<(), Error> {
    let text = text_of_list(read_bytes(list, MOST_LIST)?, list, found.len())?;
    let before = found.len();
    for (number, line) in lines(&text) {
        #[cfg(feature = "remote")]
        if is_remote(line) {
            found.push(remote_archive(RemoteUrl::parse(line), list, number)?);
            continue;
        }
        let line = line.strip_prefix("file://").unwrap_or(line);
        let written = Path::new(line);
        let in_folder = list.parent().map(|folder| folder.join(written));
        let path = match in_folder {
            Some(path) if !written.exists() && path.exists() => path,
            _ => written.to_owned(),
        };
        #[cfg(feature = "remote")]
        if is_misspelled(line) && !path.exists() {
            remote_archive(RemoteUrl::parse(line), list, number)?;
        }
        found.push(NamedArchive::named(path));
    }
    if found.len() == before {
        return Err(names_no_archive(list));
    }
    Ok(())
}

/// Adds the archives of a list at a URL, one path or URL a line.
#[cfg(feature = "remote")]
pub(super) fn read_remote_list(
    list: &RemoteUrl,
    allows_private: bool,
    found: &mut Vec<NamedArchive>,
) -> Result<(), Error> {
    let shown = PathBuf::from(list.to_string());
    let bytes = remote::read(list, MOST_LIST, allows_private)?;
    let text = text_of_list(bytes, &shown, found.len())?;
    let before = found.len();
    for (number, line) in lines(&text) {
        found.push(remote_archive(list.resolve(line), &shown, number)?);
    }
    match found.len() {
        n if n == before => Err(names_no_archive(&shown)),
        _ => Ok(()),
    }
}

#[cfg(feature = "remote")]
fn remote_archive(
    url: Result<RemoteUrl, Error>,
    list: &Path,
    number: usize,
) -> Result<NamedArchive, Error> {
    let in_line = |e: Error| Error::usage(format!("{}: line {number}: {e}", list.display()));
    url.map(NamedArchive::remote).map_err(in_line)
}

/// Returns the lines of a list that are no comments, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| (index + 1, line))
}

fn names_no_archive(list: &Path) -> Error {
    Error::usage(format!(
        "{}: this list names no archive; expected one path or URL a line",
        list.display()
    ))
}

/// Returns the text of a list that was read from `list`, decompressed if it begins with the magic
/// of gzip, which names archives beside some that were found before.
pub(super) fn text_of_list(bytes: Vec<u8>, list: &Path, n_found: usize) -> Result<String, Error> {
    let text = String::from_utf8(decompressed(bytes, MOST_LIST, list)?).map_err(|e| {
        Error::usage(format!(
            "{}: offset {}: expected a list of paths in UTF-8",
            list.display(),
            e.utf8_error().valid_up_to()
        ))
    })?;
    let n_listed = n_found + lines(&text).count();
    if n_listed > MOST_LISTED {
        return Err(Error::usage(format!(
            "{}: expected at most {MOST_LISTED} archives in a run, but found {n_listed} with those of this list; divide the list among several runs that join one dataset",
            list.display()
        )));
    }
    Ok(text)
}

/// Reads a file of at most `most` bytes of text, decompressed if it begins with the magic of gzip,
/// without a byte order mark.
///
/// # Errors
///
/// A file that cannot be read or decompressed, or that has more than `most` bytes, compressed or
/// not: no more are read, so that a wrong file costs neither time nor memory.
pub fn read_maybe_gzip(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    decompressed(read_bytes(path, most)?, most, path)
}

/// Reads a file of at most `most` bytes.
pub(super) fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let file = fs::File::open(path).map_err(Error::io("cannot read", path))?;
    read_at_most(file, most, "cannot read", path)
}

fn decompressed(bytes: Vec<u8>, most: u64, path: &Path) -> Result<Vec<u8>, Error> {
    let mut text = if bytes.starts_with(b"\x1f\x8b") {
        let inflated = flate2::read::MultiGzDecoder::new(&bytes[..]);
        read_at_most(inflated, most, "cannot decompress", path)?
    } else {
        bytes
    };
    if text.starts_with(b"\xef\xbb\xbf") {
        text.drain(..3);
    }
    Ok(text)
}

fn read_at_most(
    source: impl Read,
    most: u64,
    what: &'static str,
    path: &Path,
) -> Result<Vec<u8>, Error> {
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
}
