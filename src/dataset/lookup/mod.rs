//! One capture of a dataset, and its body in the archive that it came from.
//!
//! A dataset has the name of the archive and the offset of the record for each capture, and the
//! bodies only where its run wrote them. [`CaptureStore`] finds the row of a capture, by its
//! identifier or as the one that counts for a host, then the end of its redirects, and reads the
//! body again (`body`).
//!
//! The capture that counts for a host is that of the table `hosts`, in the latest crawl that has
//! the host.

mod body;
mod files;
mod flipped;
mod found;
mod history;
mod rows;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

pub(crate) use self::files::FileCapture;
pub(in crate::dataset) use self::history::{HistoricFetch, History};
use self::rows::Fetch;
pub use self::{
    body::StoredBody,
    found::{FetchEnd, FoundCapture, OtherOrigin, StoredCapture, StoredRedirect},
};
use crate::{
    archive::{error::Error, warc::Limits},
    dataset::{
        bodies::BodyFiles,
        sink::{DATASET_FILE, Dataset, DatasetIdentity, Input, Manifest, RowKey, WholeTable},
        table::{bodies, captures, flips, hosts, redirects},
    },
    url::Location,
};

/// Captures that a message names.
const MAX_NAMED: usize = 20;

/// Which capture of a dataset is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaptureSelector {
    /// The one that counts for a host, or for an origin: `example.com`, `https://example.com:8443`.
    Host(String),
    /// The one of this `capture_id`.
    Id(i64),
}

/// The captures of the published parts of a dataset; runs may be writing to it meanwhile.
pub struct CaptureStore {
    root: PathBuf,
    identity: DatasetIdentity,
    manifests: Vec<Manifest>,
}

impl CaptureStore {
    /// Opens a dataset.
    ///
    /// # Errors
    ///
    /// A folder that holds no dataset of this version, and a manifest that cannot be read.
    pub fn open(root: &Path) -> Result<CaptureStore, Error> {
        Ok(CaptureStore {
            identity: Dataset::identity_of(root)?,
            manifests: Manifest::read_all(root)?,
            root: root.to_owned(),
        })
    }

    /// Returns the folder of the dataset.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Finds a capture and the end of its redirects. A comparison has only captures that flip, and
    /// what its tables lack is read from the archives among `inputs`.
    ///
    /// # Errors
    ///
    /// A host or an identifier without a capture, a host of which a comparison has several, and a
    /// file that cannot be read.
    pub fn find(
        &self,
        selector: &CaptureSelector,
        inputs: &[String],
    ) -> Result<FoundCapture, Error> {
        if let Some(flips) = WholeTable::read(&self.root, flips::TABLE.name)? {
            return self.find_flip(&flips, selector, inputs);
        }
        let (id, others) = match selector {
            CaptureSelector::Id(id) => (*id, Vec::new()),
            CaptureSelector::Host(host) => self.choose(host)?,
        };
        let capture = self.capture(id)?;
        let capture = capture.ok_or_else(|| self.no_capture(id))?;
        let redirect = capture.is_redirect().then(|| self.redirect(id));
        Ok(FoundCapture {
            capture,
            redirect: redirect.transpose()?.flatten(),
            others,
        })
    }

    /// Finds a capture of a comparison, which has those that flip.
    fn find_flip(
        &self,
        table: &WholeTable,
        selector: &CaptureSelector,
        inputs: &[String],
    ) -> Result<FoundCapture, Error> {
        let key = match selector {
            CaptureSelector::Id(id) => id_key(BTreeSet::from([*id])),
            CaptureSelector::Host(host) => host_key(location(host)?.host_name()),
        };
        let mut found = BTreeMap::new();
        for file in &table.files {
            flipped::flips(&self.root.join(&file.path), &key, &mut found)?;
        }
        let ids: Vec<String> = found.keys().map(i64::to_string).collect();
        match (found.pop_first(), selector) {
            (Some((_, capture)), _) if found.is_empty() => Ok(FoundCapture {
                capture: capture.complete(inputs, self.limits()?)?,
                redirect: None,
                others: Vec::new(),
            }),
            (Some(_), _) => Err(self.refusal(&format!(
                "expected a host with one capture that flips, but it has {}; select one by its capture_id: {}",
                ids.len(),
                ids[..ids.len().min(MAX_NAMED)].join(", ")
            ))),
            (None, CaptureSelector::Id(id)) => Err(self.no_capture(*id)),
            (None, CaptureSelector::Host(host)) => Err(self.refusal(&format!(
                "expected a host with a capture that flips, but {host} has none"
            ))),
        }
    }

