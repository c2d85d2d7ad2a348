//! Runs over the records that an index names: their rows are those of whole archives, and what the
//! index states wrongly is counted.

use std::fs;

use robocensus::sample::random::Random;

use crate::{
    damage::contents_of_members,
    remote::server::{Act, Object, Server},
    util::{
        Census, Dir, TestCommand, assert_says, client, gzip, or_skip, package, response,
        rows_of_duckdb, run, sample,
    },
};

/// What `archives` says of how much was read, and of where it came from.
const OF_READING: &str = "bytes range_count bytes_not_asked archive_sha1 member_bytes \
                          bytes_skipped record_count options_digest error_count";
const OF_SOURCE: &str = "source_url source_etag source_modified request_count";

/// Archives of a crawl below the folder `base`, and on a server below `/mirror/`.
struct Crawl {
    dir: Dir,
    server: Server,
    /// Their names.
    archives: Vec<String>,
}

impl Crawl {
    /// Returns two archives of compressed records, and one of others.
    fn new() -> Self {
        let [one, two, three] = [1, 2, 3].map(|seed| sample(60, seed));
        let plain = contents_of_members(&three).unwrap().concat();
        Self::of([one, two, plain])
    }

    fn of<const N: usize>(archives: [Vec<u8>; N]) -> Self {
        let (dir, server) = (Dir::new(), Server::start());
        let archives = archives.into_iter().enumerate().map(|(number, bytes)| {
            let folder = "crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt";
            let name = format!("{folder}/CC-{number}.warc.gz");
            dir.write(&format!("base/{name}"), &bytes);
            server.put(&format!("/mirror/{name}"), Object::new(bytes));
            name
        });
        let archives = archives.collect();
        Self {
            dir,
            server,
            archives,
        }
    }

    /// Reads whole archives into `whole`, and returns the rows of an index of all captures.
    fn rows(&self) -> Vec<String> {
        let (base, out) = (self.dir.word("base"), self.dir.word("whole"));
        run(&[&base, "--quiet", "--out", &out]).succeed();
        let captures = self.census("whole").table("captures");
        let rows = captures.lines("warc_filename warc_record_offset warc_record_length");
        rows.iter().map(|row| row.replace(' ', ",")).collect()
    }

    /// Writes an index as CSV.
    fn index(&self, name: &str, rows: &[String]) -> String {
        let header = "warc_filename,warc_record_offset,warc_record_length";
        let text = format!("{header}\n{}\n", rows.join("\n"));
        self.dir.write(name, text)
    }

    /// Returns a run over an index of the folder.
    fn of_folder(&self, index: &str, out: &str) -> TestCommand {
        self.run(index, &self.dir.word("base"), out)
    }

    fn of_server(&self, index: &str, out: &str) -> TestCommand {
        self.run(index, &self.server.url("/mirror"), out)
    }

    fn run(&self, index: &str, base: &str, out: &str) -> TestCommand {
        run(&["--records", index, "--crawl-base", base, "--quiet"])
            .words(&["--out", &self.dir.word(out)])
            .env("NO_PROXY", "127.0.0.1")
            .env("ROBOCENSUS_READ_TIMEOUT", "0.5")
            .env("ROBOCENSUS_MAX_TRIES", "2")
    }

    fn census(&self, out: &str) -> Census {
        Census(self.dir.path(out))
    }

    /// Returns the rows of `archive_errors`, as offset and code.
    fn faults(&self, out: &str) -> Vec<String> {
        let errors = self.census(out).table("archive_errors");
        errors.lines("byte_offset code")
    }
}

/// Asserts that two datasets have the same rows, but for how much was read.
fn assert_same_rows(ours: &Census, theirs: &Census) {
    let tables = ours.tables();
    assert!(tables.len() > 15, "{tables:?}");
    for name in tables.iter().filter(|name| *name != "archive_skips") {
        let [ours, theirs] = [ours, theirs].map(|census| census.table(name));
        let of_archives = OF_READING.split(' ').chain(OF_SOURCE.split(' '));
        let left_out: Vec<_> = of_archives.filter(|_| name == "archives").collect();
        ours.assert_same_without(&left_out, &theirs);
    }
}

