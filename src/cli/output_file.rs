//! Files that a command writes for its user: complete or not at all, and never over one that it
//! reads.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{self, Path, PathBuf},
};

use anyhow::{Context, bail};
use robocensus::dataset::{
    sink::Dataset,
    table::{COMPARISON_TABLES, all_tables},
};

/// A file that gets its name when it is complete. Dropped before, it leaves nothing.
pub struct OutputFile {
    /// The path as the user named it.
    name: PathBuf,
    /// The path with links resolved.
    target: PathBuf,
}

impl OutputFile {
    /// Checks that a file can be written, so that the user knows before the work and not after it.
    ///
    /// `inputs` are the files that the command reads; one of them, by whatever name, is refused,
    /// and so is a file of the datasets that are read or written in the folders `datasets`.
    pub fn begin<'p>(
        name: &Path,
        datasets: impl IntoIterator<Item = &'p Path>,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> anyhow::Result<Self> {
        let shown = name.display();
        if let Some(input) = inputs.into_iter().find(|input| is_same(name, input)) {
            bail!(
                "{shown}: this is an input ({}), which is not written to; give another file",
                input.display()
            );
        }
        let target = resolved(name);
        let roots: Vec<_> = datasets.into_iter().map(resolved).collect();
        if target.is_dir() || roots.contains(&target) || target.file_name().is_none() {
            bail!("{shown}: expected the name of a file to write, but this is a folder");
        }
        if roots.iter().any(|root| is_of_dataset(&target, root)) {
            bail!(
                "{shown}: this names a file of the dataset, which is not written to; give another file"
            );
        }
        // A folder must be empty to become a dataset; creating that reports whether it can be
        // written to.
        let is_too_early = match roots.iter().find(|root| target.parent() == Some(root)) {
            Some(root) => !Dataset::exists(root)?,
            None => false,
        };
        if !is_too_early && !is_special(&target) {
            // It has no name: a process that is killed meanwhile must not leave it.
            tempfile::tempfile_in(folder_of(&target))
                .with_context(|| format!("{shown}: cannot write"))?;
        }
        Ok(Self {
            name: name.to_owned(),
            target,
        })
    }

    /// Calls `write` to write the file, and gives it its name; where `write` fails, whatever the
    /// reason, there is no file.
    pub fn finish<T, E: Into<anyhow::Error>>(
        self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
    ) -> anyhow::Result<T> {
        self.write(write).map_err(|error| {
            if error.is::<io::Error>() {
                error.context(format!("{}: cannot write", self.name.display()))
            } else {
                error
            }
        })
    }

    /// Writes another file beside the target, and puts it in its place; what is special is written
    /// itself.
    fn write<T, E: Into<anyhow::Error>>(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
    ) -> anyhow::Result<T> {
        if is_special(&self.target) {
            let file = File::options().write(true).open(&self.target)?;
            return written(file, write);
        }
        let mut builder = tempfile::Builder::new();
        // As any file that is created, which the umask of the user restricts.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder_of(&self.target))?;
        let written = written(file.as_file(), write)?;
        file.persist(&self.target)?;
        Ok(written)
    }
}

fn written<T, E: Into<anyhow::Error>>(
    file: impl Write + Send,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
) -> anyhow::Result<T> {
    let mut out = io::BufWriter::new(file);
    let written = write(&mut out).map_err(Into::into)?;
    out.flush()?;
    Ok(written)
}

/// Returns whether a path is that of something else than a regular file, such as a pipe or a
/// terminal, which is written to directly.
fn is_special(target: &Path) -> bool {
    fs::metadata(target).is_ok_and(|meta| !meta.is_file())
}

fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new(""))
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
            let mut tables = all_tables().chain(&COMPARISON_TABLES);
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