    fn no_capture(&self, id: i64) -> Error {
        self.refusal(&format!(
            "expected a capture_id of this dataset, but there is no capture {id}"
        ))
    }

    /// Returns the error of what a dataset does not have.
    fn refusal(&self, message: &str) -> Error {
        Error::usage(format!("{}: {message}", self.root.display()))
    }

    /// Reads the body of a capture from its archive, which is looked for among `inputs`: files,
    /// folders, patterns or lists, as a run takes them. Without any, it is the one that the dataset
    /// has stored.
    ///
    /// # Errors
    ///
    /// No archive of that name, one that cannot be read, and one that has another record or body
    /// now; without `inputs`, a body that is not stored.
    pub fn read_body(
        &self,
        capture: &StoredCapture,
        inputs: &[String],
    ) -> Result<StoredBody, Error> {
        if inputs.is_empty() {
            return self.stored_body(capture);
        }
        body::read(capture, inputs, self.input(capture), self.limits()?)
    }

    /// Refuses a dataset that has not what answers about any URL and time are made of.
    pub(in crate::dataset) fn require_history(&self) -> Result<(), Error> {
        self.require_files()?;
        self.require_table(redirects::TABLE.name).map(drop)
    }

    /// Returns a table that is made of all parts, and refuses a dataset without it.
    fn require_table(&self, name: &str) -> Result<WholeTable, Error> {
        let table = WholeTable::read(&self.root, name)?;
        table.ok_or_else(|| {
            self.refusal(&format!(
                "expected a dataset with the table {name}; finish the dataset, or run again with it among the tables"
            ))
        })
    }

    fn stored_body(&self, capture: &StoredCapture) -> Result<StoredBody, Error> {
        let mut found = None;
        self.bodies()
            .each(BTreeSet::from([capture.id]), |_, body| {
                found = Some(body.to_vec());
                Ok(())
            })?;
        let bytes = found.ok_or_else(|| {
            self.refusal(&format!(
                "the dataset has not stored the body of the capture {}: name its archives, or run again with bodies among the tables",
                capture.id
            ))
        })?;
        Ok(StoredBody {
            bytes,
            archive: None,
            other_digest: None,
        })
    }

    pub(in crate::dataset) fn bodies(&self) -> BodyFiles {
        self.bodies_of(&self.manifests)
    }

    fn bodies_of(&self, parts: &[Manifest]) -> BodyFiles {
        BodyFiles {
            captures: self.files_of(parts, captures::TABLE.name).collect(),
            bodies: self.files_of(parts, bodies::TABLE.name).collect(),
        }
    }

    /// Returns the archive of a capture as it was when its part was made.
    fn input(&self, capture: &StoredCapture) -> Option<&Input> {
        let mut archives = self.manifests.iter().flat_map(|part| &part.archives);
        let archive = archives.find(|archive| archive.input.name == capture.warc_filename);
        archive.map(|archive| &archive.input)
    }

    /// Returns the limits with which the archives were read: another limit gives another body.
    fn limits(&self) -> Result<Limits, Error> {
        let default = Limits::default();
        Ok(Limits {
            body: self.number("max_body", default.body)?,
            header: self.number("max_header", default.header)?,
            block: self.number("max_block", default.block)?,
            whole_member: self.number("whole_member", default.whole_member)?,
            member: self.number("max_member", default.member)?,
        })
    }

    fn number<N: FromStr>(&self, name: &str, default: N) -> Result<N, Error> {
        let Some(value) = self.identity.option(name) else {
            return Ok(default);
        };
        value.parse().map_err(|_| {
            let message = format!("expected the option {name} with a number, but found {value:?}");
            Error::corrupt(self.root.join(DATASET_FILE), message)
        })
    }

