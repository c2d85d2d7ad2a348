//! `run --pages`: which responses become pages, and their rows.

mod cases;
mod robots;

use std::{collections::BTreeSet, fs, path::Path, thread, time::Duration};

use robocensus::{
    Config, Error, Progress, Summary,
    dataset::{
        sink::OpenMode,
        table::{PAGE_PART_TABLES, PAGE_TABLES, PART_TABLES},
        verify::{Violation, verify},
    },
};
use serde::Deserialize;
use serde_json::Value;

use crate::util::{Census, Dir, Held, TestCommand, assert_same_files, gzip, read_json, record};

const NOINDEX: &str =
    "<!doctype html><meta name=robots content=noindex><a rel=nofollow href=/>x</a>";

/// A response.
#[derive(Deserialize)]
struct Fetch {
    second: u32,
    url: String,
    status: u16,
    fields: Vec<String>,
    body: String,
}

/// An archive in the making.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    records: Vec<u8>,
}

impl Pages {
    /// Returns the responses of these lines of JSON.
    pub fn of(lines: &str) -> Self {
        let mut pages = Self::default();
        for line in lines.lines() {
            let fetch: Fetch = serde_json::from_str(line).unwrap();
            let Fetch { second, status, .. } = fetch;
            pages.fetch(second, &fetch.url, status, &fetch.fields, fetch.body);
        }
        pages
    }

    /// Adds a response that was fetched at that second of an hour, with these lines in its header.
    pub fn fetch(
        &mut self,
        second: u32,
        url: &str,
        status: u16,
        fields: &[impl AsRef<str>],
        body: impl AsRef<[u8]>,
    ) -> &mut Self {
        let (minutes, seconds) = (second / 60, second % 60);
        let date = format!("WARC-Date: 2026-01-02T03:{minutes:02}:{seconds:02}Z\r\n");
        self.record(&date, url, status, fields, body)
    }

    /// Adds a response with these lines in the header of its record.
    pub fn record(
        &mut self,
        lines: &str,
        url: &str,
        status: u16,
        fields: &[impl AsRef<str>],
        body: impl AsRef<[u8]>,
    ) -> &mut Self {
        let fields = fields.iter().map(|field| format!("{}\r\n", field.as_ref()));
        let fields: String = fields.collect();
        let head = format!("HTTP/1.1 {status} Said\r\n{fields}\r\n");
        let http = [head.as_bytes(), body.as_ref()].concat();
        self.records.extend(record(url, lines, http));
        self
    }

    /// Adds a robots.txt.
    pub fn robots(&mut self, second: u32, origin: &str, body: impl AsRef<[u8]>) -> &mut Self {
        let url = format!("{origin}/robots.txt");
        self.fetch(second, &url, 200, &["Content-Type: text/plain"], body)
    }

    /// Adds a page with a statement on itself.
    pub fn page(&mut self, second: u32, url: &str) -> &mut Self {
        self.fetch(second, url, 200, &["Content-Type: text/html"], NOINDEX)
    }

    pub fn held(&self, name: &str) -> Held {
        Held::new(name, self.records.clone())
    }

    pub fn write(&self, dir: &Dir, name: &str) -> String {
        dir.write(name, &self.records)
    }
}

/// Runs the library over archives.
fn run_over(dir: &Dir, out: &str, archives: &[Held], change: impl Fn(&mut Config)) -> Summary {
    let mut config = Config::new(dir.path(out));
    config.pages = true;
    change(&mut config);
    let archives: Vec<_> = archives.iter().cloned().map(Held::source).collect();
    let summary = when_free(|| robocensus::run(&config, &archives, &Progress::default()));
    if config.mode == OpenMode::New {
        Census(config.out).assert_counts(&summary.counts);
    }
    summary
}

/// Returns what is wrong with a dataset.
fn violations(folder: &Path) -> Vec<Violation> {
    when_free(|| verify(folder, &Progress::default())).violations
}

/// Does something with a dataset that this process has just written. A process that another test
/// starts meanwhile holds the lock of the folder for a moment.
fn when_free<T>(mut attempt: impl FnMut() -> Result<T, Error>) -> T {
    for _ in 0..100 {
        match attempt() {
            Ok(done) => return done,
            Err(error) if error.to_string().contains("another run") => {
                thread::sleep(Duration::from_millis(50));
            }
            Err(error) => panic!("{error}"),
        }
    }
    panic!("another run writes to the folder for seconds")
}

