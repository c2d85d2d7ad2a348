//! `google`: what Googlebot does, bit for bit (github.com/google/robotstxt, robots.cc).
//!
//! Departures from RFC 9309, all of them kept:
//! - 2.2.1: a product token with a digit or a dot never meets its own group, since values are cut
//!   at the first byte that is no letter, `-` or `_`.
//! - 2.2.2: `/robots.txt` is a path as any other; an allow of an index page allows its directory.
//! - 2.2.3: nothing is decoded, and the URL is taken as given.
//! - 2.3.1: 429 forbids everything.

use std::borrow::Cow;

use super::{
    access::{Access, AccessPolicy},
    spec::*,
};

/// The bytes of a line that count: 2083, the longest URL some browsers take, times 8, less the
/// terminating NUL of the C buffer (`RobotsTxtParser::Parse` of robots.cc).
pub(super) const LINE_LIMIT: u32 = 2083 * 8 - 1;

/// The bytes of a file that Google reads: 500 KiB.
pub(super) const BYTE_LIMIT: u32 = 500 * 1024;

pub(super) const SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("google"),
    text: TextModel::OctetsToNul,
    byte_order_mark: ByteOrderMark::PrefixSkipped,
    byte_limit: Some(BYTE_LIMIT),
    line_limit: Some(LINE_LIMIT),
    field_names: FieldNames::GooglePrefixes,
    missing_colon: MissingColon::TwoWords,
    group_end: GroupEnd::AgentLineAfterRule,
    duplicate_groups: DuplicateGroups::Merged,
    agent_cut: AgentCut::Letters,
    agent_match: AgentMatch::Equal,
    agent_case: AgentCase::Ignored,
    agent_chain: AgentChain::Together,
    special_characters: SpecialCharacters::StarAndDollar,
    trailing_star: TrailingStar::Counted,
    leading_slash: LeadingSlash::AsWritten,
    percent: Percent::PatternEscaped,
    precedence: Precedence::LongestPattern,
    wildcard_conflict: WildcardConflict::Decided,
    empty_pattern: EmptyPattern::NoEffect,
    index_page: IndexPage::AllowsDirectory,
    robots_txt_itself: RobotsTxtItself::Ordinary,
    prefix_end: PrefixEnd::Anywhere,
    access: AccessPolicy {
        max_hops: Some(5),
        redirect: Access::Redirect,
        too_many_hops: Access::FullAllow,
        unauthorized: Access::FullAllow,
        too_many_requests: Access::FullDisallow,
        client_error: Access::FullAllow,
        server_error: Access::FullDisallow,
        unreachable: Access::FullDisallow,
    },
};
