//! Pages of HTML, and charts of the rows of queries.
//!
//! - [`chart`] draws rows: for the pages, as files, and in the browser on the page of a
//!   publication, for which it is compiled without the rest of this module.
//! - [`dataset`] is the page that `robocensus report` writes about a dataset, [`comparison`] that
//!   of a comparison, [`explorer`] that of a publication.
//!
//! Nothing here opens a file or runs a query.

pub(crate) mod chart;
pub(crate) mod result;
pub(crate) mod words;

#[cfg(feature = "report")]
pub mod comparison;
#[cfg(feature = "report")]
mod dataset;
#[cfg(feature = "report")]
mod explorer;
#[cfg(feature = "report")]
mod template;

#[cfg(feature = "report")]
pub(crate) use self::dataset::{PROVENANCE, Source, choice};
#[doc(hidden)]
pub use self::{chart::draw, result::NoChart};
#[cfg(feature = "report")]
pub use self::{
    dataset::{
        Commands, Page, PageQuery, TITLE, UnexpectedResult, has_pages, queries, render, variables,
    },
    explorer::EXPLORER,
};
