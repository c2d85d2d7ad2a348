//! The table of `parsers/`, of which `make parsers` makes a page.

use std::collections::BTreeSet;

use crate::util::package;

/// The ways in which `parsers/compare.py` installs a parser.
const INSTALLS: [&str; 5] = ["pip", "npm", "cargo", "Debian", "none"];

#[test]
fn the_table_of_parsers_has_pinned_versions_and_adapters_that_are_there() {
    let root = package().join("parsers");
    let text = std::fs::read_to_string(root.join("parsers.tsv")).unwrap();
    let lock = std::fs::read_to_string(root.join("rust/Cargo.lock")).unwrap();
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let head = ["name", "version", "language", "install", "command"];
    assert_eq!(lines.next().unwrap(), head);
    let (mut parsers, mut languages) = (BTreeSet::new(), BTreeSet::new());
    let mut used = BTreeSet::new();
    for row in lines {
        let [name, version, language, install, command] = row[..] else {
            panic!("expected five columns, but found {row:?}");
        };
        assert!(parsers.insert((name, version)), "{name} {version} twice");
        languages.insert(language);
        let how = install.split(' ').next().unwrap();
        assert!(INSTALLS.contains(&how), "{name}: {install}");
        let is_pinned = version.starts_with(|c: char| c.is_ascii_digit());
        assert_eq!(is_pinned, how != "none", "{name}: {version}");
        let adapter = command.split(' ').next_back().unwrap();
        if how == "cargo" {
            let locked = format!("name = \"{name}\"\nversion = \"{version}\"\n");
            assert!(lock.contains(&locked), "{locked}");
            used.insert(root.join(format!("rust/src/bin/{name}.rs")));
        } else {
            used.insert(package().join(adapter));
        }
    }
    for adapter in &used {
        assert!(adapter.is_file(), "{}", adapter.display());
    }
    assert!(parsers.len() >= 12 && languages.len() >= 4);
    // No adapter is left without a row, but what they share, and that of this project's releases.
    for folder in ["node", "perl", "python", "ruby"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_shared = ["adapter", "robocensus_parser", "__pycache__"].contains(&name);
            assert!(is_shared || used.contains(&path), "{}", path.display());
        }
    }
}
