//! Where redirects lead: from captures that answer with 3xx to the captures whose rules count for
//! them.
//!
//! Takes every capture of a crawl, twice, as its URL, its time and, if it redirects, its target;
//! returns a [`Resolution`] for each redirect. This module knows no archives, tables and files, and
//! holds nothing of the captures that are no redirects.
//!
//! # How a chain is followed
//!
//! - *Redirect*: a capture with a status from 300 to 399. Only 301, 302, 303, 307 and 308 are
//!   followed, and only to http and https: what the Fetch standard calls a redirect status (section
//!   2.2.3). The rest, and one without a readable `Location`, is `not_followable`.
//! - *Scope*: a redirect leads to captures of its own crawl; captures of archives that name none
//!   are one crawl, which alone has a window: there a redirect leads to captures fetched within it
//!   before or after, and so does a chain from its first redirect to its end; what has no time is
//!   in no window. What lies outside is as if it were not in the dataset: what another crawl found,
//!   at another time, says nothing about this one.
//! - *Hop*: from a redirect to the capture of its target that was fetched nearest to it in time. Of
//!   two at the same distance the later one counts, because a crawler fetches the target after the
//!   redirect; of two at the same time the one of the smaller `capture_id`. A capture without a
//!   time counts as fetched before all others.
//! - A redirect to its own URL, as servers send that want a cookie first, leads to the nearest
//!   capture of that URL that answers otherwise.
//! - 304 is no redirect: it states that a file fetched before still holds (RFC 9110, 15.4.5), and
//!   does not contain it. A capture that answers so is `not_modified` by itself and is not offered
//!   as a target, so that a URL with no other capture is like one without any.
//! - *Loop*: the chain comes to a redirect from and to a URL that it has followed before, or to its
//!   own URL, of which the dataset has no other answer. A URL met a second time that answers
//!   otherwise then is none.
//! - A dialect limits the hops that it follows; a further redirect is one too many, by
//!   `access.max_hops`. The end of a chain does not depend on it: it is found once for all
//!   dialects, and each checks whether it comes that far. One without a limit follows 256 hops,
//!   more than any limit: where a server redirects each of a million URLs to the next, a million
//!   chains of a million hops would take too long.
//! - A chain that ends at any other answer is resolved, be it a 404: the dialect decides what that
//!   means for the host where the chain began.
//!
//! # Memory
//!
//! A million captures of one target and a million redirects to it are not a million times a million
//! comparisons: captures of a target fall into the gaps between the times of its redirects, and of
//! each gap only the first and the last capture can be nearest to any of them (`nearest`). That
//! makes 88 bytes for each redirect, whatever the number of captures. The ends of chains take less
//! than what is free by then; 32 bytes are kept.
//!
//! To sort the captures of targets by URL and time, and search them for each redirect, would be
//! some ninety lines shorter, but takes 36 bytes for each such capture: 43 for each redirect of a
//! generated crawl (6,406 captures of targets for 5,381 redirects), and without bound where one URL
//! was fetched a million times. It would save no pass over the captures either, since which URLs
//! are targets is known only after the first.

mod chain;
mod hop;
mod nearest;
#[cfg(test)]
mod tests;
mod url;

pub(crate) use self::{
    chain::{Chains, Resolution},
    hop::{Candidate, CandidateKind, Outcome, Redirect},
    nearest::Nearest,
    url::{Origin, TargetReader, UrlKey, write_canonical},
};
