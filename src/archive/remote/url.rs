//! URLs of what is remote, as users write them and as messages show them.

use std::{borrow::Cow, fmt};

use crate::archive::error::Error;

/// The schemes of URLs that can be read.
pub(crate) const SCHEMES: &str = "http://, https:// and s3://";

/// The URL of an archive, of a list or of a dataset.
///
/// It is shown without a user's name and password and without the values of its query, which may
/// be a signature.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum RemoteUrl {
    Http(reqwest::Url),
    S3 {
        bucket: String,
        /// Without a slash at the start; empty for the bucket as a whole.
        key: String,
    },
}

/// Returns true if and only if a word is a URL of any scheme but `file`, and not a path.
pub(crate) fn is_remote(word: &str) -> bool {
    scheme(word).is_some_and(|scheme| !scheme.eq_ignore_ascii_case("file"))
}

/// Returns the scheme of a URL (RFC 3986, 3.1) that has an authority; `None` for a path.
fn scheme(word: &str) -> Option<&str> {
    let (scheme, _) = word.split_once("://")?;
    let mut bytes = scheme.bytes();
    let is_scheme = bytes.next()?.is_ascii_alphabetic()
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    is_scheme.then_some(scheme)
}

/// Returns true if and only if a word is no URL but seems to be meant as one, such as `http:/host`
/// or `user:password@host`.
pub(crate) fn is_misspelled(word: &str) -> bool {
    if scheme(word).is_some() {
        return false;
    }
    let (name, rest) = word.split_at(length_of_scheme(word));
    let is_known = ["http", "https", "s3"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known));
    match rest.strip_prefix(':') {
        Some(rest) => is_known || rest.contains('@'),
        None => is_known && rest.starts_with("//"),
    }
}

/// Returns how many bytes at the beginning of a word may be those of a scheme.
fn length_of_scheme(word: &str) -> usize {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    word.find(ends).unwrap_or(word.len())
}

impl RemoteUrl {
    /// Parses a URL of one of [`SCHEMES`].
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let scheme = scheme(text).unwrap_or_default().to_ascii_lowercase();
        match scheme.as_str() {
            "s3" => {
                let rest = &text["s3://".len()..];
                let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
                let is_bucket =
                    |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
                if bucket.is_empty() || !bucket.bytes().all(is_bucket) {
                    return Err(Error::usage(format!(
                        "{}: expected s3://BUCKET/KEY, where a bucket's name has letters, digits, hyphens and periods",
                        without_secrets(text)
                    )));
                }
                Ok(Self::S3 {
                    bucket: bucket.to_owned(),
                    key: key.to_owned(),
                })
            }
            "http" | "https" => match text.parse::<reqwest::Url>() {
                Ok(mut url) => {
                    url.set_fragment(None);
                    Ok(Self::Http(url))
                }
                Err(e) => Err(Error::usage(format!(
                    "expected a URL of {scheme}, but {e}: {}",
                    without_secrets(text)
                ))),
            },
            _ => Err(Error::usage(format!(
                "{}: expected a path or a URL of {SCHEMES}",
                without_secrets(text)
            ))),
        }
    }

    /// Returns the whole URL, which is never shown.
    pub(crate) fn with_secrets(&self) -> Cow<'_, str> {
        match self {
            Self::Http(url) => url.as_str().into(),
            Self::S3 { bucket, key } => format!("s3://{bucket}/{key}").into(),
        }
    }

    pub(super) fn is_s3(&self) -> bool {
        matches!(self, Self::S3 { .. })
    }

    /// Returns the path below the host or the bucket, without a slash at the start.
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Http(url) => url.path().trim_start_matches('/'),
            Self::S3 { key, .. } => key,
        }
    }

    /// Returns the URL of a line in the list that is here: that line if it is a URL; a path from
    /// `crawl-data/` on in the folder where the list's own path has such a part; another path in
    /// the list's folder.
    pub(crate) fn resolve(&self, line: &str) -> Result<Self, Error> {
        if scheme(line).is_some() || is_misspelled(line) {
            return Self::parse(line);
        }
        let path = self.path();
        let crawl_data = if line.starts_with(CRAWL_DATA) {
            path.match_indices(CRAWL_DATA)
                .map(|(at, _)| at)
                .find(|&at| at == 0 || path[..at].ends_with('/'))
        } else {
            None
        };
        let folder = crawl_data.unwrap_or_else(|| path.rfind('/').map_or(0, |slash| slash + 1));
        let resolved = format!("{}{}", &path[..folder], line.trim_start_matches('/'));
        Ok(match self {
            Self::Http(url) => {
                let mut url = url.clone();
                url.set_query(None);
                url.set_path(&resolved);
                Self::Http(url)
            }
            Self::S3 { bucket, .. } => Self::S3 {
                bucket: bucket.clone(),
                key: resolved,
            },
        })
    }

    /// Returns the host or the bucket, by which requests are spaced out.
    pub(super) fn host(&self) -> String {
        match self {
            Self::Http(url) => {
                let host = url.host_str().unwrap_or_default();
                format!("{host}:{}", url.port_or_known_default().unwrap_or_default())
            }
            Self::S3 { bucket, .. } => format!("s3://{bucket}"),
        }
    }
}

