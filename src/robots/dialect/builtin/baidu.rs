//! `baidu`: the prose of Baidu's help page on robots.txt.
//!
//! The page contradicts itself, so it is two dialects: its prose disallows `/helpabc.html` by
//! `/help`, and its table ([`baidu_table`](super::baidu_table)) states that `/tmp` does not match
//! `/tmphoho`. The current page does not state which of two matching rules wins; earlier versions
//! do: the first in the file.
//!
//! Of the outcomes of a fetch it mentions a missing file alone, so that redirects, 401, 403, 429,
//! 5xx and an unreachable server leave the verdict undefined.

use crate::robots::dialect::definition::*;

super::built_in! {
    "baidu" follows "Baidu's robots.txt help page", citing &[
        "format of the file: ", "User-agent: ", "Disallow: ", "use of * and $: ",
        "table of URL matching: ", "earlier copies of the page: ",
    ];
    text: TextModel::Octets, "format of the file: CR, CR LF or LF ends a line";
    byte_order_mark: ByteOrderMark::Skipped, "not stated; our interpretation: skipped";
    byte_limit: None, "not stated; our interpretation: no limit";
    line_limit: None, "not stated; our interpretation: no limit";
    field_names: FieldNames::Exact, "format of the file: User-agent, Disallow and Allow; our interpretation: case does not count";
    missing_colon: MissingColon::Rejected, "format of the file: a field, a colon and a value";
    group_end: GroupEnd::BlankLine, "format of the file: a blank line ends a record; our interpretation: so does a user-agent line after a rule";
    duplicate_groups: DuplicateGroups::FirstOnly, "not stated; our interpretation: the first in the file";
    agent_cut: AgentCut::ProductToken, "not stated; our interpretation: a version suffix is cut at the first blank, /, ;, ( or *";
    agent_match: AgentMatch::Equal, "User-agent: the value is the robot's name; our interpretation: equality";
    agent_case: AgentCase::Ignored, "not stated; our interpretation: case does not count";
    agent_chain: AgentChain::InOrder, "not stated; our interpretation: tokens are tried in order";
    special_characters: SpecialCharacters::StarAndDollar, "use of * and $: any characters, and the end of the line";
    trailing_star: TrailingStar::Counted, "not stated; our interpretation: as any other *; the first match wins, so that it has no effect";
    leading_slash: LeadingSlash::Anywhere, "table of URL matching: html$ matches /tmpa.html; our interpretation: so with any value that begins otherwise";
    percent: Percent::Normalized, "not stated; our interpretation: as RFC 9309";
    precedence: Precedence::FirstInFile, "earlier copies of the page: the first match decides; the current page does not state it";
    wildcard_conflict: WildcardConflict::Decided, "earlier copies of the page: the first match decides; the current page does not state it";
    empty_pattern: EmptyPattern::AllowsAll, "Disallow: an empty value allows the whole site; our interpretation: so does an empty Allow";
    index_page: IndexPage::Plain, "not stated; our interpretation: a path as any other";
    robots_txt_itself: RobotsTxtItself::Ordinary, "not stated; our interpretation: no exception";
    prefix_end: PrefixEnd::Anywhere, "Disallow: /help forbids /helpabc.html";
    [access]
    max_hops: Some(0), "not stated; our interpretation: none";
    redirect: Access::Undefined, "not stated; our interpretation: undefined";
    too_many_hops: Access::Undefined, "not stated; our interpretation: undefined";
    unauthorized: Access::Undefined, "not stated; our interpretation: undefined";
    too_many_requests: Access::Undefined, "not stated; our interpretation: undefined";
    client_error: Access::FullAllow, "Disallow: without the file the site is open to all; our interpretation: 4xx but 401, 403 and 429 is no file";
    server_error: Access::Undefined, "not stated; our interpretation: undefined";
    unreachable: Access::Undefined, "not stated; our interpretation: undefined";
}