#[test]
fn the_rows_are_those_of_whole_archives() {
    let crawl = Crawl::new();
    let mut rows = crawl.rows();
    let whole = crawl.census("whole");
    let sorted = crawl.index("sorted.csv", &rows);
    // In another order, some of them twice, and in another format.
    rows.reverse();
    rows.extend_from_within(..7);
    let again = fs::read_to_string(crawl.index("again.csv", &rows)).unwrap();
    let again = again.lines().map(|line| line.replace(',', "\t") + "\tx\n");
    let again = crawl.dir.write("again.tsv", again.collect::<String>());
    let alone = crawl.of_folder(&sorted, "folder");
    alone.words(&["--threads", "1"]).succeed();
    let ours = crawl.census("folder");
    assert_same_rows(&ours, &whole);
    TestCommand::new(["verify", &crawl.dir.word("folder")]).succeed();
    let ran = crawl.of_folder(&again, "again").words(&["--threads", "3"]);
    let stderr = ran.succeed().stderr;
    let says = "again.tsv: 7 lines name a range that is named before, which is read once";
    assert!(stderr.contains(says), "{stderr}");
    assert!(crawl.census("again").files() == ours.files());
    // Whatever else the bytes are for, they are of the file.
    let archives = ours.table("archives");
    for (row, name) in archives.all_texts("warc_filename").into_iter().enumerate() {
        let size = fs::metadata(crawl.dir.path(&format!("base/{name}"))).unwrap();
        let of = |column| archives.all_ints(column)[row];
        assert_eq!(of("bytes") + of("bytes_not_asked"), size.len() as i64);
        assert_eq!(of("bytes"), of("member_bytes") + of("bytes_skipped"));
        assert_eq!(of("range_count"), of("record_count"));
        assert!(of("bytes_not_asked") > 0 && of("range_count") >= 60);
    }
    for (out, words) in [
        ("one", ["--downloads", "1", "--prefetch", "1K"]),
        ("two", ["--downloads", "2", "--threads", "2"]),
    ] {
        crawl.of_server(&again, out).words(&words).succeed();
        let theirs = crawl.census(out);
        assert_same_rows(&theirs, &ours);
        let theirs = theirs.table("archives");
        for column in OF_READING.split(' ') {
            assert_eq!(theirs.shown(column), archives.shown(column), "{column}");
        }
        // All ranges are near one another.
        assert_eq!(theirs.all_ints("request_count"), [1, 1, 1]);
    }
    let requests = crawl.server.all_requests();
    assert!(requests.iter().all(|r| r.headers.contains_key("range")));
    assert_eq!(requests.len(), 6, "no server is asked for sizes");
}

