//! Generated archives of robots.txt captures, and of pages, whose contents are known.
//!
//! An archive has the form of those of a large crawl: one gzip member for each record, one
//! `warcinfo` record, then a `request` and a `response` for each fetch, redirects with all their
//! hops, error pages, the same hosts under several names and at several times, and files that are
//! mostly copies of a few defaults. Nothing in it was fetched. The first sites show every trait of
//! the templates twice, so an archive of a few hundred captures already contains all of them.
//!
//! Each part of an archive states what is true of it when it is written, and [`Truth`] is the sum
//! of these statements. No parser of this crate is involved, so a reader of the archive can be
//! checked against it. The same options give the same records on every machine; their compressed
//! bytes depend on the release of the compression library.
//!
//! ```text
//! crawl: site -> visit -> template (body) -> message -> archive (gzip)
//!                `-> page   `-> truth (json)
//! ```
//!
//! [`history`] has several crawls of the same hosts, whose robots.txt files change in between.

mod archive;
mod body;
mod catalog;
mod crawl;
#[doc(hidden)]
pub mod history;
mod message;
mod page;
#[doc(hidden)]
pub mod random;
mod reach;
#[cfg(test)]
mod recount;
mod site;
mod template;
mod truth;
mod visit;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use body::{AGENTS, BodyCounts, SignalCounts};
pub use truth::{AgentCounts, Truth};

use crawl::{Crawl, FIRST_SECOND};
use site::{Site, VISIT_DELAYS};

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of captures, which are `response` records, hops of redirects included.
    pub captures: u64,
    /// The seed: another one gives other sites with other files.
    pub seed: u64,
}

/// The number of captures of [`Options::default`]: enough for every trait, and below 1.2 MB.
pub const DEFAULT_CAPTURES: u64 = 600;

/// The seed of [`Options::default`].
pub const DEFAULT_SEED: u64 = 2026;

impl Default for Options {
    fn default() -> Options {
        Options {
            captures: DEFAULT_CAPTURES,
            seed: DEFAULT_SEED,
        }
    }
}

/// Writes the archive that `options` describe to `out`, and returns the truth about it.
///
/// Memory does not depend on the number of captures. Each record is one call of `write_all`, so a
/// file needs a buffer; `out` is flushed at the end.
///
/// # Errors
///
/// Those of `out`.
pub fn write(options: &Options, out: &mut impl Write) -> io::Result<Truth> {
    write_with_pages(options, 0, out)
}

/// Writes the archive that `options` describe, followed by so many `pages` of other sites, and
/// returns the truth about it.
///
/// Pages are responses of 30 to 40 kB, nearly all HTML, of which one in two states something about
/// itself. Four of five of their sites have a robots.txt too, which is one more capture and
/// disallows some pages. The truth of pages is under `pages` in [`Truth::to_json`].
///
/// # Errors
///
/// Those of `out`.
pub fn write_with_pages(options: &Options, pages: u64, out: &mut impl Write) -> io::Result<Truth> {
    let mut crawl = Crawl::new(options, "SAMPLE-2026-02", FIRST_SECOND, out)?;
    let mut newest = 0;
    while crawl.is_open() {
        for (visit, delay) in VISIT_DELAYS.into_iter().enumerate() {
            if let Some(number) = u64::checked_sub(newest, delay) {
                crawl.visit(&Site::new(options.seed, number), visit)?;
            }
        }
        newest += 1;
    }
    let mut site = PAGE_SITES;
    while crawl.pages() < pages {
        crawl.visit_pages(&Site::new(options.seed, site), pages)?;
        site += 1;
    }
    crawl.finish()
}

/// The number of the first site that has pages.
const PAGE_SITES: u64 = 1 << 40;

