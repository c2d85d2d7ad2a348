//! Runs over the records that an index names: their rows are those of whole archives, and what the
//! index states wrongly is counted.

use std::{collections::BTreeMap, fs, io::Read};

use flate2::bufread::GzDecoder;

use crate::{
    remote::server::{Act, Object, Server},
    util::{
        Census, Dir, TestCommand, assert_says, client, gzip, or_skip, package, response,
        rows_of_duckdb, run, sample,
    },
};

/// The columns of the columnar index of Common Crawl.
const SCHEMA: &str = "url_surtkey,url,url_host_name,url_host_tld,url_host_2nd_last_part,\
    url_host_3rd_last_part,url_host_4th_last_part,url_host_5th_last_part,url_host_registry_suffix,\
    url_host_registered_domain,url_host_private_suffix,url_host_private_domain,\
    url_host_name_reversed,url_protocol,url_port,url_path,url_query,fetch_time,fetch_status,\
    fetch_redirect,content_digest,content_mime_type,content_mime_detected,content_charset,\
    content_languages,content_truncated,warc_filename,warc_record_offset,warc_record_length,\
    warc_segment";

/// What `archives` says of how much was read, and of where it came from.
const OF_READING: [&str; 13] = [
    "bytes",
    "range_count",
    "bytes_not_asked",
    "archive_sha1",
    "member_bytes",
    "bytes_skipped",
    "record_count",
    "source_url",
    "source_etag",
    "source_modified",
    "request_count",
    "options_digest",
    "error_count",
];

/// Two archives of a crawl below the folder `base`, and on a server below `/mirror/`.
struct Crawl {
    dir: Dir,
    server: Server,
    /// Names, with the offset, length and first bytes of each member.
    archives: BTreeMap<String, Vec<(usize, usize, String)>>,
}

impl Crawl {
    fn new() -> Self {
        Self::of((1..=2).map(|seed| sample(60, seed)))
    }

    fn of(archives: impl Iterator<Item = Vec<u8>>) -> Self {
        let (dir, server) = (Dir::new(), Server::start());
        let archives = archives.enumerate().map(|(number, bytes)| {
            let folder = "crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt";
            let name = format!("{folder}/CC-{number}.warc.gz");
            dir.write(&format!("base/{name}"), &bytes);
            let members = members(&bytes);
            server.put(&format!("/mirror/{name}"), Object::new(bytes));
            (name, members)
        });
        let archives = archives.collect();
        Self {
            dir,
            server,
            archives,
        }
    }

    /// Returns the rows of an index of all responses.
    fn rows(&self) -> Vec<String> {
        let archives = self.archives.iter();
        let rows = archives.flat_map(|(name, members)| {
            let responses = members.iter();
            let responses = responses.filter(|(.., text)| text.contains("WARC-Type: response"));
            responses.map(move |(offset, length, _)| format!("{name},{offset},{length}"))
        });
        rows.collect()
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
    fn faults(&self, out: &str) -> Vec<(i64, String)> {
        let errors = self.census(out).table("archive_errors");
        errors.rows("byte_offset code")
    }
}

/// Returns the gzip members of an archive.
fn members(bytes: &[u8]) -> Vec<(usize, usize, String)> {
    let (mut members, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let mut rest = &bytes[at..];
        let mut content = Vec::new();
        GzDecoder::new(&mut rest).read_to_end(&mut content).unwrap();
        let length = bytes.len() - at - rest.len();
        content.truncate(200);
        members.push((at, length, String::from_utf8_lossy(&content).into_owned()));
        at += length;
    }
    members
}

/// Asserts that two datasets have the same rows, but for how much was read.
fn assert_same_rows(ours: &Census, theirs: &Census) {
    let tables = ours.tables();
    assert!(tables.len() > 15, "{tables:?}");
    for name in tables.iter().filter(|name| *name != "archive_skips") {
        let [ours, theirs] = [ours, theirs].map(|census| census.table(name));
        let left_out: &[&str] = match name.as_str() {
            "archives" => &OF_READING,
            _ => &[],
        };
        ours.assert_same_without(left_out, &theirs);
    }
}

#[test]
fn the_rows_are_those_of_whole_archives() {
    let crawl = Crawl::new();
    let base = crawl.dir.word("base");
    run(&[&base, "--quiet", "--out", &crawl.dir.word("whole")]).succeed();
    let whole = crawl.census("whole");
    let mut rows = crawl.rows();
    let sorted = crawl.index("sorted.csv", &rows);
    // In another order, some of them twice, and in another format.
    rows.reverse();
    rows.extend_from_within(..7);
    let again = crawl.index("again.csv", &rows);
    crawl
        .of_folder(&sorted, "folder")
        .words(&["--threads", "1"])
        .succeed();
    let ours = crawl.census("folder");
    assert_same_rows(&ours, &whole);
    TestCommand::new(["verify", &crawl.dir.word("folder")]).succeed();
    let ran = crawl.of_folder(&again, "again").words(&["--threads", "3"]);
    let stderr = ran.succeed().stderr;
    let says = "again.csv: 7 lines name a range that is named before, which is read once";
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
        for column in OF_READING
            .iter()
            .filter(|name| !name.starts_with("source_"))
        {
            if *column != "request_count" {
                assert_eq!(theirs.shown(column), archives.shown(column), "{column}");
            }
        }
        // All ranges are near one another.
        assert_eq!(theirs.all_ints("request_count"), [1, 1]);
    }
    let requests = crawl.server.all_requests();
    assert!(requests.iter().all(|r| r.headers.contains_key("range")));
    assert_eq!(requests.len(), 4, "no server is asked for sizes");
}

