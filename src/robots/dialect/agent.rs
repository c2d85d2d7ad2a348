//! Crawlers, and which groups apply to them.

use memchr::memmem;

use super::{
    definition::{
        AgentCase, AgentChain, AgentCut, AgentMatch, Dialect, DuplicateGroups, GroupEnd, TextModel,
    },
    group::Structure,
    hash::hash_of_ends,
    python,
};
use crate::{
    named::named,
    robots::lines::{Span, is_blank_byte},
};

/// A crawler, prepared for one dialect.
#[derive(Clone, Debug)]
pub struct Agent {
    tokens: Vec<FoldedToken>,
    chain: AgentChain,
    matching: AgentMatch,
}

#[derive(Clone, Debug)]
struct FoldedToken {
    bytes: Vec<u8>,
    hash: u32,
}

impl Agent {
    /// Prepares a crawler that calls itself by the tokens of `chain`, the most specific first, such
    /// as `Googlebot-News` and `Googlebot`.
    ///
    /// The token `*` is a crawler that no group names. Where the dialect cuts user-agent
    /// values to product tokens, the crawler's tokens are cut alike.
    pub fn new<T: AsRef<[u8]>>(dialect: &Dialect, chain: &[T]) -> Agent {
        let mut tokens = Vec::with_capacity(chain.len());
        for token in chain {
            let token = token.as_ref();
            let token = match dialect.agent_cut {
                AgentCut::Letters | AgentCut::WithoutStars | AgentCut::AsWritten => token,
                AgentCut::ProductToken => product_token(token),
                AgentCut::BeforeSlash => before_slash(token).trim_ascii(),
                AgentCut::WholeValue => before_slash(token),
            };
            // Google and Python compare any text; in the other dialects an empty token is no token,
            // and `*` is not a name.
            let is_literal = dialect.agent_cut == AgentCut::Letters
                || dialect.agent_match == AgentMatch::TokenContainsValue;
            if !is_literal && (token.is_empty() || token == b"*") {
                continue;
            }
            let mut bytes = Vec::new();
            match dialect.text {
                TextModel::PythonStr => python::fold_name(token, &mut bytes),
                _ => fold(dialect, token, &mut bytes),
            }
            let hash = hash_of_ends(&bytes);
            tokens.push(FoldedToken { bytes, hash });
        }
        Agent {
            tokens,
            chain: dialect.agent_chain,
            matching: dialect.agent_match,
        }
    }
}

/// The groups that apply to one agent in one file; reusable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    kind: SelectionKind,
    groups: Vec<u32>,
}

named! {
    /// The reason why the groups of a [`Selection`] apply.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum SelectionKind {
        /// They name the agent.
        Named = "named",
        /// They are for every crawler, and none names the agent.
        Wildcard = "wildcard",
        /// There are none.
        #[default]
        None = "none",
    }
}

/// A key of a [`Selection`] within one file: agents with equal keys get equal decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SelectionKey(u64);

impl Selection {
    /// Returns a selection without groups.
    pub fn new() -> Selection {
        Selection::default()
    }

    /// Returns why the groups apply.
    pub fn kind(&self) -> SelectionKind {
        self.kind
    }

    /// Returns the indexes of the groups, rising.
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// Returns the key under which decisions may be shared.
    ///
    /// It is exact for up to one group. A longer list is hashed to 62 bits.
    pub fn key(&self) -> SelectionKey {
        let list = match *self.groups {
            [] => 0,
            [group] => u64::from(group) + 1,
            ref groups => {
                groups.iter().fold(1 << 61, |state: u64, &group| {
                    let mixed = (state ^ u64::from(group)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    (mixed ^ mixed >> 29) | 1 << 61
                }) & ((1 << 62) - 1)
            }
        };
        SelectionKey(list << 2 | self.kind as u64)
    }
}

/// The user-agent lines of one file, ready to be compared; reusable.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentIndex {
    /// The hash of each line's token, which is empty for `*`. Apart from the lines themselves,
    /// since most lookups end here.
    pub hashes: Vec<u32>,
    lines: Vec<IndexedLine>,
    tokens: Vec<u8>,
    /// The groups for every crawler.
    pub wildcard_groups: Vec<u32>,
    /// Whether the first group of a name is the only one that counts.
    pub is_first_only: bool,
    /// Whether a name may be compared with a part of another.
    is_partial: bool,
    /// Whether only the longest names that fit a token count for it.
    is_longest_prefix: bool,
    /// Whether all tokens of a crawler are looked up together.
    is_together: bool,
}

