//! One coding undone: gzip, deflate, brotli, zstd.
//!
//! What enters is an encoded body, what leaves is the decoded bytes in a [`Scratch`] and how the
//! decoding ended. This file refuses to know which coding a head names, and in which order.
//!
//! Every coding stops when the scratch is full, so that a bomb costs its limit and no more. Windows
//! are bounded too: 32 KiB for deflate, 16 MiB for brotli (RFC 7932, 9.1; the large-window
//! extension is refused) and 8 MiB for zstd (RFC 9659, 3).

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

use super::chunked;
use super::gzip::{self, GzipHeader};
use super::scratch::Scratch;
use crate::sniff::is_binary_byte;

/// Largest window of a zstd frame, as a power of two: 8 MiB, which RFC 9659 sets for HTTP.
const ZSTD_WINDOW_LOG: u32 = 23;

/// Bytes of the magic number with which a zstd frame begins, and of the header in front of each of
/// its blocks (RFC 8878, 3.1.1).
const ZSTD_MAGIC: usize = 4;
const ZSTD_BLOCK_HEADER: usize = 3;

/// Shortest body that can be told to be text rather than a coding without a magic number.
///
/// Sixteen bytes of brotli or deflate that are all text are too rare to happen; shorter bodies are
/// simply tried.
const MIN_TEXT: usize = 16;

/// A transfer or content coding that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// The chunked transfer coding (RFC 9112, 7.1).
    Chunked,
    /// RFC 1952, one member or several.
    Gzip,
    /// RFC 1950 by the standard, RFC 1951 by habit.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

/// How decoding ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At the end of the encoded body.
    Complete,
    /// At the end of the encoded body, with bytes left behind it.
    CompleteWithTail,
    /// The body is not encoded that way, and nothing of the output counts.
    Absent,
    /// The encoded body stopped early.
    Cut,
    /// The encoded body is damaged.
    Corrupt,
    /// The output is full.
    OverLimit,
}

/// The decompressors of one worker, kept from body to body.
pub(super) struct Decompressors {
    inflate: Decompress,
    /// Made when the first zstd body comes; most archives have none.
    zstd: Option<ZstdDecoder<'static>>,
}

impl Decompressors {
    pub(super) fn new() -> Decompressors {
        Decompressors {
            inflate: Decompress::new(false),
            zstd: None,
        }
    }

    /// Undoes `coding` on `input`. The output holds what came out, unless the coding turns out to
    /// be absent.
    pub(super) fn decode(&mut self, coding: Coding, input: &[u8], output: &mut Scratch) -> End {
        let end = match coding {
            Coding::Chunked => chunked::decode(input, output),
            Coding::Gzip => self.gunzip(input, output),
            Coding::Deflate => self.deflated(input, output),
            Coding::Brotli => brotli(input, output),
            Coding::Zstd => self.zstd(input, output),
        };
        // The last byte of a body can be the one beyond the limit.
        if output.is_over_limit() {
            End::OverLimit
        } else {
            end
        }
    }

    /// Inflates all members of a gzip body.
    fn gunzip(&mut self, input: &[u8], output: &mut Scratch) -> End {
        let mut rest = input;
        loop {
            let data = match gzip::read_header(rest) {
                GzipHeader::Whole(len) => &rest[len..],
                GzipHeader::Cut => return End::Cut,
                GzipHeader::Absent if rest.len() == input.len() => return End::Absent,
                GzipHeader::Absent => return End::CompleteWithTail,
            };
            let start = output.len();
            let (end, used) = self.inflate(data, false, output);
            if end != End::Complete {
                return if end == End::Corrupt && output.is_empty() {
                    End::Absent
                } else {
                    end
                };
            }
            let Some((trailer, behind)) = data[used..].split_first_chunk::<8>() else {
                return End::Cut;
            };
            let mut crc = Crc::new();
            crc.update(output.written_since(start));
            // The checksum and the length of what was compressed (RFC 1952, 2.3.1); the sum counts
            // bytes modulo 2^32 as the field does.
            let expected = [crc.sum().to_le_bytes(), crc.amount().to_le_bytes()];
            if trailer != expected.as_flattened() {
                return End::Corrupt;
            }
            if behind.is_empty() {
                return End::Complete;
            }
            rest = behind;
        }
    }

