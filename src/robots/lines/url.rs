//! The form of a URL in a value. Neither host nor path is interpreted, unlike in `origin`.

use memchr::memmem;

use super::is_blank_byte;

/// The reason why a value is no absolute URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlFault {
    /// It has no scheme.
    Relative,
    /// It is empty, has no host, or has white space inside.
    Malformed,
}

/// Tests whether a value has the form of an absolute URL: a scheme, a host and no white space
/// (sitemaps.org).
///
/// # Errors
///
/// The first of these that is violated.
pub fn absolute_url(value: &[u8]) -> Result<(), UrlFault> {
    if value.is_empty() {
        return Err(UrlFault::Malformed);
    }
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let scheme = memmem::find(value, b"://");
    let scheme = scheme.filter(|&at| at > 0 && value[..at].iter().all(is_scheme));
    let at = scheme.ok_or(UrlFault::Relative)?;
    let host = value.get(at + 3);
    let has_host = host.is_some_and(|byte| !matches!(byte, b'/' | b'?' | b'#' | b':'));
    if has_host && !value.iter().any(|&byte| is_blank_byte(byte)) {
        Ok(())
    } else {
        Err(UrlFault::Malformed)
    }
}
