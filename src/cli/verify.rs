//! `robocensus verify`: whether the files of a dataset are as they were published.

use robocensus::{
    Progress,
    dataset::{
        publish::is_stale,
        verify::{Verified, verify},
    },
};
use serde_json::{Value, json};

use super::{
    args::VerifyArgs,
    escape::{print, print_json, print_message},
    hints::REPAIRS,
    query::refuse_comparison,
    template::rendered,
};

/// What is printed for people.
const TEXT: &str = include_str!("templates/verified.txt.j2");

/// Verifies, prints the violations and returns the exit code.
pub fn run(args: &VerifyArgs) -> anyhow::Result<u8> {
    refuse_comparison(
        &args.dataset,
        "has no manifests; the same archives and options give the same comparison again",
    )?;
    let verified = verify(&args.dataset, &Progress::default())?;
    if args.json {
        print_json(&in_json(&verified))?;
    } else {
        print(&in_text(&verified))?;
        if !verified.violations.is_empty() {
            print_message(&format!("note: {REPAIRS}"));
        }
    }
    if is_stale(&args.dataset)? {
        print_message(
            "note: the dataset has changed since it was published; robocensus publish describes it as it is",
        );
    }
    Ok(u8::from(!verified.violations.is_empty()))
}

fn in_text(verified: &Verified) -> String {
    let unfinished = [
        ("redirects", verified.has_redirects),
        ("hosts", verified.has_hosts),
        ("page_robots", verified.has_page_robots.unwrap_or(true)),
    ]
    .into_iter()
    .filter(|&(table, exists)| !exists && verified.tables.contains(table))
    .map(|(table, _)| table);
    let mut facts = in_json(verified);
    facts["unfinished"] = unfinished.collect();
    facts["tables"] = json!(verified.tables.names());
    rendered(TEXT, facts)
}

fn in_json(verified: &Verified) -> Value {
    let mut object = json!({
        "is_sound": verified.violations.is_empty(),
        "parts": verified.parts,
        "archives": verified.archives,
        "captures": verified.captures,
        "files": verified.files,
        "bytes": verified.bytes,
        "archives_digest": verified.archives_digest,
        "run_id": verified.run_id,
        "has_redirects": verified.has_redirects,
        "has_hosts": verified.has_hosts,
        "manifests": verified.manifests,
        "findings": verified.violations,
    });
    if let Some(has_page_robots) = verified.has_page_robots {
        object["has_page_robots"] = has_page_robots.into();
    }
    object
}
