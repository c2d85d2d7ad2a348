//! Decoding of the body of a response: transfer and content codings are removed, under a byte
//! limit. The body is borrowed from the block where it is not encoded.

use std::mem;

use super::coding::{Coding, Decompressors};
use super::finding::{Finding, Findings};
use super::head::Head;
use super::named::NamedCodings;
use super::stage::{StageBuffer, StageEnd};
use crate::{archive::warc::decimal, sniff::is_opaque};

/// A decoder of transfer and content codings.
///
/// Its two buffers, which are empty until the first encoded body, grow with the largest body, each
/// up to the limit given, and are reused, so that each worker has one decoder.
#[derive(Default)]
pub struct Decoder {
    input: StageBuffer,
    output: StageBuffer,
    decompressors: Decompressors,
}

/// A body without its codings.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a> {
    /// The decoded bytes, at most as many as the limit given.
    pub bytes: &'a [u8],
    /// The findings on the body and the codings that the head names, without those of
    /// [`Head::findings`].
    pub findings: Findings,
    /// Why the bytes are not all that the server sent, as far as head and body show.
    pub loss: Option<BodyLoss>,
}

/// Why the bytes of a body are not all that the server sent. Of two reasons the greater one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyLoss {
    /// The body is longer than the caller's limit, and was truncated there.
    Limit,
    /// Fewer bytes were archived than `Content-Length` states, and no field names a coding, which
    /// an archive may have decoded (RFC 9112, 8: an incomplete message).
    Short,
    /// The chunked coding or a content coding is truncated.
    Cut,
    /// The chunked coding or a content coding is damaged: a chunk without a size, bits that do not
    /// decode, a wrong checksum or length; or a coding is named that could not be decoded, and the
    /// body is neither text nor of a known type.
    Damaged,
}

impl Decoder {
    /// Decodes the body of `block`, whose head is `head`, to at most `limit` bytes.
    ///
    /// Codings are decoded from the right, transfer codings first. Several fields of one name count
    /// as one list (RFC 9110, 5.3). The output of each stage is limited to `limit` bytes, so time
    /// and memory are bounded by the block and [`MAX_CODINGS`](super::named::MAX_CODINGS) limits. A
    /// coding that is named but not applied is ignored, with a finding. A coding that is applied
    /// but not named is decoded, with a finding, where the bytes leave no doubt: the magic of gzip
    /// or zstd, and a complete sequence of chunks. No robots.txt begins like that, and in many
    /// archives fields were rewritten and bytes were not. Cannot fail.
    pub fn decode<'a>(&'a mut self, head: &Head, block: &'a [u8], limit: usize) -> Decoded<'a> {
        let archived = block.get(head.body_offset..).unwrap_or_default();
        let mut findings = Findings::new();
        let named = NamedCodings::parse(head, block, &mut findings);
        let mut loss = None;
        if !named.has_transfer
            && let Some(length) = content_length(head, block)
            && length != archived.len() as u64
        {
            findings.insert(Finding::ContentLengthDiffers);
            let is_short = length > archived.len() as u64 && !names_coding(head, block);
            loss = is_short.then_some(BodyLoss::Short);
        }
        let mut stages = Stages {
            decoder: self,
            archived,
            limit,
            is_decoded: false,
            loss,
            findings,
        };
        if !named.has_transfer {
            stages.decode_unnamed_chunks();
        }
        for coding in named.codings.into_iter().rev() {
            stages.decode_named(coding);
        }
        stages.decode_unnamed();
        stages.find_undecodable();
        if !stages.is_decoded && archived.len() > limit {
            stages.findings.insert(Finding::OverLimit);
            stages.loss = stages.loss.max(Some(BodyLoss::Limit));
        }
        let (findings, loss) = (stages.findings, stages.loss);
        let bytes = if stages.is_decoded {
            self.input.as_slice()
        } else {
            &archived[..archived.len().min(limit)]
        };
        Decoded {
            bytes,
            findings,
            loss,
        }
    }
}

/// The state of decoding one body.
struct Stages<'d, 'a> {
    decoder: &'d mut Decoder,
    archived: &'a [u8],
    limit: usize,
    is_decoded: bool,
    loss: Option<BodyLoss>,
    findings: Findings,
}

impl Stages<'_, '_> {
    /// Decodes a coding that is named.
    fn decode_named(&mut self, coding: Coding) {
        if self.input().is_empty() {
            return;
        }
        let end = self.decode(coding);
        self.note(coding, end);
        if end != StageEnd::Absent {
            self.take(end);
        }
    }

