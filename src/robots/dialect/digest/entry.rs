//! The rules of a file in the form in which they are compared.

use std::cmp::Ordering;

use super::Meaning;
use crate::robots::{
    dialect::{
        group::RuleKind,
        pattern::{Pattern, Shape},
    },
    lines::{Span, first_word},
};

/// The different rules of a file.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    /// Sorted by [`Entry::compare`].
    pub entries: &'r [Entry],
    /// The texts of their patterns.
    pub texts: &'r [u8],
}

/// The index of a rule among those of a file.
pub(super) type EntryId = u32;

/// A rule in the form in which it is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The first bytes of the literal prefix, as a number in the order of the texts.
    head: u64,
    /// The pattern without a special `$`, without stars at its end, and with one `*` for several.
    pub text: Span,
    /// The length of the text before the first special `*`: every path begins with it.
    literal_len: u32,
    pub shape: Shape,
    pub kind: RuleKind,
    /// The higher one wins, and an allow before a disallow where they are equal.
    pub priority: u32,
    pub has_wildcard: bool,
    /// The first rule of the file that is the same.
    pub first_same: EntryId,
}

impl Entry {
    fn literal<'t>(&self, texts: &'t [u8]) -> &'t [u8] {
        &self.text.of(texts)[..self.literal_len as usize]
    }

    /// Returns true if and only if its literal prefix begins with that of another rule.
    pub fn starts_with(&self, other: &Entry, texts: &[u8]) -> bool {
        self.literal(texts).starts_with(other.literal(texts))
    }

    /// Orders by literal prefix, then by pattern, kind and falling preference.
    fn compare(&self, other: &Entry, texts: &[u8]) -> Ordering {
        self.head.cmp(&other.head).then_with(|| {
            (self.literal(texts).cmp(other.literal(texts)))
                .then_with(|| self.text.of(texts).cmp(other.text.of(texts)))
                .then_with(|| (self.shape, self.kind).cmp(&(other.shape, other.kind)))
                .then_with(|| other.priority.cmp(&self.priority))
                .then_with(|| self.has_wildcard.cmp(&other.has_wildcard))
        })
    }

    /// Returns true if and only if the patterns are equal.
    pub fn has_pattern_of(&self, other: &Entry, texts: &[u8]) -> bool {
        (self.head, self.shape) == (other.head, other.shape)
            && self.text.of(texts) == other.text.of(texts)
    }

    /// Returns its rank: an allow wins over a disallow of its priority.
    pub fn rank(&self) -> u64 {
        u64::from(self.priority) * 2 + u64::from(self.kind == RuleKind::Allow)
    }

    /// Returns the index of the kind that it is not of.
    pub fn other_kind(&self) -> usize {
        1 - self.kind as usize
    }
}

/// Rules of a file from which on memory that is not needed any more is freed.
const MANY: usize = 16 * 1024;

/// The rules of a file; reuses its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    /// The patterns of all rules, each normalized where it stands.
    texts: Vec<u8>,
    /// The rules as they are written, each with the index of its matcher.
    written: Vec<(Entry, u32)>,
    /// The different rules in the order of comparison.
    sorted: Vec<Entry>,
    /// For each matcher its rule; `None` where it can change no verdict.
    pub of_matchers: Vec<Option<EntryId>>,
}

impl Entries {
    /// Replaces the rules by those of another file.
    pub fn rebuild(&mut self, meaning: Meaning<'_>, are_compared: bool) {
        // Where length decides, an empty pattern has the least priority and disallows nothing.
        let skips_empty = !meaning.is_first_rule_decisive && are_compared;
        self.texts.clear();
        self.texts.extend_from_slice(meaning.patterns);
        self.written.clear();
        for (index, matcher) in (0..).zip(meaning.matchers) {
            if skips_empty && matcher.priority == 0 {
                continue;
            }
            let bytes = &mut self.texts[matcher.text.indexes()];
            let normal = normalize(matcher.pattern, bytes, meaning.has_rooted_paths);
            let Some((shape, text)) = normal else {
                continue;
            };
            let star = has_star(shape).then(|| memchr::memchr(b'*', text));
            let literal_len = star.flatten().unwrap_or(text.len());
            let start = matcher.text.start;
            let entry = Entry {
                head: head(&text[..literal_len]),
                text: Span::new(start, start + text.len() as u32),
                literal_len: literal_len as u32,
                shape,
                kind: matcher.kind,
                priority: if meaning.is_first_rule_decisive {
                    u32::MAX - index
                } else {
                    matcher.priority
                },
                has_wildcard: matcher.has_wildcard,
                first_same: EntryId::MAX,
            };
            self.written.push((entry, index));
        }
        self.sort(meaning.matchers.len());
    }

    /// Makes the sorted list of different rules from those that are written.
    fn sort(&mut self, n_matchers: usize) {
        let (texts, written) = (&self.texts, &mut self.written);
        written.sort_unstable_by(|(a, _), (b, _)| a.compare(b, texts));
        self.sorted.clear();
        self.of_matchers.clear();
        self.of_matchers.resize(n_matchers, None);
        for &(mut entry, matcher) in &*written {
            let id = self.sorted.len() as EntryId;
            let same = (self.sorted.last())
                .filter(|last| last.kind == entry.kind && last.has_pattern_of(&entry, texts));
            entry.first_same = same.map_or(id, |same| same.first_same);
            let rank = |entry: &Entry| (entry.priority, entry.has_wildcard);
            if same.is_none_or(|same| rank(same) != rank(&entry)) {
                self.sorted.push(entry);
            }
            self.of_matchers[matcher as usize] = Some(self.sorted.len() as EntryId - 1);
        }
        if written.len() > MANY {
            // The lists of such a file, which come next, take as much memory again.
            self.written = Vec::new();
        }
    }

    /// Returns the different rules.
    pub fn rules(&self) -> Rules<'_> {
        Rules {
            entries: &self.sorted,
            texts: &self.texts,
        }
    }
}

/// Returns the first bytes of a text as a number, which sorts as the text does.
pub(super) fn head(text: &[u8]) -> u64 {
    first_word(text).swap_bytes()
}

/// Changes a pattern to its normal form, and returns its shape and what is left of it; `None` where
/// it matches no path. Patterns with equal normal forms match the same paths.
///
/// Where `has_rooted_paths`, every path begins with `/`, so that `/` matches all of them as the
/// empty pattern does, and a pattern that begins with another byte than `/` or `*` none.
fn normalize(pattern: Pattern, bytes: &mut [u8], has_rooted_paths: bool) -> Option<(Shape, &[u8])> {
    let end = bytes.len();
    let (shape, text) = match pattern.shape {
        Shape::Exact => (Shape::Exact, &bytes[..end - 1]),
        Shape::WordPrefix if bytes.last().is_some_and(u8::is_ascii_alphanumeric) => {
            (Shape::WordPrefix, &*bytes)
        }
        Shape::Prefix | Shape::WordPrefix => (Shape::Prefix, &*bytes),
        Shape::Wildcard => normalize_stars(bytes, false),
        Shape::AnchoredWildcard => normalize_stars(&mut bytes[..end - 1], true),
    };
    match (shape, text) {
        _ if !has_rooted_paths => Some((shape, text)),
        (Shape::Prefix, b"/") | (Shape::Wildcard, b"*/") => Some((Shape::Prefix, &[])),
        (Shape::Prefix, b"") | (_, [b'/', ..]) => Some((shape, text)),
        (_, [b'*', ..]) if has_star(shape) => Some((shape, text)),
        _ => None,
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
