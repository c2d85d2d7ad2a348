//! Files of others: what a run may delete, what it may write to, and what it leaves alone.

use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use crate::util::{
    Census, Dir, Ran, TestCommand, assert_says, ended, files_below, piped, response, run,
};

/// Returns an archive, which is written once: its time of the last change stays.
fn archive(dir: &Dir) -> String {
    if !dir.path("a.warc").exists() {
        let record = response("https://a.example/robots.txt", "User-agent: *\n");
        dir.write("a.warc", record);
    }
    dir.word("a.warc")
}

/// Returns the files of `census` with their bytes, whatever their names are.
fn contents(dir: &Dir) -> Vec<(PathBuf, Vec<u8>)> {
    let files = files_below(&dir.path("census")).into_iter();
    let with_bytes = files.map(|path| (path.clone(), fs::read(path).unwrap()));
    with_bytes.collect()
}

fn into(dir: &Dir, out: &str) -> TestCommand {
    run(&[&archive(dir), "--quiet", "--out", &dir.word(out)])
}

#[test]
fn a_plain_run_deletes_nothing_below_a_folder_that_is_no_dataset() {
    let dir = Dir::new();
    dir.write("mine/_tmp/thesis/chapter.txt", "mine");
    dir.write("mine/_tmp/1.2/chapter.txt", "mine");
    for flag in [&[][..], &["--overwrite"], &["--resume"], &["--join"]] {
        let ran = into(&dir, "mine").words(flag);
        ran.refuse(&["mine: this folder is not empty and holds no dataset"]);
    }
    dir.write("hidden/.notes", "mine");
    into(&dir, "hidden").refuse(&["not empty"]);
    assert_eq!(files_below(&dir.path("mine")).len(), 2);
    assert_eq!(files_below(&dir.path("hidden")).len(), 1);
}

#[test]
fn what_a_killed_worker_left_is_deleted_and_what_a_living_one_writes_is_not() {
    let dir = Dir::new();
    let temporary = dir.path("census/_tmp");
    let folders = || {
        let entries = fs::read_dir(&temporary).into_iter().flatten();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    // A worker that waits for its input lives as long as we want.
    let worker = |name: &str| {
        let before = folders();
        let words = ["-", "--join", "--quiet", "--stdin-name", name, "--out"];
        let child = run(&words).words(&[dir.word("census")]).start();
        let is_new = |path: &PathBuf| !before.contains(path) && is_marked(path);
        let folder = loop {
            if let Some(path) = folders().into_iter().find(is_new) {
                break path;
            }
            thread::sleep(Duration::from_millis(5));
        };
        (child, folder)
    };
    let (mut killed, left) = worker("killed");
    let (mut living, folder) = worker("living");
    assert!(left.exists(), "its owner lives");
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(left.exists());
    dir.write("census/_tmp/thesis/chapter.txt", "mine");
    into(&dir, "census").words(&["--join"]).succeed();
    assert!(!left.exists() && folder.exists());
    assert!(dir.path("census/_tmp/thesis/chapter.txt").exists());
    living.kill().unwrap();
    living.wait().unwrap();
    into(&dir, "census").words(&["--join"]).succeed();
    assert_eq!(folders(), [dir.path("census/_tmp/thesis")]);
}

/// Returns true if and only if a folder has its owner's marker.
fn is_marked(folder: &Path) -> bool {
    fs::read_to_string(folder.join("robocensus-owner")).is_ok_and(|text| !text.is_empty())
}

#[test]
fn inputs_in_the_folder_that_is_to_be_replaced_are_refused() {
    let dir = Dir::new();
    into(&dir, "census").succeed();
    let before = contents(&dir);
    let inside = dir.word("census/b.warc");
    fs::copy(dir.path("a.warc"), &inside).unwrap();
    symlink(&inside, dir.path("link.warc")).unwrap();
    let (link, winding) = (dir.word("link.warc"), dir.word("census/../census/b.warc"));
    for input in [&inside, &link, &winding] {
        run(&[input, "--quiet", "--overwrite"])
            .words(&["--out", &dir.word("census")])
            .refuse(&["this input is in the folder of the dataset that is to be replaced"]);
    }
    fs::remove_file(inside).unwrap();
    assert!(contents(&dir) == before);
}

#[test]
fn overwrite_deletes_files_of_the_dataset_and_no_others() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let dir = Dir::new();
    into(&dir, "census").succeed();
    let notes = dir.write("census/notes.txt", "mine");
    let overwrite = || into(&dir, "census").words(&["--overwrite"]);
    overwrite().succeed();
    assert_eq!(fs::read(notes).unwrap(), b"mine");
    let refused = "this is no file of the dataset, so it is not deleted";
    fs::create_dir(dir.path("census/captures/x")).unwrap();
    let names: [&[u8]; 7] = [
        b"captures/part-mine.parquet",
        b"captures/thesis\xff.txt",
        b"captures/x/part-1.parquet",
        b"rules/mine.csv",
        b"_inputs/mine.json",
        b"_manifest/mine.json",
        b"_manifest/notes.txt",
    ];
    for name in names {
        let path = dir.path("census").join(OsStr::from_bytes(name));
        fs::write(&path, "mine").unwrap();
        let before = contents(&dir);
        let shown = str::from_utf8(name).unwrap_or("captures/thesis");
        overwrite().refuse(&[shown, refused]);
        assert!(contents(&dir) == before);
        if name.starts_with(b"captures/") {
            TestCommand::new(["verify", &dir.word("census")]).end_with(1);
        }
        fs::remove_file(path).unwrap();
    }
    fs::remove_dir(dir.path("census/captures/x")).unwrap();
    overwrite().succeed();
    fs::rename(dir.path("census/rules"), dir.path("rules")).unwrap();
    symlink(dir.path("rules"), dir.path("census/rules")).unwrap();
    overwrite().refuse(&["census/rules", "no file of the dataset"]);
    assert_eq!(files_below(&dir.path("rules")).len(), 1);
}

