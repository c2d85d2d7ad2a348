//! `robocensus asof`: which fetch is in force at the time of a page, and what its file says.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::Write,
    path::Path,
    sync::Arc,
};

use arrow_array::{ArrayRef, StringArray, TimestampMillisecondArray};
use robocensus::{
    Dialect, Robots,
    dataset::lookup::{CaptureSelector, CaptureStore, FoundCapture},
    robots::dialect::Access,
    sample::random::Random,
};

use crate::{
    redirects::web::Web,
    util::{
        Census, Dir, TestCommand, assert_begins, ended, gzip, origin_of, record, run_into, sample,
        signal, write_parquet,
    },
};

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// Returns `asof` on a dataset.
fn asof(dir: &Dir, words: &[&str]) -> TestCommand {
    let data = dir.word("census");
    TestCommand::new(["asof", "--data", &data]).words(words)
}

/// Returns the rows of a CSV file by the names of the columns.
fn rows(csv: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

/// Returns the rows of an answer.
fn answers(dir: &Dir, words: &[&str]) -> Vec<HashMap<String, String>> {
    rows(&asof(dir, words).succeed().stdout)
}

/// Makes a dataset with bodies of an archive.
fn census(dir: &Dir, archive: &[u8], words: &[&str]) {
    let archive = dir.write("robotstxt/a.warc", archive);
    let words = [&[&*archive, "--tables", "+bodies"], words].concat();
    run_into(dir.path("census"), &words);
}

fn time_text(micros: i64) -> String {
    let time = jiff::Timestamp::from_microsecond(micros).unwrap();
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Whether a fetch determines the file, by the definition.
fn is_answer(found: &FoundCapture) -> bool {
    let text = format!("{:?}", found.end(&Dialect::GOOGLE).outcome);
    let answers = ["Status(2", "Status(4", "TooManyHops"];
    answers.iter().any(|begin| text.starts_with(begin)) && text != "Status(429)"
}

/// What the definition says about an origin at a time: the fetch in force, if there is one.
fn in_force(found: &HashMap<i64, FoundCapture>, fetches: &[(i64, i64)], time: i64) -> Option<i64> {
    let mut before: Vec<_> = fetches.iter().filter(|(at, _)| *at <= time).collect();
    before.sort_unstable();
    let in_time = before
        .iter()
        .rev()
        .take_while(|(at, _)| time - at <= 30 * DAY);
    in_time.map(|(_, id)| *id).find(|id| is_answer(&found[id]))
}

#[test]
fn answers_are_those_of_check_about_random_pages() {
    let dir = Dir::new();
    census(&dir, &sample(1_500, 5), &[]);
    let captures = Census(dir.path("census")).table("captures");
    let mut fetches: BTreeMap<String, Vec<(i64, i64)>> = BTreeMap::new();
    let columns = "url_path url_query url fetch_time capture_id";
    let captures: Vec<(String, Option<String>, String, _, _)> = captures.rows(columns);
    for (path, query, url, time, id) in captures {
        if let ("/robots.txt", None, Some(time)) = (&*path, query, time) {
            fetches.entry(origin_of(&url)).or_default().push((time, id));
        }
    }
    let origins: Vec<_> = fetches.keys().cloned().collect();
    let mut random = Random::new(7);
    let mut csv = "agent,time,url\n".to_owned();
    let mut asked = Vec::new();
    for _ in 0..20_000 {
        let origin = &origins[random.below(origins.len())];
        let (fetched, _) = fetches[origin][0];
        let hours = random.below(40 * 24) as i64;
        let time = (fetched + hours * DAY / 24 - DAY) / 1_000_000 * 1_000_000;
        let agent = ["GPTBot", "Googlebot", "CCBot", "nobody"][random.below(4)];
        let paths = "/ /robots.txt /private/a /admin/ /a.html?b=c /search?q";
        let path = paths.split(' ').nth(random.below(6)).unwrap();
        let url = format!("{origin}{path}");
        csv.push_str(&format!("{agent},{},{url}\n", time_text(time)));
        asked.push((origin, time, agent, url));
    }
    let pages = dir.write("pages.csv", &csv);
    let found = answers(&dir, &["--pages", &pages]);
    assert_eq!(found.len(), asked.len());
    let store = CaptureStore::open(&dir.path("census")).unwrap();
    let archives = [dir.word("robotstxt/a.warc")];
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    let find = |id| store.find(&CaptureSelector::Id(id), &[]).unwrap();
    let ids = fetches.values().flatten().map(|(_, id)| *id);
    let captures: HashMap<i64, FoundCapture> = ids.map(|id| (id, find(id))).collect();
    let mut files: HashMap<i64, (Access, Option<Robots>)> = HashMap::new();
    for ((origin, time, agent, url), row) in asked.iter().zip(&found) {
        assert_eq!((&row["url"], row["agent"].as_str()), (url, *agent));
        *verdicts.entry(row["verdict"].clone()).or_default() += 1;
        let Some(id) = in_force(&captures, &fetches[*origin], *time) else {
            assert_eq!(row["verdict"], "", "{row:?}");
            continue;
        };
        assert_eq!(row["capture_id"], id.to_string(), "{row:?}");
        let (access, file) = files.entry(id).or_insert_with(|| {
            let end = captures[&id].end(&Dialect::GOOGLE);
            let access = Dialect::GOOGLE.access.decide(end.outcome);
            let body = || store.read_body(end.capture, &archives).unwrap().bytes;
            let is_read = access == Access::Conditional;
            (access, is_read.then(|| Robots::parse(body())))
        });
        let (verdict, line) = match access {
            Access::Conditional => {
                let file = file.as_ref().unwrap();
                let decision = file.decide(&Dialect::GOOGLE, *agent, url);
                let line = decision.rule_line.map(|line| line.to_string());
                (decision.verdict.as_str(), line.unwrap_or_default())
            }
            Access::FullAllow => ("allow", String::new()),
            _ => ("disallow", String::new()),
        };
        assert_eq!(row["verdict"], verdict, "{row:?}");
        assert_eq!(row["rule_line"], line, "{row:?}");
    }
    for (verdict, least) in [("allow", 4_000), ("disallow", 600), ("", 600)] {
        assert!(verdicts[verdict] > least, "{verdicts:?}");
    }
}

/// Fetches of the robots.txt of an origin in all states, and of some others.
const FETCHES: &str = "\
2026-01-10T00:00:00Z https://a.example /old
2026-01-11T00:00:00Z https://a.example 503
2026-02-05T00:00:00Z https://a.example 304
2026-04-20T00:00:00Z https://a.example /new
2026-04-21T00:00:00Z https://a.example 404
2026-01-10T00:00:00Z http://a.example:8080 /
2026-01-10T00:00:00Z https://down.example 503
2026-01-10T00:00:00Z https://busy.example 429
2026-01-10T00:00:00Z https://same.example 304
2026-01-10T00:00:00Z https://away.example > https://absent.example/robots.txt";

/// Pages: URL, time, verdict and reason, and the day of the fetch that they are answered with.
const PAGES: &str = include_str!("testdata/asof-pages.txt");

fn asked() -> impl Iterator<Item = [&'static str; 4]> {
    let fields = |line: &'static str| line.split('|').collect::<Vec<_>>().try_into().unwrap();
    PAGES.lines().map(fields)
}

fn csv_of_pages() -> String {
    let lines = asked().map(|[url, time, ..]| format!("{url},{time},x\n"));
    let lines: String = lines.collect();
    format!("url,time,other\n{lines}")
}

#[test]
fn unknown_is_never_allow_and_every_row_is_kept_with_its_reason() {
    let dir = Dir::new();
    census(&dir, &Web::of(FETCHES).records, &[]);
    let pages = dir.write("pages.csv", csv_of_pages());
    for dialect in ["google", "rfc9309", "original-1994"] {
        let words = ["--pages", &pages, "--agent", "GPTBot", "--dialect", dialect];
        let ran = asof(&dir, &words).succeed();
        let found = rows(&ran.stdout);
        assert_eq!(found.len(), PAGES.lines().count());
        for (row, [url, time, answer, day]) in found.iter().zip(asked()) {
            let (verdict, reason) = (&row["verdict"], &row["reason"]);
            assert_eq!(format!("{verdict},{reason}"), answer, "{url} at {time}");
            assert_eq!(row["url"], url);
            assert_eq!(row["dialect"], dialect);
            let fetched = row["fetch_time"].get("2026-".len().."2026-01-10".len());
            assert_eq!(fetched.unwrap_or_default(), day, "{url} at {time}");
        }
        assert_eq!(found[0]["age_seconds"], "-1");
        assert_eq!(found[7]["age_seconds"], (30 * 86_400 + 1).to_string());
        let wanted =
            "robocensus: 20 pages: allow 2, disallow 7, unknown 11 (before_first_fetch 1, ";
        assert!(ran.stderr.starts_with(wanted), "{}", ran.stderr);
    }
    let words = ["--pages", &pages, "--agent", "GPTBot", "--within", "1d"];
    let found = answers(&dir, &words);
    // Of the last day there is a 503, and the file is older.
    assert_eq!(found[4]["reason"], "unreachable");
    assert_eq!(found[5]["reason"], "not_fetched_within");
}

#[test]
fn agents_of_rows_count_before_that_of_all() {
    let dir = Dir::new();
    let mut web = Web::default();
    let file = "User-agent: GPTBot\nDisallow: /\n";
    web.file(1, "https://a.example/robots.txt", file);
    census(&dir, &web.records, &[]);
    let time = "2026-01-03T00:00:00Z";
    let line = |agent: &str| format!("https://a.example/,{time},{agent}\n");
    let header = "Mozilla/5.0 (compatible; GPTBot/1.2)";
    let lines = ["GPTBot", "", header, "Mozilla/5.0 (X11)"].map(line);
    let pages = dir.write("p.csv", format!("url,fetch_time,agent\n{}", lines.concat()));
    let verdicts = |words: &[&str]| -> Vec<String> {
        let found = answers(&dir, &[&["--pages", &pages], words].concat());
        let answer = |row: &HashMap<_, _>| format!("{}{}", row["verdict"], row["reason"]);
        found.iter().map(answer).collect()
    };
    let [denied, allowed, none] = ["disallowrule", "allowno_group", "no_agent"];
    assert_eq!(verdicts(&[]), [denied, none, denied, none]);
    let with_default = verdicts(&["--agent", "CCBot"]);
    assert_eq!(with_default, [denied, allowed, denied, none]);
}

fn write_pages(path: &Path, pages: &[(&str, i64)]) {
    let urls = StringArray::from_iter_values(pages.iter().map(|page| page.0));
    let times = TimestampMillisecondArray::from_iter_values(pages.iter().map(|page| page.1));
    let times = Arc::new(times) as ArrayRef;
    write_parquet(path, [("Time", times), ("url", Arc::new(urls))]);
}

#[test]
fn csv_and_parquet_have_the_same_answers_whatever_made_the_dataset() {
    let answers = ["1", "3"].map(|threads| {
        let dir = Dir::new();
        let words = ["--threads", threads, "--part-size", "1"];
        census(&dir, &Web::of(FETCHES).records, &words);
        let urls = ["https://a.example/old", "x", "http://a.example:8080/"];
        let page = |n: usize| (urls[n % 3], 1_768_000_000 + n as i64 * 40_000);
        let pages: Vec<_> = (0..200).map(page).collect();
        let line = |(url, at): &(_, i64)| format!("{url},{}\n", time_text(*at * 1_000_000));
        let csv = pages.iter().map(line);
        let csv = dir.write("p.csv", format!("url,time\n{}", csv.collect::<String>()));
        let millis: Vec<_> = pages.iter().map(|(url, at)| (*url, at * 1_000)).collect();
        write_pages(&dir.path("p.parquet"), &millis);
        let parquet = dir.word("p.parquet");
        let text = |pages: &str, input: &str| {
            let words = ["--pages", pages, "--agent", "a"];
            asof(&dir, &words).stdin(input.into()).succeed().stdout
        };
        let from_csv = text(&csv, "");
        assert_eq!(from_csv, text(&parquet, ""));
        let csv_text = fs::read_to_string(&csv).unwrap();
        assert_eq!(from_csv, text("-", &csv_text));
        let tabs = csv_text.replace("url,time", "URL,Time").replace(',', "\t");
        assert_eq!(from_csv, text(&dir.write("p.tsv", &tabs), ""));
        let zipped = dir.write("p.tsv.gz", gzip(tabs.as_bytes()));
        assert_eq!(from_csv, text(&zipped, ""));
        let [one, two] = [&csv, &parquet].map(|pages| {
            let out = dir.word("out.parquet");
            asof(&dir, &["--pages", pages, "--agent", "a", "--out", &out]).succeed();
            fs::read(out).unwrap()
        });
        assert!(one == two);
        let rows_of = rows(&from_csv);
        assert_eq!(rows_of.len(), pages.len());
        // In the other form, a file is read as any table is.
        fs::create_dir(dir.path("answers")).unwrap();
        fs::rename(dir.path("out.parquet"), dir.path("answers/out.parquet")).unwrap();
        let table = Census(dir.path("")).table("answers");
        let ages = rows_of.iter().map(|row| row["age_seconds"].parse().ok());
        assert!(ages.eq(table.ints("age_seconds")));
        from_csv
    });
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn what_cannot_be_answered_is_one_sentence_and_no_file() {
    let dir = Dir::new();
    census(&dir, &Web::of(FETCHES).records, &[]);
    let good = dir.write("good.csv", csv_of_pages());
    let bad = dir.write("bad.csv", "address,time\n");
    let wrong = dir.write("wrong.parquet", "PAR?");
    let whole = dir.path("whole.parquet");
    write_pages(&whole, &[("https://a.example/", 0); 100]);
    let mut cut = fs::read(whole).unwrap();
    // Its footer is whole, and what that describes is not.
    cut[4..60].fill(0xff);
    let cut = dir.write("cut.parquet", cut);
    let open = "url,time\n\"https://a.example/,2026-01-01\nhttps://b.example/,2026-01-01\n";
    let open = dir.write("open.csv", open);
    let long = dir.write("long.csv", ["url,time\n", &"a".repeat(33 << 20)].concat());
    let twice = dir.write("twice.csv", "url,time,url\n");
    let out = dir.word("out.csv");
    for (pages, agent, says) in [
        (&*good, "", "expected a column agent, or an agent for"),
        (&bad, "a", "bad.csv: expected a column url"),
        (&wrong, "a", "wrong.parquet: expected a Parquet file"),
        (&cut, "a", "cut.parquet: expected a Parquet file"),
        (&open, "a", "open.csv: cannot read as CSV|line: 2"),
        (&long, "a", "expected rows of at most 16777216 bytes"),
        (&twice, "a", "expected one column url"),
        ("absent.csv", "a", "absent.csv: cannot open"),
        (&good, "Mozilla/5.0 (X11)", "--agent: "),
    ] {
        let words = ["--pages", pages, "--out", &out, "--agent", agent];
        let n_words = if agent.is_empty() { 4 } else { 6 };
        let says: Vec<_> = says.split('|').collect();
        asof(&dir, &words[..n_words]).refuse(&says);
        assert!(!dir.path("out.csv").exists());
    }
    asof(&dir, &["--pages", &good, "--agent", "a", "--out", &good]).refuse(&["this is an input"]);
    let other = Dir::new();
    let archive = other.write("a.warc", &Web::of(FETCHES).records);
    run_into(other.path("census"), &[&archive]);
    let pages = ["--pages", &good, "--agent", "a"];
    asof(&other, &pages).refuse(&["expected a dataset with the table bodies"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_answer_leaves_no_file() {
    let dir = Dir::new();
    census(&dir, &Web::of(FETCHES).records, &[]);
    let out = dir.word("out.csv");
    let words = ["--pages", "-", "--agent", "a", "--out", &out];
    let mut child = asof(&dir, &words).start();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(csv_of_pages().as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    signal(&child, "INT");
    std::thread::sleep(std::time::Duration::from_millis(200));
    drop(stdin);
    let ran = ended(child);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(!dir.path("out.csv").exists());
    let left = fs::read_dir(dir.path("")).unwrap().count();
    assert_eq!(left, 2, "the archive and the dataset alone");
}

#[test]
fn a_body_is_stored_once_and_found_though_an_archive_states_its_digest_wrongly() {
    let dir = Dir::new();
    let disallow = |path: &str| format!("User-agent: *\nDisallow: /{path}\n");
    let file = |host: &str, body: &str, stated: &str| {
        let http = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
        let digest = match stated {
            "" => String::new(),
            stated => format!("WARC-Payload-Digest: sha1:{stated}\r\n"),
        };
        let lines = format!("WARC-Date: 2026-01-02T00:00:00Z\r\n{digest}");
        record(&format!("https://{host}/robots.txt"), &lines, http)
    };
    let lie = "A".repeat(32);
    let records = [
        file("a.example", &disallow("a"), &lie),
        file("b.example", &disallow("b"), &lie),
        file("c.example", &disallow("a"), ""),
        file("d.example", &disallow("a"), ""),
        file("e.example", "", ""),
    ];
    census(&dir, &records.concat(), &[]);
    let bodies = Census(dir.path("census")).table("bodies");
    let hosts = bodies.all_texts("url_host_name");
    assert_eq!(hosts, ["a.example", "b.example", "e.example"]);
    let page = |page: &str| format!("https://{page},2026-01-03T00:00:00Z\n");
    let pages = ["a", "b", "c", "d", "e"].map(|host| {
        let pages = ["a", "b"].map(|path| page(&format!("{host}.example/{path}")));
        pages.concat()
    });
    let pages = format!("url,time\n{}", pages.concat());
    let pages = dir.write("p.csv", pages);
    let found = answers(&dir, &["--pages", &pages, "--agent", "x"]);
    let verdicts: Vec<_> = found.iter().map(|row| &row["verdict"][..1]).collect();
    assert_eq!(verdicts.concat(), "daaddadaaa");
    // The same bodies serve `check`, without an archive.
    fs::remove_dir_all(dir.path("robotstxt")).unwrap();
    for (host, verdict) in [("b.example", "allow"), ("d.example", "disallow")] {
        let text = TestCommand::line("check --url /a --host")
            .words(&[host, "--data", &dir.word("census")])
            .succeed()
            .stdout;
        assert_begins(&text, &format!("verdict   {verdict}\n"));
    }
}
