//! Enters: a visit to a site. Leaves: the fetches it consists of, hop by hop.
//!
//! A crawler that asks for a robots.txt follows redirects, and each hop becomes a capture of its
//! own. This room refuses to know what is served at the end.

use crate::sample::random::Random;
use crate::sample::site::Site;

/// One request of a crawler for the robots.txt of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) chain: Chain,
    /// True if the visit begins under https; some chains begin under http of themselves.
    pub(super) is_https: bool,
    /// True if the visit begins at the `www` host; some chains begin at the apex of themselves.
    pub(super) has_www: bool,
    /// The status code at the end of the chain.
    pub(super) status: u16,
}

/// The way of a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chain {
    /// No redirect.
    Direct,
    /// http to https.
    Upgrade,
    /// The apex to `www`.
    Www,
    /// http to https, then the apex to `www`.
    UpgradeAndWww,
    /// To another path of the host, by a relative `Location`.
    Relative,
    /// To the home page, where a page of HTML stands.
    ToHome,
    /// To a page that says with 200 that nothing is here.
    ToError,
    /// To the one page that a parking service shows for all its hosts.
    Parked,
    /// Between http and https for ever; the crawler gives up after six fetches.
    Loop,
    /// This many redirects on one host before the file.
    Hops(u8),
}

/// One fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    pub(super) at: Place,
    pub(super) status: u16,
    /// Where a redirect leads.
    pub(super) next: Option<Place>,
    /// True if the `Location` is written without scheme and host.
    pub(super) is_relative: bool,
}

/// A URL of the made-up web, given a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) host: Host,
    pub(super) is_https: bool,
    pub(super) path: Path,
}

/// A host, given a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// The site's own host.
    Apex,
    /// The site's `www` host.
    Www,
    /// A host of a parking service, below [`PARKING_HOSTS`], shared by many sites.
    Parking(u8),
}

/// The path and query of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    Robots,
    /// `/robots.txt` with a query that counts hops, which makes it another URL.
    RobotsWithQuery(u8),
    Localized,
    Home,
    Error,
}

/// The number of hosts that park others.
pub(super) const PARKING_HOSTS: usize = 4;

/// The longest chain has seven redirects and an end.
pub(super) const MAX_HOPS: usize = 8;

impl Visit {
    /// Makes a visit as they are distributed on the real web.
    pub(super) fn by_chance(random: &mut Random) -> Visit {
        let chain = match random.below(1000) {
            0..620 => Chain::Direct,
            620..815 => Chain::Upgrade,
            815..895 => Chain::Www,
            895..957 => Chain::UpgradeAndWww,
            957..972 => Chain::Relative,
            972..980 => Chain::ToHome,
            980..983 => Chain::ToError,
            983..991 => Chain::Parked,
            991..993 => Chain::Loop,
            drawn => Chain::Hops(2 + (drawn - 993) as u8 % 6),
        };
        let status = match random.below(1000) {
            0..768 => 200,
            768..771 => 204,
            771..920 => 404,
            920..955 => 403,
            955..959 => 410,
            959..962 => 401,
            962..967 => 429,
            967..969 => 400,
            969..976 => 500,
            976..980 => 502,
            980..993 => 503,
            993..995 => 504,
            995..997 => 520,
            997..998 => 522,
            998..999 => 525,
            _ => 451,
        };
        Visit {
            chain,
            is_https: random.per_mille(650),
            has_www: random.per_mille(250),
            status,
        }
    }

    /// Returns scheme (https or not) and host (`www` or not) of the site where the visit ends.
    pub(super) fn end(&self) -> (bool, bool) {
        match self.chain {
            Chain::Upgrade => (true, self.has_www),
            Chain::Www => (self.is_https, true),
            Chain::UpgradeAndWww => (true, true),
            _ => (self.is_https, self.has_www),
        }
    }

