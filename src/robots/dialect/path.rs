//! The path of a URL, ready to be matched.
//!
//! Path, parameters and query are cut out of a URL as Google's parser does, in the form that the
//! dialect compares. The origin of the URL has no effect: `origin` decides whether a robots.txt
//! applies to it.

use memchr::memchr;

use super::{
    definition::{Dialect, Percent},
    pattern::{ByteSet, LiteralHead},
    percent::{Operand, normalize},
    python,
};

/// The path of one URL, prepared for one dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedPath {
    bytes: Vec<u8>,
    pub(super) head: LiteralHead,
    pub(super) byte_set: ByteSet,
    /// Whether the path is that of the robots.txt file.
    pub(super) is_robots_txt: bool,
    /// Whether the dialect takes the URL at all; Python fails on `//[`.
    pub(super) is_readable: bool,
}

impl PreparedPath {
    /// Prepares the path of `url`, which need not be a valid URL: a path that starts with `/` is
    /// taken as one, and without any path it is `/`.
    pub fn from_url(dialect: &Dialect, url: &[u8]) -> PreparedPath {
        let mut path = PreparedPath {
            bytes: Vec::with_capacity(url.len()),
            head: LiteralHead::new(b""),
            byte_set: ByteSet::default(),
            is_robots_txt: false,
            is_readable: true,
        };
        path.set_url(dialect, url);
        path
    }

    /// Replaces the path by that of another URL, as [`PreparedPath::from_url`] prepares it, and
    /// reuses its memory.
    pub fn set_url(&mut self, dialect: &Dialect, url: &[u8]) {
        let bytes = &mut self.bytes;
        bytes.clear();
        self.is_readable = true;
        if dialect.percent == Percent::PythonQuoted {
            self.is_readable = python::path_of_url(url, bytes).is_ok();
        } else {
            let path = path_params_query(url);
            if path.first() != Some(&b'/') {
                bytes.push(b'/');
            }
            normalize(dialect.percent, Operand::Path, path, bytes);
        }
        self.head = LiteralHead::new(bytes);
        self.byte_set = ByteSet::from_text(bytes);
        self.is_robots_txt = bytes == b"/robots.txt";
    }

    /// Returns the path as it is compared. It begins with `/`, except that Python does not add a
    /// slash to a text without one.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Cuts path, parameters and query out of `url` as Google's parser does (`GetPathParamsQuery` of
/// robots.cc). The result may lack the leading slash.
fn path_params_query(url: &[u8]) -> &[u8] {
    let url = url.strip_prefix(b"//").unwrap_or(url);
    let starts_path = |&byte: &u8| matches!(byte, b'/' | b'?' | b';');
    // An authority follows the first slash if that is the one of `://`.
    let authority = match url.iter().position(starts_path) {
        Some(first) if url[..first].ends_with(b":") && url[first..].starts_with(b"//") => first + 2,
        _ => 0,
    };
    let Some(offset) = url[authority..].iter().position(starts_path) else {
        return b"/";
    };
    let start = authority + offset;
    let end = memchr(b'#', url).unwrap_or(url.len());
    if end < start {
        return b"/";
    }
    let path = &url[start..end];
    &path[..memchr(0, path).unwrap_or(path.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::testing::dialect;

    macro_rules! paths {
        ($($name:ident: $dialect:literal, $($url:literal => $path:literal),+;)+) => {
            $(
                #[test]
                fn $name() {
                    let dialect = dialect($dialect);
                    $(
                        let path = PreparedPath::from_url(&dialect, $url.as_bytes());
                        assert_eq!(String::from_utf8_lossy(path.as_bytes()), $path, "{}", $url);
                    )+
                }
            )+
        };
    }

    paths! {
        google_cuts_scheme_host_and_fragment: "google",
            "" => "/", "http://a" => "/", "http://a/" => "/", "http://a/b?c=d;e#f" => "/b?c=d;e",
            "a" => "/", "a/b" => "/b", "//a/b" => "/b", "/a/b" => "/a/b", "//" => "/",
            "http://a?b" => "/?b", "http://a;b" => "/;b", "http://a#b/c" => "/",
            "http://a/b://c" => "/b://c", "a?b://c/d" => "/?b://c/d", "://a/b" => "/b",
            "//http://a/b" => "/b", "http:/a" => "/a", "#/a" => "/", "?" => "/?";
        google_ends_a_path_at_a_nul: "google", "http://a/b\0c" => "/b";
        google_takes_the_path_as_given: "google", "http://a/%7e%2F\u{e9}*$" => "/%7e%2F\u{e9}*$";
        rfc9309_normalizes: "rfc9309", "http://a/%7e%2f\u{e9}*" => "/~%2F%C3%A9%2A";
        python_keeps_the_fragment_and_quotes: "python",
            "http://a/b?c=d#e" => "/b%3Fc%3Dd%23e", "" => "/", "/%7Ejoe" => "/~joe", "b" => "b";
    }

    #[test]
    fn robots_txt_is_recognized_by_its_whole_path() {
        let dialect = dialect("rfc9309");
        let is_it = |url: &str| PreparedPath::from_url(&dialect, url.as_bytes()).is_robots_txt;
        assert!(is_it("http://a/robots.txt") && is_it("/robots%2Etxt#x"));
        assert!(!is_it("http://a/robots.txt?x") && !is_it("/a/robots.txt"));
    }
}
