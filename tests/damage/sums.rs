//! Bytes, records, captures and faults of an archive add up, whole or damaged.

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::OnceLock,
};

use robocensus::{
    Config, Progress,
    archive::capture::Skip,
    robots::{
        dialect::builtin,
        matrix::{Matrix, read_agents, read_urls},
    },
    sample::{self, random::Random},
};

use super::zstd_frame;
use crate::util::{
    Census, Held, files_below, gzip, lasting, package, response, response_with, shared,
};

const AGENTS: &str = "GPTBot\nCCBot\n*\n";
/// Two paths for all captures, and two URLs of one origin.
const URLS: &str = "/\n/x\nhttp://a.example/y\nhttp://a.example:80/z\n";

/// Returns a dataset of two dialects and several parts, of archives of which half are damaged.
pub fn mixed() -> &'static Census {
    static ONCE: OnceLock<Census> = OnceLock::new();
    ONCE.get_or_init(|| make_mixed(lasting("mixed").join("census")))
}

fn make_mixed(out: PathBuf) -> Census {
    let mut whole = Vec::new();
    let options = sample::Options {
        captures: 400,
        seed: 5,
    };
    sample::write(&options, &mut whole).unwrap();
    let cut = whole[..whole.len() * 2 / 3].to_vec();
    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle..middle + 50].fill(0xff);
    let garbage = [&whole[..], b"no member", &gzip(&three())].concat();
    let mut archives = vec![
        Held::new("a-whole.warc.gz", whole),
        Held::new("b-cut.warc.gz", cut),
        Held::new("c-damaged.warc.gz", damaged),
        Held::new("d-garbage.warc.gz", garbage),
        Held::new("e-plain.warc", three()),
        Held::new("f-empty.warc.gz", Vec::new()),
        Held::new("g-page.warc.gz", b"<html>not found</html>".to_vec()),
        Held::new("h-other-records.warc.gz", gzip(&other_records())),
        Held::new("j-damaged-response.warc", damaged_response()),
    ];
    for name in ["corrupt-member.warc.gz", "truncated-member.warc.gz"] {
        let path = package().join("data-sample/damaged").join(name);
        archives.push(Held::new(
            &format!("i-{name}"),
            std::fs::read(path).unwrap(),
        ));
    }
    let mut config = Config::new(&out);
    config.dialects = ["google", "rfc9309"]
        .map(|name| builtin(name).unwrap())
        .into();
    config.matrix = Matrix {
        agents: read_agents(AGENTS, &mut |_| {}).unwrap(),
        urls: read_urls(URLS).unwrap(),
    };
    config.part_bytes = 100_000;
    let archives: Vec<_> = archives.into_iter().map(Held::source).collect();
    let summary = robocensus::run(&config, &archives, &Progress::default()).unwrap();
    assert!(summary.parts > 3);
    assert!(summary.counts.archives_incomplete >= 5);
    Census(out)
}

/// Returns a dataset of all available archives: those of `data-sample/` and `../shared/quirks`, and
/// 300 with random damage.
fn everything() -> &'static Census {
    static ONCE: OnceLock<Census> = OnceLock::new();
    ONCE.get_or_init(|| {
        let mut archives = at_random();
        let folders = ["archives", "damaged"].map(|name| package().join("data-sample").join(name));
        for folder in folders.into_iter().chain(shared("quirks")) {
            let is_archive = |path: &PathBuf| {
                path.to_str()
                    .is_some_and(|path| path.contains(".warc") && !path.ends_with(".json"))
            };
            for path in files_below(&folder).into_iter().filter(is_archive) {
                let name = path.file_name().unwrap().to_str().unwrap();
                archives.push(Held::new(name, std::fs::read(&path).unwrap()));
            }
        }
        let out = lasting("everything").join("census");
        let mut config = Config::new(&out);
        config.matrix.agents = read_agents("*\n", &mut |_| {}).unwrap();
        let sizes: HashMap<_, _> = archives
            .iter()
            .map(|archive| (archive.name.clone(), archive.bytes.len() as i64))
            .collect();
        let archives: Vec<_> = archives.into_iter().map(Held::source).collect();
        robocensus::run(&config, &archives, &Progress::default()).unwrap();
        let table = Census(out).table("archives");
        for (name, bytes) in table
            .all_texts("warc_filename")
            .iter()
            .zip(table.all_ints("bytes"))
        {
            assert_eq!(bytes, sizes[name], "{name} is read to its end");
        }
        Census(lasting("everything").join("census"))
    })
}

/// Returns small archives in five framings with bytes inverted, truncated, inserted or deleted.
fn at_random() -> Vec<Held> {
    let records = [three(), other_records(), three()].concat();
    let members: Vec<_> = records.chunks(400).collect();
    let framings = [
        ("plain", records.clone()),
        ("member", gzip(&records)),
        (
            "blocks",
            members.iter().flat_map(|bytes| gzip(bytes)).collect(),
        ),
        ("frame", zstd_frame(&records)),
        (
            "frames",
            members.iter().flat_map(|bytes| zstd_frame(bytes)).collect(),
        ),
    ];
    let mut numbers = Random::new(11);
    let mut below = |bound: usize| numbers.below(bound);
    let damage_at_random = |round: usize| {
        let (name, bytes) = &framings[round % framings.len()];
        let mut bytes = bytes.clone();
        for _ in 0..=below(3) {
            let at = below(bytes.len());
            let end = (at + below(60)).min(bytes.len());
            match below(4) {
                0 => bytes[at..end].iter_mut().for_each(|byte| *byte = !*byte),
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.drain(at..end)),
                _ => drop(bytes.splice(at..at, (0..60_u8).map(|n| n.wrapping_mul(7)))),
            }
            if bytes.is_empty() {
                break;
            }
        }
        Held::new(&format!("random-{round:03}-{name}.warc"), bytes)
    };
    (0..300).map(damage_at_random).collect()
}

