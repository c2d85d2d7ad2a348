//! Decoding of one coding: gzip, deflate, brotli or zstd.
//!
//! Decoding stops when the [`StageBuffer`] is full, so that a bomb costs its limit and no more.
//! Windows are bounded too: 32 KiB for deflate, 16 MiB for brotli (RFC 7932, 9.1; the large-window
//! extension is rejected) and 8 MiB for zstd (RFC 9659, 3).

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Crc, Decompress};

use super::chunked;
use super::stage::{StageBuffer, StageEnd};
use crate::{
    archive::warc::{
        Frames, GzipHeader, InflateStep, StepEnd, inflate_step, is_zstd_frame, read_lenient_header,
    },
    sniff::is_binary_byte,
};

/// The largest window of a zstd frame, as a power of two: 8 MiB, which RFC 9659 sets for HTTP.
const ZSTD_WINDOW_LOG: u32 = 23;

/// Bytes of the header of a block of a zstd frame (RFC 8878, 3.1.1.2).
const ZSTD_BLOCK_HEADER: usize = 3;

/// The shortest body that is recognized as text rather than a coding without a magic number:
/// sixteen bytes of brotli or deflate are practically never all text. Shorter bodies are tried.
const MIN_TEXT: usize = 16;

/// A transfer or content coding that can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// The chunked transfer coding (RFC 9112, 7.1).
    Chunked,
    /// RFC 1952, one member or several.
    Gzip,
    /// RFC 1950 by the standard, RFC 1951 in practice.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

/// The decompressors of one worker, reused for all bodies.
pub(super) struct Decompressors {
    inflate: Decompress,
    /// Created for the first zstd body; most archives have none.
    zstd: Option<Frames>,
}

impl Default for Decompressors {
    fn default() -> Decompressors {
        Decompressors {
            inflate: Decompress::new(false),
            zstd: None,
        }
    }
}

impl Decompressors {
    /// Decodes `coding` from `input` to `output`, whose content does not count if the coding is
    /// absent.
    pub(super) fn decode(
        &mut self,
        coding: Coding,
        input: &[u8],
        output: &mut StageBuffer,
    ) -> StageEnd {
        let end = match coding {
            Coding::Chunked => chunked::decode(input, output),
            Coding::Gzip => self.gunzip(input, output),
            Coding::Deflate => self.deflated(input, output),
            Coding::Brotli => brotli(input, output),
            Coding::Zstd => self.zstd(input, output),
        };
        // The last byte of a body may be the one beyond the limit.
        if output.is_over_limit() {
            StageEnd::OverLimit
        } else {
            end
        }
    }

    /// Decompresses all members of a gzip body.
    fn gunzip(&mut self, input: &[u8], output: &mut StageBuffer) -> StageEnd {
        let mut rest = input;
        loop {
            let data = match read_lenient_header(rest) {
                GzipHeader::Whole(len) => &rest[len..],
                GzipHeader::Cut => return StageEnd::Cut,
                GzipHeader::Wrong(_) if rest.len() == input.len() => return StageEnd::Absent,
                GzipHeader::Wrong(_) => return StageEnd::CompleteWithTail,
            };
            let start = output.len();
            let (end, used) = self.inflate(data, false, output);
            if end != StageEnd::Complete {
                return end;
            }
            let Some((trailer, after)) = data[used..].split_first_chunk::<8>() else {
                return StageEnd::Cut;
            };
            let mut crc = Crc::new();
            crc.update(output.written_since(start));
            // The checksum and the length of the content (RFC 1952, 2.3.1), which the library too
            // counts modulo 2^32.
            let expected = [crc.sum().to_le_bytes(), crc.amount().to_le_bytes()];
            if trailer != expected.as_flattened() {
                return StageEnd::Corrupt;
            }
            if after.is_empty() {
                return StageEnd::Complete;
            }
            rest = after;
        }
    }

    /// Decompresses a body named `deflate`, with or without a zlib header.
    fn deflated(&mut self, input: &[u8], output: &mut StageBuffer) -> StageEnd {
        let mut result = (StageEnd::Absent, 0);
        if is_zlib_header(input) {
            result = self.inflate(input, true, output);
        }
        if result.0 == StageEnd::Absent && !is_surely_text(input) {
            result = self.inflate(input, false, output);
        }
        with_tail(result, input)
    }

