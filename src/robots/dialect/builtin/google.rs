//! `google`: the behavior of Googlebot, bit for bit (github.com/google/robotstxt, robots.cc).
//!
//! It differs from RFC 9309 in:
//! - 2.2.1: a product token with a digit or a dot never matches its own group, since values are cut
//!   at the first byte that is no letter, `-` or `_`.
//! - 2.2.2: `/robots.txt` is an ordinary path; an allow of an index page allows its directory.
//! - 2.2.3: nothing is decoded, and the URL is compared as given.
//! - 2.3.1: 429 disallows everything.

use crate::robots::dialect::definition::*;

/// The bytes of a line that count: 2083, the longest URL of some browsers, times 8, less the
/// terminating NUL of the C buffer (`RobotsTxtParser::Parse` of robots.cc).
pub(in crate::robots::dialect) const LINE_LIMIT: u32 = 2083 * 8 - 1;

/// The bytes of a file that Google reads: 500 KiB.
pub(in crate::robots::dialect) const BYTE_LIMIT: u32 = 500 * 1024;

super::built_in! {
    "google" follows "google/robotstxt, robots.cc, and Google's documentation of robots.txt", citing &[
        "RobotsTxtParser::", "ParsedRobotsKey: ", "RobotsMatcher", "RobotsMatchStrategy::Matches: ",
        "LongestMatchRobotsMatchStrategy: ", "MaybeEscapePattern: ", "Google's documentation: ",
    ];
    text: TextModel::OctetsToNul, "RobotsTxtParser::Parse: CR, LF and CR LF; a line is a C string";
    byte_order_mark: ByteOrderMark::PrefixSkipped, "RobotsTxtParser::Parse: utf_bom";
    byte_limit: Some(BYTE_LIMIT), "Google's documentation: 500 kibibytes; robots.cc leaves it to its caller";
    line_limit: Some(LINE_LIMIT), "RobotsTxtParser::Parse: kMaxLineLen, 2083 * 8, less the NUL";
    field_names: FieldNames::GooglePrefixes, "ParsedRobotsKey: prefixes, kAllowFrequentTypos";
    missing_colon: MissingColon::TwoWords, "RobotsTxtParser::GetKeyAndValueFrom: exactly two words";
    group_end: GroupEnd::AgentLineAfterRule, "RobotsMatcher::HandleUserAgent: seen_separator_";
    duplicate_groups: DuplicateGroups::Merged, "RobotsMatcher: one set of matches for all groups of an agent";
    agent_cut: AgentCut::Letters, "RobotsMatcher::ExtractUserAgent: letters, - and _";
    agent_match: AgentMatch::Equal, "RobotsMatcher::HandleUserAgent: EqualsIgnoreCase";
    agent_case: AgentCase::Ignored, "RobotsMatcher::HandleUserAgent: EqualsIgnoreCase";
    agent_chain: AgentChain::Together, "RobotsMatcher::AllowedByRobots: a list of agents at once";
    special_characters: SpecialCharacters::StarAndDollar, "RobotsMatchStrategy::Matches: any *, and a final $";
    trailing_star: TrailingStar::Counted, "LongestMatchRobotsMatchStrategy: the length of the whole pattern";
    leading_slash: LeadingSlash::AsWritten, "RobotsMatchStrategy::Matches: anchored at the start of the path";
    percent: Percent::PatternEscaped, "MaybeEscapePattern: upper case and escapes beyond ASCII; the URL is taken as given";
    precedence: Precedence::LongestPattern, "LongestMatchRobotsMatchStrategy: the longest pattern; the allow among equals";
    wildcard_conflict: WildcardConflict::Decided, "LongestMatchRobotsMatchStrategy: the longest pattern, with * or without";
    empty_pattern: EmptyPattern::NoEffect, "RobotsMatcher::disallow: a match of priority 0 forbids nothing";
    index_page: IndexPage::AllowsDirectory, "RobotsMatcher::HandleAllow: /index.htm";
    robots_txt_itself: RobotsTxtItself::Ordinary, "RobotsMatcher::AllowedByRobots: no exception";
    prefix_end: PrefixEnd::Anywhere, "RobotsMatchStrategy::Matches: any prefix";
    [access]
    max_hops: Some(5), "Google's documentation: at least five; our interpretation: five";
    redirect: Access::Redirect, "Google's documentation: followed";
    too_many_hops: Access::FullAllow, "Google's documentation: as a 404";
    unauthorized: Access::FullAllow, "Google's documentation: 4xx but 429 as no file";
    too_many_requests: Access::FullDisallow, "Google's documentation: 429 as a server error";
    client_error: Access::FullAllow, "Google's documentation: 4xx but 429 as no file";
    server_error: Access::FullDisallow, "Google's documentation: 5xx, full disallow";
    unreachable: Access::FullDisallow, "Google's documentation: network errors as 5xx";
}
