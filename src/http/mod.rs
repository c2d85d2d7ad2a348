//! One HTTP response as it was archived: head, body, content type.
//!
//! What enters is the block of a `response` record, as bytes. What leaves is a [`Head`] of spans
//! into that block, the body with its codings removed ([`Decoder`]), and findings on both. This
//! spare refuses to know archives, captures and robots.txt: it never asks what the bytes are good
//! for, and nothing in it can fail. A response that breaks the rules is read as far as it can be,
//! and a [`Finding`] says where it broke them.
//!
//! # Departures from RFC 9110 and RFC 9112
//! * A line feed alone ends a line of the head and of the chunked coding (RFC 9112, 2.2 allows it
//!   for the head).
//! * Folded field lines are accepted (5.2), white space before the colon too (5.1), and a line
//!   without a colon is passed over.
//! * A block without a status line is all body, as in HTTP/0.9. Informational responses in front of
//!   the final one are passed over.
//! * `Content-Length` never cuts the body. Archives rewrite heads, and the bytes that were archived
//!   are the evidence. A body shorter than it is incomplete (RFC 9112, 8) only where no field says
//!   that a coding was applied: archives undo codings and leave the length of the encoded body.
//! * A coding that is named but not there leaves the body as it is, and so does an unknown one:
//!   text under such a name is a body whose coding was undone, or never applied. What is neither
//!   text nor of a known type could not be undone, and is damaged ([`BodyLoss::Damaged`]). An empty
//!   body has no codings.
//! * Only `Transfer-Encoding` and `Content-Encoding` are believed, and the bytes themselves: gzip
//!   and zstd by their magic numbers and whole chunked bodies are undone where nothing names them,
//!   with a finding. `X-Crawler-Content-Encoding` and its like tell what a crawler has undone
//!   already.

mod body;
mod chunked;
mod coding;
mod finding;
mod gzip;
mod head;
mod mime;
mod named;
mod stage;

pub(crate) use body::BodyLoss;
pub use body::Decoder;
pub use finding::{Example, Finding, Findings};
pub use head::Head;
pub use mime::ContentType;
