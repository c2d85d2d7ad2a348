//! What is compared: archives, or the files that a dataset has stored.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use arrow_array::{Array, BooleanArray, Int64Array, StringArray};

use crate::{
    archive::{error::Error, input::ArchiveSource, warc::DEFAULT_MAX_BODY},
    dataset::{
        lookup::{CaptureStore, FileCapture},
        run::DamagedArchive,
        sink::{Input, read_lone_file, stored_columns},
        table::bodies,
    },
    digest::{base32, sha1},
};

/// Bytes of a text of a corpus: a byte of a body that is not UTF-8 may take two.
const MAX_TEXT: usize = 2 * DEFAULT_MAX_BODY;

/// The reason of the files of a corpus that are its sample.
pub(super) const SAMPLE: &str = "sample";

/// What is compared.
#[derive(Clone, Copy)]
pub enum CompareInput<'i> {
    /// Archives, sorted by name, as [`expand`](crate::archive::input::expand) returns them.
    Archives(&'i [ArchiveSource]),
    /// A dataset with the table `bodies`.
    Dataset(&'i CaptureStore),
    /// A file that [`write_corpus`](super::write_corpus) wrote.
    Corpus(&'i Path),
}

impl CompareInput<'_> {
    /// Returns the archives, as they were read; captures refer to them by their positions.
    pub(super) fn archives(&self) -> Vec<Input> {
        match self {
            Self::Archives(archives) => {
                let inputs = archives.iter().map(|archive| {
                    let source = &archive.source;
                    Input::new(&archive.name, source.size(), source.modified())
                });
                inputs.collect()
            }
            Self::Dataset(store) => {
                let archives = store.archives();
                archives.map(|archive| archive.input.clone()).collect()
            }
            // The file that is read, whenever it was copied here.
            Self::Corpus(path) => vec![Input::new(&path.to_string_lossy(), None, None)],
        }
    }

    /// Returns the files and folders that are read, so that none is replaced.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Archives(archives) => {
                let paths = archives.iter().filter_map(|archive| archive.source.path());
                paths.map(ToOwned::to_owned).collect()
            }
            Self::Dataset(store) => vec![store.root().to_owned()],
            Self::Corpus(path) => vec![path.to_path_buf()],
        }
    }
}

/// Returns the archives of which a dataset may lack captures.
pub(super) fn damaged(store: &CaptureStore) -> Vec<DamagedArchive> {
    let damaged = store.archives().filter_map(|archive| {
        let fault = match &archive.loss {
            Some(loss) => loss.message.clone(),
            None if archive.is_complete => return None,
            None => "not every record of it was read".to_owned(),
        };
        let name = archive.input.name.clone();
        Some(DamagedArchive { name, fault })
    });
    damaged.collect()
}

stored_columns! {
    struct CorpusColumns<'b> {
        capture_id: &'b Int64Array,
        url_host_name: &'b StringArray,
        content_digest: &'b StringArray,
        is_utf8: &'b BooleanArray,
        body: &'b StringArray,
        captures: &'b Int64Array,
        reason: &'b StringArray,
    }
}

/// A file of a corpus.
pub(super) struct CorpusFile<'f> {
    /// One of its captures.
    pub capture: FileCapture,
    pub body: &'f [u8],
    pub captures: i64,
    /// Whether it is in the corpus as an example of a trait: it is no part of the sample.
    pub is_example: bool,
}

/// Calls `each` with the files of a corpus, in its order.
///
/// # Errors
///
/// A file that cannot be read or is no corpus: with a body that is not that of its digest, too
/// long, or there twice, or with captures that are no count.
pub(super) fn read_corpus(
    path: &Path,
    mut each: impl FnMut(&CorpusFile<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        let message = format!("{}: expected a file of a corpus", path.display());
        return Err(Error::usage(message));
    }
    let mut body = Vec::new();
    let mut digests = HashSet::new();
    let mut number = 0_u64;
    read_lone_file(path, &CorpusColumns::NAMES, |batch| {
        let columns = CorpusColumns::from_batch(path, batch)?;
        for row in 0..batch.num_rows() {
            number += 1;
            let wrong = |expected: &str| {
                let path = path.display();
                let message = format!(
                    "{path}: row {number}: expected {expected}; make the corpus again by robocensus corpus"
                );
                Err(Error::usage(message))
            };
            if batch.columns().iter().any(|column| column.is_null(row)) {
                return wrong("no NULL");
            }
            let text = columns.body.value(row);
            if text.len() > MAX_TEXT {
                return wrong("a body of at most 16 MiB of text");
            }
            body.clear();
            bodies::read(columns.is_utf8.value(row), text, &mut body);
            let digest = base32(&sha1(&body));
            if digest != columns.content_digest.value(row).as_bytes() {
                return wrong("the digest of the body");
            }
            if !digests.insert(digest) {
                return wrong("a body that is in no row before");
            }
            let (host, captures) = (
                columns.url_host_name.value(row),
                columns.captures.value(row),
            );
            if host.is_empty() || captures < 1 {
                return wrong("a host, and at least one capture");
            }
            let capture = FileCapture {
                id: columns.capture_id.value(row),
                archive: 0,
                offset: 0,
                host: host.into(),
                origin: format!("https://{host}:443").into(),
                digest,
            };
            each(&CorpusFile {
                capture,
                body: &body,
                captures,
                is_example: columns.reason.value(row) != SAMPLE,
            })?;
        }
        Ok(())
    })
}
