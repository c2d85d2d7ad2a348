//! A search for the bytes that separate lines and their parts: line feeds, carriage returns, colons
//! and number signs.
//!
//! A line of robots.txt is short, so a separate search for each of these bytes costs more to start
//! than to run. Here 64 bytes are compared together, in loops without branches that the compiler
//! turns into vector instructions, and become the 64 bits of one number.

/// The offsets of the marks in a body.
#[derive(Clone, Debug)]
pub(super) struct LineMarks<'b> {
    body: &'b [u8],
    /// The offset of the block that `found` describes.
    block: usize,
    /// Bit n is set if and only if byte n of the block is a mark that has not been returned.
    found: u64,
}

const BLOCK_LEN: usize = 64;

impl<'b> LineMarks<'b> {
    /// Returns the marks of `body`.
    pub fn new(body: &'b [u8]) -> LineMarks<'b> {
        LineMarks {
            body,
            block: 0,
            found: marks_at(body, 0),
        }
    }
}

impl Iterator for LineMarks<'_> {
    type Item = usize;

    // Inlined into the loop of the parser, which runs a tenth faster for it.
    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.found == 0 {
            self.block += BLOCK_LEN;
            if self.block >= self.body.len() {
                self.block = self.body.len();
                return None;
            }
            self.found = marks_at(self.body, self.block);
        }
        let index = self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        Some(self.block + index)
    }
}

/// Returns the marks of the block that begins at `start`.
fn marks_at(body: &[u8], start: usize) -> u64 {
    let rest = &body[start..];
    match rest.first_chunk() {
        Some(block) => marks_of(block),
        None => {
            // No mark is a zero byte, so the missing bytes are no marks.
            let mut block = [0; BLOCK_LEN];
            block[..rest.len()].copy_from_slice(rest);
            marks_of(&block)
        }
    }
}

fn marks_of(block: &[u8; BLOCK_LEN]) -> u64 {
    let is_mark = block.map(|byte| {
        u8::from(byte == b'\n')
            | u8::from(byte == b'\r')
            | u8::from(byte == b':')
            | u8::from(byte == b'#')
    });
    // The product gathers the lowest bits of eight bytes in the highest byte.
    let (words, _) = is_mark.as_chunks::<8>();
    words.iter().rev().fold(0, |bits, &word| {
        let gathered = u64::from_le_bytes(word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits << 8 | gathered
    })
}

/// Returns the first eight bytes of a text as a word, the first of them lowest, followed by zeros
/// where there are fewer.
///
/// Bytes that are read twice, as part of the first and of the last ones, get the same position.
#[inline]
pub(crate) fn first_word(bytes: &[u8]) -> u64 {
    if let Some(&word) = bytes.first_chunk() {
        return u64::from_le_bytes(word);
    }
    let n = bytes.len();
    let shifted = |word: u64, at: usize| word << (8 * at % 64);
    if let (Some(&first), Some(&last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|bytes| u64::from(u32::from_le_bytes(bytes)));
        first | shifted(last, n - 4)
    } else {
        let byte = |at: usize| bytes.get(at).map_or(0, |&byte| shifted(byte.into(), at));
        byte(0) | byte(1) | byte(2)
    }
}

/// Returns `word` with its ASCII letters in lower case.
pub(super) const fn lower(word: u64) -> u64 {
    const LOW_BITS: u64 = repeat(0x7F);
    // Within seven bits, adding carries into the eighth exactly from a given byte on.
    let heptets = word & LOW_BITS;
    let from_a = heptets + repeat(0x80 - b'A');
    let beyond_z = heptets + repeat(0x7F - b'Z');
    let is_upper = (from_a ^ beyond_z) & !word & !LOW_BITS;
    word | is_upper >> 2
}

/// Returns the word of eight equal bytes.
pub(crate) const fn repeat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(body: &[u8]) -> Vec<usize> {
        let is_mark = |&at: &usize| matches!(body[at], b'\n' | b'\r' | b':' | b'#');
        (0..body.len()).filter(is_mark).collect()
    }

    #[test]
    fn all_marks_are_found_and_nothing_else() {
        let every_byte: Vec<u8> = (0..=255).chain(0..=255).collect();
        for start in 0..65 {
            for end in every_byte.len() - 65..every_byte.len() {
                let body = &every_byte[start..end];
                assert_eq!(LineMarks::new(body).collect::<Vec<_>>(), naive(body));
            }
        }
        for body in [
            &b""[..],
            b"#",
            b"\n\n\n\n\n\n\n\n\n",
            b"::::####",
            b"1234567\r\n\x0b\x0c",
            &[b'\r'; 200],
        ] {
            assert_eq!(LineMarks::new(body).collect::<Vec<_>>(), naive(body));
        }
    }

    #[test]
    fn the_first_eight_bytes_are_a_word() {
        let bytes = *b"\xfe234567\x80\xff";
        for n in 0..=9 {
            let mut word = [0; 8];
            word[..n.min(8)].copy_from_slice(&bytes[..n.min(8)]);
            assert_eq!(first_word(&bytes[..n]).to_le_bytes(), word);
        }
    }

    #[test]
    fn only_ascii_letters_become_lower_case() {
        for byte in 0..=255u8 {
            let mut bytes = [b'Q', byte, b'@', byte, b'[', 0xC1, b'z', byte];
            let word = lower(u64::from_le_bytes(bytes));
            bytes.make_ascii_lowercase();
            assert_eq!(word.to_le_bytes(), bytes);
        }
    }
}
