//! The robots.txt of a live site, with each answer on the way to it.

use std::{io, time::Duration};

use reqwest::header::CONTENT_ENCODING;

use super::{
    client::{answer_at, read_body},
    redirect,
    status::Trouble,
    store::block_on,
    url::RemoteUrl,
};
use crate::archive::error::Error;

/// How long the body may take in all: a robots.txt is small.
const MOST_TIME: Duration = Duration::from_secs(60);

/// One request for a robots.txt, and its answer.
pub(crate) struct RobotsHop {
    pub(crate) url: String,
    /// `None` where there was no answer.
    pub(crate) status: Option<u16>,
    /// Why there was no answer, not all of its body, or a redirect that is not followed.
    pub(crate) problem: Option<String>,
}

/// What a live site answers to a request for its robots.txt.
#[derive(Default)]
pub(crate) struct LiveRobots {
    /// The requests, at least one; the last is not followed any further.
    pub(crate) hops: Vec<RobotsHop>,
    /// Whether the redirects went on behind the last.
    pub(crate) is_endless: bool,
    /// The body of the last answer, as sent.
    pub(crate) body: Vec<u8>,
    /// Whether there are more bytes than were wanted.
    pub(crate) is_cut: bool,
    /// The content coding of the body, if the server names one although it was asked for none.
    pub(crate) coding: Option<String>,
}

/// Requests a robots.txt once, and once wherever its redirects lead; no request is made again.
///
/// Of a body at most `most` bytes are read. A redirect from outside this network to an address
/// inside is not followed.
///
/// # Errors
///
/// That the URL is not one of HTTP.
pub(crate) fn fetch_robots(url: &RemoteUrl, most: usize) -> Result<LiveRobots, Error> {
    let RemoteUrl::Http(url) = url else {
        return Err(Error::usage(format!(
            "{url}: expected a URL of http:// or https://"
        )));
    };
    Ok(block_on(fetch(url.clone(), most)))
}

async fn fetch(mut at: reqwest::Url, most: usize) -> LiveRobots {
    let shown = |trouble: Trouble| io::Error::from(trouble).to_string();
    let mut live = LiveRobots::default();
    let mut is_redirected = false;
    loop {
        let mut hop = RobotsHop {
            url: RemoteUrl::Http(at.clone()).to_string(),
            status: None,
            problem: None,
        };
        let mut response = match answer_at(&at, is_redirected).await {
            Ok(response) => response,
            Err(trouble) => {
                hop.problem = Some(shown(trouble));
                live.hops.push(hop);
                return live;
            }
        };
        hop.status = Some(response.status().as_u16());
        match redirect::next(&at, &response, false).await {
            Ok(Some(next)) if live.hops.len() < redirect::MOST => {
                live.hops.push(hop);
                (at, is_redirected) = next;
                continue;
            }
            Ok(Some(_)) => live.is_endless = true,
            Err(trouble) => hop.problem = Some(shown(trouble)),
            Ok(None) => {
                let coding = response.headers().get(CONTENT_ENCODING);
                live.coding =
                    coding.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
                let read = read_body(&mut response, most, &mut live.body);
                hop.problem = match tokio::time::timeout(MOST_TIME, read).await {
                    Ok(read) => read.err().map(shown),
                    Err(_) => Some(format!(
                        "the body is not complete after {} seconds",
                        MOST_TIME.as_secs()
                    )),
                };
                live.is_cut = live.body.len() > most;
                live.body.truncate(most);
            }
        }
        live.hops.push(hop);
        return live;
    }
}