    /// Returns the capture that counts for a host or an origin in the latest crawl that has it, and
    /// the other origins of the host.
    fn choose(&self, wanted: &str) -> Result<(i64, Vec<OtherOrigin>), Error> {
        let is_origin = is_origin(wanted);
        let location = location(wanted)?;
        let host = location.host_name();
        let table = self.require_table(hosts::TABLE.name)?;
        let parts = self.manifests.iter().map(|manifest| &*manifest.part);
        if table.count_of(parts) < self.manifests.len() {
            return Err(self.refusal(
                "expected the table hosts of all parts, but some were published later; robocensus finish rebuilds it",
            ));
        }
        let mut origins = Vec::new();
        // Files are in the order of crawls.
        for file in table.files.iter().rev() {
            origins = self.origins(file, &host_key(host))?;
            origins.retain(|found| !is_origin || found.origin == location.origin());
            if !origins.is_empty() {
                break;
            }
        }
        if origins.is_empty() {
            let wanted = if is_origin { location.origin() } else { host };
            return Err(self.refusal(&format!(
                "expected a host of this dataset, but there is no capture of the robots.txt of {wanted}"
            )));
        }
        Ok((origins.remove(0).capture_id, origins))
    }

    /// Returns where the redirects among some fetches lead, by the dialect that follows each
    /// farthest, and the fetches at their ends; by identifier.
    fn followed<'f>(
        &self,
        fetches: impl IntoIterator<Item = &'f Fetch>,
    ) -> Result<Followed, Error> {
        let redirecting = fetches.into_iter().filter(|fetch| fetch.is_redirect());
        let redirecting = redirecting.map(|fetch| fetch.id).collect();
        let mut redirects: BTreeMap<i64, StoredRedirect> = BTreeMap::new();
        for row in self.redirects(redirecting)? {
            match redirects.get(&row.id) {
                Some(other) if other.reach() > row.reach() => {}
                _ => drop(redirects.insert(row.id, row)),
            }
        }
        let ids = redirects.values().filter_map(|row| row.end_id);
        let mut ends = HashMap::new();
        self.each_fetch(&id_key(ids.collect()), |end| {
            ends.insert(end.id, end);
        })?;
        Ok((redirects, ends))
    }

    /// Returns where a redirect leads, by the dialect of the dataset that follows it farthest.
    fn redirect(&self, id: i64) -> Result<Option<StoredRedirect>, Error> {
        let rows = self.redirects(BTreeSet::from([id]))?;
        let mut redirect = rows.into_iter().max_by_key(StoredRedirect::reach);
        if let Some(redirect) = &mut redirect
            && let Some(end) = redirect.end_id
        {
            redirect.end = self.capture(end)?;
        }
        Ok(redirect)
    }

    /// Returns the files of a table in all parts.
    fn files(&self, table: &str) -> impl Iterator<Item = PathBuf> {
        self.files_of(&self.manifests, table)
    }

    fn files_of(&self, parts: &[Manifest], table: &str) -> impl Iterator<Item = PathBuf> {
        let files = parts.iter().flat_map(move |part| part.files_of(table));
        files.map(|file| self.root.join(&file.path))
    }
}

/// The redirects among fetches, and the fetches to which they lead, by identifier.
type Followed = (BTreeMap<i64, StoredRedirect>, HashMap<i64, Fetch>);

/// Returns the key of the captures of some identifiers.
fn id_key(ids: BTreeSet<i64>) -> RowKey {
    RowKey::Numbers("capture_id", Arc::new(ids))
}

/// Returns the key of the captures of a host.
fn host_key(host: &str) -> RowKey {
    RowKey::Texts("url_host_name", Arc::new(HashSet::from([host.to_owned()])))
}

fn is_origin(wanted: &str) -> bool {
    wanted.contains("://")
}

/// Reads a host or an origin.
fn location(wanted: &str) -> Result<Location, Error> {
    let mut location = Location::new();
    let url = if is_origin(wanted) {
        wanted.to_owned()
    } else {
        format!("http://{wanted}/")
    };
    let is_parsed = location.parse(url.as_bytes()).is_ok();
    if is_parsed && (is_origin(wanted) || location.port().is_none() && location.path() == "/") {
        Ok(location)
    } else {
        Err(Error::usage(format!(
            "expected a host such as example.com, or an origin such as https://example.com:8443, but found {wanted:?}"
        )))
    }
}
