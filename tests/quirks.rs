//! Archives that are odd or damaged in one way each: whatever is whole comes out, whatever is lost is said.

use std::{collections::BTreeSet, fs, path::Path};

use robocensus::Summary;

use crate::util::{Census, Dir, Held, run_alone, shared};

/// An archive that cannot be read at all yet: zstd is no packing that the reader knows, so it must be refused by name like anything that is no
/// archive.
const UNSUPPORTED: &str = "34-per-record.warc.zst";

struct Read {
    census: Census,
    summary: Summary,
    _dir: Dir,
}

impl Read {
    fn of(path: &Path) -> Self {
        let dir = Dir::new();
        let name = path.file_name().unwrap().to_str().unwrap();
        let out = dir.path("census");
        let summary = run_alone(Held::new(name, fs::read(path).unwrap()), &out);
        Self {
            census: Census(out),
            summary,
            _dir: dir,
        }
    }

    /// Returns the first labels of the hosts whose captures came out.
    fn hosts(&self) -> BTreeSet<String> {
        let hosts = self.census.table("captures").all_texts("url_host_name");
        hosts
            .into_iter()
            .map(|host| host.split('.').next().unwrap().to_owned())
            .collect()
    }

    fn codes(&self) -> Vec<String> {
        self.census.table("archive_errors").all_texts("code")
    }
}