#[test]
fn a_manifest_cannot_have_files_of_others_deleted() {
    let dir = Dir::new();
    into(&dir, "census").succeed();
    let victim = dir.write("victim.txt", "mine");
    let manifest = files_below(&dir.path("census/_manifest")).remove(0);
    let text = fs::read_to_string(&manifest).unwrap();
    for path in ["../victim.txt", "rules/../../victim.txt", &victim] {
        let from = text.find("\"path\": \"rules/").unwrap() + "\"path\": \"".len();
        let end = from + text[from..].find('"').unwrap();
        let hostile = [&text[..from], path, &text[end..]].concat();
        fs::write(&manifest, hostile).unwrap();
        let resumed = into(&dir, "census").words(&["--resume"]);
        resumed.refuse(&["expected the path of a file in the folder of a table"]);
        assert!(Path::new(&victim).exists());
    }
}

#[test]
fn a_summary_is_written_whole_and_never_over_an_input() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let agents = dir.write("agents.tsv", "GPTBot\n");
    symlink(&archive, dir.path("link")).unwrap();
    fs::hard_link(&archive, dir.path("hard")).unwrap();
    let list = dir.write("list.txt", format!("{archive}\n"));
    let word = format!("@{list}");
    let with = |json: &str| {
        run(&[&word, "--agents", &agents, "--quiet"])
            .words(&["--out", &dir.word("census")])
            .words(&["--summary-json", json])
    };
    let before = fs::read(&archive).unwrap();
    let (link, hard) = (dir.word("link"), dir.word("hard"));
    for input in [&archive, &link, &hard, &agents, &list] {
        with(input).refuse(&["this is an input", "not written to"]);
    }
    assert_eq!(fs::read(&archive).unwrap(), before);
    assert!(!dir.path("census").exists());
    // A run that stops leaves the older summary as it was.
    let json = dir.write("summary.json", "older");
    dir.write("census/thesis.txt", "mine");
    with(&json).refuse(&["not empty"]);
    assert_eq!(fs::read_to_string(&json).unwrap(), "older");
    fs::remove_dir_all(dir.path("census")).unwrap();
    with(&json).succeed();
    let summary = fs::read_to_string(&json).unwrap();
    assert_says(&summary, "\"captures\": 1");
    assert_no_hidden_file(&dir.path(""));
    with("/dev/null").words(&["--overwrite"]).succeed();
}

/// Asserts that no temporary file is left.
fn assert_no_hidden_file(folder: &Path) {
    let files = files_below(folder).into_iter();
    let mut names = files.map(|path| path.file_name().unwrap().to_owned());
    assert!(names.all(|name| !name.to_str().unwrap().starts_with('.')));
}

/// Runs with a file as standard input.
fn from_file(dir: &Dir, file: &str, words: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
    command.args(["run", "--quiet", "--out", &dir.word("census")]);
    let command = command.args(words).stdin(File::open(file).unwrap());
    ended(piped(command))
}

