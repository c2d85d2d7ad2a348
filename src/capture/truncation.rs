//! Why bytes of a body are missing, and whether what is left is an answer.
//!
//! Enters: what the archive says of a record, and what the decoder says of its body. Leaves: one
//! named reason, or none.

use crate::{http::BodyLoss, warc::Record};

/// Why a payload is not all that the server sent.
///
/// A response of which a part is missing is no successful one, and its lines do not count, since
/// nobody knows what stood on the missing ones ([`Truncation::is_cut_off`]; RFC 9112, 8: an
/// incomplete message). Two reasons are exceptions, since the part that is there was taken on
/// purpose: [`Truncation::Length`] and [`Truncation::Limit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truncation {
    /// The crawler cut the body at a length (`WARC-Truncated: length`, ISO 28500, 5.13).
    Length,
    /// The crawler's time for the fetch was over (`WARC-Truncated: time`).
    Time,
    /// The connection ended before the response did (`WARC-Truncated: disconnect`).
    Disconnect,
    /// The archive says that the body is cut and not why (`WARC-Truncated` with any other value).
    Unspecified,
    /// The archive's record is broken: it ends, or another record begins, before its length is
    /// reached, or more bytes follow than its length says.
    Record,
    /// A transfer or content coding ends early, is broken, or cannot be undone.
    Decoding,
    /// Fewer bytes were archived than `Content-Length` says, and no coding explains it.
    ContentLength,
    /// The body or the record is longer than a limit of this run.
    Limit,
}

impl Truncation {
    /// Returns the reason for which bytes of a record's body are missing.
    ///
    /// Of several the first counts that makes the response no answer, in the order of
    /// [`Truncation`]. A cut on purpose explains why a coding ends early and why `Content-Length`
    /// is not reached; it does not explain a broken coding.
    pub(super) fn of(record: &Record<'_>, loss: Option<BodyLoss>) -> Option<Truncation> {
        let reason = record.truncated().map(stated);
        let is_limited = record.is_over_limit;
        match (reason, loss) {
            (Some(reason), _) if reason != Truncation::Length => Some(reason),
            _ if record.is_cut && !is_limited => Some(Truncation::Record),
            (_, Some(BodyLoss::Damaged)) => Some(Truncation::Decoding),
            (Some(reason), _) => Some(reason),
            _ if is_limited => Some(Truncation::Limit),
            (_, Some(BodyLoss::Cut)) => Some(Truncation::Decoding),
            (_, Some(BodyLoss::Short)) => Some(Truncation::ContentLength),
            (_, Some(BodyLoss::Limit)) => Some(Truncation::Limit),
            (None, None) => None,
        }
    }

    /// Returns true if and only if the response did not arrive as it was sent, so that its lines do
    /// not count.
    pub fn is_cut_off(self) -> bool {
        !matches!(self, Truncation::Length | Truncation::Limit)
    }

    /// Returns the name used in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Truncation::Length => "length",
            Truncation::Time => "time",
            Truncation::Disconnect => "disconnect",
            Truncation::Unspecified => "unspecified",
            Truncation::Record => "record",
            Truncation::Decoding => "decoding",
            Truncation::ContentLength => "content_length",
            Truncation::Limit => "limit",
        }
    }
}

/// Returns the reason that `WARC-Truncated` states.
fn stated(value: &[u8]) -> Truncation {
    [Truncation::Length, Truncation::Time, Truncation::Disconnect]
        .into_iter()
        .find(|reason| value.eq_ignore_ascii_case(reason.as_str().as_bytes()))
        .unwrap_or(Truncation::Unspecified)
}