/// Returns text in UTF-16 with its mark.
fn utf16(text: &str) -> Vec<u8> {
    let units = [0xFEFF].into_iter().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// Returns an archive with responses of every kind.
fn of_every_kind() -> Pages {
    let (html, text) = ("Content-Type: text/html", "Content-Type: text/plain");
    let (page, wide) = (NOINDEX.as_bytes(), utf16(NOINDEX));
    let words = [b"Words first. ", page].concat();
    let mut pages = Pages::default();
    let mut second = 0;
    let mut fetch = |path: &str, status, field: &str, body: &[u8]| {
        let fields: Vec<_> = field.lines().collect();
        let scheme = if path.contains(':') { "" } else { "http://" };
        let url = format!("{scheme}{path}");
        pages.fetch(second, &url, status, &fields, body);
        second += 1;
    };
    let rules = b"User-agent: *\nDisallow: /x\n";
    fetch("a.example/robots.txt", 200, text, rules);
    fetch("a.example/robots.txt", 200, html, page);
    fetch("a.example/x", 200, html, page);
    fetch("a.example/404", 404, html, page);
    // The media type is that of the bytes, where these tell.
    fetch("a.example/text", 200, text, page);
    fetch("a.example/no", 200, text, b"no page\n");
    fetch("a.example/a.pdf", 200, "x-robots-tag: noindex", b"%PDF-1.4");
    fetch("a.example/b.pdf", 200, "TDM-Reservation: 1", b"%PDF-1.4");
    fetch("a.example/c.pdf", 200, html, b"%PDF-1.4");
    fetch("b.example/robots.txt", 302, "Location: /", b"");
    fetch("b.example/", 200, html, page);
    fetch("mailto:a@a.example", 200, "", page);
    // Where the bytes show text alone, the declared type counts.
    let declared = "Content-Type: Text/HTML; charset=utf-8";
    fetch("a.example/word", 200, declared, &words);
    let declared = "content-type: application/xhtml+xml";
    fetch("a.example/utf-16", 200, declared, &wide);
    pages
}

#[test]
fn html_and_headers_with_statements_are_pages() {
    let dir = Dir::new();
    let archives = [of_every_kind().held("a.warc")];
    let summary = run_over(&dir, "census", &archives, |_| {});
    let census = Census(dir.path("census"));
    let pages = census.table("pages");
    let rows = pages.lines("url is_html statement_count");
    let wanted = [
        "http://a.example/x true 2",
        "http://a.example/404 true 2",
        "http://a.example/text true 2",
        "http://a.example/a.pdf false 1",
        "http://a.example/b.pdf false 1",
        "http://b.example/ true 2",
        "http://a.example/word true 2",
        "http://a.example/utf-16 true 2",
    ];
    assert_eq!(rows, wanted);
    let encodings = pages.texts("encoding").into_iter();
    assert_eq!(encodings.flatten().count(), 6);
    assert_eq!(pages.sum("nofollow_link_count"), 6);
    // Where the redirect of a robots.txt leads is a capture too, under the same key.
    let keys = |table: &str, key: &str| {
        let mut rows: Vec<(String, i64)> = census.table(table).rows(&format!("url {key}"));
        rows.retain(|(url, _)| url == "http://b.example/");
        rows
    };
    assert_eq!(keys("pages", "page_id"), keys("captures", "capture_id"));
    assert_eq!(summary.counts.pages, 8);
    assert_eq!(summary.counts.pages_of_other_paths, 7);
    assert_eq!(summary.counts.page_statements, 14);
    // Every record is accounted for as in any run: pages are among those of other paths.
    let archives = census.table("archives");
    assert_eq!(archives.all_ints("record_count"), [14]);
    assert_eq!(archives.all_ints("capture_count"), [4]);
    let skipped = census.skipped().into_iter();
    let skipped: Vec<_> = skipped.map(|((_, reason), n)| (reason, n)).collect();
    let wanted = [("bad_target_uri", 1), ("not_robots_path", 9)];
    assert_eq!(skipped, wanted.map(|(reason, n)| (reason.to_owned(), n)));
    assert_eq!(violations(&census.0), []);
}

#[test]
fn without_the_option_nothing_changes() {
    let dir = Dir::new();
    let archives = [of_every_kind().held("a.warc")];
    run_over(&dir, "with", &archives, |_| {});
    run_over(&dir, "without", &archives, |config| config.pages = false);
    let [with, without] = ["with", "without"].map(|out| Census(dir.path(out)));
    for table in PAGE_TABLES {
        assert!(with.0.join(table.name).is_dir(), "{}", table.name);
        assert!(!without.0.join(table.name).exists(), "{}", table.name);
    }
    for table in PART_TABLES {
        let [ours, theirs] = [&with, &without].map(|census| census.table(table.name));
        ours.assert_same_without(&["options_digest", "tool_version"], &theirs);
    }
    let [with, mut without] = [with, without].map(|census| {
        let description: Value = read_json(census.0.join("_dataset.json"));
        let options = description["options"].as_object().unwrap();
        BTreeSet::from_iter(options.keys().cloned())
    });
    assert!(without.insert("pages".to_owned()));
    assert_eq!(with, without);
}

#[test]
fn a_dataset_has_pages_in_all_parts_or_in_none() {
    let dir = Dir::new();
    let archive = of_every_kind().write(&dir, "a.warc");
    for (first, then) in [(&["--pages"][..], &[][..]), (&[], &["--pages"])] {
        let out = dir.word(&format!("census{}", first.len()));
        let words = ["run", &archive, "--out", &out, "--quiet"];
        TestCommand::new(words).words(first).succeed();
        for mode in ["--join", "--resume"] {
            let again = TestCommand::new(words).words(&[mode]).words(then);
            // What is not asked for is as it was.
            if then.is_empty() {
                again.succeed();
            } else {
                again.refuse(&["pages is \"yes\" here and not set there"]);
            }
            let again = TestCommand::new(words).words(&[mode]);
            again.words(first).succeed();
        }
        let has_pages = || dir.path(&format!("census{}/pages", first.len())).exists();
        assert_eq!(has_pages(), then.is_empty());
        let over = TestCommand::new(words).words(&["--overwrite"]);
        over.words(then).succeed();
        assert_eq!(has_pages(), !then.is_empty());
    }
}

/// Returns archives that make several parts, and one that workers share in chunks.
fn several() -> Vec<Held> {
    let filler = "<p>text</p>".repeat(20_000);
    (0..5)
        .map(|number| {
            let mut pages = Pages::default();
            for host in 0..40 {
                let origin = format!("http://h{number}-{host}.example");
                let agent = ["*", "GPTBot", "Googlebot"][host % 3];
                let rules = format!("User-agent: {agent}\nDisallow: /{host}\n");
                pages.robots(0, &origin, rules);
                for page in 0..3_u32 {
                    let body = format!("{NOINDEX}<a rel=ugc>{page}</a>{filler}");
                    let url = format!("{origin}/{}", host + page as usize);
                    pages.fetch(page, &url, 200, &["X-Robots-Tag: gptbot: noarchive"], body);
                }
            }
            let mib = if number == 2 { 90 } else { 9 };
            pages.held(&format!("{number}.warc")).of_mib(mib)
        })
        .collect()
}

#[test]
fn the_bytes_do_not_depend_on_threads_nor_on_interruptions() {
    let dir = Dir::new();
    let archives = several();
    let change = |threads: usize, mode: OpenMode| {
        move |config: &mut Config| {
            config.threads = threads.try_into().unwrap();
            config.part_bytes = 32 << 20;
            config.mode = mode;
        }
    };
    let one = run_over(&dir, "1", &archives, change(1, OpenMode::New));
    run_over(&dir, "3", &archives, change(3, OpenMode::New));
    let [alone, shared] = ["1", "3"].map(|out| Census(dir.path(out)).files());
    assert!(one.parts > 1 && one.counts.pages == 600);
    for table in PAGE_PART_TABLES {
        let of_table = |name: &&String| name.starts_with(&format!("{}/", table.name));
        assert!(alone.keys().filter(of_table).count() as u64 >= one.parts);
    }
    assert_same_files(&shared, &alone);
    let mut parts = alone.keys().filter(|name| name.starts_with("pages/"));
    let part = parts.next().unwrap();
    fs::remove_file(dir.path("1").join(part)).unwrap();
    let found = violations(&dir.path("1"));
    assert!(found.iter().any(|one| one.path == *part), "{found:?}");
    let resumed = run_over(&dir, "1", &archives, change(2, OpenMode::Resume));
    assert_eq!(resumed.parts, 1);
    assert_same_files(&Census(dir.path("1")).files(), &alone);
}

#[test]
fn what_exceeds_a_limit_is_counted_or_flagged() {
    let statement = "<meta name=robots content=noindex>";
    let many = format!("<!doctype html>{}", statement.repeat(100_000));
    let deep = format!("<!doctype html>{}", "<div>".repeat(100_000));
    let x = "x".repeat(1 << 20);
    let long = format!("<!doctype html><meta name=robots content='noindex,{x}'>");
    let packed = gzip(format!("{NOINDEX}{}", "text ".repeat(10_000)).as_bytes());
    let mut pages = Pages::default();
    let klingon = ["Content-Type: text/html; charset=klingon"];
    let zipped = ["Content-Encoding: gzip", "X-Robots-Tag: none"];
    let cut = "<!doctype html><p><a href='x";
    // The field with the statement is beyond the bytes of a head that are read.
    let beyond = [
        &*format!("X-Long: {}", &x[..65_600]),
        "X-Robots-Tag: noindex",
    ];
    for (second, name, fields, body) in [
        (0, "many", &[][..], many.as_bytes()),
        (1, "deep", &[], deep.as_bytes()),
        (2, "long", &[], long.as_bytes()),
        (3, "cut", &[], cut.as_bytes()),
        (4, "label", &klingon, b"<!doctype html>"),
        (5, "gzip", &zipped, &packed[..packed.len() - 20]),
        (6, "head", &beyond, b"<!doctype html><p>"),
        (7, "head.pdf", &beyond, b"%PDF-1.4"),
        (8, "whole-head", &beyond[1..], b"<!doctype html><p>"),
        (9, "no-page.pdf", &["X-Long: x"], b"%PDF-1.4"),
    ] {
        let url = format!("http://a.example/{name}");
        pages.fetch(second, &url, 200, fields, body);
    }
    let dir = Dir::new();
    run_over(&dir, "census", &[pages.held("a.warc")], |config| {
        config.limits.body = 2 << 20;
    });
    let census = Census(dir.path("census"));
    let table = census.table("pages");
    let flags = "url has_too_many_statements is_nested_too_deep has_attribute_too_long \
                 has_unknown_encoding is_header_cut content_truncated";
    let wanted = [
        "http://a.example/many true false false false false limit",
        "http://a.example/deep false true false false false -",
        "http://a.example/long false false true false false -",
        "http://a.example/cut false false false false false -",
        "http://a.example/label false false false true false -",
        "http://a.example/gzip false false false false false decoding",
        "http://a.example/head false false false false true -",
        "http://a.example/head.pdf false false false false true -",
        "http://a.example/whole-head false false false false false -",
    ];
    assert_eq!(table.lines(flags), wanted);
    let counts = table.all_ints("statement_count");
    assert_eq!((counts[0], &counts[6..]), (1_000, &[0, 0, 1][..]));
    let n_directives = census.table("page_directives").n_rows();
    assert_eq!(n_directives as i64, table.sum("statement_count"));
}

#[test]
fn the_summary_tells_which_records_were_read_as_pages() {
    let dir = Dir::new();
    let archive = of_every_kind().write(&dir, "a.warc");
    let summary = |out: &str, words: &[&str]| {
        let ran = TestCommand::new(["run", &archive, "--out", &dir.word(out)]).words(words);
        ran.succeed().stdout
    };
    let json = dir.word("summary.json");
    let with = summary("with", &["--pages", "--summary-json", &json]);
    let says = "no captures: 1 bad_target_uri, 9 not_robots_path (7 of them read as pages)\n";
    assert!(with.contains(says), "{with}");
    let without = summary("without", &[]);
    let says = "skipped: 1 bad_target_uri, 9 not_robots_path\n";
    assert!(without.contains(says), "{without}");
    let json: Value = read_json(json);
    assert_eq!(json["pages"]["of_other_paths"], 7);
    assert_eq!(json["records_skipped"]["not_robots_path"], 9);
}