    /// Adds the finding on the end of a coding. After a stage that the limit truncated, a truncated
    /// end means nothing.
    fn note(&mut self, coding: Coding, end: StageEnd) {
        let is_cut_by_limit = self.loss == Some(BodyLoss::Limit) && end != StageEnd::OverLimit;
        if let Some(finding) = finding_of(coding, end).filter(|_| !is_cut_by_limit) {
            self.findings.insert(finding);
        }
    }

    /// Decodes the chunked coding where no field names it, every chunk is complete and nothing
    /// follows the last: a file that only begins with a line `0` would lose all its rules.
    fn decode_unnamed_chunks(&mut self) {
        let is_size = self.archived.first().is_some_and(u8::is_ascii_hexdigit);
        let may_be = is_size && ends_with_last_chunk(self.archived);
        if may_be
            && self.decode(Coding::Chunked) == StageEnd::Complete
            && !self.decoder.output.is_empty()
        {
            self.findings.insert(Finding::CodingUnnamed);
            self.take(StageEnd::Complete);
        }
    }

    /// Decodes a content coding that no field names.
    fn decode_unnamed(&mut self) {
        let coding = match self.input() {
            // The upper three flags are reserved and must be zero (RFC 1952, 2.3.1.2).
            [0x1f, 0x8b, 8, 0..=0x1f, ..] => Coding::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Coding::Zstd,
            _ => return,
        };
        let end = self.decode(coding);
        if end == StageEnd::Absent {
            return;
        }
        self.findings.insert(Finding::CodingUnnamed);
        self.note(coding, end);
        self.take(end);
    }

    /// Sets the loss where a coding is named that could not be decoded.
    fn find_undecodable(&mut self) {
        let is_left = [
            Finding::CodingAbsent,
            Finding::CodingUnknown,
            Finding::TooManyCodings,
        ]
        .iter()
        .any(|&finding| self.findings.contains(finding));
        if is_left && self.loss != Some(BodyLoss::Limit) && is_opaque(self.input()) {
            self.loss = Some(BodyLoss::Damaged);
        }
    }

    fn input(&self) -> &[u8] {
        if self.is_decoded {
            self.decoder.input.as_slice()
        } else {
            self.archived
        }
    }

    fn decode(&mut self, coding: Coding) -> StageEnd {
        let Decoder {
            input,
            output,
            decompressors,
        } = &mut *self.decoder;
        let input = if self.is_decoded {
            input.as_slice()
        } else {
            self.archived
        };
        output.begin(self.limit);
        decompressors.decode(coding, input, output)
    }

    /// Makes the output the input of the next stage.
    fn take(&mut self, end: StageEnd) {
        let loss = match end {
            StageEnd::Cut => Some(BodyLoss::Cut),
            StageEnd::Corrupt => Some(BodyLoss::Damaged),
            StageEnd::OverLimit => Some(BodyLoss::Limit),
            StageEnd::Complete | StageEnd::CompleteWithTail | StageEnd::Absent => None,
        };
        // A truncated end after the limit is due to the limit.
        if self.loss != Some(BodyLoss::Limit) {
            self.loss = self.loss.max(loss);
        }
        mem::swap(&mut self.decoder.input, &mut self.decoder.output);
        self.is_decoded = true;
    }
}

/// Returns true if and only if the last line that is not empty consists of zeros.
fn ends_with_last_chunk(body: &[u8]) -> bool {
    let text = body.trim_ascii_end();
    let zeros = text.iter().rev().take_while(|&&b| b == b'0').count();
    zeros > 0 && text[..text.len() - zeros].ends_with(b"\n")
}

fn finding_of(coding: Coding, end: StageEnd) -> Option<Finding> {
    let is_chunked = coding == Coding::Chunked;
    match end {
        StageEnd::Complete => None,
        StageEnd::CompleteWithTail => Some(Finding::DataAfterEnd),
        StageEnd::Absent if is_chunked => Some(Finding::ChunkingAbsent),
        StageEnd::Absent => Some(Finding::CodingAbsent),
        StageEnd::Cut if is_chunked => Some(Finding::ChunkingTruncated),
        StageEnd::Cut => Some(Finding::CodingTruncated),
        StageEnd::Corrupt if is_chunked => Some(Finding::ChunkingInvalid),
        StageEnd::Corrupt => Some(Finding::CodingCorrupt),
        StageEnd::OverLimit => Some(Finding::OverLimit),
    }
}

