//! Where the files of a dataset are: in a folder, or in S3.
//!
//! The root of a dataset is a path, or a URL of S3 as the command line has it, to which names are
//! joined alike, so that most of this module need not know which of the two it is. What they cannot
//! have in common:
//!
//! - A folder is locked while a run writes to it ([`lock`](super::lock())); S3 has no locks. There,
//!   what must be written once is created only if it is absent, as of two workers the second must
//!   find what the first wrote.
//! - A file is renamed or linked to its final name in a folder. In S3 it is uploaded from a
//!   temporary folder of this machine, and appears when all of it has arrived.

#![cfg_attr(
    not(feature = "remote"),
    expect(unused_variables, reason = "a folder needs fewer words than a store")
)]

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    thread,
};

use super::attempt;
use crate::archive::error::Error;
#[cfg(feature = "remote")]
use crate::archive::remote;

/// Files that are uploaded at once.
const UPLOADS_AT_ONCE: usize = 3;
/// Bytes of a file that are read at once.
const CHUNK_BYTES: usize = 256 * 1024;

/// A path, or an object of S3.
pub(super) enum Place<'p> {
    Local(&'p Path),
    #[cfg(feature = "remote")]
    Remote(remote::Object),
}

/// Returns true if and only if a path is a URL.
#[cfg(feature = "remote")]
pub(crate) fn is_remote(path: &Path) -> bool {
    path.to_str().is_some_and(remote::is_remote)
}

/// Returns false: without the feature `remote` every text is a path.
#[cfg(not(feature = "remote"))]
pub(crate) fn is_remote(_: &Path) -> bool {
    false
}

impl<'p> Place<'p> {
    pub(super) fn new(path: &'p Path) -> io::Result<Self> {
        #[cfg(feature = "remote")]
        if let Some(url) = path.to_str().filter(|text| remote::is_remote(text)) {
            let object = remote::Object::at(url);
            let object = object.map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
            return Ok(Self::Remote(object));
        }
        Ok(Self::Local(path))
    }
}

/// Does something at a path; an error names the path and what cannot be done there.
fn at<T>(
    path: &Path,
    action: &'static str,
    work: impl FnOnce(Place<'_>) -> io::Result<T>,
) -> Result<T, Error> {
    let done = Place::new(path).and_then(work);
    done.map_err(Error::io(action, path))
}

/// Returns what was done, or `None` if what it needs is absent.
pub(super) fn unless_absent<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// Reads a small file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    at(path, "cannot read", |place| match place {
        Place::Local(path) => fs::read(path),
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.read().map(Vec::from),
    })
}

/// Reads a small file; `None` if there is none.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    exists(path)?.then(|| read(path)).transpose()
}

/// Reads a file of any size from its beginning to its end and passes on its bytes.
pub(super) fn read_through(path: &Path, mut each: impl FnMut(&[u8])) -> Result<(), Error> {
    at(path, "cannot read", |place| match place {
        Place::Local(path) => {
            let mut file = File::open(path)?;
            let mut chunk = vec![0; CHUNK_BYTES];
            loop {
                match file.read(&mut chunk) {
                    Ok(0) => return Ok(()),
                    Ok(n) => each(&chunk[..n]),
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(e) => return Err(e),
                }
            }
        }
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.read_through(each),
    })
}

/// Reads small files, those of S3 several at once.
pub(super) fn read_all(paths: &[PathBuf]) -> Result<Vec<Result<Vec<u8>, Error>>, Error> {
    #[cfg(feature = "remote")]
    if paths.first().is_some_and(|path| is_remote(path)) {
        let mut objects = Vec::new();
        for path in paths {
            objects.extend(at(path, "cannot read", |place| match place {
                Place::Local(_) => Ok(None),
                Place::Remote(object) => Ok(Some(object)),
            })?);
        }
        let read = remote::Object::read_all(&objects).into_iter().zip(paths);
        let read = read.map(|(bytes, path)| match bytes {
            Ok(bytes) => Ok(bytes.into()),
            Err(e) => Err(Error::io("cannot read", path)(e)),
        });
        return Ok(read.collect());
    }
    Ok(paths.iter().map(|path| read(path)).collect())
}

/// Returns true if and only if there is a small file.
pub(super) fn exists(path: &Path) -> Result<bool, Error> {
    at(path, "cannot read", |place| match place {
        Place::Local(path) => Ok(path.exists()),
        // Only an answer with a body says whether the bucket is there.
        #[cfg(feature = "remote")]
        Place::Remote(object) => Ok(unless_absent(object.read())?.is_some()),
    })
}

/// Returns true if and only if there is a regular file, of any size.
pub(super) fn is_file(path: &Path) -> bool {
    match Place::new(path) {
        Ok(Place::Local(path)) => is_kind(path, fs::FileType::is_file),
        #[cfg(feature = "remote")]
        Ok(Place::Remote(object)) => object.size().is_ok(),
        Err(_) => false,
    }
}

/// Returns true if and only if there is a folder.
pub(super) fn is_folder(path: &Path) -> Result<bool, Error> {
    at(path, "cannot list", |place| match place {
        Place::Local(path) => Ok(path.is_dir()),
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.find(|_, _| true),
    })
}

