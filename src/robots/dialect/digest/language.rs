//! The set of paths that a pattern matches.
//!
//! Each compiled pattern has a normal form. Whether the set of one includes that of another, and
//! whether two may have a path in common, is decided conservatively: "includes" only where it is
//! certain, and "nothing in common" too.

use crate::robots::dialect::pattern::{ByteSet, Pattern, Shape, ends_at_word, find};

/// The set of paths that a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Language<'t> {
    /// The pattern without a special `$`, without stars at its end, and with one `*` for several.
    pub text: &'t [u8],
    pub shape: Shape,
    /// The length of `text` before the first special `*`: every path begins with it.
    pub literal_len: u32,
    /// The bytes of `text` but special stars: every path has them.
    pub bytes: ByteSet,
}

impl<'t> Language<'t> {
    /// Returns the language of `pattern`, whose bytes are `bytes`; `None` where no path matches.
    /// The bytes are changed to the text of the language, and what is left of them at their end.
    ///
    /// Where `has_rooted_paths`, every path begins with `/`, so that `/` matches all of them as the
    /// empty pattern does, and a pattern that begins with another byte than `/` or `*` none.
    pub fn normalize(
        pattern: Pattern,
        bytes: &'t mut [u8],
        has_rooted_paths: bool,
    ) -> Option<Language<'t>> {
        let end = bytes.len();
        let (mut shape, mut text) = match pattern.shape() {
            Shape::Exact => (Shape::Exact, &bytes[..end - 1]),
            Shape::WordPrefix if bytes.last().is_some_and(u8::is_ascii_alphanumeric) => {
                (Shape::WordPrefix, &*bytes)
            }
            Shape::Prefix | Shape::WordPrefix => (Shape::Prefix, &*bytes),
            Shape::Wildcard => normalize_stars(bytes, false),
            Shape::AnchoredWildcard => normalize_stars(&mut bytes[..end - 1], true),
        };
        if has_rooted_paths {
            let is_all = match shape {
                Shape::Prefix => text == b"/",
                Shape::Wildcard => text == b"*/",
                _ => false,
            };
            if is_all {
                shape = Shape::Prefix;
                text = &[];
            }
            let matches_none = match text.first() {
                None => shape == Shape::Exact,
                Some(b'/') => false,
                Some(b'*') => !has_star(shape),
                Some(_) => true,
            };
            if matches_none {
                return None;
            }
        }
        let (literal_len, bytes) = if has_star(shape) {
            (memchr::memchr(b'*', text), ByteSet::from_pieces(text))
        } else {
            (None, ByteSet::from_text(text))
        };
        Some(Language {
            text,
            shape,
            literal_len: literal_len.unwrap_or(text.len()) as u32,
            bytes,
        })
    }

    /// Returns the literal prefix, with which every path begins.
    #[inline]
    pub fn literal(self) -> &'t [u8] {
        &self.text[..self.literal_len as usize]
    }

    /// Returns true only if every path of `other` is one of this language.
    ///
    /// The literal prefix of `other` must begin with that of this language, as it does wherever the
    /// answer is true.
    #[inline]
    pub fn includes(self, other: Language<'_>) -> bool {
        match self.shape {
            Shape::Prefix => true,
            Shape::WordPrefix if other.literal_len == self.literal_len => {
                matches!(other.shape, Shape::WordPrefix | Shape::Exact)
            }
            Shape::WordPrefix => ends_at_word(self.text, other.literal()),
            Shape::Exact => other.shape == Shape::Exact && other.literal_len == self.literal_len,
            Shape::Wildcard | Shape::AnchoredWildcard => {
                other.bytes.may_include(self.bytes) && self.covers_by_pieces(other)
            }
        }
    }

    /// Returns false only if no path is in both languages.
    ///
    /// The literal prefix of `other` must begin with that of this language: otherwise no path is.
    pub fn intersects(self, other: Language<'_>) -> bool {
        let is_equally_long = self.literal_len == other.literal_len;
        match (self.shape, other.shape) {
            // A language of one path is covered if and only if the path matches.
            (Shape::Exact, _) => is_equally_long && other.includes(self),
            (_, Shape::Exact) => self.includes(other),
            (Shape::AnchoredWildcard, Shape::AnchoredWildcard) => {
                let (a, b) = (self.ending(), other.ending());
                a.ends_with(b) || b.ends_with(a)
            }
            (Shape::WordPrefix, _) if !is_equally_long => ends_at_word(self.text, other.literal()),
            _ => true,
        }
    }

    /// Returns the text after the last `*`.
    fn ending(self) -> &'t [u8] {
        if has_star(self.shape) {
            &self.text[memchr::memrchr(b'*', self.text).map_or(0, |at| at + 1)..]
        } else {
            self.text
        }
    }

    /// Finds the pieces of this language, which has a `*`, inside the pieces of the other: every
    /// path of `other` contains its pieces, whatever its stars match.
    fn covers_by_pieces(self, other: Language<'_>) -> bool {
        let is_anchored = self.shape == Shape::AnchoredWildcard;
        if is_anchored && !matches!(other.shape, Shape::Exact | Shape::AnchoredWildcard) {
            return false;
        }
        let mut rest = &other.literal()[self.literal_len as usize..];
        let others = has_star(other.shape).then(|| &other.text[other.literal_len as usize + 1..]);
        let mut others = others
            .into_iter()
            .flat_map(|text| text.split(|&byte| byte == b'*'));
        let mut pieces = self.text[self.literal_len as usize + 1..].split(|&byte| byte == b'*');
        let last = if is_anchored {
            pieces.next_back()
        } else {
            None
        };
        for piece in pieces {
            loop {
                if let Some(at) = find(rest, piece) {
                    rest = &rest[at + piece.len()..];
                    break;
                }
                let Some(next) = others.next() else {
                    return false;
                };
                rest = next;
            }
        }
        last.is_none_or(|last| others.next_back().unwrap_or(rest).ends_with(last))
    }
}

