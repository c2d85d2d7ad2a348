//! A robots.txt in, decisions out. Nothing here does I/O, and no content is an error.
//!
//! [`lines`] finds the lines of a body, `signal` the statements on use in their values. A
//! [`dialect`] interprets the lines as groups and rules. `api` answers questions about one file
//! ([`Robots`](crate::Robots)), [`agents`] reads how a user names a crawler, [`check`] shows the evidence, [`policy`] says how much of a site is
//! forbidden, and [`matrix`] asks many agents and URLs at once.

#[doc(hidden)]
pub mod lines;

pub(crate) mod signal;

pub mod dialect;

pub(crate) mod api;

#[doc(hidden)]
pub mod agents;

#[doc(hidden)]
pub mod check;

#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod policy;

#[cfg(feature = "dataset")]
pub mod matrix;
