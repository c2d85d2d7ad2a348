//! Incomplete and damaged responses in whole records, pages instead of a file, and the codes of the
//! tables `errors` and `response_errors`.

use robocensus::{
    archive::http::Finding,
    robots::dialect::{Dialect, FetchOutcome, NAMES},
};

use super::census_of;
use crate::{
    properties::{
        encode::zstd,
        http::{brotli, chunked},
    },
    util::{self, Dir, answer, gzip, lines, or_skip},
};

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
}

impl Response {
    fn new(fields: &str, body: impl AsRef<[u8]>) -> Self {
        Self {
            status: "200 OK",
            warc: "",
            fields: fields.to_owned(),
            body: body.as_ref().to_vec(),
        }
    }

    /// Returns it as a `response` record.
    fn record(&self, number: usize) -> Vec<u8> {
        let head = format!("HTTP/1.1 {}\r\n{}\r\n", self.status, self.fields);
        let lines = format!("WARC-Date: 2026-01-02T03:04:05Z\r\n{}", self.warc);
        let url = format!("http://h{number}.example/robots.txt");
        util::record(&url, &lines, [head.as_bytes(), &self.body].concat())
    }
}

/// What becomes of a response, in every dialect.
enum Fate {
    /// It is incomplete for this reason: it is as if it had not come, and no line counts.
    Unreachable(&'static str),
    /// So many rules count, though it may be incomplete.
    Read(Option<&'static str>, usize),
    /// Its status decides.
    Status(u16),
}

const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";
const GZIPPED: &str = "Content-Encoding: gzip\r\n";
const BROTLI: &str = "Content-Encoding: br\r\n";
const ZSTD: &str = "Content-Encoding: zstd\r\n";

fn half(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() / 2]
}

const READ: Fate = Fate::Read(None, 2);
const BROKEN: Fate = Fate::Unreachable("decoding");

/// Rows of the fields of a response, its body, the reason for which its record says that it is cut,
/// if it does, and the fate of the response.
macro_rules! cases {
    ($($fields:expr, $body:expr $(, $cut:literal)? => $fate:expr;)*) => {
        vec![$((
            Response {
                $(warc: concat!("WARC-Truncated: ", $cut, "\r\n"),)?
                ..Response::new($fields, $body)
            },
            $fate,
        )),*]
    };
}

/// Responses, each with its fate.
fn cases() -> Vec<(Response, Fate)> {
    let flipped = |from_the_end: usize| {
        let mut body = gzip(FILE);
        let at = body.len() - from_the_end;
        body[at] ^= 1;
        body
    };
    let (chunks, part) = (chunked(FILE), &FILE[..30]);
    let bad_chunk = [&b"13\r\n"[..], &FILE[..19], b"\r\nxyz\r\n"].concat();
    let length = format!("Content-Length: {}\r\n", FILE.len());
    let undone = format!("{length}X-Crawler-Content-Encoding: gzip\r\n");
    let mut cases = cases! {
        "", FILE => READ;
        CHUNKED, &chunks => READ;
        GZIPPED, gzip(FILE) => READ;
        BROTLI, brotli(FILE) => READ;
        ZSTD, zstd(FILE) => READ;
        // Text under the name of a coding or of a charset.
        CHUNKED, FILE => READ;
        GZIPPED, FILE => READ;
        "Content-Encoding: utf-8\r\n", FILE => READ;
        "Content-Encoding: latin1\r\n", [b"# caf\xe9\n", FILE].concat() => READ;
        &length, FILE => READ;
        // Longer than was stated, and shorter since a coding was undone.
        "Content-Length: 20\r\n", FILE => READ;
        &undone, part => Fate::Read(None, 1);
        CHUNKED, &chunks[..5] => BROKEN;
        CHUNKED, half(&chunks) => BROKEN;
        CHUNKED, &chunks[..chunks.len() - 6] => BROKEN;
        CHUNKED, [&bad_chunk, &FILE[19..]].concat() => BROKEN;
        // A wrong CRC and a wrong length, also where no field names the coding.
        GZIPPED, flipped(8) => BROKEN;
        "", flipped(8) => BROKEN;
        GZIPPED, flipped(4) => BROKEN;
        "", flipped(4) => BROKEN;
        GZIPPED, half(&gzip(FILE)) => BROKEN;
        "", half(&gzip(FILE)) => BROKEN;
        BROTLI, half(&brotli(FILE)) => BROKEN;
        ZSTD, half(&zstd(FILE)) => BROKEN;
        "Content-Encoding: deflate\r\n", &gzip(FILE)[10..40] => BROKEN;
        // Codings that cannot be undone; the second is too short to hold a byte that no text has.
        "Content-Encoding: compress\r\n", b"\x1f\x9d\x90U\xe6\x02" => BROKEN;
        "Content-Encoding: foo\r\n", b"\x8b\xc2\x80ab\xd3\x9e\xfc\xe2\x91" => BROKEN;
        GZIPPED, b"\x1f\x8b\x08\0\0\0\0\0\0\xff\xff\xff\xff\xff" => BROKEN;
        "", part, "length" => Fate::Read(Some("length"), 1);
        "Content-Length: 500\r\n", part, "length" => Fate::Read(Some("length"), 1);
        CHUNKED, &chunks[..70], "length" => Fate::Read(Some("length"), 2);
        BROTLI, &brotli(FILE)[..50], "length" => Fate::Read(Some("length"), 2);
        // A cut explains an early end, not a broken coding.
        CHUNKED, &bad_chunk, "length" => BROKEN;
        "", FILE, "time" => Fate::Unreachable("time");
        "", FILE, "disconnect" => Fate::Unreachable("disconnect");
        "", FILE, "Unspecified" => Fate::Unreachable("unspecified");
        "", FILE, "whatever" => Fate::Unreachable("unspecified");
        &length, part => Fate::Unreachable("content_length");
        &length, b"" => Fate::Unreachable("content_length");
        // Nothing behind an unnamed gzip is an empty file.
        "", gzip(b"") => Fate::Read(None, 0);
    };
    // A status other than 2xx needs no body.
    for (status, fate) in [
        ("404 Not Found", Fate::Status(404)),
        ("503 Busy", Fate::Status(503)),
        ("301 Moved", Fate::Status(301)),
        ("206 Partial", Fate::Unreachable("disconnect")),
    ] {
        let cut = Response {
            status,
            warc: "WARC-Truncated: disconnect\r\n",
            ..Response::new(CHUNKED, b"fff\r\n<html>")
        };
        cases.push((cut, fate));
    }
    cases.push((Response::new("", FILE), Fate::Unreachable("record")));
    cases
}

#[test]
fn a_response_that_is_incomplete_is_unreachable_and_others_are_read_in_every_dialect() {
    let cases = cases();
    let records = (0..)
        .zip(&cases)
        .map(|(number, (response, _))| response.record(number));
    let mut records: Vec<_> = records.collect();
    // The end of the archive cuts the last one.
    let last = records.last_mut().unwrap();
    last.truncate(last.len() - FILE.len());
    for dialect in NAMES {
        let spec = Dialect::named(dialect).unwrap();
        let dir = Dir::new();
        let census = census_of(&dir, &records, |config| {
            config.dialects = vec![spec.clone()];
        });
        let captures = census.table("captures");
        let of_rules = census.table("rules").all_ints("capture_id");
        let ids = captures.all_ints("capture_id").into_iter();
        let n_rules = ids.map(|id| of_rules.iter().filter(|of| **of == id).count());
        let found = captures.texts("content_truncated").into_iter();
        let found = found.zip(captures.all_texts("access")).zip(n_rules);
        assert_eq!(captures.n_rows(), cases.len());
        for ((response, fate), ((truncated, access), n_rules)) in cases.iter().zip(found) {
            let found = (truncated.as_deref(), &*access, n_rules);
            let wanted = match *fate {
                Fate::Unreachable(reason) => (Some(reason), spec.access.unreachable.as_str(), 0),
                Fate::Read(truncated, n_rules) => (truncated, "conditional", n_rules),
                Fate::Status(status) => {
                    let decided = spec.access.decide(FetchOutcome::Status(status));
                    (found.0, decided.as_str(), found.2)
                }
            };
            let Response { fields, body, .. } = response;
            let body = body.escape_ascii();
            assert_eq!(found, wanted, "{dialect}: {fields:?} {body}");
        }
    }
}

#[test]
fn the_limit_of_the_run_on_blocks_is_no_cut() {
    let dir = Dir::new();
    let records = [Response::new("", FILE).record(0)];
    let census = census_of(&dir, &records, |config| config.limits.block = 50);
    let captures = census.table("captures");
    assert_eq!(captures.all_texts("access"), ["conditional"]);
    assert_eq!(captures.all_texts("content_truncated"), ["limit"]);
}

#[test]
fn a_page_is_one_for_the_captures_the_errors_and_the_lines() {
    let bodies = [
        ("<!DOCTYPE>\n<html>\n<p>a: b</p>", true),
        ("\u{feff}\u{feff}<!DOCTYPE html>\na: b\n", true),
        (&("\r\n".repeat(2_000) + "<html>\na: b"), true),
        ("x<html>\n<head>\na: b\n", true),
        ("<h3>a: b</h3>\n", true),
        ("<pre>User-agent: *\na: b\nDisallow: /\n</pre>", false),
        (
            "<!-- $Id: a $ -->\nUser-agent: *\na: b\nDisallow: /\n",
            false,
        ),
        ("<div>\nUser-agent: *\na: b\nDisallow: /\n", false),
    ];
    let records = (0..).zip(&bodies);
    let records = records.map(|(number, (body, _))| Response::new("", body).record(number));
    let records: Vec<_> = records.collect();
    let dir = Dir::new();
    let census = census_of(&dir, &records, |_| {});
    let captures = census.table("captures");
    let columns = "capture_id content_mime_detected is_html";
    let captures: Vec<(i64, String, bool)> = captures.rows(columns);
    let errors: Vec<(i64, String)> = census.table("errors").rows("capture_id code");
    let with_unknown_fields = census.table("directives").all_ints("capture_id");
    assert_eq!(captures.len(), bodies.len());
    for ((id, mime, is_html), (body, is_page)) in captures.into_iter().zip(bodies) {
        assert_eq!(is_html, is_page, "{body}");
        assert_eq!(mime == "text/html", is_page, "{body}");
        assert_eq!(
            errors.contains(&(id, "html_body".to_owned())),
            is_page,
            "{body}"
        );
        assert_eq!(with_unknown_fields.contains(&id), !is_page, "{body}");
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
    let cut = format!("- {}\u{fffd}", "x".repeat(63));
    let wanted = ["2001:db8::1 nginx/1.18", &cut];
    assert_eq!(captures.lines("fetch_ip fetch_server"), wanted);
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
    let ranked = or_skip!(answer(&census.0, "rank-errors-by-domains", &[]));
    let sentence = Finding::CodingAbsent.sentence();
    let of_response = format!("http_coding_absent 1 1 1 {sentence}");
    let wanted = [&of_response, "misspelt_field 1 1 1 Disalow"];
    assert_eq!(
        lines(&ranked, "code hosts lines places example_text"),
        wanted
    );
}
