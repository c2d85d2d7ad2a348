//! What is compared: archives, or the files that a dataset has stored.

use std::path::{Path, PathBuf};

use arrow_array::{BooleanArray, Int64Array, StringArray};

use crate::{
    archive::{error::Error, input::ArchiveSource},
    dataset::{
        lookup::CaptureStore,
        run::DamagedArchive,
        sink::{Input, read_lone_file, stored_columns},
        table::bodies,
    },
    digest::Base32Digest,
};

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
    }
}

/// A file of a corpus.
pub(super) struct CorpusFile<'f> {
    pub capture_id: i64,
    pub host: &'f str,
    pub digest: Base32Digest,
    pub body: &'f [u8],
    pub captures: i64,
}

/// Calls `each` with the files of a corpus, in its order.
pub(super) fn read_corpus(
    path: &Path,
    mut each: impl FnMut(&CorpusFile<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut body = Vec::new();
    read_lone_file(path, &CorpusColumns::NAMES, |batch| {
        let columns = CorpusColumns::from_batch(path, batch)?;
        for row in 0..batch.num_rows() {
            let digest = columns.content_digest.value(row).as_bytes();
            let digest = digest.try_into().map_err(|_| {
                Error::corrupt(path, format!("expected a digest in base32 in row {row}"))
            })?;
            body.clear();
            bodies::read(
                columns.is_utf8.value(row),
                columns.body.value(row),
                &mut body,
            );
            each(&CorpusFile {
                capture_id: columns.capture_id.value(row),
                host: columns.url_host_name.value(row),
                digest,
                body: &body,
                captures: columns.captures.value(row),
            })?;
        }
        Ok(())
    })
}
