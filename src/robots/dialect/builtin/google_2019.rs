//! `google-2019`: the July 2019 revision of Google's specification, its text taken literally.
//!
//! The text contradicts itself, and so does the dialect:
//! - It states that the user-agent is case-sensitive; Google's own parser ignores case.
//! - Of a conflict with wildcards it states that the least restrictive rule wins, that the longer
//!   rule wins, and in its table that the result is undefined. Where length and least restriction
//!   agree, the verdict is theirs; where the disallow is the longer rule, it is undefined.

use super::google::BYTE_LIMIT;
use crate::robots::dialect::definition::*;

super::built_in! {
    "google-2019" follows "Google's robots.txt specification, July 2019", citing &[
        "File format: ", "Grouping of lines and rules: ", "Order of precedence for user-agents: ",
        "URL matching based on path values", "Order of precedence for group-member lines: ",
        "disallow and allow: ", "Handling HTTP result codes: ",
    ];
    text: TextModel::Octets, "File format: CR, CR LF or LF ends a line";
    byte_order_mark: ByteOrderMark::Skipped, "File format: an optional mark is ignored";
    byte_limit: Some(BYTE_LIMIT), "File format: 500 kibibytes";
    line_limit: None, "not stated; our interpretation: no limit";
    field_names: FieldNames::Exact, "File format: misspelled fields are not supported";
    missing_colon: MissingColon::Rejected, "File format: a field, a colon and a value";
    group_end: GroupEnd::AgentLineAfterRule, "Grouping of lines and rules: up to the next user-agent line";
    duplicate_groups: DuplicateGroups::Merged, "Order of precedence for user-agents: groups of one agent are combined";
    agent_cut: AgentCut::ProductToken, "Order of precedence for user-agents: googlebot/1.2 and googlebot* are googlebot; our interpretation: cut at the first blank, /, ;, ( or *";
    agent_match: AgentMatch::LongestPrefix, "Order of precedence for user-agents: the most specific that still matches; our interpretation: the longest prefix of the token";
    agent_case: AgentCase::Sensitive, "Order of precedence for user-agents: case-sensitive";
    agent_chain: AgentChain::InOrder, "Order of precedence for user-agents: one group, the most specific; our interpretation: tokens are tried in order";
    special_characters: SpecialCharacters::StarAndDollar, "URL matching based on path values: * and $";
    trailing_star: TrailingStar::Dropped, "URL matching based on path values, table: /* is /, and /fish* is /fish; our interpretation: for length and conflicts too";
    leading_slash: LeadingSlash::AsWritten, "not stated; our interpretation: as written";
    percent: Percent::Normalized, "not stated; our interpretation: as RFC 9309";
    precedence: Precedence::LongestPattern, "Order of precedence for group-member lines: the longest path; the least restrictive among equals";
    wildcard_conflict: WildcardConflict::LeastRestrictive, "Order of precedence for group-member lines: the longer rule, the least restrictive, and in the table undefined; our interpretation: undefined where the first two differ";
    empty_pattern: EmptyPattern::Ignored, "disallow and allow: ignored without a path";
    index_page: IndexPage::Plain, "not stated; our interpretation: a path as any other";
    robots_txt_itself: RobotsTxtItself::Ordinary, "not stated; our interpretation: no exception";
    prefix_end: PrefixEnd::Anywhere, "URL matching based on path values, table: /fish matches /fishheads";
    [access]
    max_hops: Some(5), "Handling HTTP result codes: at least five; our interpretation: five";
    redirect: Access::Redirect, "Handling HTTP result codes: followed";
    too_many_hops: Access::FullAllow, "Handling HTTP result codes: as a 404";
    unauthorized: Access::FullAllow, "Handling HTTP result codes: 4xx, full allow";
    too_many_requests: Access::FullAllow, "Handling HTTP result codes: 4xx, full allow";
    client_error: Access::FullAllow, "Handling HTTP result codes: 4xx, full allow";
    server_error: Access::FullDisallow, "Handling HTTP result codes: 5xx, full disallow";
    unreachable: Access::FullDisallow, "Handling HTTP result codes: as a server error";
}
