//! Archives that are made to cost time or memory, and the limits that prevent it.

use std::time::{Duration, Instant};

use super::*;

/// Faults that are listed one by one.
const MOST_FAULTS: usize = 1_000;

/// Reads an archive that takes well under a second, and minutes to hours in quadratic time.
fn read_in_time(bytes: &[u8]) -> ReadOutcome {
    let start = Instant::now();
    let got = read(bytes);
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(20), "{taken:?}");
    got
}

/// The header of a gzip member with the given flags (RFC 1952, 2.3).
fn header(flags: u8) -> Vec<u8> {
    vec![0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 0xff]
}

#[test]
fn stray_magics_cost_linear_time_and_the_member_behind_them_is_found() {
    let size = 2 * 1024 * 1024;
    let plain = header(0)[..4].to_vec();
    // A header whose file name has no end, so that each magic reads all that follow it as its name.
    let named = header(8)[..4].to_vec();
    // An empty stored block that is not the last: each stream continues through all that follow it.
    let stored = [header(0), b"\0\x0f\0\xf0\xff".to_vec()].concat();
    for unit in [plain, named, stored] {
        let magics = unit.repeat(size / unit.len());
        let got = read_in_time(&around_raw(&magics));
        got.assert_hosts("ac", "member_corrupt");
        assert_eq!(got.counts.bytes_skipped, magics.len() as u64);
    }
}

#[test]
fn stray_frame_magics_cost_linear_time_and_the_frame_behind_them_is_found() {
    let size = 2 * 1024 * 1024;
    let magic = b"\x28\xb5\x2f\xfd".to_vec();
    // A block of zeros of 128 KiB that is not the last (RFC 8878, 3.1.1.2), in a window of 128 KiB:
    // each frame continues through all that follow it.
    let zeros = [&magic[..], b"\0\x38\x02\0\x10\0"].concat();
    // A raw block that holds the next header.
    let raw = [&magic[..], b"\0\x38\x50\0\0"].concat();
    let dictionary = b"\x5d\x2a\x4d\x18\x04\0\0\0\x37\xa4\x30\xec".to_vec();
    for unit in [magic, zeros, raw, dictionary] {
        let magics = unit.repeat(size / unit.len());
        let bytes = [frame(&record('a')), magics, frame(&record('c'))].concat();
        let got = read_in_time(&bytes);
        assert_eq!(got.hosts(), "ac", "{:?}", got.faults);
    }
}

#[test]
fn a_block_full_of_starts_of_records_costs_linear_time() {
    let block = b"\nWARC/1.0".repeat(900_000);
    let edit = |header: String| header.replacen("Content-Length", "X-Length", 1);
    let b = ended('b', &block, edit);
    for bytes in [around(&b), [record('a'), b, record('c')].concat()] {
        let got = read_in_time(&bytes);
        assert_eq!(got.hosts(), "abc");
    }
}

#[test]
fn members_that_decompress_to_much_and_fail_are_not_tried_forever() {
    // Each stream runs through the others' headers, hidden in stored blocks, into the same long run
    // of zeros that has no right end.
    let zeros = member(&vec![0; 50_000_000]);
    let hidden = [header(0), b"\0\x0a\0\xf5\xff".to_vec()].concat();
    let mut bomb = [hidden.repeat(3000), header(0)].concat();
    bomb.extend(&zeros[10..zeros.len() - 8]);
    bomb.extend([7; 8]);
    let got = read_in_time(&[member(&record('a')), bomb.repeat(3)].concat());
    assert_eq!(got.hosts(), "a");
}

#[test]
fn whole_members_between_long_damaged_ones_do_not_cost_quadratic_time() {
    // An empty member, and around it a member that continues through all of its kind to the end:
    // each allows another search.
    let empty = member(b"");
    let length = empty.len() as u16 + 10;
    let mut unit = empty;
    unit.extend(header(0));
    unit.push(0);
    unit.extend(length.to_le_bytes());
    unit.extend((!length).to_le_bytes());
    let got = read_in_time(&[member(&record('a')), unit.repeat(60_000)].concat());
    assert_eq!(got.hosts(), "a");
    assert!(got.counts.members > 1);
}

#[test]
fn faults_beyond_the_limit_are_summed_up() {
    let bytes = [member(b"no record"), vec![0]].concat().repeat(10_000);
    let got = read_in_time(&bytes);
    assert_eq!(got.faults.len(), MOST_FAULTS + 1);
    assert_eq!(got.faults[MOST_FAULTS].kind, FaultKind::FurtherFaults);
    assert_eq!(got.counts.bytes_skipped, bytes.len() as u64);
}

/// A member that holds one byte, in a stored block (RFC 1951, 3.2.4).
fn tiny(byte: u8) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(&[byte]);
    let content = [1, 1, 0, 0xfe, 0xff, byte];
    let trailer = [crc.sum().to_le_bytes(), [1, 0, 0, 0]].concat();
    [&header(0)[..], &content, &trailer].concat()
}

#[test]
fn a_record_in_very_many_members_is_read_in_linear_time() {
    let field = format!("X-Long: {}\r\nWARC-Date", "x".repeat(100_000));
    let edit = |header: String| header.replacen("WARC-Date", &field, 1);
    let long = ended('b', &noise(150_000, 7), edit);
    let records = [long, record('c'), record('d')].concat();
    let got = read_in_time(&records.into_iter().flat_map(tiny).collect::<Vec<_>>());
    got.assert_hosts("bcd", "");
    assert_eq!(got.records[0].block.len(), 150_000);
    assert_eq!(got.counts.bytes_skipped, 0);
}

#[test]
fn a_member_of_records_with_more_bytes_than_they_say_is_read_in_linear_time() {
    let b = b"WARC/1.0\r\nContent-Length: 1\r\n\r\nabc\r\n\r\n".repeat(400_000);
    let got = read_in_time(&[member(&b), member(&record('c'))].concat());
    assert_eq!(got.records.len(), 400_001);
    assert_eq!(got.regular(), "c");
}
