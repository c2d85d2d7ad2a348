//! Damage to a record whose size is near one of the reader's own buffers, anywhere in an archive,
//! costs that record alone.

use super::*;

/// Sizes of blocks near the lookahead, the part of a streamed member, the trial and the first
/// buffer.
const SIZES: [usize; 8] = [
    10, 65_000, 65_700, 262_000, 262_400, 525_000, 1_050_000, 2_100_000,
];

/// Five records, that of host c with a block of `size` bytes that does not deflate, or does.
fn records(size: usize, is_noise: bool) -> [Vec<u8>; 5] {
    let mut block = noise(size, 17);
    if !is_noise {
        let letter = |byte: &mut u8| *byte = b"Disallow: /a\n"[usize::from(*byte % 13)];
        block.iter_mut().for_each(letter);
    }
    let mut records = ['a', 'b', 'c', 'd', 'e'].map(record);
    records[2] = ended('c', &block, |header| header);
    records
}

/// Returns a member with each kind of damage, so that its CRC or checksum is wrong.
fn damaged(member: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let n = member.len();
    let with =
        |start: usize, bytes: &[u8], end: usize| [&member[..start], bytes, &member[end..]].concat();
    let mut all = vec![
        ("wrong CRC", inverted(member.to_vec(), n - 6..n - 5)),
        ("no magic", inverted(member.to_vec(), 0..1)),
        ("bytes lost", with(n / 2, b"", n / 2 + 9)),
        ("first bytes lost", with(0, b"", 7)),
        ("last bytes lost", with(n - 3, b"", n)),
        ("bytes put in", with(n / 2, b"damaged!", n / 2)),
    ];
    if n > 20_000 {
        all.push(("a sector of zeros", with(4096, &[0; 4096], 8192)));
    }
    all
}

#[test]
fn a_spoilt_member_of_any_size_costs_itself_and_is_counted() {
    for pack in [member, frame] {
        for size in SIZES {
            for is_noise in [true, false] {
                let framed = records(size, is_noise).map(|bytes| pack(&bytes));
                for (damage, bytes) in damaged(&framed[2]) {
                    assert_costs_itself(&framed, &bytes, &format!("{damage}, {size}"));
                }
            }
        }
    }
}

/// Asserts what five records give of which `c` is as it is here, in the middle, first and last.
fn assert_costs_itself(framed: &[Vec<u8>; 5], c: &[u8], what: &str) {
    for order in [[0, 1, 2, 3, 4], [2, 0, 1, 3, 4], [0, 1, 3, 4, 2]] {
        let parts = order.map(|i| if i == 2 { c } else { &framed[i] });
        let got = read(&parts.concat());
        let context = format!("{what}, {order:?}: {:?}", got.faults);
        assert_eq!(got.regular(), "abde", "{context}");
        assert_eq!(got.hosts(), "abde", "{context}");
        assert_eq!(got.counts.bytes_skipped, c.len() as u64, "{context}");
        let in_front = order.iter().position(|&i| i == 2).unwrap();
        let start = parts[..in_front].concat().len();
        assert_eq!(got.faults[0].offset, start as u64, "{context}");
    }
}

#[test]
fn garbage_of_any_size_between_members_of_any_size_is_counted_and_costs_nothing() {
    for pack in [member, frame] {
        for size in [10, 65_700, 525_000] {
            let framed = records(size, true).map(|bytes| pack(&bytes));
            for garbage in SIZES {
                for at in [0, 2, 3, 5] {
                    let noise = noise(garbage, 23);
                    let bytes = [&framed[..at].concat(), &noise, &framed[at..].concat()];
                    let got = read(&bytes.map(Vec::as_slice).concat());
                    got.assert_hosts("abcde", "garbage");
                    let context = format!("{garbage} in front of {at}, {size}");
                    assert_eq!(got.counts.bytes_skipped, garbage as u64, "{context}");
                }
            }
        }
    }
}

#[test]
fn a_wrong_length_of_a_record_of_any_size_costs_no_other_record() {
    for size in SIZES {
        let right = format!("Content-Length: {size}\r\n");
        let huge = 10 * size + 9_000_000_000;
        for length in [0, size / 2, size + 5, size + 150, size + 300, huge] {
            let mut records = records(size, false);
            let (header, block) = records[2].split_at(records[2].len() - size - 4);
            let header = str::from_utf8(header).unwrap();
            let header = header.replacen(&right, &format!("Content-Length: {length}\r\n"), 1);
            records[2] = [header.as_bytes(), block].concat();
            for (framing, bytes) in framed(&records, 65_280) {
                let got = read_known(&bytes);
                let context = format!("{framing}: {length} and not {size}: {:?}", got.faults);
                assert_eq!(got.hosts(), "abcde", "{context}");
                assert_eq!(got.regular().replace('c', ""), "abde", "{context}");
                assert!(got.records[2].is_cut && !got.faults.is_empty(), "{context}");
            }
        }
    }
}
