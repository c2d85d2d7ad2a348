//! The reader of archives against another one: the crate `warc` over flate2, record by record.
//!
//! That crate is a reference for whole archives only: one bad line derails it (no damaged archive
//! is read here).

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::BufReader,
    path::Path,
};

use flate2::read::MultiGzDecoder;
use robocensus::archive::warc::{Limits, Reader, RecordType};
use warc::{WarcHeader, WarcReader};

use crate::util::{
    Census, Dir, Held, committed, files_below, generated, or_skip, run_alone, shared,
};

#[test]
fn the_records_of_a_generated_and_of_a_real_archive_are_those_of_the_reference() {
    assert_same_records(&generated().archive);
    let folder = or_skip!(shared("corpus"));
    assert_same_records(&files_below(&folder)[0]);
}

fn assert_same_records(archive: &Path) {
    let bytes = MultiGzDecoder::new(File::open(archive).unwrap());
    let reference = WarcReader::new(BufReader::with_capacity(1 << 16, bytes));
    let mut source = File::open(archive).unwrap();
    let mut reader = Reader::new(Limits::default());
    let mut n_records = 0;
    for record in reference.iter_raw_records() {
        let (header, block) = record.unwrap();
        let ours = reader.read_record(&mut source);
        let ours = ours.expect("the reference has a record more");
        let uri = header.as_ref().get(&WarcHeader::TargetURI);
        let uri = uri.map(Vec::as_slice);
        assert_eq!(ours.target_uri(), uri, "record {n_records}");
        let lengths = (ours.block.len(), block.len());
        assert!(ours.block == block, "record {n_records}: {lengths:?} bytes");
        assert!(!ours.is_cut);
        n_records += 1;
    }
    assert!(reader.read_record(&mut source).is_none());
    reader.take_faults(|fault| panic!("{fault}"));
    assert_eq!(reader.counts().records, n_records);
    assert!(n_records > 1_000);
}

#[test]
fn digests_and_times_are_those_that_generated_and_real_archives_state() {
    for made in [generated(), committed()] {
        assert_stated(&made.archive, &made.census);
    }
    let folder = or_skip!(shared("corpus"));
    let archive = files_below(&folder).pop().unwrap();
    let dir = Dir::new();
    let held = Held::new("real.warc.gz", fs::read(&archive).unwrap());
    run_alone(held, &dir.path("census"));
    assert_stated(&archive, &Census(dir.path("census")));
}

/// Compares each capture with the payload digest and the time of its record; every response must be
/// a capture.
fn assert_stated(archive: &Path, census: &Census) {
    let captures = census.table("captures");
    let ids = captures.all_ints("capture_id");
    // The archive has the digest of bytes in another coding than that of the head.
    let errors = census.table("response_errors").lines("code capture_id");
    let errors = BTreeSet::from_iter(errors);
    let recoded = |id: i64| errors.contains(&format!("http_coding_unnamed {id}"));
    let n_recoded = ids.iter().filter(|id| recoded(**id)).count();
    assert!(n_recoded < ids.len() / 100, "{n_recoded}");
    let digests = captures.all_texts("content_digest");
    let times = captures.all_ints("fetch_time");
    let mut source = File::open(archive).unwrap();
    let mut reader = Reader::new(Limits::default());
    let mut row = 0;
    while let Some(record) = reader.read_record(&mut source) {
        if record.record_type() != Some(RecordType::Response) {
            continue;
        }
        let stated = str::from_utf8(record.payload_digest().unwrap()).unwrap();
        if !recoded(ids[row]) {
            assert_eq!(stated.strip_prefix("sha1:"), Some(digests[row].as_str()));
        }
        let date = str::from_utf8(record.date().unwrap()).unwrap();
        let time = jiff::Timestamp::from_microsecond(times[row]).unwrap();
        assert_eq!(date, time.to_string());
        row += 1;
    }
    assert_eq!(row, captures.n_rows());
}