    /// Inflates a body that is called `deflate`, with or without a zlib header.
    fn deflated(&mut self, input: &[u8], output: &mut Scratch) -> End {
        let has_zlib_header = is_zlib_header(input);
        let mut result = (End::Absent, 0);
        if has_zlib_header {
            result = self.inflate(input, true, output);
        }
        let is_undecided = !has_zlib_header || (result.0 == End::Corrupt && output.is_empty());
        if is_undecided && !is_surely_text(input) {
            result = self.inflate(input, false, output);
        }
        match result {
            (End::Corrupt, _) if output.is_empty() => End::Absent,
            (End::Complete, used) if used < input.len() => End::CompleteWithTail,
            (end, _) => end,
        }
    }

    /// Inflates one deflate stream and returns how it ended and the bytes of input it took.
    fn inflate(
        &mut self,
        input: &[u8],
        has_zlib_header: bool,
        output: &mut Scratch,
    ) -> (End, usize) {
        let inflate = &mut self.inflate;
        inflate.reset(has_zlib_header);
        let mut used = 0;
        loop {
            let room = output.room();
            if room.is_empty() {
                return (End::OverLimit, used);
            }
            let (used_before, written_before) = (used, inflate.total_out());
            let status = inflate.decompress(&input[used..], room, FlushDecompress::None);
            // Both totals count what fits into slices, so they fit into a `usize`.
            let written = (inflate.total_out() - written_before) as usize;
            output.advance(written);
            used = inflate.total_in() as usize;
            match status {
                Ok(Status::StreamEnd) => return (End::Complete, used),
                Ok(_) if used == used_before && written == 0 => return (End::Cut, used),
                Ok(_) => {}
                Err(_) => return (End::Corrupt, used),
            }
        }
    }

    /// Decompresses all frames of a zstd body.
    ///
    /// The library gives up what came out of the call in which it meets damage. So it is given no
    /// more input at a time than one block, and the blocks in front of the damage stay.
    fn zstd(&mut self, input: &[u8], output: &mut Scratch) -> End {
        if !is_zstd_frame(input) {
            return End::Absent;
        }
        // Making or resetting the decoder fails only without memory; then the body stays as it is.
        let Some(decoder) = zstd_decoder(&mut self.zstd) else {
            return End::Absent;
        };
        let mut used = 0usize;
        let mut wanted = ZSTD_MAGIC;
        loop {
            let room = output.room();
            if room.is_empty() {
                return End::OverLimit;
            }
            let end = used.saturating_add(wanted).min(input.len());
            let Ok(status) = decoder.run_on_buffers(&input[used..end], room) else {
                return if output.is_empty() {
                    End::Absent
                } else {
                    End::Corrupt
                };
            };
            used += status.bytes_read;
            output.advance(status.bytes_written);
            let is_frame_end = status.remaining == 0;
            // What the library asks for is a block together with the header of the next.
            wanted = match status.remaining {
                0 => ZSTD_MAGIC,
                few @ 1..=ZSTD_BLOCK_HEADER => few,
                more => more - ZSTD_BLOCK_HEADER,
            };
            if is_frame_end && used == input.len() {
                return End::Complete;
            }
            if is_frame_end && !is_zstd_frame(&input[used..]) {
                return End::CompleteWithTail;
            }
            if status.bytes_read == 0 && status.bytes_written == 0 {
                return End::Cut;
            }
        }
    }
}

