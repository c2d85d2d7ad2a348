//! The reason why bytes of a body are missing, and whether the rest counts.

use crate::{
    archive::{http::BodyLoss, warc::Record},
    named::named,
};

named! {
    /// Why a payload is not all that the server sent.
    ///
    /// An incomplete response is not successful, and its lines do not count, since the missing ones
    /// are not known ([`Truncation::is_cut_off`]; RFC 9112, 8: an incomplete message). Two reasons
    /// are exceptions, since the payload was truncated on purpose: [`Truncation::Length`] and
    /// [`Truncation::Limit`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Truncation {
        /// The crawler truncated the body at a length (`WARC-Truncated: length`, ISO 28500, 5.13).
        Length = "length",
        /// The crawler's time limit for the fetch was reached (`WARC-Truncated: time`).
        Time = "time",
        /// The connection ended before the response did (`WARC-Truncated: disconnect`).
        Disconnect = "disconnect",
        /// The archive states no known reason (`WARC-Truncated` with any other value).
        Unspecified = "unspecified",
        /// The archive's record is damaged: it has fewer or more bytes than its length states.
        Record = "record",
        /// A transfer or content coding is truncated, damaged, or cannot be decoded.
        Decoding = "decoding",
        /// Fewer bytes were archived than `Content-Length` states, and no coding explains it.
        ContentLength = "content_length",
        /// The body or the record is longer than a limit of this run.
        Limit = "limit",
    }
}

impl Truncation {
    /// Returns the reason why bytes of a record's body are missing.
    ///
    /// Of several, the first that makes the response incomplete counts, in the order of
    /// [`Truncation`]. A truncation on purpose explains a truncated coding and a missed
    /// `Content-Length`, but not a damaged coding.
    pub(super) fn from_record(record: &Record<'_>, loss: Option<BodyLoss>) -> Option<Truncation> {
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

    /// Returns true if and only if the response is incomplete, so that its lines do not count.
    pub(crate) fn is_cut_off(self) -> bool {
        !matches!(self, Truncation::Length | Truncation::Limit)
    }
}

/// Returns the reason that `WARC-Truncated` states.
fn stated(value: &[u8]) -> Truncation {
    [Truncation::Length, Truncation::Time, Truncation::Disconnect]
        .into_iter()
        .find(|reason| value.eq_ignore_ascii_case(reason.as_str().as_bytes()))
        .unwrap_or(Truncation::Unspecified)
}
