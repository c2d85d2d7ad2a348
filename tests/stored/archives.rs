//! Bodies read again: from archives in any framing, absent, changed and damaged ones.

use std::{fs, path::Path};

use robocensus::dataset::lookup::{CaptureSelector, CaptureStore};

use super::{BODY, Crawl};
use crate::{
    damage::{blocks, framed, members, skippable, zstd_frame_with},
    util::{Census, committed, generated, gzip, response, response_with},
};

/// Reads the bodies of all captures, or of every n-th, and returns how many.
fn all_bodies(data: &Path, archives: &[String], step: usize) -> usize {
    let captures = Census(data.to_owned()).table("captures");
    let captures = captures.rows::<(i64, i64)>("capture_id content_length");
    let store = CaptureStore::open(data).unwrap();
    let mut n_read = 0;
    for (id, length) in captures.into_iter().step_by(step) {
        let found = store.find(&CaptureSelector::Id(id), &[]).unwrap();
        let body = store.read_body(&found.capture, archives);
        let body = body.unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(body.bytes.len() as i64, length, "{id}");
        n_read += 1;
    }
    n_read
}

#[test]
fn every_body_of_the_samples_is_read_again() {
    for made in [generated(), committed()] {
        let archives = [made.archive.to_str().unwrap().to_owned()];
        assert!(all_bodies(&made.census.0, &archives, 23) > 20);
        let mut folders = made.archive.ancestors();
        let crawl_data = folders.find(|path| path.ends_with("crawl-data"));
        let root = crawl_data.unwrap().parent().unwrap().to_str().unwrap();
        all_bodies(&made.census.0, &[root.to_owned()], 401);
    }
}

/// Returns responses of hosts, each with a body of its own.
fn records() -> Vec<Vec<u8>> {
    let record = |n: usize| {
        let url = format!("https://h{n}.example/robots.txt");
        let body = format!("# {}\nUser-agent: *\nDisallow: /{n}\n", "y".repeat(40 * n));
        match n {
            7 => response_with(&url, "Content-Encoding: gzip", gzip(body.as_bytes())),
            _ => response(&url, &body),
        }
    };
    (0..12).map(record).collect()
}

#[test]
fn bodies_are_found_in_every_framing() {
    let records = records();
    let all = records.concat();
    let sizes = [all.len(); 40];
    let dictionary = zstd::dict::from_continuous(&all.repeat(40), &sizes, 1500).unwrap();
    let compressed = records.iter();
    let compressed = compressed.flat_map(|record| zstd_frame_with(&dictionary, record));
    let with_dictionary = skippable(13, &dictionary).into_iter().chain(compressed);
    let pairs: Vec<_> = records.chunks(2).map(<[_]>::concat).collect();
    let halves = records.iter().flat_map(|record| {
        let (head, block) = record.split_at(record.len() / 2);
        [head.to_vec(), block.to_vec()]
    });
    let halves: Vec<_> = halves.collect();
    let garbage = [&b"garbage"[..], &gzip(b"no record"), &members(&records)].concat();
    let (first, others) = (&records[0][..], records[1..].concat());
    let garbage_between = [first, b"WARC/1.0 garbage\r\n\r\n", &others].concat();
    let others = [
        ("dictionary", with_dictionary.collect()),
        ("pairs", members(&pairs)),
        ("large blocks", blocks(&all, 1500)),
        ("halves", members(&halves)),
        ("garbage", garbage),
        ("garbage between", garbage_between),
    ];
    for (name, bytes) in framed(&records, 100).into_iter().chain(others) {
        let crawl = Crawl::of(&[("a.warc", &bytes)]);
        let n_read = all_bodies(&crawl.0.path("census"), &[crawl.0.word("crawl")], 1);
        assert_eq!(n_read, records.len(), "{name}");
        crawl.assert_said("--host h7.example --url /7", "verdict   disallow\n", &[]);
    }
}

