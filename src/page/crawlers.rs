//! The crawlers that `meta` elements may name.
//!
//! Pages have `meta` elements of any name, so not every one is a statement. It is one if
//!
//! - its name is known as that of a crawler: those below, and those that the caller adds; or
//! - its name is any other product token, and its content can be meant for a crawler alone: a list
//!   of directives, of which one is not a word that other metadata use as well (`all`, `none`,
//!   `index`, `follow`, `archive`), or of which two are different.
//!
//! So `<meta name=NewBot content=noindex>` is a statement for a crawler that nobody knows yet,
//! while `<meta name=audience content=all>` and `<meta name=page-type content=index>` are none.
//! Neither is an element whose name is plainly no crawler, such as `description`, whatever its
//! content.

use std::collections::BTreeSet;

use super::{
    directive::{self, List},
    statement::{Directive, StatementFinding},
};

/// Names of crawlers in lower case, from the documentation of their operators, and `google`, by
/// which Google names all of its crawlers in elements for translations and search boxes.
const KNOWN: [&str; 46] = [
    "360spider",
    "adsbot-google",
    "ahrefsbot",
    "amazonbot",
    "anthropic-ai",
    "applebot",
    "applebot-extended",
    "baiduspider",
    "bingbot",
    "bytespider",
    "ccbot",
    "chatgpt-user",
    "claude-user",
    "claudebot",
    "diffbot",
    "duckduckbot",
    "facebookexternalhit",
    "google",
    "google-extended",
    "googlebot",
    "googlebot-image",
    "googlebot-news",
    "googlebot-video",
    "gptbot",
    "ia_archiver",
    "mediapartners-google",
    "meta-externalagent",
    "mj12bot",
    "mojeekbot",
    "msnbot",
    "naverbot",
    "oai-searchbot",
    "perplexitybot",
    "petalbot",
    "qwantbot",
    "semrushbot",
    "seznambot",
    "slurp",
    "sogou",
    "storebot-google",
    "teoma",
    "twitterbot",
    "yandex",
    "yandexbot",
    "yeti",
    "youbot",
];

/// Names in lower case that are no crawlers: the metadata names of the HTML Standard (4.2.5.1), and
/// others of old pages, where lists of directives are mistakes.
const NO_CRAWLERS: [&str; 17] = [
    "abstract",
    "application-name",
    "author",
    "cache-control",
    "category",
    "color-scheme",
    "description",
    "expires",
    "generator",
    "keywords",
    "language",
    "pragma",
    "referrer",
    "subject",
    "theme-color",
    "title",
    "viewport",
];

/// Directives whose names are words of other metadata too.
const COMMON_WORDS: [Directive; 5] = [
    Directive::All,
    Directive::None,
    Directive::Index,
    Directive::Follow,
    Directive::Archive,
];

/// Returns true if and only if a name in lower case may be that of a crawler that is not known: a
/// product token, with digits, that no other metadata have.
pub(super) fn may_be_crawler(name: &[u8]) -> bool {
    let is_of_token = |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_other = NO_CRAWLERS.iter().any(|other| other.as_bytes() == name);
    !name.is_empty() && name.iter().all(is_of_token) && !is_other
}

/// What the content of an element tells about whom it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContentKind {
    /// Whether all items are directives; one that is cut does not count.
    pub is_of_directives: bool,
    /// Whether it can be meant for a crawler alone.
    pub is_unmistakable: bool,
}

impl ContentKind {
    pub fn of(content: List<'_>) -> ContentKind {
        let mut is_of_directives = true;
        let mut words = 0_u64;
        directive::read(content, &mut |item| {
            match (item.directive, item.finding) {
                (_, Some(StatementFinding::ValueTooLong)) => {}
                (None, _) | (_, Some(StatementFinding::ValueUnexpected)) => {
                    is_of_directives = false;
                }
                (Some(directive), _) => words |= 1 << directive as u8,
            }
            is_of_directives
        });
        let common = COMMON_WORDS
            .iter()
            .fold(0_u64, |words, &word| words | 1 << word as u8);
        ContentKind {
            is_of_directives,
            is_unmistakable: is_of_directives && (words & !common != 0 || words.count_ones() > 1),
        }
    }
}

/// The names of crawlers.
#[derive(Clone, Debug)]
pub(super) struct CrawlerNames(BTreeSet<Vec<u8>>);

impl CrawlerNames {
    /// Returns the known names and `others`.
    pub fn with<T: AsRef<[u8]>>(others: impl IntoIterator<Item = T>) -> CrawlerNames {
        let known = KNOWN.iter().map(|name| name.as_bytes().to_vec());
        let others = others
            .into_iter()
            .map(|name| name.as_ref().to_ascii_lowercase());
        CrawlerNames(known.chain(others).collect())
    }

    /// Returns true if and only if a name in lower case is that of a crawler.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.0.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_in_lower_case() {
        assert!(KNOWN.is_sorted() && KNOWN.iter().all(|name| *name == name.to_lowercase()));
        let names = CrawlerNames::with(["MyBot"]);
        assert!(names.contains(b"mybot") && names.contains(b"googlebot"));
        assert!(!names.contains(b"viewport"));
        assert!(NO_CRAWLERS.is_sorted());
        assert!(
            NO_CRAWLERS
                .iter()
                .all(|name| !names.contains(name.as_bytes()))
        );
    }

    #[test]
    fn product_tokens_may_be_crawlers() {
        for name in ["googleother", "ai2bot", "new-bot_2"] {
            assert!(may_be_crawler(name.as_bytes()), "{name}");
        }
        for name in [
            "",
            "description",
            "twitter:card",
            "dc.title",
            "a b",
            "\u{e9}",
        ] {
            assert!(!may_be_crawler(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn directives_tell_what_is_for_crawlers() {
        for (text, is_cut, is_of_directives, is_unmistakable) in [
            ("noindex", false, true, true),
            ("NOINDEX follow", false, true, true),
            ("max-snippet: many", false, true, true),
            ("follow, all", false, true, true),
            ("all", false, true, false),
            ("index, index", false, true, false),
            ("none", false, true, false),
            ("archive", false, true, false),
            ("noindex, other", false, false, false),
            ("noindex: x", false, false, false),
            ("width=device-width", false, false, false),
            ("", false, false, false),
            ("noindex, noarch", true, true, true),
            ("noind", true, true, false),
            ("  ", true, true, false),
        ] {
            let content = List {
                text: text.as_bytes(),
                is_field: false,
                is_cut,
            };
            let expected = ContentKind {
                is_of_directives,
                is_unmistakable,
            };
            assert_eq!(ContentKind::of(content), expected, "{text}");
        }
    }
}
