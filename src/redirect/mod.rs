//! Where redirects lead: from captures that answer with 3xx to the captures whose rules count for them.
//!
//! Enters: every capture of a dataset, twice, as its URL, its time and, where it redirects, its target. Leaves: a [`Resolution`] for each
//! redirect. This room refuses to know archives, tables and files; it remembers redirects and nothing of the captures that are none.
//!
//! # How a chain is followed
//!
//! - *Redirect*: a capture with a status from 300 to 399. Only 301, 302, 303, 307 and 308 are followed, and only to http and https: what the
//!   Fetch standard calls a redirect status (section 2.2.3). The rest, and one without a `Location` that can be read, is `not_followable`.
//! - *Hop*: from a redirect to the capture of its target that was fetched nearest to it in time. Of two at the same distance the later one
//!   counts, because a crawler fetches the target after the redirect; of two at the same time the one of the smaller `capture_id`. A capture
//!   without a time counts as fetched before all others.
//! - A redirect to its own URL, as servers send that want a cookie first, leads to the nearest capture of that URL that answers otherwise.
//! - *Loop*: the chain comes to a redirect from and to a URL that it has followed before, or to its own URL and nothing else is known of that.
//!   A URL met a second time that answers otherwise then is none.
//! - After five hops ([`MAX_HOPS`]) a further redirect is one too many (RFC 9309, 2.3.1.2).
//! - A chain that ends at any other answer is resolved, be it a 404: what that means for the host where the chain began is for its access to say.
//!
//! # Memory
//!
//! A million captures of one target and a million redirects to it are no million times a million comparisons: captures of a target fall into
//! the gaps between the times of its redirects, and of each gap only the first and the last capture can be nearest to any of them
//! (`nearest`). That makes 104 bytes for each redirect, whatever the number of captures.

mod chain;
#[cfg(test)]
mod naive;
mod nearest;
mod text;
mod url;

pub use self::{
    chain::{Chains, Outcome, Resolution},
    nearest::{Found, Nearest, Redirect},
    text::Texts,
    url::{Target, TargetReader, UrlKey, write_canonical},
};

/// Redirects that are followed in a row; the next one is too many (RFC 9309, 2.3.1.2).
pub const MAX_HOPS: usize = 5;
