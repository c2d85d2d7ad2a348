//! Combinations of causes: one file may show several at once.

use std::collections::{BTreeSet, HashSet};

use super::{
    expect::{AcceptedCauses, Assessment},
    found::FoundCause,
    list_file::AcceptedCause,
};

impl AcceptedCauses {
    /// Returns the accepted causes of which a cause is a combination, by its changes or else by its
    /// examples; none if it is none.
    pub(super) fn parts_of(&self, cause: &FoundCause) -> Vec<&AcceptedCause> {
        let parts = self.listed_parts(cause);
        if covers(parts.iter().map(|part| &part.changes), cause) {
            return parts;
        }
        let of_example = |example: &String| {
            let mut accepted = self.causes.iter();
            accepted.find(|accepted| accepted.has_fingerprint(example))
        };
        let parts: Option<Vec<_>> = cause.fingerprints.iter().map(of_example).collect();
        parts.unwrap_or_default()
    }

    /// Takes those of the new causes that are combinations: accepted if all their parts are, else
    /// waiting for the new ones. Returns the keys of the accepted causes that are parts.
    pub(super) fn combine(
        &self,
        causes: &[FoundCause],
        assessment: &mut Assessment<'_>,
    ) -> HashSet<&str> {
        let mut matched = HashSet::new();
        let new = std::mem::take(&mut assessment.new).into_iter();
        let (combined, new): (Vec<_>, _) =
            new.partition(|cause| self.is_combination(cause, causes));
        assessment.new = new;
        for cause in combined {
            let listed = self.listed_parts(cause);
            matched.extend(listed.iter().map(|part| &*part.key));
            let new = assessment.new.iter();
            let new = new.filter(|part| is_part(&part.changes, cause));
            let keys: Vec<&str> = new.map(|part| &*part.key).collect();
            if keys.is_empty() {
                // All parts are accepted, some by their examples.
                let found = assessment.accepted.iter();
                let found = found.filter(|(part, _)| is_part(&part.changes, cause));
                let reasons = found.map(|(_, reason)| &**reason);
                let reasons = reasons.chain(listed.iter().map(|part| &*part.reason));
                let reasons = Vec::from_iter(BTreeSet::from_iter(reasons)).join("; ");
                assessment.accepted.push((cause, reasons));
                continue;
            }
            let is = if keys.len() == 1 { "is" } else { "are" };
            let waits = format!("accepted once {} {is}", keys.join(" and "));
            assessment.combined.push((cause, waits));
        }
        matched
    }

    /// Returns true if and only if a cause is a combination of smaller ones that were found or are
    /// accepted.
    fn is_combination(&self, cause: &FoundCause, found: &[FoundCause]) -> bool {
        let accepted = self.causes.iter().map(|accepted| &accepted.changes);
        let known = found.iter().map(|found| &found.changes).chain(accepted);
        covers(known.filter(|changes| is_part(changes, cause)), cause)
    }

    /// Returns the accepted causes of which each has some of a cause's changes and no others.
    fn listed_parts(&self, cause: &FoundCause) -> Vec<&AcceptedCause> {
        let causes = self.causes.iter();
        causes
            .filter(|listed| is_part(&listed.changes, cause))
            .collect()
    }
}

/// Returns true if and only if parts of a cause have all of its changes between them.
fn covers<'p>(parts: impl Iterator<Item = &'p Vec<String>>, cause: &FoundCause) -> bool {
    let covered: HashSet<&String> = parts.flatten().collect();
    !covered.is_empty() && covered.len() == cause.changes.len()
}

/// Returns true if and only if a cause has these changes and more.
fn is_part(changes: &[String], cause: &FoundCause) -> bool {
    let has = |change: &String| cause.changes.contains(change);
    (1..cause.changes.len()).contains(&changes.len()) && changes.iter().all(has)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{found::Totals, testing::found_cause};

    fn from_toml(text: &str) -> AcceptedCauses {
        AcceptedCauses::from_toml(text).unwrap()
    }

    #[test]
    fn a_combination_with_a_new_cause_is_not_another_new_one() {
        let list = from_toml(
            "[[cause]]\nchanges = \"percent=normalized\"\nreason = \"x\"\n\
             [[cause]]\nfingerprint = \"5c1f8a20\"\nreason = \"x\"\n",
        );
        let causes = [
            "agent_case=sensitive percent=normalized precedence=first",
            "percent=normalized precedence=first",
            "precedence=first",
            "agent_case=sensitive percent=normalized",
            "unexplained:77aa0315",
            "duplicate_groups=merged",
            "duplicate_groups=merged precedence=first",
        ];
        let mut causes = causes.map(|key| found_cause(key, 1, 1));
        // It is accepted by its example.
        causes[5].fingerprints.insert("5c1f8a20".to_owned());
        let assessment = list.assess(&causes, &[], &Totals::default());
        assert!(!assessment.is_accepted());
        let new = assessment.new.iter().map(|cause| &*cause.key);
        assert_eq!(
            Vec::from_iter(new),
            [2, 3, 4].map(|index: usize| &*causes[index].key)
        );
        let combined = assessment.combined.iter();
        let combined = combined.map(|(cause, keys)| (&*cause.key, &**keys));
        assert_eq!(
            Vec::from_iter(combined),
            [
                (
                    "agent_case=sensitive percent=normalized precedence=first",
                    "accepted once precedence=first and agent_case=sensitive percent=normalized are"
                ),
                (
                    "percent=normalized precedence=first",
                    "accepted once precedence=first is"
                ),
                (
                    "duplicate_groups=merged precedence=first",
                    "accepted once precedence=first is"
                ),
            ]
        );
        assert!(assessment.unmatched.is_empty());
        let text = "[[cause]]\nfingerprint = \"77aa0315\"\nreason = \"y\"\n";
        let mut both = list;
        both.causes.extend(from_toml(text).causes);
        causes[2].fingerprints.insert("77aa0315".to_owned());
        let assessment = both.assess(&causes, &[], &Totals::default());
        let combinations = assessment.accepted.iter();
        let combinations = combinations.filter(|(cause, _)| cause.changes.len() == 2);
        let reasons = combinations.map(|(_, reasons)| &**reasons);
        assert_eq!(Vec::from_iter(reasons), ["x; y", "x; y"]);
    }
}
