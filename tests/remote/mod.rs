//! Archives behind HTTP(S): whatever the server does, the dataset is that of the same files.

mod bad;
mod credentials;
mod redirects;
pub mod server;
mod tls;
mod waits;

use std::path::Path;

use self::server::{Act, Object, Request, Server, etag};
use crate::util::{
    Census, Dir, Table, TestCommand, assert_same_files, assert_says, of_tables, response, sample,
};

/// What `archives` says of where the bytes came from.
const PROVENANCE: &str = "source_url source_etag source_modified request_count";

fn archive(seed: u64) -> Vec<u8> {
    sample(30 + seed % 5, seed)
}

/// Returns forty archives behind each other, which do not fit into the memory of tests.
fn long_archive() -> Vec<u8> {
    (0..40).flat_map(archive).collect()
}

/// Returns the table `archives` of a dataset.
fn rows_of(dir: &Dir, out: &str) -> Table {
    Census(dir.path(out)).table("archives")
}

/// Returns why an archive of a dataset is incomplete.
fn reason(dir: &Dir, out: &str, row: usize) -> String {
    let reasons = rows_of(dir, out).texts("incomplete_reason");
    reasons[row].clone().unwrap()
}

/// Runs over words into a folder, with short waits and without a proxy.
fn run(words: &[&str], out: &Path) -> TestCommand {
    TestCommand::new(["run", "--quiet", "--overwrite", "--out"])
        .words(&[out.to_str().unwrap()])
        .words(words)
        .env("ROBOCENSUS_READ_TIMEOUT", "2")
        .env("ROBOCENSUS_MAX_TRIES", "3")
        .env("NO_PROXY", "*")
}

/// Asserts that two datasets are the same, byte for byte; `archives` without its provenance, and
/// what manifests say of versions and sizes of files that have it.
fn assert_same(ours: &Path, theirs: &Path) {
    let [ours, theirs] = [ours, theirs].map(|folder| Census(folder.to_owned()));
    let [our_files, their_files] = [&ours, &theirs].map(|census| of_tables(census.files()));
    assert!(our_files.len() > 10);
    assert_same_files(&our_files, &their_files);
    let [our_rows, their_rows] = [ours, theirs].map(|census| census.table("archives"));
    let provenance: Vec<_> = PROVENANCE.split(' ').collect();
    our_rows.assert_same_without(&provenance, &their_rows);
}

/// Asserts that two datasets have the same rows.
fn assert_same_rows(ours: &Path, theirs: &Path) {
    let tables = Census(ours.to_owned()).tables();
    // The keys of vectors depend on the parts that have them.
    let keys = ["verdict_set_id", "policy_set_id"];
    let left_out: Vec<_> = PROVENANCE.split(' ').chain(keys).collect();
    assert!(tables.len() > 10);
    for table in tables {
        // A part has each vector once, so that their number depends on how archives are grouped.
        let table = table.replace("verdict_sets", "verdicts");
        let table = table.replace("policy_sets", "policies");
        let [ours, theirs] = [ours, theirs].map(|folder| Census(folder.to_owned()).table(&table));
        ours.assert_same_without(&left_out, &theirs);
    }
}

/// A server with some archives, and a dataset of the same files.
struct Both {
    dir: Dir,
    server: Server,
    names: Vec<String>,
}

impl Both {
    /// Puts archives on a server and into a folder, and makes the dataset `local` of the files.
    fn new(objects: Vec<Object>) -> Self {
        let (dir, server) = (Dir::new(), Server::start());
        let mut names = Vec::new();
        for (number, object) in objects.into_iter().enumerate() {
            let name = format!("{number:03}.warc.gz");
            dir.write(&format!("in/{name}"), &object.bytes);
            server.put(&format!("/x/{name}"), object);
            names.push(name);
        }
        let both = Self { dir, server, names };
        both.run_locally();
        both
    }

    fn run_locally(&self) {
        run(&[&self.dir.word("in")], &self.dir.path("local")).succeed();
    }

    fn urls(&self) -> Vec<String> {
        let url = |name| self.server.url(&format!("/x/{name}"));
        self.names.iter().map(url).collect()
    }

