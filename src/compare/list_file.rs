//! The TOML file of a list of accepted causes: its entries, and what each value must be.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, de::Error};
use toml::Spanned;

use super::{
    external::{ParserFaultKind, UsageRatio},
    found::fault_key,
};
use crate::{
    digest::Base32Digest,
    robots::dialect::{AllowedAnswers, CHOICES, Choice},
};

/// What precedes the fingerprint in the key of a cause that no change explains.
pub const UNEXPLAINED: &str = "unexplained:";

/// The fingerprint of the flips whose examples are not reduced.
pub(super) const OTHER: &str = "other";

/// One accepted cause or fault.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AcceptedCause {
    /// The key of the cause: its changes in the order of `robocensus dialects`, or
    /// [`UNEXPLAINED`] and the fingerprint. That of a fault is [`FoundFault::key`](super::found::FoundFault::key).
    pub key: String,
    /// The changes; empty for what has none.
    pub changes: Vec<String>,
    pub fingerprints: BTreeSet<String>,
    pub max_hosts: Option<u64>,
    /// A share of the cells compared, from 0 to 1.
    pub max_share_of_cells: Option<f64>,
    /// The faults that are accepted; those of one kind about any file where the key names none.
    pub max_faults: Option<u64>,
    pub reason: String,
}

/// What the candidate may take, as a multiple of what the baseline takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    #[serde(default, deserialize_with = "ratio")]
    pub max_time_ratio: Option<f64>,
    #[serde(default, deserialize_with = "ratio")]
    pub max_memory_ratio: Option<f64>,
}

/// Returns the key in the line of an offset, which the messages of the library lack.
pub(super) fn key_at(text: &str, offset: usize) -> Option<&str> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let (key, _) = text[start..].lines().next()?.split_once('=')?;
    Some(key.trim())
}

/// The list as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    #[serde(default)]
    pub cause: Vec<Spanned<CauseEntry>>,
    #[serde(default)]
    pub fault: Vec<Spanned<FaultEntry>>,
    #[serde(default)]
    pub limits: Limits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CauseEntry {
    #[serde(default, deserialize_with = "changes")]
    changes: Option<Vec<String>>,
    #[serde(default, deserialize_with = "not_blank")]
    fingerprint: Option<String>,
    #[serde(deserialize_with = "not_blank")]
    reason: Option<String>,
    max_hosts: Option<u64>,
    #[serde(default, deserialize_with = "share")]
    max_share_of_cells: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultEntry {
    kind: ParserFaultKind,
    #[serde(default, deserialize_with = "digest")]
    content_digest: Option<String>,
    #[serde(deserialize_with = "not_blank")]
    reason: Option<String>,
    max_faults: Option<u64>,
}

impl Limits {
    /// Returns a sentence on each limit that is exceeded.
    pub(super) fn exceeded_by(&self, ratios: &[UsageRatio]) -> Vec<String> {
        let limits = [self.max_time_ratio, self.max_memory_ratio];
        let limited = ratios.iter().zip(limits);
        let exceeded = limited.filter_map(|(UsageRatio { name, ratio, amounts }, limit)| {
            let most = limit.filter(|most| ratio > most)?;
            Some(format!("{name}: expected at most {most} times that of the baseline, but found {ratio:.2} times ({amounts})"))
        });
        exceeded.collect()
    }
}

impl CauseEntry {
    pub(super) fn accepted(self) -> Result<AcceptedCause, &'static str> {
        let fingerprint = self.fingerprint.unwrap_or_default();
        let words = fingerprint.split_whitespace().map(str::to_owned);
        let fingerprints = BTreeSet::from_iter(words);
        let (key, changes) = match self.changes {
            Some(changes) => (changes.join(" "), changes),
            None if fingerprint.is_empty() => {
                return Err("cause: expected changes or a fingerprint");
            }
            None => (format!("{UNEXPLAINED}{fingerprint}"), Vec::new()),
        };
        if fingerprints.contains(OTHER)
            && self.max_hosts.is_none()
            && self.max_share_of_cells.is_none()
        {
            return Err(
                "cause: expected max_hosts for the flips that are too many for each to have a cause",
            );
        }
        Ok(AcceptedCause {
            key,
            changes,
            fingerprints,
            max_hosts: self.max_hosts,
            max_share_of_cells: self.max_share_of_cells,
            max_faults: None,
            reason: self.reason.unwrap_or_default(),
        })
    }
}

impl FaultEntry {
    pub(super) fn accepted(self) -> AcceptedCause {
        AcceptedCause {
            key: fault_key(self.kind, self.content_digest.as_deref()),
            max_faults: self.max_faults,
            reason: self.reason.unwrap_or_default(),
            ..AcceptedCause::default()
        }
    }
}

/// Reads a value that is as `expected`.
fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    is_sound: impl Fn(&T) -> bool,
    expected: &str,
) -> Result<Option<T>, D::Error> {
    let value = T::deserialize(deserializer)?;
    if !is_sound(&value) {
        return Err(D::Error::custom(format!("expected {expected}")));
    }
    Ok(Some(value))
}

fn not_blank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let is_sound = |text: &String| !text.trim().is_empty();
    read(deserializer, is_sound, "a string that is not blank")
}

/// Reads a share of the cells compared.
fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let is_sound = |share: &f64| (0.0..=1.0).contains(share);
    read(deserializer, is_sound, "a share from 0 to 1, such as 0.001")
}

fn ratio<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let is_sound = |ratio: &f64| ratio.is_finite() && *ratio > 0.0;
    read(deserializer, is_sound, "a ratio above 0, such as 1.5")
}

fn digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let is_sound = |text: &String| Base32Digest::try_from(text.as_bytes()).is_ok();
    let expected = "a SHA-1 in base32, as in the column content_digest";
    read(deserializer, is_sound, expected)
}

/// Reads changes that are separated by blanks or commas, in any order, and returns them in that of
/// `robocensus dialects`.
fn changes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let changes = String::deserialize(deserializer)?;
    let changes = changes.split([' ', ',']);
    let mut found = Vec::new();
    for change in changes.filter(|change| !change.is_empty()) {
        let index = change.split_once('=').and_then(|(name, answer)| {
            let is_it = |choice: &Choice| choice.name == name && allows(choice, answer);
            CHOICES.iter().position(is_it)
        });
        let index = index.ok_or_else(|| {
            D::Error::custom(format!(
                "expected changes as in robocensus dialects, such as percent=normalized, but found {change:?}"
            ))
        })?;
        found.push((index, change));
    }
    if found.is_empty() {
        return Err(D::Error::custom("expected at least one change"));
    }
    found.sort_unstable();
    found.dedup();
    let changes = found.into_iter().map(|(_, change)| change.to_owned());
    Ok(Some(changes.collect()))
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
