//! The table `archive_errors`: one row for each fault of an archive.

use super::{Int64, Name, Text, as_i64, table};
use crate::archive::warc::Fault;

table! {
    /// one fault of an archive
    "archive_errors": pub struct ArchiveErrorsBuilder {
        /// name of the archive
        warc_filename: Name [statistics],
        /// offset in the archive where the damage begins
        byte_offset: Int64 [unit("bytes"), delta],
        /// bytes of the archive from which nothing was read because of it
        bytes_skipped: Int64,
        /// kind of damage, as a code
        code: Name,
        /// one sentence: what was expected, what was found
        message: Text,
    }
}

impl ArchiveErrorsBuilder {
    /// Appends a fault of an archive.
    pub fn append(&mut self, archive: &str, fault: &Fault) {
        self.warc_filename.append(archive);
        self.byte_offset.append(as_i64(fault.offset));
        self.bytes_skipped.append(as_i64(fault.bytes_skipped));
        self.code.append(fault.kind.as_str());
        self.message.append(&fault.message);
    }
}
