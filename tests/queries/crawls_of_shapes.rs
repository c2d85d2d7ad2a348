//! Two crawls of every shape that queries once miscounted, written by hand: every figure can be
//! read off the fetches.

use std::{fs, path::PathBuf, sync::OnceLock};

use super::by_hand::{archives, fetches};
use crate::util::{lasting, run_into};

/// More rules that cannot match than a file has findings of one code, and a duplicate.
fn many_dead_rules() -> String {
    let dead = (0..1200).map(|n| format!("Disallow: no-slash-{n}\n"));
    "User-agent: *\nDisallow: /g/\nDisallow: /g/\n".to_owned() + &dead.collect::<String>()
}

/// Returns a folder with the dataset `census` and the lists that queries take.
pub fn folder() -> &'static PathBuf {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("shapes");
        // 23 host names of 19 registered domains, all of them with a file; one is a page of HTML.
        let mut fetches = fetches("shapes.jsonl");
        let dead = fetches.iter_mut().find(|fetch| fetch.url.contains("//dead."));
        dead.unwrap().body = many_dead_rules();
        let crawls = ["CC-MAIN-2015-48", "CC-MAIN-2026-05"];
        let [earlier, later] = archives(&folder, crawls, &fetches);
        let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let urls = "/\n/p\nhttps://moved.example/p\nhttps://moved.example/z\nhttps://many-example.com/m/1\nhttps://many-example.com/q\n";
        fs::write(path("urls.txt"), urls).unwrap();
        fs::write(path("ranks.csv"), "1,both-example.com\n2,absent.example\n1500,many-example.com\n").unwrap();
        let words = [&*earlier, &*later, "--urls", &path("urls.txt"), "--dialects", "google,rfc9309"];
        run_into(folder.join("census"), &words);
        folder
    })
}