#[test]
fn what_an_index_states_wrongly_is_counted_where_it_is() {
    let robots = "https://a.example.com/robots.txt";
    let mut seed = 1_u32;
    let noise = |_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'0' + (seed >> 26) as u8)
    };
    let far: String = (0..150_000).map(noise).collect();
    let other = String::from_utf8(response(robots, &far)).unwrap();
    let other = other.replace("Type: response", "Type: metadata");
    let other = other.into_bytes();
    let [first, third, last] = [0, 1, 2].map(|_| response(robots, ""));
    let records = [first, other, third, last];
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let crawl = Crawl::of([members.concat()].into_iter());
    let (name, members) = crawl.archives.first_key_value().unwrap();
    let [first, other, third, last] = [0, 1, 2, 3].map(|n| (members[n].0, members[n].1));
    let size = last.0 + last.1;
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
        let faults: Vec<_> = faults
            .iter()
            .map(|&(at, code)| (at as i64, code.to_owned()))
            .collect();
        let index = index(&rows);
        let code = i32::from(!faults.is_empty());
        for out in ["folder", "server"] {
            let run = match out {
                "folder" => crawl.of_folder(&index, out),
                _ => crawl.of_server(&index, out),
            };
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
    let ranges = requests[requests.len() - 2..].iter();
    let ranges: Vec<_> = ranges
        .map(|r| {
            (
                r.headers["range"].clone(),
                r.headers.contains_key("if-match"),
            )
        })
        .collect();
    let range = |(at, n): (usize, usize)| format!("bytes={at}-{}", at + n - 1);
    assert_eq!(ranges, [(range(first), false), (range(last), true)]);
}

#[test]
fn a_server_that_cannot_send_parts_or_fails_makes_an_archive_incomplete() {
    let crawl = Crawl::new();
    let index = crawl.index("index.csv", &crawl.rows());
    let mut names = crawl.archives.keys();
    let (first, second) = (names.next().unwrap(), names.next().unwrap());
    let bytes = fs::read(crawl.dir.path(&format!("base/{first}"))).unwrap();
    let at = |name: &String| format!("/mirror/{name}");
    let of = |act| Object::new(bytes.clone()).always(act);
    crawl.server.put(&at(first), of(Act::IgnoreRange));
    let ran = crawl.of_server(&index, "ignored").end_with(1);
    let says = "expected a part of the file, but the server sends all of it, so that records cannot be read by an index; read the whole archive";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    let table = crawl.census("ignored").table("archives");
    assert_eq!(table.all_bools("is_complete"), [false, true]);
    assert_eq!(table.ints("bytes_not_asked")[0], None);
    crawl.server.put(&at(first), of(Act::Refuse(404, "")));
    let ran = crawl.of_server(&index, "absent").end_with(1);
    assert!(ran.stderr.contains(first), "{}", ran.stderr);
    assert_eq!(crawl.faults("absent"), [(0, "open_failed".to_owned())]);
    // Cut once and again, the ranges are read from where they were cut.
    let cut = Object::new(bytes.clone()).script([Act::Cut(3_000), Act::Cut(4_000)]);
    crawl.server.put(&at(first), cut);
    crawl.of_server(&index, "cut").succeed();
    crawl.of_folder(&index, "folder").succeed();
    assert_same_rows(&crawl.census("cut"), &crawl.census("folder"));
    fs::remove_file(crawl.dir.path(&format!("base/{second}"))).unwrap();
    crawl.of_folder(&index, "gone").end_with(1);
    assert_eq!(crawl.faults("gone"), [(0, "open_failed".to_owned())]);
}

