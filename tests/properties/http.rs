//! Any response has a body within the limit.
//!
//! An input is a choice of limits and codings, then a block verbatim, or a text to be encoded and,
//! after byte 0xFE, the damage to it. What must hold:
//!
//! - The fields of a head are spans of it, and the body begins where it ends.
//! - A body is at most as long as the limit, and memory is bounded by limit and block.
//! - Bodies decoded before change nothing.
//! - Under one coding, a smaller limit gives a prefix of what a larger one gives.
//! - A text that was encoded and not damaged is decoded completely and without a finding.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use robocensus::archive::http::{ContentType, Decoder, Finding, Findings, Head};

use super::{
    Target,
    encode::{gzip, zstd},
    input::Input,
    memory::peak,
};

pub const TARGET: Target = Target {
    name: "http",
    seeds,
    words: include_str!("words/http.dict"),
    check,
};

/// The limits on a body, the last of which no encoded text reaches.
const LIMITS: [usize; 4] = [1_000, 20, 0, 200_000];
/// The name of a coding, and its encoder.
type Coding = (&'static str, fn(&[u8]) -> Vec<u8>);

const CODINGS: [Coding; 5] = [
    ("gzip", |data| gzip(data, Compression::fast())),
    ("deflate", deflate),
    ("br", brotli),
    ("zstd", zstd),
    (CHUNKED, chunked),
];
/// The one that is a transfer coding.
const CHUNKED: &str = "chunked";
/// The longest text that is encoded here: one block of each coding.
const TEXT_LIMIT: usize = 1_000;

/// What a decoder holds whatever it decodes: two buffers of their first size, the state of an
/// inflater, and a brotli window of 16 MiB at most.
const BYTES_AT_LEAST: usize = 20 * 1024 * 1024;

fn seeds() -> Vec<Vec<u8>> {
    let text = b"User-agent: *\nDisallow: /private\nUser-agent: a\nDisallow: /private\n";
    let encoded = (0..5u8).flat_map(|coding| {
        let alone = [&[1, 3, 1, coding], &text[..]].concat();
        let two = [&[1, 0, 2, coding, 4], &text[..], b"\xfe\x20\x01"].concat();
        [alone, two]
    });
    let blocks = [
        &b"\0\0HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\n\r\nabc"[..],
        b"\0\x01\r\nHTTP/1.1 100 Continue\r\n\r\nICY 200OK\nX: a\n b\n\tc\nnone\n: x\n\n<html>",
        b"\0\x03HTTP/1.1 302\r\nLocation: /x\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        b"\0\0HTTP/1.1 200\r\nContent-Encoding: br\r\n\r\n\x1bP\0\xe0-\x0e\xcc\x93\xa5\x1fq\xe5\xac\xb0\xc8\x89_\x13U\xa5\xcd)\x95\x97R\x10K\x902\xb9j\xd1\xc9Uf\xb1\xa7D+\xde*\x1b\xf4\xce\xbei",
        b"\0\0HTTP/1.1 200\r\nContent-Encoding: zstd\r\n\r\n(\xb5/\xfd\x04X\x15\x01\0\xd8User-agent: *\nDisallow: /b\n\x01\0\xcf\xcf9\x06\xe4\xb3\xe5\x9f",
        b"\0\0<html>no head",
    ];
    encoded.chain(blocks.map(<[u8]>::to_vec)).collect()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let is_built = input.byte() % 2 == 1;
    let limit = input.pick(&LIMITS);
    if !is_built {
        return check_block(input.0, limit);
    }
    let n = input.byte() % 6;
    let codings: Vec<_> = (0..n).map(|_| input.pick(&CODINGS)).collect();
    let text = input.until(0xfe);
    let text = &text[..text.len().min(TEXT_LIMIT)];
    // Only the outermost coding can be a transfer coding, and the only one that is.
    let (content, transfer) = match codings.split_last() {
        Some(((CHUNKED, _), content)) => (content, true),
        _ => (&codings[..], false),
    };
    let names: Vec<_> = content.iter().map(|(name, _)| *name).collect();
    if names.contains(&CHUNKED) {
        return;
    }
    let mut body = codings
        .iter()
        .fold(text.to_vec(), |body, (_, encode)| encode(&body));
    let damage = input.0;
    for pair in damage.chunks_exact(2) {
        let at = usize::from(pair[0]) * body.len() / 256;
        if let Some(byte) = body.get_mut(at) {
            *byte ^= pair[1];
        }
    }
    let chunked = ["", "Transfer-Encoding: chunked\r\n"][usize::from(transfer)];
    let names = names.join(", ");
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {names}\r\n{chunked}\r\n");
    let block = [head.as_bytes(), &body].concat();
    check_block(&block, limit);
    let is_untouched = damage.len() < 2 && limit == LIMITS[3];
    if is_untouched {
        let (found, findings, is_truncated) = decoded(&mut Decoder::default(), &block, limit);
        if looks_encoded(text) && findings.contains(Finding::CodingUnnamed) {
            return;
        }
        assert_eq!(found, text);
        assert!(findings.is_empty() && !is_truncated, "{findings:?}");
    }
}

