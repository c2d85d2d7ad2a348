//! The names of a crawler.

/// The product tokens by which a crawler calls itself, the most specific first.
///
/// Most crawlers have one token (RFC 9309, section 2.2.1), and a text converts into it:
/// `"GPTBot"`. Some obey the groups of several, such as Google's for news; an array or a slice
/// converts into those: `["Googlebot-News", "Googlebot"]`. Which token counts is up to the
/// dialect. The token `*` is a crawler that no group names.
///
/// A token is not the header `User-Agent`: pass `GPTBot`, not
/// `Mozilla/5.0 (compatible; GPTBot/1.2)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProductTokens<'a>(Vec<&'a [u8]>);

impl<'a> ProductTokens<'a> {
    /// Collects tokens, the most specific first.
    pub fn new<T: AsRef<[u8]> + ?Sized + 'a>(tokens: impl IntoIterator<Item = &'a T>) -> Self {
        Self(tokens.into_iter().map(AsRef::as_ref).collect())
    }

    /// Returns the tokens, the most specific first.
    pub fn as_slice(&self) -> &[&'a [u8]] {
        &self.0
    }
}

impl<'a> From<&'a str> for ProductTokens<'a> {
    fn from(token: &'a str) -> Self {
        Self(vec![token.as_bytes()])
    }
}

impl<'a> From<&'a String> for ProductTokens<'a> {
    fn from(token: &'a String) -> Self {
        Self(vec![token.as_bytes()])
    }
}

impl<'a> From<&'a [u8]> for ProductTokens<'a> {
    fn from(token: &'a [u8]) -> Self {
        Self(vec![token])
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for ProductTokens<'a> {
    fn from(token: &'a [u8; N]) -> Self {
        Self(vec![token])
    }
}

impl<'a, const N: usize> From<[&'a str; N]> for ProductTokens<'a> {
    fn from(tokens: [&'a str; N]) -> Self {
        Self::new(tokens)
    }
}

impl<'a> From<&'a [&'a str]> for ProductTokens<'a> {
    fn from(tokens: &'a [&'a str]) -> Self {
        Self(tokens.iter().map(|token| token.as_bytes()).collect())
    }
}

impl<'a> From<&'a [String]> for ProductTokens<'a> {
    fn from(tokens: &'a [String]) -> Self {
        Self::new(tokens)
    }
}
