//! Archives of zstd frames: dictionaries, skippable frames, and damage to any of them. That frames
//! give the same records as gzip members is tested in `lengths`, `cuts` and `../attack`.

use super::{
    super::{skippable, zstd_frame_with},
    *,
};

/// A dictionary learned from records.
fn dictionary() -> Vec<u8> {
    let samples: Vec<_> = ('a'..='z').cycle().take(400).map(record).collect();
    zstd::dict::from_samples(&samples, 2000).unwrap()
}

/// The records a, b and c in frames that need a dictionary.
fn abc_with(dictionary: &[u8]) -> Vec<u8> {
    let frame = |name| zstd_frame_with(dictionary, &record(name));
    ['a', 'b', 'c'].map(frame).concat()
}

#[test]
fn a_record_has_the_offset_and_length_of_its_frame() {
    let bytes = frames(&['a', 'b', 'c'].map(record));
    let got = read(&bytes);
    got.assert_hosts("abc", "");
    for seen in &got.records {
        let start = seen.offset as usize;
        let own = zstd::decode_all(&bytes[start..start + seen.length.unwrap() as usize]);
        assert_eq!(own.unwrap(), record(seen.host()));
    }
    assert_eq!(got.counts.members, 3);
    assert_eq!(got.counts.bytes_inflated, abc().len() as u64);
}

#[test]
fn a_dictionary_in_front_is_used_plain_or_compressed() {
    let dictionary = dictionary();
    for content in [dictionary.clone(), frame(&dictionary)] {
        let bytes = [skippable(13, &content), abc_with(&dictionary)].concat();
        let got = read(&bytes);
        got.assert_regular("abc", "");
        assert_eq!(got.records[0].offset, content.len() as u64 + 8);
        assert_eq!(got.counts.members, 4);
        assert_eq!(got.counts.member_bytes, bytes.len() as u64);
        // Another archive behind it, with a dictionary of its own and without any.
        let other = zstd::dict::from_continuous(&abc().repeat(40), &[abc().len(); 40], 1500);
        let other = other.unwrap();
        let (front, d) = (skippable(13, &other), frame(&record('d')));
        let got = read(&[bytes, front, abc_with(&other), d].concat());
        got.assert_regular("abcabcd", "");
    }
}

#[test]
fn a_dictionary_survives_damage_around_it() {
    let dictionary = dictionary();
    let teaching = skippable(13, &frame(&dictionary));
    let [a, b, c] = ['a', 'b', 'c'].map(|name| zstd_frame_with(&dictionary, &record(name)));
    let (abc, garbage) = (abc_with(&dictionary), noise(5000, 11));
    let archives: [(&[&[u8]], u64); 3] = [
        (&[&garbage, &teaching, &abc], 5000),
        (&[&teaching, &garbage, &abc], 5000),
        (&[&teaching, &a, &garbage, &b, &c, &garbage], 10_000),
    ];
    for (parts, skipped) in archives {
        let got = read(&parts.concat());
        assert_eq!(got.regular(), "abc");
        assert_eq!(got.counts.bytes_skipped, skipped);
        let mut kinds = got.faults.iter().map(|fault| fault.kind);
        assert!(kinds.all(|kind| kind == FaultKind::Garbage));
    }
    let damaged = inverted(b.clone(), b.len() - 12..b.len() - 8);
    let got = read(&[teaching, a, damaged, c].concat());
    got.assert_regular("ac", "member_corrupt");
    assert_eq!(got.counts.bytes_skipped, b.len() as u64);
}

#[test]
fn without_its_dictionary_an_archive_gives_faults_and_no_records() {
    let dictionary = dictionary();
    let damaged = inverted(frame(&dictionary), 30..40);
    for front in [
        vec![],
        skippable(13, &damaged),
        skippable(13, b"\x37\xa4\x30\xecno dictionary"),
    ] {
        let bytes = [front, abc_with(&dictionary)].concat();
        let got = read(&bytes);
        assert_eq!(got.hosts(), "");
        assert_eq!(got.counts.bytes_skipped, bytes.len() as u64);
        assert!(got.codes().contains("member_corrupt"), "{:?}", got.faults);
        let mut messages = got.faults.iter().map(|fault| &fault.message);
        assert!(messages.any(|message| message.contains("ictionary")));
    }
}

