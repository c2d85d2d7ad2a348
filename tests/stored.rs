//! `robocensus check --data`: captures found by host and identifier, and their bodies read again
//! from archives in any framing, absent, changed and damaged ones.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use robocensus::{
    Dialect,
    dialect::{Access, NAMES, builtin},
    pipeline::lookup::{CaptureSelector, CaptureStore, FoundCapture, StoredBody},
};
use serde_json::Value;

use crate::{
    redirects::web::Web,
    util::{
        Census, Dir, TestCommand, answer, column, committed, generated, gzip, package, response,
        response_with, run,
    },
};

const BODY: &str = "User-agent: GPTBot\nDisallow: /private\n\nUser-agent: *\nDisallow: /x\n";

/// A dataset made of archives in a folder `crawl`.
struct Crawl(Dir);

impl Crawl {
    fn of(archives: &[(&str, &[u8])]) -> Crawl {
        Crawl::with(archives, &[])
    }

    fn with(archives: &[(&str, &[u8])], words: &[&str]) -> Crawl {
        let dir = Dir::new();
        for (name, bytes) in archives {
            dir.write(&format!("crawl/{name}"), bytes);
        }
        run(&[&dir.word("crawl"), "--out", &dir.word("census"), "--quiet"])
            .words(words)
            .end();
        Crawl(dir)
    }

    /// Returns `check` on the dataset and the folder of its archives.
    fn check(&self, words: &str) -> TestCommand {
        self.check_in("crawl", words)
    }

    fn check_in(&self, archives: &str, words: &str) -> TestCommand {
        let data = ["check", "--data", &self.0.word("census")].map(str::to_owned);
        let archives = ["--archives".to_owned(), self.0.word(archives)];
        let words: Vec<_> = words.split(' ').filter(|word| !word.is_empty()).collect();
        let all = data.iter().chain(&archives).map(String::as_str);
        TestCommand::new(all).words(&words)
    }

