//! `rfc9309`: the standard (RFC 9309).
//!
//! Where the standard leaves room, the answer here is:
//! - 2.2.1: a user-agent value is cut at the first blank, `/`, `;`, `(` or `*` and not at a digit
//!   or a dot, so that `MJ12bot` meets its own group.
//! - 2.3.1.2: five redirects are followed, and the next one makes the file unavailable.
//! - 2.5: 500 KiB are read, the least that is allowed.

use std::borrow::Cow;

use super::{
    access::{Access, AccessPolicy},
    google::BYTE_LIMIT,
    spec::*,
};

pub(super) const SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("rfc9309"),
    text: TextModel::Octets,
    byte_order_mark: ByteOrderMark::Skipped,
    byte_limit: Some(BYTE_LIMIT),
    line_limit: None,
    field_names: FieldNames::Exact,
    missing_colon: MissingColon::Rejected,
    group_end: GroupEnd::AgentLineAfterRule,
    duplicate_groups: DuplicateGroups::Merged,
    agent_cut: AgentCut::ProductToken,
    agent_match: AgentMatch::Equal,
    agent_case: AgentCase::Ignored,
    agent_chain: AgentChain::InOrder,
    special_characters: SpecialCharacters::StarAndDollar,
    trailing_star: TrailingStar::Counted,
    leading_slash: LeadingSlash::Required,
    percent: Percent::Normalized,
    precedence: Precedence::LongestPattern,
    wildcard_conflict: WildcardConflict::Decided,
    empty_pattern: EmptyPattern::NoEffect,
    index_page: IndexPage::Plain,
    robots_txt_itself: RobotsTxtItself::AlwaysAllowed,
    prefix_end: PrefixEnd::Anywhere,
    access: AccessPolicy {
        max_hops: Some(5),
        redirect: Access::Redirect,
        too_many_hops: Access::FullAllow,
        unauthorized: Access::FullAllow,
        too_many_requests: Access::FullAllow,
        client_error: Access::FullAllow,
        server_error: Access::FullDisallow,
        unreachable: Access::FullDisallow,
    },
};
