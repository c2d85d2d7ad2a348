//! Two crawls of every shape that queries once miscounted, written by hand: every figure can be
//! read off the fetches.

use std::{fs, path::PathBuf, sync::OnceLock};

use super::by_hand::{Fetch, archive};
use crate::util::{lasting, run};

const EARLIER: &str = "2015-11-20T12:00:00Z";
const LATER: &str = "2026-01-10T12:00:00Z";

const SAME: &str = "User-agent: *\nDisallow: /same/\n";
const NO_GPTBOT: &str = "User-agent: GPTBot\nDisallow: /\n";

/// 23 host names of 19 registered domains, all of them with a file; one is a page of HTML.
const FETCHES: &[Fetch] = &[
    (
        EARLIER,
        "https://old.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /o/\n",
    ),
    (
        EARLIER,
        "https://cohort.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow:\n",
    ),
    (
        LATER,
        "https://cohort.example/robots.txt",
        200,
        "",
        NO_GPTBOT,
    ),
    (
        LATER,
        "https://license.example/robots.txt",
        200,
        "",
        "License: none\nUser-agent: *\nDisallow:\n",
    ),
    (
        LATER,
        "https://part.example/robots.txt",
        200,
        "",
        "User-agent: GPTBot\nAllow: /\nDisallow: /private/\n",
    ),
    (
        LATER,
        "https://open.example/robots.txt",
        200,
        "",
        "User-agent: ClaudeBot\nAllow: /\n",
    ),
    (
        LATER,
        "https://paths.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /administer/\nDisallow: /cgi-bin/admin.php\nDisallow: /x/.env$\n",
    ),
    (LATER, "https://same1.example/robots.txt", 200, "", SAME),
    (
        LATER,
        "https://same2.example/robots.txt",
        200,
        "",
        "# START YOAST BLOCK\nUser-agent: *\nDisallow: /same/\n",
    ),
    (LATER, "https://same3.example/robots.txt", 200, "", SAME),
    (
        LATER,
        "https://delay.example/robots.txt",
        200,
        "",
        "User-agent: *\nCrawl-delay: -1\nDisallow: /f/\n",
    ),
    (
        LATER,
        "https://signal.example/robots.txt",
        200,
        "",
        "User-agent: *\nContent-Signal: ai-train=yes\nDisallow:\n\nUser-agent: GPTBot\nDisallow: /\n",
    ),
    (
        LATER,
        "https://many-example.com/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /m/\n",
    ),
    (
        LATER,
        "https://a.many-example.com/robots.txt",
        200,
        "",
        NO_GPTBOT,
    ),
    (
        LATER,
        "https://b.many-example.com/robots.txt",
        200,
        "",
        NO_GPTBOT,
    ),
    (
        LATER,
        "https://c.many-example.com/robots.txt",
        200,
        "",
        NO_GPTBOT,
    ),
    (
        LATER,
        "https://html.example/robots.txt",
        200,
        "",
        "<!DOCTYPE html>\n<html><body>\nSitemap: https://html.example/s.xml\nCrawl-delay: 5\nallowfullscreen: true\nDisalow: /x\n</body></html>\n",
    ),
    (
        LATER,
        "https://mj.example/robots.txt",
        200,
        "",
        "User-agent: MJ12bot\nDisallow: /\n",
    ),
    (
        LATER,
        "https://ext.example/robots.txt",
        200,
        "",
        "User-agent: Google-Extended\nDisallow: /\n",
    ),
    (
        LATER,
        "https://moved.example/robots.txt",
        301,
        "https://target.example/robots.txt",
        "",
    ),
    (
        LATER,
        "https://target.example/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /p\n",
    ),
    (
        LATER,
        "http://both-example.com/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /n/\n",
    ),
    (LATER, "https://both-example.com/robots.txt", 404, "", ""),
    (
        LATER,
        "https://www.both-example.com/robots.txt",
        200,
        "",
        "User-agent: *\nDisallow: /n/\n",
    ),
];

/// More rules that cannot match than a file has findings of one code, and a duplicate.
fn many_dead_rules() -> &'static str {
    static ONCE: OnceLock<String> = OnceLock::new();
    ONCE.get_or_init(|| {
        let dead: String = (0..1200)
            .map(|n| format!("Disallow: no-slash-{n}\n"))
            .collect();
        format!("User-agent: *\nDisallow: /g/\nDisallow: /g/\n{dead}")
    })
}

/// Returns a folder with the dataset `census` and the lists that queries take.
pub fn folder() -> &'static PathBuf {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("shapes");
        let mut fetches = FETCHES.to_vec();
        fetches.push((LATER, "https://dead.example/robots.txt", 200, "", many_dead_rules()));
        let earlier = archive(&folder, "CC-MAIN-2015-48", EARLIER, &fetches);
        let later = archive(&folder, "CC-MAIN-2026-05", LATER, &fetches);
        let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let urls = "/\n/p\nhttps://moved.example/p\nhttps://moved.example/z\nhttps://many-example.com/m/1\nhttps://many-example.com/q\n";
        fs::write(path("urls.txt"), urls).unwrap();
        let pages = "url,fetch_time\n\
             https://moved.example/p,2026-06-01T00:00:00Z\n\
             https://moved.example/z,2026-06-01T00:00:00Z\n\
             https://many-example.com/m/1,2026-06-01T00:00:00Z\n\
             https://many-example.com/q,2025-06-01T00:00:00Z\n\
             https://absent.example/,2026-06-01T00:00:00Z\n";
        fs::write(path("pages.csv"), pages).unwrap();
        fs::write(path("ranks.csv"), "1,both-example.com\n2,absent.example\n1500,many-example.com\n").unwrap();
        run(&[&earlier, &later, "--urls", &path("urls.txt"), "--out", &path("census")])
            .words(&["--dialects", "google,rfc9309"])
            .succeed();
        folder
    })
}
