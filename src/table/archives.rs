//! The tables `archives`, one row for each input, and `archive_errors`, one for each fault of an
//! input.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, builder::BooleanBuilder, types::Int64Type};
use arrow_schema::SchemaRef;

use super::{
    column::{Numbers, Repeated, Texts},
    schema::{Kind, Table, optional, required},
};
use crate::{
    capture::Skip,
    warc::{Fault, ReadCounts},
};

/// The table `archives` as data.
pub const ARCHIVES: Table = Table {
    name: "archives",
    about: "one input archive, whatever became of it",
    columns: &[
        required(
            "warc_filename",
            Kind::Text,
            "name of the archive, as in the other tables",
        ),
        optional(
            "crawl",
            Kind::Name,
            "crawl that the name names, such as CC-MAIN-2025-05",
        ),
        optional(
            "subset",
            Kind::Name,
            "subset that the name names, such as robotstxt",
        ),
        required("bytes", Kind::Int64, "bytes read").unit("bytes"),
        required(
            "member_count",
            Kind::Int64,
            "gzip members or zstd frames that were found right; 0 in a plain archive",
        ).unit("members"),
        required(
            "member_bytes",
            Kind::Int64,
            "bytes of those members, or of the records of a plain archive",
        ).unit("bytes"),
        required(
            "bytes_skipped",
            Kind::Int64,
            "bytes from which nothing was read; with member_bytes they add up to bytes",
        ).unit("bytes"),
        required("bytes_inflated", Kind::Int64, "bytes after inflating").unit("bytes"),
        required("record_count", Kind::Int64, "records of any type").unit("records"),
        required(
            "capture_count",
            Kind::Int64,
            "rows of this archive in captures; with the counts of skipped records below they add up to record_count",
        ).unit("rows"),
        required(
            "skipped_warcinfo",
            Kind::Int64,
            "records skipped: type warcinfo",
        ).unit("records"),
        required(
            "skipped_request",
            Kind::Int64,
            "records skipped: type request",
        ).unit("records"),
        required(
            "skipped_resource",
            Kind::Int64,
            "records skipped: type resource",
        ).unit("records"),
        required(
            "skipped_metadata",
            Kind::Int64,
            "records skipped: type metadata",
        ).unit("records"),
        required(
            "skipped_revisit",
            Kind::Int64,
            "records skipped: type revisit",
        ).unit("records"),
        required(
            "skipped_conversion",
            Kind::Int64,
            "records skipped: type conversion",
        ).unit("records"),
        required(
            "skipped_continuation",
            Kind::Int64,
            "records skipped: type continuation",
        ).unit("records"),
        required(
            "skipped_other_type",
            Kind::Int64,
            "records skipped: any other type",
        ).unit("records"),
        required(
            "skipped_no_type",
            Kind::Int64,
            "records skipped: no WARC-Type",
        ).unit("records"),
        required(
            "skipped_no_target_uri",
            Kind::Int64,
            "responses skipped: no WARC-Target-URI",
        ).unit("records"),
        required(
            "skipped_bad_target_uri",
            Kind::Int64,
            "responses skipped: the target URI is no URL with a host",
        ).unit("records"),
        required(
            "skipped_not_http",
            Kind::Int64,
            "responses skipped: not HTTP",
        ).unit("records"),
        required(
            "skipped_not_robots_path",
            Kind::Int64,
            "responses skipped: another path than /robots.txt, and no hop of a redirect to or from one",
        ).unit("records"),
        required(
            "skipped_unreadable",
            Kind::Int64,
            "records skipped: their headers could not be read",
        ).unit("records"),
        required(
            "error_count",
            Kind::Int64,
            "rows of this archive in archive_errors",
        ).unit("rows"),
        required(
            "is_complete",
            Kind::Bool,
            "whether every record of the archive was read",
        ),
        optional(
            "incomplete_reason",
            Kind::Text,
            "the first fault that lost records: where, what was expected, what was found; archive_errors has them all",
        ),
        required(
            "tool_version",
            Kind::Name,
            "version of the program that wrote the row",
        ),
        required(
            "run_id",
            Kind::Name,
            "digest of the run's inputs and options",
        ),
    ],
};

/// The table `archive_errors` as data.
pub const ARCHIVE_ERRORS: Table = Table {
    name: "archive_errors",
    about: "one fault of an archive",
    columns: &[
        required("warc_filename", Kind::Name, "name of the archive"),
        required(
            "byte_offset",
            Kind::Int64,
            "offset in the archive where the damage begins",
        )
        .unit("bytes"),
        required(
            "bytes_skipped",
            Kind::Int64,
            "bytes of the archive from which nothing was read because of it",
        ),
        required("code", Kind::Name, "kind of damage, as a code"),
        required(
            "message",
            Kind::Text,
            "one sentence: what was expected, what was found",
        ),
    ],
};

/// What became of one archive.
#[derive(Clone, Debug, Default)]
pub struct ArchiveCounts {
    /// What the reader counted.
    pub read: ReadCounts,
    /// Records that became captures.
    pub captures: u64,
    /// Records that did not, by the order of [`Skip::ALL`].
    pub skipped: [u64; Skip::ALL.len()],
    /// Faults.
    pub errors: u64,
    /// The first fault that lost records, as a sentence; `None` if every record was read.
    pub first_loss: Option<String>,
}

impl ArchiveCounts {
    /// Returns the number of records whose headers could not be read: all that are neither captures
    /// nor skipped for another reason.
    pub fn unreadable(&self) -> u64 {
        let known = self.captures + self.skipped.iter().sum::<u64>();
        self.read.records.saturating_sub(known)
    }
}

