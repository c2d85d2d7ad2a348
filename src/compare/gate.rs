//! Whether a comparison passes, and why not: what continuous integration acts on.

use serde_json::json;

use super::{
    config::{CompareConfig, Comparison},
    expect::{Assessment, NOTHING},
    found::FoundCause,
};

/// Archives that are named one by one.
const MOST_NAMED: usize = 10;

/// A comparison held against the list of what is accepted.
#[derive(Debug)]
pub struct Gate<'a> {
    pub(super) comparison: &'a Comparison,
    /// What the list has and what it lacks; without a list it lacks everything.
    pub assessment: Assessment<'a>,
    /// Whether there is a list.
    pub has_list: bool,
    /// What is wrong with the comparison as a whole, which no list accepts: a sentence each,
    /// without a final stop.
    pub problems: Vec<String>,
}

/// What a list says about a cause that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CauseState<'g> {
    /// The list does not have it.
    New,
    /// It is beyond its limits: a sentence.
    Exceeded(&'g str),
    /// It is accepted.
    Accepted,
}

impl Comparison {
    /// Holds the result of a comparison with these options against their list.
    pub fn gate<'a>(&'a self, config: &'a CompareConfig) -> Gate<'a> {
        let Self { totals, .. } = self;
        let list = config.accepted.as_ref().unwrap_or(&NOTHING);
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
        Gate {
            comparison: self,
            assessment: list.assess(&self.causes, &self.faults, totals),
            has_list: config.accepted.is_some(),
            problems,
        }
    }

    /// Returns the text of [`COMPARISON_FILE`](super::COMPARISON_FILE): JSON with `sides`, the names
    /// of baseline and candidate, `totals`, these and the number of flips, `causes` and `gate`.
    pub(super) fn describe(&self, config: &CompareConfig) -> String {
        let gate = self.gate(config);
        let causes = self.causes.iter().map(|cause| {
            let is_accepted = gate.state(cause) == CauseState::Accepted;
            json!({
                "cause_id": cause.id,
                "changes": cause.key,
                "hosts": cause.hosts,
                "files": cause.files,
                "cells": cause.cells,
                "is_accepted": is_accepted,
            })
        });
        let mut description = json!({
            "sides": self.sides,
            "totals": self.totals,
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

    /// Returns what the list says about a cause.
    pub(super) fn state(&self, cause: &'a FoundCause) -> CauseState<'_> {
        let Assessment { new, exceeded, .. } = &self.assessment;
        if new.iter().any(|new| new.key == cause.key) {
            return CauseState::New;
        }
        let mut exceeded = exceeded.iter();
        match exceeded.find(|(limited, _)| limited.key == cause.key) {
            Some((_, sentence)) => CauseState::Exceeded(sentence),
            None => CauseState::Accepted,
        }
    }

    /// Returns why it is not passed; nothing if it is.
    pub(super) fn reasons(&self) -> Vec<String> {
        let Assessment {
            new,
            exceeded,
            new_faults,
            other_faults,
            ..
        } = &self.assessment;
        let new_faults = new_faults.iter().map(|fault| fault.faults);
        let counted = [
            (new.len() as u64, "causes not accepted"),
            (exceeded.len() as u64, "limits exceeded by accepted causes"),
            (
                new_faults.sum::<u64>() + other_faults,
                "faults of parsers not accepted",
            ),
        ];
        let counted = counted.into_iter().filter(|&(n, _)| n > 0);
        let counted = counted.map(|(n, what)| format!("{what}: {n}"));
        counted.chain(self.problems.iter().cloned()).collect()
    }
}