    fn rewrite(&self, archive: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let path = self.0.path(&format!("crawl/{archive}"));
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

fn found(data: &Path, id: i64) -> FoundCapture {
    let store = CaptureStore::open(data).unwrap();
    store.find(&CaptureSelector::Id(id)).unwrap()
}

fn body_of(data: &Path, id: i64, archives: &[String]) -> StoredBody {
    let store = CaptureStore::open(data).unwrap();
    let found = store.find(&CaptureSelector::Id(id)).unwrap();
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
fn a_host_is_answered_with_where_that_comes_from() {
    let archive = gzip(&response("https://a.example/robots.txt", BODY));
    let crawl = Crawl::of(&[("b/1.warc.gz", &archive)]);
    let text = crawl
        .check("--host A.Example --agent GPTBot --url /private/1")
        .succeed()
        .stdout;
    for part in [
        "verdict   disallow\n",
        "agent     GPTBot\n",
        "url       https://a.example/private/1\n",
        ": https://a.example/robots.txt, fetched 2026-01-02T03:04:05Z, status 200\n",
        &format!("1.warc.gz, offset 0, {} bytes\n", archive.len()),
        "access    status 200: conditional\n",
        "group     lines 1-2, names the agent\n",
        "       2 | Disallow: /private\n",
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
    assert!(!text.contains("scope  "), "{text}");
    let said = crawl.check("--host a.example --json").succeed().stdout;
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["agents"][0], "*");
    assert_eq!(said["url"], "https://a.example/");
    assert_eq!(said["answers"][0]["verdict"], "allow");
    assert_eq!(said["capture"]["warc_filename"], "b/1.warc.gz");
    assert_eq!(said["capture"]["fetch_time"], "2026-01-02T03:04:05Z");
    assert_eq!(said["capture"]["body"]["bytes"], BODY.len());
    let id = said["capture"]["capture_id"].to_string();
    let by_id = crawl
        .check(&format!("--capture {id} --json"))
        .succeed()
        .stdout;
    assert_eq!(serde_json::from_str::<Value>(&by_id).unwrap(), said);
    let body = crawl.check("--host a.example --body").succeed().stdout;
    assert_eq!(body, BODY);
    let text = crawl
        .check("--host a.example --url https://b.example/x")
        .succeed()
        .stdout;
    assert!(text.contains("basis     out_of_scope"), "{text}");
}

#[test]
fn of_several_origins_and_fetches_the_one_that_counts_is_taken() {
    let mut web = Web::default();
    web.file(
        1,
        "http://a.example/robots.txt",
        "User-agent: *\nDisallow: /http\n",
    )
    .file(
        2,
        "https://a.example/robots.txt",
        "User-agent: *\nDisallow: /old\n",
    )
    .file(
        3,
        "https://a.example/robots.txt",
        "User-agent: *\nDisallow: /new\n",
    )
    .fetch(4, "https://a.example/robots.txt", 503, "")
    .file(
        5,
        "https://a.example:8443/robots.txt",
        "User-agent: *\nDisallow: /port\n",
    )
    .fetch(1, "https://b.example/robots.txt", 404, "")
    .file(
        1,
        "http://b.example/robots.txt",
        "User-agent: *\nDisallow: /http\n",
    );
    let crawl = Crawl::of(&[("robotstxt/a.warc", &web.records)]);
    for (host, path) in [
        ("a.example", "/new"),
        ("http://a.example", "/http"),
        ("https://a.example:8443", "/port"),
        ("b.example", "/http"),
    ] {
        let ran = crawl.check(&format!("--host {host} --url {path} --exit-code"));
        let text = ran.end_with(1).stdout;
        assert!(text.starts_with("verdict   disallow\n"), "{host}: {text}");
    }
    let text = crawl.check("--host a.example").succeed().stdout;
    let others = text
        .lines()
        .find(|line| line.starts_with("others    "))
        .unwrap();
    assert!(
        others.starts_with("others    https://a.example:8443 (capture ")
            && others.contains(", http://a.example:80 (capture "),
        "{others}"
    );
}

#[test]
fn the_fetch_decides_without_an_archive() {
    let mut web = Web::default();
    web.fetch(1, "https://gone.example/robots.txt", 404, "")
        .fetch(1, "https://down.example/robots.txt", 503, "")
        .redirect(
            1,
            "https://away.example/robots.txt",
            "https://absent.example/robots.txt",
        )
        .redirect(
            1,
            "https://loop.example/robots.txt",
            "https://loop.example/robots.txt",
        );
    let crawl = Crawl::of(&[("robotstxt/a.warc", &web.records)]);
    fs::remove_dir_all(crawl.0.path("crawl")).unwrap();
    for (host, verdict, access) in [
        ("gone.example", "allow", "status 404: full_allow"),
        ("down.example", "disallow", "status 503: full_disallow"),
        ("away.example", "undefined", "status 301: redirect"),
        ("loop.example", "allow", "too many redirects: full_allow"),
    ] {
        let text = crawl.check(&format!("--host {host}")).succeed().stdout;
        assert!(
            text.starts_with(&format!("verdict   {verdict}\n")),
            "{text}"
        );
        assert!(text.contains(&format!("access    {access}\n")), "{text}");
        assert!(!text.contains("archive  "), "{text}");
    }
    let text = crawl
        .check("--host down.example --dialect all")
        .succeed()
        .stdout;
    assert!(text.contains("  access"), "{text}");
}

#[test]
fn redirects_are_followed_as_far_as_the_dialect_does() {
    let mut web = Web::default();
    web.redirect(
        1,
        "http://a.example/robots.txt",
        "https://a.example/robots.txt",
    )
    .redirect(
        2,
        "https://a.example/robots.txt",
        "https://www.a.example/robots.txt",
    )
    .file(3, "https://www.a.example/robots.txt", BODY)
    .redirect(4, "https://old.example/robots.txt", "/moved");
    let crawl = Crawl::of(&[("robotstxt/a.warc", &web.records)]);
    let text = crawl
        .check("--host http://a.example --url /x")
        .succeed()
        .stdout;
    assert!(text.starts_with("verdict   disallow\n"), "{text}");
    assert!(text.contains("url       http://a.example/x\n"), "{text}");
    assert!(text.contains("redirect  resolved, 2 hops to "), "{text}");
    assert!(
        text.contains(": https://www.a.example/robots.txt, fetched"),
        "{text}"
    );
    let strict = crawl
        .0
        .write("strict.toml", "base = \"google\"\n[access]\nmax_hops = 1\n");
    let ran = crawl.check(&format!(
        "--host http://a.example --url /x --dialect {strict}"
    ));
    let text = ran.succeed().stdout;
    assert!(
        text.contains("access    too many redirects: full_allow\n"),
        "{text}"
    );
    let staying = crawl.0.write(
        "staying.toml",
        "base = \"google\"\n[access]\nredirect = \"full_disallow\"\n",
    );
    let ran = crawl.check(&format!(
        "--host http://a.example --url / --dialect {staying}"
    ));
    let text = ran.succeed().stdout;
    assert!(
        text.contains("access    status 301: full_disallow\n"),
        "{text}"
    );
    let text = crawl.check("--host old.example").succeed().stdout;
    assert!(text.contains("redirect  not_in_corpus, "), "{text}");
    let body = crawl
        .check("--host http://a.example --body")
        .succeed()
        .stdout;
    assert_eq!(body, BODY);
    fs::remove_file(crawl.0.path("census/_tables/redirects.json")).unwrap();
    let text = crawl
        .check("--host http://a.example --url /x")
        .succeed()
        .stdout;
    assert!(text.starts_with("verdict   undefined\n"), "{text}");
    assert!(
        text.contains("redirect  unknown: the dataset has no table redirects"),
        "{text}"
    );
}

#[test]
fn an_archive_that_is_absent_or_changed_is_one_sentence() {
    let records = records();
    let archive: Vec<u8> = records.concat();
    let offset = records[..3].concat().len();
    let changes: [(&str, fn(&mut Vec<u8>, usize, &[Vec<u8>]), &str); 7] = [
        (
            "another body of the same length",
            |bytes, offset, records| bytes[offset + records[3].len() - 6] = b'9',
            "but found ",
        ),
        (
            "a body that is longer",
            |bytes, offset, records| {
                bytes.splice(
                    offset + records[3].len() - 4..offset + records[3].len() - 4,
                    *b"#",
                );
            },
            "but found ",
        ),
        (
            "a record less in front of it",
            |bytes, _, records| drop(bytes.drain(..records[0].len())),
            "found no response there",
        ),
        (
            "another record there",
            |bytes, offset, records| {
                bytes.splice(offset..offset + records[3].len(), records[5].clone());
            },
            "found a response of https://h5.example/robots.txt",
        ),
        (
            "a shorter file",
            |bytes, offset, _| bytes.truncate(offset),
            "found no response there",
        ),
        (
            "an empty file",
            |bytes, _, _| bytes.clear(),
            "found no response there",
        ),
        (
            "no archive",
            |bytes, _, _| bytes.fill(b'x'),
            "found no response there",
        ),
    ];
    for (name, change, says) in changes {
        let crawl = Crawl::of(&[("a.warc", &archive)]);
        crawl.rewrite("a.warc", |bytes| change(bytes, offset, &records));
        let place = format!("crawl/a.warc: offset {offset}: expected the body of the capture ");
        println!("{name}");
        crawl
            .check("--host h3.example")
            .refuse(&[&place, says, "the archive is not as it was"]);
    }
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
    fs::create_dir_all(crawl.0.path("elsewhere/deep")).unwrap();
    fs::rename(
        crawl.0.path("crawl/a.warc"),
        crawl.0.path("elsewhere/deep/a.warc"),
    )
    .unwrap();
    crawl.check_in("elsewhere", "--host h3.example").succeed();
    crawl
        .check_in("elsewhere/deep/a.warc", "--host h3.example")
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
    let text = crawl.check("--host a.example --url /x").succeed().stdout;
    assert!(text.starts_with("verdict   disallow\n"), "{text}");
    assert!(
        text.contains("digest    the archive states another SHA-1"),
        "{text}"
    );
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
        let text = crawl.check("--host a.example --url /x").succeed().stdout;
        assert!(text.starts_with("verdict   disallow\n"), "{text}");
        assert!(text.contains(", cut off: limit\n"), "{text}");
        let text = crawl.check("--host a.example --url /late --dialect original-1994");
        let text = text.succeed().stdout;
        assert!(text.starts_with("verdict   allow\n"), "{text}");
    }
}

#[test]
fn bodies_are_decoded_as_the_run_did() {
    let packed = gzip(BODY.as_bytes());
    let mut record = response_with(
        "https://a.example/robots.txt",
        "Content-Encoding: gzip",
        "@@",
    );
    let at = record.windows(2).position(|two| two == b"@@").unwrap();
    record.splice(at..at + 2, packed.iter().copied());
    let text = String::from_utf8_lossy(&record).into_owned();
    let length = text
        .split("Content-Length: ")
        .nth(1)
        .unwrap()
        .split('\r')
        .next()
        .unwrap();
    let (old, new) = (
        format!("Content-Length: {length}"),
        format!(
            "Content-Length: {}",
            length.parse::<usize>().unwrap() + packed.len() - 2
        ),
    );
    let at = record
        .windows(old.len())
        .position(|part| part == old.as_bytes())
        .unwrap();
    record.splice(at..at + old.len(), new.bytes());
    let crawl = Crawl::of(&[("a.warc", &record)]);
    assert_eq!(
        crawl.check("--host a.example --body").succeed().stdout,
        BODY
    );
}

#[test]
fn words_that_name_no_capture_are_refused() {
    let archive = gzip(&response("https://a.example/robots.txt", BODY));
    let crawl = Crawl::of(&[("a.warc.gz", &archive)]);
    for (words, says) in [
        (
            "--host b.example",
            "there is no capture of the robots.txt of b.example",
        ),
        ("--host http://a.example", "of http://a.example:80"),
        (
            "--host a.example:8443",
            "expected a host such as example.com",
        ),
        (
            "--host a.example/robots.txt",
            "but found \"a.example/robots.txt\"",
        ),
        ("--host //", "expected a host"),
        ("--capture 7", "there is no capture 7"),
        ("--capture -7", "there is no capture -7"),
    ] {
        crawl.check(words).refuse(&[says]);
    }
    for words in [
        "--capture x",
        "",
        "--host a.example --capture 7",
        "--host a.example --status 200",
        "--host a.example --cases -",
        "--host a.example --robots-url /",
        "--host a.example robots.txt",
        "--host a.example --body --json",
    ] {
        let ran = crawl.check(words).end_with(2);
        assert!(
            ran.stdout.is_empty() && ran.stderr.contains("error: "),
            "{words}"
        );
    }
    let data = crawl.0.word("crawl");
    TestCommand::new([
        "check",
        "--data",
        &data,
        "--archives",
        &data,
        "--host",
        "a.example",
    ])
    .refuse(&["expected the folder of a dataset"]);
}

/// One row for each host: the capture that counts.
const PRIMARY: &str = "SELECT url_host_name, capture_id FROM hosts WHERE is_primary ORDER BY ALL";

#[test]
fn the_capture_of_a_host_is_that_of_the_view_hosts() {
    for (made, step) in [(generated(), 7), (committed(), 11)] {
        let data = &made.census.0;
        let Some(rows) = answer(data, PRIMARY, &[]) else {
            return;
        };
        let store = CaptureStore::open(data).unwrap();
        let hosts = column(&rows, "url_host_name");
        let ids = column(&rows, "capture_id");
        for (host, id) in hosts.into_iter().zip(ids).step_by(step) {
            let found = store.find(&CaptureSelector::Host(host.clone())).unwrap();
            assert_eq!(found.capture.id.to_string(), id, "{host}");
        }
    }
}

#[test]
fn a_redirect_ends_as_the_view_of_effective_captures_says() {
    let dir = Dir::new();
    let archive = generated().archive.to_str().unwrap();
    let data = dir.path("census");
    run(&[archive, "--out", &dir.word("census"), "--quiet"])
        .words(&["--dialects", &NAMES.join(",")])
        .end();
    let sql = "SELECT capture_id, dialect, redirect_access, effective_capture_id \
               FROM effective_captures WHERE redirect_outcome IS NOT NULL ORDER BY ALL";
    let Some(rows) = answer(&data, sql, &[]) else {
        return;
    };
    let dialects: BTreeMap<_, Dialect> = NAMES
        .iter()
        .map(|name| ((*name).to_owned(), builtin(name).unwrap()))
        .collect();
    let columns = [
        "capture_id",
        "dialect",
        "redirect_access",
        "effective_capture_id",
    ];
    let [ids, names, accesses, ends] = columns.map(|name| column(&rows, name));
    let mut n_ends = 0;
    for row in (0..rows.len()).step_by(3) {
        let dialect = &dialects[&names[row]];
        let found = found(&data, ids[row].parse().unwrap());
        let end = found.end(dialect);
        let access = dialect.access.decide(end.outcome);
        if accesses[row].is_empty() {
            assert_eq!(end.capture.id.to_string(), ends[row]);
            n_ends += 1;
        } else {
            let undefined = accesses[row] == "undefined" && access == Access::Redirect;
            assert!(
                undefined || access.as_str() == accesses[row],
                "{}",
                ids[row]
            );
        }
    }
    assert!(n_ends > 20, "{n_ends}");
}

#[test]
fn a_damaged_dataset_is_one_sentence_and_no_panic() {
    let records = records();
    let crawl = Crawl::of(&[("a.warc", &records.concat())]);
    let files: Vec<PathBuf> = ["captures", "redirects"]
        .iter()
        .map(|table| Census(crawl.0.path("census")).only_file(table))
        .collect();
    let mut random = robocensus::random::Random::new(7);
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
