//! Objects of S3 as the files of a dataset: read, listed, written whole, and deleted.
//!
//! An object appears under its name when all of its bytes have arrived, or not at all. A long one
//! is uploaded in parts; an upload that fails or is stopped is aborted, so that no part of it stays
//! in the bucket.

use std::{
    io::{self, Read},
    iter,
    ops::Range,
    sync::{Arc, atomic::AtomicBool},
};

use bytes::Bytes;
use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, FuturesUnordered},
};
use object_store::{
    MultipartUpload, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, path::Path,
};

use super::{
    store::{block_on, open_bucket, unless_stopped},
    url::RemoteUrl,
};
use crate::archive::error::Error;

/// Bytes of a part of an upload; a shorter object is uploaded by one request.
const PART_BYTES: u64 = 8 * 1024 * 1024;
/// Parts that an upload may have: S3 allows 10,000.
const MOST_PARTS: u64 = 9_000;
/// Parts of one upload that are sent at once.
const PARTS_AT_ONCE: usize = 2;
/// Small objects that are read at once.
const READS_AT_ONCE: usize = 16;

/// An object of S3, which may be absent, or the common beginning of several, as a folder is.
pub(crate) struct Object {
    store: Arc<dyn ObjectStore>,
    path: Path,
}

impl Object {
    /// Returns the object of a URL.
    ///
    /// # Errors
    ///
    /// A URL that is not of S3, and a configuration that cannot be used.
    pub(crate) fn at(url: &str) -> Result<Self, Error> {
        let (bucket, path) = open_bucket(&RemoteUrl::parse(url)?)?;
        let store = bucket.s3;
        Ok(Self { store, path })
    }

    /// Reads the object.
    pub(crate) fn read(&self) -> io::Result<Bytes> {
        block_on(self.get())
    }

    /// Reads small objects, several at once.
    pub(crate) fn read_all(objects: &[Self]) -> Vec<io::Result<Bytes>> {
        let reads = objects.iter().map(Self::get);
        block_on(stream::iter(reads).buffered(READS_AT_ONCE).collect())
    }

    async fn get(&self) -> io::Result<Bytes> {
        let found = self.store.get(&self.path).await.map_err(failure)?;
        found.bytes().await.map_err(failure)
    }

    /// Reads the object from its beginning to its end and passes on its bytes.
    pub(crate) fn read_through(&self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        block_on(async {
            let found = self.store.get(&self.path).await.map_err(failure)?;
            let mut bytes = found.into_stream();
            while let Some(chunk) = bytes.try_next().await.map_err(failure)? {
                each(&chunk);
            }
            Ok(())
        })
    }

    /// Reads ranges of the object, several at once.
    pub(crate) fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>> {
        block_on(self.store.get_ranges(&self.path, ranges)).map_err(failure)
    }

    /// Returns the size of the object in bytes.
    pub(crate) fn size(&self) -> io::Result<u64> {
        let found = block_on(self.store.head(&self.path));
        found.map(|found| found.size).map_err(failure)
    }

