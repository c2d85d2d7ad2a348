//! Where each answer of a built-in dialect comes from.
//!
//! Enters: a dialect and a question. Leaves: a citation. What the answer is, is not known here.

use super::{names::NAMES, question::Question};

/// What the citations of each dialect are places in, in the order of [`NAMES`].
const WORKS: [&str; NAMES.len()] = [
    "google/robotstxt, robots.cc, and Google's documentation of robots.txt",
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
/// comes, and what is stated there; `None` for any other name.
///
/// Where the work leaves something open, `our reading: ` begins what this program takes it to mean,
/// and where it says nothing at all, the text begins with `not stated; our reading: `.
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
            "RobotsTxtParser::Parse: CR, LF and CR LF; a line is a C string",
            "section 2.2, ABNF: NL, EOL and WS",
            "File format: CR, CR LF or LF ends a line",
            "File format: CR, CR LF or LF ends a line",
            "format of the file: CR, CR LF or LF ends a line",
            "format of the file: CR, CR LF or LF ends a line",
            "1996 draft, 3.3: CR, LF or CR LF ends a line",
            "RobotFileParser.parse: strip of each of splitlines; read raises on bytes that are not UTF-8; our reading: they are replaced",
        ],
    ),
    (
        "byte_order_mark",
        [
            "RobotsTxtParser::Parse: utf_bom",
            "not stated; our reading: no part of the text",
            "File format: an optional mark is ignored",
            "File format: an optional mark is ignored",
            "not stated; our reading: skipped",
            "not stated; our reading: skipped",
            "not stated; our reading: skipped",
            "RobotFileParser.read: decode(\"utf-8\") keeps it",
        ],
    ),
    (
        "byte_limit",
        [
            "Google's documentation: 500 kibibytes; robots.cc leaves it to its caller",
            "section 2.5: at least 500 kibibytes; our reading: 500",
            "File format: 500 kibibytes",
            "File format: 500 kilobytes",
            "not stated; our reading: no limit",
            "not stated; our reading: no limit",
            "not stated; our reading: no limit",
            "RobotFileParser.read: all bytes",
        ],
    ),
    (
        "line_limit",
        [
            "RobotsTxtParser::Parse: kMaxLineLen, 2083 * 8, less the NUL",
            "not stated; our reading: no limit",
            "not stated; our reading: no limit",
            "not stated; our reading: no limit",
            "not stated; our reading: no limit",
            "not stated; our reading: no limit",
            "not stated; our reading: no limit",
            "RobotFileParser.parse: no limit",
        ],
    ),
    (
        "field_names",
        [
            "ParsedRobotsKey: prefixes, kAllowFrequentTypos",
            "section 2.2, ABNF: user-agent, allow and disallow",
            "File format: misspelt fields are not supported",
            "File format: misspelt fields are undefined; our reading: no fields",
            "format of the file: User-agent, Disallow and Allow; our reading: case does not count",
            "format of the file: User-agent, Disallow and Allow; our reading: case does not count",
            "1996 draft, 3.2: field names, whose case does not count",
            "RobotFileParser.parse: equality after lower",
        ],
    ),
    (
        "missing_colon",
        [
            "RobotsTxtParser::GetKeyAndValueFrom: exactly two words",
            "section 2.2, ABNF: the colon is required",
            "File format: a field, a colon and a value",
            "File format: a field, a colon and a value",
            "format of the file: a field, a colon and a value",
            "format of the file: a field, a colon and a value",
            "1996 draft, 3.3: the colon is required",
            "RobotFileParser.parse: split(':', 1)",
        ],
    ),
    (
        "group_end",
        [
            "RobotsMatcher::HandleUserAgent: seen_separator_",
            "section 2.1: a user-agent line behind a rule begins a group",
            "Grouping of lines and rules: up to the next user-agent line",
            "Grouping of records: up to the next start-of-group record",
            "format of the file: a blank line ends a record; our reading: so does a user-agent line behind a rule",
            "format of the file: a blank line ends a record; our reading: so does a user-agent line behind a rule",
            "1994 text: a blank line ends a record; our reading: so does a user-agent line behind a rule",
            "RobotFileParser.parse: states 0, 1 and 2",
        ],
    ),
    (
        "duplicate_groups",
        [
            "RobotsMatcher: one set of matches for all groups of an agent",
            "section 2.2.1: groups of one agent are combined",
            "Order of precedence for user-agents: groups of one agent are combined",
            "Order of precedence for user-agents: only one group is valid; our reading: the first in the file",
            "not stated; our reading: the first in the file",
            "not stated; our reading: the first in the file",
            "1996 draft, 3.2.1: the first record that names the robot",
            "RobotFileParser.can_fetch: the first entry that applies",
        ],
    ),
    (
        "agent_cut",
        [
            "RobotsMatcher::ExtractUserAgent: letters, - and _",
            "section 2.2.1: a product token is letters, - and _; our reading: cut at the first blank, /, ;, ( or *, so that MJ12bot meets its own group",
            "Order of precedence for user-agents: googlebot/1.2 and googlebot* are googlebot; our reading: cut at the first blank, /, ;, ( or *",
            "Order of precedence for user-agents: googlebot/1.2 and googlebot* are googlebot; our reading: cut at the first blank, /, ;, ( or *",
            "not stated; our reading: a version suffix is cut at the first blank, /, ;, ( or *",
            "not stated; our reading: a version suffix is cut at the first blank, /, ;, ( or *",
            "1994 text: the name without version information; our reading: the crawler's token is cut at the first /",
            "Entry.applies_to: split('/')[0] of the crawler's name",
        ],
    ),
    (
        "agent_match",
        [
            "RobotsMatcher::HandleUserAgent: EqualsIgnoreCase",
            "section 2.2.1: the group that matches the product token; our reading: equality",
            "Order of precedence for user-agents: the most specific that still matches; our reading: the longest prefix of the token",
            "Order of precedence for user-agents: the most specific that still matches; our reading: the longest prefix of the token",
            "User-agent: the value is the robot's name; our reading: equality",
            "User-agent: the value is the robot's name; our reading: equality",
            "1996 draft, 3.2.1: the value contains the robot's name token",
            "Entry.applies_to: agent in useragent",
        ],
    ),
    (
        "agent_case",
        [
            "RobotsMatcher::HandleUserAgent: EqualsIgnoreCase",
            "section 2.2.1: case-insensitive",
            "Order of precedence for user-agents: case-sensitive",
            "Order of precedence for user-agents: not case-sensitive",
            "not stated; our reading: case does not count",
            "not stated; our reading: case does not count",
            "1996 draft, 3.2.1: case-insensitive",
            "Entry.applies_to: lower",
        ],
    ),
    (
        "agent_chain",
        [
            "RobotsMatcher::AllowedByRobots: a list of agents at once",
            "not stated; our reading: tokens are tried in order",
            "Order of precedence for user-agents: one group, the most specific; our reading: tokens are tried in order",
            "Order of precedence for user-agents: one group, the most specific; our reading: tokens are tried in order",
            "not stated; our reading: tokens are tried in order",
            "not stated; our reading: tokens are tried in order",
            "not stated; our reading: tokens are tried in order",
            "RobotFileParser.can_fetch: one name; our reading: names are tried in order",
        ],
    ),
    (
        "special_characters",
        [
            "RobotsMatchStrategy::Matches: any *, and a final $",
            "section 2.2.3: * and $",
            "URL matching based on path values: * and $",
            "URL matching based on path values: * and $",
            "use of * and $: any characters, and the end of the line",
            "use of * and $: any characters, and the end of the line",
            "1996 draft, 3.2.2: octets are compared, and none is special",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "trailing_star",
        [
            "LongestMatchRobotsMatchStrategy: the length of the whole pattern",
            "section 2.2.2: the most octets; our reading: a final * is one",
            "URL matching based on path values, table: /* is /, and /fish* is /fish; our reading: for length and conflicts too",
            "URL matching based on path values, table: /* is /, and /fish* is /fish; our reading: for length and conflicts too",
            "not stated; our reading: as any other *; the first match wins, so that it has no effect",
            "not stated; our reading: as any other *; the first match wins, so that it has no effect",
            "1996 draft, 3.2.2: octets are compared, and none is special",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "leading_slash",
        [
            "RobotsMatchStrategy::Matches: anchored at the start of the path",
            "section 2.2, ABNF: / begins a path-pattern; section 5.1: *.gif$; our reading: without either it is no rule",
            "not stated; our reading: as written",
            "URL matching based on path values, table: fish/ is read as /fish/",
            "table of URL matching: html$ matches /tmpa.html; our reading: so with any value that begins otherwise",
            "table of URL matching: html$ matches /tmpa.html; our reading: so with any value that begins otherwise",
            "1994 text: any URL that starts with the value; our reading: as written",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "percent",
        [
            "MaybeEscapePattern: upper case and escapes beyond ASCII; the URL is taken as given",
            "section 2.2.2, text and table, and section 2.2.3; our reading: row 2 of the table decides behind the first ?",
            "not stated; our reading: as RFC 9309",
            "not stated; our reading: as RFC 9309",
            "not stated; our reading: as RFC 9309",
            "not stated; our reading: as RFC 9309",
            "1996 draft, 3.2.2: escapes are decoded, except %2F",
            "RuleLine and RobotFileParser.can_fetch: unquote, urlparse, urlunparse, quote",
        ],
    ),
    (
        "precedence",
        [
            "LongestMatchRobotsMatchStrategy: the longest pattern; the allow among equals",
            "section 2.2.2: the most octets; the allow among equals",
            "Order of precedence for group-member lines: the longest path; the least restrictive among equals",
            "Order of precedence for group-member records: the longest path; the least restrictive among equals",
            "earlier copies of the page: the first match decides; the one at hand does not say",
            "earlier copies of the page: the first match decides; the one at hand does not say",
            "1996 draft, 3.2.2: the first match decides",
            "Entry.allowance: the first match decides",
        ],
    ),
    (
        "wildcard_conflict",
        [
            "LongestMatchRobotsMatchStrategy: the longest pattern, with * or without",
            "section 2.2.2: the most octets; our reading: with * or without",
            "Order of precedence for group-member lines: the longer rule, the least restrictive, and in the table undefined; our reading: undefined where the first two differ",
            "Order of precedence for group-member records: undefined with wildcards",
            "earlier copies of the page: the first match decides; the one at hand does not say",
            "earlier copies of the page: the first match decides; the one at hand does not say",
            "1996 draft, 3.2.2: octets are compared, and none is special",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "empty_pattern",
        [
            "RobotsMatcher::disallow: a match of priority 0 forbids nothing",
            "section 2.2, ABNF: empty-pattern; our reading: without effect",
            "disallow and allow: ignored without a path",
            "disallow and allow: ignored without a path",
            "Disallow: an empty value allows the whole site; our reading: so does an empty Allow",
            "Disallow: an empty value allows the whole site; our reading: so does an empty Allow",
            "1994 text: an empty Disallow allows all URLs; our reading: so does an empty Allow",
            "RuleLine: an empty disallow becomes an allow",
        ],
    ),
    (
        "index_page",
        [
            "RobotsMatcher::HandleAllow: /index.htm",
            "not stated; our reading: a path as any other",
            "not stated; our reading: a path as any other",
            "not stated; our reading: a path as any other",
            "not stated; our reading: a path as any other",
            "not stated; our reading: a path as any other",
            "not stated; our reading: a path as any other",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "robots_txt_itself",
        [
            "RobotsMatcher::AllowedByRobots: no exception",
            "section 2.2.2: implicitly allowed",
            "not stated; our reading: no exception",
            "not stated; our reading: no exception",
            "not stated; our reading: no exception",
            "not stated; our reading: no exception",
            "1996 draft, 3.2.2: always allowed",
            "RobotFileParser.can_fetch: no exception",
        ],
    ),
    (
        "prefix_end",
        [
            "RobotsMatchStrategy::Matches: any prefix",
            "section 2.2.2: octets from the first on",
            "URL matching based on path values, table: /fish matches /fishheads",
            "URL matching based on path values, table: /fish matches /fishheads",
            "Disallow: /help forbids /helpabc.html",
            "table of URL matching: /tmp does not match /tmphoho; our reading: no letter or digit may follow",
            "1994 text: any URL that starts with the value",
            "RuleLine.applies_to: startswith",
        ],
    ),
    (
        "access.max_hops",
        [
            "Google's documentation: at least five; our reading: five",
            "section 2.3.1.2: at least five; our reading: five",
            "Handling HTTP result codes: at least five; our reading: five",
            "Handling HTTP result codes: five",
            "not stated; our reading: none",
            "not stated; our reading: none",
            "1996 draft, 3.1: until a resource can be found",
            "urllib.request.HTTPRedirectHandler: max_redirections, ten",
        ],
    ),
    (
        "access.redirect",
        [
            "Google's documentation: followed",
            "section 2.3.1.2: followed",
            "Handling HTTP result codes: followed",
            "Handling HTTP result codes: followed",
            "not stated; our reading: undefined",
            "not stated; our reading: undefined",
            "1996 draft, 3.1: followed",
            "urllib.request.HTTPRedirectHandler: followed",
        ],
    ),
    (
        "access.too_many_hops",
        [
            "Google's documentation: as a 404",
            "section 2.3.1.2: may be taken as unavailable",
            "Handling HTTP result codes: as a 404",
            "Handling HTTP result codes: as a 404",
            "not stated; our reading: undefined",
            "not stated; our reading: undefined",
            "not stated; our reading: a loop is undefined",
            "urllib.request.HTTPRedirectHandler: an error, after which RobotFileParser.can_fetch forbids all",
        ],
    ),
    (
        "access.unauthorized",
        [
            "Google's documentation: 4xx but 429 as no file",
            "section 2.3.1.3: 4xx is unavailable",
            "Handling HTTP result codes: 4xx, full allow",
            "Handling HTTP result codes: 4xx, full allow",
            "not stated; our reading: undefined",
            "not stated; our reading: undefined",
            "1996 draft, 3.1: 401 and 403 restrict the site completely",
            "RobotFileParser.read: 401 and 403 forbid all",
        ],
    ),
    (
        "access.too_many_requests",
        [
            "Google's documentation: 429 as a server error",
            "section 2.3.1.3: 4xx is unavailable",
            "Handling HTTP result codes: 4xx, full allow",
            "Handling HTTP result codes: 4xx, full allow",
            "not stated; our reading: undefined",
            "not stated; our reading: undefined",
            "not stated; our reading: as a file that does not exist",
            "RobotFileParser.read: other 4xx allow all",
        ],
    ),
    (
        "access.client_error",
        [
            "Google's documentation: 4xx but 429 as no file",
            "section 2.3.1.3: 4xx is unavailable",
            "Handling HTTP result codes: 4xx, full allow",
            "Handling HTTP result codes: 4xx, full allow",
            "Disallow: without the file the site is open to all; our reading: 4xx but 401, 403 and 429 is no file",
            "Disallow: without the file the site is open to all; our reading: 4xx but 401, 403 and 429 is no file",
            "1996 draft, 3.1: 404, no restriction; our reading: 4xx but 401 and 403 alike",
            "RobotFileParser.read: other 4xx allow all",
        ],
    ),
    (
        "access.server_error",
        [
            "Google's documentation: 5xx, full disallow",
            "section 2.3.1.4: 5xx is unreachable, complete disallow",
            "Handling HTTP result codes: 5xx, full disallow",
            "Handling HTTP result codes: 5xx, full disallow",
            "not stated; our reading: undefined",
            "not stated; our reading: undefined",
            "1996 draft, 3.1: a temporary failure defers visits; our reading: 5xx is one",
            "RobotFileParser.can_fetch: False while nothing was read",
        ],
    ),
    (
        "access.unreachable",
        [
            "Google's documentation: network errors as 5xx",
            "section 2.3.1.4: complete disallow",
            "Handling HTTP result codes: as a server error",
            "Handling HTTP result codes: undefined",
            "not stated; our reading: undefined",
            "not stated; our reading: undefined",
            "1996 draft, 3.1: a temporary failure defers visits",
            "RobotFileParser.can_fetch: False while nothing was read",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::QUESTIONS;

    const NOT_STATED: &str = "not stated; our reading: ";

    /// What a place in each work begins with, in the order of [`NAMES`].
    const PLACES: [&[&str]; NAMES.len()] = [
        &[
            "RobotsTxtParser::",
            "ParsedRobotsKey: ",
            "RobotsMatcher",
            "RobotsMatchStrategy::Matches: ",
            "LongestMatchRobotsMatchStrategy: ",
            "MaybeEscapePattern: ",
            "Google's documentation: ",
        ],
        &["section 2.", "section 5."],
        &[
            "File format: ",
            "Grouping of lines and rules: ",
            "Order of precedence for user-agents: ",
            "URL matching based on path values",
            "Order of precedence for group-member lines: ",
            "disallow and allow: ",
            "Handling HTTP result codes: ",
        ],
        &[
            "File format: ",
            "Grouping of records: ",
            "Order of precedence for user-agents: ",
            "URL matching based on path values",
            "Order of precedence for group-member records: ",
            "disallow and allow: ",
            "Handling HTTP result codes: ",
        ],
        BAIDU,
        BAIDU,
        &["1994 text: ", "1996 draft, 3."],
        &["RobotFileParser.", "Entry.", "RuleLine", "urllib.request."],
    ];

    const BAIDU: &[&str] = &[
        "format of the file: ",
        "User-agent: ",
        "Disallow: ",
        "use of * and $: ",
        "table of URL matching: ",
        "earlier copies of the page: ",
    ];

    #[test]
    fn every_answer_has_a_citation_or_a_marked_reading() {
        assert_eq!(SOURCES.len(), QUESTIONS.len());
        for question in QUESTIONS {
            for (dialect, places) in NAMES.into_iter().zip(PLACES) {
                let text = source(dialect, question).expect("the dialect is built in");
                let is_place = |place: &&str| text.starts_with(place) && text.len() > place.len();
                let is_cited = places.iter().any(is_place);
                let reading = text.strip_prefix(NOT_STATED);
                assert!(
                    is_cited || reading.is_some_and(|reading| !reading.is_empty()),
                    "{} {dialect}: {text}",
                    question.name
                );
            }
            assert_eq!(source("mine", question), None);
        }
        assert!(NAMES.iter().all(|name| work(name).is_some()));
    }

    #[test]
    fn what_no_page_states_is_not_cited() {
        let text = |dialect: &str, name: &str| {
            let question = QUESTIONS.iter().find(|question| question.name == name);
            source(dialect, question.expect("it is a question")).expect("the dialect is built in")
        };
        for (dialect, names) in [
            ("rfc9309", &["byte_order_mark", "agent_chain"][..]),
            ("google-2019", &["leading_slash", "percent"]),
            ("google-legacy", &["percent"]),
            (
                "baidu",
                &[
                    "percent",
                    "agent_cut",
                    "access.max_hops",
                    "access.redirect",
                    "access.unauthorized",
                    "access.too_many_requests",
                    "access.server_error",
                ],
            ),
            ("original-1994", &["access.too_many_requests"]),
        ] {
            for name in names {
                assert!(
                    text(dialect, name).starts_with(NOT_STATED),
                    "{dialect} {name}"
                );
            }
        }
        for (dialect, name) in [
            ("rfc9309", "leading_slash"),
            ("rfc9309", "agent_cut"),
            ("rfc9309", "empty_pattern"),
            ("google-2019", "agent_cut"),
            ("google-2019", "agent_match"),
            ("google-2019", "access.max_hops"),
            ("baidu", "agent_match"),
            ("baidu", "access.client_error"),
        ] {
            assert!(
                text(dialect, name).contains("; our reading: "),
                "{dialect} {name}"
            );
        }
    }
}
