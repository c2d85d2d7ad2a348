//! Lists of accepted causes and faults, by which the owner of a parser lets continuous integration
//! pass.
//!
//! A list is a TOML file with a table for each accepted cause. `reason` and one of `changes` and
//! `fingerprint` are required, limits may be left out. A fault of an external parser that is known
//! is accepted by its kind and the file at fault, if there is one:
//!
//! ```toml
//! [[cause]]
//! changes = "group_end=blank-line percent=normalized"
//! reason = "RFC 9309, 2.2.2, since version 2"
//! max_hosts = 120
//! max_share_of_cells = 0.001
//!
//! [[cause]]
//! fingerprint = "5c1f8a20"
//! reason = "A page of HTML, of which no parser makes sense"
//!
//! [[fault]]
//! kind = "timed_out"
//! content_digest = "5Q5SUVXE2GUQN6XUYSTKW5DCWQFSNCLD"
//! reason = "40,000 wildcards; both versions take minutes"
//! ```

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
};

use serde::Deserialize;
use toml::Spanned;

use super::{
    external::ParserFaultKind,
    found::{FoundCause, FoundFault, Totals, fault_key},
};
use crate::{
    digest::Base32Digest,
    robots::dialect::{AllowedAnswers, CHOICES, Choice, toml_mistake},
};

/// What precedes the fingerprint in the key of a cause that no change explains.
pub const UNEXPLAINED: &str = "unexplained:";

/// The reason in a list that is written from what was found.
const REASON: &str = "found by robocensus compare, not yet reviewed";

/// A list of accepted causes and faults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcceptedCauses(Vec<AcceptedCause>);

/// One accepted cause or fault.
#[derive(Clone, Debug, PartialEq)]
struct AcceptedCause {
    /// The key of the cause: its changes in the order of `robocensus dialects`, or
    /// [`UNEXPLAINED`] and the fingerprint. That of a fault is [`FoundFault::key`].
    key: String,
    max_hosts: Option<u64>,
    /// A share of the cells compared, from 0 to 1.
    max_share_of_cells: Option<f64>,
}

/// What a comparison found, held against a list.
#[derive(Debug, Default)]
pub struct Assessment<'a> {
    /// The causes that the list does not have, in the order found.
    pub new: Vec<&'a FoundCause>,
    /// The faults that the list does not have, in the order found.
    pub new_faults: Vec<&'a FoundFault>,
    /// Faults that are too many to be told apart, and so are accepted by no list.
    pub other_faults: u64,
    /// The limits that accepted causes exceed.
    pub exceeded: Vec<ExceededLimit<'a>>,
    /// The keys of the list that no cause and no fault found has.
    pub unmatched: Vec<&'a str>,
}

impl Assessment<'_> {
    /// Returns true if and only if every cause is accepted and within its limits, and every fault
    /// is accepted.
    pub fn is_accepted(&self) -> bool {
        self.new.is_empty()
            && self.exceeded.is_empty()
            && self.new_faults.is_empty()
            && self.other_faults == 0
    }
}

/// An accepted cause that exceeds a limit. Its text states by how much.
#[derive(Clone, Copy, Debug)]
pub struct ExceededLimit<'a> {
    /// The cause.
    pub cause: &'a FoundCause,
    limit: Limit,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    Hosts(u64),
    /// The share found, and the limit.
    ShareOfCells(f64, f64),
}

