//! The URLs of a run: paths, for every host, and absolute URLs, for their own origin only.

use std::{
    collections::HashMap,
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use crate::url::Location;

/// The URLs of a run.
///
/// Absolute URLs are stored in one text and cost their length and about twenty bytes each, and
/// some 150 bytes for each origin.
#[derive(Debug, Default)]
pub struct Urls {
    paths: Vec<String>,
    text: String,
    /// The position of each absolute URL in `text`, by origin, then in the order given.
    spans: Vec<(usize, u32)>,
    origins: HashMap<Box<str>, Range<usize>>,
}

impl Urls {
    /// Returns the paths, in the order of their rows.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Returns the number of absolute URLs.
    pub fn n_absolute(&self) -> usize {
        self.spans.len()
    }

    /// Returns the absolute URLs of one origin (`scheme://host:port`), in the order in which they
    /// were given.
    pub(crate) fn of_origin(&self, origin: &str) -> impl Iterator<Item = &str> {
        let range = self.origins.get(origin).cloned().unwrap_or_default();
        self.spans[range].iter().map(|span| self.at(*span))
    }

    /// Notes that a capture is of this origin (`scheme://host:port`).
    pub(crate) fn note_origin(&self, origin: &str, seen: &SeenOrigins) {
        if let Some(range) = self.origins.get(origin) {
            seen.0[range.start].store(true, Relaxed);
        }
    }

    /// Returns the number of absolute URLs whose origins were not noted.
    pub(crate) fn n_of_unseen_origins(&self, seen: &SeenOrigins) -> usize {
        let unseen = |range: &&Range<usize>| !seen.0[range.start].load(Relaxed);
        self.origins.values().filter(unseen).map(Range::len).sum()
    }

    /// Returns every absolute URL, by origin.
    pub fn absolute(&self) -> impl Iterator<Item = &str> {
        self.spans.iter().map(|span| self.at(*span))
    }

    fn at(&self, (start, length): (usize, u32)) -> &str {
        &self.text[start..start + length as usize]
    }
}

/// The origins of absolute URLs of which a run has found a capture; threads share it. It takes a
/// byte for each absolute URL.
#[derive(Debug)]
pub struct SeenOrigins(Vec<AtomicBool>);

impl SeenOrigins {
    /// Returns a set without members for the URLs of a run.
    pub fn new(urls: &Urls) -> Self {
        Self(urls.spans.iter().map(|_| AtomicBool::new(false)).collect())
    }
}

/// The most URLs of a list. While a list is read and described, each takes up to some 400 bytes, so
/// that it takes less than 1 GB.
const MOST_URLS: usize = 2_000_000;

/// The built-in paths: the root, which most studies probe, and what differs most from site to site.
const DEFAULT_PATHS: [&str; 6] = [
    "/",
    "/index.html",
    "/about",
    "/search?q=test",
    "/images/logo.png",
    "/wp-admin/admin-ajax.php",
];

/// Returns the built-in URLs.
pub fn default_urls() -> Urls {
    Urls {
        paths: DEFAULT_PATHS.iter().map(|&path| path.to_owned()).collect(),
        ..Urls::default()
    }
}

/// Reads URLs from a text of lines.
///
/// A line begins with a path (`/a?b=1`) or an absolute URL (`https://example.com/a`); text after a
/// tab is ignored, and so are lines that are empty or begin with `#`, and a first line `url`.
///
/// # Errors
///
/// One sentence with the line's number, 1 for the first: a line that is neither, a path named
/// twice, more than two million URLs, or none at all.
pub fn read_urls(text: &str) -> Result<Urls, String> {
    read_at_most(MOST_URLS, text)
}

fn read_at_most(most: usize, text: &str) -> Result<Urls, String> {
    let mut urls = Urls::default();
    let mut seen_paths: HashMap<&str, usize> = HashMap::new();
    let mut by_origin: HashMap<Box<str>, Vec<(usize, u32)>> = HashMap::new();
    let mut location = Location::new();
    let (mut is_first, mut n_urls) = (true, 0);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let url = line.split('\t').next().unwrap_or_default().trim();
        if std::mem::take(&mut is_first) && url == "url" {
            continue;
        }
        n_urls += 1;
        if n_urls > most {
            let message = format!("line {number}: expected at most {most} URLs, but found more");
            return Err(message);
        }
        if url.starts_with('/') && !url.starts_with("//") {
            if let Some(first) = seen_paths.insert(url, number) {
                return Err(format!(
                    "line {number}: the path {url} is in line {first} already"
                ));
            }
            urls.paths.push(url.to_owned());
            continue;
        }
        location.parse(url.as_bytes()).map_err(|e| {
            format!("line {number}: expected a path that begins with / or an absolute URL, but found {url:?}: {e}")
        })?;
        let length = u32::try_from(url.len())
            .map_err(|_| format!("line {number}: expected a URL of less than 4 GiB"))?;
        let span = (urls.text.len(), length);
        urls.text.push_str(url);
        let origin = location.origin().into();
        by_origin.entry(origin).or_default().push(span);
    }
    let mut origins: Vec<_> = by_origin.into_iter().collect();
    origins.sort_unstable();
    for (origin, spans) in origins {
        let start = urls.spans.len();
        urls.spans.extend(spans);
        urls.origins.insert(origin, start..urls.spans.len());
    }
    if urls.paths.is_empty() && urls.spans.is_empty() {
        return Err("expected at least one URL, but found none".to_owned());
    }
    Ok(urls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_for_everyone_and_absolute_urls_for_their_origin() {
        let urls = read_urls(
            "url\n/\n# comment\n/a?b=1\thits\nhttp://A.example/x\nhttps://a.example/y\nhttp://a.example:80/z\n",
        )
        .unwrap();
        assert_eq!(urls.paths(), ["/", "/a?b=1"]);
        let of = |origin| urls.of_origin(origin).collect::<Vec<_>>();
        assert_eq!(
            of("http://a.example:80"),
            ["http://A.example/x", "http://a.example:80/z"]
        );
        assert_eq!(of("https://a.example:443"), ["https://a.example/y"]);
        assert!(of("http://b.example:80").is_empty());
        assert_eq!(urls.n_absolute(), 3);
    }

    #[test]
    fn urls_of_origins_without_a_capture_are_counted() {
        let urls = read_urls("/\nhttp://a.example/x\nhttps://a.example/y\nhttp://a.example:80/z\n");
        let urls = urls.unwrap();
        let seen = SeenOrigins::new(&urls);
        assert_eq!(urls.n_of_unseen_origins(&seen), 3);
        for origin in [
            "http://a.example:80",
            "http://a.example:80",
            "http://b.example:80",
        ] {
            urls.note_origin(origin, &seen);
        }
        assert_eq!(urls.n_of_unseen_origins(&seen), 1);
        urls.note_origin("https://a.example:443", &seen);
        assert_eq!(urls.n_of_unseen_origins(&seen), 0);
    }

    #[test]
    fn international_names_meet_their_ascii_form() {
        let urls = read_urls("http://müller.example/a\n").unwrap();
        assert_eq!(urls.of_origin("http://xn--mller-kva.example:80").count(), 1);
    }

    #[test]
    fn more_urls_than_memory_is_meant_for_are_refused() {
        let text = "/a\n# none\nhttp://a.example/\n/b\n";
        assert_eq!(read_at_most(3, text).unwrap().n_absolute(), 1);
        let error = read_at_most(2, text).unwrap_err();
        assert_eq!(error, "line 4: expected at most 2 URLs, but found more");
    }

    #[test]
    fn what_is_no_list_of_urls_is_named_by_its_line() {
        assert!(
            read_urls("/a\nindex.html\n")
                .unwrap_err()
                .starts_with("line 2: expected a path")
        );
        assert!(
            read_urls("/a\n/a\n")
                .unwrap_err()
                .contains("line 1 already")
        );
        assert!(read_urls("").unwrap_err().contains("found none"));
    }
}