    /// Decompresses one deflate stream and returns how it ended and the bytes of input it had.
    fn inflate(
        &mut self,
        input: &[u8],
        has_zlib_header: bool,
        output: &mut StageBuffer,
    ) -> (StageEnd, usize) {
        self.inflate.reset(has_zlib_header);
        decompress(input, output, |input, spare| {
            inflate_step(&mut self.inflate, input, spare)
        })
    }

    /// Decompresses all frames of a zstd body.
    ///
    /// The library discards the output of the call in which it detects damage. So each call gets
    /// one block of input, and the blocks before the damage remain.
    fn zstd(&mut self, input: &[u8], output: &mut StageBuffer) -> StageEnd {
        let new = || Frames::new(ZSTD_WINDOW_LOG);
        let frames = self.zstd.get_or_insert_with(new);
        let mut rest = input;
        while is_zstd_frame(rest) {
            frames.begin();
            let (end, used) = decompress(rest, output, |input, spare| {
                // The library asks for a block together with the header of the next one.
                let most = match frames.wanted {
                    few @ ..=ZSTD_BLOCK_HEADER => few,
                    more => more - ZSTD_BLOCK_HEADER,
                };
                frames.step(&input[..input.len().min(most)], spare)
            });
            if end != StageEnd::Complete {
                return end;
            }
            rest = &rest[used..];
        }
        match rest.len() {
            n if n == input.len() => StageEnd::Absent,
            0 => StageEnd::Complete,
            _ => StageEnd::CompleteWithTail,
        }
    }
}

/// Decompresses one stream by steps of its decompressor, and returns how it ended and the bytes of
/// input it had.
fn decompress(
    input: &[u8],
    output: &mut StageBuffer,
    mut step: impl FnMut(&[u8], &mut [u8]) -> InflateStep,
) -> (StageEnd, usize) {
    let mut used = 0;
    loop {
        let spare = output.spare();
        if spare.is_empty() {
            return (StageEnd::OverLimit, used);
        }
        let InflateStep { read, written, end } = step(&input[used..], spare);
        used += read;
        output.advance(written);
        let end = match end {
            StepEnd::Whole => StageEnd::Complete,
            StepEnd::Inside if read + written > 0 => continue,
            StepEnd::Inside => StageEnd::Cut,
            StepEnd::Broken | StepEnd::Mismatch(_) if output.is_empty() => StageEnd::Absent,
            StepEnd::Broken | StepEnd::Mismatch(_) => StageEnd::Corrupt,
        };
        return (end, used);
    }
}

/// Returns how a body ended that is one stream, of which so many bytes were used.
fn with_tail((end, used): (StageEnd, usize), input: &[u8]) -> StageEnd {
    match end {
        StageEnd::Complete if used < input.len() => StageEnd::CompleteWithTail,
        _ => end,
    }
}

/// Returns true if and only if `bytes` begins with a header of RFC 1950: method deflate, and a
/// check value that makes both bytes a multiple of 31.
fn is_zlib_header(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|&[method, flags]| {
        method & 0x0f == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
    })
}

/// Decompresses a brotli body. The decoder cannot be reset, so each body allocates its tables.
fn brotli(input: &[u8], output: &mut StageBuffer) -> StageEnd {
    if is_surely_text(input) {
        return StageEnd::Absent;
    }
    let mut state = BrotliState::new_strict(
        StandardAlloc::default(),
        StandardAlloc::default(),
        StandardAlloc::default(),
    );
    let result = decompress(input, output, |input, spare| {
        let (mut available_in, mut read) = (input.len(), 0);
        let (mut available_out, mut written) = (spare.len(), 0);
        let result = BrotliDecompressStream(
            &mut available_in,
            &mut read,
            input,
            &mut available_out,
            &mut written,
            spare,
            &mut 0,
            &mut state,
        );
        let end = match result {
            BrotliResult::ResultSuccess => StepEnd::Whole,
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => StepEnd::Inside,
            BrotliResult::ResultFailure => StepEnd::Broken,
        };
        InflateStep { read, written, end }
    });
    with_tail(result, input)
}

