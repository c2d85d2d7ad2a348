//! SHA-1 and its base32 form, as WARC and cc-index write it.

use sha1::{Digest, Sha1};

/// A SHA-1 digest.
pub type Sha1Digest = [u8; 20];

/// Returns the SHA-1 of some bytes.
pub fn sha1(bytes: &[u8]) -> Sha1Digest {
    Sha1::digest(bytes).into()
}

/// Returns the 32 characters of base32 (RFC 4648, 6) that cc-index shows for a SHA-1 digest.
pub fn base32(digest: &Sha1Digest) -> [u8; 32] {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = [0; 32];
    for (five, out) in digest.chunks_exact(5).zip(text.chunks_exact_mut(8)) {
        let bits = five
            .iter()
            .fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        for (i, letter) in out.iter_mut().enumerate() {
            *letter = ALPHABET[(bits >> (35 - 5 * i)) as usize & 31];
        }
    }
    text
}

/// Returns a digest as 40 hexadecimal digits.
pub fn hex(digest: &Sha1Digest) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_payload_has_the_digest_known_from_cc_index() {
        assert_eq!(&base32(&sha1(b"")), b"3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(
            hex(&sha1(b"abc")),
            "a9993e364706816aba3e25717850c26c9cd0d89d"
        );
    }
}
