//! `google-legacy`: Google's specification before July 2019, its text taken literally.

use std::borrow::Cow;

use super::{
    access::{Access, AccessPolicy},
    google_2019,
    spec::*,
};

/// The bytes of a file that count: 500 KB, in powers of ten.
pub(super) const BYTE_LIMIT: u32 = 500_000;

pub(super) const SPEC: DialectSpec = DialectSpec {
    name: Cow::Borrowed("google-legacy"),
    byte_limit: Some(BYTE_LIMIT),
    duplicate_groups: DuplicateGroups::FirstOnly,
    agent_case: AgentCase::Ignored,
    leading_slash: LeadingSlash::Supplied,
    wildcard_conflict: WildcardConflict::Undefined,
    access: AccessPolicy {
        unreachable: Access::Undefined,
        ..google_2019::SPEC.access
    },
    ..google_2019::SPEC
};