#[test]
fn a_summary_is_never_written_over_the_file_that_is_standard_input() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let before = fs::read(&archive).unwrap();
    symlink(&archive, dir.path("link")).unwrap();
    for json in [&archive, &dir.word("link")] {
        let ran = from_file(&dir, &archive, &["-", "--summary-json", json]);
        let says = "this is an input (standard input), which is not written to";
        assert!(ran.code == 2 && ran.stderr.contains(says), "{ran:?}");
        assert_eq!(fs::read(&archive).unwrap(), before);
        assert!(!dir.path("census").exists());
    }
    let json = dir.word("summary.json");
    let ran = from_file(&dir, &archive, &["-", "--summary-json", &json]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // The null device is no file that could be lost.
    let words = ["-", "--overwrite", "--summary-json", "/dev/null"];
    let ran = from_file(&dir, "/dev/null", &words);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
}

#[test]
fn standard_input_that_is_a_file_of_the_inputs_is_read_once_under_the_name_of_the_file() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let names = || {
        let archives = Census(dir.path("census")).table("archives");
        archives.all_texts("warc_filename")
    };
    for words in [
        &["-", &*archive][..],
        &[&*archive, "-", "--stdin-name", "a-name-of-some-length.warc"],
    ] {
        let words = [words, &["--overwrite"]].concat();
        let ran = from_file(&dir, &archive, &words);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let note = format!("the same file as {archive}, which is read once, as a.warc");
        assert_says(&ran.stderr, &format!("standard input: {note}"));
        assert_eq!(names(), ["a.warc"]);
    }
    let ran = from_file(&dir, &archive, &["-", "--overwrite"]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    assert_eq!(names(), ["stdin"]);
}

#[test]
fn neither_a_summary_nor_a_page_is_written_over_a_file_of_its_dataset() {
    let dir = Dir::new();
    into(&dir, "census").succeed();
    let before = contents(&dir);
    let captures = files_below(&dir.path("census/captures")).remove(0);
    let manifest = files_below(&dir.path("census/_manifest")).remove(0);
    symlink(&captures, dir.path("captures.json")).unwrap();
    symlink(&manifest, dir.path("manifest.json")).unwrap();
    symlink(dir.path("census"), dir.path("other")).unwrap();
    for own in [
        "census/_dataset.json",
        "other/_dataset.json",
        "census/_tables/dialects.json",
        "census/rules/summary.json",
        "captures.json",
        "manifest.json",
    ] {
        for mode in ["--resume", "--join", "--overwrite"] {
            into(&dir, "census")
                .words(&[mode, "--summary-json", &dir.word(own)])
                .refuse(&["this names a file of the dataset"]);
        }
    }
    for own in [
        "_dataset.json",
        "captures/new.html",
        "redirects/part-x.parquet",
    ] {
        TestCommand::new(["report", "--data", &dir.word("census"), "--out"])
            .words(&[dir.word(&format!("census/{own}"))])
            .refuse(&["this names a file of the dataset"]);
    }
    assert!(contents(&dir) == before);
    // The same of a dataset that is not there yet, and of its folder.
    for (own, says) in [
        ("fresh/_dataset.json", "this names a file of the dataset"),
        ("fresh", "expected the name of a file"),
    ] {
        let words = ["--summary-json", &dir.word(own)];
        into(&dir, "fresh").words(&words).refuse(&[says]);
        assert!(!dir.path("fresh").exists());
    }
}

#[test]
fn a_summary_may_lie_beside_the_files_of_its_dataset() {
    let dir = Dir::new();
    fs::create_dir(dir.path("empty")).unwrap();
    for out in ["empty", "absent"] {
        let json = dir.path(&format!("{out}/summary.json"));
        let with = |mode: &[&str]| {
            let written = into(&dir, out).words(&["--summary-json", json.to_str().unwrap()]);
            written.words(mode)
        };
        for mode in [&[][..], &["--resume"], &["--join"], &["--overwrite"]] {
            with(mode).succeed();
            let text = fs::read_to_string(&json).unwrap();
            assert!(text.contains("\"captures\": "), "{text}");
            fs::write(&json, "older").unwrap();
            TestCommand::new(["verify", &dir.word(out)]).succeed();
            into(&dir, out).words(&["--resume"]).succeed();
        }
        assert_no_hidden_file(&dir.path(out));
        // What stops before there is a dataset leaves nothing.
        fs::remove_dir_all(dir.path(out)).unwrap();
        with(&["--agents", "no-such-file"]).end_with(2);
        assert!(!dir.path(out).exists());
    }
}
