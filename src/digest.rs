//! SHA-1 digests, computed at once or incrementally, and their base32 form in WARC and cc-index.

use sha1::{Digest, Sha1};

/// A SHA-1 digest.
pub type Sha1Digest = [u8; 20];

/// Returns the SHA-1 of some bytes.
pub fn sha1(bytes: &[u8]) -> Sha1Digest {
    Sha1::digest(bytes).into()
}

/// An incremental SHA-1.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha1);

impl Hasher {
    /// Returns one that has these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha1::new_with_prefix(bytes))
    }

    /// Appends some bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes appended.
    pub fn finish(self) -> Sha1Digest {
        self.0.finalize().into()
    }
}

/// Returns the SHA-1 of a list of texts, each preceded by its length, so that different lists have
/// different bytes.
pub fn sha1_of_list<'a>(texts: impl IntoIterator<Item = &'a str>) -> Sha1Digest {
    let mut hasher = Hasher::default();
    for text in texts {
        hasher.update(format!("{}:", text.len()).as_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finish()
}

/// A SHA-1 digest as 32 characters of base32 (RFC 4648, 6), upper case.
pub type Base32Digest = [u8; 32];

const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Returns a digest in base32, as in cc-index.
pub fn base32(digest: &Sha1Digest) -> Base32Digest {
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

/// Parses a field such as `WARC-Payload-Digest`; `None` unless it is a SHA-1 in base32 (`sha1:` and
/// 32 characters).
pub fn stated(field: &[u8]) -> Option<Base32Digest> {
    let (label, value) = field.split_at_checked(5)?;
    let mut digest: Base32Digest = value.try_into().ok()?;
    digest.make_ascii_uppercase();
    let is_base32 = digest
        .iter()
        .all(|letter| matches!(letter, b'A'..=b'Z' | b'2'..=b'7'));
    (label.eq_ignore_ascii_case(b"sha1:") && is_base32).then_some(digest)
}

/// Returns a digest in hexadecimal digits, 40 of a SHA-1.
pub fn hex<const N: usize>(digest: &[u8; N]) -> String {
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

    #[test]
    fn an_incremental_digest_is_that_of_the_whole_and_lists_differ() {
        let mut hasher = Hasher::default();
        hasher.update(b"a");
        hasher.update(b"bc");
        assert_eq!(hasher.finish(), sha1(b"abc"));
        assert_eq!(sha1_of_list(["a", "bc"]), sha1(b"1:a2:bc"));
        assert_ne!(sha1_of_list(["a\nb"]), sha1_of_list(["a", "b"]));
    }

    #[test]
    fn only_a_sha1_in_base32_is_taken_as_stated() {
        let lower = stated(b"SHA1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj");
        assert_eq!(lower, Some(base32(&sha1(b""))));
        for field in [
            "",
            "sha1:",
            "md5:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1",
            "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        ] {
            assert_eq!(stated(field.as_bytes()), None, "{field}");
        }
    }
}
