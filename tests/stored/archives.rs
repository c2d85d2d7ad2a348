//! Bodies read again: from archives in any framing, absent, changed and damaged ones.

use std::{
    fs,
    path::{Path, PathBuf},
};

use robocensus::dataset::lookup::{CaptureSelector, CaptureStore, StoredBody};

use super::{BODY, Crawl};
use crate::util::{
    Census, Dir, answered, assert_says, committed, generated, gzip, package, response, run,
};

fn body_of(data: &Path, id: i64, archives: &[String]) -> StoredBody {
    let store = CaptureStore::open(data).unwrap();
    let found = store.find(&CaptureSelector::Id(id), &[]).unwrap();
    let body = store.read_body(&found.capture, archives);
    body.unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// Checks the bodies of all captures, or of every n-th, against the dataset.
fn all_bodies(data: &Path, archives: &[String], step: usize) -> usize {
    let captures = Census(data.to_owned()).table("captures");
    let lengths = captures.all_ints("content_length");
    let ids = captures.all_ints("capture_id");
    let mut n_read = 0;
    for (id, length) in ids.into_iter().zip(lengths).step_by(step) {
        let body = body_of(data, id, archives);
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
        let root = made
            .archive
            .ancestors()
            .find(|path| path.ends_with("crawl-data"));
        let root = root.unwrap().parent().unwrap().to_str().unwrap();
        all_bodies(&made.census.0, &[root.to_owned()], 401);
    }
    let dir = Dir::new();
    let sample = package().join("data-sample/archives");
    let archives = sample.to_str().unwrap();
    let data = dir.word("census");
    run(&[archives, "--out", &data, "--quiet"]).end();
    let n_read = all_bodies(&dir.path("census"), &[archives.to_owned()], 17);
    assert!(n_read > 20, "{n_read}");
}

/// Returns the bytes as one zstd frame, with a dictionary or without.
fn frame(bytes: &[u8], dictionary: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns responses of hosts, each with a body of its own.
fn records() -> Vec<Vec<u8>> {
    let record = |n: usize| {
        let body = format!("# {}\nUser-agent: *\nDisallow: /{n}\n", "y".repeat(40 * n));
        response(&format!("https://h{n}.example/robots.txt"), &body)
    };
    (0..12).map(record).collect()
}

#[test]
fn bodies_are_found_in_every_framing() {
    let records = records();
    let each =
        |pack: &dyn Fn(&Vec<u8>) -> Vec<u8>| records.iter().flat_map(pack).collect::<Vec<u8>>();
    let dictionary = zstd::dict::from_continuous(
        &records.concat().repeat(40),
        &[records.concat().len(); 40],
        1500,
    )
    .unwrap();
    let length = (dictionary.len() as u32).to_le_bytes();
    let skippable = [&[0x5d, 0x2a, 0x4d, 0x18], &length[..], &dictionary].concat();
    let blocks = |size: usize| -> Vec<u8> {
        let all = records.concat();
        all.chunks(size).flat_map(gzip).collect()
    };
    let pairs: Vec<u8> = records
        .chunks(2)
        .flat_map(|pair| gzip(&pair.concat()))
        .collect();
    let split: Vec<u8> = records
        .iter()
        .flat_map(|record| {
            let (head, block) = record.split_at(record.len() / 2);
            [gzip(head), gzip(block)].concat()
        })
        .collect();
    let framings = [
        ("plain.warc", records.concat()),
        ("members.warc.gz", each(&|record| gzip(record))),
        ("frames.warc.zst", each(&|record| frame(record, b""))),
        (
            "dictionary.warc.zst",
            [skippable, each(&|record| frame(record, &dictionary))].concat(),
        ),
        ("one-member.warc.gz", gzip(&records.concat())),
        ("pairs.warc.gz", pairs),
        ("blocks.warc.gz", blocks(100)),
        ("large-blocks.warc.gz", blocks(1500)),
        ("split.warc.gz", split),
        (
            "garbage.warc.gz",
            [
                &b"garbage"[..],
                &gzip(b"no record"),
                &each(&|record| gzip(record)),
            ]
            .concat(),
        ),
        (
            "garbage.warc",
            [
                &records[0],
                &b"WARC/1.0 garbage\r\n\r\n"[..],
                &records[1..].concat(),
            ]
            .concat(),
        ),
    ];
    for (name, bytes) in framings {
        let crawl = Crawl::of(&[(name, &bytes)]);
        let n_read = all_bodies(&crawl.0.path("census"), &[crawl.0.word("crawl")], 1);
        assert_eq!(n_read, records.len(), "{name}");
        let ran = crawl.check("--host h7.example --url /7").succeed();
        assert!(
            ran.stdout.starts_with("verdict   disallow\n"),
            "{name}: {}",
            ran.stdout
        );
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
    refused(
        "found a response of https://h5.example/robots.txt",
        &|bytes| {
            drop(bytes.splice(offset..end, records[5].clone()));
        },
    );
    let none = "found no response there";
    refused(none, &|bytes| drop(bytes.drain(..records[0].len())));
    refused(none, &|bytes| bytes.truncate(offset));
    refused(none, &Vec::clear);
    refused(none, &|bytes| bytes.fill(b'x'));
    let crawl = Crawl::of(&[("a.warc", &archive)]);
    crawl.rewrite("a.warc", |bytes| bytes.truncate(offset));
    let sizes = format!("a.warc had {} bytes and has {offset} now", archive.len());
    crawl.check("--host h3.example").refuse(&[&sizes]);
    crawl
        .check_in("census", "--host h3.example")
        .refuse(&["no archive in this folder"]);
    crawl
        .check_in("nowhere", "--host h3.example")
        .refuse(&["nowhere: cannot read"]);
    crawl.0.write("other/b.warc", &records[0]);
    crawl.0.write("other/c.warc", &records[1]);
    crawl
        .check_in("other", "--host h3.example")
        .refuse(&["expected the archive a.warc in "]);
    // An archive that only grew has the record where it was.
    let crawl = Crawl::of(&[("a.warc", &archive)]);
    crawl.rewrite("a.warc", |bytes| bytes.extend_from_slice(&records[0]));
    crawl.check("--host h3.example").succeed();
    // So has one that was moved.
    fs::create_dir_all(crawl.0.path("moved/deep")).unwrap();
    fs::rename(
        crawl.0.path("crawl/a.warc"),
        crawl.0.path("moved/deep/a.warc"),
    )
    .unwrap();
    crawl.check_in("moved", "--host h3.example").succeed();
    crawl
        .check_in("moved/deep/a.warc", "--host h3.example")
        .succeed();
}

#[test]
fn a_digest_that_the_archive_states_wrongly_is_noted_and_no_change_is_missed() {
    let url = "https://a.example/robots.txt";
    let record = String::from_utf8(response(url, BODY)).unwrap();
    let stated = record.replace(
        "WARC-Date",
        "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\nWARC-Date",
    );
    let crawl = Crawl::of(&[("a.warc", stated.as_bytes())]);
    let text = crawl.said("--host a.example --url /x");
    assert!(text.starts_with("verdict   disallow\n"), "{text}");
    assert_says(&text, "digest    the archive states another SHA-1");
    // The stated digest stays as it is when the body changes.
    crawl.rewrite("a.warc", |bytes| {
        let at = bytes.len() - 6;
        bytes[at] = b'y';
    });
    crawl
        .check("--host a.example")
        .refuse(&["but found ", "not as it was"]);
}

#[test]
fn bodies_over_the_limit_of_the_run_are_cut_as_they_were() {
    let body = format!("{BODY}{}\nDisallow: /late\n", "#".repeat(9 << 20));
    let archive = gzip(&response("https://a.example/robots.txt", &body));
    for words in [&[][..], &["--max-body", "100"]] {
        let crawl = Crawl::with(&[("a.warc.gz", &archive)], words);
        let text = crawl.said("--host a.example --url /x");
        assert!(text.starts_with("verdict   disallow\n"), "{text}");
        assert!(text.contains(", cut off: limit\n"), "{text}");
        let text = crawl.said("--host a.example --url /late --dialect original-1994");
        assert!(text.starts_with("verdict   allow\n"), "{text}");
    }
}

#[test]
fn bodies_are_decoded_as_the_run_did() {
    let http = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let record = answered(
        "https://a.example/robots.txt",
        [&http[..], &gzip(BODY.as_bytes())].concat(),
    );
    let crawl = Crawl::of(&[("a.warc", &record)]);
    assert_eq!(crawl.said("--host a.example --body"), BODY);
}

#[test]
fn a_damaged_dataset_is_one_sentence_and_no_panic() {
    let records = records();
    let crawl = Crawl::of(&[("a.warc", &records.concat())]);
    let files: Vec<PathBuf> = ["captures", "redirects"]
        .iter()
        .map(|table| Census(crawl.0.path("census")).only_file(table))
        .collect();
    let mut random = robocensus::sample::random::Random::new(7);
    let mut n_refused = 0;
    for path in &files {
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
