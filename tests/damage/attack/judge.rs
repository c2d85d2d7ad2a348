//! Checks of a dataset of damaged archives against what is known about each case. Rows are read
//! with the Parquet crate alone.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use super::{
    Case, Figures,
    archive::{EVIL, host, id_of},
    kinds::Report,
};
use crate::util::Census;

/// The undamaged archive, sorted after all others.
pub const WHOLE: &str = "whole.warc.gz";

/// The tables with rows of captures.
const TABLES: &str = "captures groups agents rules directives signals comments errors \
                      response_errors verdicts policies";
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
struct Archive {
    /// The columns that [`NUMBERS`] names.
    numbers: HashMap<&'static str, i64>,
    /// Records that were skipped.
    skipped: i64,
    is_complete: bool,
    n_faults: i64,
    bytes_of_faults: i64,
    captures: Vec<Capture>,
}

/// The columns of `archives` that are added up.
const NUMBERS: &str = "bytes member_bytes bytes_skipped record_count capture_count error_count";

pub fn judge(folder: &Path, cases: &[Case], code: i32, figures: &mut Figures) {
    let archives = read(&Census(folder.join("census")));
    let whole = &archives[WHOLE].captures;
    let mut fail = |case: &Case, unequal: Vec<String>| {
        let told = unequal.into_iter();
        let told = told.map(|what| format!("{what}: {}", case.told()));
        figures.failures.extend(told);
    };
    for case in cases {
        match archives.get(&case.file()) {
            Some(archive) => fail(case, unequal_to_case(archive, case, whole)),
            None => fail(case, vec!["no row of archives".to_owned()]),
        }
    }
    let is_any_incomplete = archives.values().any(|archive| !archive.is_complete);
    if code != i32::from(is_any_incomplete) {
        fail(&cases[0], vec![format!("exit code {code}")]);
    }
    let n_faults = archives.values().map(|archive| archive.n_faults);
    figures.faults += n_faults.sum::<i64>();
}

/// Returns in what an archive is not as its case says; `whole` has the captures of the undamaged
/// one.
fn unequal_to_case(archive: &Archive, case: &Case, whole: &[Capture]) -> Vec<String> {
    let mut unequal = unequal_sums(archive, case.bytes.len());
    let mut fail = |what: String| unequal.push(what);
    let has_faults = archive.n_faults > 0;
    match case.report {
        Report::Required if !has_faults => fail("no fault is reported".to_owned()),
        Report::Forbidden if has_faults || !archive.is_complete => {
            fail("a fault is reported of a well-formed archive".to_owned());
        }
        _ => {}
    }
    let mut survivors = Vec::new();
    for capture in &archive.captures {
        let host = &capture.host;
        match id_of(host) {
            _ if host == EVIL => fail("a capture out of a body".to_owned()),
            None if !case.may_rename => fail(format!("a capture of {host}")),
            None => {}
            Some(id) if case.exempt.contains(&id) => {
                let mut others = whole.iter().filter(|other| other.host != *host);
                let is_of_another = others.any(|other| other.digest == capture.digest);
                if is_of_another && !capture.is_empty {
                    fail(format!("{host} has the answer of another host"));
                }
            }
            Some(id) => {
                survivors.push(id);
                let wanted = whole.iter().find(|wanted| wanted.host == *host).unwrap();
                for table in TABLES.split(' ') {
                    if capture.rows.get(table) != wanted.rows.get(table) {
                        fail(format!("other rows of {host} in {table}"));
                    }
                }
            }
        }
    }
    if survivors != case.expected {
        let names = |ids: &[usize]| ids.iter().map(|&id| host(id)).collect::<Vec<_>>().join(" ");
        let (found, wanted) = (names(&survivors), names(&case.expected));
        fail(format!("expected {wanted}, but found {found}"));
    }
    unequal
}

/// Returns which sums over an archive are not equal.
fn unequal_sums(archive: &Archive, length: usize) -> Vec<String> {
    let number = |name: &str| archive.numbers[name];
    let (length, bytes_skipped) = (length as i64, number("bytes_skipped"));
    let n_captures = archive.captures.len() as i64;
    let sums = [
        ("bytes", number("bytes"), length),
        (
            "sum of bytes",
            number("member_bytes") + bytes_skipped,
            length,
        ),
        ("bytes of faults", archive.bytes_of_faults, bytes_skipped),
        ("faults", archive.n_faults, number("error_count")),
        ("captures", n_captures, number("capture_count")),
        (
            "records",
            n_captures + archive.skipped,
            number("record_count"),
        ),
    ];
    let unequal = sums.into_iter().filter(|(_, one, other)| one != other);
    let told = unequal.map(|(what, one, other)| format!("{what}: {one} and {other}"));
    told.collect()
}

/// Reads the dataset.
fn read(census: &Census) -> HashMap<String, Archive> {
    let mut archives: HashMap<String, Archive> = HashMap::new();
    let table = census.table("archives");
    let names = table.all_texts("warc_filename");
    let numbers = table.rows::<Vec<i64>>(NUMBERS);
    let is_complete = table.all_bools("is_complete");
    for ((name, numbers), is_complete) in names.into_iter().zip(numbers).zip(is_complete) {
        let archive = Archive {
            numbers: NUMBERS.split(' ').zip(numbers).collect(),
            skipped: 0,
            is_complete,
            n_faults: 0,
            bytes_of_faults: 0,
            captures: Vec::new(),
        };
        archives.insert(name, archive);
    }
    for ((name, _), n) in census.skipped() {
        archives.get_mut(&name).unwrap().skipped += n;
    }
    let faults = census.table("archive_errors");
    for (name, bytes) in faults.rows::<(String, i64)>("warc_filename bytes_skipped") {
        let archive = archives.get_mut(&name).unwrap();
        archive.n_faults += 1;
        archive.bytes_of_faults += bytes;
    }
    let mut rows: HashMap<i64, Rows> = HashMap::new();
    for name in TABLES.split(' ') {
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
