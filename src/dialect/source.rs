//! Where each answer of a built-in dialect comes from.
//!
//! Enters: a dialect and a question. Leaves: a citation. What the answer is, is not known here.

use super::{names::NAMES, question::Question};

/// What the citations of each dialect are places in, in the order of [`NAMES`].
const WORKS: [&str; NAMES.len()] = [
    "google/robotstxt, robots.cc",
    "RFC 9309",
    "Google's robots.txt specification, July 2019",
    "Google's robots.txt specification before July 2019",
    "Baidu's robots.txt help page",
    "Baidu's robots.txt help page",
    "A Standard for Robot Exclusion, 1994, with its 1996 Internet-Draft",
    "CPython 3.11, urllib/robotparser.py",
];

/// Returns the work that a built-in dialect follows; `None` for any other name.
pub fn work(dialect: &str) -> Option<&'static str> {
    let at = NAMES.iter().position(|&name| name == dialect)?;
    Some(WORKS[at])
}

/// Returns the place in the [`work`] of a built-in dialect from which its answer to a question
/// comes, or a word on why there is none; `None` for any other name.
pub fn source(dialect: &str, question: &Question) -> Option<&'static str> {
    let at = NAMES.iter().position(|&name| name == dialect)?;
    let row = SOURCES.iter().find(|(name, _)| *name == question.name)?;
    Some(row.1[at])
}

