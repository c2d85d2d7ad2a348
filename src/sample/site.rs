//! The sites of the generated web: name, file, server, and the visits of the crawler.
//!
//! A site is a function of seed and number alone. So it can be computed again when its second visit
//! is due, no memory of it is needed in between, and hosts are distinct by construction: the label
//! of a host is its number, written in syllables.

use crate::sample::{
    body::{BodyWriter, LineBreak},
    random::Random,
    template,
    visit::{Chain, HopHost, HopPath, HopUrl, Visit},
};

/// A site of the generated web.
#[derive(Debug)]
pub(super) struct Site {
    /// The host without `www.`, in lower case.
    pub(super) host: String,
    /// The port, where it is not the scheme's own.
    pub(super) port: Option<u16>,
    /// The index of the site's file in [`template::CATALOG`].
    pub(super) template: usize,
    pub(super) line_break: LineBreak,
    pub(super) has_bom: bool,
    pub(super) lacks_last_line_break: bool,
    /// The index of the site's server, below [`SERVERS`].
    pub(super) server: usize,
    /// The last part of the addresses of the site.
    pub(super) address: u8,
    pub(super) has_ipv6: bool,
    /// The visits in the order of time; there is always a first one.
    pub(super) visits: [Option<Visit>; VISITS],
    /// The seed of what the file leaves to chance.
    pub(super) file_seed: u64,
}

/// The most visits that a site receives.
pub(super) const VISITS: usize = 3;

/// How many first visits of other sites are between the first visit and each visit.
pub(super) const VISIT_DELAYS: [u64; VISITS] = [0, 32, 512];

/// The number of servers among which [`Site::server`] chooses.
pub(super) const SERVERS: usize = 8;

/// How often the first sites show every trait.
///
/// Rare traits would otherwise be missing from a small archive; twice, so that a fault in one
/// capture can be told from a fault in the trait.
const SHOWCASES: u64 = 2;

/// Statuses that a showcase has.
const STATUSES: [u16; 18] = [
    200, 204, 400, 401, 403, 404, 406, 410, 429, 451, 500, 502, 503, 504, 520, 522, 525, 203,
];

/// Chains that a showcase has.
const CHAINS: [Chain; 13] = [
    Chain::Upgrade,
    Chain::Www,
    Chain::UpgradeAndWww,
    Chain::Relative,
    Chain::ToHome,
    Chain::ToError,
    Chain::Parked,
    Chain::Loop,
    Chain::Hops(3),
    Chain::Hops(4),
    Chain::Hops(5),
    Chain::Hops(6),
    Chain::Hops(7),
];

impl Site {
    /// Returns the site with this number.
    pub(super) fn new(seed: u64, number: u64) -> Site {
        let mut random = Random::of_stream(seed, number);
        let mut site = Site {
            host: host_name(number, &mut random),
            port: None,
            template: template::choose(&mut random),
            line_break: match random.below(1000) {
                0..700 => LineBreak::Lf,
                700..985 => LineBreak::CrLf,
                985..987 => LineBreak::Cr,
                _ => LineBreak::Mixed,
            },
            has_bom: random.per_mille(25),
            lacks_last_line_break: random.per_mille(250),
            server: random.below(SERVERS),
            address: 1 + random.below(254) as u8,
            has_ipv6: random.per_mille(60),
            visits: [None; VISITS],
            file_seed: random.bits(),
        };
        let first = Visit::by_chance(&mut random);
        let second = later_visit(first, &mut random);
        let third = second.and_then(|second| later_visit(second, &mut random));
        site.visits = [Some(first), second, third];
        if random.per_mille(3) {
            site.listen_on(8080);
        }
        site.show_trait(number);
        site
    }

    /// Gives the site the trait of its number, if it belongs to a showcase.
    fn show_trait(&mut self, number: u64) {
        let files = template::CATALOG.len();
        let length = files + CHAINS.len() + STATUSES.len() + 3;
        let nth = (number % length as u64) as usize;
        if number >= SHOWCASES * length as u64 {
            return;
        }
        self.port = None;
        if let Some(first) = &mut self.visits[0] {
            *first = Visit {
                chain: Chain::Direct,
                is_https: true,
                has_www: false,
                status: 200,
            };
            if nth < files {
                self.template = nth;
                self.line_break = LineBreak::Lf;
                self.has_bom = false;
            } else if let Some(&chain) = CHAINS.get(nth - files) {
                first.chain = chain;
            } else if let Some(&status) = STATUSES.get(nth - files - CHAINS.len()) {
                first.status = status;
            } else {
                self.template = template::PLAIN;
                self.line_break = LineBreak::Cr;
                self.has_bom = true;
                if nth + 1 == length {
                    self.line_break = LineBreak::Mixed;
                    self.listen_on(8443);
                }
            }
        }
    }

    /// Writes the robots.txt that the site serves under `base`.
    pub(super) fn write_robots_txt(&self, base: &str, body: &mut BodyWriter) {
        body.clear(self.line_break);
        if self.has_bom {
            body.begin_with_bom();
        }
        let random = Random::of_stream(self.file_seed, 0);
        template::write(self.template, base, random, body);
        if self.lacks_last_line_break && !body.is_utf16 {
            body.end_without_line_break();
        }
    }

