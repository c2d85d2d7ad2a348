//! Incomplete and damaged responses in whole records, pages instead of a file, and the codes of the
//! tables `errors` and `response_errors`.

use std::collections::BTreeSet;

use robocensus::{
    Config, Progress,
    archive::{
        capture::ResponseCode,
        http::{Example, Finding},
    },
    dataset::run::VerdictForm,
    robots::{
        dialect::{AnomalyCode, FetchOutcome, NAMES, builtin},
        lines::MAX_LINES,
    },
};
use serde_json::Value;

use crate::util::{Census, Dir, Held, TestCommand, answer, gzip, lines};

/// A file that is cut inside its second line below; a part of it forbids nothing.
const FILE: &[u8] = b"User-agent: *\nDisallow: /\nDisallow: /abcdefghijklmnopqrstuvwxyz\n";

/// One response, with the fields of its record.
struct Response {
    status: &'static str,
    /// Fields of the WARC record, each with its line end.
    warc: &'static str,
    /// Fields of the response, each with its line end.
    fields: String,
    body: Vec<u8>,
    /// Bytes that the record's length claims beyond those that are there.
    missing: usize,
}

impl Response {
    fn new(fields: &str, body: impl AsRef<[u8]>) -> Self {
        Self {
            status: "200 OK",
            warc: "",
            fields: fields.to_owned(),
            body: body.as_ref().to_vec(),
            missing: 0,
        }
    }

    fn truncated(self, warc: &'static str) -> Self {
        Self { warc, ..self }
    }

    fn with_status(self, status: &'static str) -> Self {
        Self { status, ..self }
    }

    fn record(&self, number: usize) -> Vec<u8> {
        let head = format!("HTTP/1.1 {}\r\n{}\r\n", self.status, self.fields);
        record(
            number,
            self.warc,
            &[head.as_bytes(), &self.body].concat(),
            self.missing,
        )
    }
}

/// Returns a `response` record with this block.
fn record(number: usize, warc: &str, block: &[u8], missing: usize) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h{number}.example/robots.txt\r\n\
         WARC-Date: 2026-01-02T03:04:05Z\r\n{warc}Content-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n",
        block.len() + missing
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// Returns the dataset of an archive with one gzip member for each record.
fn census_of(dir: &Dir, records: &[Vec<u8>], change: impl FnOnce(&mut Config)) -> Census {
    let bytes = records.iter().flat_map(|record| gzip(record)).collect();
    let mut config = Config::new(dir.path("census"));
    change(&mut config);
    let archive = Held::new("a.warc.gz", bytes).source();
    robocensus::run(&config, &[archive], &Progress::default()).unwrap();
    Census(dir.path("census"))
}

/// Returns why the body of a response is incomplete, its access under a dialect, and its rules.
fn read_by(dialect: &str, response: &Response) -> (Option<String>, String, usize) {
    let dir = Dir::new();
    let census = census_of(&dir, &[response.record(0)], |config| {
        config.dialects = vec![builtin(dialect).unwrap()];
    });
    let captures = census.table("captures");
    assert_eq!(captures.n_rows(), 1);
    (
        captures.texts("content_truncated").remove(0),
        captures.all_texts("access").remove(0),
        census.table("rules").n_rows(),
    )
}

/// Asserts that a response is incomplete: each dialect treats it as unreachable, and no line
/// counts.
#[track_caller]
fn assert_unreachable(response: &Response, truncated: &str) {
    for dialect in NAMES {
        let access = builtin(dialect).unwrap().access.unreachable.as_str();
        let expected = (Some(truncated.to_owned()), access.to_owned(), 0);
        assert_eq!(read_by(dialect, response), expected, "{dialect}");
    }
}

/// Asserts that the lines of a response count, with `n_rules` rules among them.
#[track_caller]
fn assert_read(response: &Response, truncated: Option<&str>, n_rules: usize) {
    for dialect in ["google", "baidu", "google-legacy"] {
        let expected = (
            truncated.map(str::to_owned),
            "conditional".to_owned(),
            n_rules,
        );
        assert_eq!(read_by(dialect, response), expected, "{dialect}");
    }
}

