//! The components of a URI reference (RFC 3986, appendix B), as slices: nothing is decoded or
//! validated.

use memchr::memchr;

/// A URI reference split at its delimiters, without its fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference<'u> {
    /// The scheme without its colon.
    pub(super) scheme: Option<&'u [u8]>,
    /// Authority and path.
    pub(super) hierarchy: &'u [u8],
    /// The query without its `?`.
    pub(super) query: Option<&'u [u8]>,
}

impl<'u> Reference<'u> {
    /// Splits a URI or a relative reference.
    pub(super) fn split(text: &'u [u8]) -> Self {
        let text = &text[..memchr(b'#', text).unwrap_or(text.len())];
        let (scheme, rest) = match scheme_len(text) {
            Some(len) => (Some(&text[..len]), &text[len + 1..]),
            None => (None, text),
        };
        let (hierarchy, query) = match memchr(b'?', rest) {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        Self {
            scheme,
            hierarchy,
            query,
        }
    }

    /// Returns the authority without its slashes, and the path: an authority follows two slashes
    /// and ends at the next one.
    pub(super) fn authority_and_path(&self) -> (Option<&'u [u8]>, &'u [u8]) {
        match self.hierarchy.strip_prefix(b"//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(memchr(b'/', rest).unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, self.hierarchy),
        }
    }
}

/// Returns the length of the scheme that a URI begins with (RFC 3986, 3.1), if a colon follows it.
fn scheme_len(uri: &[u8]) -> Option<usize> {
    let is_scheme = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let len = uri.iter().take_while(is_scheme).count();
    (uri.get(len) == Some(&b':') && uri[0].is_ascii_alphabetic()).then_some(len)
}

/// Returns the default port of a scheme in lower case (RFC 9110, 4.2.1 and 4.2.2; RFC 1738, 3.2).
pub(crate) fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}
