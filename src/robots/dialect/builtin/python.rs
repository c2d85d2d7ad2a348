//! `python`: CPython's `urllib.robotparser` before its 2026 change to the semantics of RFC 9309.

use crate::robots::dialect::definition::*;

super::built_in! {
    "python" follows "CPython 3.11, urllib/robotparser.py", citing &[
        "RobotFileParser.", "Entry.", "RuleLine", "urllib.request.",
    ];
    text: TextModel::PythonStr, "RobotFileParser.parse: strip of each of splitlines; read raises on bytes that are not UTF-8; our interpretation: they are replaced";
    byte_order_mark: ByteOrderMark::Retained, "RobotFileParser.read: decode(\"utf-8\") retains it";
    byte_limit: None, "RobotFileParser.read: all bytes";
    line_limit: None, "RobotFileParser.parse: no limit";
    field_names: FieldNames::Exact, "RobotFileParser.parse: equality after lower";
    missing_colon: MissingColon::Rejected, "RobotFileParser.parse: split(':', 1)";
    group_end: GroupEnd::PythonStates, "RobotFileParser.parse: states 0, 1 and 2";
    duplicate_groups: DuplicateGroups::FirstOnly, "RobotFileParser.can_fetch: the first entry that applies";
    agent_cut: AgentCut::WholeValue, "Entry.applies_to: split('/')[0] of the crawler's name";
    agent_match: AgentMatch::TokenContainsValue, "Entry.applies_to: agent in useragent";
    agent_case: AgentCase::Ignored, "Entry.applies_to: lower";
    agent_chain: AgentChain::InOrder, "RobotFileParser.can_fetch: one name; our interpretation: names are tried in order";
    special_characters: SpecialCharacters::Plain, "RuleLine.applies_to: startswith";
    trailing_star: TrailingStar::Counted, "RuleLine.applies_to: startswith";
    leading_slash: LeadingSlash::AsWritten, "RuleLine.applies_to: startswith";
    percent: Percent::PythonQuoted, "RuleLine and RobotFileParser.can_fetch: unquote, urlparse, urlunparse, quote";
    precedence: Precedence::FirstInFile, "Entry.allowance: the first match decides";
    wildcard_conflict: WildcardConflict::Decided, "RuleLine.applies_to: startswith";
    empty_pattern: EmptyPattern::AllowsAll, "RuleLine: an empty disallow becomes an allow";
    index_page: IndexPage::Plain, "RuleLine.applies_to: startswith";
    robots_txt_itself: RobotsTxtItself::Ordinary, "RobotFileParser.can_fetch: no exception";
    prefix_end: PrefixEnd::Anywhere, "RuleLine.applies_to: startswith";
    [access]
    max_hops: Some(10), "urllib.request.HTTPRedirectHandler: max_redirections, ten";
    redirect: Access::Redirect, "urllib.request.HTTPRedirectHandler: followed";
    too_many_hops: Access::FullDisallow, "urllib.request.HTTPRedirectHandler: an error, after which RobotFileParser.can_fetch forbids all";
    unauthorized: Access::FullDisallow, "RobotFileParser.read: 401 and 403 forbid all";
    too_many_requests: Access::FullAllow, "RobotFileParser.read: other 4xx allow all";
    client_error: Access::FullAllow, "RobotFileParser.read: other 4xx allow all";
    server_error: Access::FullDisallow, "RobotFileParser.can_fetch: False while nothing was read";
    unreachable: Access::FullDisallow, "RobotFileParser.can_fetch: False while nothing was read";
}
