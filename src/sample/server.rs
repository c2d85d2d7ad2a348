//! Enters: a site, one fetch and the body it brings. Leaves: the HTTP messages, as a crawl stores
//! them.
//!
//! Stored heads are rewritten: the body is decoded already, so `Content-Encoding`,
//! `Transfer-Encoding` and the old length stand under names that begin with `X-Crawler-`, and
//! HTTP/2 has become HTTP/1.1. This room refuses to know WARC.

use crate::sample::archive::push_decimal;
use crate::sample::body::Body;
use crate::sample::random::Random;
use crate::sample::site::{SERVERS, Site};
use crate::sample::visit::Hop;

/// Replaces `block` by the request for `hop`.
pub(super) fn write_request(site: &Site, hop: &Hop, text: &mut String, block: &mut Vec<u8>) {
    text.clear();
    text.push_str("GET ");
    hop.at.push_path(text);
    text.push_str(
        " HTTP/1.1\r\n\
         User-Agent: SampleCrawler/1.0 (+https://crawler.example/about)\r\n\
         Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
         Accept-Language: en-US,en;q=0.5\r\n\
         Accept-Encoding: br,gzip\r\n\
         Host: ",
    );
    hop.at.push_authority(site, text);
    text.push_str("\r\nConnection: Keep-Alive\r\n\r\n");
    block.clear();
    block.extend_from_slice(text.as_bytes());
}

/// Replaces `block` by the response to `hop`, fetched `second` seconds after the epoch.
pub(super) fn write_response(
    site: &Site,
    hop: &Hop,
    second: u64,
    body: &Body,
    random: &mut Random,
    block: &mut Vec<u8>,
) {
    block.clear();
    push(block, "HTTP/1.1 ");
    push_decimal(u64::from(hop.status), block);
    push(block, " ");
    push(block, reason(hop.status));
    push(block, "\r\nDate: ");
    push_http_date(second, block);
    push(block, "\r\nContent-Type: ");
    push(block, body.mime());
    push(
        block,
        random.pick(&["", "; charset=utf-8", "; charset=UTF-8", "; charset=utf-8"]),
    );
    push(block, "\r\n");
    let length = body.bytes().len() as u64;
    if length > 64 && random.per_mille(620) {
        push(
            block,
            random.pick(&[
                "X-Crawler-Content-Encoding: gzip\r\n",
                "X-Crawler-Content-Encoding: br\r\n",
            ]),
        );
        if random.per_mille(500) {
            push(block, "X-Crawler-Transfer-Encoding: chunked\r\n");
        } else {
            push(block, "X-Crawler-Content-Length: ");
            push_decimal(30 + length / 3, block);
            push(block, "\r\n");
        }
    }
    push(block, "Content-Length: ");
    push_decimal(length, block);
    push(block, "\r\n");
    if let Some(next) = hop.next {
        let mut location = "Location: ".to_owned();
        next.push_url(site, hop.is_relative, &mut location);
        push(block, &location);
        push(block, "\r\n");
    }
    push(block, HEADS[site.server % SERVERS]);
    if site.server == CDN {
        push(block, "CF-RAY: ");
        push(block, &format!("{:016x}", random.next()));
        push(block, "-FRA\r\n");
    } else if hop.status == 200 {
        push(block, "Last-Modified: ");
        push_http_date(second - 86_400 * u64::from(site.address) - 3_600, block);
        push(block, "\r\nETag: \"");
        push(block, &format!("{:x}-{:x}", length, site.file_seed >> 16));
        push(block, "\"\r\n");
    }
    push(block, "\r\n");
    block.extend_from_slice(body.bytes());
}

/// Appends a time as WARC writes it, such as `2026-01-05T00:00:00Z`.
pub(super) fn push_warc_date(second: u64, text: &mut Vec<u8>) {
    let (year, month, day) = civil(second / 86_400);
    push_decimal(year, text);
    text.push(b'-');
    push_two(month, text);
    text.push(b'-');
    push_two(day, text);
    text.push(b'T');
    push_clock(second, text);
    text.push(b'Z');
}

/// Appends a time as HTTP writes it (RFC 9110 section 5.6.7).
fn push_http_date(second: u64, text: &mut Vec<u8>) {
    const MONTHS: &[u8; 36] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let days = second / 86_400;
    let (year, month, day) = civil(days);
    // The epoch was a Thursday.
    text.extend_from_slice(&b"ThuFriSatSunMonTueWed"[(days % 7) as usize * 3..][..3]);
    text.extend_from_slice(b", ");
    push_two(day, text);
    text.push(b' ');
    text.extend_from_slice(&MONTHS[(month as usize - 1) * 3..][..3]);
    text.push(b' ');
    push_decimal(year, text);
    text.push(b' ');
    push_clock(second, text);
    text.extend_from_slice(b" GMT");
}