fn three() -> Vec<u8> {
    ["a", "b", "c"]
        .map(|host| {
            response(
                &format!("http://{host}.example/robots.txt"),
                "User-agent: *\nDisallow: /\n",
            )
        })
        .concat()
}

/// Returns a capture with a finding on its file and another on its response.
fn damaged_response() -> Vec<u8> {
    let coding = "Transfer-Encoding: chunked";
    let body = "ff\r\nUser-agent: *\nDisalow: /\n";
    response_with("http://odd.example/robots.txt", coding, body)
}

/// Returns one record of each kind that is not a capture.
fn other_records() -> Vec<u8> {
    let of_type = |kind: &str| {
        let text = String::from_utf8(response("http://a.example/robots.txt", "")).unwrap();
        text.replace("WARC-Type: response\r\n", kind).into_bytes()
    };
    let mut records = Vec::new();
    for kind in [
        "warcinfo",
        "request",
        "resource",
        "metadata",
        "revisit",
        "conversion",
        "continuation",
        "screenshot",
    ] {
        records.extend(of_type(&format!("WARC-Type: {kind}\r\n")));
    }
    records.extend(of_type(""));
    let text = String::from_utf8(response("http://a.example/robots.txt", "")).unwrap();
    let uri = "WARC-Target-URI: http://a.example/robots.txt\r\n";
    records.extend(text.replace(uri, "").into_bytes());
    records.extend(
        text.replace("application/http", "text/dns")
            .replace("HTTP/1.1", "20260102")
            .into_bytes(),
    );
    records.extend(response("no-url", ""));
    records.extend(response("http://a.example/page", ""));
    records
}

#[test]
fn bytes_of_members_and_bytes_skipped_are_the_bytes_of_the_file() {
    for census in [mixed(), everything()] {
        let archives = census.table("archives");
        let names = archives.all_texts("warc_filename");
        let [bytes, members, skipped] =
            ["bytes", "member_bytes", "bytes_skipped"].map(|column| archives.all_ints(column));
        for (row, name) in names.iter().enumerate() {
            assert_eq!(members[row] + skipped[row], bytes[row], "{name}");
        }
        let lost = names.iter().zip(&skipped).filter(|(_, bytes)| **bytes > 0);
        assert!(lost.count() >= 5, "{skipped:?}");
    }
}

#[test]
fn records_are_captures_or_skipped_for_a_reason_that_is_named() {
    for census in [mixed(), everything()] {
        let archives = census.table("archives");
        let skipped = census.skipped();
        let records = archives.all_ints("record_count").into_iter();
        let counts = records.zip(archives.all_ints("capture_count"));
        for (name, (records, captures)) in archives.all_texts("warc_filename").iter().zip(counts) {
            let of_archive = skipped.iter().filter(|((archive, _), _)| archive == name);
            let reasons: BTreeMap<_, _> = of_archive.map(|((_, reason), n)| (reason, n)).collect();
            assert_eq!(
                records,
                captures + reasons.values().copied().sum::<i64>(),
                "{name}"
            );
            if name.starts_with("h-") {
                let mut others = Skip::ALL
                    .iter()
                    .filter(|reason| ![Skip::Unreadable, Skip::OutsideCohort].contains(reason));
                assert!(
                    others.all(|reason| reasons[&reason.as_str().to_owned()] == &1),
                    "{reasons:?}"
                );
            }
        }
    }
}

#[test]
fn an_archive_is_as_many_captures_and_faults_as_its_row_says() {
    let census = mixed();
    let archives = census.table("archives");
    let names = archives.all_texts("warc_filename");
    for (table, column) in [
        ("captures", "capture_count"),
        ("archive_errors", "error_count"),
    ] {
        let mut rows: HashMap<String, i64> = HashMap::new();
        for name in census.table(table).all_texts("warc_filename") {
            *rows.entry(name).or_default() += 1;
        }
        for (name, said) in names.iter().zip(archives.all_ints(column)) {
            assert_eq!(rows.remove(name).unwrap_or_default(), said, "{name}");
        }
        assert!(
            rows.is_empty(),
            "{table} knows archives that archives does not: {rows:?}"
        );
    }
}

#[test]
fn bytes_skipped_are_those_of_the_faults() {
    for census in [mixed(), everything()] {
        assert_faults_sum_up(census);
    }
}

fn assert_faults_sum_up(census: &Census) {
    let errors = census.table("archive_errors");
    let mut of_faults: HashMap<String, i64> = HashMap::new();
    for (name, bytes) in errors
        .all_texts("warc_filename")
        .into_iter()
        .zip(errors.all_ints("bytes_skipped"))
    {
        *of_faults.entry(name).or_default() += bytes;
    }
    let archives = census.table("archives");
    for (name, bytes) in archives
        .all_texts("warc_filename")
        .iter()
        .zip(archives.all_ints("bytes_skipped"))
    {
        assert_eq!(
            of_faults.get(name).copied().unwrap_or_default(),
            bytes,
            "{name}"
        );
    }
}