    /// Returns the value of the `Location` that redirects to a URL.
    pub(super) fn location(&self, url: &HopUrl) -> String {
        match url.path {
            HopPath::Localized => url.path.path_and_query(),
            _ => self.url(url),
        }
    }

    /// Returns a URL.
    pub(super) fn url(&self, url: &HopUrl) -> String {
        self.base(url) + &url.path.path_and_query()
    }

    /// Returns scheme, host and port of a URL, such as `https://host.example`.
    pub(super) fn base(&self, url: &HopUrl) -> String {
        let scheme = if url.is_https { "https" } else { "http" };
        format!("{scheme}://{}", self.authority(url))
    }

    /// Returns host and port of a URL.
    pub(super) fn authority(&self, url: &HopUrl) -> String {
        let www = match url.host {
            HopHost::Parking(service) => {
                return format!("parking-{}-example.net", char::from(b'a' + service));
            }
            HopHost::Www => "www.",
            HopHost::Apex => "",
        };
        let port = self.port.map_or(String::new(), |port| format!(":{port}"));
        format!("{www}{}{port}", self.host)
    }

    /// Moves the site to another port, where nothing is redirected.
    fn listen_on(&mut self, port: u16) {
        self.port = Some(port);
        for visit in self.visits.iter_mut().flatten() {
            visit.chain = Chain::Direct;
        }
    }
}

/// Returns a later visit, if there is one: to the end of the earlier one, or the same again.
fn later_visit(earlier: Visit, random: &mut Random) -> Option<Visit> {
    if !random.per_mille(300) {
        return None;
    }
    let mut visit = earlier;
    if random.per_mille(700) {
        let (is_https, has_www) = earlier.end();
        visit = Visit {
            chain: Chain::Direct,
            is_https,
            has_www,
            ..earlier
        };
    }
    if random.per_mille(60) {
        visit.status = random.pick(&STATUSES);
    }
    Some(visit)
}

/// Returns the host of a site. The label before the public suffix is unique to the number.
fn host_name(number: u64, random: &mut Random) -> String {
    const BITS: u32 = 24;
    let mut host = String::with_capacity(48);
    if random.per_mille(60) {
        host.push_str(random.pick(&["blog.", "shop.", "docs.", "m.", "static.cdn."]));
    }
    // Multiplication by an odd number permutes the low bits, so that neighbors look different.
    let low = number.wrapping_mul(0x9E37_79B1) & ((1 << BITS) - 1);
    push_syllables(low, BITS / 6, &mut host);
    let mut high = number >> BITS;
    while high > 0 {
        push_syllables(high & 63, 1, &mut host);
        high >>= 6;
    }
    host.push_str("-example.");
    host.push_str(if random.per_mille(450) {
        "com"
    } else {
        random.pick(&SUFFIXES)
    });
    host
}

/// Appends the lowest 6 x `count` bits of `number`, one syllable for each six of them.
fn push_syllables(number: u64, count: u32, host: &mut String) {
    for nth in 0..count {
        let six = (number >> (6 * nth)) as usize & 63;
        host.push(char::from(b"bdfghjklmnprstvz"[six >> 2]));
        host.push(char::from(b"aeio"[six & 3]));
    }
}

/// Public suffixes other than `com`; one that is listed twice is chosen twice as often.
const SUFFIXES: [&str; 34] = [
    "org", "org", "org", "net", "net", "net", "de", "de", "de", "ru", "ru", "fr", "fr", "it", "nl",
    "pl", "jp", "co.uk", "co.uk", "com.br", "com.br", "com.au", "co.jp", "co.za", "io", "info",
    "edu", "gov", "eu", "es", "ch", "com.tr", "or.at", "dev",
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn labels_are_distinct() {
        let mut random = Random::new(0);
        let mut labels = HashSet::new();
        for number in (0..20_000)
            .chain((1 << 24)..(1 << 24) + 20_000)
            .chain([1 << 40, 2 << 40])
        {
            let host = host_name(number, &mut random);
            let (rest, _) = host.split_once("-example.").unwrap();
            let label = rest.rsplit('.').next().unwrap().to_owned();
            assert!(labels.insert(label), "{host}");
        }
    }

    #[test]
    fn sites_depend_only_on_seed_and_number() {
        let text = |seed, number| format!("{:?}", Site::new(seed, number));
        assert_eq!(text(3, 900), text(3, 900));
        assert_ne!(text(3, 900), text(4, 900));
        assert_ne!(text(3, 900), text(3, 901));
    }

    #[test]
    fn every_trait_is_shown_twice() {
        let mut files = vec![0; template::CATALOG.len()];
        let mut chains = [0; CHAINS.len()];
        let mut statuses = [0; STATUSES.len()];
        for number in 0..300 {
            let site = Site::new(1, number);
            let first = site.visits[0].unwrap();
            files[site.template] += u32::from(first.chain == Chain::Direct && first.status == 200);
            chains
                .iter_mut()
                .zip(CHAINS)
                .for_each(|(n, chain)| *n += u32::from(chain == first.chain));
            statuses
                .iter_mut()
                .zip(STATUSES)
                .for_each(|(n, status)| *n += u32::from(status == first.status));
        }
        for counts in [&files[..], &chains, &statuses] {
            assert!(counts.iter().all(|&n| n >= 2), "{counts:?}");
        }
    }
}
