//! Real archives in other framings: the tables are the same except for offsets. `make test`
//! reframes one archive of `../shared/corpus`, `make attack` all.

use super::{contents_of_members, zstd_frame};
use crate::util::{Census, Dir, files_below, gzip, run, shared};

/// Bytes of a block of BGZF, as bgzip has them.
const BLOCK: usize = 65_280;
/// Columns that depend on the offsets of records, or on the bytes of the file.
const OF_OFFSETS: [&str; 9] = [
    "capture_id",
    "target_capture_id",
    "effective_capture_id",
    "fetch_capture_id",
    "warc_record_offset",
    "warc_record_length",
    "bytes",
    "member_bytes",
    "archive_sha1",
];

#[test]
fn a_real_archive_gives_the_same_rows_in_every_framing() {
    compare(1);
}

#[test]
#[ignore = "takes minutes: make attack"]
fn all_real_archives_give_the_same_rows_in_every_framing() {
    compare(usize::MAX);
}

/// Compares the first `most` archives of the corpus.
fn compare(most: usize) {
    let Some(folder) = shared("corpus") else {
        return;
    };
    let dir = Dir::new();
    for path in files_below(&folder).into_iter().take(most) {
        let records = contents_of_members(&std::fs::read(&path).unwrap()).unwrap();
        assert!(records.len() > 1_000);
        let all = records.concat();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let pack = |how: &str, bytes: Vec<u8>| drop(dir.write(&format!("{how}/{name}"), bytes));
        pack("members", std::fs::read(&path).unwrap());
        pack("plain", all.clone());
        pack("one-member", gzip(&all));
        pack("blocks", all.chunks(BLOCK).flat_map(gzip).collect());
        pack(
            "frames",
            records
                .iter()
                .flat_map(|record| zstd_frame(record))
                .collect(),
        );
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
    let wanted = census("members");
    for how in ["plain", "one-member", "blocks", "frames"] {
        let found = census(how);
        for table in robocensus::dataset::table::TABLES.map(|table| table.name) {
            let (one, other) = (rows(&wanted, table), rows(&found, table));
            let differing = one.iter().zip(&other).find(|(one, other)| one != other);
            assert!(
                one.len() == other.len() && differing.is_none(),
                "{table} of {how}: {} and {} rows, {differing:?}",
                one.len(),
                other.len()
            );
        }
    }
}

/// Returns the rows of a table in order, without the columns that depend on offsets.
fn rows(census: &Census, table: &str) -> Vec<String> {
    let table = census.table(table);
    let names = table.names();
    let columns = names
        .iter()
        .filter(|name| !OF_OFFSETS.contains(&name.as_str()));
    let mut rows = vec![String::new(); table.n_rows()];
    for column in columns {
        for (row, cell) in rows.iter_mut().zip(table.shown(column)) {
            row.push_str(&cell);
            row.push('\t');
        }
    }
    rows
}