#[derive(Clone, Copy, Debug)]
struct IndexedLine {
    /// Its name among the tokens.
    token: Span,
    group: u32,
    /// Whether the line can name a crawler at all.
    is_name: bool,
}

impl AgentIndex {
    /// Indexes the user-agent lines of `structure`, dropping those of the file before.
    pub fn rebuild(&mut self, dialect: &Dialect, body: &[u8], structure: &Structure) {
        self.hashes.clear();
        self.hashes.reserve(structure.agents.len());
        self.lines.clear();
        self.lines.reserve(structure.agents.len());
        self.tokens.clear();
        self.wildcard_groups.clear();
        self.is_first_only = dialect.duplicate_groups == DuplicateGroups::FirstOnly;
        self.is_longest_prefix = dialect.agent_match == AgentMatch::LongestPrefix;
        self.is_partial = !self.is_longest_prefix && dialect.agent_match != AgentMatch::Equal;
        self.is_together = dialect.agent_chain == AgentChain::Together;
        for (index, group) in structure.groups.iter().enumerate() {
            let agents = group.agents.of(&structure.agents);
            let has_wildcard = agents.iter().any(|agent| agent.is_wildcard);
            let is_first = self.wildcard_groups.is_empty();
            let counts = is_first || !self.is_first_only;
            if has_wildcard && counts && !group.is_dropped {
                self.wildcard_groups.push(index as u32);
            }
            // For Python a group that names `*` is the default and nothing else.
            let is_default = has_wildcard && dialect.group_end == GroupEnd::PythonStates;
            for agent in agents {
                let token_start = self.tokens.len();
                if !agent.is_wildcard {
                    fold(dialect, agent.token.of(body), &mut self.tokens);
                }
                let token = &self.tokens[token_start..];
                let is_comparable = !token.is_empty()
                    || dialect.agent_cut == AgentCut::Letters
                    || dialect.agent_match == AgentMatch::TokenContainsValue;
                self.hashes.push(hash_of_ends(token));
                self.lines.push(IndexedLine {
                    token: Span::from_indexes(token_start..self.tokens.len()),
                    group: index as u32,
                    is_name: !(agent.is_wildcard || is_default || group.is_dropped)
                        && is_comparable,
                });
            }
        }
    }

    /// Finds the groups that apply to `agent`. Costs one pass over the user-agent lines for each
    /// token of the agent, and allocates only while `selection` grows.
    pub fn select(&self, agent: &Agent, selection: &mut Selection) {
        selection.groups.clear();
        match agent.chain {
            AgentChain::Together => self.collect(agent.matching, &agent.tokens, selection),
            AgentChain::InOrder => {
                for token in &agent.tokens {
                    self.collect(agent.matching, std::slice::from_ref(token), selection);
                    if !selection.groups.is_empty() {
                        break;
                    }
                }
            }
        }
        if !selection.groups.is_empty() {
            selection.kind = SelectionKind::Named;
            return;
        }
        selection.groups.extend_from_slice(&self.wildcard_groups);
        selection.kind = if self.wildcard_groups.is_empty() {
            SelectionKind::None
        } else {
            SelectionKind::Wildcard
        };
    }

    /// Returns, for each line that can name a crawler, its index and its group.
    pub fn names(&self) -> impl Iterator<Item = (u32, u32)> {
        let lines = (0..).zip(&self.lines);
        lines
            .filter(|(_, line)| line.is_name)
            .map(|(index, line)| (index, line.group))
    }

    /// Returns the name on the line of this index, in the form in which it is compared.
    pub fn token_of(&self, index: u32) -> &[u8] {
        self.token(&self.lines[index as usize])
    }

    /// Returns true if and only if groups with different names may match one crawler, and the first
    /// of them applies.
    pub fn is_group_order_relevant(&self) -> bool {
        self.is_first_only && (self.is_partial || self.is_together)
    }

    /// Returns true if and only if groups with different names may apply to one crawler together.
    pub fn is_united(&self) -> bool {
        !self.is_first_only && (self.is_partial || self.is_together)
    }

    /// Returns true if and only if the groups of one name are never left out on account of another
    /// name: a crawler with several names has the groups of all.
    pub fn is_every_name_applied(&self) -> bool {
        !self.is_first_only && self.is_together && !self.is_longest_prefix
    }

