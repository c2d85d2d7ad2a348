//! `robocensus verify`: each way in which a dataset can be other than it was published is found,
//! and nothing else is.

use std::{
    fs,
    path::{Path, PathBuf},
};

use robocensus::{
    Progress,
    dataset::{table::PART_TABLES, verify::verify},
};
use serde_json::Value;

use crate::util::{
    Census, Dir, TestCommand, assert_begins, assert_says, committed, generated, read_json, run,
    write_archives,
};

/// Makes a dataset of three parts and returns its folder.
fn census(dir: &Dir) -> PathBuf {
    write_archives(dir, 3);
    words(dir, &[]).end_with(1);
    dir.path("census")
}

fn words(dir: &Dir, more: &[&str]) -> TestCommand {
    let (archives, out) = (dir.word("archives"), dir.word("census"));
    run(&[&archives, "--part-size", "1", "--quiet", "--out", &out]).words(more)
}

fn verified(folder: &Path) -> TestCommand {
    TestCommand::new(["verify"]).words(&[folder.to_str().unwrap()])
}

/// Returns the file of a table of the part that begins with a number, below the dataset's folder.
fn file(folder: &Path, table: &str, number: &str) -> String {
    let entries = fs::read_dir(folder.join(table)).unwrap();
    let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_of = |name: &String| name.trim_start_matches("part-").starts_with(number);
    format!("{table}/{}", names.find(is_of).unwrap())
}

fn delete(root: &Path, table: &str, number: &str) {
    fs::remove_file(root.join(file(root, table, number))).unwrap();
}

