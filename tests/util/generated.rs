//! Two archives with known truth and their datasets, made once for all tests of a process by the
//! program itself.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::Value;

use super::{Census, TestCommand, package, read_json};

/// An archive, what is true of it, and what the program made of it with the built-in matrix.
pub struct Generated {
    pub archive: PathBuf,
    pub truth: Value,
    pub census: Census,
    /// What `--summary-json` wrote.
    pub summary: Value,
}

/// Returns an archive of 3,000 captures that no other test or sample has.
pub fn generated() -> &'static Generated {
    static ONCE: OnceLock<Generated> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("generated");
        let archive = in_crawl(&folder);
        let words = ["sample", "--captures", "3000", "--seed", "41", "--out"];
        TestCommand::new(words)
            .words(&[archive.to_str().unwrap()])
            .succeed();
        made(&folder, archive)
    })
}

/// Returns the archive of `data-sample/`.
pub fn committed() -> &'static Generated {
    static ONCE: OnceLock<Generated> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("committed");
        let archive = in_crawl(&folder);
        let sample = package().join("data-sample/archives");
        for end in ["warc.gz", "truth.json"] {
            let file = sample.join(format!("sample-2026.{end}"));
            fs::copy(file, archive.with_file_name(format!("made-up.{end}"))).unwrap();
        }
        made(&folder, archive)
    })
}

/// The crawl that the archives' names name.
pub const CRAWL: &str = "CC-MAIN-2026-05";

/// Returns the path of an archive whose name says that every response is a capture.
fn in_crawl(folder: &Path) -> PathBuf {
    let folder = folder.join(format!("crawl-data/{CRAWL}/segments/1.2/robotstxt"));
    fs::create_dir_all(&folder).unwrap();
    folder.join("made-up.warc.gz")
}

fn made(folder: &Path, archive: PathBuf) -> Generated {
    let out = folder.join("census");
    let summary = folder.join("summary.json");
    let words = [archive.as_path(), "--out".as_ref(), out.as_path()];
    TestCommand::new(["run", "--summary-json", summary.to_str().unwrap()])
        .words(&words.map(|word| word.to_str().unwrap()))
        .succeed();
    Generated {
        truth: read_json(archive.with_file_name("made-up.truth.json")),
        summary: read_json(summary),
        census: Census(out),
        archive,
    }
}

/// Returns a folder that is made once for a process and lasts as long.
pub fn lasting(name: &str) -> PathBuf {
    let folder = home().join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns this process's folder in the build tree, and deletes those of processes that have ended:
/// what a static holds is never dropped.
fn home() -> &'static Path {
    static ONCE: OnceLock<(PathBuf, File)> = OnceLock::new();
    let (home, _lock) = ONCE.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"));
        for entry in fs::read_dir(root).unwrap() {
            let old = entry.unwrap().path();
            // A folder whose lock another process holds is in use; one that another process deletes
            // first is gone as well.
            let is_left = File::open(old.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
            if is_left {
                let _ = fs::remove_dir_all(&old);
            }
        }
        let home = root.join(format!("process-{}", std::process::id()));
        fs::create_dir_all(&home).unwrap();
        let lock = File::create(home.join(LOCK)).unwrap();
        lock.lock().unwrap();
        (home, lock)
    });
    home
}

const LOCK: &str = "lock";