#[test]
fn what_an_index_states_wrongly_is_counted_where_it_is() {
    let robots = "https://a.example.com/robots.txt";
    // Noise does not deflate, so that what lies behind it is far.
    let mut random = Random::new(1);
    let far: String = (0..10_000)
        .map(|_| format!("{:x}", random.bits()))
        .collect();
    let other = String::from_utf8(response(robots, &far)).unwrap();
    let other = other.replace("Type: response", "Type: metadata");
    let short = gzip(&response(robots, ""));
    let members = [&short, &gzip(other.as_bytes()), &short, &short];
    let crawl = Crawl::of([members.map(Vec::as_slice).concat()]);
    let name = &crawl.archives[0];
    let mut size = 0;
    let [first, other, third, last] = members.map(|member| {
        size += member.len();
        (size - member.len(), member.len())
    });
    assert!(other.1 > 64 * 1024, "{}", other.1);
    let index = |rows: &[(usize, usize)]| {
        let rows = rows.iter();
        let rows: Vec<_> = rows.map(|(at, n)| format!("{name},{at},{n}")).collect();
        crawl.index("index.csv", &rows)
    };
    let differs = "index_differs";
    for (rows, captures, faults) in [
        (vec![first, last], 2, &[][..]),
        (vec![first, (size, 5)], 1, &[(size, differs)]),
        (vec![(size + 9, 5)], 0, &[(size + 9, differs)]),
        (vec![(last.0, last.1 + 1)], 1, &[(last.0, differs)]),
        (
            vec![(first.0, first.1 - 1), last],
            1,
            &[(0, "member_truncated"), (0, differs)],
        ),
        (
            vec![(first.0 + 7, 9)],
            0,
            &[(7, "not_an_archive"), (7, differs)],
        ),
        (vec![(third.0, third.1 + last.1)], 2, &[(third.0, differs)]),
        (vec![other, last], 1, &[]),
        // Those that overlap are one range, of which two records are expected.
        (vec![first, (first.0 + 5, 3)], 1, &[(0, differs)]),
    ] {
        let faults = faults.iter().map(|(at, code)| format!("{at} {code}"));
        let faults: Vec<_> = faults.collect();
        let index = index(&rows);
        let code = i32::from(!faults.is_empty());
        for (out, run) in [
            ("folder", crawl.of_folder(&index, "folder")),
            ("server", crawl.of_server(&index, "server")),
        ] {
            run.words(&["--overwrite"]).end_with(code);
            let table = crawl.census(out).table("archives");
            assert_eq!(table.all_ints("capture_count"), [captures], "{rows:?}");
            assert_eq!(crawl.faults(out), faults, "{rows:?} {out}");
            TestCommand::new(["verify", &crawl.dir.word(out)]).succeed();
        }
    }
    // The first and the last are too far from one another for one request.
    let index = index(&[last, first]);
    crawl.of_server(&index, "far").succeed();
    let requests = crawl.census("far").table("archives");
    assert_eq!(requests.all_ints("request_count"), [2]);
    let requests = crawl.server.all_requests();
    let [one, two] = [2, 1].map(|from_end| &requests[requests.len() - from_end].headers);
    let range = |(at, n): (usize, usize)| format!("bytes={at}-{}", at + n - 1);
    assert_eq!(
        [&one["range"], &two["range"]],
        [&range(first), &range(last)]
    );
    assert!(!one.contains_key("if-match") && two.contains_key("if-match"));
}

#[test]
fn a_server_that_cannot_send_parts_or_fails_makes_an_archive_incomplete() {
    let crawl = Crawl::new();
    let index = crawl.index("index.csv", &crawl.rows());
    let [first, second, _] = &crawl.archives[..] else {
        panic!("{:?}", crawl.archives)
    };
    let bytes = fs::read(crawl.dir.path(&format!("base/{first}"))).unwrap();
    let put = |object| crawl.server.put(&format!("/mirror/{first}"), object);
    let of = |act| Object::new(bytes.clone()).always(act);
    put(of(Act::IgnoreRange));
    let ran = crawl.of_server(&index, "ignored").end_with(1);
    let says = "expected a part of the file, but the server sends all of it, so that records cannot be read by an index; read the whole archive";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    let table = crawl.census("ignored").table("archives");
    assert_eq!(table.all_bools("is_complete"), [false, true, true]);
    assert_eq!(table.ints("bytes_not_asked")[0], None);
    put(of(Act::Refuse(404, "")));
    let ran = crawl.of_server(&index, "absent").end_with(1);
    assert!(ran.stderr.contains(first), "{}", ran.stderr);
    assert_eq!(crawl.faults("absent"), ["0 open_failed"]);
    // Cut once and again, the ranges are read from where they were cut.
    put(Object::new(bytes.clone()).script([Act::Cut(3_000), Act::Cut(4_000)]));
    crawl.of_server(&index, "cut").succeed();
    crawl.of_folder(&index, "folder").succeed();
    assert_same_rows(&crawl.census("cut"), &crawl.census("folder"));
    fs::remove_file(crawl.dir.path(&format!("base/{second}"))).unwrap();
    crawl.of_folder(&index, "gone").end_with(1);
    assert_eq!(crawl.faults("gone"), ["0 open_failed"]);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let crawl = Crawl::new();
    let rows = crawl.rows();
    let index = crawl.index("index.csv", &rows);
    let base = crawl.dir.word("base");
    let both = [base.as_str(), "--records", &index, "--out", "x"];
    run(&both).refuse(&["expected either inputs or the records of an index, but found both"]);
    let bad = crawl.index("bad.csv", &["../a,0,1".to_owned()]);
    let says = "bad.csv: line 2: expected the path of an archive below the base of crawls, but found \"../a\"";
    crawl.of_folder(&bad, "census").refuse(&[says]);
    // A dataset has one version of what is read of an archive, and says that an index named it.
    crawl.of_folder(&index, "census").succeed();
    let fewer = crawl.index("fewer.csv", &rows[1..]);
    let join = crawl.of_folder(&fewer, "census").words(&["--join"]);
    join.refuse(&["CC-0.warc.gz was read by the ranges of an index, which are others now"]);
    // Nor does a whole archive join it, be it one of the index or another.
    let other = response("http://a.example/robots.txt", "");
    let other = crawl.dir.write("other.warc", other);
    for whole in [base, other] {
        let whole = run(&[&whole]).words(&["--join", "--out", &crawl.dir.word("census")]);
        whole.refuse(&["records is \"of an index\" there and not set here"]);
    }
    let description = fs::read_to_string(crawl.dir.path("census/_dataset.json")).unwrap();
    assert_says(&description, "\"records\": \"of an index\"");
}

