//! The public API as a list, so that a change of it is seen in a review.
//!
//! The list is `tests/public-api.txt`: what rustdoc documents, with the default features, as the
//! crate `public-api` reads it. `UPDATE_PUBLIC_API=1 cargo test --locked --test tests public_api`
//! rewrites it.

use std::{collections::BTreeSet, env, fs, path::Path, process::Command};

use public_api::{Builder, PublicApi};

use crate::util::{is_ci, or_skip, package};

/// The most documented items: each is a promise to users.
const MOST_DOCUMENTED: usize = 255;
/// The most items with those that are hidden, which only the program, benchmarks and tests of this
/// package use.
const MOST_REACHABLE: usize = 820;

/// Reads what rustdoc documents, with these options; with nothing that `derive` writes if it is
/// for counting. Where rustdoc writes JSON of another version than the crate reads, the test is
/// skipped with a line that says so, but fails with `CI=true`.
fn api(options: &str, is_for_counting: bool) -> Option<PublicApi> {
    let flags = format!("-Z unstable-options --output-format json {options}");
    let output = Command::new(env!("CARGO"))
        .current_dir(package())
        .args(["doc", "--locked", "--no-deps", "--workspace"])
        .env("RUSTDOC", package().join("tests/testdata/rustdoc.sh"))
        .env("RUSTDOCFLAGS", flags)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let api = Builder::from_rustdoc_json(target.join("doc/robocensus.json"))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(is_for_counting)
        .build();
    assert!(api.is_ok() || !is_ci(), "{api:?}");
    api.inspect_err(|error| eprintln!("skipped: the JSON of this rustdoc: {error}"))
        .ok()
}

/// Counts modules, types, traits, functions, constants and re-exports, not fields and variants.
fn n_items(api: &PublicApi) -> usize {
    let kinds = [
        "const", "enum", "fn", "mod", "struct", "trait", "type", "use",
    ];
    let is_item = |line: &String| line.split(' ').any(|word| kinds.contains(&word));
    api.items().map(ToString::to_string).filter(is_item).count()
}

#[test]
fn the_public_api_is_listed_and_small() {
    let n_reachable = n_items(&or_skip!(api("--document-hidden-items", true)));
    let n_documented = n_items(&or_skip!(api("", true)));
    println!("{n_documented} documented items, {n_reachable} with hidden ones");
    assert!((60..=MOST_DOCUMENTED).contains(&n_documented));
    assert!((n_documented + 1..=MOST_REACHABLE).contains(&n_reachable));

    let listing = or_skip!(api("", false)).to_string();
    let path = package().join("tests/public-api.txt");
    if env::var_os("UPDATE_PUBLIC_API").is_some() {
        fs::write(&path, &listing).unwrap();
    }
    let listed = fs::read_to_string(&path).unwrap();
    let [listing, listed]: [BTreeSet<&str>; 2] =
        [&listing, &listed].map(|text| text.lines().collect());
    let added: Vec<_> = listing.difference(&listed).collect();
    let removed: Vec<_> = listed.difference(&listing).collect();
    assert!(
        added.is_empty() && removed.is_empty(),
        "the public API differs from tests/public-api.txt, added: {added:#?}, removed: {removed:#?}\n\
         If that is meant: UPDATE_PUBLIC_API=1 cargo test --locked --test tests public_api"
    );
}
