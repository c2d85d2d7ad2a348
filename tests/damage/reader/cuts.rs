//! Truncation, damage and sources of few bytes: whatever is done to a small archive, the sums are
//! right and whole records are read.

use super::*;
use crate::{properties::archive::Chunks, util::open_failing};

/// Three records in every framing.
fn framings() -> Vec<(&'static str, Vec<u8>)> {
    let frames_astride = abc().chunks(100).flat_map(frame).collect();
    let astride = blocks(&abc(), record('a').len() + 20);
    let others = [
        ("frames astride", frames_astride),
        ("records astride", astride),
    ];
    let framed = framed(&['a', 'b', 'c'].map(record), 100);
    framed.into_iter().chain(others).collect()
}

#[test]
fn whole_records_in_front_of_a_cut_survive_wherever_it_is() {
    for (name, bytes) in framings() {
        let all = read(&bytes);
        for cut in 0..bytes.len() {
            let got = read(&bytes[..cut]);
            let n = got.regular().len();
            assert!("abc".starts_with(&got.regular()), "{name} cut at {cut}");
            assert!(got.hosts().len() <= n + 1, "{name} cut at {cut}: {got:?}");
            // A record that ends in a member whose end is in front of the cut is there; without
            // members, one whose block is.
            let ends = |seen: &&ReadRecord| {
                let slack = if name == "plain" { 4 } else { 0 };
                seen.offset + seen.length.unwrap() <= (cut + slack) as u64
            };
            let whole = all.records.iter().filter(ends).count();
            assert!(n >= whole, "{name} cut at {cut}: {n} of {whole}");
            let is_between = all.records.iter().any(|seen| seen.offset == cut as u64);
            assert!(
                is_between || !got.faults.is_empty() || !["members", "frames"].contains(&name),
                "{name} cut at {cut}"
            );
        }
    }
}

/// A record that was cut, the rest of its archive whole: a crawler that was killed, and another
/// that appended to its file.
#[test]
fn a_record_cut_anywhere_costs_itself_alone_when_others_follow() {
    let (a, b, cd) = (record('a'), record('b'), ['c', 'd'].map(record).concat());
    for cut in 1..b.len() {
        let bytes = [&a, &b[..cut], &cd[..]].concat();
        for (name, bytes) in [
            ("one member", member(&bytes)),
            ("one frame", frame(&bytes)),
            ("blocks", blocks(&bytes, 100)),
            ("plain", bytes),
        ] {
            let got = read(&bytes);
            let context = format!("{name} cut at {cut}: {got:?}");
            // Cut behind its block it has lost nothing but line ends.
            let survivors = if cut < b.len() - 4 { "acd" } else { "abcd" };
            assert_eq!(got.regular(), survivors, "{context}");
            let is_cut = |seen: &&ReadRecord| seen.is_cut && seen.host() == 'b';
            let n_cut = got.records.iter().filter(is_cut).count();
            assert_eq!(n_cut + survivors.len(), got.hosts().len(), "{context}");
            assert_eq!(got.faults.is_empty(), survivors == "abcd", "{context}");
        }
    }
}

/// Blocks are cut regardless of records (BGZF), so one may begin with white space and what looks
/// like a record: a body that a site chose.
#[test]
fn a_body_that_holds_a_record_stays_a_body_wherever_blocks_are_cut() {
    let block = [
        b"HTTP/1.1 200 OK\r\n\r\n",
        &b"\n".repeat(150)[..],
        &record('x'),
        b"Disallow: /\n",
    ]
    .concat();
    let b = ended('b', &block, |header| header);
    let bytes = [record('a'), b, record('c')].concat();
    for size in 10..bytes.len() {
        for archive in [
            blocks(&bytes, size),
            bytes.chunks(size).flat_map(frame).collect(),
        ] {
            let got = read(&archive);
            got.assert_hosts("abc", "");
            assert_eq!(got.records[1].block, block, "blocks of {size}");
        }
    }
}

#[test]
fn records_of_a_cut_member_are_returned_if_another_follows_and_the_fault_counts_them() {
    let bytes = member(&(0..40).flat_map(|_| abc()).collect::<Vec<_>>());
    let got = read(&bytes[..bytes.len() * 3 / 4]);
    assert!(got.records.len() > 40, "{}", got.records.len());
    assert_eq!(got.regular(), got.hosts());
    assert!(got.records.iter().all(|seen| seen.length.is_none()));
    assert_eq!(got.codes(), "member_truncated");
    let told = format!("; {} records were read", got.records.len());
    assert!(got.faults[0].message.contains(&told), "{}", got.faults[0]);
    assert_eq!(got.counts.member_bytes, 0);
}

