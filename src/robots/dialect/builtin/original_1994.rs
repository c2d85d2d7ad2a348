//! `original-1994`: the Standard for Robot Exclusion of 1994, with the Allow lines and the percent
//! table of its 1996 Internet-Draft.
//!
//! Section 3.1 of the draft sets what the fetch decides: redirects are followed until a resource
//! can be found, 401 and 403 disallow the whole site, and a temporary failure defers all visits.

use crate::robots::dialect::definition::*;

super::built_in! {
    "original-1994" follows "A Standard for Robot Exclusion, 1994, with its 1996 Internet-Draft", citing &[
        "1994 text: ", "1996 draft, 3.",
    ];
    text: TextModel::Octets, "1996 draft, 3.3: CR, LF or CR LF ends a line";
    byte_order_mark: ByteOrderMark::Skipped, "not stated; our interpretation: skipped";
    byte_limit: None, "not stated; our interpretation: no limit";
    line_limit: None, "not stated; our interpretation: no limit";
    field_names: FieldNames::Exact, "1996 draft, 3.2: field names, whose case does not count";
    missing_colon: MissingColon::Rejected, "1996 draft, 3.3: the colon is required";
    group_end: GroupEnd::BlankLine, "1994 text: a blank line ends a record; our interpretation: so does a user-agent line after a rule";
    duplicate_groups: DuplicateGroups::FirstOnly, "1996 draft, 3.2.1: the first record that names the robot";
    agent_cut: AgentCut::WholeValue, "1994 text: the name without version information; our interpretation: the crawler's token is cut at the first /";
    agent_match: AgentMatch::ValueContainsToken, "1996 draft, 3.2.1: the value contains the robot's name token";
    agent_case: AgentCase::Ignored, "1996 draft, 3.2.1: case-insensitive";
    agent_chain: AgentChain::InOrder, "not stated; our interpretation: tokens are tried in order";
    special_characters: SpecialCharacters::Plain, "1996 draft, 3.2.2: octets are compared, and none is special";
    trailing_star: TrailingStar::Counted, "1996 draft, 3.2.2: octets are compared, and none is special";
    leading_slash: LeadingSlash::AsWritten, "1994 text: any URL that starts with the value; our interpretation: as written";
    percent: Percent::DecodedButSlash, "1996 draft, 3.2.2: escapes are decoded, except %2F";
    precedence: Precedence::FirstInFile, "1996 draft, 3.2.2: the first match decides";
    wildcard_conflict: WildcardConflict::Decided, "1996 draft, 3.2.2: octets are compared, and none is special";
    empty_pattern: EmptyPattern::AllowsAll, "1994 text: an empty Disallow allows all URLs; our interpretation: so does an empty Allow";
    index_page: IndexPage::Plain, "not stated; our interpretation: a path as any other";
    robots_txt_itself: RobotsTxtItself::AlwaysAllowed, "1996 draft, 3.2.2: always allowed";
    prefix_end: PrefixEnd::Anywhere, "1994 text: any URL that starts with the value";
    [access]
    max_hops: None, "1996 draft, 3.1: until a resource can be found";
    redirect: Access::Redirect, "1996 draft, 3.1: followed";
    too_many_hops: Access::Undefined, "not stated; our interpretation: a loop is undefined";
    unauthorized: Access::FullDisallow, "1996 draft, 3.1: 401 and 403 restrict the site completely";
    too_many_requests: Access::FullAllow, "not stated; our interpretation: as a file that does not exist";
    client_error: Access::FullAllow, "1996 draft, 3.1: 404, no restriction; our interpretation: 4xx but 401 and 403 alike";
    server_error: Access::FullDisallow, "1996 draft, 3.1: a temporary failure defers visits; our interpretation: 5xx is one";
    unreachable: Access::FullDisallow, "1996 draft, 3.1: a temporary failure defers visits";
}