    /// Replaces `hops` by the fetches of this visit to a site that has `draw` as its address.
    pub(super) fn walk(&self, draw: u8, hops: &mut Vec<Hop>) {
        hops.clear();
        let own = |is_https, has_www, path| Place {
            host: if has_www { Host::Www } else { Host::Apex },
            is_https,
            path,
        };
        let (https, www) = (self.is_https, self.has_www);
        let start = own(https, www, Path::Robots);
        match self.chain {
            Chain::Direct => self.arrive(&[start], hops),
            Chain::Upgrade => {
                self.arrive(
                    &[own(false, www, Path::Robots), own(true, www, Path::Robots)],
                    hops,
                );
            }
            Chain::Www => {
                self.arrive(
                    &[
                        own(https, false, Path::Robots),
                        own(https, true, Path::Robots),
                    ],
                    hops,
                );
            }
            Chain::UpgradeAndWww => {
                let path = Path::Robots;
                self.arrive(
                    &[
                        own(false, false, path),
                        own(true, false, path),
                        own(true, true, path),
                    ],
                    hops,
                );
            }
            Chain::Relative => self.arrive(
                &[
                    start,
                    Place {
                        path: Path::Localized,
                        ..start
                    },
                ],
                hops,
            ),
            Chain::ToHome => self.arrive(
                &[
                    start,
                    Place {
                        path: Path::Home,
                        ..start
                    },
                ],
                hops,
            ),
            Chain::ToError => self.arrive(
                &[
                    start,
                    Place {
                        path: Path::Error,
                        ..start
                    },
                ],
                hops,
            ),
            Chain::Parked => {
                let host = Host::Parking(draw % PARKING_HOSTS as u8);
                self.arrive(
                    &[
                        start,
                        Place {
                            host,
                            is_https: false,
                            path: Path::Home,
                        },
                    ],
                    hops,
                );
            }
            Chain::Loop => {
                for fetch in 0..6 {
                    let at = own(fetch % 2 == 1, www, Path::Robots);
                    let next = Some(own(fetch % 2 == 0, www, Path::Robots));
                    hops.push(Hop {
                        at,
                        status: 302,
                        next,
                        is_relative: false,
                    });
                }
            }
            Chain::Hops(count) => {
                let mut places = [start; MAX_HOPS];
                let count = usize::from(count).min(MAX_HOPS - 1);
                for (hop, place) in places[..count].iter_mut().enumerate().skip(1) {
                    place.path = Path::RobotsWithQuery(hop as u8);
                }
                places[count] = own(https, !www, Path::Robots);
                self.arrive(&places[..=count], hops);
            }
        }
        for (nth, hop) in hops.iter_mut().enumerate() {
            if hop.next.is_some() && self.chain != Chain::Loop {
                hop.status = [301, 301, 301, 302, 301, 308, 301, 302, 307, 301, 301, 303]
                    [(usize::from(draw) + nth) % 12];
            }
        }
    }

    /// Appends the fetches from place to place, the last of which answers with the visit's status.
    fn arrive(&self, places: &[Place], hops: &mut Vec<Hop>) {
        for (nth, &at) in places.iter().enumerate() {
            let next = places.get(nth + 1).copied();
            let is_relative = next.is_some_and(|next| next.path == Path::Localized);
            hops.push(Hop {
                at,
                status: self.status,
                next,
                is_relative,
            });
        }
    }
}

impl Place {
    /// Appends the URL, with its path and query only where `is_relative`.
    pub(super) fn push_url(&self, site: &Site, is_relative: bool, url: &mut String) {
        if !is_relative {
            url.push_str(if self.is_https { "https://" } else { "http://" });
            self.push_authority(site, url);
        }
        self.push_path(url);
    }

    /// Appends host and port.
    pub(super) fn push_authority(&self, site: &Site, url: &mut String) {
        if let Host::Parking(service) = self.host {
            url.push_str("parking-");
            url.push(char::from(b'a' + service));
            url.push_str("-example.net");
            return;
        }
        if self.host == Host::Www {
            url.push_str("www.");
        }
        url.push_str(&site.host);
        if let Some(port) = site.port {
            url.push(':');
            url.push_str(&port.to_string());
        }
    }

    /// Appends path and query.
    pub(super) fn push_path(&self, url: &mut String) {
        match self.path {
            Path::Robots => url.push_str("/robots.txt"),
            Path::RobotsWithQuery(hop) => {
                url.push_str("/robots.txt?hop=");
                url.push(char::from(b'0' + hop));
            }
            Path::Localized => url.push_str("/en/robots.txt"),
            Path::Home => url.push('/'),
            Path::Error => url.push_str("/errors/not-found.html"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(chain: Chain) -> Vec<String> {
        let site = Site {
            host: "a-example.org".to_owned(),
            port: None,
            ..Site::new(0, 9_999)
        };
        let mut hops = Vec::new();
        Visit {
            chain,
            is_https: false,
            has_www: false,
            status: 200,
        }
        .walk(1, &mut hops);
        assert!(hops.len() <= MAX_HOPS);
        for pair in hops.windows(2) {
            assert_eq!(pair[0].next, Some(pair[1].at));
        }
        let url = |hop: &Hop| {
            let mut url = String::new();
            hop.at.push_url(&site, false, &mut url);
            url
        };
        hops.iter().map(url).collect()
    }

    #[test]
    fn hops_lead_to_the_end() {
        assert_eq!(urls(Chain::Direct), ["http://a-example.org/robots.txt"]);
        assert_eq!(
            urls(Chain::UpgradeAndWww),
            [
                "http://a-example.org/robots.txt",
                "https://a-example.org/robots.txt",
                "https://www.a-example.org/robots.txt"
            ]
        );
        assert_eq!(
            urls(Chain::Relative)[1],
            "http://a-example.org/en/robots.txt"
        );
        assert_eq!(urls(Chain::Parked)[1], "http://parking-b-example.net/");
        assert_eq!(urls(Chain::Hops(7)).len(), 8);
        assert_eq!(
            urls(Chain::Hops(7))[6],
            "http://a-example.org/robots.txt?hop=6"
        );
    }

    #[test]
    fn loop_never_ends() {
        let mut hops = Vec::new();
        Visit {
            chain: Chain::Loop,
            is_https: true,
            has_www: true,
            status: 200,
        }
        .walk(1, &mut hops);
        assert!(
            hops.len() > 5
                && hops
                    .iter()
                    .all(|hop| hop.next.is_some() && hop.status == 302)
        );
        assert_eq!(hops[0].at, hops[2].at);
    }
}
