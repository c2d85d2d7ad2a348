//! What each feature brings in.

use std::process::Command;

use crate::util::package;

/// Packages that read archives and pages, write tables, or belong to the program.
const HEAVY: &str = "anyhow arrow-array arrow-schema brotli-decompressor clap encoding_rs flate2 html5gum indicatif \
    libdeflate-sys maud parquet psl rayon zstd";

/// Returns the names of the packages that the library links with `features`.
fn linked(features: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(package())
        .args(["tree", "--locked", "--prefix=none", "--edges=normal"])
        .arg("--no-default-features")
        .args(features)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn without_features_nothing_of_archives_and_tables_is_linked() {
    let core = linked(&[]);
    assert_eq!(core[0], "robocensus");
    assert!(core.iter().any(|name| name == "memchr"), "{core:?}");
    let families = ["arrow", "zstd", "rayon", "clap"];
    let is_heavy = |name: &&String| {
        let is_of_family = families.iter().any(|family| name.starts_with(family));
        is_of_family || HEAVY.split(' ').any(|heavy| heavy == *name)
    };
    let found: Vec<_> = core.iter().filter(is_heavy).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn each_feature_links_what_its_name_says() {
    for (feature, with, without) in [
        ("dataset", "arrow-array parquet zstd rayon psl", "clap maud"),
        ("report", "maud parquet", "clap"),
        ("pages", "encoding_rs html5gum", "parquet rayon"),
        ("sample", "flate2", "parquet rayon"),
        ("cli", HEAVY, "resvg svg2pdf"),
        ("chart-files", "clap dejavu resvg svg2pdf", ""),
    ] {
        let names = linked(&["--features", feature]);
        let is_linked = |name: &str| names.iter().any(|found| found == name);
        for name in with.split(' ') {
            assert!(is_linked(name), "{feature} lacks {name}");
        }
        for name in without.split_whitespace() {
            assert!(!is_linked(name), "{feature} links {name}");
        }
    }
}
