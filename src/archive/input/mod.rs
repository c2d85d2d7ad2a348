//! Expansion of inputs to a sorted list of archives: files, folders, patterns, list files, crawls
//! and standard input.
//!
//! List files are opened here, archives are not: what a file is, its bytes decide.

mod choose;
mod crawl;
mod file;
mod identity;
mod list;
mod locate;
mod name;
mod options;
mod pattern;
mod place;
#[cfg(feature = "remote")]
mod remote;

use std::{
    cmp::Reverse,
    fmt, fs,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

pub(crate) use self::locate::locate;
pub(crate) use self::name::crawl_in;
#[cfg(feature = "remote")]
use self::remote::RemoteSource;
#[cfg(feature = "remote")]
pub(crate) use self::remote::look_up;
use self::{
    choose::choose,
    crawl::{read_crawls, read_index},
    file::{FileSource, Stdin, Unlisted},
    identity::FileIdentity,
    name::{archive_name, has_archive_name, subset_in},
    pattern::{search, walk},
    place::{Place, read_list},
};
pub use self::{identity::is_stdin, list::read_maybe_gzip, options::ExpandOptions};
#[cfg(feature = "cli")]
pub(crate) use self::{list::maybe_gzip, name::SUBSETS, options::DEFAULT_CRAWL_BASE};
#[cfg(feature = "remote")]
use crate::archive::remote::{RemoteArchive, RemoteUrl, without_secrets};
use crate::archive::{error::Error, index::Ranges};

/// A source of bytes that can be read from front to back, as often as needed.
///
/// An archive on another medium, such as HTTPS or S3, is an implementation of this trait.
pub trait Source: Send + Sync + fmt::Debug {
    /// Opens the source at its first byte.
    ///
    /// # Errors
    ///
    /// That of the operating system.
    fn open(&self) -> io::Result<Box<dyn Read + Send>>;

    /// Opens the source at another byte. By default the bytes before it are read.
    ///
    /// # Errors
    ///
    /// That of the operating system.
    fn open_at(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut bytes = self.open()?;
        io::copy(&mut (&mut bytes).take(offset), &mut io::sink())?;
        Ok(bytes)
    }

    /// Returns the size in bytes, if it is known before reading. A source of unknown size is
    /// treated as a stream: it is read on a thread of its own, and may block.
    fn size(&self) -> Option<u64>;

    /// Returns the size of the file, of which the source may be some ranges alone.
    fn file_size(&self) -> Option<u64> {
        self.size()
    }

    /// Returns whether the bytes can be read only once, as those of a pipe, so that they cannot be
    /// compared with those of another run before. By default a source of unknown size is such.
    fn is_stream(&self) -> bool {
        self.size().is_none()
    }

    /// Returns the modification time, if it is known.
    fn modified(&self) -> Option<SystemTime> {
        None
    }

    /// Returns the path, if the source is a file.
    fn path(&self) -> Option<&Path> {
        None
    }

    /// Returns a description of the source for messages.
    fn location(&self) -> String;
}

/// One archive to be read.
#[derive(Debug)]
pub struct ArchiveSource {
    /// The name in the tables; identifiers of rows and names of parts depend on nothing else. See
    /// [`expand`].
    pub name: String,
    /// The crawl in the name, such as `CC-MAIN-2025-05`.
    pub crawl: Option<String>,
    /// The subset in the name, such as `robotstxt`.
    pub subset: Option<String>,
    /// The bytes.
    pub source: Arc<dyn Source>,
    /// The ranges of the file that are these bytes, if they are not all of it.
    pub(crate) ranges: Option<Arc<Ranges>>,
    /// The same, if they are downloaded.
    #[cfg(feature = "remote")]
    pub(crate) remote: Option<Arc<RemoteArchive>>,
}

impl ArchiveSource {
    /// Creates an archive of that name, with the crawl and subset in the name.
    pub fn new(name: impl Into<String>, source: Box<dyn Source>) -> Self {
        let name = name.into();
        Self {
            crawl: crawl_in(&name).map(str::to_owned),
            subset: subset_in(&name).map(str::to_owned),
            name,
            source: source.into(),
            ranges: None,
            #[cfg(feature = "remote")]
            remote: None,
        }
    }
}

/// The archives of a list of inputs.
#[derive(Debug)]
pub struct Inputs {
    /// The archives, sorted by name, each once.
    pub archives: Vec<ArchiveSource>,
    /// One sentence on each path that is skipped, sorted: another path to a file or folder that is
    /// read, and what is neither file nor folder.
    pub notes: Vec<String>,
    /// How the archives were chosen among more, such as `1 % of 72,000 archives of CC-MAIN-2025-05
    /// robotstxt, seed 0`; `None` if they are all that there are.
    pub choice: Option<String>,
}

/// The default name of standard input in the tables. It does not identify a stream: a dataset has
/// at most one of this name.
pub const STDIN_NAME: &str = "stdin";

/// Expands inputs to archives, sorted by name.
///
/// | input | meaning |
/// |---|---|
/// | a file | that file; a named pipe or a device is read as a stream |
/// | a folder | all files below it named like an archive (`.warc`, `.warc.gz`, `.arc`, ..) |
/// | a pattern with `*`, `?`, `[`..`]` or `**` | its matches, unless a file has that name |
/// | a URL of `https://`, `http://` or `s3://` | what is there, with the feature `remote` |
/// | `@list` | the paths and URLs in a file or at a URL, plain or gzip, one a line; `#` begins a comment line |
/// | `-` | standard input |
///
/// A relative path of a list is resolved in the current folder, or else in the list's; one of a
/// list at a URL below that of the list, or of its folder `crawl-data/`.
///
/// An archive's name is its path from `crawl-data/` on, as in Common Crawl's lists, if it has that
/// folder; else its path below the input folder; else its file name.
///
/// A file is read once, whatever its paths: equal paths, symbolic links and hard links are one
/// file, and so is standard input that is a regular file. Of its names, that of a path precedes
/// that of standard input, then one without a symbolic link, then the longest, then the first in
/// the order of bytes. In folders and by patterns, links are followed, to each folder once. A
/// folder that cannot be listed, below an input folder, is an archive that cannot be opened; its
/// name ends with a slash.
///
/// # Errors
///
/// An input that does not exist or has no archive, a list that cannot be read, and two different
/// files of the same name.
pub fn expand<S: AsRef<str>>(words: &[S]) -> Result<Vec<ArchiveSource>, Error> {
    expand_with(words, &ExpandOptions::default()).map(|inputs| inputs.archives)
}

/// Expands inputs as [`expand`] does, with the archives of crawls, a choice of archives, notes on
/// skipped paths and a name for standard input.
///
/// Archives are chosen by their names alone, before anything is asked about them.
///
/// # Errors
///
/// Those of [`expand`]; a crawl whose list cannot be read, and a choice of no archive; a name
/// without standard input among the inputs, an empty name, and one with a control character.
pub fn expand_with<S: AsRef<str>>(words: &[S], options: &ExpandOptions) -> Result<Inputs, Error> {
    let stdin_name = options.stdin_name.as_deref();
    if let Some(name) = stdin_name {
        if !words.iter().any(|word| word.as_ref() == "-") {
            return Err(Error::usage(format!(
                "expected standard input (-) among the inputs, since a name for it is given ({name})"
            )));
        }
        if name.is_empty() || name.contains(char::is_control) {
            return Err(Error::usage(format!(
                "expected a name for standard input with at least one character and no control character, but found {name:?}"
            )));
        }
    }
    if options.records.is_some() && (!words.is_empty() || !options.crawls.is_empty()) {
        return Err(Error::usage(
            "expected either inputs or the records of an index, but found both; run once for each",
        ));
    }
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    for word in words {
        let word = word.as_ref();
        if word == "-" {
            let name = stdin_name.unwrap_or(STDIN_NAME);
            found.push(NamedArchive::new(name, ArchivePath::Stdin));
        } else if let Some(list) = word.strip_prefix('@') {
            read_list(&Place::named(list)?, options.allow_private, &mut found)?;
        } else {
            match Place::named(word)? {
                Place::File(path) => expand_path(word, &path, &mut found, &mut notes)?,
                #[cfg(feature = "remote")]
                Place::Url(url)
                    if url.path().is_empty()
                        || url.path().ends_with('/')
                        || url.path().contains('*') =>
                {
                    return Err(Error::usage(format!(
                        "{url}: expected the URL of one archive, since neither folders nor patterns of URLs are read; give a list of URLs (@LIST) or a crawl"
                    )));
                }
                #[cfg(feature = "remote")]
                Place::Url(url) => found.push(NamedArchive::remote(&url)),
            }
        }
    }
    read_crawls(options, &mut found)?;
    read_index(options, &mut found)?;
    let mut found = each_once(found, &mut notes);
    if let Some(pair) = found.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(Error::usage(format!(
            "two archives are named {}: {} and {}; the tables identify an archive by its name, so rename one of them or give their common folder",
            pair[0].name, pair[0].origin, pair[1].origin
        )));
    }
    notes.sort();
    notes.dedup();
    let choice = choose(&mut found, options)?;
    Ok(Inputs {
        archives: found
            .into_iter()
            .map(|found| found.source(options))
            .collect(),
        notes,
        choice,
    })
}

