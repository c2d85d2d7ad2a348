//! What holds for a crawler.
//!
//! The statements for all crawlers and those for any token of the crawler's chain count together,
//! those of elements and of fields; where they contradict each other, the more restrictive holds
//! (Google, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications"). Statements on
//! single links and elements say nothing about the page.

use super::{
    Page,
    directive::ImagePreview,
    statement::{Directive, Place, Statement, StatementSource},
};
use crate::named::named;

named! {
    ALL
    /// Whose interpretation of statements.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum PageDialect {
        /// Google's: every directive, in elements of head, body and `noscript` and in fields.
        Google = "google",
        /// That of Baidu's help page: `nofollow` and `noarchive` in elements of the head, for
        /// `robots` and `Baiduspider`.
        Baidu = "baidu",
    }
}

impl PageDialect {
    /// Returns true if and only if a statement counts for a crawler with these tokens.
    fn heeds<T: AsRef<str>>(self, page: &Page, statement: &Statement, chain: &[T]) -> bool {
        let is_of_page = matches!(
            statement.source,
            StatementSource::Meta | StatementSource::Header
        );
        let token = page.text(statement.agent_token);
        let is_of_chain = |token: &str| {
            let mut chain = chain.iter();
            chain.any(|own| own.as_ref().eq_ignore_ascii_case(token))
        };
        if !(is_of_page && statement.is_valid && (token == "*" || is_of_chain(token))) {
            return false;
        }
        match self {
            Self::Google => true,
            Self::Baidu => {
                statement.place == Place::Head
                    && matches!(token, "*" | "baiduspider")
                    && matches!(
                        statement.directive,
                        Some(Directive::Nofollow | Directive::Noarchive)
                    )
            }
        }
    }
}

/// A value, and the index of the statement that decided it: the first of those that state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided<T> {
    /// The value.
    pub value: T,
    /// The statement among [`Page::statements`]; `None` if nothing is stated.
    pub statement: Option<usize>,
}

impl<T> Decided<T> {
    fn unless_stated(value: T) -> Decided<T> {
        let statement = None;
        Decided { value, statement }
    }

    fn set(&mut self, value: T, index: usize) {
        self.value = value;
        self.statement = Some(index);
    }
}

impl Decided<bool> {
    /// Adds a statement that allows or forbids. The first that forbids decides, else the first.
    fn add(&mut self, is_allowed: bool, index: usize) {
        if self.statement.is_none() || self.value && !is_allowed {
            self.set(is_allowed, index);
        }
    }
}

impl<T: Copy> Decided<Option<T>> {
    /// Adds a statement of a limit. The first of the least in `order` decides.
    fn lower<O: Ord>(&mut self, limit: T, index: usize, order: impl Fn(T) -> O) {
        if self.value.is_none_or(|least| order(limit) < order(least)) {
            self.set(Some(limit), index);
        }
    }
}

/// Counts, of which -1 is the largest.
fn count(limit: i64) -> u64 {
    limit as u64
}

/// What a page states for one crawler under one dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePolicy {
    /// Whether the page may be in an index.
    pub may_index: Decided<bool>,
    /// Whether its links may be followed.
    pub may_follow: Decided<bool>,
    /// Whether a cached copy may be shown.
    pub may_archive: Decided<bool>,
    /// Whether text of it may be shown.
    pub may_snippet: Decided<bool>,
    /// Most characters of text that may be shown; -1: any number.
    pub max_snippet: Decided<Option<i64>>,
    /// The largest image that may be shown.
    pub max_image_preview: Decided<Option<ImagePreview>>,
    /// Most seconds of a video that may be shown; -1: any number.
    pub max_video_preview: Decided<Option<i64>>,
    /// The time after which it must not be in an index: microseconds since 1970, UTC.
    pub unavailable_after: Decided<Option<i64>>,
}

impl PagePolicy {
    fn new() -> PagePolicy {
        PagePolicy {
            may_index: Decided::unless_stated(true),
            may_follow: Decided::unless_stated(true),
            may_archive: Decided::unless_stated(true),
            may_snippet: Decided::unless_stated(true),
            max_snippet: Decided::unless_stated(None),
            max_image_preview: Decided::unless_stated(None),
            max_video_preview: Decided::unless_stated(None),
            unavailable_after: Decided::unless_stated(None),
        }
    }

    fn add(&mut self, directive: Directive, statement: &Statement, page: &Page, index: usize) {
        match directive {
            Directive::All | Directive::None => {
                let is_allowed = directive == Directive::All;
                self.may_index.add(is_allowed, index);
                self.may_follow.add(is_allowed, index);
            }
            Directive::Index | Directive::Noindex => {
                self.may_index.add(directive == Directive::Index, index);
            }
            Directive::Follow | Directive::Nofollow => {
                self.may_follow.add(directive == Directive::Follow, index);
            }
            Directive::Archive | Directive::Noarchive | Directive::Nocache => {
                self.may_archive.add(directive == Directive::Archive, index);
            }
            Directive::Nosnippet => self.may_snippet.add(false, index),
            Directive::MaxSnippet => {
                if let Some(limit) = statement.number {
                    self.max_snippet.lower(limit, index, count);
                    if limit == 0 {
                        self.may_snippet.add(false, index);
                    }
                }
            }
            Directive::MaxImagePreview => {
                let value = statement.value.map(|range| page.text(range).as_bytes());
                if let Some(limit) = value.and_then(ImagePreview::of) {
                    self.max_image_preview.lower(limit, index, |limit| limit);
                }
            }
            Directive::MaxVideoPreview => {
                if let Some(limit) = statement.number {
                    self.max_video_preview.lower(limit, index, count);
                }
            }
            Directive::UnavailableAfter => {
                if let Some(time) = statement.time {
                    self.unavailable_after.lower(time, index, |time| time);
                }
            }
            _ => {}
        }
    }
}

impl Page {
    /// Returns what holds for a crawler that calls itself by the tokens of `chain`, without regard
    /// to case and order.
    ///
    /// A page can only be obeyed by crawlers that may fetch it: what its robots.txt forbids to
    /// fetch is not read.
    pub fn policy<T: AsRef<str>>(&self, dialect: PageDialect, chain: &[T]) -> PagePolicy {
        let mut policy = PagePolicy::new();
        for (index, statement) in self.statements().iter().enumerate() {
            if let Some(directive) = statement.directive
                && dialect.heeds(self, statement, chain)
            {
                policy.add(directive, statement, self, index);
            }
        }
        policy
    }
}
