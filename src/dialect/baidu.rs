//! `baidu` and `baidu-table`: Baidu's help page on robots.txt.
//!
//! The page contradicts itself, so it is two dialects: its prose forbids `/helpabc.html` under
//! `/help`, and its table says that `/tmp` does not match `/tmphoho`. The page at hand does not say
//! which of two matching rules wins; earlier copies do: the first in the file.
//!
//! Of the outcomes of a fetch it speaks of a missing file alone, so that redirects, 401, 403, 429,
//! 5xx and an unreachable server leave the verdict undefined.

use std::borrow::Cow;

use super::{
    access::{Access, AccessPolicy},
    spec::*,
};

pub(super) const SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("baidu"),
    text: TextModel::Octets,
    byte_order_mark: ByteOrderMark::Skipped,
    byte_limit: None,
    line_limit: None,
    field_names: FieldNames::Exact,
    missing_colon: MissingColon::Rejected,
    group_end: GroupEnd::BlankLine,
    duplicate_groups: DuplicateGroups::FirstOnly,
    agent_cut: AgentCut::ProductToken,
    agent_match: AgentMatch::Equal,
    agent_case: AgentCase::Ignored,
    agent_chain: AgentChain::InOrder,
    special_characters: SpecialCharacters::StarAndDollar,
    trailing_star: TrailingStar::Counted,
    leading_slash: LeadingSlash::Anywhere,
    percent: Percent::Normalized,
    precedence: Precedence::FirstInFile,
    wildcard_conflict: WildcardConflict::Decided,
    empty_pattern: EmptyPattern::AllowsAll,
    index_page: IndexPage::Plain,
    robots_txt_itself: RobotsTxtItself::Ordinary,
    prefix_end: PrefixEnd::Anywhere,
    access: AccessPolicy {
        max_hops: Some(0),
        redirect: Access::Undefined,
        too_many_hops: Access::Undefined,
        unauthorized: Access::Undefined,
        too_many_requests: Access::Undefined,
        client_error: Access::FullAllow,
        server_error: Access::Undefined,
        unreachable: Access::Undefined,
    },
};

pub(super) const TABLE_SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("baidu-table"),
    prefix_end: PrefixEnd::WordBoundary,
    ..SPEC
};