const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";
const GZIPPED: &str = "Content-Encoding: gzip\r\n";
const BROTLI: &str = "Content-Encoding: br\r\n";
const ZSTD: &str = "Content-Encoding: zstd\r\n";

fn chunked(data: &[u8]) -> Vec<u8> {
    let chunks = data.chunks(19).map(|chunk| {
        let size = format!("{:x}\r\n", chunk.len());
        [size.as_bytes(), chunk, b"\r\n"].concat()
    });
    chunks.chain([b"0\r\n\r\n".to_vec()]).flatten().collect()
}

/// An uncompressed meta-block with a window of 64 KiB, and an empty last one (RFC 7932, 9.1, 9.2).
fn brotli(data: &[u8]) -> Vec<u8> {
    let header = (data.len() as u32 - 1) << 4 | 1 << 20;
    [&header.to_le_bytes()[..3], data, &[0b11]].concat()
}

fn zstd(data: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(data, 3).unwrap()
}

fn half(bytes: Vec<u8>) -> Vec<u8> {
    bytes[..bytes.len() / 2].to_vec()
}

#[test]
fn whole_bodies_are_read_whatever_their_coding() {
    assert_read(&Response::new("", FILE), None, 2);
    assert_read(&Response::new(CHUNKED, chunked(FILE)), None, 2);
    assert_read(&Response::new(GZIPPED, gzip(FILE)), None, 2);
    assert_read(&Response::new(BROTLI, brotli(FILE)), None, 2);
    assert_read(&Response::new(ZSTD, zstd(FILE)), None, 2);
}

#[test]
fn chunks_that_are_cut_are_unreachable() {
    let whole = chunked(FILE);
    for at in [5, whole.len() / 2, whole.len() - 6] {
        assert_unreachable(&Response::new(CHUNKED, &whole[..at]), "decoding");
    }
}

#[test]
fn a_file_cut_inside_a_rule_does_not_allow() {
    let body = b"16\r\nUser-agent: *\r\nDisallo";
    let dir = Dir::new();
    let response = Response::new(CHUNKED, body);
    let census = census_of(&dir, &[response.record(0)], |config| {
        config.verdicts = VerdictForm::Rows;
    });
    let verdicts = census.table("verdicts");
    assert!(verdicts.n_rows() > 0);
    assert!(
        verdicts
            .all_texts("verdict")
            .iter()
            .all(|verdict| verdict == "disallow")
    );
    assert!(
        verdicts
            .all_texts("basis")
            .iter()
            .all(|basis| basis == "access")
    );
    let forbidden = census.table("policies").all_texts("restriction");
    assert!(
        forbidden.iter().all(|restriction| restriction == "full"),
        "{forbidden:?}"
    );
}

#[test]
fn a_chunk_of_bad_size_is_unreachable() {
    let body = [&b"13\r\n"[..], &FILE[..19], b"\r\nxyz\r\n", &FILE[19..]].concat();
    assert_unreachable(&Response::new(CHUNKED, body), "decoding");
}

#[test]
fn a_body_without_chunks_under_that_name_is_read() {
    assert_read(&Response::new(CHUNKED, FILE), None, 2);
}

#[test]
fn gzip_with_a_wrong_crc_is_unreachable() {
    let mut body = gzip(FILE);
    let crc = body.len() - 8;
    body[crc] ^= 1;
    assert_unreachable(&Response::new(GZIPPED, &body), "decoding");
    assert_unreachable(&Response::new("", &body), "decoding");
}

#[test]
fn gzip_with_a_wrong_length_in_its_trailer_is_unreachable() {
    let mut body = gzip(FILE);
    let length = body.len() - 4;
    body[length] ^= 1;
    assert_unreachable(&Response::new(GZIPPED, &body), "decoding");
    assert_unreachable(&Response::new("", &body), "decoding");
}

#[test]
fn a_content_coding_that_is_cut_is_unreachable() {
    assert_unreachable(&Response::new(GZIPPED, half(gzip(FILE))), "decoding");
    assert_unreachable(&Response::new("", half(gzip(FILE))), "decoding");
    assert_unreachable(&Response::new(BROTLI, half(brotli(FILE))), "decoding");
    assert_unreachable(&Response::new(ZSTD, half(zstd(FILE))), "decoding");
    let deflated = &gzip(FILE)[10..40];
    assert_unreachable(
        &Response::new("Content-Encoding: deflate\r\n", deflated),
        "decoding",
    );
}