#[test]
fn after_a_damaged_block_the_reader_resumes_at_the_next_one_though_no_record_begins_it() {
    let names: Vec<char> = ('a'..='z').collect();
    let records: Vec<u8> = names.iter().flat_map(|&name| record(name)).collect();
    let first = member(&records[..500]).len();
    for at in first..first + member(&records[500..1000]).len() {
        let got = read(&inverted(blocks(&records, 500), at..at + 1));
        // Of the two blocks' length in records (each has about 210 bytes) at most five can be lost.
        let regular = got.regular();
        assert!(regular.len() >= 21, "{at}: {regular} {:?}", got.faults);
        assert!(regular.starts_with("ab"), "{at}: {regular}");
        assert!(regular.ends_with("ghijklmnopqrstuvwxyz"), "{at}: {regular}");
        let is_told = got.faults.iter().any(|fault| fault.kind.loses_records());
        assert!(is_told || regular.len() == 26, "{at}");
    }
}

#[test]
fn members_that_a_long_damaged_one_swallowed_are_read() {
    // A stored block (RFC 1951, 3.2.4) of 65,535 bytes whose length was damaged takes what follows
    // into itself.
    let mut long = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    let content = open_record('b', &noise(300_000, 3), |header| header);
    for piece in content.chunks(60_000) {
        let length = piece.len() as u16;
        long.push(0);
        long.extend(length.to_le_bytes());
        long.extend((!length).to_le_bytes());
        long.extend(piece);
    }
    let end = long.len();
    long.extend(b"\0\xff\xff\0\0");
    let others = members(&['d', 'e', 'f'].map(record)).repeat(3);
    long.extend(&others);
    long.extend(vec![0xff; 66_000 - others.len()]);
    let bytes = around_raw(&long);
    let got = read(&bytes);
    assert_eq!(got.hosts(), "adefdefdefc");
    let tail = long.len() - end - 5 - others.len();
    assert_eq!(got.faults[0].bytes_skipped, (end + 5) as u64);
    assert_eq!(got.counts.bytes_skipped, (end + 5 + tail) as u64);
}

#[test]
fn a_broken_member_as_long_as_a_whole_crawl_file_does_not_hide_what_follows() {
    let sparse = (0..12_000).flat_map(|i| [noise(200, i), vec![0; 8000]].concat());
    let sparse: Vec<u8> = sparse.collect();
    let first = member(&open_record('b', &sparse, |header| header));
    let end = first.len() - 300..first.len() - 250;
    let broken = inverted(first.clone(), end);
    let got = read(&around_raw(&[broken, member(b"\n")].concat()));
    assert_eq!(got.hosts(), "ac");
    let lost = got.faults.iter().find(|fault| fault.kind.loses_records());
    assert_eq!(lost.map(|fault| fault.kind), Some(FaultKind::MemberCorrupt));
    assert_eq!(got.counts.bytes_skipped, first.len() as u64);
}

#[test]
fn a_member_that_the_end_of_the_file_cuts_at_any_size_is_truncated() {
    let long = member(&open_record('a', &noise(700_000, 8), |header| header));
    for cut in [10, 64, 256, 512].map(|kib| kib * 1024) {
        for cut in [cut - 1, cut, cut + 1] {
            let got = read(&long[..cut]);
            got.assert_hosts("", "member_truncated");
        }
    }
}

/// Members that are longer than those of `properties/archive.rs`: of one record, of many, whole and
/// broken in the middle.
#[test]
fn the_lengths_of_reads_change_nothing_in_long_members() {
    let large = |name| open_record(name, &noise(400_000, 6), |header| header);
    let many = [record('a'), large('b'), record('c')].concat().repeat(3);
    let each = [large('a'), large('b'), record('c')];
    let archives = [
        members(&each),
        member(&many),
        inverted(member(&many), 1_000_000..1_000_001),
        blocks(&many, 65_280),
        inverted(blocks(&many, 65_280), 400_000..400_100),
        frames(&each),
        frame(&many),
        inverted(frame(&many), 300_000..300_001),
        many.chunks(65_280).flat_map(frame).collect(),
        many,
    ];
    for (number, bytes) in archives.iter().enumerate() {
        let want = read(bytes);
        for most in [1, 7, 4093, 300_000] {
            let mut source = Chunks {
                rest: bytes,
                most,
                calls: 0,
            };
            let got = read_from(&mut source, Limits::default());
            assert!(got == want, "{most} bytes at a time of archive {number}");
        }
    }
}

#[test]
fn an_error_of_the_source_ends_the_archive_behind_what_was_read() {
    let failing = |bytes| read_from(&mut open_failing(bytes).unwrap(), Limits::default());
    for (name, bytes) in framings() {
        let end = bytes.len() as u64;
        let got = failing(bytes);
        got.assert_hosts("abc", "read_failed");
        assert_eq!(got.faults[0].offset, end, "{name}");
        assert!(got.faults[0].message.contains("the disk is gone"));
    }
    let bytes = around(&record('b'));
    let got = failing(bytes[..bytes.len() - 9].to_vec());
    got.assert_hosts("ab", "member_truncated read_failed");
    assert_eq!(failing(vec![]).codes(), "read_failed");
}
