//! The fetches of a visit to a site, hop by hop.
//!
//! A crawler that requests a robots.txt follows redirects, and each hop becomes a capture of its
//! own.

use crate::sample::random::Random;

/// One request of a crawler for the robots.txt of a site, with the redirects that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) chain: Chain,
    /// True if the visit begins under https; some chains always begin under http.
    pub(super) is_https: bool,
    /// True if the visit begins at the `www` host; some chains always begin at the apex.
    pub(super) has_www: bool,
    /// The status code at the end of the chain.
    pub(super) status: u16,
}

/// The redirects of a visit.
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
    /// To the home page, which is HTML.
    ToHome,
    /// To a page that states with 200 that there is nothing.
    ToError,
    /// To the one page that a parking service shows for all its hosts.
    Parked,
    /// Between http and https without end; the crawler stops after [`LOOP_FETCHES`].
    Loop,
    /// This many redirects on one host before the file.
    Hops(u8),
}

/// One fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    pub(super) url: HopUrl,
    pub(super) status: u16,
    /// The target of a redirect.
    pub(super) next: Option<HopUrl>,
}

/// A URL of the generated web, given a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HopUrl {
    pub(super) host: HopHost,
    pub(super) is_https: bool,
    pub(super) path: HopPath,
}

/// A host, given a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HopHost {
    /// The site's own host.
    Apex,
    /// The site's `www` host.
    Www,
    /// A host of a parking service, below [`PARKING_HOSTS`], shared by many sites.
    Parking(u8),
}

/// The path and query of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HopPath {
    Robots,
    /// `/robots.txt` with a query that counts hops, which makes it another URL.
    RobotsWithQuery(u8),
    Localized,
    Home,
    Error,
}

/// The number of hosts of the parking service.
pub(super) const PARKING_HOSTS: usize = 4;

/// Fetches of a redirect loop after which the crawler stops.
const LOOP_FETCHES: usize = 6;

impl Visit {
    /// Returns a visit with about the probabilities of the real web.
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

    /// Returns the fetches of this visit to a site with this address.
    pub(super) fn hops(&self, address: u8) -> Vec<Hop> {
        const REDIRECTS: [u16; 12] = [301, 301, 301, 302, 301, 308, 301, 302, 307, 301, 301, 303];
        let is_loop = self.chain == Chain::Loop;
        let urls = self.urls(address);
        let n_fetches = if is_loop { LOOP_FETCHES } else { urls.len() };
        let hop = |nth: usize| {
            let next = urls.get(nth + 1).copied();
            let status = match next {
                None => self.status,
                Some(_) if is_loop => 302,
                Some(_) => REDIRECTS[(usize::from(address) + nth) % REDIRECTS.len()],
            };
            let url = urls[nth];
            Hop { url, status, next }
        };
        (0..n_fetches).map(hop).collect()
    }

    /// Returns the URLs from the first to the last; of a loop, one more than is fetched.
    fn urls(&self, address: u8) -> Vec<HopUrl> {
        let (https, www) = (self.is_https, self.has_www);
        let robots = |is_https, has_www| HopUrl {
            host: if has_www { HopHost::Www } else { HopHost::Apex },
            is_https,
            path: HopPath::Robots,
        };
        let start = robots(https, www);
        let then = |path| vec![start, HopUrl { path, ..start }];
        match self.chain {
            Chain::Direct => vec![start],
            Chain::Upgrade => vec![robots(false, www), robots(true, www)],
            Chain::Www => vec![robots(https, false), robots(https, true)],
            Chain::UpgradeAndWww => {
                vec![
                    robots(false, false),
                    robots(true, false),
                    robots(true, true),
                ]
            }
            Chain::Relative => then(HopPath::Localized),
            Chain::ToHome => then(HopPath::Home),
            Chain::ToError => then(HopPath::Error),
            Chain::Parked => {
                let parking = HopUrl {
                    host: HopHost::Parking(address % PARKING_HOSTS as u8),
                    is_https: false,
                    path: HopPath::Home,
                };
                vec![start, parking]
            }
            Chain::Loop => (0..=LOOP_FETCHES)
                .map(|nth| robots(nth % 2 == 1, www))
                .collect(),
            Chain::Hops(count) => {
                let mut urls = vec![start];
                urls.extend((1..count).map(|hop| HopUrl {
                    path: HopPath::RobotsWithQuery(hop),
                    ..start
                }));
                urls.push(robots(https, !www));
                urls
            }
        }
    }
}

impl HopPath {
    /// Returns path and query.
    pub(super) fn path_and_query(self) -> String {
        match self {
            HopPath::Robots => "/robots.txt".to_owned(),
            HopPath::RobotsWithQuery(hop) => format!("/robots.txt?hop={hop}"),
            HopPath::Localized => "/en/robots.txt".to_owned(),
            HopPath::Home => "/".to_owned(),
            HopPath::Error => "/errors/not-found.html".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::site::Site;

    fn hops(chain: Chain) -> Vec<Hop> {
        let visit = Visit {
            chain,
            is_https: false,
            has_www: false,
            status: 200,
        };
        visit.hops(1)
    }

    fn urls(chain: Chain) -> Vec<String> {
        let site = Site {
            host: "a-example.org".to_owned(),
            port: None,
            ..Site::new(0, 9_999)
        };
        let hops = hops(chain);
        for pair in hops.windows(2) {
            assert_eq!(pair[0].next, Some(pair[1].url));
        }
        hops.iter().map(|hop| site.url(&hop.url)).collect()
    }

    #[test]
    fn each_hop_is_the_target_of_the_one_before() {
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
    fn every_fetch_of_a_loop_is_a_redirect() {
        let hops = hops(Chain::Loop);
        assert_eq!(hops.len(), LOOP_FETCHES);
        assert!(
            hops.iter()
                .all(|hop| hop.next.is_some() && hop.status == 302)
        );
        assert_eq!(hops[0].url, hops[2].url);
    }
}
