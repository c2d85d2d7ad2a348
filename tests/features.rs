//! What each feature brings in.

use std::process::Command;

use crate::util::package;

/// Packages that read archives and pages, write tables, or belong to the program.
const HEAVY: [&str; 15] = [
    "anyhow",
    "arrow-array",
    "arrow-schema",
    "brotli-decompressor",
    "clap",
    "encoding_rs",
    "flate2",
    "html5gum",
    "indicatif",
    "libdeflate-sys",
    "maud",
    "parquet",
    "psl",
    "rayon",
    "zstd",
];

/// Returns the names of the packages that the library links with `features`.
fn linked(features: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(package())
        .args(["tree", "--locked", "--prefix=none", "--edges=normal"])
        .arg("--no-default-features")
        .args(features)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn without_features_nothing_of_archives_and_tables_is_linked() {
    let core = linked(&[]);
    assert_eq!(core[0], "robocensus");
    assert!(core.iter().any(|name| name == "memchr"), "{core:?}");
    let heavy = |name: &&String| {
        HEAVY.contains(&name.as_str())
            || ["arrow", "zstd", "rayon", "clap"]
                .iter()
                .any(|family| name.starts_with(family))
    };
    let found: Vec<_> = core.iter().filter(heavy).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn each_feature_links_what_its_name_says() {
    for (feature, with, without) in [
        (
            "dataset",
            &["arrow-array", "parquet", "zstd", "rayon", "psl"][..],
            &["clap", "maud"][..],
        ),
        ("report", &["maud", "parquet"], &["clap"]),
        ("pages", &["encoding_rs", "html5gum"], &["parquet", "rayon"]),
        ("sample", &["flate2"], &["parquet", "rayon"]),
        ("cli", &HEAVY, &["resvg", "svg2pdf"]),
        ("chart-files", &["clap", "dejavu", "resvg", "svg2pdf"], &[]),
    ] {
        let names = linked(&["--features", feature]);
        for name in with {
            assert!(
                names.iter().any(|found| found == name),
                "{feature} lacks {name}"
            );
        }
        for name in without {
            assert!(
                !names.iter().any(|found| found == name),
                "{feature} links {name}"
            );
        }
    }
}
