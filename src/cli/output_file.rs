//! Files that a command writes for its user: complete or not at all, and never over one that it
//! reads.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{self, Path, PathBuf},
    process,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, anyhow, bail};
use robocensus::dataset::{
    sink::Dataset,
    table::{COMPARISON_TABLES, PAGE_TABLES, TABLES},
};

/// A file that gets its name when it is complete. Dropped before, it leaves nothing.
pub struct OutputFile {
    /// The path as the user named it.
    name: PathBuf,
    /// The path with links resolved.
    target: PathBuf,
    /// `None` where the target is not a regular file, such as a pipe or a terminal, which is
    /// written to directly.
    temporary: Option<PathBuf>,
}

impl OutputFile {
    /// Checks that a file can be written, so that the user knows before the work and not after it.
    ///
    /// `inputs` are the files that the command reads; one of them, by whatever name, is refused,
    /// and so is a file of the dataset that is read or written in the folder `dataset`.
    pub fn begin<'p>(
        name: &Path,
        dataset: Option<&Path>,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> anyhow::Result<Self> {
        for input in inputs {
            if is_same(name, input) {
                bail!(
                    "{}: this is an input ({}), which is not written to; give another file",
                    name.display(),
                    input.display()
                );
            }
        }
        let cannot_write = || format!("{}: cannot write", name.display());
        let target = resolved(name);
        let root = dataset.map(resolved);
        let root = root.as_deref();
        let file_name = target
            .file_name()
            .filter(|_| !target.is_dir() && root != Some(&target))
            .ok_or_else(|| {
                anyhow!(
                    "{}: expected the name of a file to write, but this is a folder",
                    name.display()
                )
            })?;
        if root.is_some_and(|root| is_of_dataset(&target, root)) {
            bail!(
                "{}: this names a file of the dataset, which is not written to; give another file",
                name.display()
            );
        }
        let is_special = fs::metadata(&target).is_ok_and(|meta| !meta.is_file());
        let temporary = match is_special {
            true => None,
            false => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH);
                let hidden = format!(
                    ".{}.{}.{}",
                    file_name.to_string_lossy(),
                    process::id(),
                    now.map_or(0, |now| now.as_nanos())
                );
                let temporary = target.with_file_name(hidden);
                // A folder must be empty to become a dataset; creating that reports whether it can
                // be written to.
                let is_too_early = match root.filter(|&root| target.parent() == Some(root)) {
                    Some(root) => !Dataset::exists(root)?,
                    None => false,
                };
                if !is_too_early {
                    // Removed at once: a process that is killed meanwhile must not leave it.
                    File::create_new(&temporary)
                        .and_then(|_| fs::remove_file(&temporary))
                        .with_context(cannot_write)?;
                }
                Some(temporary)
            }
        };
        Ok(Self {
            name: name.to_owned(),
            target,
            temporary,
        })
    }

    /// Calls `write` to write the file, and gives it its name.
    pub fn finish<T>(
        mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> anyhow::Result<T> {
        let path = self.temporary.as_ref().unwrap_or(&self.target);
        let written = File::options()
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .and_then(|file| {
                let mut out = io::BufWriter::new(file);
                let written = write(&mut out)?;
                out.flush()?;
                Ok(written)
            })
            .and_then(|written| {
                if let Some(temporary) = &self.temporary {
                    fs::rename(temporary, &self.target)?;
                }
                Ok(written)
            })
            .with_context(|| format!("{}: cannot write", self.name.display()))?;
        self.temporary = None;
        Ok(written)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // The caller has an error that matters more than one of this clean-up.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Returns a path without links. Any number of names at its end may not exist.
fn resolved(path: &Path) -> PathBuf {
    let absolute = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = absolute.ancestors().find_map(|ancestor| {
        let below = absolute.strip_prefix(ancestor).ok()?;
        let ancestor = fs::canonicalize(ancestor).ok()?;
        // Joining an empty path would add a separator.
        Some(ancestor.components().chain(below.components()).collect())
    });
    there.unwrap_or(absolute)
}

/// Returns true if and only if a path is that of a file, or a future file, of the dataset.
fn is_of_dataset(target: &Path, root: &Path) -> bool {
    let below = target.strip_prefix(root).ok();
    below
        .and_then(|below| below.iter().next())
        .is_some_and(|first| {
            let first = first.to_string_lossy();
            let mut tables = TABLES.iter().chain(&PAGE_TABLES).chain(&COMPARISON_TABLES);
            first.starts_with('_') || tables.any(|table| table.name == first)
        })
}

/// Returns true if and only if two paths name one existing file.
fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (fs::canonicalize(one), fs::canonicalize(other)) else {
        return false;
    };
    one == other || is_hard_link(&one, &other)
}

#[cfg(unix)]
fn is_hard_link(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let identity = |path| fs::metadata(path).map(|meta| (meta.dev(), meta.ino()));
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(not(unix))]
fn is_hard_link(_: &Path, _: &Path) -> bool {
    false
}
