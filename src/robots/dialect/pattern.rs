//! Matching a path-pattern against a path.
//!
//! Both are normalized and may be hostile: matching costs at most the product of their lengths, and
//! a sequence of 2,000 `*` no more than one.
//!
//! Most patterns are plain prefixes, and most of those fail within the first bytes. So the first
//! eight bytes of a pattern, up to its first `*`, are stored as one number, with which a path is
//! compared before its bytes are read.

use memchr::{memchr, memmem};

use super::definition::{PrefixEnd, SpecialCharacters};
use crate::robots::lines::first_word;

/// The first bytes of a text as a number, and which of them count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LiteralHead {
    bytes: u64,
    mask: u64,
}

impl LiteralHead {
    /// Returns the first bytes of a pattern or a path. A short path is padded with zeros, so a
    /// match with it is not final.
    pub fn new(text: &[u8]) -> LiteralHead {
        LiteralHead {
            bytes: first_word(text),
            mask: match text.len() {
                n @ 0..8 => (1 << (8 * n)) - 1,
                _ => u64::MAX,
            },
        }
    }

    #[inline]
    fn may_start(self, path: LiteralHead) -> bool {
        (self.bytes ^ path.bytes) & self.mask == 0
    }
}

/// Which bytes occur in a text, two and more of them as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteSet(u64);

impl ByteSet {
    /// Returns the bytes of a text.
    pub fn from_text(text: &[u8]) -> ByteSet {
        let bits = text.iter().map(|byte| 1 << (byte % 64));
        ByteSet(bits.fold(0, |set, bit| set | bit))
    }

    /// Returns the bytes of a text that are no `*`.
    fn from_pieces(text: &[u8]) -> ByteSet {
        let pieces = text.split(|&byte| byte == b'*').map(ByteSet::from_text);
        ByteSet(pieces.fold(0, |set, piece| set | piece.0))
    }

    /// Returns false only where `other` has a byte that this set lacks.
    #[inline]
    fn may_include(self, other: ByteSet) -> bool {
        other.0 & !self.0 == 0
    }
}

/// The special characters of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Special {
    /// A `*`.
    pub has_wildcard: bool,
    /// A `$` at the end.
    pub has_anchor: bool,
}

impl Special {
    /// Finds the special characters of a normalized pattern.
    pub fn find(characters: SpecialCharacters, pattern: &[u8]) -> Special {
        match characters {
            SpecialCharacters::Plain => Special::default(),
            SpecialCharacters::StarAndDollar => Special {
                has_wildcard: pattern.contains(&b'*'),
                has_anchor: pattern.ends_with(b"$"),
            },
        }
    }
}

/// How a pattern is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// The path begins with it.
    Prefix,
    /// The path begins with it, and not in the middle of a word.
    WordPrefix,
    /// The path is equal to all of it but the final `$`.
    Exact,
    /// It has a `*`.
    Wildcard,
    /// It has a `*`, and a final `$` is the end of the path.
    AnchoredWildcard,
}

/// A compiled pattern. The caller owns its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    head: LiteralHead,
    /// The bytes of a pattern with a `*`, which a path must have: most paths lack one.
    required: ByteSet,
    /// How it is matched.
    pub shape: Shape,
}

impl Pattern {
    /// Compiles `pattern`, which has the special characters of `special`.
    pub fn compile(special: Special, prefix_end: PrefixEnd, pattern: &[u8]) -> Pattern {
        let shape = match (special.has_wildcard, special.has_anchor) {
            (true, true) => Shape::AnchoredWildcard,
            (true, false) => Shape::Wildcard,
            (false, true) => Shape::Exact,
            _ if prefix_end == PrefixEnd::WordBoundary => Shape::WordPrefix,
            _ => Shape::Prefix,
        };
        let text = &pattern[..pattern.len() - usize::from(special.has_anchor)];
        let (literal, required) = if special.has_wildcard {
            let star = memchr(b'*', text).unwrap_or(text.len());
            (&text[..star], ByteSet::from_pieces(text))
        } else {
            (text, ByteSet::default())
        };
        Pattern {
            head: LiteralHead::new(literal),
            required,
            shape,
        }
    }

    /// Returns false where the first bytes of a path, or those that it lacks, prove that the
    /// pattern does not match it.
    #[inline]
    pub fn may_match(self, path_head: LiteralHead, path_bytes: ByteSet) -> bool {
        self.head.may_start(path_head) && path_bytes.may_include(self.required)
    }

    /// Returns true if and only if the pattern, whose bytes are `pattern`, matches all of `path` or
    /// a beginning of it. [`Pattern::may_match`] must be true of the path.
    pub fn matches(self, pattern: &[u8], path: &[u8]) -> bool {
        match self.shape {
            // The heads have compared all of a short pattern, unless the path was padded.
            Shape::Prefix if pattern.len() <= size_of::<u64>() => path.len() >= pattern.len(),
            Shape::Prefix => path.starts_with(pattern),
            Shape::WordPrefix => ends_at_word(pattern, path),
            Shape::Exact => path == &pattern[..pattern.len() - 1],
            Shape::Wildcard => matches_wildcard(pattern, path, false),
            Shape::AnchoredWildcard => matches_wildcard(&pattern[..pattern.len() - 1], path, true),
        }
    }
}

/// Returns true if and only if `path` begins with `pattern` and not in the middle of a word.
fn ends_at_word(pattern: &[u8], path: &[u8]) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    path.strip_prefix(pattern)
        .is_some_and(|rest| !(is_word(pattern.last()) && is_word(rest.first())))
}

