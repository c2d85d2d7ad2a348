//! Datasets whose values are hard to sum up: long texts that differ late, bytes at the ends of
//! their ranges, NULL and nothing else, random without an order, many files, several row groups.

use std::{fs, path::PathBuf, sync::OnceLock};

use robocensus::sample::random::Random;

use crate::util::{generated, gzip, lasting, record as made_record, response, run};

/// Pieces of lines: keys, values, and what is between and around them.
const PIECES: &str = "\
User-agent: |Disallow: |Allow: |Crawl-delay: |Sitemap: |Content-Signal: |Request-rate: |\
Noindex: |Dissalow |# |*|/|/*$|GPTBot|googlebot|a|\u{ff}|\u{10ffff}|\u{d7ff}\u{e000}|\
\u{0}|\u{7f}|\t|%ff%00|%C3%28|'|\"|=1+1|nan|inf|-0|1e308|1e-400|0.1|\
99999999999999999999|1/10s 0600-0845|search=yes, ai-train=no|https://|例え|\n|\r\n|\r";

/// Bytes that end a text that is cut after them, or that cannot be made greater by one.
const FILLERS: [&str; 4] = ["\u{10ffff}", "z", "\u{7f}", "\u{ff}"];

/// Returns a file of lines made of the pieces.
fn body(random: &mut Random) -> Vec<u8> {
    let pieces: Vec<_> = PIECES.split('|').collect();
    let mut body = Vec::new();
    for _ in 0..random.below(120) {
        match random.below(24) {
            0 => body.extend(FILLERS[random.below(4)].repeat(random.below(400)).bytes()),
            1 => body.push(random.byte()),
            _ => body.extend_from_slice(pieces[random.below(pieces.len())].as_bytes()),
        }
        if random.below(4) == 0 {
            body.push(b'\n');
        }
    }
    body
}

/// Returns a record of a host that may be long, of a status and with a body like those above.
fn record(random: &mut Random, n: usize) -> Vec<u8> {
    let label = ["a", "z", "xn--bcher-kva", "0"][random.below(4)].repeat(1 + random.below(3));
    let tld = ["example", "com", "co.uk", "test"][random.below(4)];
    let path = match random.below(5) {
        0 => format!("/moved?{}", "q".repeat(random.below(300))),
        _ => "/robots.txt".to_owned(),
    };
    let url = format!("https://{label}{}.{tld}{path}", n % 37);
    let field = match random.below(4) {
        0 => format!("Location: https://{label}{}.{tld}/robots.txt", (n + 1) % 37),
        1 => format!("Content-Type: text/{}", "x".repeat(random.below(200))),
        _ => "Content-Type: text/plain".to_owned(),
    };
    let status = ["200", "200", "200", "301", "404", "503", "999", "100"][random.below(8)];
    let year = ["2026", "1970", "0001", "9999", "2016"][random.below(5)];
    let body = match random.below(7) {
        0 => Vec::new(),
        _ => body(random),
    };
    let http = format!("HTTP/1.1 {status} \r\n{field}\r\n\r\n");
    let date = format!("WARC-Date: {year}-01-02T03:04:05Z\r\n");
    made_record(&url, &date, [http.as_bytes(), &body].concat())
}

fn archive(seed: u64, captures: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let records = (0..captures).map(|n| gzip(&record(&mut random, n)));
    records.collect::<Vec<_>>().concat()
}

/// Lines of a file that is so long that its tables have several pages, and files of that kind.
const LONG_LINES: usize = 50_000;
const LONG_FILES: usize = 3;

/// Returns records of long files: lines of every kind, with values that rise, fall, or do neither.
fn long_files() -> Vec<u8> {
    let mut random = Random::new(7);
    let records = (0..LONG_FILES).map(|n| {
        let line = |at: usize| {
            let value = random.below(1_000_000);
            match random.below(8) {
                0 => format!("Allow: /{}\n", LONG_LINES - at),
                1 => format!("Crawl-delay: {}.{}\n", value % 100, value % 7),
                2 => format!("Sitemap: https://{}.example/{value}\n", value % 100),
                3 => format!("User-agent: bot{}\n", value % 500),
                4 => format!("# {value}\n"),
                _ => format!("Disallow: /{at:06}/{value}\n"),
            }
        };
        let body: String = (0..LONG_LINES).map(line).collect();
        response(&format!("https://long{n}.example/robots.txt"), &body)
    });
    records.collect::<Vec<_>>().concat()
}

/// Returns datasets: of many small parts, of one part with all rows, of several row groups, and one
/// of generated captures.
pub fn datasets() -> &'static [PathBuf] {
    static ONCE: OnceLock<Vec<PathBuf>> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("parquet");
        fs::create_dir_all(folder.join("in")).unwrap();
        for seed in 0..6 {
            let crawl = ["", "crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt"][seed % 2];
            let path = folder.join("in").join(crawl);
            fs::create_dir_all(&path).unwrap();
            let archive = archive(seed as u64, 5 + 20 * seed);
            fs::write(path.join(format!("{seed}.warc.gz")), archive).unwrap();
        }
        let word = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let parts = ["--part-size", "1", "--dialects", "google,rfc9309"];
        let whole = ["--dialects", "original-1994,python"];
        for (name, options) in [("parts", &parts[..]), ("whole", &whole)] {
            let words = [word("in"), "--quiet".into(), "--out".into(), word(name)];
            run(&words).words(options).end();
        }
        // A row group for each 16 MiB of bodies, where the size of an archive is not known.
        let mut random = Random::new(99);
        let streamed = (0..40).flat_map(|n| {
            let filler = format!("# {}\n", "#".repeat(1 << 20));
            let long = response(&format!("https://{n}.example/robots.txt"), &filler);
            [long, record(&mut random, n)]
        });
        let streamed = streamed.collect::<Vec<_>>().concat();
        run(&["-", "--quiet", "--out", &word("streamed")])
            .stdin([streamed, long_files()].concat())
            .end();
        let made = ["parts", "whole", "streamed"].map(|name| folder.join(name));
        let generated = generated().census.0.clone();
        made.into_iter().chain([generated]).collect()
    })
}
