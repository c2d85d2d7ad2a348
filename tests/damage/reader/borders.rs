//! Damage to a record whose size is near one of the reader's own buffers, anywhere in an archive,
//! costs that record alone.

use super::*;

/// Sizes of blocks near the lookahead, the part of a streamed member, the trial and the first
/// buffer.
const SIZES: [usize; 8] = [
    10, 65_000, 65_700, 262_000, 262_400, 525_000, 1_050_000, 2_100_000,
];

/// Five records, that of host c with a block of `size` bytes that does not deflate, or does.
fn records(size: usize, is_noise: bool) -> Vec<Vec<u8>> {
    let block = |name| match name {
        'c' if is_noise => noise(size, 17),
        'c' => noise(size, 17)
            .iter()
            .map(|byte| b"Disallow: /a\n"[usize::from(byte % 13)])
            .collect(),
        _ => body(name).into_bytes(),
    };
    let record = |name| ended(name, &block(name), |header| header);
    ['a', 'b', 'c', 'd', 'e'].map(record).to_vec()
}

/// Returns a member with each kind of damage, so that its CRC or checksum is wrong.
fn damaged(member: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let n = member.len();
    let without =
        |range: std::ops::Range<usize>| [&member[..range.start], &member[range.end..]].concat();
    let mut all = vec![
        ("wrong CRC", inverted(member.to_vec(), n - 6..n - 5)),
        ("no magic", inverted(member.to_vec(), 0..1)),
        ("bytes lost", without(n / 2..n / 2 + 9)),
        ("first bytes lost", without(0..7)),
        ("last bytes lost", without(n - 3..n)),
        (
            "bytes put in",
            [&member[..n / 2], b"damaged!", &member[n / 2..]].concat(),
        ),
    ];
    if n > 20_000 {
        all.push((
            "a sector of zeros",
            [&member[..4096], &[0; 4096], &member[8192..]].concat(),
        ));
    }
    all
}

fn hosts_but(damaged: &str) -> String {
    "abcde"
        .chars()
        .filter(|&name| !damaged.contains(name))
        .collect()
}

#[test]
fn a_spoilt_member_of_any_size_costs_itself_and_is_counted() {
    for pack in [member, frame] {
        for size in SIZES {
            for is_noise in [true, false] {
                let framed: Vec<_> = records(size, is_noise)
                    .iter()
                    .map(|bytes| pack(bytes))
                    .collect();
                for (damage, bytes) in damaged(&framed[2]) {
                    for order in [[0, 1, 2, 3, 4], [2, 0, 1, 3, 4], [0, 1, 3, 4, 2]] {
                        let of = |i: usize| if i == 2 { &bytes } else { &framed[i] };
                        let archive = order.map(|i| of(i).clone()).concat();
                        let got = read(&archive);
                        let context = format!(
                            "{damage}, {size}, {order:?}: {} {:?}",
                            got.hosts(),
                            got.faults
                        );
                        assert_eq!(got.regular(), hosts_but("c"), "{context}");
                        assert_eq!(got.hosts(), hosts_but("c"), "{context}");
                        assert_eq!(got.counts.bytes_skipped, bytes.len() as u64, "{context}");
                        let start: usize = order
                            .iter()
                            .take_while(|&&i| i != 2)
                            .map(|&i| framed[i].len())
                            .sum();
                        assert_eq!(got.faults[0].offset, start as u64, "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn garbage_of_any_size_between_members_of_any_size_is_counted_and_costs_nothing() {
    for pack in [member, frame] {
        for size in [10, 65_700, 525_000] {
            let framed: Vec<_> = records(size, true)
                .iter()
                .map(|bytes| pack(bytes))
                .collect();
            for garbage in SIZES {
                for at in [0, 2, 3, 5] {
                    let mut parts = framed.clone();
                    parts.insert(at, noise(garbage, 23));
                    let got = read(&parts.concat());
                    let context =
                        format!("{garbage} bytes in front of {at}, {size}: {:?}", got.faults);
                    got.assert_hosts("abcde", "garbage");
                    assert_eq!(got.counts.bytes_skipped, garbage as u64, "{context}");
                }
            }
        }
    }
}

#[test]
fn a_wrong_length_of_a_record_of_any_size_costs_no_other_record() {
    for size in SIZES {
        let regular = records(size, false);
        let right = format!("Content-Length: {size}\r\n");
        for length in [
            0,
            size / 2,
            size + 5,
            size + 150,
            size + 300,
            10 * size + 9_000_000_000,
        ] {
            let mut wrong = regular.clone();
            let edit = |name| format!("Content-Length: {name}\r\n");
            let (text, block) = regular[2].split_at(regular[2].len() - size - 4);
            let header =
                String::from_utf8(text.to_vec())
                    .unwrap()
                    .replacen(&right, &edit(length), 1);
            wrong[2] = [header.as_bytes(), block].concat();
            let all = wrong.concat();
            for bytes in [
                all.clone(),
                member(&all),
                frame(&all),
                members(&wrong),
                frames(&wrong),
                blocks(&all, 65_280),
            ] {
                let known = Some(bytes.len() as u64);
                let got = read_sized(&mut &bytes[..], known, Limits::default());
                let context = format!("{length} and not {size}: {} {:?}", got.hosts(), got.faults);
                assert_eq!(got.hosts(), "abcde", "{context}");
                assert_eq!(got.regular().replace('c', ""), "abde", "{context}");
                assert!(got.records[2].is_cut && !got.faults.is_empty(), "{context}");
            }
        }
    }
}
