//! The table `redirects`, made of the captures of all parts.
//!
//! Enters: a dataset with its published parts. Leaves: one file for each crawl, in place of older ones.
//!
//! The captures are read four times, a few columns each time, because everything that is kept would be kept for millions of redirects: first
//! for the redirects, then for the captures nearest to them, then for the texts of the few URLs that chains end at elsewhere, then to write the
//! rows in the order of `captures`. The third time is left out where no chain has two hops.

mod captures;
mod writer;

use std::{collections::BTreeMap, path::Path};

use self::{
    captures::{Captures, Numbered},
    writer::{Writer, parquet_error},
};
use super::progress::Progress;
use crate::{
    digest::{hex, sha1},
    error::Error,
    redirect::{Chains, Found, Nearest, Redirect, TargetReader, Texts, UrlKey},
    sink::{Dataset, Format, PublishedFile},
    table::{self, SCHEMA_VERSION, redirects},
};

/// The table as it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redirects {
    /// Its rows by outcome; an outcome without rows is listed too.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Bytes of its files.
    pub bytes: u64,
}

/// Makes the table `redirects` of a dataset anew from its published parts; `progress` can stop it.
///
/// Workers that join may go on meanwhile, and may do the same: the table that stands there in the end is made of all parts that are published.
///
/// # Errors
///
/// A folder that holds no dataset of this version or that a run alone is writing to, a file that cannot be read or written, and
/// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
pub fn resolve_redirects(root: &Path, progress: &Progress) -> Result<Redirects, Error> {
    let dataset = Dataset::existing(root, SCHEMA_VERSION)?;
    let resolved = resolve(&dataset, progress);
    dataset.close(resolved.is_ok());
    resolved
}

/// Makes the table of an open dataset.
pub(super) fn resolve(dataset: &Dataset, progress: &Progress) -> Result<Redirects, Error> {
    let mut files = dataset.published(table::captures::TABLE.name)?;
    loop {
        let resolved = resolve_once(dataset, &files, progress)?;
        // A part that another worker has published meanwhile: that worker's table may have stood there, made of more parts, and be gone now.
        let now = dataset.published(table::captures::TABLE.name)?;
        if now == files {
            return Ok(resolved);
        }
        files = now;
    }
}

fn resolve_once(
    dataset: &Dataset,
    files: &[PublishedFile],
    progress: &Progress,
) -> Result<Redirects, Error> {
    let captures = Captures { files, progress };
    let chains = chains(captures)?;
    let texts = texts(captures, &chains)?;
    let metadata = metadata(dataset, files);
    let table = redirects::TABLE;
    let encoding = |source| parquet_error(table.name, source);
    let format = Format::new(table.name, table.schema(), &metadata).map_err(encoding)?;
    let mut writer = Writer::new(dataset, format);
    let mut redirects = Numbered::new(chains.len());
    for same_crawl in files.chunk_by(|a, b| a.crawl == b.crawl) {
        writer.begin()?;
        let captures = Captures {
            files: same_crawl,
            progress,
        };
        captures.each(&mut |capture| match capture.redirect_status() {
            Some(status) => writer.append(redirects.next()?, status, capture, &chains, &texts),
            None => Ok(()),
        })?;
        writer.end(same_crawl[0].crawl.as_deref())?;
    }
    Ok(writer.made)
}

/// Finds the hops: reads the redirects, then the captures nearest to them.
fn chains(captures: Captures<'_>) -> Result<Chains, Error> {
    let mut found = Vec::new();
    let mut targets = TargetReader::default();
    let mut url = String::new();
    captures.each(&mut |capture| {
        if let Some(status) = capture.redirect_status() {
            capture.write_url(&mut url);
            let target = targets.read(status, capture.redirect);
            found.push(Redirect {
                capture_id: capture.id,
                time: capture.time,
                url: UrlKey::of(&url),
                target: target.map(|target| UrlKey::of(target.url)),
            });
        }
        Ok(())
    })?;
    found.shrink_to_fit();
    let mut nearest = Nearest::new(found);
    let mut redirects = Numbered::new(nearest.len());
    captures.each(&mut |capture| {
        capture.write_url(&mut url);
        let redirect = match capture.redirect_status() {
            Some(_) => Some(redirects.next()?),
            None => None,
        };
        nearest.offer(
            UrlKey::of(&url),
            Found {
                time: capture.time,
                capture_id: capture.id,
                redirect,
            },
        );
        Ok(())
    })?;
    Ok(nearest.finish())
}

/// Reads the URLs at which chains end that began elsewhere.
fn texts(captures: Captures<'_>, chains: &Chains) -> Result<Texts, Error> {
    let mut texts = Texts::of(chains.ends_elsewhere());
    if texts.is_empty() {
        return Ok(texts);
    }
    let mut targets = TargetReader::default();
    let mut redirects = Numbered::new(chains.len());
    captures.each(&mut |capture| {
        if let Some(status) = capture.redirect_status() {
            let index = redirects.next()?;
            if texts.wants(index)
                && let Some(target) = targets.read(status, capture.redirect)
            {
                texts.push(target.url);
            }
        }
        Ok(())
    })?;
    Ok(texts)
}

/// Returns what the files say of themselves: what the dataset is, and of which parts the table was made, so that anybody can tell whether it is
/// older than the dataset.
fn metadata(dataset: &Dataset, files: &[PublishedFile]) -> Vec<(String, String)> {
    let identity = dataset.identity();
    let mut names: Vec<_> = files
        .iter()
        .filter_map(|file| file.path.file_name())
        .map(|name| name.to_string_lossy())
        .collect();
    names.sort_unstable();
    let parts = format!(
        "{}, sha1 {}",
        names.len(),
        hex(&sha1(names.join("\n").as_bytes()))
    );
    let dialects = identity.options.iter().find(|(key, _)| key == "dialects");
    let reference = dialects.and_then(|(_, names)| names.split(',').next());
    [
        ("tool_version", env!("CARGO_PKG_VERSION").to_owned()),
        ("schema_version", SCHEMA_VERSION.to_string()),
        (
            "reference_dialect",
            reference.unwrap_or_default().to_owned(),
        ),
        ("options_digest", identity.options_digest.clone()),
        ("parts", parts),
    ]
    .map(|(key, value)| (format!("robocensus.{key}"), value))
    .into()
}
