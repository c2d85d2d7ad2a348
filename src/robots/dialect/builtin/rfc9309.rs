//! `rfc9309`: the standard (RFC 9309).
//!
//! Where the standard leaves a choice, the answer here is:
//! - 2.2.1: a user-agent value is cut at the first blank, `/`, `;`, `(` or `*` and not at a digit
//!   or a dot, so that `MJ12bot` matches its own group.
//! - 2.3.1.2: five redirects are followed, and the next one makes the file unavailable.
//! - 2.5: 500 KiB are read, the least that is allowed.

use super::google::BYTE_LIMIT;
use crate::robots::dialect::definition::*;

super::built_in! {
    "rfc9309" follows "RFC 9309", citing &["section 2.", "section 5."];
    text: TextModel::Octets, "section 2.2, ABNF: NL, EOL and WS";
    byte_order_mark: ByteOrderMark::Skipped, "not stated; our interpretation: no part of the text";
    byte_limit: Some(BYTE_LIMIT), "section 2.5: at least 500 kibibytes; our interpretation: 500";
    line_limit: None, "not stated; our interpretation: no limit";
    field_names: FieldNames::Exact, "section 2.2, ABNF: user-agent, allow and disallow";
    missing_colon: MissingColon::Rejected, "section 2.2, ABNF: the colon is required";
    group_end: GroupEnd::AgentLineAfterRule, "section 2.1: a user-agent line after a rule begins a group";
    duplicate_groups: DuplicateGroups::Merged, "section 2.2.1: groups of one agent are combined";
    agent_cut: AgentCut::ProductToken, "section 2.2.1: a product token is letters, - and _; our interpretation: cut at the first blank, /, ;, ( or *, so that MJ12bot matches its own group";
    agent_match: AgentMatch::Equal, "section 2.2.1: the group that matches the product token; our interpretation: equality";
    agent_case: AgentCase::Ignored, "section 2.2.1: case-insensitive";
    agent_chain: AgentChain::InOrder, "not stated; our interpretation: tokens are tried in order";
    special_characters: SpecialCharacters::StarAndDollar, "section 2.2.3: * and $";
    trailing_star: TrailingStar::Counted, "section 2.2.2: the most octets; our interpretation: a final * is one";
    leading_slash: LeadingSlash::Required, "section 2.2, ABNF: / begins a path-pattern; section 5.1: *.gif$; our interpretation: without either it is no rule";
    percent: Percent::Normalized, "section 2.2.2, text and table, and section 2.2.3; our interpretation: row 2 of the table decides after the first ?";
    precedence: Precedence::LongestPattern, "section 2.2.2: the most octets; the allow among equals";
    wildcard_conflict: WildcardConflict::Decided, "section 2.2.2: the most octets; our interpretation: with * or without";
    empty_pattern: EmptyPattern::NoEffect, "section 2.2, ABNF: empty-pattern; our interpretation: without effect";
    index_page: IndexPage::Plain, "not stated; our interpretation: a path as any other";
    robots_txt_itself: RobotsTxtItself::AlwaysAllowed, "section 2.2.2: implicitly allowed";
    prefix_end: PrefixEnd::Anywhere, "section 2.2.2: octets from the first on";
    [access]
    max_hops: Some(5), "section 2.3.1.2: at least five; our interpretation: five";
    redirect: Access::Redirect, "section 2.3.1.2: followed";
    too_many_hops: Access::FullAllow, "section 2.3.1.2: may be taken as unavailable";
    unauthorized: Access::FullAllow, "section 2.3.1.3: 4xx is unavailable";
    too_many_requests: Access::FullAllow, "section 2.3.1.3: 4xx is unavailable";
    client_error: Access::FullAllow, "section 2.3.1.3: 4xx is unavailable";
    server_error: Access::FullDisallow, "section 2.3.1.4: 5xx is unreachable, complete disallow";
    unreachable: Access::FullDisallow, "section 2.3.1.4: complete disallow";
}