/// Matches a pattern with at least one `*`: its pieces must be in the path one after the other,
/// the first at the start and, if it is anchored, the last at the end.
///
/// The leftmost match of each piece leaves the longest rest for the next, so nothing is tried
/// twice.
fn matches_wildcard(pattern: &[u8], path: &[u8], is_anchored: bool) -> bool {
    let mut pieces = pattern.split(|&byte| byte == b'*');
    let first = pieces.next().unwrap_or_default();
    let last = pieces.next_back().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        match find(rest, piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    if is_anchored {
        rest.ends_with(last)
    } else {
        find(rest, last).is_some()
    }
}

/// Returns the first offset of `piece` in `text`.
fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    // Most patterns are short, and preparing a searcher would cost more than the search. For long
    // ones its linear time is needed.
    const SHORT: usize = 1 << 14;
    let Some((&first, tail)) = piece.split_first() else {
        return Some(0);
    };
    if text.len().saturating_mul(piece.len()) > SHORT {
        return memmem::find(text, piece);
    }
    memchr::memchr_iter(first, text).find(|&at| text[at + 1..].starts_with(tail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{naive, sample::random::Random};

    fn matches(
        characters: SpecialCharacters,
        prefix_end: PrefixEnd,
        pattern: &[u8],
        path: &[u8],
    ) -> bool {
        let compiled = Pattern::compile(Special::find(characters, pattern), prefix_end, pattern);
        compiled.may_match(LiteralHead::new(path), ByteSet::from_text(path))
            && compiled.matches(pattern, path)
    }

    fn compiled(pattern: &[u8], path: &[u8]) -> bool {
        let special = SpecialCharacters::StarAndDollar;
        matches(special, PrefixEnd::Anywhere, pattern, path)
    }

    macro_rules! hits {
        ($($pattern:literal => [$($hit:literal)*], [$($miss:literal)*];)+) => {
            #[test]
            fn patterns_match_what_they_say() {
                $(
                    $(for matcher in [compiled, naive::matches] {
                        assert!(matcher($pattern.as_bytes(), $hit.as_bytes()), "{} {}", $pattern, $hit);
                    })*
                    $(for matcher in [compiled, naive::matches] {
                        assert!(!matcher($pattern.as_bytes(), $miss.as_bytes()), "{} {}", $pattern, $miss);
                    })*
                )+
            }
        };
    }

    hits! {
        "" => ["/" ""], [];
        "/" => ["/" "/x"], [];
        "/fish" => ["/fish" "/fish.html" "/fishheads"], ["/Fish" "/fis" "/catfish"];
        "/longer/than/eight" => ["/longer/than/eight/x"], ["/longer/than/eigh" "/longer/x"];
        "/*.php" => ["/index.php" "/a/b.php5?x"], ["/" "/windows.PHP"];
        "/*.php$" => ["/a.php" "/a.php.php"], ["/a.php?x" "/a.php5"];
        "/a$" => ["/a"], ["/a$" "/ab" "/"];
        "/a$b" => ["/a$b" "/a$bc"], ["/a" "/ab"];
        "$" => [], ["/" "/a"];
        "*" => ["/" ""], [];
        "*$" => ["/" "/a"], [];
        "/*/*b*$" => ["/a/b" "/a/bcd"], ["/b" "/a/c"];
        "/a*a$" => ["/aa" "/aba"], ["/a"];
        "/**x" => ["/x" "/yx"], ["/"];
    }

    #[test]
    fn the_compiled_matcher_agrees_with_the_naive_one() {
        let mut random = Random::new(1);
        for _ in 0..200_000 {
            let pattern: Vec<u8> = (0..random.below(12))
                .map(|_| random.pick(b"/ab*$*ab"))
                .collect();
            let path: Vec<u8> = (0..random.below(14))
                .map(|_| random.pick(b"/ab$"))
                .collect();
            assert_eq!(
                compiled(&pattern, &path),
                naive::matches(&pattern, &path),
                "{pattern:?} {path:?}"
            );
        }
    }

    #[test]
    fn hostile_patterns_are_bounded() {
        // Trying every run for every star, as the naive matcher does, would not end.
        let stars = b"*a".repeat(2_000);
        let path = [&b"/"[..], &b"a".repeat(1_999), &b"b".repeat(4_000)].concat();
        assert!(!compiled(&stars, &path));
        assert!(!compiled(
            &[&b"/"[..], &b"*".repeat(2_000), b"x$"].concat(),
            &path
        ));
        let ending = [&b"/*"[..], &b"a".repeat(3_000), b"c"].concat();
        assert!(!compiled(
            &ending,
            &[&b"/"[..], &b"a".repeat(6_000)].concat()
        ));
    }

    #[test]
    fn plain_bytes_are_not_special() {
        let plain =
            |path: &[u8]| matches(SpecialCharacters::Plain, PrefixEnd::Anywhere, b"/*$", path);
        assert!(plain(b"/*$x") && !plain(b"/x"));
    }

    #[test]
    fn a_word_prefix_ends_at_a_word() {
        let matches = |pattern: &[u8], path: &[u8]| {
            let special = SpecialCharacters::StarAndDollar;
            matches(special, PrefixEnd::WordBoundary, pattern, path)
        };
        assert!(matches(b"/tmp", b"/tmp") && matches(b"/tmp", b"/tmp.html"));
        assert!(!matches(b"/tmp", b"/tmphoho") && !matches(b"/tmp", b"/tmp1"));
        assert!(matches(b"/", b"/x") && matches(b"/tmp/", b"/tmp/x"));
        assert!(matches(b"/tmp*", b"/tmphoho"));
    }
}
