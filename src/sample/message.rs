//! The HTTP messages of a fetch, as a crawl stores them.
//!
//! Stored headers are rewritten: the body is decoded already, so `Content-Encoding`,
//! `Transfer-Encoding` and the old length have names that begin with `X-Crawler-`, and HTTP/2 has
//! become HTTP/1.1.

use jiff::Timestamp;

use crate::sample::{
    body::BodyWriter,
    page::Page,
    random::Random,
    site::{SERVERS, Site},
    visit::Hop,
};

/// Returns the request for a path of a host.
pub(super) fn request(path_and_query: &str, authority: &str) -> String {
    format!(
        "GET {path_and_query} HTTP/1.1\r\n\
         User-Agent: SampleCrawler/1.0 (+https://crawler.example/about)\r\n\
         Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
         Accept-Language: en-US,en;q=0.5\r\n\
         Accept-Encoding: br,gzip\r\n\
         Host: {authority}\r\n\
         Connection: Keep-Alive\r\n\r\n"
    )
}

/// Returns the response of a fetch that was made `second` seconds after the epoch.
pub(super) fn response(
    site: &Site,
    hop: &Hop,
    second: u64,
    body: &BodyWriter,
    random: &mut Random,
) -> Vec<u8> {
    let length = body.bytes.len();
    let charset = random.pick(&["", "; charset=utf-8", "; charset=UTF-8", "; charset=utf-8"]);
    let mut head = format!(
        "HTTP/1.1 {} {}\r\nDate: {}\r\nContent-Type: {}{charset}\r\n",
        hop.status,
        reason(hop.status),
        http_date(second),
        body.mime,
    );
    if length > 64 && random.per_mille(620) {
        let coding = random.pick(&["gzip", "br"]);
        head += &format!("X-Crawler-Content-Encoding: {coding}\r\n");
        if random.per_mille(500) {
            head += "X-Crawler-Transfer-Encoding: chunked\r\n";
        } else {
            head += &format!("X-Crawler-Content-Length: {}\r\n", 30 + length / 3);
        }
    }
    head += &format!("Content-Length: {length}\r\n");
    if let Some(next) = hop.next {
        head += &format!("Location: {}\r\n", site.location(&next));
    }
    head += SERVER_FIELDS[site.server];
    if site.server == CDN {
        head += &format!("CF-RAY: {:016x}-FRA\r\n", random.bits());
    } else if hop.status == 200 {
        let modified = http_date(second - 86_400 * u64::from(site.address) - 3_600);
        let tag = site.file_seed >> 16;
        head += &format!("Last-Modified: {modified}\r\nETag: \"{length:x}-{tag:x}\"\r\n");
    }
    head += "\r\n";
    [head.as_bytes(), &body.bytes].concat()
}

/// Returns the response with a page that was fetched `second` seconds after the epoch.
pub(super) fn page_response(page: &Page, second: u64, random: &mut Random) -> Vec<u8> {
    let length = page.body.len();
    // The fields of this server state something themselves.
    let mut server = random.below(SERVERS - 1);
    server += usize::from(server >= STATING);
    let head = format!(
        "HTTP/1.1 200 OK\r\nDate: {}\r\nContent-Type: {}\r\n\
         X-Crawler-Content-Encoding: gzip\r\nX-Crawler-Content-Length: {}\r\n\
         Content-Length: {length}\r\n{}{}\r\n",
        http_date(second),
        page.content_type,
        30 + length / 5,
        SERVER_FIELDS[server],
        page.fields,
    );
    [head.as_bytes(), &page.body].concat()
}

/// Returns the time so many seconds after the epoch.
pub(super) fn timestamp(second: u64) -> Timestamp {
    Timestamp::from_second(second as i64).expect("seconds of this century")
}

/// Returns a time as HTTP writes it (RFC 9110 section 5.6.7).
fn http_date(second: u64) -> String {
    timestamp(second)
        .strftime("%a, %d %b %Y %H:%M:%S GMT")
        .to_string()
}

/// Returns the usual reason phrase.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        203 => "Non-Authoritative Information",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        406 => "Not Acceptable",
        410 => "Gone",
        429 => "Too Many Requests",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        // HTTP/2 has no reason phrases, and codes outside the registry have no usual one.
        _ => "",
    }
}

/// The index in [`SERVER_FIELDS`] of the content delivery network that adds its own
/// identifier.
const CDN: usize = 2;

/// The index of the server that forbids to index the robots.txt.
const STATING: usize = 5;

/// The fields that a server adds to each response.
const SERVER_FIELDS: [&str; SERVERS] = [
    "Server: nginx\r\nConnection: keep-alive\r\nVary: Accept-Encoding\r\n",
    "Server: Apache\r\nAccept-Ranges: bytes\r\nVary: Accept-Encoding\r\nKeep-Alive: timeout=5, max=100\r\nConnection: Keep-Alive\r\n",
    "Server: cloudflare\r\nConnection: keep-alive\r\nCache-Control: max-age=14400, must-revalidate\r\nCF-Cache-Status: DYNAMIC\r\nX-Content-Type-Options: nosniff\r\nReport-To: {\"endpoints\":[{\"url\":\"https:\\/\\/reports.example\\/v4\"}],\"group\":\"net\",\"max_age\":604800}\r\nNEL: {\"success_fraction\":0,\"report_to\":\"net\",\"max_age\":604800}\r\nalt-svc: h3=\":443\"; ma=86400\r\n",
    "server: LiteSpeed\r\nplatform: sample-hosting\r\npanel: sample\r\ncache-control: public, max-age=604800\r\nx-litespeed-cache: hit\r\nalt-svc: h3=\":443\"; ma=2592000, h3-29=\":443\"; ma=2592000\r\n",
    "Server: Microsoft-IIS/10.0\r\nX-Powered-By: ASP.NET\r\nAccept-Ranges: bytes\r\n",
    "server: openresty\r\nx-powered-by: PHP/8.3\r\nlink: <https://api.example/wp-json/>; rel=\"https://api.example/\"\r\nx-robots-tag: noindex, follow\r\nvary: Accept-Encoding, Cookie\r\n",
    "Server: nginx\r\nStrict-Transport-Security: max-age=31536000; includeSubDomains\r\nX-Frame-Options: SAMEORIGIN\r\nX-XSS-Protection: 1; mode=block\r\nReferrer-Policy: strict-origin-when-cross-origin\r\nContent-Security-Policy: default-src 'self'; img-src 'self' data:; frame-ancestors 'none'\r\nPermissions-Policy: camera=(), microphone=(), geolocation=()\r\nSet-Cookie: session=deleted; path=/; Secure; HttpOnly; SameSite=Lax\r\n",
    "Server: sample-cdn\r\nVia: 1.1 varnish, 1.1 edge.cdn.example\r\nX-Served-By: cache-fra-1, cache-ams-2\r\nX-Cache: HIT, MISS\r\nX-Cache-Hits: 3, 0\r\nAge: 1234\r\nVary: Accept-Encoding\r\n",
];