fn push_clock(second: u64, text: &mut Vec<u8>) {
    push_two(second / 3_600 % 24, text);
    text.push(b':');
    push_two(second / 60 % 60, text);
    text.push(b':');
    push_two(second % 60, text);
}

fn push_two(number: u64, text: &mut Vec<u8>) {
    text.extend_from_slice(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]);
}

/// Returns year, month and day of a day counted from the epoch.
///
/// Years are counted from March, so that the leap day is the last day of a year; 719,468 days lie
/// between 0000-03-01 and the epoch, and 146,097 in 400 years.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (400 * era + year_of_era + u64::from(month <= 2), month, day)
}

fn push(block: &mut Vec<u8>, text: &str) {
    block.extend_from_slice(text.as_bytes());
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

/// The place in [`HEADS`] of the content delivery network that adds an identifier of its own.
const CDN: usize = 2;

/// The fields that a server adds to each response.
const HEADS: [&str; SERVERS] = [
    "Server: nginx\r\nConnection: keep-alive\r\nVary: Accept-Encoding\r\n",
    "Server: Apache\r\nAccept-Ranges: bytes\r\nVary: Accept-Encoding\r\nKeep-Alive: timeout=5, max=100\r\nConnection: Keep-Alive\r\n",
    "Server: cloudflare\r\nConnection: keep-alive\r\nCache-Control: max-age=14400, must-revalidate\r\nCF-Cache-Status: DYNAMIC\r\nX-Content-Type-Options: nosniff\r\nReport-To: {\"endpoints\":[{\"url\":\"https:\\/\\/reports.example\\/v4\"}],\"group\":\"net\",\"max_age\":604800}\r\nNEL: {\"success_fraction\":0,\"report_to\":\"net\",\"max_age\":604800}\r\nalt-svc: h3=\":443\"; ma=86400\r\n",
    "server: LiteSpeed\r\nplatform: sample-hosting\r\npanel: sample\r\ncache-control: public, max-age=604800\r\nx-litespeed-cache: hit\r\nalt-svc: h3=\":443\"; ma=2592000, h3-29=\":443\"; ma=2592000\r\n",
    "Server: Microsoft-IIS/10.0\r\nX-Powered-By: ASP.NET\r\nAccept-Ranges: bytes\r\n",
    "server: openresty\r\nx-powered-by: PHP/8.3\r\nlink: <https://api.example/wp-json/>; rel=\"https://api.example/\"\r\nx-robots-tag: noindex, follow\r\nvary: Accept-Encoding, Cookie\r\n",
    "Server: nginx\r\nStrict-Transport-Security: max-age=31536000; includeSubDomains\r\nX-Frame-Options: SAMEORIGIN\r\nX-XSS-Protection: 1; mode=block\r\nReferrer-Policy: strict-origin-when-cross-origin\r\nContent-Security-Policy: default-src 'self'; img-src 'self' data:; frame-ancestors 'none'\r\nPermissions-Policy: camera=(), microphone=(), geolocation=()\r\nSet-Cookie: session=deleted; path=/; Secure; HttpOnly; SameSite=Lax\r\n",
    "Server: sample-cdn\r\nVia: 1.1 varnish, 1.1 edge.cdn.example\r\nX-Served-By: cache-fra-1, cache-ams-2\r\nX-Cache: HIT, MISS\r\nX-Cache-Hits: 3, 0\r\nAge: 1234\r\nVary: Accept-Encoding\r\n",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn dates(second: u64) -> (String, String) {
        let (mut warc, mut http) = (Vec::new(), Vec::new());
        push_warc_date(second, &mut warc);
        push_http_date(second, &mut http);
        (
            String::from_utf8(warc).unwrap(),
            String::from_utf8(http).unwrap(),
        )
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (second, warc, http) in [
            (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (
                784_111_777,
                "1994-11-06T08:49:37Z",
                "Sun, 06 Nov 1994 08:49:37 GMT",
            ),
            (
                1_709_251_199,
                "2024-02-29T23:59:59Z",
                "Thu, 29 Feb 2024 23:59:59 GMT",
            ),
            (
                1_798_761_600,
                "2027-01-01T00:00:00Z",
                "Fri, 01 Jan 2027 00:00:00 GMT",
            ),
        ] {
            assert_eq!(dates(second), (warc.to_owned(), http.to_owned()));
        }
    }
}