    /// Returns the objects below this folder with their sizes: their names, with `/`, from the
    /// folder on.
    pub(crate) fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let mut listed = Vec::new();
        self.find(|name, size| {
            listed.push((name.to_owned(), size));
            false
        })?;
        Ok(listed)
    }

    /// Returns true if and only if there is an object below this folder that is wanted; those after
    /// it are not listed.
    pub(crate) fn find(&self, mut is_wanted: impl FnMut(&str, u64) -> bool) -> io::Result<bool> {
        block_on(async {
            let mut listing = self.store.list(Some(&self.path));
            while let Some(found) = listing.try_next().await.map_err(failure)? {
                let name = found.location.as_ref().strip_prefix(self.path.as_ref());
                let name = name.unwrap_or_default().trim_start_matches('/');
                // Consoles make an object for a folder itself, which is empty.
                if !name.is_empty() && is_wanted(name, found.size) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Writes the object, or replaces it.
    pub(crate) fn replace(&self, bytes: Vec<u8>) -> io::Result<()> {
        block_on(self.store.put(&self.path, bytes.into()))
            .map(drop)
            .map_err(failure)
    }

    /// Writes the object unless it exists; returns false if it does. Of several writers at the same
    /// moment one succeeds.
    pub(crate) fn create(&self, bytes: Vec<u8>) -> io::Result<bool> {
        let options = PutOptions::from(PutMode::Create);
        let created = self.store.put_opts(&self.path, bytes.into(), options);
        match block_on(created) {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(failure(error)),
        }
    }

    /// Uploads an object of `size` bytes, or replaces it; once `stop` is set, the upload is
    /// aborted.
    pub(crate) fn upload(
        &self,
        mut bytes: impl Read,
        size: u64,
        stop: &AtomicBool,
    ) -> io::Result<()> {
        if size <= PART_BYTES {
            let mut whole = Vec::with_capacity(size as usize);
            bytes.read_to_end(&mut whole)?;
            let put = self.store.put(&self.path, whole.into());
            let put = block_on(unless_stopped(put, stop)).ok_or(io::ErrorKind::Interrupted)?;
            return put.map(drop).map_err(failure);
        }
        let part_bytes = PART_BYTES.max(size.div_ceil(MOST_PARTS));
        block_on(async {
            let mut upload = self
                .store
                .put_multipart(&self.path)
                .await
                .map_err(failure)?;
            let sent = send(&mut *upload, &mut bytes, part_bytes);
            let sent = unless_stopped(sent, stop).await;
            let sent = sent.unwrap_or(Err(io::ErrorKind::Interrupted.into()));
            if sent.is_err() {
                // The first error is reported; a rule of the bucket deletes what stays.
                let _ = upload.abort().await;
            }
            sent
        })
    }

    /// Deletes the object; one that is absent counts as deleted.
    pub(crate) fn delete(&self) -> io::Result<()> {
        match block_on(self.store.delete(&self.path)) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failure(error)),
        }
    }

    /// Deletes all objects below this folder.
    pub(crate) fn delete_below(&self) -> io::Result<()> {
        let listed = self.store.list(Some(&self.path));
        let paths = listed.map_ok(|found| found.location).boxed();
        let deleted = self.store.delete_stream(paths);
        let deleted = deleted.try_for_each(|_| std::future::ready(Ok(())));
        block_on(deleted).map_err(failure)
    }
}

/// Sends the parts of an upload, a few at once, and completes it.
async fn send(
    upload: &mut dyn MultipartUpload,
    bytes: &mut impl Read,
    part_bytes: u64,
) -> io::Result<()> {
    let mut sending = FuturesUnordered::new();
    loop {
        let mut part = Vec::with_capacity(part_bytes as usize);
        Read::by_ref(bytes)
            .take(part_bytes)
            .read_to_end(&mut part)?;
        if part.is_empty() {
            break;
        }
        sending.push(upload.put_part(PutPayload::from(part)));
        if sending.len() == PARTS_AT_ONCE {
            sending.try_next().await.map_err(failure)?;
        }
    }
    while sending.try_next().await.map_err(failure)?.is_some() {}
    upload.complete().await.map(drop).map_err(failure)
}

/// Returns the cause of an error in one sentence, without the URL, which its caller names, and
/// without the rest of an answer, which may show parts of a signature.
fn failure(error: object_store::Error) -> io::Error {
    use object_store::Error as Store;
    let text = error.to_string();
    let code = element(&text, "Code");
    let (kind, message) = match (&error, code) {
        (_, Some("NoSuchBucket")) => (
            io::ErrorKind::Other,
            "there is no such bucket; create it, or give another one".to_owned(),
        ),
        (Store::NotFound { .. }, _) => {
            let message = "there is no such object";
            (io::ErrorKind::NotFound, message.to_owned())
        }
        (Store::PermissionDenied { .. } | Store::Unauthenticated { .. }, _) => {
            let code = code.map_or_else(String::new, |code| format!(" ({code})"));
            let message = format!(
                "S3 denies access{code}; credentials are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the profile AWS_PROFILE"
            );
            (io::ErrorKind::PermissionDenied, message)
        }
        (_, Some(code)) => {
            let message = element(&text, "Message").unwrap_or_default();
            let message = format!("S3 answers {code}: {}", message.trim_end_matches('.'));
            (io::ErrorKind::Other, message)
        }
        _ => {
            let cause = causes(&error).last().map_or(text, ToString::to_string);
            // The page of an answer follows its status.
            let cause = cause.split(": <").next().unwrap_or_default();
            (io::ErrorKind::Other, cause.to_owned())
        }
    };
    io::Error::new(kind, message)
}

/// Returns the text of an element of an answer in XML.
pub(super) fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split('<').next()
}

/// Returns the causes of an error, the nearest first.
pub(super) fn causes(
    error: &dyn std::error::Error,
) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    iter::successors(error.source(), |&cause| cause.source())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_sentence_without_the_answer() {
        let denied = |body: &str| object_store::Error::PermissionDenied {
            path: "a".to_owned(),
            source: body.to_owned().into(),
        };
        let error = failure(denied(
            "403: <Error><Code>SignatureDoesNotMatch</Code><StringToSign>AWS4</StringToSign>",
        ));
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        let text = error.to_string();
        assert!(text.contains("(SignatureDoesNotMatch);"), "{text}");
        assert!(!text.contains("AWS4"), "{text}");
        let absent = object_store::Error::NotFound {
            path: "a".to_owned(),
            source: "<Code>NoSuchBucket</Code>".into(),
        };
        assert_eq!(failure(absent).kind(), io::ErrorKind::Other);
        let refused = object_store::Error::Generic {
            store: "S3",
            source: Box::new(io::Error::from(io::ErrorKind::ConnectionRefused)),
        };
        assert_eq!(failure(refused).to_string(), "connection refused");
        let answered = object_store::Error::Generic {
            store: "S3",
            source: "status code: 500: <!doctype html>".into(),
        };
        assert_eq!(failure(answered).to_string(), "status code: 500");
    }
}
