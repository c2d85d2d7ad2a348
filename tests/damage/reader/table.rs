//! Every shape and damage that is known from practice, each as a row: archive, hosts, faults, bytes
//! skipped.
//!
//! Enters: the helpers. Leaves: the archives, for the files beside. This file refuses to know how
//! the reader works.

use super::*;

#[test]
fn every_known_shape_gives_its_records_faults_and_skipped_bytes() {
    for case in whole().into_iter().chain(damaged()) {
        let got = read(&case.bytes);
        assert_eq!(
            (
                got.hosts().as_str(),
                got.codes().as_str(),
                got.counts.bytes_skipped
            ),
            (case.hosts, case.codes, case.skipped as u64),
            "{}: {:?}",
            case.name,
            got.faults
        );
    }
}

/// One row of the table: the archive, the hosts it must give, the faults it must give, the bytes
/// that must be skipped.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) bytes: Vec<u8>,
    hosts: &'static str,
    codes: &'static str,
    skipped: usize,
}

fn case(
    name: &'static str,
    bytes: Vec<u8>,
    hosts: &'static str,
    codes: &'static str,
    skipped: usize,
) -> Case {
    Case {
        name,
        bytes,
        hosts,
        codes,
        skipped,
    }
}

/// Archives in which every record counts, however odd it is written.
pub(super) fn whole() -> Vec<Case> {
    let plain_edit = |from, to| around(&with('b', from, to));
    let b = body('b').len().to_string();
    let lf = String::from_utf8(record('b'))
        .unwrap()
        .replace("\r\n", "\n");
    let lf = lf.replace(&b, &(body('b').replace("\r\n", "\n").len()).to_string());
    let inner = members(&['x', 'y', 'z'].map(record));
    // Noise does not deflate, so that the members in the block stand in the file as they are.
    let noise = noise(200_000, 1);
    let nested = open_record('b', &[&noise[..], &inner, &noise].concat(), |header| header);
    let unended = |name| open_record(name, body(name).as_bytes(), |header| header);
    let ends =
        |end: &str| members(&['a', 'b', 'c'].map(|name| [unended(name), end.into()].concat()));
    let header_length = record('b').len() - body('b').len() - 4;
    let ok = |name, bytes| case(name, bytes, "abc", "", 0);
    vec![
        ok("plain", abc()),
        ok(
            "a member for each record",
            members(&['a', 'b', 'c'].map(record)),
        ),
        ok("one member for all", member(&abc())),
        ok(
            "two records in one member",
            [
                member(&[record('a'), record('b')].concat()),
                member(&record('c')),
            ]
            .concat(),
        ),
        ok("blocks that know nothing of records", blocks(&abc(), 100)),
        ok("blocks of one byte", blocks(&abc(), 1)),
        ok(
            "header and block in members of their own",
            around_raw(&members(&[
                record('b')[..header_length].to_vec(),
                record('b')[header_length..].to_vec(),
            ])),
        ),
        ok(
            "a record split in its header",
            around_raw(&members(&[
                record('b')[..30].to_vec(),
                record('b')[30..].to_vec(),
            ])),
        ),
        ok(
            "line ends in a member of their own",
            around_raw(&members(&[unended('b'), b"\r\n\r\n".to_vec()])),
        ),
        ok(
            "empty members",
            members(&[
                vec![],
                record('a'),
                vec![],
                vec![],
                record('b'),
                record('c'),
                vec![],
            ]),
        ),
        ok(
            "blank lines in front of records",
            [
                b"\r\n\r\n".to_vec(),
                record('a'),
                b"\r\n\n".to_vec(),
                record('b'),
                record('c'),
            ]
            .concat(),
        ),
        ok("no line ends behind a record", ends("")),
        ok("one line end behind a record", ends("\r\n")),
        ok(
            "a byte order mark",
            [b"\xef\xbb\xbf".to_vec(), abc()].concat(),
        ),
        ok("lines that end in LF", around(lf.as_bytes())),
        ok(
            "a folded line",
            plain_edit("WARC-Date:", "X-Long: one\r\n two\r\nWARC-Date:"),
        ),
        ok("version 0.17", plain_edit("WARC/1.0", "WARC/0.17")),
        ok("version 0.18", plain_edit("WARC/1.0", "WARC/0.18")),
        ok("version 1.1", plain_edit("WARC/1.0", "WARC/1.1")),
        ok(
            "a blank behind the version",
            plain_edit("WARC/1.0", "WARC/1.0 "),
        ),
        ok("leading zeros", around(&declaring('b', &format!("000{b}")))),
        ok(
            "an empty value",
            plain_edit("WARC-Date:", "X-Empty:\r\nWARC-Date:"),
        ),
        ok(
            "names in other cases",
            around(&with('b', "Content-Length", "content-LENGTH")),
        ),
        ok(
            "a line without a colon",
            plain_edit("Content-Length", "no colon here\r\nContent-Length"),
        ),
        ok(
            "no blank behind the colon",
            plain_edit("Content-Length: ", "Content-Length:"),
        ),
        ok(
            "a tab behind the colon",
            plain_edit("Content-Length: ", "Content-Length:\t"),
        ),
        ok(
            "a blank in front of the colon",
            plain_edit("Content-Length:", "Content-Length :"),
        ),
        ok(
            "a name outside ASCII",
            plain_edit("Content-Length", "X-\u{e9}: \u{e9}\r\nContent-Length"),
        ),
        ok(
            "blanks behind a value",
            around(&declaring('b', &format!("{b}  "))),
        ),
        ok(
            "fields that stand twice",
            plain_edit(
                "WARC-Date:",
                "WARC-Target-URI: http://x.example/\r\nWARC-Date:",
            ),
        ),
        ok("no type", plain_edit("WARC-Type: response\r\n", "")),
        ok("another type", plain_edit("response", "revisit")),
        case(
            "no URI",
            plain_edit("WARC-Target-URI: http://b.example/robots.txt\r\n", ""),
            "a-c",
            "",
            0,
        ),
        ok("an archive stored inside a block", around(&nested)),
        ok(
            "a block that looks like a record",
            around(&open_record('b', &abc(), |header| header)),
        ),
    ]
}