impl fmt::Display for ExceededLimit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FoundCause { key, hosts, .. } = self.cause;
        match self.limit {
            Limit::Hosts(most) => {
                let noun = if most == 1 { "host" } else { "hosts" };
                write!(
                    f,
                    "{key}: expected at most {most} {noun}, but found {hosts}"
                )
            }
            Limit::ShareOfCells(share, most) => write!(
                f,
                "{key}: expected a share of at most {most} of the cells, but found {share:.8}"
            ),
        }
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
            toml_mistake(text, offset, error.message())
        })?;
        let mut causes: Vec<AcceptedCause> = Vec::new();
        let entries = list.cause.into_iter().map(|entry| {
            let offset = entry.span().start;
            (offset, entry.into_inner().accepted())
        });
        let faults = list.fault.into_iter().map(|entry| {
            let offset = entry.span().start;
            (offset, Ok(entry.into_inner().accepted()))
        });
        for (offset, cause) in entries.chain(faults) {
            let cause = cause.map_err(|message| toml_mistake(text, offset, message))?;
            if causes.iter().any(|earlier| earlier.key == cause.key) {
                let message = format!("expected one entry for {}, but found another", cause.key);
                return Err(toml_mistake(text, offset, &message));
            }
            causes.push(cause);
        }
        Ok(Self(causes))
    }

    /// Holds what was found against the list.
    pub fn assess<'a>(
        &'a self,
        causes: &'a [FoundCause],
        faults: &'a [FoundFault],
        totals: &Totals,
    ) -> Assessment<'a> {
        let mut assessment = Assessment::default();
        let accepted: BTreeMap<&str, &AcceptedCause> =
            self.0.iter().map(|cause| (&*cause.key, cause)).collect();
        for cause in causes {
            let Some(accepted) = accepted.get(&*cause.key) else {
                assessment.new.push(cause);
                continue;
            };
            let share = cause.cells as f64 / totals.cells.max(1) as f64;
            let hosts = accepted.max_hosts.filter(|&most| cause.hosts > most);
            let cells = accepted.max_share_of_cells.filter(|&most| share > most);
            let hosts = hosts.map(Limit::Hosts);
            let cells = cells.map(|most| Limit::ShareOfCells(share, most));
            let exceeded = hosts.into_iter().chain(cells);
            assessment
                .exceeded
                .extend(exceeded.map(|limit| ExceededLimit { cause, limit }));
        }
        let fault_keys: Vec<String> = faults.iter().map(FoundFault::key).collect();
        for (fault, key) in faults.iter().zip(&fault_keys) {
            if !accepted.contains_key(&**key) {
                assessment.new_faults.push(fault);
            }
        }
        let n_known: u64 = faults.iter().map(|fault| fault.faults).sum();
        assessment.other_faults = totals.parser_faults.saturating_sub(n_known);
        let found: HashSet<&str> = causes
            .iter()
            .map(|cause| &*cause.key)
            .chain(fault_keys.iter().map(String::as_str))
            .collect();
        let is_found = |key: &str| found.contains(key);
        let keys = self.0.iter().map(|cause| &*cause.key);
        assessment.unmatched = keys.filter(|key| !is_found(key)).collect();
        assessment
    }
}

/// Returns the list that accepts what was found, for [`AcceptedCauses::from_toml`], with limits
/// proposed in comments.
pub fn to_toml(causes: &[FoundCause], faults: &[FoundFault], totals: &Totals) -> String {
    let mut text = "# Causes of flips and faults of parsers that are accepted. State why under reason; a limit may stay out.\n"
        .to_owned();
    for cause in causes {
        // Rounded up, so that it holds for this comparison.
        let share = 1e6 * cause.cells as f64 / totals.cells.max(1) as f64;
        let share = share.ceil() / 1e6;
        let (name, value) = match cause.key.strip_prefix(UNEXPLAINED) {
            Some(fingerprint) => ("fingerprint", fingerprint),
            None => ("changes", &*cause.key),
        };
        text.push_str(&format!(
            "\n[[cause]]\n{name} = {value:?}\nreason = {REASON:?}\n\
             # max_hosts = {}\n# max_share_of_cells = {share:.6}\n",
            cause.hosts
        ));
    }
    for fault in faults {
        text.push_str(&format!("\n[[fault]]\nkind = {:?}\n", fault.kind.as_str()));
        if let Some(digest) = &fault.content_digest {
            text.push_str(&format!("content_digest = {digest:?}\n"));
        }
        let sentence = fault.sentence.replace(char::is_control, " ");
        text.push_str(&format!("reason = {REASON:?}\n# {sentence}\n"));
    }
    text
}

/// The list as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    cause: Vec<Spanned<CauseEntry>>,
    #[serde(default)]
    fault: Vec<Spanned<FaultEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CauseEntry {
    changes: Option<Changes>,
    fingerprint: Option<NotBlank>,
    #[serde(rename = "reason")]
    _reason: NotBlank,
    max_hosts: Option<u64>,
    max_share_of_cells: Option<Share>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultEntry {
    kind: ParserFaultKind,
    content_digest: Option<Digest>,
    #[serde(rename = "reason")]
    _reason: NotBlank,
}

impl CauseEntry {
    fn accepted(self) -> Result<AcceptedCause, &'static str> {
        let key = match (self.changes, self.fingerprint) {
            (Some(changes), None) => changes.0,
            (None, Some(fingerprint)) => format!("{UNEXPLAINED}{}", fingerprint.0),
            _ => return Err("cause: expected either changes or fingerprint"),
        };
        Ok(AcceptedCause {
            key,
            max_hosts: self.max_hosts,
            max_share_of_cells: self.max_share_of_cells.map(|share| share.0),
        })
    }
}

