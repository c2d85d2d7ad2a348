//! The table `hosts`: for each crawl and origin the fetch that counts and the file that applies to
//! it, computed from all captures of the crawl when its archives are read.
//!
//! - An origin is fetched several times. The latest fetch that determines the file counts: a file
//!   fetched on Monday is still valid on Tuesday if the server is down, as for crawlers (RFC 9309,
//!   2.3.1.4); but a 404 on Tuesday means that it is gone.
//! - http and https are separate origins and may differ, but a count of hosts needs each in one
//!   class: so one origin of each host name is primary.
//! - An owner with thousands of host names may dominate a share of hosts: so one host name of each
//!   registered domain is primary too. A domain is not blocking if the bare domain is not, whatever
//!   its other hosts do.

use serde::{Deserialize, Serialize};

use super::{Bool, CC_INDEX, HTTP, Int32, Int64, KnownName, Name, Text, Time, WARC, as_i32, table};
use crate::{
    dataset::redirect::{Origin, Outcome},
    robots::dialect::Access,
};

table! {
    /// one origin of which a robots.txt was requested in a crawl, with the fetch that counts there:
    /// the latest that determines the file (after 304, 429, 5xx, no readable answer, or redirects
    /// to a capture that is not in the crawl it remains unknown), else the latest; a file for each
    /// crawl, by domain, url_host_name and origin. Archives that name no crawl are one crawl
    "hosts": pub struct HostsBuilder {
        /// capture whose file applies to the origin, the key to its lines and policies: the fetch
        /// itself, or the end of its redirects; the fetch where these have no end in the dataset
        capture_id: Int64,
        /// the fetch that counts, by its key in captures; NULL: it is capture_id
        fetch_capture_id: Int64 [nullable, delta],
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
        fetch_time: Time [nullable, unit("UTC, microseconds"), source(WARC), delta],
        /// status code of the fetch itself; NULL: the response has no readable status line
        fetch_status: Int32 [nullable, source(HTTP), dictionary],
        /// how the chain of redirects of the fetch ends under the reference dialect: outcome of
        /// redirects; NULL: the fetch does not answer with 3xx
        redirect_outcome: KnownName<Outcome> [nullable, source("RFC 9309, 2.3.1.2")],
        /// redirects that the reference dialect follows; NULL: the fetch does not answer with 3xx
        redirect_hops: Int32 [nullable, dictionary],
        /// status code of the capture whose file applies; NULL: the redirects have no end in the
        /// crawl, or its response has no readable status line
        end_status: Int32 [nullable, source(HTTP), dictionary],
        /// whether its body looks like an HTML page by its first bytes; false where there is no
        /// such capture
        end_is_html: Bool,
        /// whether the origin has a robots.txt: that capture holds one (captures.is_robots_txt)
        has_robots_txt: Bool,
        /// what the fetch decides under the reference dialect once redirects are followed:
        /// conditional (the lines decide), full_allow, full_disallow, undefined
        access: KnownName<Access> [source("RFC 9309, 2.3.1")],
        /// true for one origin of each host: one with a robots.txt (has_robots_txt) before one
        /// without, then https, then the default port, then the first origin as text
        is_primary: Bool,
        /// true for one primary origin of each registered domain, or host without one: one with a
        /// robots.txt before one without, then the bare domain, then www, then the shortest host,
        /// then the first host as text
        is_primary_of_domain: Bool,
        /// rows of verdict_sets that answer for capture_id, as in captures
        verdict_set_id: Int64 [nullable, dictionary],
        /// rows of policy_sets with the policies of capture_id, as in captures
        policy_set_id: Int64 [nullable, dictionary],
    }
}

/// A row without its crawl and [`Primary`]. Fields without a comment are the columns of the same
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostRow<'a> {
    pub fetch_capture_id: i64,
    pub url_host_name: &'a str,
    pub url_host_tld: Option<&'a str>,
    pub url_host_registered_domain: Option<&'a str>,
    pub url_protocol: &'a str,
    pub url_port: Option<i32>,
    pub fetch_time: Option<i64>,
    pub fetch_status: Option<i32>,
    /// Where the fetch leads, if it answers with 3xx.
    pub redirect: Option<HostRedirect>,
    /// The capture whose file applies.
    pub end: Option<HostEnd>,
    pub access: Access,
    /// Those of the file that applies, or of the fetch.
    pub sets: SetIds,
}

/// The columns `verdict_set_id` and `policy_set_id` of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetIds {
    pub verdicts: Option<i64>,
    pub policies: Option<i64>,
}

/// Whether a row is the primary one of its host, and of its domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Primary {
    pub of_host: bool,
    pub of_domain: bool,
}

/// The end of the redirects of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostRedirect {
    /// How they end.
    pub outcome: Outcome,
    /// Redirects that are followed.
    pub hops: u32,
}

/// A capture whose file applies to an origin. The fields are its columns of `captures`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostEnd {
    pub capture_id: i64,
    pub fetch_status: Option<i32>,
    pub is_html: bool,
    pub is_robots_txt: bool,
}

impl<'a> HostRow<'a> {
    /// Returns the registered domain, or the host that has none.
    pub fn domain(&self) -> &'a str {
        self.url_host_registered_domain
            .unwrap_or(self.url_host_name)
    }

    /// Returns the origin.
    pub fn origin(&self) -> Origin<'a> {
        Origin::new(Some(self.url_protocol), self.url_host_name, self.url_port)
    }

    /// Returns the column `has_robots_txt`.
    pub fn has_robots_txt(&self) -> bool {
        self.end.is_some_and(|end| end.is_robots_txt)
    }
}

impl HostsBuilder {
    /// Appends a row.
    pub fn append(&mut self, row: &HostRow<'_>, crawl: Option<&str>, primary: Primary) {
        let end = row.end;
        let fetch = row.fetch_capture_id;
        let capture_id = end.map_or(fetch, |end| end.capture_id);
        self.capture_id.append(capture_id);
        self.fetch_capture_id
            .append((fetch != capture_id).then_some(fetch));
        self.url_host_name.append(row.url_host_name);
        self.url_host_tld.append(row.url_host_tld);
        self.url_host_registered_domain
            .append(row.url_host_registered_domain);
        self.url_protocol.append(row.url_protocol);
        self.url_port.append(row.url_port);
        self.crawl.append(crawl);
        self.fetch_time.append(row.fetch_time);
        self.fetch_status.append(row.fetch_status);
        let redirect = row.redirect;
        self.redirect_outcome
            .append(redirect.map(|redirect| redirect.outcome));
        self.redirect_hops
            .append(redirect.map(|redirect| as_i32(redirect.hops)));
        self.end_status.append(end.and_then(|end| end.fetch_status));
        self.end_is_html.append(end.is_some_and(|end| end.is_html));
        self.has_robots_txt.append(row.has_robots_txt());
        self.access.append(row.access);
        self.is_primary.append(primary.of_host);
        self.is_primary_of_domain.append(primary.of_domain);
        self.verdict_set_id.append(row.sets.verdicts);
        self.policy_set_id.append(row.sets.policies);
    }
}