#[test]
fn the_documented_sql_selects_the_records_of_a_cohort() {
    or_skip!(client());
    let crawl = Crawl::new();
    crawl.rows();
    let (base, whole) = (crawl.dir.word("base"), crawl.dir.word("whole"));
    let index = "index/crawl=CC-MAIN-2026-05/subset=robotstxt";
    fs::create_dir_all(crawl.dir.path(index)).unwrap();
    let part = crawl.dir.word(&format!("{index}/part-0.parquet"));
    let captures = format!("'{whole}/captures/**/*.parquet'");
    // Of the columns of the index those that the SQL names.
    rows_of_duckdb(&format!(
        "COPY (SELECT url_host_name, url_host_registered_domain, warc_filename, \
         warc_record_offset, warc_record_length FROM {captures}) TO '{part}'; SELECT 1"
    ));
    let domains = format!(
        "SELECT DISTINCT url_host_registered_domain AS domain FROM {captures} \
         WHERE domain IS NOT NULL ORDER BY ALL LIMIT 5"
    );
    let panel = crawl.dir.word("panel.csv");
    rows_of_duckdb(&format!("COPY ({domains}) TO '{panel}' (HEADER); SELECT 1"));
    let page = fs::read_to_string(package().join("docs/history.md")).unwrap();
    let sql = page.split("    COPY (").nth(1).unwrap();
    let sql = format!("COPY ({}", sql.split(';').next().unwrap());
    let records = crawl.dir.word("records.parquet");
    let index = crawl.dir.word("index");
    let sql = sql.replace("s3://commoncrawl/cc-index/table/cc-main/warc", &index);
    let sql = sql.replace("panel.csv", &panel);
    let sql = sql.replace("records.parquet", &records);
    assert!(sql.contains(&index) && sql.contains(&records), "{sql}");
    rows_of_duckdb(&format!("{sql}; SELECT 1"));
    let of_cohort = ["--cohort", panel.as_str()];
    let read = crawl.of_folder(&records, "census").words(&of_cohort);
    read.succeed();
    let out = crawl.dir.word("cohort");
    let read = run(&[&base, "--quiet", "--out", &out]).words(&of_cohort);
    read.succeed();
    let texts = |out: &str| {
        let captures = crawl.census(out).table("captures");
        captures.rows::<(String, String, i64)>("url url_host_name capture_id")
    };
    let (ours, theirs) = (texts("census"), texts("cohort"));
    // Of other hosts those alone are missing to which redirects lead.
    assert!(ours.iter().all(|row| theirs.contains(row)) && ours.len() >= 5);
    let domains = fs::read_to_string(&panel).unwrap();
    let is_below = |host: &str, domain| format!(".{host}").ends_with(&format!(".{domain}"));
    let is_of = |host: &str| domains.lines().any(|domain| is_below(host, domain));
    let of_cohort = theirs.iter().filter(|(_, host, _)| is_of(host));
    assert_eq!(ours.len(), of_cohort.count());
}
