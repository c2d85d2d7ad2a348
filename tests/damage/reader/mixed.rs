//! Members of both formats in one archive, garbage in front of a record, and truncated members that
//! continue in the next one.

use super::{super::skippable, *};

#[test]
fn each_member_is_read_by_its_own_magic() {
    let gzip = |name| member(&record(name));
    let zstd = |name| frame(&record(name));
    for parts in [
        [gzip('a'), zstd('b'), zstd('c')],
        [zstd('a'), gzip('b'), gzip('c')],
        [gzip('a'), zstd('b'), gzip('c')],
    ] {
        read(&parts.concat()).assert_regular("abc", "");
        // Damage between them is skipped to a member of either coding.
        let got = read(&parts.join(&noise(3_000, 21)[..]));
        got.assert_regular("abc", "garbage garbage");
    }
    let three = ['a', 'b', 'c'].map(record);
    for archive in [members(&three), frames(&three)] {
        for front in [member(b""), skippable(0, b"an index"), frame(b"")] {
            read(&[front, archive.clone()].concat()).assert_regular("abc", "");
        }
    }
}

#[test]
fn a_record_may_begin_in_a_gzip_member_and_end_in_a_zstd_frame() {
    let b = record('b');
    for cut in 1..b.len() {
        let (a, c) = (member(&record('a')), frame(&record('c')));
        let got = read(&[a, member(&b[..cut]), frame(&b[cut..]), c].concat());
        got.assert_regular("abc", "");
    }
}

/// Garbage before a record may end inside a line, and may look like a member.
#[test]
fn a_record_behind_garbage_without_a_line_end_is_read() {
    let (a, b, c) = (record('a'), record('b'), record('c'));
    for garbage in [
        &b"x"[..],
        b"WARC/",
        b"some words",
        b"\x1f\x8b\x08\x08noise",
        &noise(100_000, 23),
    ] {
        for bytes in [
            [&a[..], garbage, &b, &c].concat(),
            [garbage, &a, &b, &c].concat(),
        ] {
            for archive in [member(&bytes), frame(&bytes), blocks(&bytes, 100), bytes] {
                let got = read(&archive);
                assert_eq!(got.hosts(), "abc", "{:?}", got.faults);
                // Garbage after the first record of a member may be the rest of its block.
                assert!(got.regular().ends_with("bc"), "{:?}", got.faults);
                assert_eq!(got.faults.len(), 1, "{:?}", got.faults);
            }
        }
    }
}

/// A truncated member continues in the next one, and since Huffman codes synchronize, it may end
/// where that one ends, like one member with a wrong CRC.
#[test]
fn a_cut_member_costs_no_other_wherever_it_is_cut() {
    let names = ['a', 'b', 'c', 'd', 'e', 'f'];
    let zipped = names.map(|name| member(&record(name)));
    let framed = names.map(|name| frame(&record(name)));
    for archive in [zipped, framed] {
        for (at, name) in names.into_iter().enumerate() {
            for cut in 1..archive[at].len() {
                let mut members = archive.clone();
                members[at].truncate(cut);
                let got = read(&members.concat());
                let others: String = names.into_iter().filter(|&other| other != name).collect();
                assert_eq!(got.hosts(), others, "{name} cut at {cut}: {:?}", got.faults);
                assert!(!got.faults.is_empty(), "{name} cut at {cut}");
            }
        }
    }
}