/// Returns true if and only if a field names a coding: `Content-Encoding`, `Transfer-Encoding`, or
/// one of them under the name that an archive gives it when it decodes the body, such as
/// `X-Crawler-Content-Encoding`.
fn names_coding(head: &Head, block: &[u8]) -> bool {
    head.fields(block).any(|(name, _)| {
        [&b"content-encoding"[..], b"transfer-encoding"]
            .iter()
            .any(|end| {
                let start = name.len().checked_sub(end.len());
                start.is_some_and(|start| name[start..].eq_ignore_ascii_case(end))
            })
    })
}

/// Returns the declared length of the body; `None` if there is none, and for a 304, which declares
/// the length of a body that it does not send (RFC 9110, 8.6).
fn content_length(head: &Head, block: &[u8]) -> Option<u64> {
    const NOT_MODIFIED: u16 = 304;
    if head.status == Some(NOT_MODIFIED) {
        return None;
    }
    decimal(head.get(block, "Content-Length")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"User-agent: *\nDisallow: /b\nUser-agent: *\nDisallow: /b\n\
        User-agent: *\nDisallow: /b\n";
    const RAW: &[u8] =
        b"\x0b-N-\xd2MLO\xcd+\xb1R\xd0\xe2r\xc9,N\xcc\xc9\xc9/\xb7R\xd0O\xe2\n%K\n\0";
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0";
    const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";
    const GZIPPED: &str = "Content-Encoding: gzip\r\n";
    const TWICE: &str = "Content-Encoding: gzip, gzip\r\n";
    const BOTH: &str = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";

    fn gzip() -> Vec<u8> {
        [
            &b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"[..],
            RAW,
            b"\xbf\xc6\xe3\x16Q\0\0\0",
        ]
        .concat()
    }

    /// A gzip member of one stored block.
    fn gzip_stored(data: &[u8]) -> Vec<u8> {
        let len = u16::try_from(data.len()).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(data);
        let mut member = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01".to_vec();
        member.extend_from_slice(&len.to_le_bytes());
        member.extend_from_slice(&(!len).to_le_bytes());
        member.extend_from_slice(data);
        member.extend_from_slice(&crc.sum().to_le_bytes());
        member.extend_from_slice(&u32::from(len).to_le_bytes());
        member
    }

    fn chunked(data: &[u8]) -> Vec<u8> {
        [
            format!("{:x}\r\n", data.len()).as_bytes(),
            data,
            b"\r\n0\r\n\r\n",
        ]
        .concat()
    }

    /// An uncompressed meta-block and an empty last one (RFC 7932, 9.1 and 9.2).
    fn brotli(data: &[u8]) -> Vec<u8> {
        let header = (data.len() as u32 - 1) << 4 | 1 << 20;
        [&header.to_le_bytes()[..3], data, &[0b11]].concat()
    }

    struct Run {
        bytes: Vec<u8>,
        findings: Vec<Finding>,
        loss: Option<BodyLoss>,
        is_borrowed: bool,
    }

    fn run(fields: &str, body: &[u8], limit: usize) -> Run {
        let block = [b"HTTP/1.1 200 OK\r\n", fields.as_bytes(), b"\r\n", body].concat();
        let mut head = Head::default();
        head.parse(&block);
        assert_eq!(&block[head.body_offset..], body);
        let mut decoder = Decoder::default();
        let decoded = decoder.decode(&head, &block, limit);
        Run {
            bytes: decoded.bytes.to_vec(),
            findings: decoded.findings.iter().collect(),
            loss: decoded.loss,
            is_borrowed: block.as_ptr_range().contains(&decoded.bytes.as_ptr()),
        }
    }

    /// A body that is decoded completely, with these findings.
    macro_rules! decodes {
        ($($name:ident, $fields:expr, $body:expr => $bytes:expr, $findings:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let run = run($fields, $body.as_ref(), 1000);
                    let findings: &[Finding] = &$findings;
                    assert_eq!(run.bytes, AsRef::<[u8]>::as_ref(&$bytes));
                    assert_eq!(run.findings, findings);
                    assert_eq!(run.loss, None);
                }
            )+
        };
    }

    decodes! {
        nothing_encoded, "", TEXT => TEXT, [];
        gzipped, GZIPPED, gzip() => TEXT, [];
        chunks, CHUNKED, chunked(TEXT) => TEXT, [];
        chunked_gzip, BOTH, chunked(&gzip()) => TEXT, [];
        transfer_gzip, "Transfer-Encoding: gzip, chunked\r\n", chunked(&gzip()) => TEXT, [];
        codings_in_a_row, "Content-Encoding: deflate, gzip\r\n", gzip_stored(RAW) => TEXT, [];
        same_coding_twice, TWICE, gzip_stored(&gzip()) => TEXT, [];
        named_twice, TWICE, gzip() => TEXT, [Finding::CodingAbsent];
        gzip_not_there, GZIPPED, TEXT => TEXT, [Finding::CodingAbsent];
        chunks_not_there, CHUNKED, TEXT => TEXT, [Finding::ChunkingAbsent];
        gzip_in_absent_chunks, BOTH, gzip() => TEXT, [Finding::ChunkingAbsent];
        unknown_coding, "Content-Encoding: x\r\n", TEXT => TEXT, [Finding::CodingUnknown];
        unnamed_gzip, "Content-Type: a/b\r\n", gzip() => TEXT, [Finding::CodingUnnamed];
        unnamed_chunks, "", chunked(TEXT) => TEXT, [Finding::CodingUnnamed];
        gzip_in_unnamed_chunks, GZIPPED, chunked(&gzip()) => TEXT, [Finding::CodingUnnamed];
        unnamed_gzip_in_chunks, CHUNKED, chunked(&gzip()) => TEXT, [Finding::CodingUnnamed];
        encoded_once_more_than_named, GZIPPED, gzip_stored(&gzip()) => TEXT, [Finding::CodingUnnamed];
        only_gzip_magic, "", b"\x1f\x8b\x08 no gzip" => b"\x1f\x8b\x08 no gzip", [];
        a_hexadecimal_line_is_no_chunk, "", b"a\nUser-agent: *\n" => b"a\nUser-agent: *\n", [];
        a_file_that_begins_with_a_zero_keeps_its_rules, "", b"0\nUser-agent: *\nDisallow: /\n" => b"0\nUser-agent: *\nDisallow: /\n", [];
        text_after_unnamed_chunks_is_not_dropped, "", b"3\nabc\n0\nUser-agent: *\n" => b"3\nabc\n0\nUser-agent: *\n", [];
        brotli_that_begins_like_a_chunk_is_no_chunk, "Content-Encoding: br\r\n", brotli(&[b'x'; 164]) => [b'x'; 164], [];
        a_coding_that_a_crawler_decoded_may_still_be_applied, "X-Crawler-Content-Encoding: gzip\r\n", gzip() => TEXT, [Finding::CodingUnnamed];
        empty_body_has_no_codings, BOTH, b"" => b"", [];
        unnamed_gzip_of_nothing, "", gzip_stored(b"") => b"", [Finding::CodingUnnamed];
        png_that_was_gzip, GZIPPED, PNG => PNG, [Finding::CodingAbsent];
        empty_chunks_hold_no_gzip, BOTH, b"0\r\n\r\n" => b"", [];
    }

    #[test]
    fn a_length_that_differs_from_the_archived_bytes_is_a_finding() {
        for (length, differs) in [
            ("81", false),
            ("0081", false),
            ("80", true),
            ("82", true),
            ("99999999999999999999999", true),
            ("-5", false),
            ("", false),
        ] {
            let fields = format!("Content-Length: {length}\r\n");
            let plain = run(&fields, TEXT, 1000);
            assert_eq!(plain.bytes, TEXT);
            let is_short = matches!(length, "82" | "99999999999999999999999");
            assert_eq!(plain.loss, is_short.then_some(BodyLoss::Short), "{length}");
            assert_eq!(
                plain.findings == [Finding::ContentLengthDiffers],
                differs,
                "{length}"
            );
            // With a transfer coding the length does not count (RFC 9112, 6.3).
            let chunks = run(&format!("{fields}{CHUNKED}"), &chunked(TEXT), 1000);
            assert_eq!(chunks.findings, []);
        }
        let encoded = format!("Content-Length: {}\r\n{GZIPPED}", gzip().len());
        assert_eq!(run(&encoded, &gzip(), 1000).findings, []);
    }

    #[test]
    fn a_short_body_is_whole_where_it_may_have_been_decoded() {
        for field in [
            "Content-Encoding: gzip",
            "content-encoding: x",
            "X-Crawler-Content-Encoding: br",
            "X-Archive-Orig-Transfer-Encoding: chunked",
        ] {
            let fields = format!("Content-Length: 99\r\n{field}\r\n");
            assert_eq!(run(&fields, TEXT, 1000).loss, None, "{field}");
        }
        let fields = "Content-Length: 99\r\nAccept-Encoding: gzip\r\n";
        assert_eq!(run(fields, TEXT, 1000).loss, Some(BodyLoss::Short));
        assert_eq!(run(fields, TEXT, 10).loss, Some(BodyLoss::Short));
    }

    #[test]
    fn each_damaged_coding_is_a_loss() {
        let mut wrong_sum = gzip();
        let at = wrong_sum.len() - 8;
        wrong_sum[at] ^= 1;
        let chunks = chunked(TEXT);
        let bad_size = [&b"3\r\nUse\r\n"[..], b"xyz\r\nr-agent\r\n0\r\n\r\n"].concat();
        let cut = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
        for (name, fields, body, loss) in [
            ("cut chunks", CHUNKED, cut(&chunks), BodyLoss::Cut),
            ("a bad chunk size", CHUNKED, bad_size, BodyLoss::Damaged),
            ("cut gzip", GZIPPED, cut(&gzip()), BodyLoss::Cut),
            ("a wrong CRC", GZIPPED, wrong_sum.clone(), BodyLoss::Damaged),
            ("cut gzip, unnamed", "", cut(&gzip()), BodyLoss::Cut),
            ("a wrong CRC, unnamed", "", wrong_sum, BodyLoss::Damaged),
            (
                "cut gzip in chunks",
                BOTH,
                chunked(&cut(&gzip())),
                BodyLoss::Cut,
            ),
            (
                "a gzip header alone, unnamed",
                "",
                gzip()[..10].to_vec(),
                BodyLoss::Cut,
            ),
            (
                "no gzip after its header",
                GZIPPED,
                b"\x1f\x8b\x08\0\0\0\0\0\0\xff\xff\xff".to_vec(),
                BodyLoss::Damaged,
            ),
            (
                "an unknown coding",
                "Content-Encoding: x\r\n",
                b"\x1f\x9d\x90U\xe6\x02".to_vec(),
                BodyLoss::Damaged,
            ),
            (
                "too many codings",
                "Content-Encoding: br,br,br,br,br,br\r\n",
                b"\x01\x02".to_vec(),
                BodyLoss::Damaged,
            ),
        ] {
            assert_eq!(run(fields, &body, 1000).loss, Some(loss), "{name}");
        }
    }

    #[test]
    fn the_limit_is_no_cut_of_an_inner_coding() {
        for limit in 0..chunked(&gzip()).len() - 12 {
            let run = run(BOTH, &chunked(&gzip()), limit);
            assert_eq!(
                (run.loss, &run.findings[..]),
                (Some(BodyLoss::Limit), &[Finding::OverLimit][..]),
                "{limit}"
            );
        }
    }

    #[test]
    fn body_without_codings_is_borrowed() {
        assert!(run("", TEXT, 1000).is_borrowed);
        assert!(run(GZIPPED, TEXT, 1000).is_borrowed);
        assert!(!run(GZIPPED, &gzip(), 1000).is_borrowed);
    }

    #[test]
    fn body_is_cut_at_the_limit_encoded_or_not() {
        let encoded = [
            ("", TEXT.to_vec()),
            (GZIPPED, gzip()),
            (CHUNKED, chunked(TEXT)),
        ];
        for (fields, body) in encoded {
            let run = run(fields, &body, 20);
            let limited = Some(BodyLoss::Limit);
            assert_eq!((run.bytes.as_slice(), run.loss), (&TEXT[..20], limited));
            assert_eq!(run.findings, [Finding::OverLimit]);
        }
    }

    #[test]
    fn a_truncated_body_is_decoded_as_far_as_it_goes() {
        let run = run(BOTH, &chunked(&gzip())[..40], 1000);
        assert!(!run.bytes.is_empty() && TEXT.starts_with(&run.bytes));
        assert_eq!(
            run.findings,
            [Finding::ChunkingTruncated, Finding::CodingTruncated]
        );
        assert_eq!(run.loss, Some(BodyLoss::Cut));
    }

    #[test]
    fn not_modified_may_declare_the_length_of_another_body() {
        let block = b"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n";
        let mut head = Head::default();
        head.parse(block);
        assert!(
            Decoder::default()
                .decode(&head, block, 10)
                .findings
                .is_empty()
        );
    }

    #[test]
    fn bomb_costs_its_limit() {
        let mut deflater = flate2::Compress::new(flate2::Compression::best(), false);
        let mut body = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
        body.reserve(1 << 16);
        let zeros = vec![0; 4 << 20];
        deflater
            .compress_vec(&zeros, &mut body, flate2::FlushCompress::Finish)
            .unwrap();
        let run = run(GZIPPED, &body, 100_000);
        assert_eq!(
            (run.bytes.len(), run.loss),
            (100_000, Some(BodyLoss::Limit))
        );
        assert_eq!(run.findings, [Finding::OverLimit]);
    }

    #[test]
    fn head_of_another_block_does_not_panic() {
        let mut head = Head::default();
        head.parse(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
        assert_eq!(Decoder::default().decode(&head, b"HTTP", 10).bytes, b"");
    }
}
