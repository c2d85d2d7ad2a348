//! The questions that a dialect answers.
//!
//! Enters: nothing. Leaves: [`DialectSpec`], a struct of plain answers, so that two dialects are
//! compared by reading two rows, and a new one is written without a line of code. No answer acts
//! here; the other files of this room ask.

use std::borrow::Cow;

use super::access::AccessPolicy;

/// The answers of one dialect, one field for each question; [`source`](fn@super::source) cites
/// where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialectSpec {
    /// The name by which tables and options call the dialect.
    pub name: Cow<'static, str>,
    /// How bytes become lines and text.
    pub text: TextModel,
    /// What becomes of a UTF-8 byte order mark at the start of the file.
    pub byte_order_mark: ByteOrderMark,
    /// The bytes of a file that count; `None` for all.
    pub byte_limit: Option<u32>,
    /// The bytes of a line that count, leading blanks and comments included; `None` for all.
    pub line_limit: Option<u32>,
    /// Which keys are fields.
    pub field_names: FieldNames,
    /// What a line without a colon is.
    pub missing_colon: MissingColon,
    /// What ends a group.
    pub group_end: GroupEnd,
    /// What several groups of one agent are.
    pub duplicate_groups: DuplicateGroups,
    /// Which part of a user-agent value is compared.
    pub agent_cut: AgentCut,
    /// How a user-agent value and a crawler's token are compared.
    pub agent_match: AgentMatch,
    /// Whether letter case counts in that comparison.
    pub agent_case: AgentCase,
    /// How a crawler with several tokens is looked up.
    pub agent_chain: AgentChain,
    /// Whether `*` and `$` are special in a path-pattern.
    pub special_characters: SpecialCharacters,
    /// What stars at the end of a path-pattern are.
    pub trailing_star: TrailingStar,
    /// What a path-pattern without a leading `/` is.
    pub leading_slash: LeadingSlash,
    /// How percent escapes and non-ASCII bytes are compared.
    pub percent: Percent,
    /// Which of several matching rules wins.
    pub precedence: Precedence,
    /// Who wins when an allow and a disallow match and a `*` stands in one of the two best.
    pub wildcard_conflict: WildcardConflict,
    /// What a rule without a path is.
    pub empty_pattern: EmptyPattern,
    /// Whether an allow of an index page allows its directory too.
    pub index_page: IndexPage,
    /// Whether `/robots.txt` is an exception.
    pub robots_txt_itself: RobotsTxtItself,
    /// Whether a path-pattern may end inside a word of the path.
    pub prefix_end: PrefixEnd,
    /// What the outcome of the fetch decides before a line is read.
    pub access: AccessPolicy,
}

/// How bytes become lines and text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextModel {
    /// Bytes; CR, LF and CR LF end a line; ASCII white space is trimmed.
    Octets,
    /// Bytes as in [`TextModel::Octets`], and a NUL ends the text of its line, as it does in C.
    OctetsToNul,
    /// Python's `str`: UTF-8 decoded with replacement, `splitlines`, `strip`, values unquoted.
    PythonStr,
}

/// What becomes of a UTF-8 byte order mark at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrderMark {
    /// Any part of it, from its first byte on, is skipped.
    PrefixSkipped,
    /// It is skipped when it is whole.
    Skipped,
    /// It is part of the first line.
    Kept,
}

/// Which keys are fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldNames {
    /// Exact names, letter case aside.
    Exact,
    /// The keys that begin with a name or a misspelling on Google's list (`GetKeyType` of
    /// robots.cc).
    GooglePrefixes,
}

/// What a line without a colon is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingColon {
    /// No directive.
    Rejected,
    /// A key and a value, if they are the only two words of the line.
    TwoWords,
}

/// What ends a group. A rule ends the list of user-agent lines in all dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupEnd {
    /// A user-agent line behind a rule (RFC 9309 section 2.1).
    AgentLineAfterRule,
    /// That, and a line of nothing but white space.
    BlankLine,
    /// That, and an empty line; a group that has no rule yet is forgotten there, and crawl-delay
    /// and request-rate lines count as rules (CPython).
    PythonStates,
}

/// What several groups of one agent are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicateGroups {
    /// One group with the rules of all.
    Merged,
    /// The first in the file; the others do not count.
    FirstOnly,
}

