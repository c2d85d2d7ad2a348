//! The table `hosts`: for each origin the fetch that counts and the file that applies to it,
//! computed from the whole dataset when its archives are read.
//!
//! The rows are those of the view `hosts` of `queries/views.sql` with no variable set, which has
//! the reasons for each choice.

use super::{
    as_i32,
    captures::{ACCESS, access_index},
    column::{Bool, Float64, Int32, Int64, KnownName, Name, Text, Time},
    schema::{CC_INDEX, HTTP, WARC, table},
};
use crate::{dataset::finish::redirect::Outcome, robots::dialect::Access};

table! {
    /// one origin of which a robots.txt was requested, with the fetch that counts: the latest that
    /// determines the file (is_answer), else the latest; the rows of the view hosts of all crawls
    /// of the dataset, by domain, url_host_name and origin
    "hosts": pub struct HostsBuilder {
        /// capture whose file applies to the origin, the key to its lines and policies: the fetch
        /// itself, or the end of its redirects; the fetch where these have no end in the dataset
        capture_id: Int64,
        /// the fetch that counts, by its key in captures
        fetch_capture_id: Int64,
        /// scheme://host:port, the port always written: what the robots.txt applies to
        origin: Text [source("RFC 9309, 2.3")],
        /// host of the URL, ASCII (IDNA) and lower case
        url_host_name: Text [source(CC_INDEX), bloom_filter],
        /// last label of the host; NULL: an IP address
        url_host_tld: Name [nullable, source(CC_INDEX)],
        /// registered domain, ICANN section; NULL: an IP address or a public suffix
        url_host_registered_domain: Text [nullable, source("public suffix list")],
        /// scheme of the URL, lower case
        url_protocol: Name [source(CC_INDEX)],
        /// port, where the URL names one
        url_port: Int32 [nullable, source(CC_INDEX)],
        /// crawl in the archive's name, such as CC-MAIN-2025-05
        crawl: Name [nullable, source(CC_INDEX)],
        /// time of the fetch
        fetch_time: Time [nullable, unit("UTC, microseconds"), source(WARC)],
        /// status code of the fetch itself; NULL: the response has no readable status line
        fetch_status: Int32 [nullable, source(HTTP), dictionary],
        /// how the chain of redirects of the fetch ends under the reference dialect: outcome of
        /// redirects; NULL: the fetch does not answer with 3xx
        redirect_outcome: KnownName [nullable, source("RFC 9309, 2.3.1.2")],
        /// redirects that the reference dialect follows; NULL: the fetch does not answer with 3xx
        redirect_hops: Int32 [nullable, dictionary],
        /// status code of the capture whose file applies. NULL in this and the next two columns:
        /// the redirects have no end in the dataset; its response has no readable status line
        end_status: Int32 [nullable, source(HTTP), dictionary],
        /// host of its URL; NULL only where the redirects have no end
        end_host_name: Text [nullable, source(CC_INDEX)],
        /// SHA-1 of its body in base32, as in captures
        end_content_digest: Text [nullable, source(CC_INDEX)],
        /// digest of what its groups and rules decide, as in captures; NULL: its lines are not read
        /// either
        end_semantic_digest: Text [nullable, dictionary],
        /// whether its body looks like an HTML page by its first bytes; false where there is no
        /// such capture
        end_is_html: Bool,
        /// whether the origin has a robots.txt: that capture holds one (captures.is_robots_txt)
        has_robots_txt: Bool,
        /// time between the fetch and that of capture_id, whichever came first; NULL: no
        /// redirect that was followed to an end, or a time is not known
        redirect_seconds_apart: Float64 [nullable, unit("seconds")],
        /// what the fetch decides under the reference dialect once redirects are followed:
        /// conditional (the lines decide), full_allow, full_disallow, undefined
        access: KnownName [source("RFC 9309, 2.3.1")],
        /// whether a fetch determined the robots.txt: a file, or that there is none. After 304,
        /// 429, 5xx, no readable answer, or redirects to a capture that is not in the dataset it
        /// remains unknown
        is_answer: Bool [source("RFC 9309, 2.3.1.4")],
        /// registered domain, else host
        domain: Text [bloom_filter],
        /// true for one origin of each host: one with a robots.txt (has_robots_txt) before one
        /// without, then https, then the default port, then the first origin as text
        is_primary: Bool,
        /// true for one primary origin of each domain: one with a robots.txt before one without,
        /// then the bare domain, then www, then the shortest host, then the first host as text
        is_primary_of_domain: Bool,
    }
}