/// Returns true if and only if a body is certainly text, and so not brotli or deflate, which have
/// no magic number.
fn is_surely_text(input: &[u8]) -> bool {
    input.len() >= MIN_TEXT
        && !input.iter().any(|&b| is_binary_byte(b))
        && std::str::from_utf8(input).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] =
        b"User-agent: *\nDisallow: /b\nUser-agent: *\nDisallow: /b\nUser-agent: *\nDisallow: /b\n";
    const RAW: &[u8] =
        b"\x0b-N-\xd2MLO\xcd+\xb1R\xd0\xe2r\xc9,N\xcc\xc9\xc9/\xb7R\xd0O\xe2\n%K\n\x00";
    const BROTLI: &[u8] =
        b"\x1bP\0\xe0-\x0e\xcc\x93\xa5\x1fq\xe5\xac\xb0\xc8\x89_\x13U\xa5\xcd)\x95\x97R\x10\
        K\x902\xb9j\xd1\xc9Uf\xb1\xa7D+\xde*\x1b\xf4\xce\xbei";
    const ZSTD: &[u8] = b"(\xb5/\xfd\x04X\x15\x01\0\xd8User-agent: *\nDisallow: /b\n\
        \x01\0\xcf\xcf9\x06\xe4\xb3\xe5\x9f";

    fn gzip() -> Vec<u8> {
        [
            &b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"[..],
            RAW,
            b"\xbf\xc6\xe3\x16Q\x00\x00\x00",
        ]
        .concat()
    }

    fn zlib() -> Vec<u8> {
        [&b"x\x9c"[..], RAW, b":\xc7\x19\xd8"].concat()
    }

    fn decode(coding: Coding, input: &[u8], limit: usize) -> (StageEnd, Vec<u8>) {
        let mut output = StageBuffer::default();
        output.begin(limit);
        let end = Decompressors::default().decode(coding, input, &mut output);
        assert_eq!(end == StageEnd::OverLimit, output.len() > limit);
        (end, output.as_slice().to_vec())
    }

    fn whole_bodies() -> [(Coding, Vec<u8>); 5] {
        [
            (Coding::Gzip, gzip()),
            (Coding::Deflate, zlib()),
            (Coding::Deflate, RAW.to_vec()),
            (Coding::Brotli, BROTLI.to_vec()),
            (Coding::Zstd, ZSTD.to_vec()),
        ]
    }

    #[test]
    fn whole_body_is_decoded() {
        for (coding, body) in whole_bodies() {
            assert_eq!(
                decode(coding, &body, 1000),
                (StageEnd::Complete, TEXT.to_vec()),
                "{coding:?}"
            );
        }
    }

    #[test]
    fn a_body_truncated_anywhere_gives_a_prefix() {
        for (coding, body) in whole_bodies() {
            for len in 1..body.len() {
                let (end, bytes) = decode(coding, &body[..len], 1000);
                assert!(
                    matches!(end, StageEnd::Cut | StageEnd::Absent),
                    "{coding:?} {len} {end:?}"
                );
                assert!(TEXT.starts_with(&bytes), "{coding:?} {len}");
                assert!(end == StageEnd::Cut || len < 6, "{coding:?} {len} {end:?}");
            }
        }
    }

    #[test]
    fn bytes_after_the_end_are_reported() {
        for (coding, mut body) in whole_bodies() {
            body.extend_from_slice(b"\0\0");
            assert_eq!(
                decode(coding, &body, 1000),
                (StageEnd::CompleteWithTail, TEXT.to_vec()),
                "{coding:?}"
            );
        }
    }

    #[test]
    fn output_stops_at_the_limit_and_not_before() {
        for (coding, body) in whole_bodies() {
            assert_eq!(
                decode(coding, &body, 10),
                (StageEnd::OverLimit, TEXT[..10].to_vec()),
                "{coding:?}"
            );
            assert_eq!(
                decode(coding, &body, TEXT.len()).0,
                StageEnd::Complete,
                "{coding:?}"
            );
            assert_eq!(
                decode(coding, &body, TEXT.len() - 1).0,
                StageEnd::OverLimit,
                "{coding:?}"
            );
            assert_eq!(
                decode(coding, &body, 0).0,
                StageEnd::OverLimit,
                "{coding:?}"
            );
        }
    }

    #[test]
    fn plain_text_is_not_encoded() {
        for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
            for text in [
                TEXT,
                b"# a comment, and a star *\n",
                "# Grüße an alle Crawler\n".as_bytes(),
            ] {
                assert_eq!(decode(coding, text, 1000).0, StageEnd::Absent, "{coding:?}");
            }
        }
    }

    #[test]
    fn several_members_and_frames_are_one_body() {
        let twice = [TEXT, TEXT].concat();
        assert_eq!(
            decode(Coding::Gzip, &[gzip(), gzip()].concat(), 1000),
            (StageEnd::Complete, twice.clone())
        );
        assert_eq!(
            decode(Coding::Zstd, &[ZSTD, ZSTD].concat(), 1000),
            (StageEnd::Complete, twice)
        );
    }

    #[test]
    fn a_wrong_checksum_is_corrupt_and_the_bytes_remain() {
        let mut body = gzip();
        let at = body.len() - 8;
        body[at] ^= 1;
        assert_eq!(
            decode(Coding::Gzip, &body, 1000),
            (StageEnd::Corrupt, TEXT.to_vec())
        );
        let mut body = ZSTD.to_vec();
        body[ZSTD.len() - 1] ^= 1;
        assert_eq!(
            decode(Coding::Zstd, &body, 1000),
            (StageEnd::Corrupt, TEXT.to_vec())
        );
    }

    #[test]
    fn zstd_blocks_before_damage_remain_whatever_the_limit() {
        // Two raw blocks, then one of the reserved type (RFC 8878, 3.1.1.2).
        let body = b"(\xb5/\xfd\0\0\x18\0\0abc\x10\0\0de\x0e\0\0f";
        assert_eq!(
            decode(Coding::Zstd, body, 1000),
            (StageEnd::Corrupt, b"abcde".to_vec())
        );
        for limit in 0..5 {
            assert_eq!(
                decode(Coding::Zstd, body, limit),
                (StageEnd::OverLimit, b"abcde"[..limit].to_vec())
            );
        }
    }

    #[test]
    fn gzip_magic_in_front_of_nonsense_is_absent() {
        assert_eq!(
            decode(
                Coding::Gzip,
                b"\x1f\x8b\x08\0\0\0\0\0\0\xff\xff\xff\xff\xff",
                1000
            )
            .0,
            StageEnd::Absent
        );
        assert_eq!(
            decode(Coding::Gzip, b"\x1f\x8b\x09\0\0\0\0\0\0\xff", 1000).0,
            StageEnd::Absent
        );
    }

    #[test]
    fn zstd_window_over_eight_mebibytes_is_refused() {
        // Frame header: no single segment, window descriptor of exponent 20 (1 GiB), then one raw
        // block of one byte.
        assert_eq!(
            decode(Coding::Zstd, b"(\xb5/\xfd\x00\xa0\x09\0\0a", 1000).0,
            StageEnd::Absent
        );
        assert_eq!(
            decode(Coding::Zstd, b"(\xb5/\xfd\x00\x68\x09\0\0a", 1000),
            (StageEnd::Complete, b"a".to_vec())
        );
    }

    #[test]
    fn decompressors_can_be_reused() {
        let mut decompressors = Decompressors::default();
        let mut output = StageBuffer::default();
        for (coding, body) in whole_bodies().into_iter().chain(whole_bodies()) {
            output.begin(1000);
            decompressors.decode(coding, &body[..body.len() / 2], &mut output);
            output.begin(1000);
            assert_eq!(
                decompressors.decode(coding, &body, &mut output),
                StageEnd::Complete,
                "{coding:?}"
            );
            assert_eq!(output.as_slice(), TEXT);
        }
    }
}
