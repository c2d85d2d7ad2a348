//! One record of an archive, borrowed from the reader's buffer.

use super::{RecordType, header::Header};

/// One record: its position in the file, its named fields and its block.
#[derive(Debug)]
pub struct Record<'r> {
    /// Offset in the file of the gzip member or zstd frame in which the record begins, or of the
    /// record itself in a plain file; bytes.
    pub offset: u64,
    /// Length in the file of the members that hold it, or of the record with its closing line ends
    /// in a plain file; bytes. `None` in a streamed member, whose end is not known yet, and in a
    /// damaged one.
    pub length: Option<u64>,
    /// A number that increases from record to record: `offset`, or one more than the last where
    /// several records share a member.
    pub key: u64,
    /// The block, at most as long as the limit.
    pub block: &'r [u8],
    /// Whether the block is known to be incomplete.
    pub is_cut: bool,
    /// Whether it is incomplete because it is longer than the limit, not because of damage.
    pub is_over_limit: bool,
    pub(super) fields: &'r Header,
    pub(super) header: &'r [u8],
}

impl<'r> Record<'r> {
    /// Returns the type (`WARC-Type`), if it has one.
    pub fn record_type(&self) -> Option<RecordType> {
        self.fields.record_type
    }

    /// Returns `WARC-Target-URI` as written, without white space around it.
    pub fn target_uri(&self) -> Option<&'r [u8]> {
        self.field(self.fields.target_uri.as_ref())
    }

    /// Returns `WARC-Date` as written.
    pub fn date(&self) -> Option<&'r [u8]> {
        self.field(self.fields.date.as_ref())
    }

    /// Returns the `Content-Type` of the block, such as `application/http; msgtype=response`.
    pub fn content_type(&self) -> Option<&'r [u8]> {
        self.field(self.fields.content_type.as_ref())
    }

    /// Returns `WARC-Truncated`: why the crawler truncated the payload.
    pub fn truncated(&self) -> Option<&'r [u8]> {
        self.field(self.fields.truncated.as_ref())
    }

    /// Returns `WARC-Payload-Digest` as written, such as `sha1:` and 32 characters of base32.
    pub fn payload_digest(&self) -> Option<&'r [u8]> {
        self.field(self.fields.payload_digest.as_ref())
    }

    /// Returns `WARC-IP-Address` as written: the address that the crawler was connected to.
    pub fn ip_address(&self) -> Option<&'r [u8]> {
        self.field(self.fields.ip_address.as_ref())
    }

    fn field(&self, span: Option<&std::ops::Range<usize>>) -> Option<&'r [u8]> {
        span.map(|span| &self.header[span.clone()])
    }
}