#[test]
fn frames_without_data_are_stepped_over_and_counted() {
    let [a, b, c] = ['a', 'b', 'c'].map(record);
    let (start, end) = b.split_at(100);
    let bytes = [
        skippable(0, b""),
        frame(&a),
        skippable(14, &noise(300_000, 9)),
        frame(start),
        skippable(5, b"between the halves of a record"),
        frame(end),
        frame(b""),
        frame(&c),
        skippable(14, &members(&['x', 'y'].map(record))),
    ]
    .concat();
    let got = read(&bytes);
    got.assert_regular("abc", "");
    assert_eq!(got.counts.members, 9);
    assert_eq!(got.counts.member_bytes, bytes.len() as u64);
}

#[test]
fn a_skippable_frame_whose_size_is_wrong_hides_nothing() {
    for size in [100, 100_000, u32::MAX] {
        let mut index = skippable(14, b"an index");
        index[4..8].copy_from_slice(&size.to_le_bytes());
        for rest in [vec![], noise(200_000, 3)] {
            let (a, bc) = (frame(&record('a')), frames(&['b', 'c'].map(record)));
            let got = read(&[a, index.clone(), bc, rest].concat());
            assert_eq!(got.regular(), "abc", "{size}: {:?}", got.faults);
            assert!(!got.faults.is_empty());
        }
    }
}

#[test]
fn a_frame_with_any_byte_damaged_costs_itself_at_most() {
    let [a, b, c] = ['a', 'b', 'c'].map(|name| frame(&record(name)));
    for at in 0..b.len() {
        for bits in [0xff, 0x01, 0x80] {
            let mut damaged = b.clone();
            damaged[at] ^= bits;
            let got = read(&[a.clone(), damaged, c.clone()].concat());
            let regular = got.regular();
            assert!(["ac", "abc"].contains(&regular.as_str()), "{at}: {regular}");
            assert_eq!(got.hosts(), regular, "{at}");
            assert_eq!(got.faults.is_empty(), got.counts.bytes_skipped == 0, "{at}");
            let lost = got.counts.bytes_skipped;
            assert!(lost == b.len() as u64 || regular == "abc", "{at}: {lost}");
        }
    }
}

#[test]
fn a_long_frame_that_breaks_gives_the_records_in_front_and_those_behind() {
    let one = |seed| {
        let numbers = noise(200, seed).into_iter();
        let text: String = numbers.map(|byte| format!("{byte} ")).collect();
        ended('m', text.as_bytes(), |header| header)
    };
    let long = frame(&(0..3000).flat_map(one).collect::<Vec<_>>());
    let middle = long.len() / 2;
    let broken = inverted(long.clone(), middle..middle + 50);
    let got = read(&[broken, frame(&record('c'))].concat());
    let n = got.hosts().matches('m').count();
    assert!((1000..1600).contains(&n), "{n}");
    assert!(got.hosts().ends_with('c'));
    assert_eq!(got.codes(), "member_corrupt");
    assert_eq!(got.counts.bytes_skipped, long.len() as u64);
    let told = format!("{n} records were read");
    assert!(got.faults[0].message.contains(&told), "{}", got.faults[0]);
}

/// A frame of raw blocks (RFC 8878, 3.1.1.2) that asks for a window of 2^`log` bytes.
fn with_window(log: u8, bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3];
    let mut blocks = bytes.chunks(100_000).peekable();
    while let Some(block) = blocks.next() {
        let is_last = u32::from(blocks.peek().is_none());
        frame.extend(&((block.len() as u32) << 3 | is_last).to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}

#[test]
fn a_window_beyond_the_limit_is_a_fault_and_costs_no_memory() {
    let long = open_record('b', &noise(400_000, 4), |header| header);
    for (log, hosts, codes) in [
        (20, "abc", ""),
        (27, "abc", ""),
        (28, "ac", "member_corrupt"),
        (41, "ac", "member_corrupt"),
    ] {
        let [a, c] = ['a', 'c'].map(|name| frame(&record(name)));
        let got = read(&[a, with_window(log, &long), c].concat());
        got.assert_hosts(hosts, codes);
        let mut faults = got.faults.iter();
        assert!(faults.all(|fault| fault.message.contains("memory")));
    }
    // A frame that is at hand as a whole needs no window.
    let got = read(&with_window(31, &record('a')));
    got.assert_regular("a", "");
}