/// Returns true if and only if a text may be taken for one to which a coding was applied that
/// nothing names.
fn looks_encoded(text: &[u8]) -> bool {
    let is_magic = text.starts_with(b"\x1f\x8b\x08") || text.starts_with(b"\x28\xb5\x2f\xfd");
    is_magic || text.first().is_some_and(u8::is_ascii_hexdigit)
}

fn check_block(block: &[u8], limit: usize) {
    let mut head = Head::default();
    head.parse(block);
    assert!(head.body_offset <= block.len());
    let is_within = |part: &[u8]| {
        part.is_empty()
            || block[..head.body_offset]
                .as_ptr_range()
                .contains(&part.as_ptr())
    };
    for (name, value) in head.fields(block) {
        assert!(!name.is_empty() && is_within(name) && is_within(value));
        ContentType::parse(value).append_mime(&mut String::new());
    }
    let mut decoder = Decoder::default();
    let (first, held) = peak(|| decoded(&mut decoder, block, limit));
    let bound = BYTES_AT_LEAST + 8 * limit + 32 * block.len();
    assert!(held <= bound, "{held} bytes for {}", block.len());
    let (body, _, is_truncated) = &first;
    assert!(body.len() <= limit);
    assert_eq!(decoded(&mut decoder, block, limit), first);
    let (less, other, is_less) = decoded(&mut decoder, block, limit / 2);
    let is_unnamed = first.1.union(other).contains(Finding::CodingUnnamed);
    if n_codings(&head, block) <= 1 && !is_unnamed {
        assert!(body.starts_with(&less) && (is_less || !is_truncated));
        assert!(less.len() == limit / 2 || less == *body);
    }
    assert_eq!(decoded(&mut Decoder::default(), block, limit), first);
}

/// Returns the body, what was odd about it, and whether it is cut.
fn decoded(decoder: &mut Decoder, block: &[u8], limit: usize) -> (Vec<u8>, Findings, bool) {
    let mut head = Head::default();
    head.parse(block);
    let decoded = decoder.decode(&head, block, limit);
    (
        decoded.bytes.to_vec(),
        decoded.findings,
        decoded.loss.is_some(),
    )
}

/// Returns how many codings a head names at most.
fn n_codings(head: &Head, block: &[u8]) -> usize {
    let fields = ["Content-Encoding", "Transfer-Encoding"].into_iter();
    let values = fields.flat_map(|name| head.get_all(block, name));
    let counts = values.map(|value| value.split(|&b| b == b',').count());
    counts.sum()
}

fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).expect("a vector takes all bytes");
    encoder.finish().expect("a vector takes all bytes")
}

pub fn chunked(data: &[u8]) -> Vec<u8> {
    let chunks = data
        .chunks(7)
        .map(|chunk| [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
    chunks.chain([b"0\r\n\r\n".to_vec()]).flatten().collect()
}

/// Uncompressed meta-blocks with a window of 64 KiB, and an empty last one (RFC 7932, 9.1 and 9.2).
pub fn brotli(data: &[u8]) -> Vec<u8> {
    let Some(less_one) = data.len().checked_sub(1) else {
        return vec![0b110];
    };
    let header = (less_one as u32) << 4 | 1 << 20;
    [&header.to_le_bytes()[..3], data, &[0b11]].concat()
}
