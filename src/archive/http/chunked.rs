//! Decoding of the chunked transfer coding (RFC 9112, 7.1). Extensions and trailers are ignored.

use memchr::memchr;

use super::stage::{StageBuffer, StageEnd};

/// The longest line of a chunk size with its extensions: 4 KiB. Signed chunks, the longest in use,
/// have about 100 bytes.
const MAX_SIZE_LINE: usize = 4 * 1024;

/// Removes the chunked coding from `input` and appends the data to `output`.
pub(super) fn decode(input: &[u8], output: &mut StageBuffer) -> StageEnd {
    let mut rest = input;
    loop {
        let (size, line_len) = match size_line(rest) {
            Ok(line) => line,
            // Only if the first line is not a chunk size is the body not chunked at all.
            Err(StageEnd::Corrupt) if rest.len() == input.len() => return StageEnd::Absent,
            Err(end) => return end,
        };
        if size == 0 {
            return StageEnd::Complete;
        }
        rest = &rest[line_len..];
        let Some((data, after)) = rest.split_at_checked(size) else {
            output.write(rest);
            return StageEnd::Cut;
        };
        if !output.write(data) {
            return StageEnd::OverLimit;
        }
        rest = match after {
            [b'\r', b'\n', next @ ..] | [b'\n', next @ ..] => next,
            [] | [b'\r'] => return StageEnd::Cut,
            _ => return StageEnd::Corrupt,
        };
    }
}

/// Reads the line before a chunk: the size of the chunk, at most `usize::MAX`, and the length of
/// the line with its end.
///
/// # Errors
///
/// [`StageEnd::Cut`] if the bytes end within the line, and [`StageEnd::Corrupt`] if it is not a
/// chunk size.
fn size_line(bytes: &[u8]) -> Result<(usize, usize), StageEnd> {
    let window = &bytes[..bytes.len().min(MAX_SIZE_LINE)];
    let Some(end) = memchr(b'\n', window) else {
        let is_cut = is_size(window) && window.len() == bytes.len();
        return Err(if is_cut {
            StageEnd::Cut
        } else {
            StageEnd::Corrupt
        });
    };
    let line = &window[..end];
    let digits = hex_digits(line);
    if digits.is_empty() || !is_size(line) {
        return Err(StageEnd::Corrupt);
    }
    // A size beyond the address space saturates: no block is that long, so the chunk is truncated.
    let digits = str::from_utf8(digits).unwrap_or_default();
    let size = usize::from_str_radix(digits, 16).unwrap_or(usize::MAX);
    Ok((size, end + 1))
}

/// Returns true if and only if a line, whole or truncated, is a chunk size with extensions.
fn is_size(line: &[u8]) -> bool {
    let digits = hex_digits(line);
    let after = line.trim_ascii_start()[digits.len()..].trim_ascii_start();
    after.is_empty() || (after[0] == b';' && !digits.is_empty())
}

/// Returns the hexadecimal digits that a line begins with.
fn hex_digits(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii_start();
    let count = line.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    &line[..count]
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! chunks {
        ($($name:ident, $input:expr, $data:expr, $end:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let mut output = StageBuffer::default();
                    output.begin(1024);
                    assert_eq!(decode($input, &mut output), $end);
                    assert_eq!(output.as_slice(), $data);
                }
            )+
        };
    }

    chunks! {
        one_chunk, b"3\r\nabc\r\n0\r\n\r\n", b"abc", StageEnd::Complete;
        several_chunks, b"3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", b"abc0123456789", StageEnd::Complete;
        extensions_are_passed_over, b"3;a=b;c=\"d\"\r\nabc\r\n0;x\r\n\r\n", b"abc", StageEnd::Complete;
        trailers_are_passed_over, b"3\r\nabc\r\n0\r\nA: b\r\n\r\n", b"abc", StageEnd::Complete;
        line_feeds_alone, b"3\nabc\n0\n\n", b"abc", StageEnd::Complete;
        blanks_around_the_size, b" 3 \r\nabc\r\n0  \r\n\r\n", b"abc", StageEnd::Complete;
        leading_zeros, b"0003\r\nabc\r\n00000\r\n\r\n", b"abc", StageEnd::Complete;
        upper_and_lower_case_digits, b"0c\r\nabcdefghijkl\r\n0B\r\nabcdefghijk\r\n0\r\n", b"abcdefghijklabcdefghijk", StageEnd::Complete;
        cut_inside_a_chunk, b"1c;foo=bar\r\nabc", b"abc", StageEnd::Cut;
        cut_behind_a_chunk, b"3\r\nabc", b"abc", StageEnd::Cut;
        cut_inside_the_line_end, b"3\r\nabc\r", b"abc", StageEnd::Cut;
        cut_before_the_last_chunk, b"3\r\nabc\r\n", b"abc", StageEnd::Cut;
        cut_inside_a_size, b"3\r\nabc\r\n1", b"abc", StageEnd::Cut;
        cut_inside_an_extension, b"3\r\nabc\r\n1;ext", b"abc", StageEnd::Cut;
        cut_inside_the_first_size, b"3", b"", StageEnd::Cut;
        huge_size_is_a_cut_chunk, b"ffffffffffffffffffffffff\r\nabc", b"abc", StageEnd::Cut;
        greatest_size_is_a_cut_chunk, b"ffffffffffffffff\r\nabc", b"abc", StageEnd::Cut;
        bad_size_in_the_middle, b"3\r\nabc\r\nxyz\r\n", b"abc", StageEnd::Corrupt;
        negative_size_in_the_middle, b"3\r\nabc\r\n-1\r\n", b"abc", StageEnd::Corrupt;
        empty_size_in_the_middle, b"3\r\nabc\r\n\r\nx", b"abc", StageEnd::Corrupt;
        no_line_end_behind_a_chunk, b"3\r\nabcd\r\n0\r\n\r\n", b"abc", StageEnd::Corrupt;
        text_is_not_chunked, b"User-agent: *\nDisallow: /\n", b"", StageEnd::Absent;
        text_that_begins_with_a_hex_digit_is_not_chunked, b"Disallow: /\n", b"", StageEnd::Absent;
        empty_line_is_not_chunked, b"\r\nUser-agent: *\n", b"", StageEnd::Absent;
    }

    #[test]
    fn endless_size_line_is_not_chunked() {
        let mut output = StageBuffer::default();
        output.begin(10);
        assert_eq!(
            decode(&vec![b'0'; 2 * MAX_SIZE_LINE], &mut output),
            StageEnd::Absent
        );
    }

    #[test]
    fn data_over_the_limit_is_cut() {
        let mut output = StageBuffer::default();
        output.begin(5);
        assert_eq!(
            decode(b"3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n", &mut output),
            StageEnd::OverLimit
        );
        assert_eq!(output.as_slice(), b"abcde");
        output.begin(3);
        assert_eq!(
            decode(b"3\r\nabc\r\n0\r\n\r\n", &mut output),
            StageEnd::Complete
        );
    }
}