    /// Returns a run over the URLs with further words into `remote`.
    fn run(&self, words: &[&str]) -> TestCommand {
        run(words, &self.dir.path("remote")).words(&self.urls())
    }

    /// Runs over the URLs, which must succeed and make the dataset of the files.
    fn same(&self, words: &[&str]) {
        self.run(words).succeed();
        assert_same(&self.dir.path("remote"), &self.dir.path("local"));
    }

    /// Returns the requests for the bytes of an archive.
    fn requests(&self, number: usize) -> Vec<Request> {
        let path = format!("/x/{}", self.names[number]);
        self.server.requests("GET", &path)
    }

    /// Returns the table `archives` of the dataset of the URLs.
    fn rows(&self) -> Table {
        rows_of(&self.dir, "remote")
    }

    /// Asserts that the rows are those of the files.
    fn assert_same_rows(&self) {
        assert_same_rows(&self.dir.path("remote"), &self.dir.path("local"));
    }
}

/// Returns an archive of which the server states no version.
fn unversioned(seed: u64) -> Object {
    Object {
        etag: None,
        last_modified: None,
        ..Object::new(archive(seed))
    }
}

#[test]
fn one_request_brings_an_archive_and_its_row_says_where_from() {
    let both = Both::new(vec![Object::new(archive(1)), Object::new(archive(2))]);
    both.same(&["--threads", "2"]);
    assert_eq!([0, 1].map(|number| both.requests(number).len()), [1, 1]);
    let rows = both.rows();
    assert_eq!(rows.all_texts("source_url"), both.urls());
    assert_eq!(rows.all_texts("source_etag")[1], etag(&archive(2)));
    assert_eq!(rows.all_ints("source_modified"), [784_111_777_000_000; 2]);
    assert_eq!(rows.all_ints("request_count"), [1, 1]);
    let local = rows_of(&both.dir, "local");
    assert_eq!(local.lines(PROVENANCE), ["- - - 0"; 2]);
    let agents = both.server.requests("HEAD", "/x/000.warc.gz");
    assert!(agents[0].headers["user-agent"].starts_with("robocensus/"));
}

#[test]
fn a_download_that_is_cut_is_resumed_where_it_was_cut() {
    let half = |seed| archive(seed).len() / 2;
    // A proxy that loses its server ends the chunks as if all bytes were there; here that is also
    // the end of a member, so that only the size shows it.
    let two: Vec<u8> = (3..5).flat_map(archive).collect();
    let member = archive(3).len();
    let both = Both::new(vec![
        Object::new(archive(1)).script([Act::Cut(half(1))]),
        // A body that ends with the connection is shorter than was stated.
        Object::new(archive(2)).script([Act::NoLength(half(2))]),
        Object::new(two.clone()).script([Act::Chunked(member)]),
        Object::new(archive(5)).script([Act::Cut(0), Act::Stall(100)]),
        unversioned(6).script([Act::NoLength(half(6))]),
        Object::new(archive(7)).script([Act::NoLength(usize::MAX)]),
    ]);
    both.same(&[]);
    let n_requests = [2, 2, 2, 3, 2, 1];
    assert_eq!(both.rows().all_ints("request_count"), n_requests);
    for (number, cut) in [half(1), half(2), member].into_iter().enumerate() {
        let headers = &both.requests(number)[1].headers;
        assert_eq!(headers["range"], format!("bytes={cut}-"));
    }
    assert_eq!(both.requests(0)[1].headers["if-match"], etag(&archive(1)));
    // Nothing shows that the first is cut, and the second always is.
    let both = Both::new(vec![
        Object::new(archive(1)).always(Act::NoLength(half(1))),
        Object::new(two).script(std::iter::repeat_n(Act::Chunked(member), 9)),
        Object::new(archive(5)),
    ]);
    both.run(&[]).end_with(1);
    assert_eq!(both.requests(0).len(), 1);
    assert!(both.rows().all_ints("capture_count")[0] > 0);
    let is_complete = both.rows().all_bools("is_complete");
    assert_eq!(is_complete, [false, false, true]);
    assert_says(&reason(&both.dir, "remote", 1), "but the server sent");
}

