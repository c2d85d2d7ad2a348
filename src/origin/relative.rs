//! URI references put together with their base (RFC 3986, 5.2).
//!
//! What enters is a base and a reference, what leaves is one URI without a fragment, as bytes. This
//! file refuses to know whether the result can be read.

use super::location::{Location, scheme_len};

/// Writes the URI that `reference` means at `base` to `out`, replacing what stands there.
pub(super) fn join(base: &Location, reference: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let end = memchr::memchr(b'#', reference).unwrap_or(reference.len());
    let reference = &reference[..end];
    if let Some(len) = scheme_len(reference) {
        append_absolute(reference, len + 1, out);
        return;
    }
    out.extend_from_slice(base.protocol().as_bytes());
    out.push(b':');
    if reference.starts_with(b"//") {
        append_absolute(reference, 0, out);
        return;
    }
    out.extend_from_slice(b"//");
    out.extend_from_slice(base.host_name().as_bytes());
    if let Some(port) = base.port() {
        out.extend_from_slice(format!(":{port}").as_bytes());
    }
    let question = memchr::memchr(b'?', reference);
    let (path, query) = reference.split_at(question.unwrap_or(reference.len()));
    let base_path = base.path().as_bytes();
    if path.is_empty() {
        out.extend_from_slice(base_path);
        match (question, base.query()) {
            (None, Some(query)) => {
                out.push(b'?');
                out.extend_from_slice(query.as_bytes());
            }
            _ => out.extend_from_slice(query),
        }
        return;
    }
    let folder = if path.starts_with(b"/") {
        &[]
    } else {
        &base_path[..memchr::memrchr(b'/', base_path).map_or(0, |at| at + 1)]
    };
    append_without_dots(folder, path, out);
    out.extend_from_slice(query);
}

/// Appends a reference that names its own host, with its path as any other: the dots in it are
/// removed, too (5.2.2). What `slashes` begins is `//host` where the scheme is one with a host.
fn append_absolute(reference: &[u8], slashes: usize, out: &mut Vec<u8>) {
    let path_len = memchr::memchr(b'?', reference).unwrap_or(reference.len());
    let authority = slashes + 2;
    let start = match reference.get(slashes..authority) {
        Some(b"//") if authority <= path_len => {
            memchr::memchr(b'/', &reference[authority..path_len])
        }
        _ => None,
    };
    let Some(start) = start.map(|at| authority + at) else {
        out.extend_from_slice(reference);
        return;
    };
    out.extend_from_slice(&reference[..start]);
    append_without_dots(&[], &reference[start..path_len], out);
    out.extend_from_slice(&reference[path_len..]);
}

/// Appends the path that `folder` and `path` make, without the segments `.` and `..` (5.2.4).
fn append_without_dots(folder: &[u8], path: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let segments = folder.split(|&b| b == b'/');
    // A folder ends with a slash, so its last piece is empty; it is where the path goes on.
    let folder_count = memchr::memchr_iter(b'/', folder).count();
    let mut segments = segments
        .take(folder_count)
        .chain(path.split(|&b| b == b'/'))
        .peekable();
    // The piece before the first slash of a rooted path is empty.
    segments.next_if(|segment| segment.is_empty());
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            b"." | b".." => {
                if segment == b".." {
                    let parent = memchr::memrchr(b'/', &out[start..]).unwrap_or(0);
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
                    join(&base, $reference.as_bytes(), &mut out);
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
        assert!(target.speaks_for(&base));
        assert!(target.parse_relative(&base, b"mailto:x@a.example").is_err());
    }
}
