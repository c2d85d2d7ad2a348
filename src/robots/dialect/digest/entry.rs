//! The rules of a file in the form in which they are compared.

use std::cmp::Ordering;

use super::{Comparison, Meaning, language::Language};
use crate::robots::{
    dialect::{
        group::RuleKind,
        pattern::{ByteSet, Shape},
    },
    lines::{Span, first_word},
};

/// The different rules of a file.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    /// Sorted by [`Entry::compare`].
    pub entries: &'r [Entry],
    /// The texts of their languages.
    pub texts: &'r [u8],
}

/// The index of a rule among those of a file.
pub(super) type EntryId = u32;

/// A rule in the form in which it is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The first bytes of the literal prefix, as a number in the order of the texts.
    pub head: u64,
    /// The text of its language.
    pub text: Span,
    pub literal_len: u32,
    pub shape: Shape,
    /// The bytes of its language.
    pub bytes: ByteSet,
    pub kind: RuleKind,
    /// The higher one wins, and an allow before a disallow where they are equal.
    pub priority: u32,
    pub has_wildcard: bool,
    /// The first rule of the file that is the same.
    pub first_same: EntryId,
}

impl Entry {
    #[inline]
    pub fn language<'t>(&self, texts: &'t [u8]) -> Language<'t> {
        Language {
            text: self.text.of(texts),
            shape: self.shape,
            literal_len: self.literal_len,
            bytes: self.bytes,
        }
    }

    /// Orders by literal prefix, then by language, kind and falling preference.
    pub fn compare(&self, other: &Entry, texts: &[u8]) -> Ordering {
        self.head.cmp(&other.head).then_with(|| {
            let (a, b) = (self.language(texts), other.language(texts));
            (a.literal().cmp(b.literal()))
                .then_with(|| a.text.cmp(b.text))
                .then_with(|| (a.shape, self.kind).cmp(&(b.shape, other.kind)))
                .then_with(|| other.priority.cmp(&self.priority))
                .then_with(|| self.has_wildcard.cmp(&other.has_wildcard))
        })
    }

    /// Returns true if and only if language and kind are equal.
    pub fn is_same(&self, other: &Entry, texts: &[u8]) -> bool {
        let is_alike = (self.head, self.kind) == (other.head, other.kind);
        is_alike && self.language(texts) == other.language(texts)
    }

    /// Returns the length of the longest common beginning of two literal prefixes.
    pub fn common_literal_len(&self, other: &Entry, texts: &[u8]) -> u32 {
        let shorter = self.literal_len.min(other.literal_len);
        let n_equal = (self.head ^ other.head).leading_zeros() / 8;
        if n_equal < u64::BITS / 8 || shorter <= n_equal {
            return shorter.min(n_equal);
        }
        let (a, b) = (self.language(texts), other.language(texts));
        let pairs = a.literal().iter().zip(b.literal());
        pairs.take_while(|(a, b)| a == b).count() as u32
    }

    pub fn rank(&self) -> i64 {
        i64::from(self.priority) * 2 + i64::from(self.kind == RuleKind::Allow) + 1
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
    /// The indexes of those in the order of comparison.
    order: Vec<(SortKey, u32)>,
    /// The different rules in the order of comparison.
    sorted: Vec<Entry>,
    /// For each matcher its rule; `None` where it can change no verdict.
    of_matchers: Vec<Option<EntryId>>,
}

impl Entries {
    /// Replaces the rules by those of another file, which are compared in this way.
    pub fn rebuild(&mut self, meaning: Meaning<'_>, comparison: Comparison) {
        // Where length decides, an empty pattern has the least priority and disallows nothing.
        let skips_empty = !meaning.is_first_rule_decisive && comparison == Comparison::ByRank;
        self.texts.clear();
        self.texts.extend_from_slice(meaning.patterns);
        self.written.clear();
        self.order.clear();
        for (index, matcher) in (0..).zip(meaning.matchers) {
            if skips_empty && matcher.priority == 0 {
                continue;
            }
            let bytes = &mut self.texts[matcher.text.indexes()];
            let language = Language::normalize(matcher.pattern, bytes, meaning.has_rooted_paths);
            let Some(language) = language else {
                continue;
            };
            let entry = Entry {
                head: head(language.literal()),
                text: Span {
                    start: matcher.text.start,
                    end: matcher.text.start + language.text.len() as u32,
                },
                literal_len: language.literal_len,
                shape: language.shape,
                bytes: language.bytes,
                kind: matcher.kind,
                priority: if meaning.is_first_rule_decisive {
                    u32::MAX - index
                } else {
                    matcher.priority
                },
                has_wildcard: matcher.has_wildcard,
                first_same: EntryId::MAX,
            };
            let key = SortKey::new(language);
            self.order.push((key, self.written.len() as u32));
            self.written.push((entry, index));
        }
        self.sort(meaning.matchers.len());
    }

    /// Makes the sorted list of different rules from those that are written.
    fn sort(&mut self, n_matchers: usize) {
        let (texts, written) = (&self.texts, &self.written);
        self.order.sort_unstable_by(|(a, a_at), (b, b_at)| {
            let entry = |at: u32| &written[at as usize].0;
            a.cmp(b)
                .then_with(|| entry(*a_at).compare(entry(*b_at), texts))
        });
        self.sorted.clear();
        self.of_matchers.clear();
        self.of_matchers.resize(n_matchers, None);
        for &(_, at) in &self.order {
            let (mut entry, matcher) = written[at as usize];
            let id = self.sorted.len() as EntryId;
            let last = self.sorted.last();
            let same = last.filter(|last| last.is_same(&entry, texts));
            entry.first_same = same.map_or(id, |same| same.first_same);
            let rank = |entry: &Entry| (entry.priority, entry.has_wildcard);
            if same.is_none_or(|same| rank(same) != rank(&entry)) {
                self.sorted.push(entry);
            }
            self.of_matchers[matcher as usize] = Some(self.sorted.len() as EntryId - 1);
        }
        if self.written.len() > MANY {
            // The lists of such a file, which come next, take as much memory again.
            self.written = Vec::new();
            self.order = Vec::new();
        }
    }

    /// Returns the different rules.
    pub fn rules(&self) -> Rules<'_> {
        Rules {
            entries: &self.sorted,
            texts: &self.texts,
        }
    }

    /// Returns for each matcher its rule; `None` where it can change no verdict.
    pub fn of_matchers(&self) -> &[Option<EntryId>] {
        &self.of_matchers
    }
}

/// What is compared first of two rules. Where the keys differ, [`Entry::compare`] orders the rules
/// as the keys are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SortKey {
    /// The head of the literal prefix.
    head: u64,
    /// The length of a literal prefix that is all in its head, where the shorter one begins the
    /// longer one; otherwise the length of the head and one more.
    literal_len: usize,
    /// The head of what follows: of the literal prefix, or of the text after it.
    next: u64,
}

impl SortKey {
    fn new(language: Language<'_>) -> SortKey {
        const HEAD: usize = size_of::<u64>();
        let literal = language.literal();
        let n_read = literal.len().min(HEAD);
        let rest = if literal.len() > HEAD {
            literal
        } else {
            language.text
        };
        SortKey {
            head: head(literal),
            literal_len: literal.len().min(HEAD + 1),
            next: head(&rest[n_read..]),
        }
    }
}

/// Returns the first bytes of a text as a number, which sorts as the text does.
pub(super) fn head(text: &[u8]) -> u64 {
    first_word(text).swap_bytes()
}
