//! Checks of a dataset of damaged archives against what is known about each case. Rows are read
//! with the Parquet crate alone.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use serde_json::Value;

use super::{
    Case, Figures,
    archive::{EVIL, host, id_of},
    kinds::Report,
};
use crate::util::{Census, read_json};

/// The undamaged archive, sorted after all others.
pub const WHOLE: &str = "whole.warc.gz";

/// The tables with rows of captures.
const TABLES: [&str; 11] = [
    "captures",
    "groups",
    "agents",
    "rules",
    "directives",
    "signals",
    "comments",
    "errors",
    "response_errors",
    "verdicts",
    "policies",
];
/// Columns with the position of a capture in an archive.
const OFFSETS: [&str; 4] = [
    "capture_id",
    "warc_filename",
    "warc_record_offset",
    "warc_record_length",
];

/// The rows of a capture, by table.
type Rows = BTreeMap<&'static str, Vec<String>>;

/// A capture of the dataset.
struct Capture {
    host: String,
    digest: String,
    is_empty: bool,
    rows: Rows,
}

/// The rows of one archive.
#[derive(Default)]
struct Archive {
    numbers: BTreeMap<String, i64>,
    /// Records, by the reason for which they were skipped.
    skipped: BTreeMap<String, i64>,
    is_complete: bool,
    n_faults: i64,
    bytes_of_faults: i64,
    captures: Vec<Capture>,
}

pub fn judge(folder: &Path, cases: &[Case], code: i32, figures: &mut Figures) {
    let archives = read(&Census(folder.join("census")));
    let summary: Value = read_json(folder.join("summary.json"));
    let mut fail = |case: &Case, what: String| {
        figures.failures.push(format!("{what}: {}", case.told()));
    };
    let whole = &archives[WHOLE];
    let of_host: HashMap<_, _> = whole
        .captures
        .iter()
        .map(|c| (c.host.as_str(), c))
        .collect();
    for case in cases {
        let Some(archive) = archives.get(&case.file()) else {
            fail(case, "no row of archives".to_owned());
            continue;
        };
        for what in unequal_sums(archive, case.bytes.len()) {
            fail(case, what);
        }
        let has_faults = archive.n_faults > 0;
        match case.report {
            Report::Required if !has_faults => fail(case, "no fault is reported".to_owned()),
            Report::Forbidden if has_faults || !archive.is_complete => {
                fail(
                    case,
                    "a fault is reported of a well-formed archive".to_owned(),
                );
            }
            _ => {}
        }
        let mut survivors = Vec::new();
        for capture in &archive.captures {
            let id = id_of(&capture.host);
            match id {
                _ if capture.host == EVIL => fail(case, "a capture out of a body".to_owned()),
                None if !case.may_rename => fail(case, format!("a capture of {}", capture.host)),
                None => {}
                Some(id) if case.exempt.contains(&id) => {
                    let is_of_another = whole
                        .captures
                        .iter()
                        .any(|other| other.host != capture.host && other.digest == capture.digest);
                    if is_of_another && !capture.is_empty {
                        fail(
                            case,
                            format!("{} has the answer of another host", capture.host),
                        );
                    }
                }
                Some(id) => {
                    survivors.push(id);
                    let wanted = &of_host[capture.host.as_str()].rows;
                    for table in TABLES {
                        if capture.rows.get(table) != wanted.get(table) {
                            fail(case, format!("other rows of {} in {table}", capture.host));
                        }
                    }
                }
            }
        }
        if survivors != case.expected {
            let names =
                |ids: &[usize]| ids.iter().map(|&id| host(id)).collect::<Vec<_>>().join(" ");
            let (found, wanted) = (names(&survivors), names(&case.expected));
            fail(case, format!("expected {wanted}, but found {found}"));
        }
    }
    let first = &cases[0];
    let is_any_incomplete = archives.values().any(|archive| !archive.is_complete);
    if code != i32::from(is_any_incomplete) {
        fail(first, format!("exit code {code}"));
    }
    for what in unequal_to_summary(&archives, &summary) {
        fail(first, what);
    }
    figures.records += archives
        .values()
        .map(|archive| archive.numbers["record_count"])
        .sum::<i64>() as usize;
    figures.faults += archives
        .values()
        .map(|archive| archive.n_faults)
        .sum::<i64>();
}

/// Returns which sums over the archives of a dataset are not equal.
pub fn unequal_sums_of(census: &Census) -> Vec<String> {
    let archives = read(census).into_iter();
    let unequal = archives.flat_map(|(name, archive)| {
        let length = usize::try_from(archive.numbers["bytes"]).unwrap();
        let unequal = unequal_sums(&archive, length).into_iter();
        unequal.map(move |what| format!("{name}: {what}"))
    });
    unequal.collect()
}