/// A row without the last two columns. Fields without a comment are the columns of the same name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostRow<'a> {
    pub fetch_capture_id: i64,
    pub origin: &'a str,
    pub url_host_name: &'a str,
    pub url_host_tld: Option<&'a str>,
    pub url_host_registered_domain: Option<&'a str>,
    pub url_protocol: &'a str,
    pub url_port: Option<i32>,
    pub crawl: Option<&'a str>,
    pub fetch_time: Option<i64>,
    pub fetch_status: Option<i32>,
    /// Where the fetch leads, if it answers with 3xx.
    pub redirect: Option<HostRedirect>,
    /// The capture whose file applies.
    pub end: Option<HostEnd<'a>>,
    pub access: Access,
    pub is_answer: bool,
}

/// The end of the redirects of a fetch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostRedirect {
    /// How they end.
    pub outcome: Outcome,
    /// Redirects that are followed.
    pub hops: u32,
    /// Seconds between the fetch and the capture at the end.
    pub seconds_apart: Option<f64>,
}

/// A capture whose file applies to an origin. The fields are its columns of `captures`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostEnd<'a> {
    pub capture_id: i64,
    pub fetch_status: Option<i32>,
    pub url_host_name: &'a str,
    pub content_digest: &'a str,
    pub semantic_digest: Option<&'a str>,
    pub is_html: bool,
    pub is_robots_txt: bool,
}

impl<'a> HostRow<'a> {
    /// Returns the column `domain`.
    pub fn domain(&self) -> &'a str {
        self.url_host_registered_domain
            .unwrap_or(self.url_host_name)
    }

    /// Returns the column `has_robots_txt`.
    pub fn has_robots_txt(&self) -> bool {
        self.end.is_some_and(|end| end.is_robots_txt)
    }
}

impl HostsBuilder {
    /// Returns a builder without rows.
    pub fn new() -> Self {
        Self {
            redirect_outcome: KnownName::new(Outcome::ALL.map(Outcome::as_str)),
            access: KnownName::new(ACCESS.map(Access::as_str)),
            ..Self::default()
        }
    }

    /// Appends a row.
    pub fn append(&mut self, row: &HostRow<'_>, is_primary: bool, is_primary_of_domain: bool) {
        let end = row.end;
        let capture_id = end.map_or(row.fetch_capture_id, |end| end.capture_id);
        self.capture_id.append(capture_id);
        self.fetch_capture_id.append(row.fetch_capture_id);
        self.origin.append(row.origin);
        self.url_host_name.append(row.url_host_name);
        self.url_host_tld.append_option(row.url_host_tld);
        self.url_host_registered_domain
            .append_option(row.url_host_registered_domain);
        self.url_protocol.append(row.url_protocol);
        self.url_port.append_option(row.url_port);
        self.crawl.append_option(row.crawl);
        self.fetch_time.append_option(row.fetch_time);
        self.fetch_status.append_option(row.fetch_status);
        let redirect = row.redirect;
        self.redirect_outcome
            .append_n(redirect.map(|redirect| redirect.outcome as usize), 1);
        self.redirect_hops
            .append_option(redirect.map(|redirect| as_i32(redirect.hops)));
        self.end_status
            .append_option(end.and_then(|end| end.fetch_status));
        self.end_host_name
            .append_option(end.map(|end| end.url_host_name));
        self.end_content_digest
            .append_option(end.map(|end| end.content_digest));
        self.end_semantic_digest
            .append_option(end.and_then(|end| end.semantic_digest));
        self.end_is_html.append(end.is_some_and(|end| end.is_html));
        self.has_robots_txt.append(row.has_robots_txt());
        self.redirect_seconds_apart
            .append_option(redirect.and_then(|redirect| redirect.seconds_apart));
        self.access.append(access_index(row.access));
        self.is_answer.append(row.is_answer);
        self.domain.append(row.domain());
        self.is_primary.append(is_primary);
        self.is_primary_of_domain.append(is_primary_of_domain);
    }
}
