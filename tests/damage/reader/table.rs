//! A table of every known form and damage: archive, hosts, faults, bytes skipped. Forms of header
//! lines are in the unit tests of `warc/header.rs`.

use super::*;

#[test]
fn every_known_shape_gives_its_records_faults_and_skipped_bytes() {
    for (name, bytes, hosts, codes, skipped) in whole().into_iter().chain(damaged()) {
        let got = read(&bytes);
        assert_eq!(got.hosts(), hosts, "{name}: {:?}", got.faults);
        assert_eq!(got.codes(), codes, "{name}: {:?}", got.faults);
        assert_eq!(got.counts.bytes_skipped, skipped as u64, "{name}");
    }
}

/// Name, archive, hosts, faults, bytes skipped.
type Case = (&'static str, Vec<u8>, &'static str, &'static str, usize);

/// Cases; without the last three columns, the archive gives all of "abc" and no fault.
macro_rules! cases {
    (@row $name:literal, $bytes:expr) => { cases!(@row $name, $bytes, "abc", "", 0) };
    (@row $($column:expr),+) => { ($($column),+) };
    ($($name:literal => $($column:expr),+;)+) => {
        vec![$(cases!(@row $name, $($column),+)),+]
    };
}

/// Archives in which every record is read, however unusual its form is.
fn whole() -> Vec<Case> {
    let plain_edit = |from, to| around(&with('b', from, to));
    let inner = members(&['x', 'y', 'z'].map(record));
    // Noise does not deflate, so that the members in the block are verbatim in the file.
    let noise = noise(200_000, 1);
    let nested = open_record('b', &[&noise[..], &inner, &noise].concat(), |header| header);
    let unended = |name| open_record(name, body(name).as_bytes(), |header| header);
    let ends =
        |end: &str| members(&['a', 'b', 'c'].map(|name| [unended(name), end.into()].concat()));
    let header_length = record('b').len() - body('b').len() - 4;
    cases! {
        "plain" => abc();
        "a member for each record" => members(&['a', 'b', 'c'].map(record));
        "one member for all" => member(&abc());
        "two records in one member" => [member(&[record('a'), record('b')].concat()), member(&record('c'))] .concat();
        "blocks regardless of records" => blocks(&abc(), 100);
        "blocks of one byte" => blocks(&abc(), 1);
        "header and block in members of their own" => around_raw(&members(&[record('b')[..header_length].to_vec(), record('b')[header_length..].to_vec()]));
        "a record split in its header" => around_raw(&members(&[record('b')[..30].to_vec(), record('b')[30..].to_vec()]));
        "line ends in a member of their own" => around_raw(&members(&[unended('b'), b"\r\n\r\n".to_vec()]));
        "empty members" => members(&[vec![], record('a'), vec![], vec![], record('b'), record('c'), vec![]]);
        "blank lines before records" => [b"\r\n\r\n".to_vec(), record('a'), b"\r\n\n".to_vec(), record('b'), record('c')] .concat();
        "no line ends after a record" => ends("");
        "one line end after a record" => ends("\r\n");
        "a byte order mark" => [b"\xef\xbb\xbf".to_vec(), abc()].concat();
        "version 0.17" => plain_edit("WARC/1.0", "WARC/0.17");
        "version 0.18" => plain_edit("WARC/1.0", "WARC/0.18");
        "version 1.1" => plain_edit("WARC/1.0", "WARC/1.1");
        "a blank after the version" => plain_edit("WARC/1.0", "WARC/1.0 ");
        "an empty value" => plain_edit("WARC-Date:", "X-Empty:\r\nWARC-Date:");
        "no blank after the colon" => plain_edit("Content-Length: ", "Content-Length:");
        "a name outside ASCII" => plain_edit("Content-Length", "X-\u{e9}: \u{e9}\r\nContent-Length");
        "no type" => plain_edit("WARC-Type: response\r\n", "");
        "another type" => plain_edit("response", "revisit");
        "no URI" => plain_edit("WARC-Target-URI: http://b.example/robots.txt\r\n", ""), "a-c", "", 0;
        "an archive stored inside a block" => around(&nested);
        "a block that looks like a record" => around(&open_record('b', &abc(), |header| header));
    }
}

/// Archives with damage.
fn damaged() -> Vec<Case> {
    let [a, b, c] = ['a', 'b', 'c'].map(|name| member(&record(name)));
    let ab = [a.clone(), b.clone()].concat();
    let cut = |n: usize| [ab.clone(), c[..n].to_vec()].concat();
    let plain_b = |b| [record('a'), b, record('c')].concat();
    let long = body('b').len() * 1000;
    let html = b"<!DOCTYPE html><title>502</title>";
    let junk = member(b"this is no record");
    cases! {
        "nothing" => vec![], "", "empty", 0;
        "no Content-Length" => around(&with('b', "Content-Length", "X-Length")), "abc", "content_length_unusable", 0;
        "no Content-Length, plain" => plain_b(with('b', "Content-Length", "X-Length")), "abc", "content_length_unusable", 0;
        "a negative Content-Length" => around(&declaring('b', "-1")), "abc", "content_length_unusable", 0;
        "a Content-Length too small" => around(&declaring('b', "30")), "abc", "content_length_too_small", 0;
        "a Content-Length too small, plain" => plain_b(declaring('b', "30")), "abc", "content_length_too_small", 0;
        "a Content-Length too large" => around(&declaring('b', &long.to_string())), "abc", "content_length_too_large", 0;
        "a Content-Length too large, plain" => plain_b(declaring('b', &long.to_string())), "abc", "content_length_too_large", 0;
        "a huge Content-Length" => around(&declaring('b', &"9".repeat(40))), "abc", "content_length_too_large", 0;
        "two Content-Lengths: the first counts" => around(&with('b', "Content-Length:", "Content-Length: 30\r\nContent-Length:")), "abc", "content_length_too_small", 0;
        "cut in the header of a member" => cut(6), "ab", "member_truncated", 6;
        "cut in a member" => cut(100), "ab", "member_truncated", 100;
        "cut in the trailer of a member" => cut(c.len() - 3), "ab", "member_truncated", c.len() - 3;
        "a wrong CRC" => around_raw(&bad_crc()), "ac", "member_corrupt", b.len();
        "a wrong size" => around_raw(&inverted(b.clone(), b.len() - 1..b.len())), "ac", "member_corrupt", b.len();
        "a wrong CRC at the end" => [a.clone(), bad_crc()].concat(), "a", "member_corrupt", b.len();
        "a broken member" => around_raw(&inverted(b.clone(), 40..60)), "ac", "member_corrupt", b.len();
        "a broken member at the start" => [inverted(b.clone(), 40..60), c.clone()].concat(), "c", "member_corrupt", b.len();
        "garbage between members" => around_raw(&[b"\0garbage\x1f\x8b\x08\0".repeat(9), b.clone()].concat()), "abc", "garbage", 108;
        "garbage at the start" => [vec![0; 5000], ab.clone(), c.clone()].concat(), "abc", "garbage", 5000;
        "garbage at the end" => [ab.clone(), c.clone(), vec![0; 1000]].concat(), "abc", "garbage", 1000;
        "a member that is no record" => around_raw(&junk), "ac", "not_a_record", junk.len();
        "a run of members that are no records" => around_raw(&junk.repeat(20)), "ac", "not_a_record", 20 * junk.len();
        "text between records, plain" => plain_b(b"what is this?\r\n".to_vec()), "ac", "not_a_record", 15;
        "a page of HTML" => html.to_vec(), "", "not_an_archive", html.len();
        "a page of HTML in gzip" => member(html), "", "not_a_record", member(html).len();
        "a lone frame header" => b"\x28\xb5\x2f\xfd\0\0\0".to_vec(), "", "member_truncated", 7;
        "a lone magic" => b"\x1f\x8b\x08".to_vec(), "", "member_truncated", 3;
    }
}
