//! The table `archive_skips`: one row for each reason for which records of an archive are no
//! captures.

use super::{Int64, KnownName, Name, archives::ArchiveCounts, as_i64, table};
use crate::archive::capture::Skip;

table! {
    /// one reason for which records of an archive are no captures
    "archive_skips": pub struct ArchiveSkipsBuilder {
        /// name of the archive
        warc_filename: Name [statistics],
        /// type of the records (warcinfo, request, resource, metadata, revisit, conversion,
        /// continuation, other_type, no_type), or why responses were skipped: no_target_uri,
        /// bad_target_uri (no URL with a host), not_http, outside_cohort (another host than
        /// those of the cohort of the run, to which no redirect of a member led before),
        /// not_robots_path (another path than /robots.txt, and no hop of a redirect to or from one;
        /// in a run that reads pages those are among them that were read as pages: the rows of
        /// pages that have none in captures), unreadable (the header could not be read)
        reason: KnownName<Skip>,
        /// records skipped for it
        records: Int64 [unit("records")],
    }
}

impl ArchiveSkipsBuilder {
    /// Appends the rows of an archive.
    pub fn append(&mut self, archive: &str, counts: &ArchiveCounts) {
        for (reason, n) in counts.skips() {
            self.warc_filename.append(archive);
            self.reason.append(reason);
            self.records.append(as_i64(n));
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{Int64Array, StringArray, cast::AsArray, types::Int64Type};

    use super::*;
    use crate::dataset::table::TableBuilder;

    #[test]
    fn the_rows_of_an_archive_account_for_every_record() {
        let mut counts = ArchiveCounts {
            captures: 3,
            ..ArchiveCounts::default()
        };
        counts.read.records = 10;
        counts.skipped[Skip::Request as usize] = 5;
        let mut builder = ArchiveSkipsBuilder::default();
        builder.append("a.warc.gz", &counts);
        let batch = builder.finish();
        let reasons = batch["reason"].as_dictionary::<arrow_array::types::Int32Type>();
        let reasons = reasons.downcast_dict::<StringArray>().unwrap();
        let reasons: Vec<_> = reasons.into_iter().flatten().collect();
        assert_eq!(reasons, ["request", "unreadable"]);
        let records = batch["records"].as_primitive::<Int64Type>();
        assert_eq!(records, &Int64Array::from(vec![5, 2]));
    }
}