/// Builds rows of `archives`.
#[derive(Debug)]
pub struct ArchivesBuilder {
    schema: SchemaRef,
    run_id: String,
    warc_filename: Texts,
    crawl: Repeated,
    subset: Repeated,
    numbers: Vec<Numbers<Int64Type>>,
    is_complete: BooleanBuilder,
    incomplete_reason: Texts,
    tool_version: Repeated,
    run_ids: Repeated,
}

/// Columns of integers between the names and `is_complete`.
const N_NUMBERS: usize = 9 + Skip::ALL.len();

impl ArchivesBuilder {
    /// Returns a builder without rows.
    pub fn new(run_id: &str) -> Self {
        Self {
            schema: ARCHIVES.schema(),
            run_id: run_id.to_owned(),
            warc_filename: Texts::default(),
            crawl: Repeated::default(),
            subset: Repeated::default(),
            numbers: (0..N_NUMBERS).map(|_| Numbers::default()).collect(),
            is_complete: BooleanBuilder::new(),
            incomplete_reason: Texts::default(),
            tool_version: Repeated::default(),
            run_ids: Repeated::default(),
        }
    }

    /// Appends a row.
    pub fn append(
        &mut self,
        name: &str,
        crawl: Option<&str>,
        subset: Option<&str>,
        counts: &ArchiveCounts,
    ) {
        self.warc_filename.append(name);
        self.crawl.append(crawl);
        self.subset.append(subset);
        let read = counts.read;
        let before = [
            read.bytes,
            read.members,
            read.member_bytes,
            read.bytes_skipped,
            read.bytes_inflated,
            read.records,
            counts.captures,
        ];
        let numbers = before
            .into_iter()
            .chain(counts.skipped)
            .chain([counts.unreadable(), counts.errors]);
        for (column, n) in self.numbers.iter_mut().zip(numbers) {
            column.append(i64::try_from(n).unwrap_or(i64::MAX));
        }
        self.is_complete.append_value(counts.first_loss.is_none());
        self.incomplete_reason
            .append_option(counts.first_loss.as_deref());
        self.tool_version.append(Some(env!("CARGO_PKG_VERSION")));
        self.run_ids.append(Some(&self.run_id));
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.warc_filename.finish()),
            self.crawl.finish(),
            self.subset.finish(),
        ];
        columns.extend(
            self.numbers
                .iter_mut()
                .map(|column| Arc::new(column.finish()) as ArrayRef),
        );
        columns.push(Arc::new(self.is_complete.finish()));
        columns.push(Arc::new(self.incomplete_reason.finish()));
        columns.push(self.tool_version.finish());
        columns.push(self.run_ids.finish());
        super::batch(&self.schema, columns)
    }
}

/// Builds rows of `archive_errors`.
#[derive(Debug)]
pub struct ArchiveErrorsBuilder {
    schema: SchemaRef,
    warc_filename: Repeated,
    byte_offset: Numbers<Int64Type>,
    bytes_skipped: Numbers<Int64Type>,
    code: Repeated,
    message: Texts,
}

impl Default for ArchiveErrorsBuilder {
    fn default() -> Self {
        Self {
            schema: ARCHIVE_ERRORS.schema(),
            warc_filename: Repeated::default(),
            byte_offset: Numbers::default(),
            bytes_skipped: Numbers::default(),
            code: Repeated::default(),
            message: Texts::default(),
        }
    }
}

impl ArchiveErrorsBuilder {
    /// Appends a fault of an archive.
    pub fn append(&mut self, name: &str, fault: &Fault) {
        self.warc_filename.append(Some(name));
        self.byte_offset
            .append(i64::try_from(fault.offset).unwrap_or(i64::MAX));
        self.bytes_skipped
            .append(i64::try_from(fault.bytes_skipped).unwrap_or(i64::MAX));
        self.code.append(Some(fault.kind.code()));
        self.message.append(&fault.message);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let columns: Vec<ArrayRef> = vec![
            self.warc_filename.finish(),
            Arc::new(self.byte_offset.finish()),
            Arc::new(self.bytes_skipped.finish()),
            self.code.finish(),
            Arc::new(self.message.finish()),
        ];
        super::batch(&self.schema, columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_to_skip_has_its_column_in_order() {
        let columns: Vec<_> = ARCHIVES
            .columns
            .iter()
            .filter_map(|column| column.name.strip_prefix("skipped_"))
            .collect();
        let reasons = Skip::ALL.map(Skip::name);
        assert_eq!(columns[..reasons.len()], reasons);
        assert_eq!(columns[reasons.len()..], ["unreadable"]);
    }

    #[test]
    fn a_row_accounts_for_every_record() {
        let mut counts = ArchiveCounts {
            captures: 3,
            ..ArchiveCounts::default()
        };
        counts.read.records = 10;
        counts.skipped[1] = 5;
        let mut builder = ArchivesBuilder::new("run");
        builder.append("a.warc.gz", None, None, &counts);
        let batch = builder.finish();
        let number = |name: &str| {
            let column = batch.column_by_name(name).unwrap();
            column
                .as_any()
                .downcast_ref::<arrow_array::Int64Array>()
                .unwrap()
                .value(0)
        };
        assert_eq!(number("skipped_request"), 5);
        assert_eq!(number("skipped_unreadable"), 2);
        assert_eq!(number("capture_count"), 3);
    }
}