/// For each question, the places in the order of [`NAMES`].
const SOURCES: &[(&str, [&str; NAMES.len()])] = &[
    (
        "text",
        [
            "ParseAndEmitLine: lines are C strings",
            "section 2.2",
            "File format",
            "File format",
            "help page, format of the file",
            "help page, format of the file",
            "1996 draft, 3.3",
            "RobotFileParser.parse: decode, splitlines, strip",
        ],
    ),
    (
        "byte_order_mark",
        [
            "Parse: utf_bom",
            "section 2.3: UTF-8; a mark is no part of it",
            "File format: an optional mark is ignored",
            "File format: an optional mark is ignored",
            "not stated; ignored as elsewhere",
            "not stated; ignored as elsewhere",
            "not stated; ignored as elsewhere",
            "RobotFileParser.read: decode('utf-8') keeps it",
        ],
    ),
    (
        "byte_limit",
        [
            "left to its caller; Googlebot's documentation: 500 KiB",
            "section 2.5: at least 500 KiB",
            "File format: 500 kibibytes",
            "File format: 500 kilobytes",
            "none stated",
            "none stated",
            "none stated",
            "none",
        ],
    ),
    (
        "line_limit",
        [
            "Parse: kMaxLineLen, 2083 * 8, less the NUL",
            "none stated",
            "none stated",
            "none stated",
            "none stated",
            "none stated",
            "none stated",
            "none",
        ],
    ),
    (
        "field_names",
        [
            "ParsedRobotsKey: prefixes, kAllowFrequentTypos",
            "section 2.2",
            "File format",
            "File format: undefined, so none",
            "help page, format of the file",
            "help page, format of the file",
            "1996 draft, 3.2",
            "RobotFileParser.parse: equality after lower",
        ],
    ),
    (
        "missing_colon",
        [
            "GetKeyAndValueFrom: exactly two words",
            "section 2.2: the colon is required",
            "File format",
            "File format",
            "help page, format of the file",
            "help page, format of the file",
            "1996 draft, 3.3",
            "RobotFileParser.parse: split(':', 1)",
        ],
    ),
    (
        "group_end",
        [
            "RobotsMatcher::HandleUserAgent",
            "section 2.1 and 2.2.1",
            "Grouping of lines",
            "Grouping of lines",
            "help page: records are parted by empty lines",
            "help page: records are parted by empty lines",
            "1996 draft, 3.2: records are parted by blank lines",
            "RobotFileParser.parse: states 0, 1 and 2",
        ],
    ),
    (
        "duplicate_groups",
        [
            "RobotsMatcher: one set of slots for all groups",
            "section 2.2.1: groups must be combined",
            "Order of precedence for user agents: groups are combined",
            "Order of precedence for user agents: one group is valid",
            "not stated; the first",
            "not stated; the first",
            "not stated; the first",
            "RobotFileParser.can_fetch: the first match counts",
        ],
    ),
    (
        "agent_cut",
        [
            "ExtractUserAgent",
            "section 2.2.1; digits and dots are kept, so that MJ12bot is heard",
            "File format; as rfc9309",
            "File format; as rfc9309",
            "help page, user-agent; version suffix cut",
            "help page, user-agent; version suffix cut",
            "1996 draft, 3.2.1",
            "Entry.applies_to: split('/')[0] of the crawler's name",
        ],
    ),
    (
        "agent_match",
        [
            "RobotsMatcher::HandleUserAgent: EqualsIgnoreCase",
            "section 2.2.1: equality",
            "Order of precedence for user agents: most specific prefix",
            "Order of precedence for user agents: most specific prefix",
            "help page, user-agent",
            "help page, user-agent",
            "1996 draft, 3.2.1: substring",
            "Entry.applies_to: agent in useragent",
        ],
    ),
    (
        "agent_case",
        [
            "RobotsMatcher::HandleUserAgent: EqualsIgnoreCase",
            "section 2.2.1: case-insensitive",
            "Order of precedence: the user agent is case-sensitive",
            "Order of precedence: case does not count",
            "not stated; ignored",
            "not stated; ignored",
            "1996 draft, 3.2.1: case-insensitive",
            "Entry.applies_to: lower",
        ],
    ),
    (
        "agent_chain",
        [
            "RobotsMatcher::AllowedByRobots: a list of agents at once",
            "section 2.2.1: one token; a chain is asked in order",
            "Order of precedence for user agents: one group, the most specific",
            "Order of precedence for user agents: one group, the most specific",
            "not stated; in order",
            "not stated; in order",
            "not stated; in order",
            "one name; a chain is asked in order",
        ],
    ),
    (
        "special_characters",
        [
            "RobotsMatchStrategy::Matches",
            "section 2.2.3",
            "URL matching based on path values",
            "URL matching based on path values",
            "help page, wildcards",
            "help page, wildcards",
            "1996 draft, 3.2.2: plain bytes",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "trailing_star",
        [
            "RobotsMatchStrategy::Matches: no special case",
            "section 2.2.3",
            "URL matching based on path values: a trailing wildcard is ignored",
            "URL matching based on path values: a trailing wildcard is ignored",
            "not stated; no special case",
            "not stated; no special case",
            "no wildcards",
            "no wildcards",
        ],
    ),
    (
        "leading_slash",
        [
            "RobotsMatchStrategy::Matches: no special case",
            "section 2.2: a path-pattern begins with /",
            "File format: as written",
            "URL matching: fish/ is read as /fish/",
            "help page, table: html$ matches /tmpa.html",
            "help page, table: html$ matches /tmpa.html",
            "1996 draft, 3.2.2",
            "RuleLine: as written",
        ],
    ),
    (
        "percent",
        [
            "MaybeEscapePattern; the URL is taken as given",
            "section 2.2.2",
            "URL matching: as in 9309",
            "URL matching: as in 9309",
            "not stated; as in 9309",
            "not stated; as in 9309",
            "1996 draft, 3.2.2: decoded, except %2F",
            "RuleLine and can_fetch: unquote, urlparse, urlunparse, quote",
        ],
    ),
    (
        "precedence",
        [
            "LongestMatchRobotsMatchStrategy",
            "section 2.2.2: most octets; allow among equals",
            "Order of precedence for group-member lines: longest path",
            "Order of precedence for group-member lines: longest path",
            "earlier copies of the help page: the first match",
            "earlier copies of the help page: the first match",
            "1996 draft, 3.2.2: the first match",
            "Entry.allowance: the first match",
        ],
    ),
    (
        "wildcard_conflict",
        [
            "LongestMatchRobotsMatchStrategy",
            "section 2.2.2: most octets",
            "Order of precedence, table: undefined",
            "Order of precedence, table: undefined",
            "the first in the file",
            "the first in the file",
            "no wildcards",
            "no wildcards",
        ],
    ),
    (
        "empty_pattern",
        [
            "RobotsMatcher: priority 0",
            "section 2.2.2",
            "File format: ignored without a path",
            "File format: ignored without a path",
            "help page: an empty Disallow allows everything",
            "help page: an empty Disallow allows everything",
            "1994 text: an empty value allows all URLs",
            "RuleLine: an empty disallow becomes an allow",
        ],
    ),
    (
        "index_page",
        [
            "RobotsMatcher::HandleAllow: /index.htm",
            "none",
            "none",
            "none",
            "none",
            "none",
            "none",
            "none",
        ],
    ),
    (
        "robots_txt_itself",
        [
            "no exception",
            "section 2.2.2: implicitly allowed",
            "no exception stated",
            "no exception stated",
            "no exception stated",
            "no exception stated",
            "1996 draft, 3.2.2: always allowed",
            "no exception",
        ],
    ),
    (
        "prefix_end",
        [
            "RobotsMatchStrategy::Matches",
            "section 2.2.2",
            "URL matching based on path values",
            "URL matching based on path values",
            "help page, prose: /help forbids /helpabc.html",
            "help page, table: /tmp does not match /tmphoho",
            "1996 draft, 3.2.2",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "access.max_hops",
        [
            "Googlebot's documentation: five hops",
            "section 2.3.1.2: at least five",
            "Handling HTTP result codes: five hops",
            "Handling HTTP result codes: five hops",
            "not stated",
            "not stated",
            "not stated",
            "urllib.request: ten redirects",
        ],
    ),
    (
        "access.redirect",
        [
            "Googlebot's documentation: followed",
            "section 2.3.1.2",
            "Handling HTTP result codes",
            "Handling HTTP result codes",
            "not stated",
            "not stated",
            "not stated",
            "urllib.request follows",
        ],
    ),
    (
        "access.too_many_hops",
        [
            "Googlebot's documentation: as a 404",
            "section 2.3.1.2: may be taken as unavailable",
            "Handling HTTP result codes: as a 404",
            "Handling HTTP result codes: as a 404",
            "not stated",
            "not stated",
            "not stated",
            "urllib.request raises an error, and nothing is read",
        ],
    ),
    (
        "access.unauthorized",
        [
            "Googlebot's documentation: 4xx",
            "section 2.3.1.3: unavailable",
            "Handling HTTP result codes: 4xx",
            "Handling HTTP result codes: 4xx",
            "no file, no restriction",
            "no file, no restriction",
            "no file, no restriction",
            "RobotFileParser.read: 401 and 403 forbid all",
        ],
    ),
    (
        "access.too_many_requests",
        [
            "Googlebot's documentation: 429 as a server error",
            "section 2.3.1.3: unavailable",
            "Handling HTTP result codes: 4xx",
            "Handling HTTP result codes: 4xx",
            "no file, no restriction",
            "no file, no restriction",
            "no file, no restriction",
            "RobotFileParser.read: other 4xx allow all",
        ],
    ),
    (
        "access.client_error",
        [
            "Googlebot's documentation: 4xx",
            "section 2.3.1.3: unavailable",
            "Handling HTTP result codes: 4xx",
            "Handling HTTP result codes: 4xx",
            "no file, no restriction",
            "no file, no restriction",
            "no file, no restriction",
            "RobotFileParser.read: other 4xx allow all",
        ],
    ),
    (
        "access.server_error",
        [
            "Googlebot's documentation: 5xx",
            "section 2.3.1.4: unreachable",
            "Handling HTTP result codes: 5xx",
            "Handling HTTP result codes: 5xx",
            "not stated",
            "not stated",
            "not stated",
            "RobotFileParser.can_fetch: nothing was read",
        ],
    ),
    (
        "access.unreachable",
        [
            "Googlebot's documentation: network errors as 5xx",
            "section 2.3.1.4: unreachable",
            "Handling HTTP result codes: failed requests as 5xx",
            "Handling HTTP result codes: undefined",
            "not stated",
            "not stated",
            "not stated",
            "RobotFileParser.can_fetch: nothing was read",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::QUESTIONS;

    #[test]
    fn every_answer_has_its_source() {
        assert_eq!(SOURCES.len(), QUESTIONS.len());
        for question in QUESTIONS {
            for dialect in NAMES {
                let source = source(dialect, question);
                assert!(
                    source.is_some_and(|text| !text.is_empty()),
                    "{} {dialect}",
                    question.name
                );
            }
            assert_eq!(source("mine", question), None);
        }
        assert!(NAMES.iter().all(|name| work(name).is_some()));
    }
}