impl FaultEntry {
    fn accepted(self) -> AcceptedCause {
        let digest = self.content_digest.as_ref().map(|digest| &*digest.0);
        AcceptedCause {
            key: fault_key(self.kind, digest),
            max_hosts: None,
            max_share_of_cells: None,
        }
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct NotBlank(String);

impl TryFrom<String> for NotBlank {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.trim().is_empty() {
            return Err("expected a string that is not blank");
        }
        Ok(Self(text))
    }
}

/// A share of the cells compared, from 0 to 1.
#[derive(Deserialize)]
#[serde(try_from = "f64")]
struct Share(f64);

impl TryFrom<f64> for Share {
    type Error = &'static str;

    fn try_from(share: f64) -> Result<Self, Self::Error> {
        if !(0.0..=1.0).contains(&share) {
            return Err("expected a share from 0 to 1, such as 0.001");
        }
        Ok(Self(share))
    }
}

/// The SHA-1 of a body in base32.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Digest(String);

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if Base32Digest::try_from(text.as_bytes()).is_err() {
            return Err("expected a SHA-1 in base32, as in the column content_digest");
        }
        Ok(Self(text))
    }
}

/// Changes in the order of `robocensus dialects`, separated by blanks.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Changes(String);

/// Reads changes that are separated by blanks or commas, in any order.
impl TryFrom<String> for Changes {
    type Error = String;

    fn try_from(changes: String) -> Result<Self, String> {
        let mut found = Vec::new();
        for change in changes
            .split([' ', ','])
            .filter(|change| !change.is_empty())
        {
            let index = change.split_once('=').and_then(|(name, answer)| {
                let is_it = |choice: &Choice| choice.name == name && allows(choice, answer);
                CHOICES.iter().position(is_it)
            });
            let index = index.ok_or_else(|| {
                format!(
                    "expected changes as in robocensus dialects, such as percent=normalized, but found {change:?}"
                )
            })?;
            found.push((index, change));
        }
        if found.is_empty() {
            return Err("expected at least one change".to_owned());
        }
        found.sort_unstable();
        found.dedup();
        let changes: Vec<_> = found.into_iter().map(|(_, change)| change).collect();
        Ok(Self(changes.join(" ")))
    }
}

/// Returns true if and only if a choice has this answer.
fn allows(choice: &Choice, answer: &str) -> bool {
    match choice.allowed {
        AllowedAnswers::Words(words) => words.iter().any(|(word, _)| *word == answer),
        AllowedAnswers::Bytes | AllowedAnswers::Count => {
            answer == "none" || answer.parse::<u32>().is_ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::testing::found_cause;

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
        assert!(accepted(&to_toml(&[], &[], &totals)).0.is_empty());
    }

    #[test]
    fn proposed_limits_are_those_that_what_was_found_just_keeps() {
        let causes = [found_cause("percent=normalized", 7, 125)];
        let totals = totals(1_000);
        let text = to_toml(&causes, &[], &totals).replace("# max", "max");
        let list = accepted(&text);
        assert_eq!(list.0[0].max_hosts, Some(7));
        assert_eq!(list.0[0].max_share_of_cells, Some(0.125));
        assert!(list.assess(&causes, &[], &totals).is_accepted());
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
            assessment
                .exceeded
                .iter()
                .map(ToString::to_string)
                .collect()
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
        for (text, says) in [
            (
                "reason = \"x\"\n".to_owned(),
                "line 1: reason: unknown field `reason`, expected `cause` or `fault`",
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
                format!("{whole}fingerprint = \"a\""),
                "line 1: cause: expected either changes or fingerprint",
            ),
            (
                "[[cause]]\nreason = \"x\"".to_owned(),
                "line 1: cause: expected either changes or fingerprint",
            ),
            (
                format!("{whole}\n{whole}"),
                "line 6: expected one entry for percent=normalized",
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
        ] {
            let message = AcceptedCauses::from_toml(&text).expect_err(&text);
            assert!(message.contains(says), "{text:?}: {message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }
}
