//! Enters: the sites whose turn it is. Leaves: their captures in the archive, counted in the truth.
//!
//! This room refuses to know in which order sites are visited.

use std::io::{self, Write};

use crate::sample::Options;
use crate::sample::archive::{Archive, push_decimal, push_digest, push_record_id};
use crate::sample::body::{Body, Terminator};
use crate::sample::random::Random;
use crate::sample::server::{push_warc_date, write_request, write_response};
use crate::sample::site::Site;
use crate::sample::template;
use crate::sample::truth::Truth;
use crate::sample::visit::{Hop, Host, PARKING_HOSTS, Path};

/// An archive in the making, with the scratch of one capture.
pub(super) struct Crawl<'w, W: Write> {
    captures: u64,
    archive: Archive<'w, W>,
    truth: Truth,
    random: Random,
    warcinfo_id: Vec<u8>,
    /// Hosts of the parking service seen so far, under http.
    parking_hosts: [bool; PARKING_HOSTS],
    hops: Vec<Hop>,
    earlier: Vec<Hop>,
    body: Body,
    url: String,
    base: String,
    text: String,
    id: Vec<u8>,
    fields: Vec<u8>,
    block: Vec<u8>,
}

impl<'w, W: Write> Crawl<'w, W> {
    /// Begins the archive with its `warcinfo` record.
    pub(super) fn new(options: &Options, out: &'w mut W) -> io::Result<Crawl<'w, W>> {
        let mut random = Random::new(options.seed, ARCHIVE_STREAM);
        let mut warcinfo_id = Vec::new();
        push_record_id(&mut random, &mut warcinfo_id);
        let mut crawl = Crawl {
            captures: options.captures,
            archive: Archive::new(out),
            truth: Truth {
                seed: options.seed,
                warcinfo_records: 1,
                ..Truth::default()
            },
            random,
            warcinfo_id,
            parking_hosts: [false; PARKING_HOSTS],
            hops: Vec::new(),
            earlier: Vec::new(),
            body: Body::default(),
            url: String::new(),
            base: String::new(),
            text: String::new(),
            id: Vec::new(),
            fields: Vec::new(),
            block: Vec::new(),
        };
        let fields = &mut crawl.fields;
        fields.extend_from_slice(b"WARC-Type: warcinfo\r\nWARC-Date: ");
        push_warc_date(FIRST_SECOND, fields);
        fields.extend_from_slice(b"\r\nWARC-Record-ID: ");
        fields.extend_from_slice(&crawl.warcinfo_id);
        fields.extend_from_slice(b"\r\nContent-Type: application/warc-fields\r\n");
        crawl.archive.append(
            fields,
            b"isPartOf: SAMPLE-2026-02\r\n\
              description: robots.txt captures of a made-up web; nothing in here was fetched\r\n\
              format: WARC File Format 1.0\r\n",
        )?;
        Ok(crawl)
    }

    /// Returns true if and only if captures are still wanted.
    pub(super) fn is_open(&self) -> bool {
        self.truth.captures < self.captures
    }

    /// Appends the fetches of one visit to a site, as far as captures are still wanted.
    pub(super) fn visit(&mut self, site: &Site, nth: usize) -> io::Result<()> {
        let Some(visit) = site.visits[nth] else {
            return Ok(());
        };
        let mut hops = std::mem::take(&mut self.hops);
        let mut earlier = std::mem::take(&mut self.earlier);
        earlier.clear();
        for before in site.visits[..nth].iter().flatten() {
            before.walk(site.address, &mut hops);
            earlier.extend_from_slice(&hops);
        }
        visit.walk(site.address, &mut hops);
        for hop in &hops {
            if !self.is_open() {
                break;
            }
            self.count_place(hop, &earlier);
            earlier.push(*hop);
            self.write_body(site, hop);
            self.append_capture(site, hop)?;
        }
        self.hops = hops;
        self.earlier = earlier;
        Ok(())
    }

    /// Counts the host and the origin of a fetch unless the site's fetches before it had them.
    fn count_place(&mut self, hop: &Hop, earlier: &[Hop]) {
        self.truth.robots_txt_urls += u64::from(hop.at.path == Path::Robots);
        let (host, is_https) = (hop.at.host, hop.at.is_https);
        let (is_new_host, is_new_origin) = if let Host::Parking(service) = host {
            let was_seen = std::mem::replace(&mut self.parking_hosts[usize::from(service)], true);
            (!was_seen, !was_seen)
        } else {
            let mut at_host = earlier
                .iter()
                .filter(|before| before.at.host == host)
                .peekable();
            (
                at_host.peek().is_none(),
                !at_host.any(|before| before.at.is_https == is_https),
            )
        };
        self.truth.distinct_hosts += u64::from(is_new_host);
        self.truth.distinct_origins += u64::from(is_new_origin);
    }

    /// Writes the body that a fetch brings.
    fn write_body(&mut self, site: &Site, hop: &Hop) {
        // What a fetch brings belongs to the site, not to the time, so that files repeat.
        let mut random = Random::new(site.file_seed, u64::from(hop.status));
        if let Some(next) = hop.next {
            if random.per_mille(400) {
                self.body.clear(Terminator::Lf);
            } else {
                self.url.clear();
                next.push_url(site, hop.is_relative, &mut self.url);
                template::redirect_page(&mut self.body, &self.url);
            }
        } else if hop.status == 204 {
            self.body.clear(Terminator::Lf);
        } else if hop.status / 100 != 2 {
            match random.below(100) {
                0..78 => template::error_page(&mut self.body, hop.status, random.below(90)),
                78..90 => self.body.clear(Terminator::Lf),
                // Some servers send a robots.txt under a status that says there is none.
                _ => self.write_robots_txt(site, hop),
            }
        } else {
            match (hop.at.host, hop.at.path) {
                (Host::Parking(_), _) => template::parking_page(&mut self.body),
                (_, Path::Home) => template::home_page(&mut self.body),
                (_, Path::Error) => template::error_page(&mut self.body, 404, 3),
                _ => self.write_robots_txt(site, hop),
            }
        }
    }

    fn write_robots_txt(&mut self, site: &Site, hop: &Hop) {
        self.base.clear();
        self.base.push_str(if hop.at.is_https {
            "https://"
        } else {
            "http://"
        });
        hop.at.push_authority(site, &mut self.base);
        template::robots_txt(site, &self.base, &mut self.body);
    }

    /// Appends the request and the response of a fetch whose body is written.
    fn append_capture(&mut self, site: &Site, hop: &Hop) -> io::Result<()> {
        let second = FIRST_SECOND + 1 + self.truth.captures / CAPTURES_PER_SECOND;
        self.url.clear();
        hop.at.push_url(site, false, &mut self.url);

        self.id.clear();
        push_record_id(&mut self.random, &mut self.id);
        write_request(site, hop, &mut self.text, &mut self.block);
        self.begin_fields(b"request", second, site);
        self.archive.append(&self.fields, &self.block)?;
        self.truth.request_records += 1;

        let request_id = std::mem::take(&mut self.id);
        push_record_id(&mut self.random, &mut self.id);
        write_response(
            site,
            hop,
            second,
            &self.body,
            &mut self.random,
            &mut self.block,
        );
        self.begin_fields(b"response", second, site);
        let fields = &mut self.fields;
        fields.extend_from_slice(b"WARC-Concurrent-To: ");
        fields.extend_from_slice(&request_id);
        fields.extend_from_slice(b"\r\nWARC-Payload-Digest: ");
        push_digest(self.body.bytes(), fields);
        fields.extend_from_slice(b"\r\nWARC-Block-Digest: ");
        push_digest(&self.block, fields);
        fields.extend_from_slice(b"\r\nWARC-Identified-Payload-Type: ");
        fields.extend_from_slice(self.body.mime().as_bytes());
        fields.extend_from_slice(b"\r\n");
        self.archive.append(&self.fields, &self.block)?;
        self.truth.count(hop.status, &self.body);
        Ok(())
    }

    /// Replaces the fields by those that requests and responses share.
    fn begin_fields(&mut self, record_type: &[u8], second: u64, site: &Site) {
        let fields = &mut self.fields;
        fields.clear();
        fields.extend_from_slice(b"WARC-Type: ");
        fields.extend_from_slice(record_type);
        fields.extend_from_slice(b"\r\nWARC-Date: ");
        push_warc_date(second, fields);
        fields.extend_from_slice(b"\r\nWARC-Record-ID: ");
        fields.extend_from_slice(&self.id);
        fields.extend_from_slice(b"\r\nContent-Type: application/http; msgtype=");
        fields.extend_from_slice(record_type);
        fields.extend_from_slice(b"\r\nWARC-Warcinfo-ID: ");
        fields.extend_from_slice(&self.warcinfo_id);
        // Addresses come from the blocks set aside for documentation (RFC 5737, RFC 3849).
        let network: &[u8] = match site.address % 3 {
            _ if site.has_ipv6 => b"2001:db8::",
            0 => b"192.0.2.",
            1 => b"198.51.100.",
            _ => b"203.0.113.",
        };
        fields.extend_from_slice(b"\r\nWARC-IP-Address: ");
        fields.extend_from_slice(network);
        push_decimal(u64::from(site.address), fields);
        fields.extend_from_slice(b"\r\nWARC-Target-URI: ");
        fields.extend_from_slice(self.url.as_bytes());
        fields.extend_from_slice(b"\r\n");
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
