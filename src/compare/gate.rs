//! Whether a comparison passes, and why not: what continuous integration acts on.

use serde_json::json;

use super::{
    config::{CompareConfig, Comparison},
    expect::Assessment,
    external::UsageRatio,
    found::FoundCause,
};

/// Archives that are named one by one.
const MOST_NAMED: usize = 10;

/// A comparison held against the list of what is accepted.
#[derive(Debug)]
pub struct Gate<'a> {
    /// What was found.
    pub comparison: &'a Comparison,
    /// What the list has and what it lacks; without a list it lacks everything.
    pub assessment: Assessment<'a>,
    /// Whether there is a list.
    pub has_list: bool,
    /// Whether it limits what the candidate takes, and that is not known.
    pub is_unmeasured: bool,
    /// What is wrong with the comparison as a whole: a sentence each, without a final stop.
    pub problems: Vec<String>,
}

/// What tables and files say of a cause that the list accepts, of one that waits for others, and of
/// one that is beyond its limits.
pub(super) const ACCEPTED: &str = "accepted";
pub(super) const COMBINATION: &str = "combination";
pub(super) const BEYOND_LIMITS: &str = "beyond its limits";

impl Comparison {
    /// Holds the result of a comparison with these options against their list.
    pub fn gate(&self, config: &CompareConfig) -> Gate<'_> {
        let Self { totals, .. } = self;
        let mut list = config.accepted.clone().unwrap_or_default();
        if config.only.is_some() {
            // Files that flip are no sample: a share of their cells says nothing.
            list.drop_shares();
        }
        let assessment = list.assess(&self.causes, &self.faults, totals);
        let mut problems = Vec::new();
        if totals.queries == 0 && config.only.is_none() {
            problems.push(
                "nothing was compared: expected a robots.txt that both sides read and answer, but found none".to_owned(),
            );
        }
        if totals.answered_by_one > 0 {
            problems.push(format!(
                "{} queries were answered by one side alone: the other reports an error",
                totals.answered_by_one
            ));
        }
        let damaged = self.damaged.iter().take(MOST_NAMED);
        problems.extend(damaged.map(|archive| format!("{}: {}", archive.name, archive.fault)));
        let more = self.damaged.len().saturating_sub(MOST_NAMED);
        if more > 0 {
            problems.push(format!("{more} more archives are damaged"));
        }
        problems.extend(assessment.exceeded_faults.iter().cloned());
        let ratios = UsageRatio::between(self.usage);
        problems.extend(list.limits.exceeded_by(&ratios));
        Gate {
            comparison: self,
            assessment,
            has_list: config.accepted.is_some(),
            is_unmeasured: ratios.is_empty() && list.limits != Default::default(),
            problems,
        }
    }

    /// Returns the text of [`COMPARISON_FILE`](super::COMPARISON_FILE): JSON with `sides`, the names
    /// of baseline, candidate and reference, `totals`, these and the number of flips, `causes` and
    /// `gate`.
    pub(super) fn describe(&self, config: &CompareConfig) -> String {
        let gate = self.gate(config);
        let causes = self.causes.iter().map(|cause| {
            json!({
                "cause_id": cause.id,
                "changes": cause.key,
                "hosts": cause.hosts,
                "files": cause.files,
                "cells": cause.cells,
                "stances": cause.stances,
                "state": gate.state(cause).0,
            })
        });
        let mut description = json!({
            "sides": self.sides.iter().chain(&self.reference).collect::<Vec<_>>(),
            "totals": self.totals,
            "usage": self.usage,
            "causes": causes.collect::<Vec<_>>(),
            "gate": { "passed": gate.is_passed(), "reasons": gate.reasons() },
        });
        description["totals"]["flips"] = self.totals.flips().into();
        format!("{description:#}\n")
    }
}

impl<'a> Gate<'a> {
    /// Returns true if and only if everything found is accepted and nothing is wrong.
    pub fn is_passed(&self) -> bool {
        self.assessment.is_accepted() && self.problems.is_empty()
    }

    /// Returns the state of a cause by the list, and what else the list says: the limit that is
    /// exceeded, the reasons why it is accepted, or what a combination waits for.
    pub(super) fn state(&self, cause: &FoundCause) -> (&'static str, &str) {
        let listed = [
            (BEYOND_LIMITS, &self.assessment.exceeded),
            (ACCEPTED, &self.assessment.accepted),
            (COMBINATION, &self.assessment.combined),
        ];
        for (state, list) in listed {
            if let Some((_, note)) = list.iter().find(|(listed, _)| listed.key == cause.key) {
                return (state, note);
            }
        }
        ("new", "")
    }

    /// Returns why it is not passed; nothing if it is.
    pub(super) fn reasons(&self) -> Vec<String> {
        let found = &self.assessment;
        let new_faults = found.new_faults.iter().map(|fault| fault.faults as usize);
        let counted = [
            (found.new.len(), "causes not accepted"),
            (found.combined.len(), "combinations of causes not accepted"),
            (found.exceeded.len(), "limits exceeded by accepted causes"),
            (new_faults.sum(), "faults of parsers not accepted"),
        ];
        let counted = counted.into_iter().filter(|&(n, _)| n > 0);
        let counted = counted.map(|(n, what)| format!("{what}: {n}"));
        counted.chain(self.problems.iter().cloned()).collect()
    }
}