/// Changes the bytes of the file of a table of the part that begins with a number.
fn edit(root: &Path, table: &str, number: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = root.join(file(root, table, number));
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Replaces text of a file below the dataset's folder.
fn replace(root: &Path, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(root.join(file)).unwrap();
    assert!(text.contains(from), "{file}");
    fs::write(root.join(file), text.replace(from, to)).unwrap();
}

/// Copies the file of a table of the first part.
fn copy_first(root: &Path, table: &str, to: &str) {
    let to = root.join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(root.join(file(root, table, "0")), to).unwrap();
}

/// Changes the manifest of the part that begins with a number, and writes it under a name.
fn edit_manifest(root: &Path, number: &str, to: Option<&str>, change: impl FnOnce(&mut Value)) {
    let path = file(root, "_manifest", number);
    let mut manifest = read_json(root.join(&path));
    change(&mut manifest);
    fs::write(root.join(to.unwrap_or(&path)), manifest.to_string()).unwrap();
}

/// Exchanges the files of two parts in a folder.
fn exchange(root: &Path, folder: &str) {
    let [one, two] = ["0", "2"].map(|number| root.join(file(root, folder, number)));
    let other = root.join("other");
    fs::rename(&one, &other).unwrap();
    fs::rename(&two, &one).unwrap();
    fs::rename(&other, &two).unwrap();
}

/// Something that happens to a dataset.
type Damage = fn(&Path);

/// Rows of the name of a damage, the kind of finding that it must give, a text of it, and the
/// damage itself.
macro_rules! damages {
    ($($name:literal, $kind:literal, $says:literal => |$root:ident| $damage:expr;)*) => {
        &[$(($name, |$root| { $damage; }, $kind, $says)),*]
    };
}

const DAMAGES: &[(&str, Damage, &str, &str)] = damages! {
    "a deleted file", "missing", "rules/part-1-" => |root| delete(root, "rules", "1");
    "an emptied file", "cut", "but found 0" => |root| edit(root, "groups", "0", Vec::clear);
    "a truncated file", "cut", "captures/part-2-"
        => |root| edit(root, "captures", "2", |bytes| bytes.truncate(bytes.len() - 1));
    "a file that grew", "altered", "captures/part-2-"
        => |root| edit(root, "captures", "2", |bytes| bytes.push(0));
    "a changed byte", "altered", "expected the SHA-1"
        => |root| edit(root, "verdict_sets", "1", |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        });
    "two exchanged files", "exchanged", "but found those of captures/part-0-"
        => |root| exchange(root, "captures");
    "a copy of a file", "doubled",
    "captures/part-9-0123456789abcdef.parquet: this is a copy of captures/part-0-"
        => |root| copy_first(root, "captures", "captures/part-9-0123456789abcdef.parquet");
    "a copy under a name of another form", "doubled", "rules/old/copy.parquet"
        => |root| copy_first(root, "rules", "rules/old/copy.parquet");
    "a foreign file", "foreign", "captures/mine.parquet"
        => |root| fs::write(root.join("captures/mine.parquet"), "mine").unwrap();
    "a link in place of a file", "missing", "a link or a device" => |root| {
        let path = root.join(file(root, "rules", "0"));
        fs::rename(&path, root.join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(root.join("elsewhere"), path).unwrap();
    };
    "a missing manifest", "missing", "has files but no manifest"
        => |root| delete(root, "_manifest", "1");
    "a manifest that is cut", "unreadable", "_manifest/1-"
        => |root| edit(root, "_manifest", "1", |bytes| bytes.truncate(bytes.len() / 2));
    "two exchanged manifests", "unreadable", "but found that of 2-"
        => |root| exchange(root, "_manifest");
    "a manifest under a second name", "doubled", "the archive 0.warc.gz is in the part 0-"
        => |root| edit_manifest(root, "0", Some("_manifest/9-x.json"), |part| {
            part["part"] = "9-x".into();
        });
    "a manifest of other options", "foreign", "expected a part of this dataset"
        => |root| edit_manifest(root, "0", None, |part| part["options_digest"] = "other".into());
    "a changed table of the whole", "cut", "resolve the redirects again"
        => |root| fs::write(root.join("redirects/part-redirects.parquet"), "x").unwrap();
    "a deleted table of hosts", "missing",
    "hosts/part-hosts.parquet: this file is missing; _tables/hosts.json names it: resolve the redirects again"
        => |root| delete(root, "hosts", "hosts");
    "a deleted table of the options", "missing", "dialects/part-dialects.parquet"
        => |root| delete(root, "dialects", "dialects");
    "deleted lists of inputs", "missing", "expected a list that names the archive 0.warc.gz"
        => |root| fs::remove_dir_all(root.join("_inputs")).unwrap();
    "an edited option", "altered", "_dataset.json: expected the options with the digest"
        => |root| replace(root, "_dataset.json", r#"body": "8388608""#, r#"body": "100""#);
    "an edited list of agents", "altered",
    "_lists.json: expected the lists of which _dataset.json has the digests, but that of agents"
        => |root| replace(root, "_lists.json", "GPTBot", "GPTXot");
    "a file that is gone from its folder and its manifest", "missing",
    "expected a file of the table errors, as of the other tables of this part, but the manifest names 0"
        => |root| {
            delete(root, "errors", "2");
            edit_manifest(root, "2", None, |part| {
                let files = part["files"].as_array_mut().unwrap();
                files.retain(|file| file["table"] != "errors");
            });
        };
    "numbers that do not add up", "accounting", "expected the archives of the manifest"
        => |root| {
            let manifest = file(root, "_manifest", "0");
            replace(root, &manifest, r#""captures": 60"#, r#""captures": 61"#);
        };
};

#[test]
fn every_damage_is_found_and_named_with_its_file() {
    let dir = Dir::new();
    let whole = Census(census(&dir));
    let sound = verified(&whole.0).succeed().stdout;
    assert_begins(&sound, "verified: parts 3, archives 3, files 47, bytes ");
    for &(name, damage, kind, says) in DAMAGES {
        let folder = dir.path("damaged");
        for (path, bytes) in whole.files() {
            dir.write(&format!("damaged/{path}"), bytes);
        }
        damage(&folder);
        let ran = verified(&folder).end_with(1);
        assert!(ran.stdout.contains(says), "{name}: {}", ran.stdout);
        assert!(!ran.stdout.contains("verified"), "{name}: {}", ran.stdout);
        let json = verified(&folder).words(&["--json"]).end_with(1).stdout;
        let json: Value = serde_json::from_str(&json).unwrap();
        let findings = json["findings"].as_array().unwrap();
        assert_eq!(findings.len(), ran.stdout.lines().count(), "{name}");
        let is_found = findings.iter().any(|finding| finding["kind"] == kind);
        assert!(is_found, "{name}: {json:#}");
        assert_eq!(json["is_sound"], false);
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn what_is_not_read_yet_is_named() {
    let dir = Dir::new();
    let folder = census(&dir);
    delete(&folder, "_manifest", "2");
    for table in PART_TABLES {
        delete(&folder, table.name, "2");
    }
    let said = verified(&folder).end_with(1).stdout;
    for says in [
        "_inputs: 1 of 3 archives are in no part, the first of them 2.warc.gz; resume the run to read them",
        ".json: no run has made this part, which begins with the archive 2.warc.gz and has 1 in all; run its shard",
        "_tables/redirects.json: the table redirects was built from 2 of 2 parts and from 1 that are not there",
        "_tables/hosts.json: the table hosts was built from 2 of 2 parts and from 1 that are not there",
    ] {
        assert_says(&said, says);
    }
    words(&dir, &["--resume"]).end_with(1);
    verified(&folder).succeed();
}

#[test]
fn datasets_of_the_tests_are_sound_and_nothing_is_written() {
    for made in [generated(), committed()] {
        let before = made.census.files();
        let verified = verify(&made.census.0, &Progress::default()).unwrap();
        assert_eq!(verified.violations, []);
        assert_eq!(made.summary["captures"], verified.captures);
        assert_eq!(made.summary["archives"], verified.archives);
        assert!(made.census.files() == before);
    }
}

#[test]
fn a_folder_that_is_no_dataset_is_wrong_usage() {
    let dir = Dir::new();
    dir.write("notes/thesis.txt", "x");
    verified(&dir.path("notes")).refuse(&["notes: expected the folder of a dataset"]);
    TestCommand::new(["verify"]).end_with(2);
}