/// Archives with damage.
pub(super) fn damaged() -> Vec<Case> {
    let (a, b, c) = (
        member(&record('a')),
        member(&record('b')),
        member(&record('c')),
    );
    let ab = [a.clone(), b.clone()].concat();
    let cut = |n: usize| [ab.clone(), c[..n].to_vec()].concat();
    let plain_b = |b| [record('a'), b, record('c')].concat();
    let long = body('b').len() * 1000;
    let html = b"<!DOCTYPE html><title>502</title>";
    let junk = member(b"this is no record");
    vec![
        case("nothing", vec![], "", "empty", 0),
        case(
            "no Content-Length",
            around(&with('b', "Content-Length", "X-Length")),
            "abc",
            "content_length_unusable",
            0,
        ),
        case(
            "no Content-Length, plain",
            plain_b(with('b', "Content-Length", "X-Length")),
            "abc",
            "content_length_unusable",
            0,
        ),
        case(
            "a negative Content-Length",
            around(&declaring('b', "-1")),
            "abc",
            "content_length_unusable",
            0,
        ),
        case(
            "a Content-Length too small",
            around(&declaring('b', "30")),
            "abc",
            "content_length_too_small",
            0,
        ),
        case(
            "a Content-Length too small, plain",
            plain_b(declaring('b', "30")),
            "abc",
            "content_length_too_small",
            0,
        ),
        case(
            "a Content-Length too large",
            around(&declaring('b', &long.to_string())),
            "abc",
            "content_length_too_large",
            0,
        ),
        case(
            "a Content-Length too large, plain",
            plain_b(declaring('b', &long.to_string())),
            "abc",
            "content_length_too_large",
            0,
        ),
        case(
            "a huge Content-Length",
            around(&declaring('b', &"9".repeat(40))),
            "abc",
            "content_length_too_large",
            0,
        ),
        case(
            "two Content-Lengths: the first counts",
            around(&with(
                'b',
                "Content-Length:",
                "Content-Length: 30\r\nContent-Length:",
            )),
            "abc",
            "content_length_too_small",
            0,
        ),
        case(
            "cut in the header of a member",
            cut(6),
            "ab",
            "member_truncated",
            6,
        ),
        case("cut in a member", cut(100), "ab", "member_truncated", 100),
        case(
            "cut in the trailer of a member",
            cut(c.len() - 3),
            "ab",
            "member_truncated",
            c.len() - 3,
        ),
        case(
            "a wrong CRC",
            around_raw(&bad_crc()),
            "ac",
            "member_corrupt",
            b.len(),
        ),
        case(
            "a wrong size",
            around_raw(&inverted(b.clone(), b.len() - 1..b.len())),
            "ac",
            "member_corrupt",
            b.len(),
        ),
        case(
            "a wrong CRC at the end",
            [a.clone(), bad_crc()].concat(),
            "a",
            "member_corrupt",
            b.len(),
        ),
        case(
            "a broken member",
            around_raw(&inverted(b.clone(), 40..60)),
            "ac",
            "member_corrupt",
            b.len(),
        ),
        case(
            "a broken member at the start",
            [inverted(b.clone(), 40..60), c.clone()].concat(),
            "c",
            "member_corrupt",
            b.len(),
        ),
        case(
            "garbage between members",
            around_raw(&[b"\0garbage\x1f\x8b\x08\0".repeat(9), b.clone()].concat()),
            "abc",
            "garbage",
            108,
        ),
        case(
            "garbage at the start",
            [vec![0; 5000], ab.clone(), c.clone()].concat(),
            "abc",
            "garbage",
            5000,
        ),
        case(
            "garbage at the end",
            [ab.clone(), c.clone(), vec![0; 1000]].concat(),
            "abc",
            "garbage",
            1000,
        ),
        case(
            "a member that is no record",
            around_raw(&junk),
            "ac",
            "not_a_record",
            junk.len(),
        ),
        case(
            "a run of members that are no records",
            around_raw(&junk.repeat(20)),
            "ac",
            "not_a_record",
            20 * junk.len(),
        ),
        case(
            "text between records, plain",
            plain_b(b"what is this?\r\n".to_vec()),
            "ac",
            "not_a_record",
            15,
        ),
        case(
            "a page of HTML",
            html.to_vec(),
            "",
            "not_an_archive",
            html.len(),
        ),
        case(
            "a page of HTML in gzip",
            member(html),
            "",
            "not_a_record",
            member(html).len(),
        ),
        case(
            "a lone frame header",
            b"\x28\xb5\x2f\xfd\0\0\0".to_vec(),
            "",
            "member_truncated",
            7,
        ),
        case(
            "a lone magic",
            b"\x1f\x8b\x08".to_vec(),
            "",
            "member_truncated",
            3,
        ),
    ]
}
