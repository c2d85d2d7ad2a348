//! `robocensus verify`: each way in which a dataset can be other than it was published is found,
//! and nothing else is.

use std::{
    fs,
    path::{Path, PathBuf},
};

use robocensus::{Progress, dataset::verify::verify};
use serde_json::Value;

use crate::util::{Dir, TestCommand, assert_begins, committed, generated, run, sample};

/// Makes a dataset of three parts and returns its folder.
fn census(dir: &Dir) -> PathBuf {
    for seed in 0..3 {
        let mut bytes = sample(40 + 20 * seed, seed);
        if seed == 1 {
            bytes.truncate(bytes.len() - 100);
        }
        dir.write(&format!("archives/{seed}.warc.gz"), bytes);
    }
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

/// Changes the bytes of a file below the dataset's folder.
fn edit(root: &Path, file: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = root.join(file);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Changes the manifest of the part that begins with a number, and writes it under a name.
fn edit_manifest(root: &Path, number: &str, to: Option<&str>, change: impl FnOnce(&mut Value)) {
    let path = file(root, "_manifest", number);
    let mut manifest = serde_json::from_slice(&fs::read(root.join(&path)).unwrap()).unwrap();
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

/// Every kind of damage, the kind of finding that it must give, and a text of it.
const DAMAGES: [(&str, Damage, &str, &str); 23] = [
    (
        "a deleted file",
        |root| fs::remove_file(root.join(file(root, "rules", "1"))).unwrap(),
        "missing",
        "rules/part-1-",
    ),
    (
        "an emptied file",
        |root| fs::write(root.join(file(root, "groups", "0")), "").unwrap(),
        "cut",
        "but found 0",
    ),
    (
        "a truncated file",
        |root| {
            edit(root, &file(root, "captures", "2"), |bytes| {
                bytes.truncate(bytes.len() - 1);
            });
        },
        "cut",
        "captures/part-2-",
    ),
    (
        "a file that grew",
        |root| edit(root, &file(root, "captures", "2"), |bytes| bytes.push(0)),
        "altered",
        "captures/part-2-",
    ),
    (
        "a changed byte",
        |root| {
            edit(root, &file(root, "verdict_sets", "1"), |bytes| {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            });
        },
        "altered",
        "expected the SHA-1",
    ),
    (
        "two exchanged files",
        |root| exchange(root, "captures"),
        "exchanged",
        "but found those of captures/part-0-",
    ),
    (
        "a copy of a file",
        |root| {
            let path = root.join(file(root, "captures", "0"));
            fs::copy(path, root.join("captures/part-9-0123456789abcdef.parquet")).unwrap();
        },
        "doubled",
        "captures/part-9-0123456789abcdef.parquet: this is a copy of captures/part-0-",
    ),
    (
        "a copy under a name of another form",
        |root| {
            let path = root.join(file(root, "rules", "0"));
            fs::create_dir(root.join("rules/old")).unwrap();
            fs::copy(path, root.join("rules/old/copy.parquet")).unwrap();
        },
        "doubled",
        "rules/old/copy.parquet",
    ),
    (
        "a foreign file",
        |root| fs::write(root.join("captures/mine.parquet"), "mine").unwrap(),
        "foreign",
        "captures/mine.parquet",
    ),
    (
        "a link in place of a file",
        |root| {
            let path = root.join(file(root, "rules", "0"));
            fs::rename(&path, root.join("elsewhere")).unwrap();
            std::os::unix::fs::symlink(root.join("elsewhere"), path).unwrap();
        },
        "missing",
        "a link or a device",
    ),
    (
        "a missing manifest",
        |root| fs::remove_file(root.join(file(root, "_manifest", "1"))).unwrap(),
        "missing",
        "has files but no manifest",
    ),
    (
        "a manifest that is cut",
        |root| {
            edit(root, &file(root, "_manifest", "1"), |bytes| {
                bytes.truncate(bytes.len() / 2);
            });
        },
        "unreadable",
        "_manifest/1-",
    ),
    (
        "two exchanged manifests",
        |root| exchange(root, "_manifest"),
        "unreadable",
        "but found that of 2-",
    ),
    (
        "a manifest under a second name",
        |root| {
            edit_manifest(root, "0", Some("_manifest/9-x.json"), |part| {
                part["part"] = "9-x".into();
            });
        },
        "doubled",
        "the archive 0.warc.gz is in the part 0-",
    ),
    (
        "a manifest of other options",
        |root| {
            edit_manifest(root, "0", None, |part| {
                part["options_digest"] = "other".into();
            });
        },
        "foreign",
        "expected a part of this dataset",
    ),
    (
        "a changed table of the whole",
        |root| fs::write(root.join("redirects/part-redirects.parquet"), "x").unwrap(),
        "cut",
        "resolve the redirects again",
    ),
    (
        "a deleted table of hosts",
        |root| fs::remove_file(root.join("hosts/part-hosts.parquet")).unwrap(),
        "missing",
        "hosts/part-hosts.parquet: this file is missing; _tables/hosts.json names it: resolve the redirects again",
    ),
    (
        "a deleted table of the options",
        |root| fs::remove_file(root.join("dialects/part-dialects.parquet")).unwrap(),
        "missing",
        "dialects/part-dialects.parquet",
    ),
    (
        "deleted lists of inputs",
        |root| fs::remove_dir_all(root.join("_inputs")).unwrap(),
        "missing",
        "expected a list that names the archive 0.warc.gz",
    ),
    (
        "an edited option",
        |root| {
            let path = root.join("_dataset.json");
            let text = fs::read_to_string(&path).unwrap();
            let edited = text.replace("\"max_body\": \"8388608\"", "\"max_body\": \"100\"");
            assert_ne!(text, edited);
            fs::write(path, edited).unwrap();
        },
        "altered",
        "_dataset.json: expected the options with the digest",
    ),
    (
        "an edited list of agents",
        |root| {
            let path = root.join("_lists.json");
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains("GPTBot"));
            fs::write(path, text.replace("GPTBot", "GPTXot")).unwrap();
        },
        "altered",
        "_lists.json: expected the lists of which _dataset.json has the digests, but that of agents",
    ),
    (
        "a file that is gone from its folder and its manifest",
        |root| {
            fs::remove_file(root.join(file(root, "errors", "2"))).unwrap();
            edit_manifest(root, "2", None, |part| {
                let files = part["files"].as_array_mut().unwrap();
                files.retain(|file| file["table"] != "errors");
            });
        },
        "missing",
        "expected a file of the table errors, as of the other tables of this part, but the manifest names 0",
    ),
    (
        "numbers that do not add up",
        |root| {
            let path = root.join(file(root, "_manifest", "0"));
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replace("\"captures\": 40", "\"captures\": 41")).unwrap();
        },
        "accounting",
        "expected the archives of the manifest",
    ),
];

#[test]
fn every_damage_is_found_and_named_with_its_file() {
    let dir = Dir::new();
    let whole = census(&dir);
    let sound = verified(&whole).succeed().stdout;
    assert_begins(&sound, "verified: parts 3, archives 3, files 47, bytes ");
    for (name, damage, kind, says) in DAMAGES {
        let folder = dir.path("damaged");
        copy(&whole, &folder);
        damage(&folder);
        let ran = verified(&folder).end_with(1);
        assert!(ran.stdout.contains(says), "{name}: {}", ran.stdout);
        assert!(!ran.stdout.contains("verified"), "{name}: {}", ran.stdout);
        let json = verified(&folder).words(&["--json"]).end_with(1).stdout;
        let json: Value = serde_json::from_str(&json).unwrap();
        let findings = json["findings"].as_array().unwrap();
        assert_eq!(findings.len(), ran.stdout.lines().count(), "{name}");
        assert!(
            findings.iter().any(|finding| finding["kind"] == kind),
            "{name}: {json:#}"
        );
        assert_eq!(json["is_sound"], false);
        fs::remove_dir_all(folder).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(path, target).unwrap();
        }
    }
}

#[test]
fn what_is_not_read_yet_is_named() {
    let dir = Dir::new();
    let folder = census(&dir);
    let path = file(&folder, "_manifest", "2");
    fs::remove_file(folder.join(path)).unwrap();
    for table in robocensus::dataset::table::PART_TABLES {
        fs::remove_file(folder.join(file(&folder, table.name, "2"))).unwrap();
    }
    let said = verified(&folder).end_with(1).stdout;
    for says in [
        "_inputs: 1 of 3 archives are in no part, the first of them 2.warc.gz; resume the run to read them",
        ".json: no run has made this part, which begins with the archive 2.warc.gz and has 1 in all; run its shard",
        "_tables/redirects.json: the table redirects was built from 2 of 2 parts and from 1 that are not there",
        "_tables/hosts.json: the table hosts was built from 2 of 2 parts and from 1 that are not there",
    ] {
        assert!(said.contains(says), "{said}");
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