/// Returns the decoder ready for a new body, made if there is none yet.
fn zstd_decoder<'d>(
    slot: &'d mut Option<ZstdDecoder<'static>>,
) -> Option<&'d mut ZstdDecoder<'static>> {
    if slot.is_none() {
        let mut decoder = ZstdDecoder::new().ok()?;
        decoder
            .set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))
            .ok()?;
        *slot = Some(decoder);
    }
    let decoder = slot.as_mut()?;
    decoder.reinit().ok()?;
    Some(decoder)
}

/// Returns true if and only if `bytes` begins with a header of RFC 1950: method deflate, and a
/// check value that makes both bytes a multiple of 31.
fn is_zlib_header(bytes: &[u8]) -> bool {
    match bytes {
        [method, flags, ..] => {
            method & 0x0f == 8 && u16::from_be_bytes([*method, *flags]).is_multiple_of(31)
        }
        _ => false,
    }
}

/// Returns true if and only if `bytes` begins as a zstd or skippable frame does (RFC 8878, 3.1).
fn is_zstd_frame(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
    )
}

/// Decompresses a brotli body. The decoder has no way to be reset, so its tables are made for each
/// body.
fn brotli(input: &[u8], output: &mut Scratch) -> End {
    if is_surely_text(input) {
        return End::Absent;
    }
    let mut state = BrotliState::new_strict(
        StandardAlloc::default(),
        StandardAlloc::default(),
        StandardAlloc::default(),
    );
    let (mut available_in, mut used, mut total) = (input.len(), 0, 0);
    loop {
        let room = output.room();
        if room.is_empty() {
            return End::OverLimit;
        }
        let (mut available_out, mut written) = (room.len(), 0);
        let result = BrotliDecompressStream(
            &mut available_in,
            &mut used,
            input,
            &mut available_out,
            &mut written,
            room,
            &mut total,
            &mut state,
        );
        output.advance(written);
        match result {
            BrotliResult::ResultSuccess if used < input.len() => return End::CompleteWithTail,
            BrotliResult::ResultSuccess => return End::Complete,
            BrotliResult::NeedsMoreInput => return End::Cut,
            BrotliResult::NeedsMoreOutput if written > 0 => {}
            _ if output.is_empty() => return End::Absent,
            _ => return End::Corrupt,
        }
    }
}

