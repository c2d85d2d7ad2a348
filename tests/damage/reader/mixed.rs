//! Members of both formats in one archive, invalid headers of gzip members, and truncated members
//! that continue in the next one.

use super::*;

/// A skippable frame (RFC 8878, 3.1.2).
fn skippable(content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_le_bytes();
    [b"\x50\x2a\x4d\x18", &length[..], content].concat()
}

/// The header of a gzip member with these flags and fields (RFC 1952, 2.3).
fn header(flags: u8, fields: &[u8]) -> Vec<u8> {
    [&[0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 0xff], fields].concat()
}

/// Record `name` in a member with these flags and fields.
fn member_with(name: char, flags: u8, fields: &[u8]) -> Vec<u8> {
    let rest = member(&record(name)).split_off(10);
    [header(flags, fields), rest].concat()
}

/// The CRC16 of the header of a member.
fn crc16(header: &[u8]) -> [u8; 2] {
    let mut crc = flate2::Crc::new();
    crc.update(header);
    (crc.sum() as u16).to_le_bytes()
}

#[test]
fn each_member_is_read_by_its_own_magic() {
    let gzip = |name| member(&record(name));
    let zstd = |name| frame(&record(name));
    for (name, bytes) in [
        (
            "a gzip member in front of zstd frames",
            [gzip('a'), zstd('b'), zstd('c')],
        ),
        (
            "a zstd frame in front of gzip members",
            [zstd('a'), gzip('b'), gzip('c')],
        ),
        ("one after the other", [gzip('a'), zstd('b'), gzip('c')]),
    ] {
        let got = read(&bytes.concat());
        got.assert_regular("abc", "");
        // Damage between them is skipped to a member of either coding.
        let got = read(&bytes.join(&noise(3_000, 21)[..]));
        assert_eq!(got.regular(), "abc", "{name}");
        assert_eq!(got.codes(), "garbage garbage", "{name}");
    }
    for front in [member(b""), skippable(b"an index"), frame(b"")] {
        for archive in [
            members(&['a', 'b', 'c'].map(record)),
            frames(&['a', 'b', 'c'].map(record)),
        ] {
            let got = read(&[front.clone(), archive].concat());
            got.assert_regular("abc", "");
        }
    }
}

#[test]
fn a_record_may_begin_in_a_gzip_member_and_end_in_a_zstd_frame() {
    let b = record('b');
    for cut in 1..b.len() {
        let parts = [
            member(&record('a')),
            member(&b[..cut]),
            frame(&b[cut..]),
            frame(&record('c')),
        ];
        let got = read(&parts.concat());
        got.assert_regular("abc", "");
    }
}

/// Noise that begins like a member must not swallow whole members: not as its file name, which ends
/// at the next NUL however far that is, and not with a wrong CRC16.
#[test]
fn an_invalid_header_swallows_nothing() {
    let mut wrong_crc = crc16(&header(2, b""));
    wrong_crc[0] ^= 1;
    let long = vec![b'n'; 4_097];
    for (flags, fields) in [
        (2, wrong_crc.to_vec()),
        (8, [&long[..], b"\0"].concat()),
        (16, [&long[..], b"\0"].concat()),
    ] {
        let b = member_with('b', flags, &fields);
        let got = read(&around_raw(&b));
        got.assert_regular("ac", "member_corrupt");
        assert_eq!(got.counts.bytes_skipped, b.len() as u64);
    }
    // An extra field that is as long as all that follows.
    for length in [10, 300, 500, 65_535_u16] {
        for flags in [4, 4 + 2, 4 + 8, 4 + 16] {
            let noise = header(flags, &length.to_le_bytes());
            let got = read(&around_raw(&noise));
            assert_eq!(got.regular(), "ac", "{flags} {length}: {:?}", got.faults);
        }
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

/// Blocks are cut regardless of records, so the first whole block may begin inside a record.
#[test]
fn an_archive_in_blocks_is_known_by_any_of_them() {
    let records: Vec<u8> = ('a'..='z').flat_map(record).collect();
    for size in [300, 500, 2_000] {
        let mut archive = blocks(&records, size);
        // A reserved flag (RFC 1952, 2.3.1.2).
        archive[3] |= 0x80;
        let got = read(&archive);
        let lost = size / record('a').len() + 1;
        assert!(
            got.regular().len() >= 26 - lost && got.regular().ends_with("xyz"),
            "{size}: {}",
            got.regular()
        );
        assert_eq!(got.counts.bytes_skipped > 0, !got.faults.is_empty());
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
