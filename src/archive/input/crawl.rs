//! The archives of a crawl, by the list of their paths that Common Crawl publishes with it.

use std::{
    collections::BTreeSet,
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use super::{
    ExpandOptions, NamedArchive,
    list::{lines, open},
    local,
    name::{SUBSETS, is_crawl},
};
#[cfg(feature = "remote")]
use super::{list::MOST_LIST, remote::is_url};
#[cfg(feature = "remote")]
use crate::archive::remote::{self, RemoteUrl, is_misspelled, is_remote};
use crate::archive::{
    error::{Error, ErrorKind},
    index::RecordIndex,
};

/// Where the names of all crawls are.
const NAMES: &str = "https://index.commoncrawl.org/collinfo.json";
/// Characters of a line that a message shows.
const MOST_SHOWN: usize = 80;

/// Adds the archives of all crawls of the options.
///
/// # Errors
///
/// A name that is not that of a crawl or of a subset, and a list that cannot be read, or has a line
/// that is no path of that crawl.
pub(super) fn read_crawls(
    options: &ExpandOptions,
    found: &mut Vec<NamedArchive>,
) -> Result<(), Error> {
    let ExpandOptions {
        subset, crawl_base, ..
    } = options;
    if !SUBSETS.contains(&subset.as_str()) {
        return Err(Error::usage(format!(
            "expected a subset of a crawl, one of {}, but found {subset:?}",
            SUBSETS.join(", ")
        )));
    }
    for crawl in options.crawls.iter().collect::<BTreeSet<_>>() {
        if !is_crawl(crawl) {
            return Err(Error::usage(format!(
                "expected the name of a crawl, such as CC-MAIN-2025-05, but found {crawl:?}; {NAMES} has all names"
            )));
        }
        let path = format!("crawl-data/{crawl}/{subset}.paths.gz");
        let list = PathList::below(crawl_base, &path)?;
        let bytes = match list.open(options) {
            Err(error) if is_absent(&error) => {
                return Err(Error::usage(format!(
                    "{}: there is no list of the {subset} archives of {crawl}; {NAMES} has the names of all crawls, and the base of crawls must be what stands before crawl-data/",
                    list.shown()
                )));
            }
            opened => opened?,
        };
        let lines = lines(bytes, Path::new(&list.shown()), found.len())?;
        found.reserve_exact(lines.len());
        for (number, line) in lines {
            if !is_path_of(&line, crawl) {
                return Err(unexpected(&list.shown(), number, &line, crawl));
            }
            found.push(list.archive(&line)?);
        }
    }
    Ok(())
}

/// Returns true if and only if a line is a path of that crawl, which leads nowhere else.
fn is_path_of(line: &str, crawl: &str) -> bool {
    let mut parts = Path::new(line).components();
    let rest = line.strip_prefix("crawl-data/");
    let rest = rest.and_then(|rest| rest.strip_prefix(crawl));
    rest.is_some_and(|rest| rest.starts_with('/') && !rest.contains(char::is_control))
        && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Adds the archives whose records the options name.
///
/// # Errors
///
/// A base of crawls that is no URL.
pub(super) fn read_index(
    options: &ExpandOptions,
    found: &mut Vec<NamedArchive>,
) -> Result<(), Error> {
    let index = options.records.iter();
    for name in index.flat_map(RecordIndex::names) {
        let archive = match PathList::below(&options.crawl_base, name)? {
            PathList::File { list, .. } => NamedArchive::named(list),
            #[cfg(feature = "remote")]
            PathList::Url(url) => NamedArchive::remote(&url),
        };
        found.push(NamedArchive::new(name, archive.origin));
    }
    Ok(())
}

fn unexpected(list: &str, number: u32, line: &str, crawl: &str) -> Error {
    let shown: String = line.chars().take(MOST_SHOWN).collect();
    let mut found = format!("{shown:?}");
    #[cfg(feature = "remote")]
    if is_remote(line) || is_misspelled(line) {
        found = remote::without_secrets(line);
    }
    if line.trim_start().starts_with('<') {
        found = "a page of HTML".to_owned();
    }
    Error::usage(format!(
        "{list}: line {number}: expected a path that begins with crawl-data/{crawl}/, but found {found}; is this the base of the crawls?"
    ))
}

/// The list of paths of a crawl's subset, or another file, below a base.
enum PathList {
    File {
        base: PathBuf,
        list: PathBuf,
    },
    #[cfg(feature = "remote")]
    Url(RemoteUrl),
}

impl PathList {
    fn below(base: &str, path: &str) -> Result<Self, Error> {
        #[cfg(feature = "remote")]
        if is_url(base) {
            if base.contains(['?', '#']) {
                return Err(Error::usage(format!(
                    "{}: expected the base of crawls, a URL without ? and #",
                    RemoteUrl::parse(base)?
                )));
            }
            let url = format!("{}/{path}", base.trim_end_matches('/'));
            return Ok(Self::Url(RemoteUrl::parse(&url)?));
        }
        let base = PathBuf::from(local(base));
        let list = base.join(path);
        Ok(Self::File { base, list })
    }

    fn shown(&self) -> String {
        match self {
            Self::File { list, .. } => list.display().to_string(),
            #[cfg(feature = "remote")]
            Self::Url(url) => url.to_string(),
        }
    }

    #[cfg_attr(
        not(feature = "remote"),
        expect(unused_variables, reason = "nothing is downloaded")
    )]
    fn open(&self, options: &ExpandOptions) -> Result<Box<dyn Read>, Error> {
        Ok(match self {
            Self::File { list, .. } => Box::new(open(list)?),
            #[cfg(feature = "remote")]
            Self::Url(url) => {
                let bytes = remote::read(url, MOST_LIST, options.allow_private)?;
                Box::new(io::Cursor::new(bytes))
            }
        })
    }

    /// Returns the archive of a line.
    fn archive(&self, line: &str) -> Result<NamedArchive, Error> {
        let archive = match self {
            Self::File { base, .. } => NamedArchive::named(base.join(line)),
            #[cfg(feature = "remote")]
            Self::Url(url) => NamedArchive::remote(&url.resolve(line)?),
        };
        // The base may have a folder of the name with which that of an archive begins.
        Ok(NamedArchive::new(line, archive.origin))
    }
}

/// Returns true if and only if what was to be read is not there.
fn is_absent(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Io { source, .. } | ErrorKind::Read { source, .. } => {
            source.kind() == io::ErrorKind::NotFound
        }
        _ => false,
    }
}
