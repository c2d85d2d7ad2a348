//! Requests: where they go, and what the server says about what it has.

use std::{
    io::ErrorKind::{InvalidData, Other, TimedOut},
    sync::LazyLock,
    time::SystemTime,
};

use reqwest::{
    Method, RequestBuilder, Response, StatusCode, Url,
    header::{
        ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
        HeaderMap, HeaderName, IF_MATCH, IF_UNMODIFIED_SINCE, LAST_MODIFIED, RANGE,
    },
};

use super::{
    date, gate,
    redirect::{self, LeadsInside, OutsideOnly},
    status::{Trouble, field, of_error, of_status},
    store::{client_builder, signed_url},
    url::RemoteUrl,
};

/// Bytes of the answer to a refused request that are read for a code of S3.
const MOST_BODY: usize = 16 * 1024;
/// The largest size, in bytes, that is believed: 200 times that of the largest object of S3. So
/// sums of sizes stay far below the largest number.
const MOST_SIZE: u64 = 1 << 50;

type Client = Result<reqwest::Client, String>;

/// Makes requests to hosts that the user names.
static CLIENT: LazyLock<Client> = LazyLock::new(|| build(client_builder()));
/// Makes requests to hosts to which servers outside this network redirect.
static REDIRECTED: LazyLock<Client> =
    LazyLock::new(|| build(client_builder().dns_resolver(OutsideOnly)));

fn build(builder: reqwest::ClientBuilder) -> Client {
    let client = builder.build();
    client.map_err(|e| format!("cannot make requests: {e}"))
}

/// A version of what a server has, by its headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Version {
    /// `None` if the server does not say it.
    pub(super) size: Option<u64>,
    pub(super) etag: Option<String>,
    /// As the server writes it.
    pub(super) last_modified: Option<String>,
    /// Whether the server compresses it for the transfer, although it is asked not to: neither the
    /// size nor ranges are those of the file then.
    pub(super) is_compressed: bool,
}

impl Version {
    fn from_headers(headers: &HeaderMap, size: Option<u64>, is_compressed: bool) -> Self {
        let text = |name: HeaderName| {
            let value = field(headers, name).filter(|value| !value.is_empty());
            value.map(str::to_owned)
        };
        Self {
            size: size.filter(|&size| size <= MOST_SIZE && !is_compressed),
            etag: text(ETAG),
            last_modified: text(LAST_MODIFIED),
            is_compressed,
        }
    }

    /// Returns the time of the last change.
    pub(super) fn modified(&self) -> Option<SystemTime> {
        date::parse(self.last_modified.as_deref()?)
    }

    /// Returns true if and only if what identifies this version, its tag or else its time, is in
    /// another answer too, and nothing shows that it is of another version.
    pub(super) fn may_be(&self, other: &Self) -> bool {
        let have_size = self.size.is_none() || other.size.is_none() || self.size == other.size;
        // Servers behind one address may differ in the time where they agree in the tag.
        let is_same = match (&self.etag, &other.etag) {
            (Some(etag), Some(other)) => etag == other,
            _ => self.last_modified == other.last_modified,
        };
        let is_identified = self.etag.is_none() && self.last_modified.is_none()
            || other.etag.is_some()
            || other.last_modified.is_some();
        have_size && is_same && is_identified
    }

    /// Returns the header that demands this version, byte for byte; `None` if the server gave
    /// nothing that identifies it. A weak tag does not (RFC 9110, 13.1.1).
    pub(super) fn condition(&self) -> Option<(HeaderName, &str)> {
        match (&self.etag, &self.last_modified) {
            (Some(etag), _) if !etag.starts_with("W/") => Some((IF_MATCH, etag)),
            (_, Some(date)) => Some((IF_UNMODIFIED_SINCE, date)),
            _ => None,
        }
    }
}

/// An answer with bytes.
pub(super) struct Answer {
    pub(super) response: Response,
    pub(super) version: Version,
    /// Where its bytes begin.
    pub(super) start: u64,
}