#[test]
fn a_coding_that_cannot_be_undone_is_unreachable() {
    let compressed = b"\x1f\x9d\x90U\xe6\x02";
    assert_unreachable(
        &Response::new("Content-Encoding: compress\r\n", compressed),
        "decoding",
    );
    // Too short to hold a byte that occurs in no text.
    let unknown = b"\x8b\xc2\x80ab\xd3\x9e\xfc\xe2\x91";
    assert_unreachable(
        &Response::new("Content-Encoding: foo\r\n", unknown),
        "decoding",
    );
    let no_gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\xff\xff\xff\xff";
    assert_unreachable(&Response::new(GZIPPED, no_gzip), "decoding");
}

#[test]
fn text_under_the_name_of_a_coding_is_read() {
    assert_read(&Response::new("Content-Encoding: utf-8\r\n", FILE), None, 2);
    let legacy = [&b"# caf\xe9\n"[..], FILE].concat();
    assert_read(
        &Response::new("Content-Encoding: latin1\r\n", legacy),
        None,
        2,
    );
    assert_read(&Response::new(GZIPPED, FILE), None, 2);
}

#[test]
fn what_a_crawler_cut_at_a_length_is_read() {
    let length = "WARC-Truncated: length\r\n";
    let part = |fields: &str, body: Vec<u8>| Response::new(fields, body).truncated(length);
    let start = FILE[..30].to_vec();
    assert_read(&part("", start.clone()), Some("length"), 1);
    assert_read(&part("Content-Length: 500\r\n", start), Some("length"), 1);
    let whole = chunked(FILE);
    assert_read(&part(CHUNKED, whole[..50].to_vec()), Some("length"), 2);
    let whole = brotli(FILE);
    assert_read(&part(BROTLI, whole[..50].to_vec()), Some("length"), 2);
    // A cut explains an early end, not a broken coding.
    let broken = [&b"13\r\n"[..], &FILE[..19], b"\r\nxyz\r\n"].concat();
    assert_unreachable(&part(CHUNKED, broken), "decoding");
}

#[test]
fn what_was_cut_for_any_other_reason_is_unreachable() {
    for (warc, name) in [
        ("WARC-Truncated: time\r\n", "time"),
        ("WARC-Truncated: disconnect\r\n", "disconnect"),
        ("WARC-Truncated: Unspecified\r\n", "unspecified"),
        ("WARC-Truncated: whatever\r\n", "unspecified"),
    ] {
        assert_unreachable(&Response::new("", FILE).truncated(warc), name);
    }
}

#[test]
fn a_record_that_the_end_of_the_archive_cuts_is_unreachable() {
    let response = Response {
        missing: 1_000,
        ..Response::new("", &FILE[..30])
    };
    assert_unreachable(&response, "record");
}

#[test]
fn a_body_shorter_than_its_length_is_unreachable_unless_a_coding_was_undone() {
    let length = format!("Content-Length: {}\r\n", FILE.len());
    assert_unreachable(&Response::new(&length, &FILE[..30]), "content_length");
    assert_unreachable(&Response::new(&length, b""), "content_length");
    assert_read(&Response::new(&length, FILE), None, 2);
    let undone = format!("{length}X-Crawler-Content-Encoding: gzip\r\n");
    assert_read(&Response::new(&undone, &FILE[..30]), None, 1);
    let longer = format!("Content-Length: {}\r\n", FILE.len() - 40);
    assert_read(&Response::new(&longer, FILE), None, 2);
}

