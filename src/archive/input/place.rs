//! What words, lines of lists and bases of crawls name: a file, or what is at a URL.

#[cfg(feature = "remote")]
use std::io::Cursor;
use std::{
    fmt,
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    NamedArchive,
    list::{lines, open},
    local,
};
#[cfg(feature = "remote")]
use super::{list::MOST_LIST, remote::is_url};
use crate::archive::error::Error;
#[cfg(feature = "remote")]
use crate::archive::remote::{self, RemoteUrl, is_misspelled, is_remote};

/// A file, or what is at a URL.
pub(super) enum Place {
    File(PathBuf),
    #[cfg(feature = "remote")]
    Url(RemoteUrl),
}

impl Place {
    /// Returns the place of a word.
    pub(super) fn named(word: &str) -> Result<Self, Error> {
        #[cfg(feature = "remote")]
        if is_url(word) {
            return RemoteUrl::parse(word).map(Self::Url);
        }
        Ok(Self::File(local(word).to_owned()))
    }

    /// Opens the list that is here.
    #[cfg_attr(
        not(feature = "remote"),
        expect(unused_variables, reason = "nothing is downloaded")
    )]
    pub(super) fn open_list(&self, allows_private: bool) -> Result<Box<dyn Read>, Error> {
        Ok(match self {
            Self::File(path) => Box::new(open(path)?),
            #[cfg(feature = "remote")]
            Self::Url(url) => Box::new(Cursor::new(remote::read(url, MOST_LIST, allows_private)?)),
        })
    }

    /// Returns the archive that is here.
    pub(super) fn archive(self) -> NamedArchive {
        match self {
            Self::File(path) => NamedArchive::named(path),
            #[cfg(feature = "remote")]
            Self::Url(url) => NamedArchive::remote(&url),
        }
    }

    /// Returns the place of a line in the list that is here. A relative path in a file that does
    /// not exist is resolved in the folder of that file.
    fn resolve(&self, line: &str) -> Result<Self, Error> {
        let list = match self {
            Self::File(list) => list,
            #[cfg(feature = "remote")]
            Self::Url(list) => return list.resolve(line).map(Self::Url),
        };
        #[cfg(feature = "remote")]
        if is_remote(line) {
            return RemoteUrl::parse(line).map(Self::Url);
        }
        let written = local(line);
        let in_folder = list.parent().map(|folder| folder.join(written));
        let path = match in_folder {
            Some(path) if !written.exists() && path.exists() => path,
            _ => written.to_owned(),
        };
        #[cfg(feature = "remote")]
        if let Some(written) = written.to_str().filter(|text| is_misspelled(text))
            && !path.exists()
        {
            return RemoteUrl::parse(written).map(Self::Url);
        }
        Ok(Self::File(path))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            #[cfg(feature = "remote")]
            Self::Url(url) => url.fmt(f),
        }
    }
}

/// Adds the archives of a list, one path or URL a line.
pub(super) fn read_list(
    list: &Place,
    allows_private: bool,
    found: &mut Vec<NamedArchive>,
) -> Result<(), Error> {
    let shown = list.to_string();
    let lines = lines(
        list.open_list(allows_private)?,
        Path::new(&shown),
        found.len(),
    )?;
    found.reserve_exact(lines.len());
    for (number, line) in lines {
        let in_line = |e: Error| Error::usage(format!("{shown}: line {number}: {e}"));
        found.push(list.resolve(&line).map_err(in_line)?.archive());
    }
    Ok(())
}
