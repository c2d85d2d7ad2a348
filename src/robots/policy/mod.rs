//! What a file as a whole means for one agent: restricted fully, partly, or not at all.
//!
//! A [`Policy`] is computed from the rules of a file under a dialect and the groups that apply to
//! an agent, by our own definition and by those of three studies, so that their figures can be
//! compared. The parser of a study is not imitated: every definition is applied to the rules of the
//! groups that the dialect selects.
//!
//! Where the definitions differ, `tests/testdata/policies.toml` has a case. The most frequent
//! reasons:
//!
//! - `Disallow: /*` disallows everything, but is not the value `/` that the Data Provenance
//!   Initiative and Common Crawl look for.
//! - One narrow allow besides `Disallow: /` makes a policy partial; where that allow changes no
//!   verdict, only probing finds it.
//! - A path of another agent's group is a probe for Liu et al., though it does not apply to this
//!   agent.

mod bias;
mod cc;
mod dpi;
mod liu;
mod probing;
mod restriction;

use crate::robots::dialect::{
    Agent, Dialect, PreparedPath, Rule, RuleKind, RuleSet, Selection, SelectionKind,
};

pub(crate) use self::{
    bias::Bias, cc::ClassCc, dpi::ClassDpi, liu::ClassProbe, restriction::Restriction,
};

/// What the groups of one selection mean as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The reason why the groups apply. No group can name `*`, so the agent `*` has a wildcard
    /// group or none.
    pub group_kind: SelectionKind,
    /// How much is disallowed, by probing.
    pub restriction: Restriction,
    /// The class of the Data Provenance Initiative.
    pub class_dpi: ClassDpi,
    /// The class of Common Crawl.
    pub class_cc: ClassCc,
    /// The class of Liu et al.
    pub class_probe: ClassProbe,
    /// The restriction against that of `*` in the same file.
    pub bias: Bias,
}

/// Finds policies; prepared once per run and dialect.
#[derive(Clone, Debug)]
pub struct Assessor {
    dialect: Dialect,
    root: PreparedPath,
    nowhere: PreparedPath,
    wildcard: Agent,
    of_wildcard: Selection,
    /// The current probe, before it is prepared and after.
    url: Vec<u8>,
    probe: PreparedPath,
}

/// One file under the dialect of the assessor.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'f> {
    /// The bytes from which the rules were compiled.
    pub body: &'f [u8],
    /// The rules.
    pub set: &'f RuleSet,
}

impl Assessor {
    /// Returns an assessor for rule sets of this dialect.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            root: PreparedPath::from_url(&dialect, b"/"),
            nowhere: PreparedPath::from_url(&dialect, probing::NOWHERE),
            wildcard: Agent::new(&dialect, &["*"]),
            of_wildcard: Selection::new(),
            url: Vec::new(),
            probe: PreparedPath::from_url(&dialect, b"/"),
            dialect,
        }
    }

    /// Replaces the content of `policies` by the policy of each selection.
    ///
    /// Costs for each of them a few decisions in a usual file, and in any file no more than about
    /// two million comparisons of a path with a rule.
    pub fn assess(
        &mut self,
        rules: Rules<'_>,
        selections: &[Selection],
        policies: &mut Vec<Policy>,
    ) {
        rules.set.select(&self.wildcard, &mut self.of_wildcard);
        let of_wildcard = std::mem::take(&mut self.of_wildcard);
        let universal_ends = self.ends(rules, &of_wildcard);
        let universal = self.restriction(rules, &of_wildcard, universal_ends);
        policies.clear();
        policies.extend(selections.iter().map(|selection| {
            let (ends, restriction) = if *selection == of_wildcard {
                (universal_ends, universal)
            } else {
                let ends = self.ends(rules, selection);
                (ends, self.restriction(rules, selection, ends))
            };
            Policy {
                group_kind: selection.kind(),
                restriction,
                class_dpi: ClassDpi::from_rules(rules, selection),
                class_cc: ClassCc::from_rules(rules, selection),
                class_probe: self.class_probe(rules, selection, ends),
                bias: Bias::new(restriction, universal),
            }
        }));
        self.of_wildcard = of_wildcard;
    }
}

impl<'f> Rules<'f> {
    /// Returns the rules that count for an agent, group by group.
    fn of(self, selection: &'f Selection) -> impl Iterator<Item = &'f Rule> + Clone {
        let group = move |&index: &u32| self.set.groups()[index as usize].rules;
        let groups = selection.groups().iter().map(group);
        groups.flat_map(move |range| range.of(self.set.rules()))
    }

    /// Returns the values of the rules of one kind that count for an agent, as written.
    fn values(
        self,
        selection: &'f Selection,
        kind: RuleKind,
    ) -> impl Iterator<Item = &'f [u8]> + Clone {
        let of_kind = self.of(selection).filter(move |rule| rule.kind == kind);
        of_kind.map(move |rule| rule.value.of(self.body))
    }
}