#[test]
fn a_server_that_lies_about_ranges_gives_no_wrong_bytes() {
    let weak = |seed| Object {
        etag: Some("W/\"1\"".to_owned()),
        ..Object::new(archive(seed))
    };
    let both = Both::new(vec![
        Object::new(archive(1)).script([Act::Cut(500), Act::IgnoreRange]),
        Object::new(archive(2)).script([Act::Cut(500), Act::WrongRange]),
        weak(3).script([Act::Cut(500)]),
        unversioned(4).script([Act::Cut(500)]),
    ]);
    both.same(&[]);
    let second = |number: usize| both.requests(number)[1].headers.clone();
    assert!(second(2).contains_key("if-unmodified-since"));
    assert!(!second(3).contains_key("range"), "nothing identifies it");
}

#[test]
fn refusals_that_pass_are_waited_for() {
    let both = Both::new(vec![
        Object::new(archive(1)).script([Act::Refuse(503, "Retry-After: 2\r\n")]),
        Object::new(archive(2)).script([Act::Refuse(429, ""), Act::Refuse(500, "")]),
    ]);
    both.same(&[]);
    let requests = both.requests(0);
    let waited = requests[1].at.duration_since(requests[0].at).as_secs_f64();
    assert!(waited >= 1.9, "{waited}");
    let mut tries = both.requests(1);
    tries.extend(requests.into_iter().skip(1));
    tries.sort_by_key(|request| request.at);
    for pair in tries[1..].windows(2) {
        let wait = pair[1].at - pair[0].at;
        assert!(wait.as_secs_f64() > 0.9, "{wait:?}: one try a second");
    }
}

#[test]
fn an_archive_that_changes_is_downloaded_again_as_a_whole() {
    let both = Both::new(vec![
        Object::new(archive(1)).script([Act::Cut(500), Act::Replace(archive(2))]),
        Object::new(archive(3)).script([Act::Replace(archive(4))]),
    ]);
    both.run(&[]).succeed();
    both.dir.write("in/000.warc.gz", archive(2));
    both.dir.write("in/001.warc.gz", archive(4));
    both.run_locally();
    both.assert_same_rows();
    let rows = both.rows();
    let versions = [2, 4].map(|seed| etag(&archive(seed)));
    assert_eq!(rows.all_texts("source_etag"), versions);
}

/// An archive that does not fit into memory is read while it comes, so its part is built again.
#[test]
fn a_stream_is_not_read_again_where_an_archive_changes() {
    let long = long_archive();
    let changes = [Act::Cut(long.len() / 2), Act::Replace(archive(2))];
    let both = Both::new(vec![Object::new(long).script(changes)]);
    let ran = both.run(&["-", "--prefetch", "64K"]).stdin(archive(1));
    assert_says(&ran.end_with(2).stderr, "replaced this archive");
    assert!(!both.dir.path("remote/captures").exists());
}

#[test]
fn a_part_is_built_again_where_an_archive_changes_after_bytes_of_it_were_read() {
    let long = long_archive();
    let longer: Vec<u8> = (40..81).flat_map(archive).collect();
    let size = long.len();
    let both = Both::new(vec![
        Object::new(archive(1)),
        Object::new(long).script([Act::Cut(size / 2), Act::Replace(longer.clone())]),
    ]);
    both.run(&["--prefetch", "64K", "--threads", "2"]).succeed();
    both.dir.write("in/001.warc.gz", longer);
    both.run_locally();
    both.assert_same_rows();
}

#[test]
fn archives_without_a_length_or_that_do_not_fit_into_memory_are_read_while_they_come() {
    let long = long_archive();
    let both = Both::new(vec![
        Object::new(archive(1)).script([Act::Chunked(usize::MAX)]),
        Object::new(long.clone()),
        Object::new(long).script([Act::Cut(9_000), Act::Cut(70_000)]),
        Object::new(archive(2)),
    ]);
    both.same(&["--prefetch", "40K", "--threads", "3"]);
    both.same(&["--prefetch", "1", "--downloads", "1", "--threads", "2"]);
}