#[test]
fn records_that_are_not_compressed_are_read_too() {
    let dir = Dir::new();
    let records = ["a", "b", "c"].map(|host| {
        let url = format!("https://{host}.example.com/robots.txt");
        response(&url, "User-agent: *\nDisallow: /\n")
    });
    dir.write("base/plain.warc", records.concat());
    let [first, second, _] = records.map(|record| record.len());
    let index = format!(
        "warc_filename\twarc_record_offset\twarc_record_length\tx\nplain.warc\t{first}\t{second}\tx\n"
    );
    let index = dir.write("index.tsv", index);
    let (base, out) = (dir.word("base"), dir.word("census"));
    run(&["--records", &index, "--crawl-base", &base, "--out", &out]).succeed();
    run(&[&base, "--out", &dir.word("whole")]).succeed();
    let [ours, whole] = ["census", "whole"].map(|out| Census(dir.path(out)).table("captures"));
    assert_eq!(ours.n_rows(), 1);
    for column in [
        "capture_id",
        "warc_record_offset",
        "warc_record_length",
        "url",
        "line_count",
    ] {
        assert_eq!(ours.shown(column)[0], whole.shown(column)[1], "{column}");
    }
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
    let other = crawl.dir.write("other.csv", "warc_filename,offset\na,1\n");
    let says = "other.csv: expected a header with the columns warc_filename, warc_record_offset, warc_record_length, each once";
    crawl.of_folder(&other, "census").refuse(&[says]);
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
    let base = crawl.dir.word("base");
    let whole = crawl.dir.word("whole");
    run(&[&base, "--quiet", "--out", &whole]).succeed();
    // The columns that captures have, the others as text without a value.
    let columns = SCHEMA.split(',').map(|name| match name {
        "url" | "url_host_name" | "url_host_registered_domain" | "fetch_time" | "warc_filename" => {
            name.to_owned()
        }
        "warc_record_offset" | "warc_record_length" => format!("{name}::INT AS {name}"),
        _ => format!("NULL::VARCHAR AS {name}"),
    });
    let columns = columns.collect::<Vec<_>>().join(", ");
    let index = "index/crawl=CC-MAIN-2026-05/subset=robotstxt";
    fs::create_dir_all(crawl.dir.path(index)).unwrap();
    let part = crawl.dir.word(&format!("{index}/part-0.parquet"));
    rows_of_duckdb(&format!(
        "COPY (SELECT {columns} FROM '{whole}/captures/**/*.parquet') TO '{part}'; SELECT 1"
    ));
    let domains = format!(
        "SELECT DISTINCT url_host_registered_domain AS domain FROM '{whole}/captures/**/*.parquet' WHERE domain IS NOT NULL ORDER BY ALL LIMIT 5"
    );
    let panel = crawl.dir.word("panel.csv");
    rows_of_duckdb(&format!("COPY ({domains}) TO '{panel}' (HEADER); SELECT 1"));
    let page = fs::read_to_string(package().join("docs/history.md")).unwrap();
    let sql = page.split("    COPY (").nth(1).unwrap();
    let sql = format!("COPY ({}", sql.split(';').next().unwrap());
    let records = crawl.dir.word("records.parquet");
    let sql = sql
        .replace(
            "s3://commoncrawl/cc-index/table/cc-main/warc",
            &crawl.dir.word("index"),
        )
        .replace("panel.csv", &panel)
        .replace("records.parquet", &records);
    let index = crawl.dir.word("index");
    assert!(sql.contains(&index) && sql.contains(&records), "{sql}");
    rows_of_duckdb(&format!("{sql}; SELECT 1"));
    let of_cohort = ["--cohort", panel.as_str()];
    crawl
        .of_folder(&records, "census")
        .words(&of_cohort)
        .succeed();
    run(&[&base, "--quiet", "--out", &crawl.dir.word("cohort")])
        .words(&of_cohort)
        .succeed();
    let texts = |out: &str| {
        let captures = crawl.census(out).table("captures");
        captures.rows::<(String, String, i64)>("url url_host_name capture_id")
    };
    let (ours, theirs) = (texts("census"), texts("cohort"));
    // Of other hosts those alone are missing to which redirects lead.
    assert!(ours.iter().all(|row| theirs.contains(row)) && ours.len() >= 5);
    let domains = fs::read_to_string(&panel).unwrap();
    let is_of = |host: &str| {
        domains
            .lines()
            .any(|domain| host == domain || host.ends_with(&format!(".{domain}")))
    };
    assert_eq!(
        ours.len(),
        theirs.iter().filter(|(_, host, _)| is_of(host)).count()
    );
}
