//! Probes: paths that are made from the rules of a file itself.

use super::{Assessor, Rules};
use crate::robots::dialect::{Basis, PreparedPath, Rule, RuleKind, Selection, Verdict};

/// A path of no site, for what an agent may fetch where no rule was written for it. It is
/// the one that Liu et al. ask.
pub(super) const NOWHERE: &[u8] = b"/dummy-testing-path-54321";

/// The comparisons of a path with a rule that one selection may cost. It covers every probe of a
/// group with a thousand rules; of one with 40,000, as many as fit into the 500 KiB that are read
/// of a file, it covers the first 26 and takes milliseconds.
pub(super) const BUDGET: usize = 1 << 20;

/// What preparing a probe costs, in comparisons.
const PROBE_COST: usize = 16;

/// What a URL begins with, so that a path such as `//x` is read as a path and not as a host.
const HOST: &[u8] = b"http://h";

/// Which of the two paths at the ends of a site are disallowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// The path `/`.
    pub root: bool,
    /// [`NOWHERE`].
    pub nowhere: bool,
}

impl Assessor {
    /// Returns which ends are disallowed, or nothing where no rule disallows anything.
    pub(super) fn ends(&self, rules: Rules<'_>, selection: &Selection) -> Option<Ends> {
        effective(rules, selection, RuleKind::Disallow).next()?;
        Some(Ends {
            root: is_forbidden(rules, selection, &self.root),
            nowhere: is_forbidden(rules, selection, &self.nowhere),
        })
    }

    /// Returns true if and only if one of the first probes, as many as the budget allows, is
    /// disallowed or not, as `wanted`. `append` appends the path of a rule to a scheme and
    /// a host.
    pub(super) fn finds<'f>(
        &mut self,
        rules: Rules<'f>,
        selection: &Selection,
        wanted: bool,
        probes: impl Iterator<Item = &'f Rule>,
        append: impl Fn(Rules<'f>, &Rule, &mut Vec<u8>),
    ) -> bool {
        let n_own = rules.of(selection).count();
        probes.take(BUDGET / (n_own + PROBE_COST)).any(|rule| {
            self.url.clear();
            self.url.extend_from_slice(HOST);
            append(rules, rule, &mut self.url);
            self.probe.set_url(&self.dialect, &self.url);
            let decision = rules.set.decide(selection, &self.probe);
            let is_forbidden = decision.verdict == Verdict::Disallow;
            // Where every file allows /robots.txt, that verdict does not depend on its rules.
            decision.basis != Basis::RobotsTxtItself && is_forbidden == wanted
        })
    }
}

/// Returns the rules that count for an agent and can answer by `kind` at all: one without a value
/// cannot disallow, and need not allow. (A value may have an empty pattern, as `?` has under
/// Python, and then matches every path.)
pub(super) fn effective<'f>(
    rules: Rules<'f>,
    selection: &'f Selection,
    kind: RuleKind,
) -> impl Iterator<Item = &'f Rule> + Clone {
    let counts = move |rule: &&Rule| rule.kind == kind && !rule.value.of(rules.body).is_empty();
    rules.of(selection).filter(counts)
}

fn is_forbidden(rules: Rules<'_>, selection: &Selection, path: &PreparedPath) -> bool {
    rules.set.decide(selection, path).verdict == Verdict::Disallow
}
