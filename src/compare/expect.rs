//! Lists of accepted causes and faults, by which the owner of a parser lets continuous integration
//! pass.
//!
//! A list is a TOML file with a table for each accepted cause. `reason` and at least one of
//! `changes` and `fingerprint` are required, limits may be left out. A fault of an external parser
//! that is known is accepted by its kind and the file at fault, if there is one; or so many of one
//! kind are, whatever the file. Time and memory of the candidate have limits as multiples of those
//! of the baseline:
//!
//! ```toml
//! [[cause]]
//! changes = "group_end=blank-line percent=normalized"
//! fingerprint = "0f3d77a0915c 61b2e8c04a7d"
//! reason = "RFC 9309, 2.2.2, since version 2"
//! max_hosts = 120
//! max_share_of_cells = 0.001
//!
//! [[cause]]
//! fingerprint = "5c1f8a20c0de"
//! reason = "A page of HTML, of which no parser makes sense"
//!
//! [[fault]]
//! kind = "timed_out"
//! content_digest = "5Q5SUVXE2GUQN6XUYSTKW5DCWQFSNCLD"
//! reason = "40,000 wildcards; both versions take minutes"
//!
//! [[fault]]
//! kind = "unstable_answer"
//! max_faults = 5
//! reason = "Answers depend on the time of day"
//!
//! [limits]
//! max_time_ratio = 1.5
//! max_memory_ratio = 2
//! ```
//!
//! A list holds on other files than those that it was written from. A cause that is found is
//! accepted by its changes if these are those of one or of several accepted causes together, since
//! one file may show two at once; or by the fingerprints of its smallest examples, one of each
//! direction. These are made of what both sides answer to an example and around it, and so are the
//! same whether or not the changes were found by which the list names the cause. The parts of a
//! [combination](super::combination) are accepted in both ways too. Only the limits of the cause with
//! the same key, or else with the same fingerprints, hold for it.

use std::collections::{BTreeMap, HashSet};

pub(super) use super::list_file::OTHER;
pub use super::list_file::UNEXPLAINED;
use super::{
    found::{FoundCause, FoundFault, Totals, fault_key},
    list_file::{AcceptedCause, Limits, List, key_at},
};
use crate::robots::dialect::toml_mistake;

/// A list of accepted causes and faults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcceptedCauses {
    pub(super) causes: Vec<AcceptedCause>,
    pub(super) limits: Limits,
}

