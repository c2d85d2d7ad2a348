//! One request to one dialect, without a fetch.

use std::borrow::Cow;

use robocensus::{
    Dialect,
    robots::check::{Checker, Evidence, Request},
};

/// Returns the decision of `dialect`, under which `checker` has compiled a file, with its evidence.
pub fn evidence(
    checker: &mut Checker,
    dialect: &Dialect,
    chain: &[Cow<'_, [u8]>],
    url: &[u8],
) -> Evidence {
    let request = Request {
        chain,
        url,
        outcome: None,
        robots_url: None,
    };
    checker.ask(dialect, &request)
}
