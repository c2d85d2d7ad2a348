//! The archives of a crawl, by the list of their paths that Common Crawl publishes with it.

use std::{
    collections::BTreeSet,
    io,
    path::{Component, Path},
};

#[cfg(feature = "remote")]
use super::remote::is_url;
use super::{
    ExpandOptions, NamedArchive,
    list::lines,
    local,
    name::{SUBSETS, is_crawl},
    place::Place,
};
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
        let list = below(crawl_base, &path)?;
        let shown = list.to_string();
        let bytes = match list.open_list(options.allow_private) {
            Err(error) if is_absent(&error) => {
                return Err(Error::usage(format!(
                    "{shown}: there is no list of the {subset} archives of {crawl}; {NAMES} has the names of all crawls, and the base of crawls must be what stands before crawl-data/"
                )));
            }
            opened => opened?,
        };
        let lines = lines(bytes, Path::new(&shown), found.len())?;
        found.reserve_exact(lines.len());
        for (number, line) in lines {
            if !is_path_of(&line, crawl) {
                return Err(unexpected(&shown, number, &line, crawl));
            }
            let archive = match &list {
                Place::File(_) => NamedArchive::named(local(crawl_base).join(&*line)),
                #[cfg(feature = "remote")]
                Place::Url(url) => NamedArchive::remote(&url.resolve(&line)?),
            };
            // The base may have a folder of the name with which that of an archive begins.
            found.push(NamedArchive::new(&line, archive.origin));
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
        let archive = below(&options.crawl_base, name)?.archive();
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

/// Returns what is at a path below the base of crawls.
fn below(base: &str, path: &str) -> Result<Place, Error> {
    #[cfg(feature = "remote")]
    if is_url(base) {
        if base.contains(['?', '#']) {
            return Err(Error::usage(format!(
                "{}: expected the base of crawls, a URL without ? and #",
                RemoteUrl::parse(base)?
            )));
        }
        let url = format!("{}/{path}", base.trim_end_matches('/'));
        return RemoteUrl::parse(&url).map(Place::Url);
    }
    Ok(Place::File(local(base).join(path)))
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
