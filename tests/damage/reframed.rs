//! Real archives in other framings: the tables are the same except for offsets. `make test`
//! reframes the begin of an archive of `../shared/corpus`, `make attack` all archives.

use super::{contents_of_members, framed};
use crate::util::{Census, Dir, files_below, gzip, or_skip, run, shared};

/// Bytes of a block of BGZF, as bgzip has them.
const BLOCK: usize = 65_280;
/// Columns that depend on the offsets of records, or on the bytes of the file.
const OF_OFFSETS: &str = "capture_id target_capture_id effective_capture_id fetch_capture_id \
                          warc_record_offset warc_record_length bytes member_bytes archive_sha1";

#[test]
fn a_real_archive_gives_the_same_rows_in_every_framing() {
    compare(1, 1_000);
}

#[test]
#[ignore = "takes minutes: make attack"]
fn all_real_archives_give_the_same_rows_in_every_framing() {
    compare(usize::MAX, usize::MAX);
}

/// Compares the first `n_archives` archives of the corpus, of each the first `n_records` records.
fn compare(n_archives: usize, n_records: usize) {
    let folder = or_skip!(shared("corpus"));
    let dir = Dir::new();
    for path in files_below(&folder).into_iter().take(n_archives) {
        let original = std::fs::read(&path).unwrap();
        let mut records = contents_of_members(&original).unwrap();
        assert!(records.len() > 1_000);
        records.truncate(n_records);
        let name = path.file_stem().unwrap().to_str().unwrap();
        for (how, bytes) in framed(&records, BLOCK) {
            dir.write(&format!("{how}/{name}"), bytes);
        }
        let members: Vec<_> = records.iter().map(|record| gzip(record)).collect();
        dir.write(&format!("members/{name}"), members.concat());
    }
    let agents = dir.write("agents", "*\nGPTBot\n");
    let census = |how: &str| {
        let out = dir.word(&format!("census-{how}"));
        run(&[&dir.word(how), "--out", &out, "--quiet"])
            .words(&["--agents", &agents])
            .words(&["--dialects", "google,original-1994"])
            .succeed();
        Census(out.into())
    };
    let left_out: Vec<_> = OF_OFFSETS.split(' ').collect();
    let wanted = census("members");
    for how in ["plain", "one member", "blocks", "frames", "one frame"] {
        let found = census(how);
        for table in robocensus::dataset::table::TABLES.map(|table| table.name) {
            let [one, other] = [&wanted, &found].map(|census| census.table(table));
            one.assert_same_without(&left_out, &other);
        }
    }
}