/// An archive with its name and path.
struct NamedArchive {
    name: Box<str>,
    origin: ArchivePath,
}

/// The path of an archive.
enum ArchivePath {
    Stdin,
    /// A file, and whether it is, or was reached by, a symbolic link below an input.
    File(Box<Path>, bool),
    /// With its secrets.
    #[cfg(feature = "remote")]
    Url(Box<str>),
    /// A folder that cannot be listed, so that its archives are not known.
    Unlisted(Box<Unlisted>),
}

impl NamedArchive {
    fn new(name: &str, origin: ArchivePath) -> Self {
        let name = name.into();
        Self { name, origin }
    }

    /// Creates an archive that is an input by its own path.
    fn named(path: PathBuf) -> Self {
        let (name, is_linked) = (archive_name(&path, None), path.is_symlink());
        Self::new(&name, ArchivePath::File(path.into(), is_linked))
    }

    /// Creates an archive that is downloaded.
    #[cfg(feature = "remote")]
    fn remote(url: &RemoteUrl) -> Self {
        let name = archive_name(Path::new(url.path()), None);
        Self::new(&name, ArchivePath::Url(url.with_secrets().into()))
    }

    /// Returns the identity of its file; `None` of a stream.
    fn file(&self) -> Option<FileIdentity> {
        match &self.origin {
            ArchivePath::Stdin => FileIdentity::of_stdin(),
            ArchivePath::File(path, _) => Some(FileIdentity::of_file(path)),
            ArchivePath::Unlisted(folder) => Some(FileIdentity::of_file(&folder.path)),
            #[cfg(feature = "remote")]
            ArchivePath::Url(url) => Some(FileIdentity::of_url(url)),
        }
    }

