//! Two handwritten crawls, a year apart, for which the result of every query can be read off.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use crate::util::{gzip, lasting, run};

/// One dataset of both crawls, and one of each crawl.
pub struct ByHand {
    folder: PathBuf,
}

const EARLIER: &str = "2025-01-10T12:00:00Z";
const LATER: &str = "2026-01-10T12:00:00Z";

/// Crawl, URL, status, where a redirect leads, body.
pub type Fetch = (&'static str, &'static str, u16, &'static str, &'static str);

const FETCHES: &[Fetch] = &[
    // What became of hosts between the crawls.
    (
        EARLIER,
        "https://same.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /private/\n",
    ),
    (
        LATER,
        "https://same.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /private/\n",
    ),
    (
        EARLIER,
        "https://form.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /x/\n",
    ),
    (
        LATER,
        "https://form.example/robots.txt",
        200,
        "",
        "# As before\nuser-agent:*\ndisallow:   /x/\n",
    ),
    (
        EARLIER,
        "https://stricter.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow:\n",
    ),
    (
        LATER,
        "https://stricter.example/robots.txt",
        200,
        "",
        "User-agent: GPTBot\nDisallow: /\n",
    ),
    (EARLIER, "https://new.example/robots.txt", 404, "", "none"),
    (
        LATER,
        "https://new.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n",
    ),
    (
        EARLIER,
        "https://gone.example/robots.txt",
        200,
        "",
        "User-agent: GPTBot\nDisallow: /\n",
    ),
    (LATER, "https://gone.example/robots.txt", 404, "", "none"),
    (
        EARLIER,
        "https://down.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /d/\n",
    ),
    (LATER, "https://down.example/robots.txt", 503, "", ""),
    (
        EARLIER,
        "https://inviting.example/robots.txt",
        200,
        "",
        "User-agent: GPTBot\nDisallow: /\n",
    ),
    (
        LATER,
        "https://inviting.example/robots.txt",
        200,
        "",
        "# Welcome\nUser-agent: GPTBot\nAllow: /\n",
    ),
    // What only the later crawl has.
    (LATER, "https://dead.example/robots.txt", 500, "", ""),
    (
        LATER,
        "http://moved.example/robots.txt",
        301,
        "https://target.example/robots.txt",
        "",
    ),
    (
        LATER,
        "https://target.example/robots.txt",
        200,
        "",
        "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n",
    ),
    (
        LATER,
        "https://lost.example/robots.txt",
        302,
        "https://elsewhere.example/robots.txt",
        "",
    ),
    (
        LATER,
        "http://loop.example/robots.txt",
        301,
        "https://loop.example/robots.txt",
        "",
    ),
    (
        LATER,
        "https://loop.example/robots.txt",
        301,
        "http://loop.example/robots.txt",
        "",
    ),
    (
        LATER,
        "http://twin-example.com/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /a/\n",
    ),
    (
        LATER,
        "https://twin-example.com/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /b/\n",
    ),
    (
        LATER,
        "https://www.twin-example.com/robots.txt",
        200,
        "",
        "# the same\nUser-agent: *\nDisallow: /b/\n",
    ),
    (
        LATER,
        "https://managed.example/robots.txt",
        200,
        "",
        "# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n\
         # END Cloudflare Managed Content\n\nUser-agent: *\nDisallow: /admin/\n",
    ),
    (
        LATER,
        "https://blog.example/robots.txt",
        200,
        "",
        "# START YOAST BLOCK\nUser-agent: *\nDisallow: /wp-admin/\nSitemap: https://blog.example/sitemap_index.xml\nSitemap: /relative.xml\n\
         Sitemap: http://cdn.example/s.xml.gz\n# END YOAST BLOCK\n",
    ),
    (
        LATER,
        "https://rights.example/robots.txt",
        200,
        "",
        "# All rights reserved, Article 4 of Directive (EU) 2019/790\nUser-agent: *\nDisallow:\n",
    ),
    (
        LATER,
        "https://contrary.example/robots.txt",
        200,
        "",
        "User-agent: *\nContent-Signal: ai-train=yes\nDisallow: /\n\nUser-agent: GPTBot\nUser-agent: ClaudeBot\nCrawl-delay: 20\nDisallow: /\n",
    ),
    (
        LATER,
        "https://typo.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisalow: /a/\nDisallow /b/\nDissallllow: /c/\nCrawl-delay: soon\nCrawl-delay: 5\n\nUser-agent: GTPBot\nDisallow: /\n",
    ),
    (
        LATER,
        "https://dead-rules.example/robots.txt",
        200,
        "",
        "Disallow: /before/\nUser-agent: *\nDisallow: no-slash/\nDisallow:\nDisallow: /a/*.pdf$\nDisallow: /a/*.pdf$\nDisallow: /caf%C3%A9\n",
    ),
    (
        LATER,
        "https://terms.example/robots.txt",
        200,
        "",
        "License: https://terms.example/license.xml\nUser-agent: *\nDisallow:\nContent-Usage: train-ai=n\nContent-Usage: (((\n",
    ),
    (LATER, "https://empty.example/robots.txt", 200, "", ""),
    (
        LATER,
        "https://page.example/robots.txt",
        200,
        "",
        "<!DOCTYPE html><html><body>Hello: you</body></html>\n",
    ),
    (
        LATER,
        "https://remark.example/robots.txt",
        200,
        "",
        "# nothing to say\n",
    ),
];

