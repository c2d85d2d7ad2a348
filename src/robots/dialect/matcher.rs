//! Rules that can decide: the normalized pattern of a rule, compiled, with its priority.

use std::ops::ControlFlow;

use memchr::memrchr;

use super::{
    definition::{
        Dialect, EmptyPattern, IndexPage, LeadingSlash, Percent, TrailingStar, WildcardConflict,
    },
    group::{Rule, RuleKind},
    path::PreparedPath,
    pattern::{Pattern, Special},
    percent::{Operand, normalize},
    python,
};
use crate::robots::lines::Span;

/// A pattern that can decide. A rule has none when it is without effect, and two when it names an
/// index page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matcher {
    pub pattern: Pattern,
    /// Its bytes among the patterns of the rule set.
    pub text: Span,
    /// Its priority where the longest pattern wins.
    pub priority: u32,
    /// The index of its rule.
    pub rule: u32,
    /// Whether it allows or disallows.
    pub kind: RuleKind,
    /// Whether it has a special `*`.
    pub has_wildcard: bool,
}

impl Matcher {
    /// Compiles a rule, whose index is `index`, unless it is without effect.
    pub fn from_rule(
        dialect: &Dialect,
        index: u32,
        rule: &Rule,
        patterns: &[u8],
    ) -> Option<Matcher> {
        let pattern = rule.pattern.of(patterns);
        let kind = match (rule.value.is_empty(), dialect.empty_pattern) {
            (true, EmptyPattern::Ignored) => return None,
            (true, EmptyPattern::AllowsAll) => RuleKind::Allow,
            _ => rule.kind,
        };
        let is_path = rule.value.is_empty() || matches!(pattern.first(), Some(b'/' | b'*'));
        if dialect.leading_slash == LeadingSlash::Required && !is_path {
            return None;
        }
        let special = Special {
            has_wildcard: rule.has_wildcard,
            has_anchor: rule.has_anchor,
        };
        Some(Matcher {
            pattern: Pattern::compile(special, dialect.prefix_end, pattern),
            text: rule.pattern,
            priority: rule.pattern.len(),
            rule: index,
            kind,
            has_wildcard: rule.has_wildcard,
        })
    }

    /// Compiles the directory of the index page that the rule allows, if the rule is one and the
    /// dialect allows the directory too (`RobotsMatcher::HandleAllow` of robots.cc). The new
    /// pattern is appended to `patterns`.
    ///
    /// It is shorter than the pattern of the page and so never outranks it, whether that matches or
    /// not.
    pub fn of_directory(&self, dialect: &Dialect, patterns: &mut Vec<u8>) -> Option<Matcher> {
        if dialect.index_page == IndexPage::Plain || self.kind == RuleKind::Disallow {
            return None;
        }
        let pattern = self.text.of(patterns);
        let slash = memrchr(b'/', pattern)?;
        if !pattern[slash..].starts_with(b"/index.htm") {
            return None;
        }
        let start = patterns.len();
        let directory = self.text.start as usize..self.text.start as usize + slash + 1;
        patterns.extend_from_within(directory);
        patterns.push(b'$');
        let text = Span::from_indexes(start..patterns.len());
        let special = Special::find(dialect.special_characters, text.of(patterns));
        Some(Matcher {
            pattern: Pattern::compile(special, dialect.prefix_end, text.of(patterns)),
            text,
            priority: text.len(),
            has_wildcard: special.has_wildcard,
            ..*self
        })
    }

    /// Returns true if and only if this matcher replaces `best`, which is of the same kind and has
    /// matched, where it matches too.
    ///
    /// Among equal lengths the earlier wins, except that a pattern without a wildcard beats one
    /// with it where wildcards make conflicts undefined: there the order of lines has no meaning.
    pub fn outranks(&self, best: &Matcher, wildcard_conflict: WildcardConflict) -> bool {
        let is_plainer = best.has_wildcard
            && !self.has_wildcard
            && wildcard_conflict != WildcardConflict::Decided;
        self.priority > best.priority || (self.priority == best.priority && is_plainer)
    }

    /// Returns false where the bytes of `path` prove that the pattern does not match it.
    #[inline]
    pub fn may_match(&self, path: &PreparedPath) -> bool {
        self.pattern.may_match(path.head, path.byte_set)
    }

    /// Returns true if and only if the pattern, whose bytes are in `patterns`, matches `path`.
    pub fn matches(&self, patterns: &[u8], path: &PreparedPath) -> bool {
        let text = self.text.of(patterns);
        self.may_match(path) && self.pattern.matches(text, path.as_bytes())
    }
}

/// Appends the normalized pattern of `rule` to `patterns` and sets it and its special
/// characters in `rule`; breaks where the dialect ends the file.
pub(super) fn set_pattern(
    dialect: &Dialect,
    body: &[u8],
    rule: &mut Rule,
    patterns: &mut Vec<u8>,
) -> ControlFlow<()> {
    let start = patterns.len();
    let value = rule.value.of(body);
    if dialect.percent == Percent::PythonQuoted {
        if python::pattern_of_value(value, patterns).is_err() {
            return ControlFlow::Break(());
        }
    } else {
        match (dialect.leading_slash, value.first()) {
            (_, None | Some(b'/')) | (LeadingSlash::Anywhere, Some(b'*')) => {}
            (LeadingSlash::Supplied, _) => patterns.push(b'/'),
            (LeadingSlash::Anywhere, _) => patterns.push(b'*'),
            (LeadingSlash::AsWritten | LeadingSlash::Required, _) => {}
        }
        let is_plain = normalize(dialect.percent, Operand::Pattern, value, patterns);
        rule.is_plain = is_plain && patterns.len() - start == value.len();
    }
    let mut special = if rule.is_plain {
        Special::default()
    } else {
        Special::find(dialect.special_characters, &patterns[start..])
    };
    if special.has_wildcard && dialect.trailing_star == TrailingStar::Dropped {
        special.has_wildcard = drop_trailing_stars(start, patterns);
    }
    rule.pattern = Span::from_indexes(start..patterns.len());
    rule.has_wildcard = special.has_wildcard;
    rule.has_anchor = special.has_anchor;
    ControlFlow::Continue(())
}

/// Drops the stars at the end of the pattern that begins at `start`, and returns whether another
/// one is left. Of nothing but stars, `/` is left, which matches as much.
fn drop_trailing_stars(start: usize, patterns: &mut Vec<u8>) -> bool {
    let pattern = &patterns[start..];
    let last = pattern.iter().rposition(|&byte| byte != b'*');
    patterns.truncate(start + last.map_or(0, |last| last + 1));
    if last.is_none() {
        patterns.push(b'/');
    }
    patterns[start..].contains(&b'*')
}