    fn collect(&self, matching: AgentMatch, tokens: &[FoldedToken], selection: &mut Selection) {
        if let (AgentMatch::Equal, [token]) = (matching, tokens) {
            return self.collect_equal(token, selection);
        }
        let fits = |value: &[u8]| {
            tokens
                .iter()
                .any(|token| fits(matching, value, &token.bytes))
        };
        let names = || self.lines.iter().filter(|line| line.is_name);
        let values = || names().map(|line| self.token(line));
        let fitting = || values().filter(|value| fits(value));
        let longest = match matching {
            AgentMatch::LongestPrefix => fitting().map(<[u8]>::len).max(),
            _ => None,
        };
        for line in names() {
            let value = self.token(line);
            let is_shorter = longest.is_some_and(|longest| value.len() < longest);
            if !is_shorter && fits(value) && self.push(line.group, selection) {
                return;
            }
        }
    }

    /// Finds the lines of one token by their hashes: by far the most frequent lookup.
    fn collect_equal(&self, token: &FoldedToken, selection: &mut Selection) {
        for (at, _) in (self.hashes.iter().enumerate()).filter(|(_, hash)| **hash == token.hash) {
            let line = &self.lines[at];
            if line.is_name && self.token(line) == token.bytes && self.push(line.group, selection) {
                return;
            }
        }
    }

    /// Adds a group once, and returns true if and only if no other can count.
    fn push(&self, group: u32, selection: &mut Selection) -> bool {
        if selection.groups.last() != Some(&group) {
            selection.groups.push(group);
        }
        self.is_first_only
    }

    fn token(&self, line: &IndexedLine) -> &[u8] {
        line.token.of(&self.tokens)
    }
}

/// Returns whether a user-agent value names the crawler with a token.
fn fits(matching: AgentMatch, value: &[u8], token: &[u8]) -> bool {
    match matching {
        AgentMatch::Equal => value == token,
        AgentMatch::LongestPrefix => token.starts_with(value),
        AgentMatch::ValueContainsToken => memmem::find(value, token).is_some(),
        AgentMatch::TokenContainsValue => memmem::find(token, value).is_some(),
        AgentMatch::EqualOrLetters => value == token || letters(value) == token,
    }
}

/// Returns the part of a user-agent value that is compared, and whether it is for every
/// crawler.
pub(super) fn cut(dialect: &Dialect, body: &[u8], value: Span) -> (Span, bool) {
    let text = value.of(body);
    let is_wildcard = match (dialect.text, text) {
        (TextModel::PythonStr, _) => text == b"*" || text == b"%2A" || text == b"%2a",
        (_, [b'*']) => true,
        (_, [b'*', next, ..]) => is_blank_byte(*next),
        _ => false,
    };
    let mut start = value.start;
    let token = match dialect.agent_cut {
        // The text after the star is not part of it.
        _ if is_wildcard && text.starts_with(b"*") => &text[..1],
        AgentCut::Letters => letters(text),
        AgentCut::ProductToken => product_token(text),
        AgentCut::BeforeSlash => before_slash(text).trim_ascii_end(),
        AgentCut::WithoutStars => {
            let is_of_name = |&byte: &u8| byte != b'*' && !is_blank_byte(byte);
            let first = text.iter().position(is_of_name).unwrap_or(0);
            let end = text.iter().rposition(is_of_name).map_or(0, |last| last + 1);
            start += first as u32;
            &text[first..end]
        }
        AgentCut::WholeValue | AgentCut::AsWritten => text,
    };
    (Span::new(start, start + token.len() as u32), is_wildcard)
}

/// Returns true if and only if `byte` may be in a product token (RFC 9309 section 2.2.1).
pub(super) fn is_product_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
}

fn letters(text: &[u8]) -> &[u8] {
    until(text, |byte| !is_product_token_byte(byte))
}

fn before_slash(text: &[u8]) -> &[u8] {
    until(text, |byte| byte == b'/')
}

/// Returns a name without its version and what follows.
pub(super) fn product_token(text: &[u8]) -> &[u8] {
    until(text, |byte| {
        is_blank_byte(byte) || matches!(byte, b'/' | b';' | b'(' | b'*')
    })
}

fn until(text: &[u8], ends: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|&byte| ends(byte));
    &text[..end.unwrap_or(text.len())]
}

