//! `robocensus check URL`: the robots.txt of a live site, fetched as a crawler would.

use anyhow::{anyhow, bail};
use robocensus::{
    archive::{
        http::{BodyLoss, Decoder, Head},
        remote::{LiveRobots, RemoteUrl, fetch_robots, without_secrets},
    },
    dataset::run::DEFAULT_MAX_BODY,
    robots::{check::Fetch, dialect::Dialect, matrix::MatrixAgent},
    url::Location,
};
use serde_json::json;

use super::{
    super::{args::CheckArgs, escape::shortened, values::absolute_url},
    CheckQuery, Source, check, print_report,
};

/// Characters of a URL that a message shows: a server may redirect to one of many kilobytes.
const MOST_SHOWN: usize = 200;

/// Fetches the file, and prints the decision on it.
pub fn run(
    args: &CheckArgs,
    site: &str,
    specs: &[Dialect],
    agents: &[MatrixAgent],
) -> anyhow::Result<u8> {
    let given = [
        ("--status", args.status.is_some()),
        ("--robots-url", args.robots_url.is_some()),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        bail!("{option}: expected it with a file, since a live site answers with its own");
    }
    let mut location = Location::new();
    (location.parse(site.as_bytes())).map_err(|_| {
        anyhow!(
            "{}: expected the URL of a site, such as https://example.com",
            without_secrets(site)
        )
    })?;
    let port = location
        .port()
        .map_or_else(String::new, |port| format!(":{port}"));
    let origin = format!("{}://{}{port}", location.protocol(), location.host_name());
    let robots_url = format!("{origin}/robots.txt");
    let mut live = fetch_robots(&RemoteUrl::parse(&robots_url)?, DEFAULT_MAX_BODY)?;
    let mut urls: Vec<_> = (args.url.iter())
        .map(|url| absolute_url(&origin, url))
        .collect();
    if urls.is_empty() {
        urls.push(if location.is_robots_path() {
            format!("{origin}/")
        } else {
            without_secrets(location.url())
        });
    }
    let (body, is_cut) = decoded(&live);
    live.is_cut |= is_cut;
    let fetched = Fetched {
        live,
        n_bytes: body.len(),
    };
    let fetch = fetched.fetch();
    let query = CheckQuery {
        name: robots_url.clone(),
        agents,
        urls: &urls,
        status: fetched.status(),
        robots_url: Some(&robots_url),
        source: Some(fetched.into_source()),
    };
    let outcome = |spec: &Dialect| Some(fetch.outcome(spec));
    print_report(args, &check(query, outcome, specs, &body))
}

/// Returns the body without the coding that the server names, and whether it is cut at the limit.
fn decoded(live: &LiveRobots) -> (Vec<u8>, bool) {
    let Some(coding) = &live.coding else {
        return (live.body.clone(), false);
    };
    let mut block = format!("HTTP/1.1 200\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes();
    block.extend_from_slice(&live.body);
    let mut head = Head::new();
    head.parse(&block);
    let mut decoder = Decoder::new();
    let decoded = decoder.decode(&head, &block, DEFAULT_MAX_BODY);
    let is_cut = decoded.loss == Some(BodyLoss::Limit);
    (decoded.bytes.to_vec(), is_cut)
}

/// A live file, as the source of what is checked.
struct Fetched {
    live: LiveRobots,
    n_bytes: usize,
}

impl Fetched {
    /// Returns how the fetch ended; an answer that is not complete is none.
    fn fetch(&self) -> Fetch {
        let n_redirects = self.live.hops.len() as u64 - 1;
        Fetch::after_redirects(self.status(), n_redirects, self.live.is_endless)
    }

    fn status(&self) -> Option<u16> {
        let last = self.live.hops.last()?;
        // A redirect that is not followed is an answer; a body that is cut off is none.
        let is_answer = last.problem.is_none() || matches!(last.status, Some(300..=399));
        last.status.filter(|_| is_answer)
    }

    fn into_source(self) -> Source {
        let last = self.live.hops.len() - 1;
        let hops = self.live.hops.iter().enumerate().map(|(index, hop)| {
            let url = shortened(&hop.url, MOST_SHOWN);
            let mut text = match hop.status {
                Some(status) => format!("{url}: status {status}"),
                None => format!("{url}: no answer"),
            };
            if index == last && hop.status.is_some() {
                text += &format!(", {} bytes", self.n_bytes);
                if self.live.is_cut {
                    text += ", of which only these are read";
                }
                if self.live.is_endless {
                    text += ", and redirects again";
                }
            }
            if let Some(problem) = &hop.problem {
                text += &format!(", {problem}");
            }
            ("fetch", text)
        });
        let lines = hops.collect();
        let hops = self.live.hops.iter();
        let hops =
            hops.map(|hop| json!({"url": hop.url, "status": hop.status, "problem": hop.problem}));
        let json = json!({
            "hops": hops.collect::<Vec<_>>(),
            "bytes": self.n_bytes,
            "is_cut": self.live.is_cut,
        });
        Source {
            lines,
            key: "fetch",
            json,
        }
    }
}
