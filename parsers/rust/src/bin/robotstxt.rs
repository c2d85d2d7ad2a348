//! The crate robotstxt, a port of Google's parser. It panics on some lines over 16,663 bytes, which
//! ends this process, and takes hours on patterns of many stars.

use robocensus_adapters::{AdapterResult, Verdict, locked_version, serve};
use robotstxt::DefaultMatcher;

fn main() -> AdapterResult<()> {
    serve(
        "robotstxt",
        locked_version("robotstxt"),
        |body, agent, queries| {
            let body = String::from_utf8_lossy(body);
            let decide = |url: &str| {
                let mut matcher = DefaultMatcher::default();
                Verdict::allow_if(matcher.one_agent_allowed_by_robots(&body, agent, url))
            };
            queries.iter().map(|query| decide(&query.url)).collect()
        },
    )
}
