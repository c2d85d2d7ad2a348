//! Finding an archive again by its name in the tables.

use std::path::{Component, Path};

use super::{ArchiveSource, expand, file::FileSource};
use crate::archive::error::Error;

/// Returns the archives among some inputs that may be the one of a name in the tables, the
/// likeliest first; at least one.
///
/// The name is that which a run gives the archive for these inputs. Where no archive has it, since
/// the run was given another folder, those of the same file name are returned, or else the only
/// archive that there is. Whether one has a record, its content must show.
///
/// # Errors
///
/// No archive of that name, and the errors of [`expand`].
pub fn locate(inputs: &[String], name: &str) -> Result<Vec<ArchiveSource>, Error> {
    // A folder may hold millions of archives, so it is not listed where the name is a path in it.
    let is_below = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let in_folders: Vec<_> = inputs
        .iter()
        .filter(|_| is_below)
        .map(|folder| Path::new(folder).join(name))
        .filter(|path| path.is_file())
        .map(|path| ArchiveSource::new(name, Box::new(FileSource::new(path, None))))
        .collect();
    if !in_folders.is_empty() {
        return Ok(in_folders);
    }
    let mut archives = expand(inputs)?;
    #[cfg(feature = "remote")]
    super::look_up(&archives, &std::sync::atomic::AtomicBool::new(false));
    archives.retain(|archive| archive.source.size().is_some());
    let file_name = |name: &str| name.rsplit('/').next().map(str::to_owned);
    let is_alike = |archive: &ArchiveSource| file_name(&archive.name) == file_name(name);
    if archives.iter().any(|archive| archive.name == name) {
        archives.retain(|archive| archive.name == name);
    } else if archives.iter().any(is_alike) {
        archives.retain(is_alike);
    } else if archives.len() != 1 {
        return Err(Error::usage(format!(
            "expected the archive {name} in {}, but found no file of that name; give the folder that the run was given, or the file itself",
            inputs.join(", ")
        )));
    }
    Ok(archives)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn found(folder: &Path, inputs: &[&str], name: &str) -> Result<Vec<String>, String> {
        let word = |input: &&str| folder.join(input).to_string_lossy().into_owned();
        let inputs: Vec<_> = inputs.iter().map(word).collect();
        let archives = locate(&inputs, name).map_err(|error| error.to_string())?;
        let path = |archive: ArchiveSource| {
            let path = archive.source.path().unwrap().to_owned();
            path.strip_prefix(folder).unwrap().display().to_string()
        };
        Ok(archives.into_iter().map(path).collect())
    }

    #[test]
    fn an_archive_is_found_by_its_name_whatever_folder_is_given() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "x/a/1.warc",
            "x/b/1.warc",
            "x/b/2.warc",
            "x/notes.txt",
            "y.bin",
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = |inputs: &[&str], name| found(dir.path(), inputs, name);
        assert_eq!(found(&["x"], "b/1.warc").unwrap(), ["x/b/1.warc"]);
        assert_eq!(found(&["."], "x/b/1.warc").unwrap().len(), 1);
        assert_eq!(found(&["x/b"], "b/1.warc").unwrap(), ["x/b/1.warc"]);
        assert_eq!(
            found(&["x"], "1.warc").unwrap(),
            ["x/a/1.warc", "x/b/1.warc"]
        );
        assert_eq!(found(&["y.bin"], "stdin").unwrap(), ["y.bin"]);
        assert_eq!(found(&["x/b/2.warc"], "b/2.warc").unwrap(), ["x/b/2.warc"]);
        let message = found(&["x"], "../y.bin").unwrap_err();
        assert!(
            message.contains("expected the archive ../y.bin in "),
            "{message}"
        );
        assert!(found(&["z"], "1.warc").unwrap_err().contains("cannot read"));
    }
}
