//! The crate robotxt.

use robocensus_adapters::{AdapterResult, Verdict, locked_version, serve};
use robotxt::{Robots, url::Url};

fn main() -> AdapterResult<()> {
    serve(
        "robotxt",
        locked_version("robotxt"),
        |body, agent, queries| {
            let robots = Robots::parse(body, agent);
            let decide = |url: &str| match Url::parse(url) {
                Ok(url) => Verdict::allow_if(robots.is_url_allowed(&url)),
                Err(_) => Verdict::Error,
            };
            queries.iter().map(|query| decide(&query.url)).collect()
        },
    )
}
