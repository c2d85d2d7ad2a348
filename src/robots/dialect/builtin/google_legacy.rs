//! `google-legacy`: Google's specification before July 2019, its text taken literally.

use crate::robots::dialect::definition::*;

/// The bytes of a file that count: 500 KB, in powers of ten.
pub(in crate::robots::dialect) const BYTE_LIMIT: u32 = 500_000;

super::built_in! {
    "google-legacy" follows "Google's robots.txt specification before July 2019", differs from google_2019, citing &[
        "File format: ", "Grouping of records: ", "Order of precedence for user-agents: ",
        "URL matching based on path values", "Order of precedence for group-member records: ",
        "disallow and allow: ", "Handling HTTP result codes: ",
    ];
    byte_limit: Some(BYTE_LIMIT), "File format: 500 kilobytes";
    field_names: FieldNames::Exact, "File format: misspelled fields are undefined; our interpretation: no fields";
    group_end: GroupEnd::AgentLineAfterRule, "Grouping of records: up to the next start-of-group record";
    duplicate_groups: DuplicateGroups::FirstOnly, "Order of precedence for user-agents: only one group is valid; our interpretation: the first in the file";
    agent_case: AgentCase::Ignored, "Order of precedence for user-agents: not case-sensitive";
    leading_slash: LeadingSlash::Supplied, "URL matching based on path values, table: fish/ is interpreted as /fish/";
    precedence: Precedence::LongestPattern, "Order of precedence for group-member records: the longest path; the least restrictive among equals";
    wildcard_conflict: WildcardConflict::Undefined, "Order of precedence for group-member records: undefined with wildcards";
    [access]
    max_hops: Some(5), "Handling HTTP result codes: five";
    unreachable: Access::Undefined, "Handling HTTP result codes: undefined";
}
