//! The crawlers that `meta` elements may name.
//!
//! Pages have `meta` elements of any name. Only a name that is known as that of a crawler makes one
//! a statement for it: those below, and those that the caller adds.

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

/// The names of crawlers, sorted.
#[derive(Clone, Debug)]
pub(super) struct CrawlerNames(Vec<Vec<u8>>);

impl CrawlerNames {
    /// Returns the known names and `others`.
    pub fn with<T: AsRef<[u8]>>(others: impl IntoIterator<Item = T>) -> CrawlerNames {
        let known = KNOWN.iter().map(|name| name.as_bytes().to_vec());
        let others = others
            .into_iter()
            .map(|name| name.as_ref().to_ascii_lowercase());
        let mut names: Vec<_> = known.chain(others).collect();
        names.sort_unstable();
        names.dedup();
        CrawlerNames(names)
    }

    /// Returns true if and only if a name in lower case is that of a crawler.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.0
            .binary_search_by(|known| known.as_slice().cmp(name))
            .is_ok()
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
    }
}