    /// Returns the rank of a name among those of one file: the greatest counts.
    fn rank(&self) -> impl Ord + use<> {
        let is_path = !matches!(self.origin, ArchivePath::Stdin);
        let is_linked = matches!(self.origin, ArchivePath::File(_, true));
        let name = self.name.clone();
        // Two paths may have one name; messages name the first.
        let last = Reverse((name.clone(), self.origin.to_string()));
        (is_path, !is_linked, name.len(), last)
    }

    fn source(self, options: &ExpandOptions) -> ArchiveSource {
        let name = self.name;
        let ranges = options.records.as_ref();
        let ranges = ranges.and_then(|index| index.ranges(&name)).cloned();
        #[cfg(feature = "remote")]
        let mut remote = None;
        let source: Box<dyn Source> = match self.origin {
            ArchivePath::Stdin => Box::new(Stdin),
            ArchivePath::File(path, _) => Box::new(FileSource::new(path.into(), ranges.clone())),
            ArchivePath::Unlisted(folder) => folder,
            #[cfg(feature = "remote")]
            ArchivePath::Url(url) => {
                let url = RemoteUrl::parse(&url).expect("a URL that was parsed before");
                let archive = RemoteArchive::new(url, options.allow_private, ranges.clone());
                let archive = remote.insert(Arc::new(archive));
                Box::new(RemoteSource(archive.clone()))
            }
        };
        ArchiveSource {
            ranges,
            #[cfg(feature = "remote")]
            remote,
            ..ArchiveSource::new(name, source)
        }
    }
}

impl fmt::Display for ArchivePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path, _) => path.display().fmt(f),
            Self::Unlisted(folder) => folder.path.display().fmt(f),
            #[cfg(feature = "remote")]
            Self::Url(url) => without_secrets(url).fmt(f),
        }
    }
}

/// Returns the archives sorted by name, each file once and with the best of its names.
fn each_once(mut found: Vec<NamedArchive>, notes: &mut Vec<String>) -> Vec<NamedArchive> {
    let files = found.iter().map(NamedArchive::file);
    let mut files: Vec<_> = files.zip(0_u32..).collect();
    files.sort_unstable();
    let mut is_left_out = vec![false; found.len()];
    for same in files.chunk_by(|(one, _), (other, _)| one == other) {
        if let [_] = same {
            continue;
        }
        let mut names: Vec<_> = same.iter().map(|&(_, index)| index).collect();
        names.sort_by_cached_key(|&index| Reverse(found[index as usize].rank()));
        let best = &found[names[0] as usize];
        let (path, name) = (best.origin.to_string(), &best.name);
        for &index in &names[1..] {
            is_left_out[index as usize] = true;
            let other = found[index as usize].origin.to_string();
            notes.push(if other == path {
                format!("{path}: given more than once; it is read once, as {name}")
            } else {
                format!("{other}: the same file as {path}, which is read once, as {name}")
            });
        }
    }
    drop(files);
    let mut is_left_out = is_left_out.into_iter();
    found.retain(|_| is_left_out.next() == Some(false));
    let origin = |found: &NamedArchive| found.origin.to_string();
    found.sort_unstable_by(|a, b| {
        let by_name = a.name.cmp(&b.name);
        by_name.then_with(|| origin(a).cmp(&origin(b)))
    });
    found
}

