//! `google-2019`: the July 2019 revision of Google's specification, its text taken literally.
//!
//! The text contradicts itself, and the contradictions are kept:
//! - It says that the user-agent is case-sensitive; Google's own parser ignores case.
//! - Of a conflict with wildcards it says that the least restrictive rule wins, that the longer
//!   rule wins, and in its table that the result is undefined. Where length and least restriction
//!   agree, the verdict is theirs; where the disallow is the longer rule, it is undefined.

use std::borrow::Cow;

use super::{
    access::{Access, AccessPolicy},
    google::BYTE_LIMIT,
    spec::*,
};

pub(super) const SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("google-2019"),
    text: TextModel::Octets,
    byte_order_mark: ByteOrderMark::Skipped,
    byte_limit: Some(BYTE_LIMIT),
    line_limit: None,
    field_names: FieldNames::Exact,
    missing_colon: MissingColon::Rejected,
    group_end: GroupEnd::AgentLineAfterRule,
    duplicate_groups: DuplicateGroups::Merged,
    agent_cut: AgentCut::ProductToken,
    agent_match: AgentMatch::LongestPrefix,
    agent_case: AgentCase::Sensitive,
    agent_chain: AgentChain::InOrder,
    special_characters: SpecialCharacters::StarAndDollar,
    trailing_star: TrailingStar::Dropped,
    leading_slash: LeadingSlash::AsWritten,
    percent: Percent::Normalized,
    precedence: Precedence::LongestPattern,
    wildcard_conflict: WildcardConflict::LeastRestrictive,
    empty_pattern: EmptyPattern::Ignored,
    index_page: IndexPage::Plain,
    robots_txt_itself: RobotsTxtItself::Ordinary,
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
