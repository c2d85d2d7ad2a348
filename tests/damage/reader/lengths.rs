//! A wrong Content-Length in every framing and position costs its own record at most.

use super::*;

/// Records a to e, with that of `name` declaring `length` bytes of block and holding what it does.
fn five(name: char, length: &str) -> Vec<Vec<u8>> {
    let record = |n| {
        if n == name {
            declaring(n, length)
        } else {
            record(n)
        }
    };
    ['a', 'b', 'c', 'd', 'e'].map(record).to_vec()
}

#[test]
fn a_wrong_length_costs_no_other_record() {
    let right = body('b').len();
    let excess = [5, 6, 9, 20, 100, 200, 300, 500, 10_000, 20_000_000];
    let large = [5_000_000_000, usize::MAX / 2];
    let too_large = excess.iter().chain(&large);
    let too_large: Vec<_> = too_large.map(|n| (right + n).to_string()).collect();
    let too_large = too_large.iter().map(String::as_str);
    let too_small = ["0", "1", "17", "30", "43"];
    let none = ["-5", "", "abc", "0x20", "1e3", "12 34", "+7"];
    let lengths = (too_large.map(|length| (length, "content_length_too_large")))
        .chain(too_small.map(|length| (length, "content_length_too_small")))
        .chain(none.map(|length| (length, "content_length_unusable")));
    for (length, code) in lengths {
        for name in ['a', 'b', 'd', 'e'] {
            for (framing, bytes) in framed(&five(name, length), 100) {
                let got = read_known(&bytes);
                let context = format!("{name} {length:?}, {framing}: {got:?}");
                let others: String = "abcde".chars().filter(|&n| n != name).collect();
                assert_eq!(got.hosts(), "abcde", "{context}");
                assert_eq!(got.regular().replace(name, ""), others, "{context}");
                assert!(got.codes().contains(code), "{context}");
                let own = got.records.iter().find(|seen| seen.host() == name).unwrap();
                match code {
                    "content_length_unusable" => {
                        assert_eq!((got.regular().len(), &*got.codes()), (5, code), "{context}");
                    }
                    "content_length_too_small" => {
                        assert_eq!(got.regular(), others, "{context}");
                        let is_one = !got.codes().contains(' ');
                        assert!(is_one || framing == "blocks", "{context}");
                    }
                    _ => {
                        assert!(own.is_cut, "{context}");
                        assert_eq!(own.block, body(name).as_bytes(), "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_line_of_a_block_that_begins_like_a_record_does_not_end_it() {
    let text = b"HTTP/1.1 200 OK\r\n\r\n# see\nWARC/1.0 is a format\nWARC/\n\nUser-agent: *\n";
    let b = |length: &str| {
        let edit = |header: String| {
            let right = format!("Content-Length: {}", text.len());
            header.replacen(&right, &format!("Content-Length: {length}"), 1)
        };
        ended('b', text, edit)
    };
    for (length, is_cut) in [("x", false), ("999999999999", true), ("500", true)] {
        for (framing, bytes) in framed(&[record('a'), b(length), record('c')], 100) {
            let got = read_known(&bytes);
            assert_eq!(got.hosts(), "abc", "{framing} {length}");
            assert_eq!(got.records[1].block, text, "{framing} {length}");
            assert_eq!(got.records[1].is_cut, is_cut);
        }
    }
}

#[test]
fn garbage_between_closed_records_of_a_plain_file_is_skipped_and_counted() {
    for junk in [
        &b"what is this?"[..],
        &[0; 300_000],
        b"\x1f\x8b\x08\0\0",
        b"\nWARC\n",
    ] {
        for junk in [junk.to_vec(), [junk, b"\r\n"].concat()] {
            let behind = [abc(), junk.clone()];
            let (a, bc) = (record('a'), ['b', 'c'].map(record).concat());
            let between = [a, [&junk[..], b"\n", &bc].concat()];
            for bytes in [behind, between] {
                let got = read_known(&bytes.concat());
                got.assert_regular("abc", "not_a_record");
                // Line ends around it may count as skipped or not.
                let extra = got.counts.bytes_skipped.abs_diff(junk.len() as u64);
                assert!(extra <= 2, "{extra}");
            }
        }
    }
}
