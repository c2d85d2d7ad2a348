//! The class of Liu et al., by probing.

use super::{
    Assessor, Rules,
    probing::{Ends, effective},
};
use crate::{
    named::named,
    robots::dialect::{Rule, RuleKind, Selection},
};

named! {
    ALL
    /// The class after Liu et al., "Somesite I Used To Crawl" (IMC 2025):
    /// `robots_analysis_final.py` of the study's artifact, which uses Google's matcher.
    ///
    /// The probes are `/`, every allow and disallow path of the whole file, whatever agent it is
    /// for, and `/dummy-testing-path-54321`, which is on no site. A path is the text of the line up
    /// to the first white space, without a final `$` and with its `*` as a plain byte.
    ///
    /// The artifact appends it to the URL of the site without its final slash, whatever the path
    /// begins with, and so do we: an empty path is `/`, and `*.pdf` becomes a part of the host, so
    /// that `/` is probed once more. So a rule without a leading slash never makes this class
    /// partial. Nothing is escaped, so where the matcher escapes bytes beyond ASCII in patterns
    /// alone, as Google's does, a path with such bytes is not disallowed by its own rule.
    ///
    /// Here the lines are those that the dialect reads as rules, and it answers; the study takes
    /// any line with `allow:`, comments too, and uses Google's matcher. Where the dialect allows
    /// `/robots.txt` whatever the rules, that path is no probe. The probes of one selection are
    /// matched up to a budget of a million comparisons, those that can differ from `/` first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ClassProbe {
        /// Every probe is disallowed.
        FullyDisallowed = "fully_disallowed",
        /// Some probes are disallowed, and some are not.
        PartiallyDisallowed = "partially_disallowed",
        /// No probe is disallowed.
        NoRestrictions = "no_restrictions",
    }
}

impl Assessor {
    /// Returns the class of the groups of a selection, whose ends are known.
    pub(super) fn class_probe(
        &mut self,
        rules: Rules<'_>,
        selection: &Selection,
        ends: Option<Ends>,
    ) -> ClassProbe {
        let Some(Ends { root, nowhere }) = ends else {
            return ClassProbe::NoRestrictions;
        };
        if root != nowhere {
            return ClassProbe::PartiallyDisallowed;
        }
        let (other, answer) = if root {
            (RuleKind::Allow, ClassProbe::FullyDisallowed)
        } else {
            (RuleKind::Disallow, ClassProbe::NoRestrictions)
        };
        let others = effective(rules, selection, other);
        // Where nothing is allowed and a disallow matches every path, no path needs to be matched.
        let disallows_all = |rule: &Rule| matches!(rules.set.pattern(rule), b"/" | b"*" | b"/*");
        let mut disallows = effective(rules, selection, RuleKind::Disallow);
        if root && others.clone().next().is_none() && disallows.any(disallows_all) {
            return answer;
        }
        let probes = others.chain(rules.set.rules());
        if self.finds(rules, selection, !root, probes, append_probe) {
            ClassProbe::PartiallyDisallowed
        } else {
            answer
        }
    }
}

/// Appends the path that a rule names.
fn append_probe(rules: Rules<'_>, rule: &Rule, url: &mut Vec<u8>) {
    let value = rule.value.of(rules.body);
    let path = value
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    url.extend_from_slice(path.strip_suffix(b"$").unwrap_or(path));
}