#[test]
fn a_length_that_no_archive_has_is_not_believed() {
    let most = i128::from(u64::MAX);
    for (length, code) in [(most, 1), (most - 2, 0), (1 << 51, 0), (-5, 1)] {
        let both = Both::new(vec![
            Object::new(archive(1)).always(Act::Length(length)),
            Object::new(archive(2)),
        ]);
        let begun = std::time::Instant::now();
        both.run(&[]).end_with(code);
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
        assert_eq!(both.rows().all_bools("is_complete"), [code == 0, true]);
        // The answer to a request for the rest says how long it is.
        if code == 0 {
            both.assert_same_rows();
        } else {
            let says = match length {
                -5 => "a header field that is not valid: invalid content-length",
                _ => "or a length that no file has",
            };
            assert_says(&reason(&both.dir, "remote", 0), says);
        }
    }
}

/// Offsets and lengths are those of the file, whatever a server does to its bytes on their way.
#[test]
fn a_transfer_that_is_compressed_has_the_offsets_of_the_file() {
    let urls = (0..400).map(|number| format!("https://{number}.example/robots.txt"));
    let records = urls.flat_map(|url| response(&url, "User-agent: *\nDisallow: /a\n"));
    let plain: Vec<u8> = records.collect();
    let (dir, server) = (Dir::new(), Server::start());
    dir.write("in/a.warc", &plain);
    dir.write("in/b.warc.gz", archive(1));
    run(&[&dir.word("in")], &dir.path("local")).succeed();
    server.put("/b.warc.gz", Object::new(archive(1)));
    let urls = ["/a.warc", "/b.warc.gz"].map(|path| server.url(path));
    for prefetch in ["1M", "1K"] {
        let object = Object::new(plain.clone()).script([Act::Gzip(2000), Act::Gzip(usize::MAX)]);
        server.put("/a.warc", object);
        let words = [&urls[0], &urls[1], "--prefetch", prefetch];
        run(&words, &dir.path("remote")).succeed();
        assert_same_rows(&dir.path("remote"), &dir.path("local"));
    }
}

#[test]
fn a_server_that_answers_no_head_is_asked_for_one_byte() {
    let mut object = Object::new(archive(1));
    object.has_no_head = true;
    let both = Both::new(vec![object]);
    both.same(&[]);
    let requests = both.requests(0);
    assert_eq!(requests[0].headers["range"], "bytes=0-0");
}

#[test]
fn lists_may_be_at_urls_and_hold_urls() {
    let dir = Dir::new();
    let server = Server::start();
    let name = "crawl-data/CC-MAIN-2025-05/segments/1.1/robotstxt/a.warc.gz";
    server.put(&format!("/base/{name}"), Object::new(archive(1)));
    let list = "/base/crawl-data/CC-MAIN-2025-05/robotstxt.paths.gz";
    server.put(list, Object::new(crate::util::gzip(name.as_bytes())));
    dir.write(&format!("in/{name}"), archive(1));
    run(&[&dir.word("in")], &dir.path("local")).succeed();
    let of_url = format!("@{}", server.url(list));
    run(&[&of_url], &dir.path("remote")).succeed();
    assert_same(&dir.path("remote"), &dir.path("local"));
    let url = server.url(&format!("/base/{name}"));
    let of_file = dir.write("list", format!("# one\n{url}?key=secret\n"));
    run(&[&format!("@{of_file}")], &dir.path("remote")).succeed();
    assert_same(&dir.path("remote"), &dir.path("local"));
    let urls = rows_of(&dir, "remote").all_texts("source_url");
    assert_eq!(urls, [format!("{url}?...")]);
}

#[test]
fn a_run_is_resumed_with_the_same_versions_only() {
    let both = Both::new(vec![Object::new(archive(1))]);
    both.same(&[]);
    let out = both.dir.word("remote");
    let resume = || {
        TestCommand::new(["run", "--quiet", "--resume", "--out", &out])
            .words(&both.urls())
            .env("NO_PROXY", "*")
    };
    resume().succeed();
    assert_eq!(both.requests(0).len(), 1);
    let mut other = Object::new(archive(1));
    other.etag = Some("\"2\"".to_owned());
    both.server.put("/x/000.warc.gz", other);
    resume().refuse(&["was the version", "\"2\" now"]);
}
