//! The page in headless Chromium: it loads without an error and without a request, in light and in
//! dark mode, and fits a narrow window.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use super::page;
use crate::util::{Dir, committed, or_skip};

/// A page after the browser loaded it.
struct LoadedPage {
    /// The document as HTML.
    dom: String,
    /// The messages of the console.
    console: Vec<String>,
    /// The URLs that it requested.
    requests: Vec<String>,
}

/// Opens a file in Chromium, or returns nothing where there is none; the test is then skipped, and
/// says so.
fn open(dir: &Dir, file: &Path, words: &[&str]) -> Option<LoadedPage> {
    let profile = tempfile::tempdir_in(dir.path("")).unwrap();
    let log = profile.path().join("net.json");
    let ran = Command::new("chromium")
        .args("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage".split(' '))
        .args("--disable-background-networking --disable-component-update --disable-sync --disable-extensions".split(' '))
        .args(["--enable-logging=stderr", "--dump-dom", "--allow-file-access-from-files"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--log-net-log={}", log.display()))
        .args(words)
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .output();
    let output = match ran {
        Ok(output) => output,
        Err(e) => {
            eprintln!("skipped: no chromium on the PATH ({e})");
            return None;
        }
    };
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    let console = stderr.lines().filter(|line| line.contains("CONSOLE"));
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains("\"events\""), "Chromium logs what it asks for");
    // What Chromium asks on its own account has no origin; the rest are requests of the page. An
    // event is a line.
    let of_page = |line: &&str| {
        line.contains("\"initiator\":") && !line.contains("\"initiator\":\"not an origin\"")
    };
    let address = |line: &str| {
        let (_, rest) = line.split_once("\"url\":\"")?;
        Some(rest.split('"').next()?.to_owned())
    };
    let requests = log.lines().filter(of_page).filter_map(address);
    Some(LoadedPage {
        dom: String::from_utf8_lossy(&output.stdout).into_owned(),
        console: console.map(str::to_owned).collect(),
        requests: requests.collect(),
    })
}

#[test]
fn the_page_loads_without_an_error_and_without_a_request() {
    let dir = Dir::new();
    let (file, text) = or_skip!(page(&dir, &committed().census.0));
    for words in [&[][..], &["--blink-settings=preferredColorScheme=0"]] {
        let seen = or_skip!(open(&dir, &file, words));
        assert_eq!(seen.console, Vec::<String>::new());
        assert_eq!(seen.requests, Vec::<String>::new());
        // What the browser would have to repair would be counted otherwise.
        for tag in ["<section", "<svg", "<rect", "<text", "<details", "<td"] {
            let counts = [text.matches(tag).count(), seen.dom.matches(tag).count()];
            assert!(counts[0] > 0 && counts[0] == counts[1], "{tag} {counts:?}");
        }
    }
}

#[test]
fn a_page_that_reaches_out_would_be_noticed() {
    let dir = Dir::new();
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
    let forbidden = "<img src=\"http://robocensus.invalid/a.png\">";
    dir.write("forbidden.html", format!("{policy}{forbidden}"));
    dir.write("allowed.html", forbidden);
    let seen = or_skip!(open(&dir, &dir.path("forbidden.html"), &[]));
    assert!(!seen.console.is_empty());
    let seen = open(&dir, &dir.path("allowed.html"), &[]).unwrap();
    let is_asked = |address: &String| address.contains("robocensus.invalid");
    assert!(seen.requests.iter().any(is_asked), "{:?}", seen.requests);
}

#[test]
fn a_narrow_window_is_wide_enough() {
    let dir = Dir::new();
    let (file, _) = or_skip!(page(&dir, &committed().census.0));
    dir.write("wide.html", "<div style=\"width:900px\">wide</div>");
    let width = |name: &str| {
        let frame = format!(
            "<iframe id=f src=\"{name}\" style=\"border:0;width:360px;height:800px\"></iframe><script>\
             f.onload = () => document.title = 'width=' + f.contentDocument.documentElement.scrollWidth + ';'</script>"
        );
        dir.write("frame.html", frame);
        let dom = open(&dir, &dir.path("frame.html"), &[])?.dom;
        let (_, width) = dom.split_once("<title>width=").expect(&dom);
        Some(width.split(';').next()?.parse::<u32>().expect(&dom))
    };
    let name = file.file_name().unwrap().to_str().unwrap();
    let page_width = or_skip!(width(name));
    // A scroll bar at the side takes some of it.
    assert!((300..=360).contains(&page_width), "{page_width}");
    assert!(width("wide.html").unwrap() > 360);
}