#[test]
fn the_limit_of_the_run_is_no_cut() {
    for (fields, body) in [
        ("", FILE.to_vec()),
        (CHUNKED, chunked(FILE)),
        (GZIPPED, gzip(FILE)),
        (
            "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            chunked(&gzip(FILE)),
        ),
    ] {
        let dir = Dir::new();
        let response = Response::new(fields, body);
        let census = census_of(&dir, &[response.record(0)], |config| {
            config.limits.body = 30;
        });
        let captures = census.table("captures");
        assert_eq!(captures.all_texts("access"), ["conditional"], "{fields}");
        assert_eq!(
            captures.all_texts("content_truncated"),
            ["limit"],
            "{fields}"
        );
    }
    let dir = Dir::new();
    let census = census_of(&dir, &[Response::new("", FILE).record(0)], |config| {
        config.limits.block = 50;
    });
    let captures = census.table("captures");
    assert_eq!(captures.all_texts("access"), ["conditional"]);
    assert_eq!(captures.all_texts("content_truncated"), ["limit"]);
}

#[test]
fn a_status_other_than_2xx_needs_no_body() {
    let cut = |status| {
        Response::new(CHUNKED, b"fff\r\n<html>")
            .truncated("WARC-Truncated: disconnect\r\n")
            .with_status(status)
    };
    for (status, number) in [
        ("404 Not Found", 404),
        ("503 Busy", 503),
        ("301 Moved", 301),
    ] {
        for dialect in NAMES {
            let spec = builtin(dialect).unwrap();
            let access = spec.access.decide(FetchOutcome::Status(number));
            let (_, found, _) = read_by(dialect, &cut(status));
            assert_eq!(found, access.as_str(), "{dialect} {status}");
        }
    }
    assert_unreachable(&cut("206 Partial"), "disconnect");
}

#[test]
fn nothing_behind_an_unnamed_gzip_is_an_empty_file() {
    let dir = Dir::new();
    let census = census_of(&dir, &[Response::new("", gzip(b"")).record(0)], |_| {});
    let captures = census.table("captures");
    assert_eq!(captures.all_ints("content_length"), [0]);
    assert_eq!(captures.all_bools("is_empty"), [true]);
    assert_eq!(captures.all_texts("access"), ["conditional"]);
    assert_eq!(
        census.table("response_errors").all_texts("code"),
        ["http_coding_unnamed"]
    );
}

#[test]
fn a_page_is_one_for_the_captures_the_errors_and_the_lines() {
    let bodies = [
        ("<!DOCTYPE>\n<html>\n<p>a: b</p>", true),
        ("\u{feff}\u{feff}<!DOCTYPE html>\na: b\n", true),
        (
            &["\r\n".repeat(2_000), "<html>\na: b".to_owned()].concat(),
            true,
        ),
        ("x<html>\n<head>\na: b\n", true),
        ("<h3>a: b</h3>\n", true),
        ("<pre>User-agent: *\na: b\nDisallow: /\n</pre>", false),
        (
            "<!-- $Id: a $ -->\nUser-agent: *\na: b\nDisallow: /\n",
            false,
        ),
        ("<div>\nUser-agent: *\na: b\nDisallow: /\n", false),
    ];
    let records: Vec<_> = (0..)
        .zip(&bodies)
        .map(|(number, (body, _))| Response::new("", body).record(number))
        .collect();
    let dir = Dir::new();
    let census = census_of(&dir, &records, |_| {});
    let captures = census.table("captures");
    let is_html = captures.all_bools("is_html");
    assert_eq!(is_html, bodies.map(|(_, is_page)| is_page));
    let errors = census.table("errors");
    let ids = errors.all_ints("capture_id").into_iter();
    let pages: BTreeSet<_> = ids
        .zip(errors.all_texts("code"))
        .filter(|(_, code)| code == "html_body")
        .map(|(id, _)| id)
        .collect();
    let with_unknown_fields: BTreeSet<_> = census
        .table("directives")
        .all_ints("capture_id")
        .into_iter()
        .collect();
    let mimes = captures.all_texts("content_mime_detected");
    for (index, id) in captures.all_ints("capture_id").into_iter().enumerate() {
        assert_eq!(is_html[index], mimes[index] == "text/html", "{index}");
        assert_eq!(is_html[index], pages.contains(&id), "{index}");
        assert_ne!(is_html[index], with_unknown_fields.contains(&id), "{index}");
    }
}

