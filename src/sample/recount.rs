//! A recount of a body by the naive reader of the tests, so that a template cannot state one thing
//! and write another.

use crate::{
    naive::google::{LineKind, decide, directive, lines},
    sample::body::{AGENTS, BodyCounts},
};

/// Returns the counts of lines, the agents that are named, and those for which `/` is disallowed,
/// both sorted.
pub(super) fn body(body: &[u8]) -> (BodyCounts, Vec<&'static str>, Vec<&'static str>) {
    let mut counts = BodyCounts::default();
    let mut named = Vec::new();
    let mut is_group_open = false;
    for line in lines(body) {
        counts.comment_lines += u64::from(line.trim_ascii_start().starts_with(b"#"));
        let Some((kind, value)) = directive(line) else {
            continue;
        };
        match kind {
            LineKind::UserAgent => {
                counts.agent_lines += 1;
                counts.groups += u64::from(!is_group_open);
                is_group_open = true;
                let token = value.split(|&byte| byte == b'/').next().unwrap_or_default();
                let is_named = |agent: &&&str| agent.as_bytes().eq_ignore_ascii_case(token);
                named.extend(AGENTS.iter().filter(is_named));
            }
            LineKind::Allow | LineKind::Disallow => {
                let is_allow = kind == LineKind::Allow;
                counts.allow += u64::from(is_allow);
                counts.disallow += u64::from(!is_allow);
                counts.rules_before_group += u64::from(counts.groups == 0);
                is_group_open = false;
            }
            LineKind::Sitemap => counts.sitemaps += 1,
            LineKind::Other => counts.other_directives += 1,
        }
    }
    named.sort_unstable();
    named.dedup();
    let is_closed = |agent: &&str| decide(body, agent.as_bytes(), b"/").0;
    let mut closed: Vec<_> = AGENTS.into_iter().filter(is_closed).collect();
    closed.sort_unstable();
    (counts, named, closed)
}
