//! The counts that a reader of the pages of an archive must find.

use std::collections::BTreeMap;

use serde::Serialize;

use super::writer::{CLOSED_PATH, Page};

/// What is true of the pages of an archive, as the sum over the pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::sample) struct PagesTruth {
    /// Responses that are HTML.
    html: u64,
    /// Responses of other media types with statements in their header.
    other: u64,
    with_statements: u64,
    /// Pages whose `noindex` no crawler may read, as a robots.txt disallows them.
    unread_noindex: u64,
    links: u64,
    nofollow_links: u64,
    ugc_links: u64,
    sponsored_links: u64,
    nosnippets: u64,
    traits: BTreeMap<&'static str, u64>,
    encodings: BTreeMap<&'static str, u64>,
    findings: BTreeMap<&'static str, u64>,
    /// Statements, each as `source place agent directive=value finding`, with `!` in front of one
    /// that states nothing.
    statements: BTreeMap<String, u64>,
}

impl PagesTruth {
    /// Returns the number of pages.
    pub(in crate::sample) fn pages(&self) -> u64 {
        self.html + self.other
    }

    /// Counts one page of an origin that has a robots.txt in the archive or none.
    pub(in crate::sample) fn count(&mut self, page: Page, has_robots: bool) {
        let stated = page.stated;
        self.html += u64::from(stated.is_html);
        self.other += u64::from(!stated.is_html);
        self.with_statements += u64::from(!stated.statements.is_empty());
        let is_noindex = |statement: &String| statement.ends_with(" * noindex");
        let is_unread = has_robots && page.path.starts_with(CLOSED_PATH);
        self.unread_noindex += u64::from(is_unread && stated.statements.iter().any(is_noindex));
        let sums = [
            &mut self.links,
            &mut self.nofollow_links,
            &mut self.ugc_links,
            &mut self.sponsored_links,
            &mut self.nosnippets,
        ];
        for (sum, count) in sums.into_iter().zip(stated.counts) {
            *sum += count;
        }
        *self.traits.entry(stated.trait_name).or_default() += 1;
        *self.encodings.entry(stated.encoding).or_default() += 1;
        for finding in stated.findings {
            *self.findings.entry(finding).or_default() += 1;
        }
        for statement in stated.statements {
            *self.statements.entry(statement).or_default() += 1;
        }
    }
}