#[test]
fn an_archive_that_is_absent_or_changed_is_one_sentence() {
    let records = records();
    let archive: Vec<u8> = records.concat();
    let offset = records[..3].concat().len();
    let end = offset + records[3].len();
    let refused = |says: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let crawl = Crawl::of(&[("a.warc", &archive)]);
        crawl.rewrite("a.warc", change);
        let place = format!("crawl/a.warc: offset {offset}: expected the body of the capture ");
        let check = crawl.check("--host h3.example");
        check.refuse(&[&place, says, "the archive is not as it was"]);
    };
    // Another body of the same length, and a longer one.
    refused("but found ", &|bytes| bytes[end - 6] = b'9');
    refused("but found ", &|bytes| bytes.insert(end - 4, b'#'));
    // Another record there, and none: a record less in front of it, a shorter file, an empty one
    // and no archive.
    let other = "found a response of https://h5.example/robots.txt";
    refused(other, &|bytes| {
        drop(bytes.splice(offset..end, records[5].clone()));
    });
    let none = "found no response there";
    refused(none, &|bytes| drop(bytes.drain(..records[0].len())));
    refused(none, &|bytes| bytes.truncate(offset));
    refused(none, &Vec::clear);
    refused(none, &|bytes| bytes.fill(b'x'));
    let crawl = Crawl::of(&[("a.warc", &archive)]);
    crawl.rewrite("a.warc", |bytes| bytes.truncate(offset));
    let sizes = format!("a.warc had {} bytes and has {offset} now", archive.len());
    crawl.check("--host h3.example").refuse(&[&sizes]);
    crawl.0.write("other/b.warc", &records[0]);
    crawl.0.write("other/c.warc", &records[1]);
    for (folder, says) in [
        ("census", "no archive in this folder"),
        ("nowhere", "nowhere: cannot read"),
        ("other", "expected the archive a.warc in "),
    ] {
        crawl.check_in(folder, "--host h3.example").refuse(&[says]);
    }
    // An archive that only grew has the record where it was.
    let crawl = Crawl::of(&[("a.warc", &archive)]);
    crawl.rewrite("a.warc", |bytes| bytes.extend_from_slice(&records[0]));
    crawl.check("--host h3.example").succeed();
    // So has one that was moved.
    let moved = crawl.0.write("moved/deep/a.warc", "");
    fs::rename(crawl.0.path("crawl/a.warc"), moved).unwrap();
    for place in ["moved", "moved/deep/a.warc"] {
        crawl.check_in(place, "--host h3.example").succeed();
    }
}

#[test]
fn a_digest_that_the_archive_states_wrongly_is_noted_and_no_change_is_missed() {
    let url = "https://a.example/robots.txt";
    let record = String::from_utf8(response(url, BODY)).unwrap();
    let field = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\nWARC-Date";
    let stated = record.replace("WARC-Date", field);
    let crawl = Crawl::of(&[("a.warc", stated.as_bytes())]);
    let note = "digest    the archive states another SHA-1";
    crawl.assert_said("--host a.example --url /x", "verdict   disallow\n", &[note]);
    // The stated digest stays as it is when the body changes.
    crawl.rewrite("a.warc", |bytes| {
        let at = bytes.len() - 6;
        bytes[at] = b'y';
    });
    let changed = crawl.check("--host a.example");
    changed.refuse(&["but found ", "not as it was"]);
}

#[test]
fn bodies_over_the_limit_of_the_run_are_cut_as_they_were() {
    let body = format!("{BODY}{}\nDisallow: /late\n", "#".repeat(9 << 20));
    let archive = gzip(&response("https://a.example/robots.txt", &body));
    for words in [&[][..], &["--max-body", "100"]] {
        let crawl = Crawl::with(&[("a.warc.gz", &archive)], words);
        let cut = ", cut off: limit\n";
        crawl.assert_said("--host a.example --url /x", "verdict   disallow\n", &[cut]);
        let late = "--host a.example --url /late --dialect original-1994";
        crawl.assert_said(late, "verdict   allow\n", &[]);
    }
}

#[test]
fn a_damaged_dataset_is_one_sentence_and_no_panic() {
    let records = records();
    let crawl = Crawl::of(&[("a.warc", &records.concat())]);
    let mut random = robocensus::sample::random::Random::new(7);
    let mut n_refused = 0;
    for table in ["captures", "redirects"] {
        let path = &Census(crawl.0.path("census")).only_file(table);
        let whole = fs::read(path).unwrap();
        for _ in 0..60 {
            let mut bytes = whole.clone();
            match random.below(3) {
                0 => bytes.truncate(random.below(whole.len())),
                _ => {
                    for _ in 0..=random.below(4) {
                        bytes[random.below(whole.len())] = random.byte();
                    }
                }
            }
            fs::write(path, bytes).unwrap();
            let ran = crawl.check("--host h3.example").end();
            assert!(matches!(ran.code, 0 | 2), "{}", ran.stderr);
            if ran.code == 2 {
                assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
                n_refused += 1;
            }
        }
        fs::write(path, whole).unwrap();
    }
    crawl.check("--host h3.example").succeed();
    assert!(n_refused > 20, "{n_refused}");
}
