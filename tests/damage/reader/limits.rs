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
        for (bytes, second) in [
            (members(&three), member(&three[1])),
            (frames(&three), frame(&three[1])),
        ] {
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
    for bytes in [
        [member(&all), member(&record('d'))].concat(),
        [frame(&all), frame(&record('d'))].concat(),
    ] {
        // Its Content-Length exceeds the limit too, and its member is still skipped.
        let got = read_from(&mut &bytes[..], limited(10_000));
        assert_eq!(got.hosts(), "ad", "{:?}", got.faults);
        assert!(got.codes().contains("member_too_long"), "{}", got.codes());
        assert!(got.counts.bytes_inflated < 20_000);
    }
}

#[test]
fn a_member_without_records_is_skipped_at_the_limit() {
    for bytes in [member(&vec![0; 50_000_000]), frame(&vec![0; 50_000_000])] {
        let got = read_from(
            &mut &[member(b""), bytes.clone(), bytes].concat()[..],
            limited(100_000),
        );
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