#[test]
fn captures_have_the_address_and_the_name_of_the_server() {
    let two = Response {
        warc: "WARC-IP-Address: 2001:db8::1\r\n",
        ..Response::new("Server: nginx/1.18\r\nserver: other\r\n", FILE)
    };
    let long = format!("Server: {}\u{fc}\r\n", "x".repeat(63));
    let records = [two.record(0), Response::new(&long, FILE).record(1)];
    let dir = Dir::new();
    let captures = census_of(&dir, &records, |_| {}).table("captures");
    let texts = |column: &str| captures.texts(column);
    assert_eq!(texts("fetch_ip"), [Some("2001:db8::1".to_owned()), None]);
    let cut = format!("{}\u{fffd}", "x".repeat(63));
    assert_eq!(
        texts("fetch_server"),
        [Some("nginx/1.18".to_owned()), Some(cut)]
    );
}

#[test]
fn the_ranking_of_findings_has_those_on_lines_and_those_on_responses() {
    let plain = Response::new(GZIPPED, "User-agent: *\nDisalow: /\n");
    let dir = Dir::new();
    let census = census_of(&dir, &[plain.record(0)], |_| {});
    let errors = census.table("errors");
    assert_eq!(errors.all_texts("code"), ["misspelt_field"]);
    let captures = census.table("captures");
    for column in ["error_count", "response_error_count"] {
        assert_eq!(captures.all_ints(column), [1], "{column}");
    }
    let of_response = census.table("response_errors");
    let ids = captures.all_ints("capture_id");
    assert_eq!(of_response.all_ints("capture_id"), ids);
    assert_eq!(of_response.all_texts("url_host_name"), ["h0.example"]);
    let Some(ranked) = answer(&census.0, "rank-errors-by-hosts", &[]) else {
        return;
    };
    let columns = ["code", "hosts", "lines", "places", "example_text"];
    let sentence = Finding::CodingAbsent.sentence();
    assert_eq!(
        lines(&ranked, &columns),
        [
            format!("http_coding_absent 1 1 1 {sentence}"),
            "misspelt_field 1 1 1 Disalow".to_owned()
        ]
    );
}

#[test]
fn every_code_of_both_tables_of_findings_is_listed_with_a_sentence() {
    let mut records = Vec::new();
    let mut add = |block: &[u8], missing| records.push(record(records.len(), "", block, missing));
    let response = |body: &[u8]| [&b"HTTP/1.1 200 OK\r\n\r\n"[..], body].concat();
    for code in AnomalyCode::ALL {
        match code.example() {
            [] if *code == AnomalyCode::TooManyLines => {
                add(&response(&b"\n".repeat(MAX_LINES + 1)), 0);
            }
            [] => add(&response(&b"#".repeat(500_001)), 0),
            // Bytes of a coding that is undone never reach the lines; this stream is broken.
            body if *code == AnomalyCode::GzipBody => {
                add(&response(&[&body[..9], &b"\xff".repeat(9)].concat()), 0);
            }
            body => add(&response(body), 0),
        }
    }
    for code in ResponseCode::all() {
        match code.example() {
            Example::Response(block) => add(block, 0),
            Example::Words(_) if code.as_str() == Finding::HeadTooLong.code() => {
                let fields = "A: b\r\n".repeat(20_000);
                add(format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), 0);
            }
            Example::Words(_) if code.as_str() == Finding::OverLimit.code() => {
                add(&response(&b"#".repeat(600_001)), 0);
            }
            Example::Words(_) => add(&response(b""), 1_000),
        }
    }
    let dir = Dir::new();
    let census = census_of(&dir, &records, |config| config.limits.body = 600_000);
    let of_table = |name: &str| BTreeSet::<String>::from_iter(census.table(name).all_texts("code"));
    let (of_files, of_responses) = (of_table("errors"), of_table("response_errors"));
    let listed: Value =
        serde_json::from_str(&TestCommand::new(["errors", "--json"]).succeed().stdout).unwrap();
    let concerning = |what: &str| {
        let codes = listed.as_array().unwrap().iter();
        let codes = codes.filter(|code| code["concerns"] == what);
        BTreeSet::from_iter(codes.map(|code| code["code"].as_str().unwrap().to_owned()))
    };
    assert_eq!(concerning("file"), of_files);
    assert_eq!(concerning("response"), of_responses);
    assert!(of_files.is_disjoint(&of_responses));
    assert_eq!(of_responses.len(), 19);
}