/// What a comparison found, held against a list.
#[derive(Debug, Default)]
pub struct Assessment<'a> {
    /// The causes that the list does not have, in the order found.
    pub new: Vec<&'a FoundCause>,
    /// Combinations of new causes, with accepted ones or alone, each with which of the new ones it
    /// waits for: `accepted once KEY is`.
    pub combined: Vec<(&'a FoundCause, String)>,
    /// The faults that the list does not have, in the order found.
    pub new_faults: Vec<&'a FoundFault>,
    /// Each limit that an accepted cause exceeds, with a sentence on it.
    pub exceeded: Vec<(&'a FoundCause, String)>,
    /// Each limit that accepted faults exceed: a sentence.
    pub exceeded_faults: Vec<String>,
    /// Each accepted cause with the reasons why it is.
    pub accepted: Vec<(&'a FoundCause, String)>,
    /// The keys of the list that no cause and no fault found has.
    pub unmatched: Vec<String>,
}

impl Assessment<'_> {
    /// Returns true if and only if every cause is accepted and within its limits, and every fault
    /// is accepted.
    pub fn is_accepted(&self) -> bool {
        self.new.is_empty()
            && self.exceeded.is_empty()
            && self.exceeded_faults.is_empty()
            && self.new_faults.is_empty()
    }
}

impl AcceptedCauses {
    /// Reads a list from the text of a TOML file.
    ///
    /// # Errors
    ///
    /// One sentence without a final stop, with the number of the line, 1 for the first: the text is
    /// not TOML, a key is unknown or missing, a reason is blank, a change is none of
    /// `robocensus dialects`, a kind of fault is none, a limit is no number in its range, or a
    /// cause or a fault has two entries.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let list: List = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let message = match key_at(text, offset) {
                Some(key) => format!("{key}: {}", error.message()),
                None => error.message().to_owned(),
            };
            toml_mistake(text, offset, &message)
        })?;
        let mut causes: Vec<AcceptedCause> = Vec::new();
        let entries = list.cause.into_iter();
        let entries = entries.map(|entry| (entry.span().start, entry.into_inner().with_key()));
        let faults = list.fault.into_iter();
        let faults = faults.map(|entry| (entry.span().start, Ok(entry.into_inner().accepted())));
        for (offset, cause) in entries.chain(faults) {
            let cause = cause.map_err(|message| toml_mistake(text, offset, message))?;
            if causes.iter().any(|earlier| earlier.key == cause.key) {
                let message = format!("expected one entry for {}, but found another", cause.key);
                return Err(toml_mistake(text, offset, &message));
            }
            causes.push(cause);
        }
        let limits = list.limits;
        Ok(Self { causes, limits })
    }

    /// Drops the limits that are shares of the cells compared.
    pub(super) fn drop_shares(&mut self) {
        for cause in &mut self.causes {
            cause.max_share_of_cells = None;
        }
    }

    /// Holds what was found against the list.
    pub fn assess<'a>(
        &self,
        causes: &'a [FoundCause],
        faults: &'a [FoundFault],
        totals: &Totals,
    ) -> Assessment<'a> {
        let mut assessment = Assessment::default();
        let mut matched: HashSet<&str> = HashSet::new();
        for cause in causes {
            let listed = self.of_cause(cause);
            let parts = listed.map_or_else(|| self.parts_of(cause), |accepted| vec![accepted]);
            if parts.is_empty() {
                assessment.new.push(cause);
                continue;
            }
            let reasons: Vec<&str> = parts.iter().map(|part| &*part.reason).collect();
            assessment.accepted.push((cause, reasons.join("; ")));
            matched.extend(parts.iter().map(|part| &*part.key));
            let Some(accepted) = listed else {
                continue;
            };
            let FoundCause { key, hosts, .. } = cause;
            let exceeded = &mut assessment.exceeded;
            if let Some(most) = accepted.max_hosts.filter(|most| hosts > most) {
                let noun = if most == 1 { "host" } else { "hosts" };
                let sentence = format!("{key}: expected at most {most} {noun}, but found {hosts}");
                exceeded.push((cause, sentence));
            }
            let share = cause.cells as f64 / totals.cells.max(1) as f64;
            if let Some(most) = accepted.max_share_of_cells.filter(|&most| share > most) {
                let sentence = format!(
                    "{key}: expected a share of at most {most} of the cells, but found {share:.8}"
                );
                exceeded.push((cause, sentence));
            }
        }
        matched.extend(self.combine(causes, &mut assessment));
        let mut n_accepted: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for fault in faults {
            match self.of_fault(fault) {
                Some(AcceptedCause {
                    key, max_faults, ..
                }) => {
                    matched.insert(key);
                    let most = max_faults.unwrap_or(u64::MAX);
                    n_accepted.entry(key).or_insert((0, most)).0 += fault.faults;
                }
                None => assessment.new_faults.push(fault),
            }
        }
        let exceeded = n_accepted.into_iter().filter(|(_, (n, most))| n > most);
        let exceeded = exceeded
            .map(|(key, (n, most))| format!("{key}: expected at most {most}, but found {n}"));
        assessment.exceeded_faults = exceeded.collect();
        let keys = self.causes.iter().map(|cause| &cause.key);
        let unmatched = keys.filter(|key| !matched.contains(key.as_str()));
        assessment.unmatched = unmatched.cloned().collect();
        assessment
    }

    /// Returns the accepted cause that one that was found is: that of its changes, or else of its
    /// example.
    fn of_cause(&self, cause: &FoundCause) -> Option<&AcceptedCause> {
        let has_examples = |accepted: &&AcceptedCause| {
            let mut examples = cause.fingerprints.iter();
            examples.len() > 0 && examples.all(|example| accepted.has_fingerprint(example))
        };
        let mut causes = self.causes.iter();
        let by_key = causes.find(|accepted| accepted.key == cause.key);
        by_key.or_else(|| self.causes.iter().find(has_examples))
    }

    /// Returns the entry of a fault: that of its kind and file, or else that of its kind if this
    /// has a limit, without which it is of faults that belong to no file.
    fn of_fault(&self, fault: &FoundFault) -> Option<&AcceptedCause> {
        let of_file = fault.key();
        let of_kind = fault_key(fault.kind, None);
        let is_of_kind =
            |entry: &&AcceptedCause| entry.key == of_kind && entry.max_faults.is_some();
        let by_file = self.causes.iter().find(|entry| entry.key == of_file);
        by_file.or_else(|| self.causes.iter().find(is_of_kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{formats::to_toml, testing::found_cause};

    fn totals(cells: u64) -> Totals {
        Totals {
            cells,
            ..Totals::default()
        }
    }

    fn accepted(text: &str) -> AcceptedCauses {
        AcceptedCauses::from_toml(text).unwrap_or_else(|message| panic!("{message}: {text}"))
    }

    #[test]
    fn a_list_written_from_what_was_found_accepts_it() {
        let causes = [
            found_cause("group_end=blank-line percent=normalized", 7, 100),
            found_cause("unexplained:5c1f8a20", 2, 3),
        ];
        let totals = totals(1_000);
        let list = accepted(&to_toml(&causes, &[], &totals));
        let assessment = list.assess(&causes, &[], &totals);
        assert!(assessment.is_accepted(), "{assessment:?}");
        assert!(assessment.unmatched.is_empty());
        assert!(accepted(&to_toml(&[], &[], &totals)).causes.is_empty());
    }

    #[test]
    fn proposed_limits_are_those_that_what_was_found_just_keeps() {
        let causes = [found_cause("percent=normalized", 7, 125)];
        let totals = totals(1_000);
        let text = to_toml(&causes, &[], &totals).replace("# max", "max");
        let list = accepted(&text);
        assert_eq!(list.causes[0].max_hosts, Some(7));
        assert_eq!(list.causes[0].max_share_of_cells, Some(0.125));
        assert!(list.assess(&causes, &[], &totals).is_accepted());
    }

    #[test]
    fn flips_too_many_for_a_cause_each_are_accepted_up_to_a_limit_alone() {
        let cause = |hosts| found_cause("unexplained:other", hosts, 9);
        let totals = totals(1_000);
        let list = accepted(&to_toml(&[cause(7)], &[], &totals));
        assert!(list.assess(&[cause(7 + 6)], &[], &totals).is_accepted());
        assert!(!list.assess(&[cause(7 + 7)], &[], &totals).is_accepted());
        let text = "[[cause]]\nfingerprint = \"other\"\nreason = \"x\"\n";
        let message = AcceptedCauses::from_toml(text).unwrap_err();
        assert!(message.contains("expected max_hosts"), "{message}");
    }

    #[test]
    fn a_cause_that_the_list_lacks_is_new() {
        let causes = [
            found_cause("percent=normalized", 1, 1),
            found_cause("unexplained:5c1f8a20", 1, 1),
        ];
        let list = accepted("[[cause]]\nchanges = \"percent=normalized\"\nreason = \"x\"\n");
        let totals = totals(10);
        let assessment = list.assess(&causes, &[], &totals);
        let new: Vec<_> = assessment.new.iter().map(|cause| &*cause.key).collect();
        assert_eq!(new, ["unexplained:5c1f8a20"]);
        assert!(!assessment.is_accepted());
    }

    #[test]
    fn a_limit_is_exceeded_by_more_and_not_by_as_many() {
        let text = "[[cause]]\nchanges = \"percent=normalized\"\nreason = \"x\"\nmax_hosts = 12\nmax_share_of_cells = 0.1\n";
        let list = accepted(text);
        let totals = totals(100);
        let exceeded = |hosts, cells| -> Vec<String> {
            let causes = [found_cause("percent=normalized", hosts, cells)];
            let assessment = list.assess(&causes, &[], &totals);
            assert_eq!(assessment.is_accepted(), assessment.exceeded.is_empty());
            let exceeded = assessment.exceeded.into_iter();
            exceeded.map(|(_, sentence)| sentence).collect()
        };
        assert!(exceeded(12, 10).is_empty());
        assert_eq!(
            exceeded(13, 11),
            [
                "percent=normalized: expected at most 12 hosts, but found 13",
                "percent=normalized: expected a share of at most 0.1 of the cells, but found 0.11000000"
            ]
        );
    }

    #[test]
    fn accepted_changes_are_accepted_together_and_no_part_of_them_alone() {
        let list = accepted(
            "[[cause]]\nchanges = \"group_end=blank-line percent=normalized\"\nreason = \"x\"\n\
             [[cause]]\nchanges = \"precedence=first\"\nreason = \"x\"\n",
        );
        let totals = totals(10);
        for (changes, is_accepted) in [
            (
                "group_end=blank-line percent=normalized precedence=first",
                true,
            ),
            ("precedence=first", true),
            ("percent=normalized precedence=first", false),
            ("percent=normalized", false),
            ("precedence=first agent_case=sensitive", false),
        ] {
            let causes = [found_cause(changes, 1, 1)];
            let assessment = list.assess(&causes, &[], &totals);
            assert_eq!(assessment.is_accepted(), is_accepted, "{changes}");
        }
    }

    #[test]
    fn a_cause_is_known_by_its_example_where_it_has_another_name() {
        let mut named = found_cause("percent=normalized", 3, 3);
        named.fingerprints = ["5c1f8a20", "77aa0315"].map(str::to_owned).into();
        let unnamed = found_cause("unexplained:5c1f8a20", 3, 3);
        let totals = totals(10);
        let mut one_way = named.clone();
        one_way.fingerprints.pop_last();
        for (listed, found) in [(&named, &unnamed), (&unnamed, &one_way)] {
            let text = to_toml(std::slice::from_ref(listed), &[], &totals);
            let list = accepted(&text);
            let assessment = list.assess(std::slice::from_ref(found), &[], &totals);
            assert!(assessment.is_accepted() && assessment.unmatched.is_empty());
            let limited = accepted(&text.replace("# max_hosts = 3", "max_hosts = 2"));
            let assessment = limited.assess(std::slice::from_ref(found), &[], &totals);
            assert_eq!(assessment.exceeded.len(), 1);
        }
        let other_way = [named];
        let other = found_cause("unexplained:77aa0315", 1, 1);
        for (listed, is_accepted) in [(&[unnamed.clone()][..], false), (&[unnamed, other], true)] {
            let list = accepted(&to_toml(listed, &[], &totals));
            let assessment = list.assess(&other_way, &[], &totals);
            assert_eq!(assessment.is_accepted(), is_accepted);
            assert_eq!(assessment.unmatched.is_empty(), is_accepted);
        }
    }

    #[test]
    fn an_entry_without_a_cause_is_named() {
        let list = accepted("[[cause]]\nfingerprint = \"5c1f8a20\"\nreason = \"x\"\n");
        let totals = totals(10);
        let assessment = list.assess(&[], &[], &totals);
        assert_eq!(assessment.unmatched, ["unexplained:5c1f8a20"]);
        assert!(assessment.is_accepted());
    }

    #[test]
    fn changes_are_compared_whatever_their_order_and_separator() {
        let causes = [found_cause("group_end=blank-line percent=normalized", 1, 1)];
        for changes in [
            "group_end=blank-line percent=normalized",
            "percent=normalized, group_end=blank-line",
            "percent=normalized,group_end=blank-line",
        ] {
            let list = accepted(&format!(
                "[[cause]]\nchanges = {changes:?}\nreason = \"x\"\n"
            ));
            let totals = totals(10);
            assert!(
                list.assess(&causes, &[], &totals).is_accepted(),
                "{changes}"
            );
        }
    }

    #[test]
    fn a_mistake_is_named_by_its_line_with_what_is_expected() {
        let cause = "[[cause]]\nchanges = \"percent=normalized\"\n";
        let whole = format!("{cause}reason = \"x\"\n");
        let fault = |rest: &str| format!("[[fault]]\n{rest}\n");
        for (text, says) in [
            (
                "reason = \"x\"\n".to_owned(),
                "line 1: reason: unknown field `reason`, expected one of `cause`, `fault`, `limits`",
            ),
            (
                "\ncause = 1".to_owned(),
                "line 2: cause: invalid type: integer `1`, expected a sequence",
            ),
            (
                "cause = [1]".to_owned(),
                "line 1: cause: invalid type: integer `1`, expected struct",
            ),
            (cause.to_owned(), "line 1: missing field `reason`"),
            (
                format!("{cause}reason = \" \""),
                "line 3: reason: expected a string that is not blank",
            ),
            (
                format!("{whole}max_host = 1"),
                "line 4: max_host: unknown field `max_host`, expected one of `changes`, `fingerprint`",
            ),
            (
                format!("{whole}max_hosts = -1"),
                "line 4: max_hosts: invalid value: integer `-1`, expected u64",
            ),
            (
                format!("{whole}max_hosts = 1.5"),
                "line 4: max_hosts: invalid type: floating point `1.5`, expected u64",
            ),
            (
                format!("{whole}max_share_of_cells = 1.5"),
                "line 4: max_share_of_cells: expected a share",
            ),
            (
                format!("{whole}max_share_of_cells = nan"),
                "line 4: max_share_of_cells: expected a share",
            ),
            (
                "[[cause]]\nreason = \"x\"".to_owned(),
                "line 1: cause: expected changes or a fingerprint",
            ),
            (
                format!("{whole}\n{whole}"),
                "line 5: expected one entry for percent=normalized",
            ),
            (
                "[[cause]]\nchanges = \"percnt=normalized\"".to_owned(),
                "line 2: changes: expected changes as in robocensus dialects, such as percent=normalized, but found \"percnt=normalized\"",
            ),
            (
                "[[cause]]\nchanges = \"percent=no\"".to_owned(),
                "but found \"percent=no\"",
            ),
            (
                "[[cause]]\nchanges = 3".to_owned(),
                "line 2: changes: invalid type: integer `3`, expected a string",
            ),
            ("\n[[cause]".to_owned(), "line 2: "),
            (
                fault("kind = \"asleep\"\nreason = \"x\""),
                "line 2: kind: unknown variant `asleep`, expected one of `exited`, ",
            ),
            (fault("reason = \"x\""), "line 1: missing field `kind`"),
            (
                fault("kind = \"exited\"\ncontent_digest = \"x\""),
                "line 3: content_digest: expected a SHA-1",
            ),
            (fault("max_hosts = 1"), "line 2: max_hosts: unknown field"),
            (
                "[limits]\nmax_time_ratio = 0".to_owned(),
                "line 2: max_time_ratio: expected a ratio above 0",
            ),
        ] {
            let message = AcceptedCauses::from_toml(&text).expect_err(&text);
            assert!(message.contains(says), "{text:?}: {message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }
}