/// Which part of a user-agent value is compared.
///
/// A value that is `*` alone, or `*` and white space with anything behind it, speaks for everyone
/// in every dialect, as in Google's matcher; the specifications know `*` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentCut {
    /// The longest prefix of letters, `-` and `_`.
    Letters,
    /// What stands before the first blank, `/`, `;`, `(` or `*`; the crawler's token is cut alike.
    ProductToken,
    /// The whole value; the crawler's token is cut at the first `/`.
    WholeValue,
}

/// How a user-agent value and a crawler's token are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentMatch {
    /// They are equal.
    Equal,
    /// The value is a prefix of the token; the longest such value wins.
    LongestPrefix,
    /// The token stands somewhere in the value (the 1996 draft, section 3.2.1).
    ValueContainsToken,
    /// The value stands somewhere in the token (CPython).
    TokenContainsValue,
}

/// Whether letter case counts between a user-agent value and a crawler's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentCase {
    /// It does not.
    Ignored,
    /// It does.
    Sensitive,
}

/// How a crawler with several tokens is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentChain {
    /// Groups of any token count together.
    Together,
    /// The first token that has a group decides.
    InOrder,
}

/// Whether `*` and `$` are special in a path-pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialCharacters {
    /// `*` is any run of bytes, and a final `$` the end of the path.
    StarAndDollar,
    /// They are plain bytes.
    Plain,
}

/// What special stars at the end of a path-pattern are. They never change what it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrailingStar {
    /// Octets of the pattern, and special characters as any others.
    Counted,
    /// Nothing: `/fish*` is `/fish`, for length and conflicts too. A value of nothing but stars is
    /// read as `/*`, and so is `/`.
    Dropped,
}

/// What a path-pattern without a leading `/` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadingSlash {
    /// What it says: it matches nothing unless it begins with `*`.
    AsWritten,
    /// No rule, unless it begins with `*`.
    Required,
    /// Read as if `/` stood in front.
    Supplied,
    /// Read as if `*` stood in front.
    Anywhere,
}

/// How percent escapes and non-ASCII bytes are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Percent {
    /// In the pattern, hex digits become upper case and bytes above 0x7F escapes; the URL is taken
    /// as given.
    PatternEscaped,
    /// In both, escapes of unreserved characters are decoded, others become upper case, and bytes
    /// above 0x7F escapes; `%2A` and `%24` are the plain bytes `*` and `$` (RFC 9309 section
    /// 2.2.3). Behind the first `?`, the escapes of `:`, `/`, `?`, `@`, `[` and `]` are decoded too
    /// (section 2.2.2, second row of the table).
    Normalized,
    /// In both, all escapes but that of `/` are decoded (the 1996 draft, section 3.2.2).
    DecodedButSlash,
    /// In both, what Python's `unquote`, `urlparse`, `urlunparse` and `quote` make of it.
    PythonQuoted,
}

/// Which of several matching rules wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// The longest pattern, an allow before a disallow of equal length, then the first in the file.
    LongestPattern,
    /// The first in the file.
    FirstInFile,
}

/// Who wins when an allow and a disallow match and a `*` stands in one of the two best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WildcardConflict {
    /// The one that wins without a `*`.
    Decided,
    /// An allow that is at least as long. A disallow that is longer leaves the verdict undefined,
    /// since the longer and the least restrictive rule are then not the same.
    LeastRestrictive,
    /// Nobody: the verdict is undefined.
    Undefined,
}

/// What a rule without a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyPattern {
    /// A rule that matches everything with the least priority and forbids nothing.
    NoEffect,
    /// No rule.
    Ignored,
    /// A rule that allows everything, whether allow or disallow.
    AllowsAll,
}

/// Whether an allow of an index page allows its directory too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexPage {
    /// It does not.
    Plain,
    /// `/dir/index.htm` and what begins so also allows `/dir/` (`RobotsMatcher::HandleAllow`
    /// of robots.cc).
    AllowsDirectory,
}

/// Whether `/robots.txt` is an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotsTxtItself {
    /// It is a path as any other.
    Ordinary,
    /// It is always allowed (RFC 9309 section 2.2.2).
    AlwaysAllowed,
}

/// Whether a path-pattern may end inside a word of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixEnd {
    /// It may: a pattern is a prefix.
    Anywhere,
    /// A pattern without special characters that ends with a letter or digit does not match where
    /// another one follows.
    WordBoundary,
}