/// Returns the path of the truth of an archive, in the same folder: `a.truth.json` for `a.warc.gz`
/// and `a.warc`.
pub fn truth_path(archive: &Path) -> PathBuf {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let stem = name
        .strip_suffix(".warc.gz")
        .or_else(|| name.strip_suffix(".warc"))
        .unwrap_or(&name);
    archive.with_file_name(format!("{stem}.truth.json"))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::archive::sha1_label;
    use super::*;
    use crate::digest;

    fn generate(captures: u64, seed: u64) -> (Vec<u8>, Truth) {
        let mut archive = Vec::new();
        let truth = write(&Options { captures, seed }, &mut archive).unwrap();
        (archive, truth)
    }

    fn inflate(archive: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        flate2::read::MultiGzDecoder::new(archive)
            .read_to_end(&mut text)
            .unwrap();
        text
    }

    fn sha1(bytes: &[u8]) -> String {
        digest::hex(&digest::sha1(bytes))
    }

    /// Splits an inflated archive into the head and the block of each record.
    fn records(text: &[u8]) -> Vec<(String, &[u8])> {
        let mut records = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest
                .windows(4)
                .position(|four| four == b"\r\n\r\n")
                .unwrap()
                + 4;
            let head = String::from_utf8(rest[..end].to_vec()).unwrap();
            let length: usize = field(&head, "Content-Length").unwrap().parse().unwrap();
            let block = &rest[end..end + length];
            assert_eq!(&rest[end + length..][..4], b"\r\n\r\n");
            rest = &rest[end + length + 4..];
            records.push((head, block));
        }
        records
    }

    fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
        head.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    #[test]
    fn records_of_a_seed_never_change() {
        let (archive, truth) = generate(400, 7);
        assert_eq!(
            sha1(&inflate(&archive)),
            "b0b7cb27da23bd048cd276888131f12ba4520873"
        );
        assert_eq!(truth.file_sha1, sha1(&archive));
        assert_eq!(truth.file_bytes, archive.len() as u64);
    }

    #[test]
    fn pages_follow_the_captures_and_change_nothing_before_them() {
        let options = Options {
            captures: 30,
            seed: 9,
        };
        let (without, _) = generate(30, 9);
        let mut archives = [vec![], vec![]];
        let truths = archives
            .each_mut()
            .map(|archive| write_with_pages(&options, 90, archive).unwrap());
        let [archive, again] = archives;
        assert_eq!((&archive, &truths[0]), (&again, &truths[1]));
        assert!(archive.starts_with(&without));

        let text = inflate(&archive);
        let records = records(&text);
        let responses = records
            .iter()
            .filter(|(head, _)| field(head, "WARC-Type") == Some("response"));
        let urls: Vec<_> = responses
            .filter_map(|(head, _)| field(head, "WARC-Target-URI"))
            .collect();
        let is_robots = |url: &&str| url.ends_with("/robots.txt");
        let truth: serde_json::Value = serde_json::from_str(&truths[0].to_json()).unwrap();
        assert_eq!(truth["records"]["response"], urls.len());
        assert_eq!(
            truth["pages"]["html"]
                .as_u64()
                .zip(truth["pages"]["other"].as_u64())
                .map(|(html, other)| html + other),
            Some(90)
        );
        assert_eq!(urls.len() as u64, truths[0].captures + 90);
        let of_pages = &urls[30..];
        let n_robots = of_pages.iter().copied().filter(is_robots).count();
        assert_eq!(truths[0].captures, 30 + n_robots as u64);
        let n_sites = of_pages
            .iter()
            .filter_map(|url| url.split('/').nth(2))
            .collect::<std::collections::HashSet<_>>()
            .len();
        assert!(
            0 < n_robots && n_robots < n_sites,
            "{n_robots} of {n_sites}"
        );
        for (what, least) in [
            ("unread_noindex", 2),
            ("sponsored_links", 4),
            ("nosnippets", 6),
        ] {
            assert!(truth["pages"][what].as_u64() >= Some(least), "{truth}");
        }
        let statement = &truth["pages"]["statements"]["meta head * noindex"];
        assert!(statement.as_u64() >= Some(8), "{truth}");
        assert!(generate(30, 9).1.to_json().find("\"pages\"").is_none());
    }

    #[test]
    fn another_seed_is_another_archive() {
        assert_ne!(generate(3, 7).0, generate(3, 8).0);
    }

    #[test]
    fn the_truth_holds_for_the_archive() {
        for captures in [0, 1, 17, 1_500] {
            let (archive, truth) = generate(captures, 5);
            let text = inflate(&archive);
            let records = records(&text);
            let responses: Vec<_> = records
                .iter()
                .filter(|(head, _)| field(head, "WARC-Type") == Some("response"))
                .collect();
            assert_eq!(responses.len() as u64, captures);
            assert_eq!(truth.captures, captures);
            assert_eq!(
                records.len() as u64,
                1 + truth.request_records + truth.captures
            );
            let mut hosts = std::collections::HashSet::new();
            let mut origins = std::collections::HashSet::new();
            let mut counted = Truth::default();
            for (head, block) in responses {
                let url = field(head, "WARC-Target-URI").unwrap();
                let (scheme, rest) = url.split_once("://").unwrap();
                let (authority, path) = rest.split_once('/').unwrap();
                hosts.insert(authority.split(':').next().unwrap());
                origins.insert((scheme, authority));
                counted.robots_txt_urls += u64::from(path == "robots.txt");
                let end = block
                    .windows(4)
                    .position(|four| four == b"\r\n\r\n")
                    .unwrap()
                    + 4;
                let http = std::str::from_utf8(&block[..end]).unwrap();
                let (body, status) = (&block[end..], &http[9..12]);
                assert_eq!(
                    field(http, "Content-Length").unwrap(),
                    body.len().to_string()
                );
                assert_eq!(field(http, "Location").is_some(), status.starts_with('3'));
                for (name, bytes) in [("WARC-Payload-Digest", body), ("WARC-Block-Digest", block)] {
                    assert_eq!(field(head, name).unwrap(), sha1_label(bytes));
                }
                let (counts, named, closed) = recount::body(body);
                counted.all += counts;
                if status.starts_with('2') {
                    counted.successful += counts;
                }
                for (token, agent) in AGENTS.iter().zip(&mut counted.agents) {
                    agent.named += u64::from(named.contains(token));
                    if status.starts_with('2') {
                        agent.named_successful += u64::from(named.contains(token));
                        agent.root_disallowed += u64::from(closed.contains(token));
                    }
                }
                counted.over_500_kib_bodies += u64::from(body.len() > 512_000);
                counted.empty_bodies += u64::from(body.is_empty());
                counted.utf8_bom_bodies += u64::from(body.starts_with(b"\xEF\xBB\xBF"));
                counted.html_bodies +=
                    u64::from(body.windows(15).any(|some| some == b"<!DOCTYPE html>"));
            }
            assert_eq!(truth.distinct_hosts, hosts.len() as u64);
            assert_eq!(truth.distinct_origins, origins.len() as u64);
            assert_eq!(truth.robots_txt_urls, counted.robots_txt_urls);
            assert_eq!(
                (truth.all, truth.successful),
                (counted.all, counted.successful)
            );
            let n_successful: u64 = truth
                .status
                .range(200..300)
                .map(|(_, captures)| captures)
                .sum();
            for (found, stated) in counted.agents.iter_mut().zip(&truth.agents) {
                // How much is closed is counted by the tests of the program.
                found.restriction = stated.restriction;
                let [_, _, full] = stated.restriction;
                assert_eq!(stated.restriction.iter().sum::<u64>(), n_successful);
                assert!(full <= stated.root_disallowed);
            }
            assert_eq!(truth.agents, counted.agents);
            assert_eq!(truth.over_500_kib_bodies, counted.over_500_kib_bodies);
            assert_eq!(truth.empty_bodies, counted.empty_bodies);
            assert_eq!(truth.utf8_bom_bodies, counted.utf8_bom_bodies);
            assert_eq!(truth.html_bodies, counted.html_bodies);
        }
    }

    #[test]
    fn default_archive_is_small_and_shows_everything_twice() {
        let (archive, truth) = generate(DEFAULT_CAPTURES, DEFAULT_SEED);
        assert!(archive.len() < 1_200_000, "{}", archive.len());
        assert!(
            truth.line_endings.iter().all(|&captures| captures >= 2),
            "{truth:?}"
        );
        for captures in [
            truth.over_500_kib_bodies,
            truth.utf16_bodies,
            truth.utf8_bom_bodies,
            truth.empty_bodies,
        ] {
            assert!(captures >= 2, "{truth:?}");
        }
        assert!(
            truth.agents.iter().all(|agent| agent.named >= 2),
            "{truth:?}"
        );
        assert!(
            truth.status.values().all(|&captures| captures >= 2),
            "{:?}",
            truth.status
        );
    }

    #[test]
    fn the_truth_is_in_the_folder_of_the_archive() {
        for (archive, truth) in [
            ("d/a.warc.gz", "d/a.truth.json"),
            ("a.warc", "a.truth.json"),
            ("/d/a.gz", "/d/a.gz.truth.json"),
        ] {
            assert_eq!(truth_path(Path::new(archive)), PathBuf::from(truth));
        }
    }
}