/// Requests what is at a URL from a byte on, up to another if one is given; of a certain version if
/// one is given. A part that begins beyond the end is an answer without bytes, if that is the first
/// answer and states the size.
pub(super) async fn get(
    url: &RemoteUrl,
    allows_private: bool,
    start: u64,
    end: Option<u64>,
    version: Option<&Version>,
) -> Result<Answer, Trouble> {
    let range = match end {
        Some(end) => Some(format!("bytes={start}-{}", end - 1)),
        None => (start > 0).then(|| format!("bytes={start}-")),
    };
    let response = send(url, allows_private, Method::GET, range, version).await?;
    let (status, headers) = (response.status(), response.headers());
    let of_refused = || size_of_refused(headers).filter(|&size| size <= start);
    let is_first_part = end.is_some() && version.is_none();
    let (start, size) = match status {
        StatusCode::PARTIAL_CONTENT => match content_range(headers) {
            Some(part) => part,
            None if start > 0 => return Err(Trouble::Changed),
            None => {
                let message = "the server sends a part that was not asked for";
                return Err(Trouble::lasting(Other, message));
            }
        },
        StatusCode::RANGE_NOT_SATISFIABLE if is_first_part && of_refused().is_some() => {
            return Ok(Answer {
                version: Version::from_headers(headers, of_refused(), false),
                start,
                response,
            });
        }
        StatusCode::PRECONDITION_FAILED | StatusCode::RANGE_NOT_SATISFIABLE => {
            return Err(Trouble::Changed);
        }
        StatusCode::OK if end.is_some() => {
            let message = "expected a part of the file, but the server sends all of it, so that records cannot be read by an index; read the whole archive";
            return Err(Trouble::lasting(Other, message));
        }
        StatusCode::OK => (0, content_length(headers)),
        _ => return Err(refusal(url, response).await),
    };
    let version = Version::from_headers(headers, size, is_compressed(url, &response)?);
    Ok(Answer {
        response,
        version,
        start,
    })
}

/// Asks what a server has at a URL.
pub(super) async fn head(url: &RemoteUrl, allows_private: bool) -> Result<Version, Trouble> {
    let mut response = send(url, allows_private, Method::HEAD, None, None).await?;
    let status = response.status();
    let is_refused = status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS
        || status == StatusCode::NOT_IMPLEMENTED;
    if is_refused {
        // The server, or a signature, may allow no other method; and only this answer has a reason.
        let first_byte = Some("bytes=0-0".to_owned());
        response = send(url, allows_private, Method::GET, first_byte, None).await?;
    }
    let headers = response.headers();
    let size = match response.status() {
        status if status.is_success() && !is_refused => content_length(headers),
        StatusCode::OK => content_length(headers),
        StatusCode::PARTIAL_CONTENT => content_range(headers).and_then(|(_, size)| size),
        StatusCode::RANGE_NOT_SATISFIABLE => Some(0),
        _ => return Err(refusal(url, response).await),
    };
    let is_compressed = is_compressed(url, &response)?;
    Ok(Version::from_headers(headers, size, is_compressed))
}

/// Returns why a page was sent in place of an archive; `None` if it is none.
pub(super) fn refuse_page(headers: &HeaderMap) -> Option<Trouble> {
    let content_type = field(headers, CONTENT_TYPE)?.to_ascii_lowercase();
    let is_page = content_type.starts_with("text/html");
    let message =
        "expected a WARC archive, or a list of archives, but the server sent an HTML page";
    is_page.then(|| Trouble::lasting(InvalidData, message))
}

/// Makes a request, and follows the redirects of its answers.
async fn send(
    url: &RemoteUrl,
    allows_private: bool,
    method: Method,
    range: Option<String>,
    version: Option<&Version>,
) -> Result<Response, Trouble> {
    let mut at = match url {
        RemoteUrl::Http(url) => url.clone(),
        RemoteUrl::S3 { .. } => {
            let signed = signed_url(url, method.clone()).await;
            signed.map_err(|e| Trouble::lasting(Other, e.to_string()))?
        }
    };
    let mut is_redirected = false;
    gate::wait_until_open(&url.host()).await;
    for _ in 0..=redirect::MOST {
        let mut request = request(method.clone(), &at, is_redirected)?;
        if let Some(range) = &range {
            request = request.header(RANGE, range);
        }
        if let Some((name, value)) = version.and_then(Version::condition) {
            request = request.header(name, value);
        }
        let response = answer(request, &at, version.is_none()).await;
        let response = response.map_err(redirect::naming_option)?;
        let next = redirect::next(&at, &response, allows_private).await;
        match next.map_err(redirect::naming_option)? {
            Some(next) => (at, is_redirected) = next,
            None => return Ok(response),
        }
    }
    let most = redirect::MOST;
    let message = format!("the server redirects more than {most} times");
    Err(Trouble::lasting(Other, message))
}

