//! What a run found, as counts that add up in any order.
//!
//! Enters: one line of arithmetic for each capture. Leaves: [`Counts`] that merge with `+=`, and
//! [`Summary`], which says them as JSON. Rendering for a person is the command line's business.

mod counts;
mod distinct;
mod extent;
mod redirects;
mod report;
mod share;

pub use self::{
    counts::{CategoryCounts, Counts, UNREADABLE},
    distinct::Distinct,
    extent::Extent,
    redirects::{HostShare, Hosts, Redirects},
    report::{GivenUp, MadeAgain, Summary, Unnamable},
    share::share,
};