/// Returns true if and only if a body is too plainly text to be brotli or deflate, which have no
/// magic number.
fn is_surely_text(input: &[u8]) -> bool {
    input.len() >= MIN_TEXT
        && !input.iter().any(|&b| is_binary_byte(b))
        && std::str::from_utf8(input).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

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

    fn decode(coding: Coding, input: &[u8], limit: usize) -> (End, Vec<u8>) {
        let mut output = Scratch::default();
        output.begin(limit);
        let end = Decompressors::new().decode(coding, input, &mut output);
        assert_eq!(end == End::OverLimit, output.len() > limit);
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
                (End::Complete, TEXT.to_vec()),
                "{coding:?}"
            );
        }
    }

    #[test]
    fn cut_body_gives_a_prefix_at_every_place() {
        for (coding, body) in whole_bodies() {
            for len in 1..body.len() {
                let (end, bytes) = decode(coding, &body[..len], 1000);
                assert!(
                    matches!(end, End::Cut | End::Absent),
                    "{coding:?} {len} {end:?}"
                );
                assert!(TEXT.starts_with(&bytes), "{coding:?} {len}");
                assert!(end == End::Cut || len < 6, "{coding:?} {len} {end:?}");
            }
        }
    }

    #[test]
    fn bytes_behind_the_end_are_noticed() {
        for (coding, mut body) in whole_bodies() {
            body.extend_from_slice(b"\0\0");
            assert_eq!(
                decode(coding, &body, 1000),
                (End::CompleteWithTail, TEXT.to_vec()),
                "{coding:?}"
            );
        }
    }

    #[test]
    fn output_stops_at_the_limit_and_not_before() {
        for (coding, body) in whole_bodies() {
            assert_eq!(
                decode(coding, &body, 10),
                (End::OverLimit, TEXT[..10].to_vec()),
                "{coding:?}"
            );
            assert_eq!(
                decode(coding, &body, TEXT.len()).0,
                End::Complete,
                "{coding:?}"
            );
            assert_eq!(
                decode(coding, &body, TEXT.len() - 1).0,
                End::OverLimit,
                "{coding:?}"
            );
            assert_eq!(decode(coding, &body, 0).0, End::OverLimit, "{coding:?}");
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
                assert_eq!(decode(coding, text, 1000).0, End::Absent, "{coding:?}");
            }
        }
    }

    #[test]
    fn several_members_and_frames_are_one_body() {
        let twice = [TEXT, TEXT].concat();
        assert_eq!(
            decode(Coding::Gzip, &[gzip(), gzip()].concat(), 1000),
            (End::Complete, twice.clone())
        );
        assert_eq!(
            decode(Coding::Zstd, &[ZSTD, ZSTD].concat(), 1000),
            (End::Complete, twice)
        );
    }

    #[test]
    fn wrong_checksum_is_corrupt_but_keeps_the_bytes() {
        let mut body = gzip();
        let at = body.len() - 8;
        body[at] ^= 1;
        assert_eq!(
            decode(Coding::Gzip, &body, 1000),
            (End::Corrupt, TEXT.to_vec())
        );
        let mut body = ZSTD.to_vec();
        body[ZSTD.len() - 1] ^= 1;
        assert_eq!(
            decode(Coding::Zstd, &body, 1000),
            (End::Corrupt, TEXT.to_vec())
        );
    }

    #[test]
    fn zstd_blocks_in_front_of_damage_are_kept_whatever_the_limit() {
        // Two raw blocks, then one of the reserved type (RFC 8878, 3.1.1.2).
        let body = b"(\xb5/\xfd\0\0\x18\0\0abc\x10\0\0de\x0e\0\0f";
        assert_eq!(
            decode(Coding::Zstd, body, 1000),
            (End::Corrupt, b"abcde".to_vec())
        );
        for limit in 0..5 {
            assert_eq!(
                decode(Coding::Zstd, body, limit),
                (End::OverLimit, b"abcde"[..limit].to_vec())
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
            End::Absent
        );
        assert_eq!(
            decode(Coding::Gzip, b"\x1f\x8b\x09\0\0\0\0\0\0\xff", 1000).0,
            End::Absent
        );
    }

    #[test]
    fn zstd_window_over_eight_mebibytes_is_refused() {
        // Frame header: no single segment, window descriptor of exponent 20 (1 GiB), then one raw
        // block of one byte.
        assert_eq!(
            decode(Coding::Zstd, b"(\xb5/\xfd\x00\xa0\x09\0\0a", 1000).0,
            End::Absent
        );
        assert_eq!(
            decode(Coding::Zstd, b"(\xb5/\xfd\x00\x68\x09\0\0a", 1000),
            (End::Complete, b"a".to_vec())
        );
    }

    #[test]
    fn decompressors_carry_nothing_from_body_to_body() {
        let mut decompressors = Decompressors::new();
        let mut output = Scratch::default();
        for (coding, body) in whole_bodies().into_iter().chain(whole_bodies()) {
            output.begin(1000);
            decompressors.decode(coding, &body[..body.len() / 2], &mut output);
            output.begin(1000);
            assert_eq!(
                decompressors.decode(coding, &body, &mut output),
                End::Complete,
                "{coding:?}"
            );
            assert_eq!(output.as_slice(), TEXT);
        }
    }

    #[test]
    fn changed_bytes_never_panic() {
        let mut random = Random::new(1);
        let mut decompressors = Decompressors::new();
        let mut output = Scratch::default();
        for (coding, body) in whole_bodies() {
            for _ in 0..500 {
                let mut changed = body.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(changed.len());
                    changed[at] = random.byte();
                }
                output.begin(4_096);
                decompressors.decode(coding, &changed, &mut output);
                assert!(output.as_slice().len() <= 4_096);
            }
        }
    }
}
