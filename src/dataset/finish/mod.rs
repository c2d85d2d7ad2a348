//! The tables of a dataset that cannot be made from one archive: where redirects lead, which fetch
//! of an origin counts, and what the robots.txt of its origin states about a page.

pub(crate) mod redirect;

pub(in crate::dataset) mod redirects;

mod whole_writer;

pub(in crate::dataset) mod pages;

pub use self::{pages::resolve_pages, redirects::resolve_redirects};