/// Appends the token of a user-agent line in the form in which it is compared.
fn fold(dialect: &Dialect, token: &[u8], out: &mut Vec<u8>) {
    if dialect.text == TextModel::PythonStr {
        return python::fold_value(token, out);
    }
    let start = out.len();
    out.extend_from_slice(token);
    if dialect.agent_case == AgentCase::Ignored {
        out[start..].make_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::{
        dialect::{
            RuleSet,
            testing::{compile, select},
        },
        lines::{RobotsTxt, parse},
    };

    macro_rules! selects {
        ($($name:ident: $dialect:literal, $body:literal, $($chain:expr => $kind:ident $groups:expr),+;)+) => {
            $(
                #[test]
                fn $name() {
                    $(
                        let selection = select($dialect, $body, &$chain);
                        assert_eq!(selection.kind(), SelectionKind::$kind, "{:?}", $chain);
                        let expected: &[u32] = &$groups;
                        assert_eq!(selection.groups(), expected, "{:?}", $chain);
                    )+
                }
            )+
        };
    }

    selects! {
        google_merges_groups_and_falls_back_to_the_wildcard: "google",
            b"user-agent: a\nallow: /\nuser-agent: *\nallow: /\nuser-agent: A\nallow: /",
            ["a"] => Named [0, 2], ["b"] => Wildcard [1], ["*"] => Wildcard [1];
        google_cuts_values_at_the_first_byte_that_is_no_letter: "google",
            b"user-agent: MJ12bot\nallow: /\nuser-agent: Googlebot/2.1\nallow: /",
            ["MJ12bot"] => None [], ["MJ"] => Named [0], ["googlebot"] => Named [1];
        google_takes_a_star_before_white_space_for_everyone: "google",
            b"user-agent: * x\nallow: /\nuser-agent: *bot\nallow: /",
            ["bot"] => Wildcard [0], [""] => Named [1];
        google_asks_all_tokens_together: "google",
            b"user-agent: a\nallow: /\nuser-agent: b\nallow: /",
            ["b", "a"] => Named [0, 1];
        rfc9309_asks_tokens_in_order: "rfc9309",
            b"user-agent: a\nallow: /\nuser-agent: b\nallow: /",
            ["b", "a"] => Named [1], ["c", "a"] => Named [0], ["c"] => None [];
        rfc9309_keeps_digits_and_dots: "rfc9309",
            b"user-agent: MJ12bot/v1\nallow: /\nuser-agent: archive.org_bot (x)\nallow: /",
            ["mj12bot"] => Named [0], ["archive.org_bot"] => Named [1], [""] => None [];
        a_group_that_names_everyone_and_one_is_both: "rfc9309",
            b"user-agent: a\nuser-agent: *\nallow: /\nuser-agent: a\nallow: /",
            ["a"] => Named [0, 1], ["b"] => Wildcard [0];
        google_2019_takes_the_longest_prefix_and_minds_case: "google-2019",
            b"user-agent: goo\nallow: /\nuser-agent: google\nallow: /\nuser-agent: Googlebot\nallow: /",
            ["googlebot"] => Named [1], ["Googlebot-News"] => Named [2], ["go"] => None [];
        google_legacy_reads_the_first_group_only: "google-legacy",
            b"user-agent: goo\nallow: /\nuser-agent: GOO\nallow: /",
            ["google"] => Named [0];
        baidu_compares_whole_names: "baidu",
            b"user-agent: Baidu\nallow: /\n\nuser-agent: baiduspider/2.0\nallow: /",
            ["Baiduspider"] => Named [1], ["Baidu"] => Named [0], ["Bai"] => None [];
        the_1996_draft_looks_for_the_name_in_the_value: "original-1994",
            b"user-agent: FigTree/0.1 Robot\nallow: /\n\nuser-agent: *\nallow: /",
            ["figtree"] => Named [0], ["FigTree/9"] => Named [0], ["figtrees"] => Wildcard [1],
            ["*"] => Wildcard [1];
        python_looks_for_the_value_in_the_name: "python",
            b"user-agent: fig\nallow: /\n\nuser-agent: figtree\nallow: /\n\nuser-agent: *\nallow: /",
            ["FigTree/0.1"] => Named [0], ["tree"] => Wildcard [2];
        python_decodes_escapes_in_the_file_and_not_in_the_name: "python",
            b"user-agent: %61b\nallow: /\n\nuser-agent: \xff\nallow: /",
            ["ab"] => Named [0], ["%61b"] => None [], ["\u{fffd}"] => Named [1];
        python_takes_a_group_that_names_everyone_as_the_default_only: "python",
            b"user-agent: a\nuser-agent: *\ndisallow: /\n\nuser-agent: a\nallow: /",
            ["a"] => Named [1], ["b"] => Wildcard [0];
    }

    /// Asserts which groups of a file apply to each of some tokens, in a dialect of no name.
    fn assert_selects(dialect: &Dialect, body: &[u8], expected: &[(&str, &[u32])]) {
        let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
        parse(body, &mut robots);
        rules.compile(dialect, body, &robots);
        let mut selection = Selection::new();
        for (token, groups) in expected {
            rules.select(&Agent::new(dialect, &[token]), &mut selection);
            assert_eq!(selection.groups(), *groups, "{token}");
        }
    }

    #[test]
    fn crawler_commons_takes_a_value_or_the_letters_at_its_start() {
        let dialect = Dialect {
            agent_match: AgentMatch::EqualOrLetters,
            agent_cut: AgentCut::WholeValue,
            ..Dialect::RFC9309.clone()
        };
        let body =
            b"user-agent: Foo/1\nallow: /\nuser-agent: a0 b\nallow: /\nuser-agent: a0\nallow: /";
        let expected = [("foo", &[0][..]), ("a", &[1, 2]), ("a0", &[2]), ("b", &[])];
        assert_selects(&dialect, body, &expected);
    }

    #[test]
    fn robots_parser_cuts_names_at_a_slash_and_ends_groups_at_any_field() {
        let dialect = Dialect {
            agent_cut: AgentCut::BeforeSlash,
            group_end: GroupEnd::AgentLineAfterField,
            ..Dialect::GOOGLE.clone()
        };
        let body = b"user-agent: Foo2 x /1\nuser-agent: b\nsitemap: s\nuser-agent: c\nallow: /\n\n\
            user-agent: d*\nHost: h\n# x\nuser-agent: e\nuser-agent: f\nallow: /";
        let expected = [
            (" foo2 x/7", &[0][..]),
            ("foo2", &[]),
            ("b", &[0]),
            ("c", &[1]),
            ("d*", &[2]),
            ("d", &[]),
            ("e", &[3]),
            ("f", &[3]),
        ];
        assert_selects(&dialect, body, &expected);
    }

    #[test]
    fn protego_drops_the_stars_around_a_name() {
        let dialect = Dialect {
            agent_cut: AgentCut::WithoutStars,
            ..Dialect::GOOGLE.clone()
        };
        let body =
            b"user-agent: ** Foo/1 *\nallow: /\nuser-agent: a*b\nallow: /\nuser-agent: **\nallow: /";
        let expected = [("foo/1", &[0][..]), ("foo", &[]), ("a*b", &[1]), ("", &[])];
        assert_selects(&dialect, body, &expected);
    }

    #[test]
    fn texting_robots_compares_what_is_written() {
        let dialect = Dialect {
            agent_cut: AgentCut::AsWritten,
            ..Dialect::GOOGLE.clone()
        };
        let body = b"user-agent: Foo/1 x*\nallow: /\nuser-agent: a/\nallow: /";
        let expected = [
            ("foo/1 x*", &[0][..]),
            ("foo/1 x", &[]),
            ("a/", &[1]),
            ("a", &[]),
        ];
        assert_selects(&dialect, body, &expected);
    }

    #[test]
    fn equal_keys_are_equal_selections() {
        let body = b"user-agent: a\nuser-agent: b\nallow: /\nuser-agent: c\nallow: /\n\
            user-agent: a\nallow: /\nuser-agent: b\nallow: /x\nuser-agent: *\nallow: /";
        let key = |agent| select("google", body, &[agent]).key();
        assert_eq!(key("x"), key("y"));
        let keys = ["a", "b", "c", "x"].map(key);
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{keys:?}");
        }
    }

    #[test]
    fn a_wildcard_line_has_the_star_as_its_token() {
        let body = b"user-agent: * and more\nuser-agent: Foo/1";
        let rules = compile("google", body);
        let tokens: Vec<_> = rules
            .agents()
            .iter()
            .map(|agent| agent.token.of(body))
            .collect();
        assert_eq!(tokens, [&b"*"[..], b"Foo"]);
        assert!(rules.agents()[0].is_wildcard && !rules.agents()[1].is_wildcard);
    }
}
