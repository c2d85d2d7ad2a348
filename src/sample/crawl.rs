//! The captures of visits to sites: appended to the archive and counted in the truth.

use std::io::{self, Write};

use crate::random::Random;
use crate::sample::Options;
use crate::sample::archive::{ArchiveWriter, RecordId, sha1_label};
use crate::sample::body::{BodyWriter, LineBreak};
use crate::sample::date::WarcDate;
use crate::sample::message::{request, response};
use crate::sample::site::Site;
use crate::sample::template;
use crate::sample::truth::Truth;
use crate::sample::visit::{Hop, HopHost, HopPath, PARKING_HOSTS};

/// An archive being generated.
pub(super) struct Crawl<'w, W: Write> {
    captures: u64,
    archive: ArchiveWriter<'w, W>,
    truth: Truth,
    random: Random,
    warcinfo_id: RecordId,
    /// The hosts of the parking service seen so far; all their URLs are http.
    parking_hosts: [bool; PARKING_HOSTS],
    body: BodyWriter,
}

impl<'w, W: Write> Crawl<'w, W> {
    /// Begins the archive with its `warcinfo` record.
    pub(super) fn new(options: &Options, out: &'w mut W) -> io::Result<Crawl<'w, W>> {
        let mut random = Random::of_stream(options.seed, ARCHIVE_STREAM);
        let warcinfo_id = RecordId::new(&mut random);
        let mut archive = ArchiveWriter::new(out);
        archive.append(
            &format!(
                "WARC-Type: warcinfo\r\n\
                 WARC-Date: {}\r\n\
                 WARC-Record-ID: {warcinfo_id}\r\n\
                 Content-Type: application/warc-fields\r\n",
                WarcDate(FIRST_SECOND)
            ),
            b"isPartOf: SAMPLE-2026-02\r\n\
              description: robots.txt captures of a made-up web; nothing in here was fetched\r\n\
              format: WARC File Format 1.0\r\n",
        )?;
        Ok(Crawl {
            captures: options.captures,
            archive,
            truth: Truth {
                seed: options.seed,
                warcinfo_records: 1,
                ..Truth::default()
            },
            random,
            warcinfo_id,
            parking_hosts: [false; PARKING_HOSTS],
            body: BodyWriter::default(),
        })
    }

    /// Returns true if and only if captures are missing.
    pub(super) fn is_open(&self) -> bool {
        self.truth.captures < self.captures
    }

    /// Appends the fetches of one visit to a site, as far as captures are missing.
    pub(super) fn visit(&mut self, site: &Site, nth: usize) -> io::Result<()> {
        let Some(visit) = site.visits[nth] else {
            return Ok(());
        };
        let before = site.visits[..nth].iter().flatten();
        let mut earlier: Vec<Hop> = before.flat_map(|visit| visit.hops(site.address)).collect();
        for hop in visit.hops(site.address) {
            if !self.is_open() {
                break;
            }
            self.count_url(&hop, &earlier);
            earlier.push(hop);
            self.write_body(site, &hop);
            self.append_capture(site, &hop)?;
        }
        Ok(())
    }

    /// Counts the host and the origin of a fetch unless an earlier fetch had them.
    fn count_url(&mut self, hop: &Hop, earlier: &[Hop]) {
        self.truth.robots_txt_urls += u64::from(hop.url.path == HopPath::Robots);
        let (is_new_host, is_new_origin) = if let HopHost::Parking(service) = hop.url.host {
            let was_seen = std::mem::replace(&mut self.parking_hosts[usize::from(service)], true);
            (!was_seen, !was_seen)
        } else {
            // Of the other hosts no two sites have the same, so only the site's own fetches count.
            let at_host = earlier
                .iter()
                .filter(|before| before.url.host == hop.url.host);
            let mut schemes = at_host.map(|before| before.url.is_https).peekable();
            (
                schemes.peek().is_none(),
                !schemes.any(|is_https| is_https == hop.url.is_https),
            )
        };
        self.truth.distinct_hosts += u64::from(is_new_host);
        self.truth.distinct_origins += u64::from(is_new_origin);
    }

    /// Writes the body of a response.
    fn write_body(&mut self, site: &Site, hop: &Hop) {
        let body = &mut self.body;
        // A body depends on the site and not on the time, so that files repeat.
        let mut random = Random::of_stream(site.file_seed, u64::from(hop.status));
        if let Some(next) = hop.next {
            if random.per_mille(400) {
                body.clear(LineBreak::Lf);
            } else {
                template::redirect_page(body, &next.location(site));
            }
        } else if hop.status == 204 {
            body.clear(LineBreak::Lf);
        } else if hop.status / 100 != 2 {
            match random.below(100) {
                0..78 => template::error_page(body, hop.status, random.below(90)),
                78..90 => body.clear(LineBreak::Lf),
                // Some servers send a robots.txt under a status that denies it.
                _ => template::robots_txt(site, &hop.url.base(site), body),
            }
        } else {
            match (hop.url.host, hop.url.path) {
                (HopHost::Parking(_), _) => template::parking_page(body),
                (_, HopPath::Home) => template::home_page(body),
                (_, HopPath::Error) => template::error_page(body, 404, 3),
                _ => template::robots_txt(site, &hop.url.base(site), body),
            }
        }
    }

    /// Appends the request and the response of a fetch whose body is written.
    fn append_capture(&mut self, site: &Site, hop: &Hop) -> io::Result<()> {
        let second = FIRST_SECOND + 1 + self.truth.captures / CAPTURES_PER_SECOND;
        let request_id = RecordId::new(&mut self.random);
        let fields = self.fields("request", request_id, second, site, hop);
        self.archive
            .append(&fields, request(site, hop).as_bytes())?;
        self.truth.request_records += 1;

        let response_id = RecordId::new(&mut self.random);
        let block = response(site, hop, second, &self.body, &mut self.random);
        let fields = format!(
            "{}WARC-Concurrent-To: {request_id}\r\n\
             WARC-Payload-Digest: {}\r\n\
             WARC-Block-Digest: {}\r\n\
             WARC-Identified-Payload-Type: {}\r\n",
            self.fields("response", response_id, second, site, hop),
            sha1_label(self.body.bytes()),
            sha1_label(&block),
            self.body.mime(),
        );
        self.archive.append(&fields, &block)?;
        self.truth.count(hop.status, &self.body);
        Ok(())
    }

    /// Returns the fields that requests and responses have in common.
    fn fields(&self, kind: &str, id: RecordId, second: u64, site: &Site, hop: &Hop) -> String {
        // Addresses are from the blocks reserved for documentation (RFC 5737, RFC 3849).
        let network = match site.address % 3 {
            _ if site.has_ipv6 => "2001:db8::",
            0 => "192.0.2.",
            1 => "198.51.100.",
            _ => "203.0.113.",
        };
        format!(
            "WARC-Type: {kind}\r\n\
             WARC-Date: {}\r\n\
             WARC-Record-ID: {id}\r\n\
             Content-Type: application/http; msgtype={kind}\r\n\
             WARC-Warcinfo-ID: {}\r\n\
             WARC-IP-Address: {network}{}\r\n\
             WARC-Target-URI: {}\r\n",
            WarcDate(second),
            self.warcinfo_id,
            site.address,
            hop.url.url(site),
        )
    }

    /// Ends the archive and returns the truth about it.
    pub(super) fn finish(mut self) -> io::Result<Truth> {
        (self.truth.file_bytes, self.truth.file_sha1) = self.archive.finish()?;
        Ok(self.truth)
    }
}

/// The second at which the first capture is made: 2026-01-05T00:00:00Z.
const FIRST_SECOND: u64 = 1_767_571_200;

/// Captures made in a second, about as many as a large crawl makes for this subset.
const CAPTURES_PER_SECOND: u64 = 25;

/// The stream of random numbers for what does not belong to a site; no site has this number.
const ARCHIVE_STREAM: u64 = u64::MAX;
