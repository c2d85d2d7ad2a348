//! Limits: what exceeds one is a fault of its own kind, and the records around it are read.

use super::*;

fn limited(member: u64) -> Limits {
    Limits {
        member,
        ..Limits::default()
    }
}

/// Record b with a block of `n` equal bytes.
fn long(n: usize) -> Vec<u8> {
    ended('b', &vec![b'x'; n], |header| header)
}

#[test]
fn a_member_beyond_the_limit_is_skipped_and_the_next_is_read() {
    for n in [20_000, 1_000_000, 40_000_000] {
        let three = [record('a'), long(n), record('c')];
        for pack in [member, frame] {
            let [a, second, c] = three.each_ref().map(|bytes| pack(bytes));
            let bytes = [&a[..], &second, &c].concat();
            let got = read_from(&mut &bytes[..], limited(10_000));
            got.assert_hosts("ac", "member_too_long");
            assert_eq!(got.counts.bytes_skipped, second.len() as u64);
            assert_eq!(got.faults[0].offset, got.records[0].length.unwrap());
            let inflated = got.counts.bytes_inflated - 2 * record('a').len() as u64;
            assert!(inflated <= 10_001, "{inflated}");
        }
    }
}

#[test]
fn a_member_as_long_as_the_limit_is_whole() {
    let three = [record('a'), long(300_000), record('c')];
    for bytes in [members(&three), frames(&three)] {
        let got = read_from(&mut &bytes[..], limited(three[1].len() as u64));
        got.assert_hosts("abc", "");
    }
}

#[test]
fn a_member_of_many_records_may_have_any_length() {
    let many = abc().repeat(5000);
    for bytes in [member(&many), frame(&many)] {
        let got = read_from(&mut &bytes[..], limited(1000));
        assert_eq!((got.records.len(), got.codes().as_str()), (15_000, ""));
    }
}

#[test]
fn an_endless_record_among_others_ends_its_member_and_not_the_archive() {
    let all = [record('a'), long(1_000_000), record('c')].concat();
    for pack in [member, frame] {
        let bytes = [pack(&all), pack(&record('d'))].concat();
        // Its Content-Length exceeds the limit too, and its member is still skipped.
        let got = read_from(&mut &bytes[..], limited(10_000));
        assert_eq!(got.hosts(), "ad", "{:?}", got.faults);
        assert!(got.codes().contains("member_too_long"), "{}", got.codes());
        assert!(got.counts.bytes_inflated < 20_000);
    }
}

#[test]
fn a_member_without_records_is_skipped_at_the_limit() {
    for pack in [member, frame] {
        let zeros = pack(&vec![0; 50_000_000]);
        let bytes = [member(b""), zeros.clone(), zeros].concat();
        let got = read_from(&mut &bytes[..], limited(100_000));
        assert_eq!(got.hosts(), "");
        assert!(got.counts.bytes_inflated < 1_000_000, "{:?}", got.counts);
        assert!(!got.faults.is_empty());
    }
}

#[test]
fn unsupported_archives_are_named() {
    let arc = b"filedesc://x.arc 0.0.0.0 20080430204825 text/plain 76\n1 1 InternetArchive\n\nhttp://a.example/robots.txt 1.2.3.4 20080430204826 text/plain 20\nHTTP/1.1 200 OK\r\n\r\n\n";
    let parts: Vec<_> = arc.chunks(90).map(<[u8]>::to_vec).collect();
    for bytes in [
        arc.to_vec(),
        member(arc),
        members(&parts),
        frame(arc),
        arc.repeat(9000),
    ] {
        let got = read(&bytes);
        got.assert_hosts("", "arc_archive");
        assert_eq!(got.counts.bytes_skipped, bytes.len() as u64);
        assert!(got.faults[0].message.contains("warcio recompress"));
        assert!(got.faults[0].kind.loses_records());
    }
}

/// Three records, of which b has a block of `n` times ten bytes, whose length is in this field.
fn with_long_block(n: usize, field: &str) -> [Vec<u8>; 3] {
    let edit = |header: String| header.replacen("Content-Length", field, 1);
    let b = ended('b', &b"0123456789".repeat(n), edit);
    [record('a'), b, record('c')]
}

#[test]
fn a_block_longer_than_the_limit_is_cut_and_the_next_record_is_found() {
    let limits = Limits {
        block: 1000,
        ..Limits::default()
    };
    for (n, field, codes) in [
        (100, "Content-Length", ""),
        (101, "Content-Length", "block_too_long"),
        (10_000, "Content-Length", "block_too_long"),
        (1_000_000, "Content-Length", "block_too_long"),
        (200, "X-Length", "content_length_unusable block_too_long"),
        (
            200_000,
            "X-Length",
            "content_length_unusable block_too_long",
        ),
    ] {
        // A block without a length ends with its member, in blocks before all of it was read.
        let has_length = field == "Content-Length";
        let framed = framed(&with_long_block(n, field), 5000).into_iter();
        for (framing, bytes) in framed.filter(|(name, _)| has_length || *name != "blocks") {
            let got = read_from(&mut &bytes[..], limits);
            got.assert_hosts("abc", codes);
            assert_eq!(got.records[1].block.len(), 1000, "{framing}, {n}");
            let is_cut = [0, 1, 2].map(|at| got.records[at].is_cut);
            assert_eq!(is_cut, [false, n > 100, false], "{framing}, {n}");
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
        for (_, bytes) in framed(&three, 100) {
            let got = read_from(&mut &bytes[..], limits);
            got.assert_hosts("ac", "header_too_long");
            assert_eq!(got.counts.records, 3);
        }
    }
}

#[test]
fn members_above_and_below_the_size_for_whole_ones_give_the_same_records() {
    let bytes = members(&with_long_block(3000, "Content-Length"));
    let want = read(&bytes);
    for whole_member in [0, 1, 29_000, 31_000] {
        let limits = Limits {
            whole_member,
            ..Limits::default()
        };
        let got = read_from(&mut &bytes[..], limits);
        assert!(got.records == want.records, "{whole_member}");
        assert!(got.faults == want.faults, "{whole_member}");
    }
}
