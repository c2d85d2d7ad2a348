//! `google-legacy`: Google's specification before July 2019, its text taken literally.

use crate::dialect::definition::*;

/// The bytes of a file that count: 500 KB, in powers of ten.
pub(in crate::dialect) const BYTE_LIMIT: u32 = 500_000;

super::built_in! {
    "google-legacy" follows "Google's robots.txt specification before July 2019";
    text: TextModel::Octets, "File format: CR, CR LF or LF ends a line";
    byte_order_mark: ByteOrderMark::Skipped, "File format: an optional mark is ignored";
    byte_limit: Some(BYTE_LIMIT), "File format: 500 kilobytes";
    line_limit: None, "not stated; our interpretation: no limit";
    field_names: FieldNames::Exact, "File format: misspelled fields are undefined; our interpretation: no fields";
    missing_colon: MissingColon::Rejected, "File format: a field, a colon and a value";
    group_end: GroupEnd::AgentLineAfterRule, "Grouping of records: up to the next start-of-group record";
    duplicate_groups: DuplicateGroups::FirstOnly, "Order of precedence for user-agents: only one group is valid; our interpretation: the first in the file";
    agent_cut: AgentCut::ProductToken, "Order of precedence for user-agents: googlebot/1.2 and googlebot* are googlebot; our interpretation: cut at the first blank, /, ;, ( or *";
    agent_match: AgentMatch::LongestPrefix, "Order of precedence for user-agents: the most specific that still matches; our interpretation: the longest prefix of the token";
    agent_case: AgentCase::Ignored, "Order of precedence for user-agents: not case-sensitive";
    agent_chain: AgentChain::InOrder, "Order of precedence for user-agents: one group, the most specific; our interpretation: tokens are tried in order";
    special_characters: SpecialCharacters::StarAndDollar, "URL matching based on path values: * and $";
    trailing_star: TrailingStar::Dropped, "URL matching based on path values, table: /* is /, and /fish* is /fish; our interpretation: for length and conflicts too";
    leading_slash: LeadingSlash::Supplied, "URL matching based on path values, table: fish/ is interpreted as /fish/";
    percent: Percent::Normalized, "not stated; our interpretation: as RFC 9309";
    precedence: Precedence::LongestPattern, "Order of precedence for group-member records: the longest path; the least restrictive among equals";
    wildcard_conflict: WildcardConflict::Undefined, "Order of precedence for group-member records: undefined with wildcards";
    empty_pattern: EmptyPattern::Ignored, "disallow and allow: ignored without a path";
    index_page: IndexPage::Plain, "not stated; our interpretation: a path as any other";
    robots_txt_itself: RobotsTxtItself::Ordinary, "not stated; our interpretation: no exception";
    prefix_end: PrefixEnd::Anywhere, "URL matching based on path values, table: /fish matches /fishheads";
    [access]
    max_hops: Some(5), "Handling HTTP result codes: five";
    redirect: Access::Redirect, "Handling HTTP result codes: followed";
    too_many_hops: Access::FullAllow, "Handling HTTP result codes: as a 404";
    unauthorized: Access::FullAllow, "Handling HTTP result codes: 4xx, full allow";
    too_many_requests: Access::FullAllow, "Handling HTTP result codes: 4xx, full allow";
    client_error: Access::FullAllow, "Handling HTTP result codes: 4xx, full allow";
    server_error: Access::FullDisallow, "Handling HTTP result codes: 5xx, full disallow";
    unreachable: Access::Undefined, "Handling HTTP result codes: undefined";
}