fn has_star(shape: Shape) -> bool {
    matches!(shape, Shape::Wildcard | Shape::AnchoredWildcard)
}

/// Changes a pattern with stars to its normal form, and returns its shape and what is left of it.
fn normalize_stars(pattern: &mut [u8], is_anchored: bool) -> (Shape, &[u8]) {
    let mut len = pattern.len();
    if pattern.windows(2).any(|pair| pair == b"**") {
        len = 0;
        for at in 0..pattern.len() {
            if !(pattern[at] == b'*' && pattern[..len].ends_with(b"*")) {
                pattern[len] = pattern[at];
                len += 1;
            }
        }
    }
    let pattern = &pattern[..len];
    let text = pattern.strip_suffix(b"*").unwrap_or(pattern);
    let ends_open = text.len() < len;
    let shape = match (text.contains(&b'*'), is_anchored && !ends_open) {
        (true, true) => Shape::AnchoredWildcard,
        (true, false) => Shape::Wildcard,
        // The only star was at the end.
        (false, _) => Shape::Prefix,
    };
    (shape, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        naive,
        robots::dialect::{
            definition::{PrefixEnd, SpecialCharacters},
            pattern::Special,
        },
    };

    /// Matches by the definition; a pattern may not end inside a word of the path if asked.
    fn matches(pattern: &[u8], path: &[u8], prefix_end: PrefixEnd) -> bool {
        let is_plain = !pattern.contains(&b'*') && !pattern.ends_with(b"$");
        let continues = path
            .get(pattern.len())
            .is_some_and(u8::is_ascii_alphanumeric)
            && pattern.last().is_some_and(u8::is_ascii_alphanumeric);
        let is_cut = prefix_end == PrefixEnd::WordBoundary && is_plain && continues;
        naive::matches(pattern, path) && !is_cut
    }

    /// Returns all texts of up to `n` letters.
    fn texts(letters: &[u8], n: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..n {
            let longer = last.iter().flat_map(|text: &Vec<u8>| {
                let longer = |&letter: &u8| [text, &[letter][..]].concat();
                letters.iter().map(longer)
            });
            last = longer.collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    /// The language of a pattern, and the paths that it matches, as bits.
    type KnownLanguage<'t> = (Option<Language<'t>>, Vec<u64>);

    #[test]
    fn what_is_said_of_languages_holds_for_all_short_paths() {
        let patterns = texts(b"/a*$", 4);
        let mut n_covers = 0;
        let mut n_apart = 0;
        for prefix_end in [PrefixEnd::Anywhere, PrefixEnd::WordBoundary] {
            for has_rooted_paths in [true, false] {
                let mut paths = texts(b"/ab$", 5);
                paths.retain(|path| !has_rooted_paths || path.starts_with(b"/"));
                let mut texts = patterns.clone();
                let mut known: Vec<KnownLanguage<'_>> = Vec::new();
                for (pattern, text) in patterns.iter().zip(&mut texts) {
                    let special = Special::find(SpecialCharacters::StarAndDollar, pattern);
                    let compiled = Pattern::compile(special, prefix_end, pattern);
                    let found = Language::normalize(compiled, text, has_rooted_paths);
                    let mut bits = vec![0; paths.len().div_ceil(64)];
                    for (index, path) in paths.iter().enumerate() {
                        if matches(pattern, path, prefix_end) {
                            bits[index / 64] |= 1 << (index % 64);
                        }
                    }
                    assert!(
                        found.is_some() || bits.iter().all(|&bits| bits == 0),
                        "{pattern:?}"
                    );
                    known.push((found, bits));
                }
                for (a, a_bits) in &known {
                    for (b, b_bits) in &known {
                        let (Some(a), Some(b)) = (*a, *b) else {
                            continue;
                        };
                        let mut bits = a_bits.iter().zip(b_bits);
                        if a == b {
                            assert_eq!(a_bits, b_bits, "{a:?} {b:?}");
                        }
                        let begins =
                            |a: Language<'_>, b: Language<'_>| b.literal().starts_with(a.literal());
                        if begins(a, b) && a.includes(b) {
                            assert!(bits.clone().all(|(a, b)| b & !a == 0), "{a:?} {b:?}");
                            assert!(a.intersects(b), "{a:?} {b:?}");
                            n_covers += 1;
                        }
                        if begins(a, b) && begins(b, a) {
                            assert_eq!(a.intersects(b), b.intersects(a), "{a:?} {b:?}");
                        }
                        let intersects =
                            (begins(a, b) && a.intersects(b)) || (begins(b, a) && b.intersects(a));
                        if !intersects {
                            assert!(bits.all(|(a, b)| a & b == 0), "{a:?} {b:?}");
                            n_apart += 1;
                        }
                    }
                }
            }
        }
        assert!(
            n_covers > 20_000 && n_apart > 50_000,
            "{n_covers} {n_apart}"
        );
    }
}
