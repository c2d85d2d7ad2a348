//! Resolution of URI references (RFC 3986, 5.2).

use memchr::memrchr;

use super::{Location, LocationError, location::bare, reference::Reference};

impl Location {
    /// Parses a URI reference relative to `base`, as the target of a redirect (RFC 3986, 5.2). A
    /// fragment is dropped.
    ///
    /// # Errors
    ///
    /// As [`parse`](Location::parse), for the resolved URI.
    pub fn parse_relative(
        &mut self,
        base: &Location,
        reference: &[u8],
    ) -> Result<(), LocationError> {
        let mut joined = std::mem::take(&mut self.joined);
        resolve(base, bare(reference), &mut joined);
        let result = self.parse(&joined);
        self.joined = joined;
        result
    }
}

/// Replaces `out` by the URI to which `reference` resolves at `base`.
fn resolve(base: &Location, reference: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let parts = Reference::split(reference);
    let (authority, path) = parts.authority_and_path();
    out.extend_from_slice(parts.scheme.unwrap_or(base.protocol().as_bytes()));
    out.push(b':');
    let mut query = parts.query;
    match (parts.scheme, authority) {
        (_, Some(authority)) => {
            out.extend_from_slice(b"//");
            out.extend_from_slice(authority);
            if !path.is_empty() {
                append_without_dots(b"", path, out);
            }
        }
        // Without a host, as in `mailto:a/../b`, the path is left as it is.
        (Some(_), None) => out.extend_from_slice(path),
        (None, None) => {
            out.extend_from_slice(b"//");
            out.extend_from_slice(base.host_name().as_bytes());
            if let Some(port) = base.port() {
                out.extend_from_slice(format!(":{port}").as_bytes());
            }
            let base_path = base.path().as_bytes();
            if path.is_empty() {
                out.extend_from_slice(base_path);
                query = query.or(base.query().map(str::as_bytes));
            } else if path.starts_with(b"/") {
                append_without_dots(b"", path, out);
            } else {
                let folder_len = memrchr(b'/', base_path).map_or(0, |at| at + 1);
                append_without_dots(&base_path[..folder_len], path, out);
            }
        }
    }
    if let Some(query) = query {
        out.push(b'?');
        out.extend_from_slice(query);
    }
}

/// Appends `folder` and `path` without the segments `.` and `..` (5.2.4).
fn append_without_dots(folder: &[u8], path: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let segments = folder.split(|&b| b == b'/');
    // A folder ends with a slash; the empty text after it is not a segment, since the path follows.
    let folder_count = memchr::memchr_iter(b'/', folder).count();
    let mut segments = segments
        .take(folder_count)
        .chain(path.split(|&b| b == b'/'))
        .peekable();
    // The text before the first slash of a rooted path is empty.
    segments.next_if(|segment| segment.is_empty());
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            b"." | b".." => {
                if segment == b".." {
                    let parent = memrchr(b'/', &out[start..]).unwrap_or(0);
                    out.truncate(start + parent);
                }
                if is_last {
                    out.push(b'/');
                }
            }
            _ => {
                out.push(b'/');
                out.extend_from_slice(segment);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! joins {
        ($name:ident, $base:expr, [$($reference:expr => $want:expr),+ $(,)?]) => {
            #[test]
            fn $name() {
                let mut base = Location::new();
                base.parse($base.as_bytes()).unwrap();
                let mut out = b"before".to_vec();
                $(
                    resolve(&base, $reference.as_bytes(), &mut out);
                    assert_eq!(String::from_utf8_lossy(&out), $want, "{}", $reference);
                )+
            }
        };
    }

    // The examples of RFC 3986, 5.4, as far as they have a host; fragments are dropped.
    joins!(examples_of_the_standard, "http://a/b/c/d;p?q", [
        "g" => "http://a/b/c/g",
        "./g" => "http://a/b/c/g",
        "g/" => "http://a/b/c/g/",
        "/g" => "http://a/g",
        "//g" => "http://g",
        "//g/../h/./i?j/../k" => "http://g/h/i?j/../k",
        "http://g/x/../y" => "http://g/y",
        "https://g/.." => "https://g/",
        "https://g/x//../y" => "https://g/x/y",
        "http://g?x/../y" => "http://g?x/../y",
        "mailto:a/../b" => "mailto:a/../b",
        "?y" => "http://a/b/c/d;p?y",
        "g?y" => "http://a/b/c/g?y",
        "#s" => "http://a/b/c/d;p?q",
        "g?y#s" => "http://a/b/c/g?y",
        ";x" => "http://a/b/c/;x",
        "" => "http://a/b/c/d;p?q",
        "." => "http://a/b/c/",
        "./" => "http://a/b/c/",
        ".." => "http://a/b/",
        "../" => "http://a/b/",
        "../g" => "http://a/b/g",
        "../.." => "http://a/",
        "../../g" => "http://a/g",
        "../../../g" => "http://a/g",
        "/./g" => "http://a/g",
        "/../g" => "http://a/g",
        "g." => "http://a/b/c/g.",
        "..g" => "http://a/b/c/..g",
        "./g/." => "http://a/b/c/g/",
        "g/./h" => "http://a/b/c/g/h",
        "g/../h" => "http://a/b/c/h",
        "g?y/../x" => "http://a/b/c/g?y/../x",
        "g:h" => "g:h",
    ]);

    joins!(targets_of_redirects, "HTTPS://u@Example.COM:8443/robots.txt", [
        "/de/robots.txt" => "https://example.com:8443/de/robots.txt",
        "robots.txt" => "https://example.com:8443/robots.txt",
        "http://other.example/robots.txt#x" => "http://other.example/robots.txt",
        "//www.example.com/robots.txt" => "https://www.example.com/robots.txt",
        "/a//b" => "https://example.com:8443/a//b",
        "/" => "https://example.com:8443/",
        "?" => "https://example.com:8443/robots.txt?",
        "/a b" => "https://example.com:8443/a b",
    ]);

    #[test]
    fn location_is_parsed_relative_to_another() {
        let mut base = Location::new();
        base.parse(b"http://a.example/robots.txt").unwrap();
        let mut target = Location::new();
        assert_eq!(
            target.parse_relative(&base, b" /x/../robots.txt#f\r\n"),
            Ok(())
        );
        assert_eq!(target.url(), "http://a.example/robots.txt");
        assert!(target.applies_to(&base));
        assert!(target.parse_relative(&base, b"mailto:x@a.example").is_err());
    }
}
