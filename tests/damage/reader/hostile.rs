//! Archives that are made to cost time or memory, and the limits that prevent it.

use std::time::{Duration, Instant};

use super::*;

/// Faults that are listed one by one.
const MOST_FAULTS: usize = 1_000;

/// Reads an archive that takes well under a second, and minutes to hours in quadratic time.
fn read_in_time(bytes: &[u8]) -> ReadOutcome {
    let start = Instant::now();
    let got = read(bytes);
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
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
    let b = open_record('b', &block, |header| {
        header.replacen("Content-Length", "X-Length", 1)
    });
    for bytes in [
        around(&b),
        [record('a'), b, b"\r\n\r\n".to_vec(), record('c')].concat(),
    ] {
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
    let bomb = [
        hidden.repeat(3000),
        header(0),
        zeros[10..zeros.len() - 8].to_vec(),
        vec![7; 8],
    ]
    .concat();
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
    assert_eq!(
        got.faults.last().map(|fault| fault.kind),
        Some(FaultKind::FurtherFaults)
    );
    assert_eq!(got.counts.bytes_skipped, bytes.len() as u64);
}

/// A member that holds one byte, in a stored block (RFC 1951, 3.2.4).
fn tiny(byte: u8) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(&[byte]);
    let content = [1, 1, 0, 0xfe, 0xff, byte];
    [
        &header(0)[..],
        &content,
        &crc.sum().to_le_bytes(),
        &[1, 0, 0, 0],
    ]
    .concat()
}

#[test]
fn a_record_in_very_many_members_is_read_in_linear_time() {
    let long = ended('b', &noise(150_000, 7), |header| {
        header.replacen(
            "WARC-Date",
            &format!("X-Long: {}\r\nWARC-Date", "x".repeat(100_000)),
            1,
        )
    });
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

/// Three records, of which b has a block of `n` times ten bytes.
fn with_long_block(n: usize) -> [Vec<u8>; 3] {
    let b = ended('b', &b"0123456789".repeat(n), |header| header);
    [record('a'), b, record('c')]
}

#[test]
fn a_block_longer_than_the_limit_is_cut_and_the_next_record_is_found() {
    let limits = Limits {
        block: 1000,
        ..Limits::default()
    };
    for n in [101, 10_000, 1_000_000] {
        let three = with_long_block(n);
        for bytes in [
            three.concat(),
            members(&three),
            member(&three.concat()),
            blocks(&three.concat(), 5000),
        ] {
            let got = read_from(&mut &bytes[..], limits);
            got.assert_hosts("abc", "block_too_long");
            assert_eq!(got.records[1].block.len(), 1000);
            assert!(got.records[1].is_cut && !got.records[2].is_cut);
        }
    }
}

#[test]
fn a_block_that_is_exactly_as_long_as_the_limit_is_whole() {
    let limits = Limits {
        block: 1000,
        ..Limits::default()
    };
    let got = read_from(&mut &members(&with_long_block(100))[..], limits);
    got.assert_hosts("abc", "");
    assert!(!got.records[1].is_cut);
}

#[test]
fn a_long_block_without_a_length_is_cut_and_the_next_record_is_found() {
    let limits = Limits {
        block: 1000,
        ..Limits::default()
    };
    for n in [200, 200_000] {
        let mut three = with_long_block(n);
        let text = String::from_utf8(three[1].clone()).unwrap();
        three[1] = text.replacen("Content-Length", "X-Length", 1).into();
        for bytes in [three.concat(), members(&three), member(&three.concat())] {
            let got = read_from(&mut &bytes[..], limits);
            got.assert_hosts("abc", "content_length_unusable block_too_long");
        }
    }
}

#[test]
fn a_header_longer_than_the_limit_is_passed_over_and_counted() {
    let limits = Limits {
        header: 1000,
        ..Limits::default()
    };
    for n in [1001, 1_000_000] {
        let long = format!("X-Long: {}\r\nWARC-Date:", "x".repeat(n));
        let three = [record('a'), with('b', "WARC-Date:", &long), record('c')];
        for bytes in [
            three.concat(),
            members(&three),
            member(&three.concat()),
            blocks(&three.concat(), 100),
        ] {
            let got = read_from(&mut &bytes[..], limits);
            got.assert_hosts("ac", "header_too_long");
            assert_eq!(got.counts.records, 3);
        }
    }
}

#[test]
fn members_above_and_below_the_size_for_whole_ones_give_the_same_records() {
    let three = with_long_block(3000);
    let want = read(&members(&three));
    for whole_member in [0, 1, 29_000, 31_000] {
        let limits = Limits {
            whole_member,
            ..Limits::default()
        };
        let got = read_from(&mut &members(&three)[..], limits);
        assert!(
            got.records == want.records && got.faults == want.faults,
            "{whole_member}"
        );
    }
}