/// Returns the path of a word or a line, which may be a URL of a file.
fn local(word: &str) -> &Path {
    Path::new(word.strip_prefix("file://").unwrap_or(word))
}

fn expand_path(
    word: &str,
    path: &Path,
    found: &mut Vec<NamedArchive>,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => {
            let before = found.len();
            walk(path, found, notes)?;
            if found.len() == before {
                return Err(Error::usage(format!(
                    "{word}: no archive in this folder; expected files named *.warc, *.warc.gz or the like"
                )));
            }
            Ok(())
        }
        Ok(_) => {
            found.push(NamedArchive::named(path.to_owned()));
            Ok(())
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound && word.contains(['*', '?', '[']) => {
            search(word, found, notes)
        }
        Err(e) => Err(Error::io("cannot read", path)(e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(archives: &[ArchiveSource]) -> Vec<&str> {
        archives.iter().map(|a| a.name.as_str()).collect()
    }

    fn touch(folder: &Path, name: &str) -> String {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, b"").unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_folder_is_expanded_to_its_archives_sorted_by_path() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "b.warc.gz",
            "a/c.WARC",
            "a/notes.txt",
            "z.arc.gz",
            "y.warc.zst",
        ] {
            touch(dir.path(), name);
        }
        let archives = expand(&[dir.path().to_str().unwrap()]).unwrap();
        assert_eq!(
            names(&archives),
            ["a/c.WARC", "b.warc.gz", "y.warc.zst", "z.arc.gz"]
        );
    }

    #[test]
    fn order_and_repetition_of_inputs_do_not_matter() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (touch(dir.path(), "a.warc"), touch(dir.path(), "b.warc"));
        let pattern = dir.path().join("*.warc").to_str().unwrap().to_owned();
        assert_eq!(
            names(&expand(&[&b, &a, &pattern]).unwrap()),
            ["a.warc", "b.warc"]
        );
    }

    #[test]
    fn two_files_of_one_name_are_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (touch(dir.path(), "1/a.warc"), touch(dir.path(), "2/a.warc"));
        let error = expand(&[&a, &b]).unwrap_err().to_string();
        assert!(
            error.contains("1/a.warc") && error.contains("2/a.warc"),
            "{error}"
        );
    }

    #[test]
    fn a_list_may_be_gzip_and_its_names_have_a_crawl() {
        let dir = tempfile::tempdir().unwrap();
        let name = "crawl-data/CC-MAIN-2025-05/segments/1736703361941.29/robotstxt/CC-MAIN-20250126135402-00000.warc.gz";
        touch(dir.path(), name);
        let list = dir.path().join("robotstxt.paths.gz");
        let mut gz = flate2::write::GzEncoder::new(
            fs::File::create(&list).unwrap(),
            flate2::Compression::fast(),
        );
        writeln!(gz, "# comment\n{name}\n").unwrap();
        gz.finish().unwrap();
        let archives = expand(&[format!("@{}", list.display())]).unwrap();
        assert_eq!(names(&archives), [name]);
        assert_eq!(archives[0].crawl.as_deref(), Some("CC-MAIN-2025-05"));
        assert_eq!(archives[0].subset.as_deref(), Some("robotstxt"));
        assert!(
            archives[0].source.open().is_ok(),
            "resolved in the folder of the list"
        );
    }

    #[test]
    fn an_input_without_archives_is_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let empty = dir.path().to_str().unwrap();
        for (word, says) in [
            ("no-such-file.warc.gz", "no-such-file.warc.gz: cannot read"),
            ("no-such-*.warc.gz", "no file matches"),
            (empty, "no archive in this folder"),
            ("@no-such-list", "no-such-list: cannot read"),
        ] {
            let error = expand(&[word]).unwrap_err().to_string();
            assert!(error.contains(says), "{word}: {error}");
        }
    }
}
