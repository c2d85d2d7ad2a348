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
    super::{args::CheckArgs, template::rendered, values::absolute_url},
    CheckQuery, Source, print_report,
};

/// What is printed of the fetches.
const TEXT: &str = include_str!("../templates/check/fetch.txt.j2");

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
        ("--status", args.evaluation.status.is_some()),
        ("--robots-url", args.evaluation.robots_url.is_some()),
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
    let mut urls: Vec<_> = (args.evaluation.url.iter())
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
    let status = status(&live);
    let n_redirects = live.hops.len() as u64 - 1;
    let fetch = Fetch::after_redirects(status, n_redirects, live.is_endless);
    let query = CheckQuery {
        name: robots_url.clone(),
        agents,
        urls: &urls,
        status,
        robots_url: Some(&robots_url),
        source: Some(source(&live, body.len())),
    };
    let outcome = |spec: &Dialect| Some(fetch.outcome(spec));
    print_report(args, query, outcome, specs, &body)
}

/// Returns the body without the coding that the server names, and whether it is cut at the limit.
fn decoded(live: &LiveRobots) -> (Vec<u8>, bool) {
    let Some(coding) = &live.coding else {
        return (live.body.clone(), false);
    };
    let mut block = format!("HTTP/1.1 200\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes();
    block.extend_from_slice(&live.body);
    let mut head = Head::default();
    head.parse(&block);
    let mut decoder = Decoder::default();
    let decoded = decoder.decode(&head, &block, DEFAULT_MAX_BODY);
    let is_cut = decoded.loss == Some(BodyLoss::Limit);
    (decoded.bytes.to_vec(), is_cut)
}

/// Returns the status of the last answer; one that is not complete is none.
fn status(live: &LiveRobots) -> Option<u16> {
    let last = live.hops.last()?;
    // A redirect that is not followed is an answer; a body that is cut off is none.
    let is_answer = last.problem.is_none() || matches!(last.status, Some(300..=399));
    last.status.filter(|_| is_answer)
}

/// Returns a live file, whose body has so many bytes, as the source of what is checked.
fn source(live: &LiveRobots, n_bytes: usize) -> Source {
    let hops = live.hops.iter();
    let hops =
        hops.map(|hop| json!({"url": hop.url, "status": hop.status, "problem": hop.problem}));
    let json = json!({
        "hops": hops.collect::<Vec<_>>(),
        "bytes": n_bytes,
        "is_cut": live.is_cut,
    });
    let mut facts = json.clone();
    facts["is_endless"] = live.is_endless.into();
    facts["most"] = MOST_SHOWN.into();
    Source {
        text: rendered(TEXT, facts),
        key: "fetch",
        json,
    }
}