/// Requests what is at a URL, once, and follows no redirect; `is_redirected` is whether a server
/// outside this network redirected there.
#[cfg(feature = "cli")]
pub(super) async fn answer_at(at: &Url, is_redirected: bool) -> Result<Response, Trouble> {
    answer(request(Method::GET, at, is_redirected)?, at, true).await
}

fn request(method: Method, at: &Url, is_redirected: bool) -> Result<RequestBuilder, Trouble> {
    let client = if is_redirected { &REDIRECTED } else { &CLIENT };
    let client = client.as_ref().map_err(|e| Trouble::lasting(Other, e))?;
    let request = client.request(method, at.clone());
    Ok(request.header(ACCEPT_ENCODING, "identity"))
}

/// Sends a request; `is_first` is whether nothing was ever received of what is asked for.
async fn answer(request: RequestBuilder, at: &Url, is_first: bool) -> Result<Response, Trouble> {
    match tokio::time::timeout(gate::read_timeout(), request.send()).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(e)) if LeadsInside::caused(&e) => Err(redirect::refused_inside(at)),
        Ok(Err(e)) => Err(of_error(&e, is_first)),
        Err(_) => Err(stalled()),
    }
}

/// Returns the next bytes of an answer; `None` at its end.
pub(super) async fn next_chunk(response: &mut Response) -> Result<Option<bytes::Bytes>, Trouble> {
    match tokio::time::timeout(gate::read_timeout(), response.chunk()).await {
        Ok(Ok(chunk)) => Ok(chunk),
        Ok(Err(e)) => Err(of_error(&e, false)),
        Err(_) => Err(stalled()),
    }
}

/// Reads the body of an answer until it ends or has more than `most` bytes.
pub(super) async fn read_body(
    response: &mut Response,
    most: usize,
    body: &mut Vec<u8>,
) -> Result<(), Trouble> {
    while body.len() <= most
        && let Some(chunk) = next_chunk(response).await?
    {
        body.extend_from_slice(&chunk);
    }
    Ok(())
}

async fn refusal(url: &RemoteUrl, mut response: Response) -> Trouble {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    let read = read_body(&mut response, MOST_BODY, &mut body);
    // What has come by then is enough to know why.
    let _ = tokio::time::timeout(gate::read_timeout(), read).await;
    of_status(url, status, &headers, &String::from_utf8_lossy(&body))
}

fn stalled() -> Trouble {
    let seconds = gate::read_timeout().as_secs_f64();
    let message = format!("the server sent nothing for {seconds} seconds");
    Trouble::passing(TimedOut, message)
}

/// Returns true if and only if the server compresses a file for the transfer. Where its name ends
/// in that of the compression, the file itself is compressed, and the server says just that.
///
/// # Errors
///
/// A compression that cannot be undone.
fn is_compressed(url: &RemoteUrl, response: &Response) -> Result<bool, Trouble> {
    let value = response.headers().get(CONTENT_ENCODING);
    let coding = value.map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase());
    let ends = match coding.as_deref().map_or("", str::trim) {
        "" | "identity" => return Ok(false),
        "gzip" | "x-gzip" => ".gz",
        "zstd" => ".zst",
        _ => "",
    };
    let is_of_file = |path: &str| !ends.is_empty() && path.to_ascii_lowercase().ends_with(ends);
    if is_of_file(url.path()) || is_of_file(response.url().path()) {
        return Ok(false);
    }
    match ends {
        ".gz" => Ok(true),
        _ => Err(Trouble::lasting(
            Other,
            "expected the bytes of the file, or gzip, but the server sends them in another Content-Encoding",
        )),
    }
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    field(headers, CONTENT_LENGTH)?.parse().ok()
}

/// Returns the size of the whole that an answer without bytes states, from `bytes */100`.
fn size_of_refused(headers: &HeaderMap) -> Option<u64> {
    let value = field(headers, CONTENT_RANGE)?;
    value.strip_prefix("bytes */")?.trim().parse().ok()
}

/// Returns the first byte and the size of the whole, from `bytes 0-9/100` or `bytes 0-9/*`.
fn content_range(headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let value = field(headers, CONTENT_RANGE)?;
    let (range, size) = value.strip_prefix("bytes ")?.split_once('/')?;
    let (first, _) = range.split_once('-')?;
    Some((first.trim().parse().ok()?, size.trim().parse().ok()))
}