/// Returns the datasets, made once for a process.
pub fn by_hand() -> &'static ByHand {
    static ONCE: OnceLock<ByHand> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("by-hand");
        let earlier = archive(&folder, "CC-MAIN-2025-05", EARLIER, FETCHES);
        let later = archive(&folder, "CC-MAIN-2026-05", LATER, FETCHES);
        fs::write(
            folder.join("urls.txt"),
            "/\n/a/\nhttps://same.example/private/1\nhttps://same.example/open\nhttps://gone.example/x\nhttps://stricter.example/y\n",
        )
        .unwrap();
        fs::write(folder.join("ranks.csv"), "1,same.example\n500,twin-example.com\n2000,moved.example\n").unwrap();
        fs::write(
            folder.join("pages.csv"),
            "url,url_host_name,fetch_time,page_count\n\
             https://same.example/private/1,same.example,2025-06-01T00:00:00Z,10\n\
             https://same.example/open,same.example,2025-06-01T00:00:00Z,30\n\
             https://gone.example/x,gone.example,2025-06-01T00:00:00Z,5\n\
             https://gone.example/x,gone.example,2026-06-01T00:00:00Z,0\n\
             https://stricter.example/y,stricter.example,2024-06-01T00:00:00Z,50\n\
             https://absent.example/,absent.example,2025-06-01T00:00:00Z,5\n",
        )
        .unwrap();
        let hands = ByHand { folder };
        for (name, archives) in [
            ("both", &[&earlier, &later][..]),
            ("before", &[&earlier]),
            ("after", &[&later]),
        ] {
            let mut words: Vec<_> = archives.iter().map(|path| path.as_str()).collect();
            let (out, urls) = (hands.path(name), hands.path("urls.txt"));
            words.extend(["--out", &out, "--urls", &urls]);
            words.extend(["--dialects", "google,rfc9309"]);
            run(&words).succeed();
        }
        hands
    })
}

impl ByHand {
    /// Returns the dataset of both crawls.
    pub fn both(&self) -> PathBuf {
        self.folder.join("both")
    }

    /// Returns the dataset of the later crawl.
    pub fn after(&self) -> PathBuf {
        self.folder.join("after")
    }

    /// Returns a file or folder next to the datasets, as an argument of the command line.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Returns the arguments that a query needs besides its dataset.
    pub fn words(&self, query: &str) -> Vec<String> {
        let list = match query {
            "compare-rank-strata" | "compare-top-ranked-domains" => "ranks",
            "count-pages-shut-out"
            | "count-pages-excluded-when-fetched"
            | "list-pages-excluded-when-fetched" => "pages",
            "rank-top-level-domains-by-blocking" | "compare-agents-by-top-level-domain" => {
                return vec!["--set".to_owned(), "least=2".to_owned()];
            }
            _ => return Vec::new(),
        };
        let value = self.path(&format!("{list}.csv"));
        vec!["--set".to_owned(), format!("{list}={value}")]
    }
}

/// Writes those of the fetches that are of one time as the archive of a crawl, and returns its
/// path.
pub fn archive(folder: &Path, crawl: &str, time: &str, fetches: &[Fetch]) -> String {
    let folder = folder.join(format!("crawl-data/{crawl}/segments/1.2/robotstxt"));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("by-hand.warc.gz");
    let fetches = fetches.iter().filter(|fetch| fetch.0 == time);
    let bytes: Vec<u8> = fetches
        .flat_map(|fetch| gzip(record(fetch).as_bytes()))
        .collect();
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn record((time, url, status, to, body): &Fetch) -> String {
    let to = match *to {
        "" => String::new(),
        to => format!("Location: {to}\r\n"),
    };
    let http = format!("HTTP/1.1 {status} \r\nContent-Type: text/plain\r\n{to}\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {time}\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}