/// The folder from which on a path names an archive of Common Crawl.
const CRAWL_DATA: &str = "crawl-data/";

impl fmt::Display for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(url) => {
                let mut shown = url.clone();
                // A URL of these schemes has a host, and so may have a user.
                let _ = shown.set_username("");
                let _ = shown.set_password(None);
                shown.set_query(None);
                write!(
                    f,
                    "{shown}{}",
                    if url.query().is_some() { "?..." } else { "" }
                )
            }
            Self::S3 { bucket, key } => write!(f, "s3://{bucket}/{key}"),
        }
    }
}

// A URL with its secrets would be printed by every structure that has one.
impl fmt::Debug for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns a text that is meant as a URL, right or wrong, without what may be a user's name and
/// password, and with `...` for its query.
pub(crate) fn without_secrets(text: &str) -> String {
    let after_scheme = text[length_of_scheme(text)..].trim_start_matches([':', '/']);
    let (scheme, rest) = text.split_at(text.len() - after_scheme.len());
    let (place, query) = match rest.split_once(['?', '#']) {
        Some((place, query)) => (place, Some(query)),
        None => (rest, None),
    };
    let authority = place.split('/').next().unwrap_or_default();
    // A password may have characters that end a host, which should have been encoded.
    let shown = match place.rfind('@') {
        Some(at) if authority.contains([':', '@']) => &place[at + 1..],
        None if authority.contains(':') && query.is_some_and(|query| query.contains('@')) => {
            return format!("{scheme}...");
        }
        _ => place,
    };
    format!(
        "{scheme}{shown}{}",
        if query.is_some() { "?..." } else { "" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        for (text, shown) in [
            (
                "https://u:p@h.example/a?X-Amz-Signature=1",
                "https://h.example/a?...",
            ),
            ("HTTP://h.example:81/a#x", "http://h.example:81/a"),
            ("s3://bucket/a/b?c#d", "s3://bucket/a/b?c#d"),
        ] {
            let url = RemoteUrl::parse(text).unwrap();
            assert_eq!(
                (url.to_string(), format!("{url:?}")),
                (shown.into(), shown.into())
            );
        }
        for text in [
            "ftp://u:p@h/a",
            "https://u:p@:x/",
            "https://u:p/p@h/a",
            "https://u:p#p@h/a",
            "gs://u:p@bucket/a?k=p",
            "s3://u:p@bucket/a?k=p",
            "s3:///u:p@bucket/a",
            "http:/u:p@h/a",
            "http:u:p@h/a",
            "http//u:p@h/a",
            "htp:/u:p@h/a",
            "u:p@h/a",
        ] {
            let error = RemoteUrl::parse(text).unwrap_err().to_string();
            assert!(!error.contains("u:p") && !error.contains("p@"), "{error}");
        }
    }

    #[test]
    fn what_is_meant_as_a_url_and_is_none_is_told_from_a_path() {
        for word in [
            "http:/h/a",
            "HTTPS:h",
            "s3:/b/k",
            "https//h/a",
            "htp:/u:p@h",
            "u:p@h/a",
        ] {
            assert!(is_misspelled(word), "{word}");
        }
        for word in [
            "http/a.warc",
            "a/b:c@d",
            "disk:1/a.warc",
            "https://h/a",
            "file:///a:b@c",
            "a@b",
            "",
        ] {
            assert!(!is_misspelled(word), "{word}");
        }
        for (text, shown) in [
            ("http:/u:p@h/a?k=p", "http:/h/a?..."),
            ("https://u:p?p@h", "https://..."),
            ("ftp://h/@a", "ftp://h/@a"),
            ("u:p@h/a", "u:h/a"),
        ] {
            assert_eq!(without_secrets(text), shown);
        }
    }

    #[test]
    fn a_word_with_a_scheme_is_remote_unless_it_is_a_file() {
        for word in ["https://h/a", "s3://b/k", "ftp://h/a", "HTTP://h"] {
            assert!(is_remote(word), "{word}");
        }
        for word in [
            "file:///a",
            "a/b",
            "a://b://c".trim_start_matches("a:"),
            "://x",
            "1x://y",
        ] {
            assert!(!is_remote(word), "{word}");
        }
    }

    #[test]
    fn lines_of_a_list_are_found_where_its_crawl_is() {
        let list = "https://h.example/x/crawl-data/CC-MAIN-2025-05/robotstxt.paths.gz?s=1";
        let url = RemoteUrl::parse(list).unwrap();
        let resolve = |line: &str| url.resolve(line).unwrap().to_string();
        assert_eq!(
            resolve("crawl-data/CC-MAIN-2025-05/a.warc.gz"),
            "https://h.example/x/crawl-data/CC-MAIN-2025-05/a.warc.gz"
        );
        assert_eq!(
            resolve("a.warc.gz"),
            "https://h.example/x/crawl-data/CC-MAIN-2025-05/a.warc.gz"
        );
        assert_eq!(resolve("s3://b/a.warc.gz"), "s3://b/a.warc.gz");
        let list = RemoteUrl::parse("s3://b/lists/l.txt").unwrap();
        assert_eq!(list.resolve("a").unwrap().to_string(), "s3://b/lists/a");
    }
}
