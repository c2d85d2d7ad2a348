//! `python`: CPython's `urllib.robotparser` as it was before its 2026 change to RFC 9309 semantics.

use std::borrow::Cow;

use super::{
    access::{Access, AccessPolicy},
    spec::*,
};

pub(super) const SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("python"),
    text: TextModel::PythonStr,
    byte_order_mark: ByteOrderMark::Kept,
    byte_limit: None,
    line_limit: None,
    field_names: FieldNames::Exact,
    missing_colon: MissingColon::Rejected,
    group_end: GroupEnd::PythonStates,
    duplicate_groups: DuplicateGroups::FirstOnly,
    agent_cut: AgentCut::WholeValue,
    agent_match: AgentMatch::TokenContainsValue,
    agent_case: AgentCase::Ignored,
    agent_chain: AgentChain::InOrder,
    special_characters: SpecialCharacters::Plain,
    trailing_star: TrailingStar::Counted,
    leading_slash: LeadingSlash::AsWritten,
    percent: Percent::PythonQuoted,
    precedence: Precedence::FirstInFile,
    wildcard_conflict: WildcardConflict::Decided,
    empty_pattern: EmptyPattern::AllowsAll,
    index_page: IndexPage::Plain,
    robots_txt_itself: RobotsTxtItself::Ordinary,
    prefix_end: PrefixEnd::Anywhere,
    access: AccessPolicy {
        max_hops: Some(10),
        redirect: Access::Redirect,
        too_many_hops: Access::FullDisallow,
        unauthorized: Access::FullDisallow,
        too_many_requests: Access::FullAllow,
        client_error: Access::FullAllow,
        server_error: Access::FullDisallow,
        unreachable: Access::FullDisallow,
    },
};