/// Returns the names of the files in a folder, not of those in folders below it; a folder that is
/// absent has none.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, Error> {
    at(folder, "cannot list", |place| match place {
        Place::Local(folder) => {
            let entries = unless_absent(fs::read_dir(folder))?;
            let names = entries.into_iter().flatten();
            names
                .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                .collect()
        }
        #[cfg(feature = "remote")]
        Place::Remote(object) => {
            let listed = object.list()?.into_iter().map(|(name, _)| name);
            Ok(listed.filter(|name| !name.contains('/')).collect())
        }
    })
}

/// Returns the files below a folder of S3, with their sizes: their names, with `/`, from the folder
/// on. For a local folder it returns nothing: [`list`] walks that, and reports links and devices.
///
/// [`list`]: super::list
pub(super) fn files_below(folder: &Path) -> Result<Vec<(String, u64)>, Error> {
    at(folder, "cannot list", |place| match place {
        Place::Local(_) => Ok(Vec::new()),
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.list(),
    })
}

/// Returns true if and only if a folder of S3 has a file outside of its folder `except`.
pub(super) fn has_outside(folder: &Path, except: &str) -> Result<bool, Error> {
    at(folder, "cannot list", |place| match place {
        Place::Local(_) => Ok(false),
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.find(|name, _| name.split('/').next() != Some(except)),
    })
}

/// Makes a folder; in S3 there is nothing to make.
pub(super) fn create_folder(folder: &Path) -> Result<(), Error> {
    at(folder, "cannot create this folder", |place| match place {
        Place::Local(folder) => fs::create_dir_all(folder),
        #[cfg(feature = "remote")]
        Place::Remote(_) => Ok(()),
    })
}

/// Writes a small file, or replaces it; `temporary` is a folder of the same file system.
pub(super) fn replace(temporary: &Path, path: &Path, bytes: Vec<u8>) -> Result<(), Error> {
    at(path, "cannot write", |place| match place {
        Place::Local(path) => fs::rename(write(temporary, path, &bytes)?, path),
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.replace(bytes),
    })
}

/// Writes a small file unless it exists, and returns false if it does; of two workers at the same
/// moment the second finds the file of the first.
pub(super) fn create(temporary: &Path, path: &Path, bytes: Vec<u8>) -> Result<bool, Error> {
    at(path, "cannot write", |place| match place {
        Place::Local(path) => {
            let written = write(temporary, path, &bytes)?;
            // A link, unlike a rename, replaces nothing.
            let created = match fs::hard_link(&written, path) {
                Ok(()) => Ok(true),
                Err(_) if path.exists() => Ok(false),
                // A file system without links.
                Err(_) => fs::copy(&written, path).map(|_| true),
            };
            fs::remove_file(&written)?;
            created
        }
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.create(bytes),
    })
}

/// Writes what `path` is to contain to a new file in the folder `temporary`, and returns its path.
fn write(temporary: &Path, path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let written = temporary.join(attempt());
    let mut file = File::create(&written)?;
    file.write_all(bytes)?;
    // A crash of the machine must not leave a name without its content.
    file.sync_all()?;
    Ok(written)
}

/// Gives complete files their final names, each as a whole; those for S3 are uploaded, until `stop`
/// is set. An error names the file.
pub(super) fn publish(
    files: &[(PathBuf, PathBuf)],
    stop: &AtomicBool,
) -> Result<(), (PathBuf, io::Error)> {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((written, target)) = files.get(next.fetch_add(1, Relaxed)) {
            if let Err(error) = publish_one(written, target, stop) {
                // Nothing more needs to be uploaded.
                next.store(files.len(), Relaxed);
                return Err((target.clone(), error));
            }
        }
        Ok(())
    };
    if !files.first().is_some_and(|(_, target)| is_remote(target)) {
        return work();
    }
    thread::scope(|scope| {
        let uploads = [(); UPLOADS_AT_ONCE].map(|()| scope.spawn(work));
        let uploads = uploads.map(|upload| upload.join().expect("an upload does not panic"));
        uploads.into_iter().collect()
    })
}

fn publish_one(written: &Path, target: &Path, stop: &AtomicBool) -> io::Result<()> {
    match Place::new(target)? {
        Place::Local(target) => {
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::rename(written, target)
        }
        #[cfg(feature = "remote")]
        Place::Remote(object) => {
            let file = File::open(written)?;
            let size = file.metadata()?.len();
            object.upload(file, size, stop)
        }
    }
}

/// Deletes a file; one that is absent counts as deleted.
pub(super) fn delete(path: &Path) -> Result<(), Error> {
    at(path, "cannot delete", |place| match place {
        Place::Local(path) => unless_absent(fs::remove_file(path)).map(|_| ()),
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.delete(),
    })
}

/// Deletes a folder with all that is in it; one that is absent counts as deleted.
pub(super) fn delete_folder(folder: &Path) -> Result<(), Error> {
    at(folder, "cannot delete", |place| match place {
        Place::Local(folder) => unless_absent(fs::remove_dir_all(folder)).map(|_| ()),
        #[cfg(feature = "remote")]
        Place::Remote(object) => object.delete_below(),
    })
}

/// Returns true if and only if there is a symbolic link.
pub(super) fn is_link(path: &Path) -> bool {
    is_kind(path, fs::FileType::is_symlink)
}

/// Returns true if and only if a folder has an entry of this type; a link is not followed.
pub(super) fn is_kind(path: &Path, is: fn(&fs::FileType) -> bool) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| is(&meta.file_type()))
}
