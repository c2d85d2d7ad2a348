//! The summary of a run: [`Counts`], which merge with `+=` in any order, and [`Summary`], which
//! renders them as JSON. Text for people is made by the command line.

mod counts;
mod distinct;
mod extent;
mod pages;
mod redirects;
mod report;

pub(crate) use self::distinct::Distinct;
pub use self::{
    counts::Counts,
    extent::{CrawlExtent, Extent, duration_in_words},
    pages::PageRobotsCounts,
    redirects::{HostShare, Hosts, Redirects},
    report::{IncompleteArchive, RebuiltPart, Summary, Unnamable},
};
pub use crate::share::share;