/// Returns which sums over an archive are not equal.
fn unequal_sums(archive: &Archive, length: usize) -> Vec<String> {
    let number = |name: &str| archive.numbers[name];
    let skipped: i64 = archive.skipped.values().sum();
    let n_captures = archive.captures.len() as i64;
    let sums = [
        ("bytes", number("bytes"), length as i64),
        (
            "bytes of members and skipped",
            number("member_bytes") + number("bytes_skipped"),
            length as i64,
        ),
        (
            "bytes skipped by faults",
            archive.bytes_of_faults,
            number("bytes_skipped"),
        ),
        ("faults", archive.n_faults, number("error_count")),
        ("captures", n_captures, number("capture_count")),
        (
            "captures and skipped records",
            n_captures + skipped,
            number("record_count"),
        ),
    ];
    let unequal = sums.into_iter().filter(|(_, one, other)| one != other);
    unequal
        .map(|(what, one, other)| format!("{what}: {one} and {other}"))
        .collect()
}

/// Returns which sums over the dataset the summary does not have.
fn unequal_to_summary(archives: &HashMap<String, Archive>, summary: &Value) -> Vec<String> {
    let sum = |name: &str| {
        archives
            .values()
            .map(|archive| archive.numbers[name])
            .sum::<i64>()
    };
    let mut sums = vec![
        (
            "archives".to_owned(),
            archives.len() as i64,
            &summary["archives"],
        ),
        (
            "records".to_owned(),
            sum("record_count"),
            &summary["records"],
        ),
        (
            "captures".to_owned(),
            sum("capture_count"),
            &summary["captures"],
        ),
        ("bytes_in".to_owned(), sum("bytes"), &summary["bytes_in"]),
        (
            "bytes_skipped".to_owned(),
            sum("bytes_skipped"),
            &summary["bytes_skipped"],
        ),
    ];
    let mut skipped: BTreeMap<&String, i64> = BTreeMap::new();
    for (reason, n) in archives.values().flat_map(|archive| &archive.skipped) {
        *skipped.entry(reason).or_default() += n;
    }
    for (&reason, n) in &skipped {
        sums.push((reason.clone(), *n, &summary["records_skipped"][reason]));
    }
    for (table, key) in [
        ("groups", "groups"),
        ("agents", "agent_lines"),
        ("rules", "rules"),
        ("directives", "directives"),
        ("errors", "errors"),
        ("response_errors", "response_errors"),
        ("verdicts", "verdicts"),
    ] {
        let captures = archives.values().flat_map(|archive| &archive.captures);
        let rows = captures.map(|capture| capture.rows.get(table).map_or(0, Vec::len));
        sums.push((table.to_owned(), rows.sum::<usize>() as i64, &summary[key]));
    }
    for (key, whole) in [
        ("captures_by_status", "captures"),
        ("captures_by_access", "captures"),
        ("errors_by_code", "errors"),
        ("response_errors_by_code", "response_errors"),
    ] {
        let parts = summary[key].as_object().unwrap().values();
        let parts = parts.map(|n| n.as_i64().unwrap()).sum();
        sums.push((key.to_owned(), parts, &summary[whole]));
    }
    let unequal = sums
        .into_iter()
        .filter(|(_, n, said)| said.as_i64().unwrap_or_default() != *n);
    unequal
        .map(|(what, n, said)| format!("{what}: {n} in the tables, {said} in the summary"))
        .collect()
}

/// Reads the dataset.
fn read(census: &Census) -> HashMap<String, Archive> {
    let mut archives: HashMap<String, Archive> = HashMap::new();
    let table = census.table("archives");
    let names = table.all_texts("warc_filename");
    let is_complete = table.all_bools("is_complete");
    let is_number = |name: &&String| {
        let ends = ["_count", "_bytes"].iter().any(|end| name.ends_with(end));
        let is_of_index = *name == "range_count";
        ends && !is_of_index || ["bytes", "bytes_skipped"].contains(&name.as_str())
    };
    for column in table.names().iter().filter(is_number) {
        for (name, n) in names.iter().zip(table.all_ints(column)) {
            archives
                .entry(name.clone())
                .or_default()
                .numbers
                .insert(column.clone(), n);
        }
    }
    for (name, is_complete) in names.iter().zip(is_complete) {
        archives.get_mut(name).unwrap().is_complete = is_complete;
    }
    for ((name, reason), n) in census.skipped() {
        let archive = archives.get_mut(&name).unwrap();
        archive.skipped.insert(reason, n);
    }
    let faults = census.table("archive_errors");
    for (name, bytes) in faults.rows::<(String, i64)>("warc_filename bytes_skipped") {
        let archive = archives.get_mut(&name).unwrap();
        archive.n_faults += 1;
        archive.bytes_of_faults += bytes;
    }
    let mut rows: HashMap<i64, Rows> = HashMap::new();
    for name in TABLES {
        let table = census.table(name);
        let ids = table.all_ints("capture_id").into_iter();
        for (id, row) in ids.zip(table.rows_without(&OFFSETS)) {
            let of_capture = rows.entry(id).or_default();
            of_capture.entry(name).or_default().push(row);
        }
    }
    let columns = "capture_id warc_filename url_host_name content_digest content_length";
    let mut captures: Vec<(i64, String, _, _, i64)> = census.table("captures").rows(columns);
    captures.sort_by_key(|(id, ..)| *id);
    for (id, name, host, digest, length) in captures {
        archives.get_mut(&name).unwrap().captures.push(Capture {
            host,
            digest,
            is_empty: length == 0,
            rows: rows.remove(&id).unwrap(),
        });
    }
    archives
}
