//! The captures of visits to sites: appended to the archive and counted in the truth.

use std::io::{self, Write};

use crate::sample::{
    Options,
    archive::{ArchiveWriter, Field, RecordId, sha1_label},
    body::{BodyWriter, LineBreak},
    message::{page_response, request, response, timestamp},
    page::{CLOSED_PATH, Page},
    random::Random,
    site::Site,
    template,
    truth::Truth,
    visit::{Hop, HopHost, HopPath, HopUrl, PARKING_HOSTS},
};

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
    /// Begins the archive of a crawl of this name, which began at this second, with its `warcinfo`
    /// record.
    pub(super) fn new(
        options: &Options,
        name: &str,
        second: u64,
        out: &'w mut W,
    ) -> io::Result<Crawl<'w, W>> {
        let mut random = Random::of_stream(options.seed, ARCHIVE_STREAM);
        let warcinfo_id = RecordId::new(&mut random);
        let mut archive = ArchiveWriter::new(out);
        archive.append(
            &[
                ("WARC-Type", "warcinfo".to_owned()),
                ("WARC-Date", timestamp(second).to_string()),
                ("WARC-Record-ID", warcinfo_id.to_string()),
                ("Content-Type", "application/warc-fields".to_owned()),
            ],
            format!(
                "isPartOf: {name}\r\n\
                 description: robots.txt captures of a made-up web; nothing in here was fetched\r\n\
                 format: WARC File Format 1.0\r\n"
            )
            .as_bytes(),
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
            self.append_capture(site, &hop, self.second())?;
        }
        Ok(())
    }

    /// Appends a fetch that was made at this second, of which `write` writes the robots.txt.
    pub(super) fn fetch(
        &mut self,
        site: &Site,
        hop: &Hop,
        second: u64,
        write: impl FnOnce(&mut BodyWriter),
    ) -> io::Result<()> {
        if hop.status == 200 {
            self.body.clear(LineBreak::Lf);
            write(&mut self.body);
        } else {
            self.write_body(site, hop);
        }
        self.append_capture(site, hop, second)
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
                template::redirect_page(body, &site.location(&next));
            }
        } else if hop.status == 204 {
            body.clear(LineBreak::Lf);
        } else if hop.status / 100 != 2 {
            match random.below(100) {
                0..78 => template::error_page(body, hop.status, random.below(90)),
                78..90 => body.clear(LineBreak::Lf),
                // Some servers send a robots.txt under a status that denies it.
                _ => site.write_robots_txt(&site.base(&hop.url), body),
            }
        } else {
            match (hop.url.host, hop.url.path) {
                (HopHost::Parking(_), _) => template::parking_page(body),
                (_, HopPath::Home) => template::home_page(body),
                (_, HopPath::Error) => template::error_page(body, 404, 3),
                _ => site.write_robots_txt(&site.base(&hop.url), body),
            }
        }
    }

    /// Returns the number of pages so far.
    pub(super) fn pages(&self) -> u64 {
        self.truth.pages.pages()
    }

    /// Appends the robots.txt of a site, if it has one, and some of its pages, as far as there are
    /// fewer than `most` in the archive.
    pub(super) fn visit_pages(&mut self, site: &Site, most: u64) -> io::Result<()> {
        let mut random = Random::of_stream(site.file_seed, PAGE_STREAM);
        let home = HopUrl {
            host: HopHost::Apex,
            is_https: true,
            path: HopPath::Robots,
        };
        let has_robots = random.per_mille(800);
        if has_robots {
            let hop = Hop {
                url: home,
                status: 200,
                next: None,
            };
            self.count_url(&hop, &[]);
            self.body.clear(LineBreak::Lf);
            self.body.agents("*");
            self.body.disallow(CLOSED_PATH);
            if random.per_mille(200) {
                self.body.agents("GPTBot CCBot");
                self.body.disallow("/");
            }
            self.append_capture(site, &hop, self.second())?;
        }
        for _ in 0..1 + random.below(8) {
            if self.pages() == most {
                break;
            }
            let page = Page::new(self.pages(), &mut random);
            let second = self.second();
            let block = page_response(&page, second, &mut random);
            let message = Message {
                ids: self.record_ids(),
                url: &format!("{}{}", site.base(&home), page.path),
                request: request(&page.path, &site.authority(&home)),
                response: &block,
                payload: &page.body,
                mime: page.content_type.split(';').next().unwrap_or_default(),
            };
            self.append_fetch(site, second, &message)?;
            self.truth.pages.count(page, has_robots);
        }
        Ok(())
    }

    /// Returns the identifiers of a request and its response.
    fn record_ids(&mut self) -> [RecordId; 2] {
        [(); 2].map(|()| RecordId::new(&mut self.random))
    }

    /// Returns the second of the next fetch.
    fn second(&self) -> u64 {
        FIRST_SECOND + 1 + (self.truth.captures + self.pages()) / CAPTURES_PER_SECOND
    }

    /// Appends the request and the response of a fetch whose body is written.
    fn append_capture(&mut self, site: &Site, hop: &Hop, second: u64) -> io::Result<()> {
        let body = std::mem::take(&mut self.body);
        let ids = self.record_ids();
        let block = response(site, hop, second, &body, &mut self.random);
        let message = Message {
            ids,
            url: &site.url(&hop.url),
            request: request(&hop.url.path.path_and_query(), &site.authority(&hop.url)),
            response: &block,
            payload: &body.bytes,
            mime: body.mime,
        };
        self.append_fetch(site, second, &message)?;
        self.truth.count(hop.status, &body);
        self.body = body;
        Ok(())
    }

    /// Appends the request and the response of a fetch.
    fn append_fetch(&mut self, site: &Site, second: u64, fetch: &Message<'_>) -> io::Result<()> {
        let [request_id, response_id] = fetch.ids;
        let fields = self.fields("request", request_id, second, site, fetch.url);
        self.archive.append(&fields, fetch.request.as_bytes())?;
        self.truth.request_records += 1;

        let mut fields = self.fields("response", response_id, second, site, fetch.url);
        fields.extend([
            ("WARC-Concurrent-To", request_id.to_string()),
            ("WARC-Payload-Digest", sha1_label(fetch.payload)),
            ("WARC-Block-Digest", sha1_label(fetch.response)),
            ("WARC-Identified-Payload-Type", fetch.mime.to_owned()),
        ]);
        self.archive.append(&fields, fetch.response)
    }

    /// Returns the fields that requests and responses have in common.
    fn fields(&self, kind: &str, id: RecordId, second: u64, site: &Site, url: &str) -> Vec<Field> {
        // Addresses are from the blocks reserved for documentation (RFC 5737, RFC 3849).
        let network = match site.address % 3 {
            _ if site.has_ipv6 => "2001:db8::",
            0 => "192.0.2.",
            1 => "198.51.100.",
            _ => "203.0.113.",
        };
        vec![
            ("WARC-Type", kind.to_owned()),
            ("WARC-Date", timestamp(second).to_string()),
            ("WARC-Record-ID", id.to_string()),
            ("Content-Type", format!("application/http; msgtype={kind}")),
            ("WARC-Warcinfo-ID", self.warcinfo_id.to_string()),
            ("WARC-IP-Address", format!("{network}{}", site.address)),
            ("WARC-Target-URI", url.to_owned()),
        ]
    }

    /// Ends the archive and returns the truth about it.
    pub(super) fn finish(mut self) -> io::Result<Truth> {
        (self.truth.file_bytes, self.truth.file_sha1) = self.archive.finish()?;
        Ok(self.truth)
    }
}

/// The messages of a fetch.
struct Message<'m> {
    ids: [RecordId; 2],
    url: &'m str,
    request: String,
    response: &'m [u8],
    payload: &'m [u8],
    mime: &'m str,
}

/// The second at which the first capture is made: 2026-01-05T00:00:00Z.
pub(super) const FIRST_SECOND: u64 = 1_767_571_200;

/// Captures made in a second, about as many as a large crawl makes for this subset.
const CAPTURES_PER_SECOND: u64 = 25;

/// The stream of random numbers of the pages of a site; no status code has this number.
const PAGE_STREAM: u64 = 1_000;

/// The stream of random numbers for what does not belong to a site; no site has this number.
const ARCHIVE_STREAM: u64 = u64::MAX;
