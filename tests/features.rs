//! What each feature brings in.

use std::process::Command;

use crate::util::package;

/// Packages that read archives and pages, write tables, or belong to the program.
const HEAVY: &str = "anyhow arrow-array arrow-schema brotli-decompressor clap encoding_rs flate2 html5gum indicatif \
    libdeflate-sys minijinja parquet psl rayon zstd";

/// Returns the names of the packages that the library links with a feature.
fn linked(feature: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(package())
        .args(["tree", "--locked", "--prefix=none", "--edges=normal"])
        .args(["--no-default-features", "--features", feature])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn each_feature_links_what_its_name_says() {
    for (feature, with, without) in [
        // The parser alone.
        ("", "robocensus memchr", &*format!("arrow {HEAVY}")),
        (
            "dataset",
            "arrow-array parquet zstd rayon psl",
            "clap minijinja",
        ),
        ("report", "minijinja parquet", "clap"),
        ("pages", "encoding_rs html5gum", "parquet rayon"),
        ("sample", "flate2", "parquet rayon"),
        ("cli", HEAVY, "resvg svg2pdf"),
        ("chart-files", "clap dejavu resvg svg2pdf", ""),
    ] {
        let names = linked(feature);
        for name in with.split(' ') {
            let is_linked = names.iter().any(|found| found == name);
            assert!(is_linked, "{feature:?} lacks {name}");
        }
        // A package and those that begin like it, such as `zstd-sys`.
        for family in without.split_whitespace() {
            let found = names.iter().find(|name| name.starts_with(family));
            assert_eq!(found, None, "{feature:?}");
        }
    }
}
