//! `original-1994`: the Standard for Robot Exclusion of 1994, with the Allow lines and the percent
//! table of its 1996 Internet-Draft.
//!
//! Section 3.1 of the draft sets what the fetch decides: redirects are followed until a resource
//! can be found, 401 and 403 shut a site entirely, and a temporary failure defers all visits.

use std::borrow::Cow;

use super::{
    access::{Access, AccessPolicy},
    spec::*,
};

pub(super) const SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("original-1994"),
    text: TextModel::Octets,
    byte_order_mark: ByteOrderMark::Skipped,
    byte_limit: None,
    line_limit: None,
    field_names: FieldNames::Exact,
    missing_colon: MissingColon::Rejected,
    group_end: GroupEnd::BlankLine,
    duplicate_groups: DuplicateGroups::FirstOnly,
    agent_cut: AgentCut::WholeValue,
    agent_match: AgentMatch::ValueContainsToken,
    agent_case: AgentCase::Ignored,
    agent_chain: AgentChain::InOrder,
    special_characters: SpecialCharacters::Plain,
    trailing_star: TrailingStar::Counted,
    leading_slash: LeadingSlash::AsWritten,
    percent: Percent::DecodedButSlash,
    precedence: Precedence::FirstInFile,
    wildcard_conflict: WildcardConflict::Decided,
    empty_pattern: EmptyPattern::AllowsAll,
    index_page: IndexPage::Plain,
    robots_txt_itself: RobotsTxtItself::AlwaysAllowed,
    prefix_end: PrefixEnd::Anywhere,
    access: AccessPolicy {
        max_hops: None,
        redirect: Access::Redirect,
        too_many_hops: Access::Undefined,
        unauthorized: Access::FullDisallow,
        too_many_requests: Access::FullAllow,
        client_error: Access::FullAllow,
        server_error: Access::FullDisallow,
        unreachable: Access::FullDisallow,
    },
};