#[test]
fn hosts_that_are_whole_come_out_and_damage_is_reported() {
    let Some(folder) = shared("quirks") else {
        return;
    };
    let expected = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<_> = line.split('\t').collect();
        let [name, hosts, error, ..] = cells[..] else {
            panic!("{line}")
        };
        if name == UNSUPPORTED {
            continue;
        }
        let read = Read::of(&folder.join(name));
        let found = read.hosts();
        let is_missing = |host: &char| !found.contains(&host.to_string());
        let missing: String = hosts.chars().filter(is_missing).collect();
        let codes = read.codes();
        let is_error_right = match error {
            "yes" => !codes.is_empty(),
            "no" => codes.is_empty(),
            _ => true,
        };
        if !missing.is_empty() || !is_error_right {
            wrong.push(format!(
                "{name}: without {missing:?}, {codes:?} where errors: {error}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_archive_of_the_folder_has_an_expectation() {
    let Some(folder) = shared("quirks") else {
        return;
    };
    let expected = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let named: BTreeSet<_> = expected
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .collect();
    let there: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".warc"))
        .collect();
    assert_eq!(named, there);
}

#[test]
fn a_packing_that_is_not_read_is_refused_by_name() {
    let Some(path) = shared(&format!("quirks/{UNSUPPORTED}")) else {
        return;
    };
    let read = Read::of(&path);
    assert_eq!(read.codes(), ["not_an_archive"]);
    assert!(read.census.table("archive_errors").all_texts("message")[0].contains("Zstandard"));
    assert_eq!(read.summary.given_up[0].name, UNSUPPORTED);
}

#[test]
fn records_of_other_kinds_are_counted_by_name() {
    for (name, column, n) in [
        ("17-revisit.warc.gz", "skipped_revisit", 2),
        (
            "18-resource-metadata-conversion.warc.gz",
            "skipped_resource",
            1,
        ),
        (
            "18-resource-metadata-conversion.warc.gz",
            "skipped_metadata",
            1,
        ),
        (
            "18-resource-metadata-conversion.warc.gz",
            "skipped_conversion",
            1,
        ),
        ("25-uri-missing.warc.gz", "skipped_no_target_uri", 1),
        ("27-missing-type.warc.gz", "skipped_no_type", 1),
        ("33-long-header-1MB.warc.gz", "skipped_unreadable", 1),
    ] {
        let Some(path) = shared(&format!("quirks/{name}")) else {
            return;
        };
        let archives = Read::of(&path).census.table("archives");
        assert_eq!(archives.all_ints(column), [n], "{name}: {column}");
    }
}

#[test]
fn a_member_that_is_not_what_its_crc_says_gives_no_rows() {
    for name in [
        "12-bad-crc-middle.warc.gz",
        "12-corrupt-middle-member.warc.gz",
        "11-truncated-in-trailer.warc.gz",
    ] {
        let Some(path) = shared(&format!("quirks/{name}")) else {
            return;
        };
        let read = Read::of(&path);
        let spoilt = if name.starts_with("12") { "b" } else { "c" };
        assert!(!read.hosts().contains(spoilt), "{name}");
        assert!(
            read.census.table("archives").sum("bytes_skipped") > 0,
            "{name}"
        );
        assert_eq!(read.summary.counts.archives_incomplete, 1, "{name}");
    }
}

#[test]
fn bytes_that_belong_to_no_member_are_counted() {
    for name in [
        "12-garbage-between-members.warc.gz",
        "13-trailing-garbage.warc.gz",
    ] {
        let Some(path) = shared(&format!("quirks/{name}")) else {
            return;
        };
        let read = Read::of(&path);
        assert_eq!(read.codes(), ["garbage"], "{name}");
        let archives = read.census.table("archives");
        let excess = fs::metadata(&path).unwrap().len() as i64 - archives.sum("member_bytes");
        assert!(excess > 0, "{name}");
        assert_eq!(archives.sum("bytes_skipped"), excess, "{name}");
    }
}

#[test]
fn a_capture_that_is_cut_short_is_flagged() {
    let Some(path) = shared("quirks/02-cl-too-small.warc.gz") else {
        return;
    };
    let captures = Read::of(&path).census.table("captures");
    for (host, truncated) in captures
        .all_texts("url_host_name")
        .iter()
        .zip(captures.texts("content_truncated"))
    {
        assert_eq!(truncated.is_some(), host == "b.example", "{host}");
    }
}

#[test]
fn a_status_line_that_cannot_be_read_is_no_status() {
    for (name, status) in [
        ("21-status-no-code.warc.gz", None),
        ("21-status-http2.0.warc.gz", Some(200)),
        ("21-status-no-reason.warc.gz", Some(200)),
        ("21-status-two-spaces.warc.gz", Some(200)),
        ("21-http-lf-only.warc.gz", Some(200)),
    ] {
        let Some(path) = shared(&format!("quirks/{name}")) else {
            return;
        };
        let captures = Read::of(&path).census.table("captures");
        let hosts = captures.all_texts("url_host_name");
        let b = hosts.iter().position(|host| host == "b.example").unwrap();
        assert_eq!(captures.ints("fetch_status")[b], status, "{name}");
    }
}

#[test]
fn bodies_come_out_of_their_codings_as_they_went_in() {
    let Some(plain) = shared("quirks/00-good.warc.gz") else {
        return;
    };
    let digests = |path: &Path| {
        let captures = Read::of(path).census.table("captures");
        let hosts = captures.all_texts("url_host_name");
        hosts
            .into_iter()
            .zip(captures.all_texts("content_digest"))
            .collect::<Vec<_>>()
    };
    let wanted = digests(&plain);
    for coding in [
        "19-chunked-header-but-not-chunked",
        "20-ce-br",
        "20-ce-deflate-raw",
        "20-ce-deflate-zlib",
        "20-ce-gzip",
        "20-ce-gzip-not-gzip",
        "20-ce-zstd",
        "20-x-crawler-ce",
    ] {
        let path = plain.with_file_name(format!("{coding}.warc.gz"));
        assert_eq!(digests(&path), wanted, "{coding}");
    }
}

#[test]
fn chunks_are_joined_and_what_they_lack_is_flagged() {
    for (name, patterns, truncated) in [
        ("19-chunked.warc.gz", &["/ab"][..], None),
        ("19-chunked-ext-truncated.warc.gz", &[], Some("decoding")),
    ] {
        let Some(path) = shared(&format!("quirks/{name}")) else {
            return;
        };
        let read = Read::of(&path);
        let of_b = |table: &str, column: &str| {
            let table = read.census.table(table);
            let hosts = table.all_texts("url_host_name").into_iter();
            let rows = hosts.zip(table.texts(column));
            let of_b = rows.filter(|(host, _)| host == "b.example");
            of_b.map(|(_, value)| value).collect::<Vec<_>>()
        };
        let patterns: Vec<_> = patterns
            .iter()
            .map(|pattern| Some((*pattern).to_owned()))
            .collect();
        assert_eq!(of_b("rules", "pattern"), patterns, "{name}");
        assert_eq!(
            of_b("captures", "content_truncated"),
            [truncated.map(str::to_owned)]
        );
    }
}
