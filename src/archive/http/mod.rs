//! Parsing of one archived HTTP response: head, body, content type.
//!
//! The block of a `response` record becomes a [`Head`] of spans into that block and a body without
//! its codings ([`Decoder`]). Nothing here can fail: a response that violates the standard is
//! parsed as far as possible, and a [`Finding`] names the violation.
//!
//! # Departures from RFC 9110 and RFC 9112
//! * A line feed alone ends a line of the head and of the chunked coding (RFC 9112, 2.2 allows it
//!   for the head).
//! * Folded field lines are accepted (5.2), white space before the colon too (5.1), and a line
//!   without a colon is ignored.
//! * A block without a status line is all body, as in HTTP/0.9. Informational responses before the
//!   final one are ignored.
//! * `Content-Length` never truncates the body. Archives rewrite heads, and the archived bytes are
//!   the evidence. A shorter body is incomplete (RFC 9112, 8) only where no field names a coding:
//!   archives decode bodies and leave the length of the encoded one.
//! * A coding that is named but not applied leaves the body as it is, and so does an unknown one:
//!   text under such a name was decoded before, or never encoded. What is neither text nor of a
//!   known type could not be decoded, and is damaged ([`BodyLoss::Damaged`]). An empty body has no
//!   codings.
//! * Besides `Transfer-Encoding` and `Content-Encoding`, the bytes themselves count: gzip and zstd
//!   by their magic numbers, and complete chunked bodies are decoded where no field names them,
//!   with a finding. `X-Crawler-Content-Encoding` and similar fields name what a crawler has
//!   decoded already.

mod body;
mod chunked;
mod coding;
mod finding;
mod head;
mod mime;
mod named;
mod stage;

pub(crate) use body::BodyLoss;
pub use body::Decoder;
pub use finding::{Example, Finding, Findings};
pub use head::Head;
pub use mime::ContentType;
