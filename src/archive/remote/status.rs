//! Why a request brought no bytes, in words.

use std::{
    error::Error,
    fmt,
    io::{
        self,
        ErrorKind::{
            ConnectionRefused, ConnectionReset, HostUnreachable, NotFound, Other, PermissionDenied,
            TimedOut,
        },
    },
    time::{Duration, SystemTime},
};

use reqwest::{
    StatusCode,
    header::{HeaderMap, HeaderName, RETRY_AFTER},
};

use super::{
    date,
    gate::MAX_RETRY_AFTER,
    object::{causes, element},
    store::is_anonymous,
    url::RemoteUrl,
};

/// Characters of a code of S3; the longest known has 46.
const MOST_CODE: usize = 64;

/// Why a request brought nothing, or less than all.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// Another try may succeed, at the earliest after this time.
    Passing(Failure, Option<Duration>),
    /// Another try would not.
    Lasting(Failure),
    /// The server has another version than that of the bytes that were received.
    Changed,
    /// Nobody reads the bytes any longer.
    Abandoned,
}

/// Why something could not be read.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) kind: io::ErrorKind,
    /// A clause, which names neither the URL nor secrets.
    pub(super) message: String,
}

impl Failure {
    pub(super) fn new(kind: io::ErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message }
    }
}

impl Trouble {
    /// Returns a failure after which another try may succeed at any time.
    pub(super) fn passing(kind: io::ErrorKind, message: impl Into<String>) -> Self {
        Self::Passing(Failure::new(kind, message), None)
    }

    /// Returns a failure that another try would repeat.
    pub(super) fn lasting(kind: io::ErrorKind, message: impl Into<String>) -> Self {
        Self::Lasting(Failure::new(kind, message))
    }
}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> Self {
        Self::new(failure.kind, failure.message)
    }
}

impl From<Trouble> for io::Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Passing(failure, _) | Trouble::Lasting(failure) => failure.into(),
            Trouble::Changed => Self::other(Changed),
            Trouble::Abandoned => Self::other("the answer ends early"),
        }
    }
}

/// The error of reading an archive that the server replaced meanwhile, after bytes of it were read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed;

impl Changed {
    /// Returns true if and only if this is why reading failed.
    pub(crate) fn caused(error: &io::Error) -> bool {
        error
            .get_ref()
            .is_some_and(<dyn Error + Send + Sync>::is::<Self>)
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server replaced this archive by another version while it was read")
    }
}

impl Error for Changed {}

/// Returns why an answer with that status and the beginning of its body brought nothing.
pub(super) fn of_status(
    url: &RemoteUrl,
    status: StatusCode,
    headers: &HeaderMap,
    body: &str,
) -> Trouble {
    // What stands there may be anything, and is shown and recorded.
    let is_code = |code: &&str| {
        url.is_s3() && code.len() <= MOST_CODE && code.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let code = element(body, "Code").filter(is_code);
    let shown = code.map_or_else(|| format!("HTTP status {}", status.as_u16()), str::to_owned);
    let is_passing = matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504);
    let lasting = |kind, message: &str| Trouble::lasting(kind, format!("{message} ({shown})"));
    match (status.as_u16(), code) {
        _ if is_passing => {
            let wait = field(headers, RETRY_AFTER).and_then(retry_after);
            match wait.filter(|wait| *wait > MAX_RETRY_AFTER) {
                Some(wait) => lasting(
                    TimedOut,
                    &format!("the server asks to wait {} seconds", wait.as_secs()),
                ),
                None => {
                    let message = format!("the server does not answer now ({shown})");
                    Trouble::Passing(Failure::new(TimedOut, message), wait)
                }
            }
        }
        (_, Some("NoSuchBucket")) => lasting(NotFound, "there is no bucket of this name"),
        (
            _,
            Some(
                "InvalidAccessKeyId"
                | "SignatureDoesNotMatch"
                | "ExpiredToken"
                | "InvalidToken"
                | "InvalidClientTokenId",
            ),
        ) => lasting(
            PermissionDenied,
            "the credentials are wrong; set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if they have one, AWS_SESSION_TOKEN, or AWS_PROFILE",
        ),
        (301 | 307 | 400, _) if url.is_s3() => {
            lasting(Other, "the bucket may be in another region; set AWS_REGION")
        }
        (401 | 403, _) if url.is_s3() && is_anonymous() => lasting(
            PermissionDenied,
            "access is denied without credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
        ),
        (401 | 403, _) => lasting(PermissionDenied, "access is denied"),
        (404 | 410, _) => lasting(NotFound, "it is not there"),
        _ => lasting(Other, "the server refuses the request"),
    }
}

/// Returns the value of a field, if it is text, without white space around it.
pub(super) fn field(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Returns how long a server asks to wait: seconds, or the time until a date.
fn retry_after(value: &str) -> Option<Duration> {
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let left = date::parse(value)?.duration_since(SystemTime::now());
    Some(left.unwrap_or_default())
}

/// Returns why a request brought no answer, or no more bytes.
///
/// A host without an address, one that refuses connections and a certificate that is not trusted
/// are lasting where nothing was ever received (`is_first`).
pub(super) fn of_error(error: &reqwest::Error, is_first: bool) -> Trouble {
    let mut texts = String::new();
    let mut refused = false;
    for cause in causes(error) {
        texts.push_str(&cause.to_string());
        texts.push('\n');
        let io_error = cause.downcast_ref::<io::Error>();
        refused |= io_error.is_some_and(|e| e.kind() == ConnectionRefused);
    }
    let last = texts.lines().last();
    if texts.contains("certificate") {
        let message = format!(
            "the server's certificate is not trusted ({}); SSL_CERT_FILE may name a file with that of its authority",
            last.unwrap_or_default()
        );
        return Trouble::lasting(PermissionDenied, message);
    }
    let lasting_at_first = if is_first {
        Trouble::lasting
    } else {
        Trouble::passing
    };
    if texts.contains("dns error") {
        let message = "the name of the host cannot be resolved to an address";
        return lasting_at_first(HostUnreachable, message);
    }
    if refused {
        return lasting_at_first(ConnectionRefused, "the host refuses connections");
    }
    if error.is_timeout() {
        return lasting_at_first(TimedOut, "the host does not answer");
    }
    if texts.contains("message head is too large") {
        let message = "the server's answer has too long a head, or a length that no file has";
        return Trouble::lasting(Other, message);
    }
    // As hyper says it of a Content-Length that is negative, and of fields with other bytes.
    let is_bad_field = |line: &&str| {
        line.starts_with("invalid content-length") || line.starts_with("invalid HTTP header")
    };
    if let Some(line) = texts.lines().find(is_bad_field) {
        let message = format!("the server's answer has a header field that is not valid: {line}");
        return Trouble::lasting(Other, message);
    }
    let message = match last {
        Some(last) => format!("the connection was cut: {last}"),
        None => "the connection was cut".to_owned(),
    };
    Trouble::passing(ConnectionReset, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_asks_to_wait_in_seconds_or_until_a_date() {
        assert_eq!(retry_after("3"), Some(Duration::from_secs(3)));
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(Duration::ZERO)
        );
        assert_eq!(retry_after("soon"), None);
    }
}
