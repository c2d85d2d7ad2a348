//! The TOML file of a list of accepted causes: its entries, and what each value must be.

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
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AcceptedCause {
    /// The key of the cause: its changes in the order of `robocensus dialects`, or
    /// [`UNEXPLAINED`] and the fingerprint. That of a fault is [`FoundFault::key`](super::found::FoundFault::key).
    #[serde(skip)]
    pub key: String,
    /// The changes; empty for what has none.
    #[serde(default, deserialize_with = "changes")]
    pub changes: Vec<String>,
    /// One or several, separated by white space.
    #[serde(default, deserialize_with = "not_blank")]
    fingerprint: String,
    #[serde(deserialize_with = "not_blank")]
    pub reason: String,
    pub max_hosts: Option<u64>,
    /// A share of the cells compared, from 0 to 1.
    #[serde(default, deserialize_with = "share")]
    pub max_share_of_cells: Option<f64>,
    /// The faults that are accepted; those of one kind about any file where the key names none.
    #[serde(skip)]
    pub max_faults: Option<u64>,
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
    pub cause: Vec<Spanned<AcceptedCause>>,
    #[serde(default)]
    pub fault: Vec<Spanned<FaultEntry>>,
    #[serde(default)]
    pub limits: Limits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultEntry {
    kind: ParserFaultKind,
    #[serde(default, deserialize_with = "digest")]
    content_digest: Option<String>,
    #[serde(deserialize_with = "not_blank")]
    reason: String,
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

impl AcceptedCause {
    /// Returns the cause of an entry with its key.
    pub(super) fn with_key(mut self) -> Result<AcceptedCause, &'static str> {
        self.key = match (&*self.changes, &*self.fingerprint) {
            ([], "") => return Err("cause: expected changes or a fingerprint"),
            ([], fingerprint) => format!("{UNEXPLAINED}{fingerprint}"),
            (changes, _) => changes.join(" "),
        };
        let is_limited = self.max_hosts.is_some() || self.max_share_of_cells.is_some();
        if self.has_fingerprint(OTHER) && !is_limited {
            return Err(
                "cause: expected max_hosts for the flips that are too many for each to have a cause",
            );
        }
        Ok(self)
    }

    pub(super) fn has_fingerprint(&self, fingerprint: &str) -> bool {
        let mut fingerprints = self.fingerprint.split_whitespace();
        fingerprints.any(|known| known == fingerprint)
    }
}

impl FaultEntry {
    pub(super) fn accepted(self) -> AcceptedCause {
        AcceptedCause {
            key: fault_key(self.kind, self.content_digest.as_deref()),
            max_faults: self.max_faults,
            reason: self.reason,
            ..AcceptedCause::default()
        }
    }
}

/// Reads a value that is as `expected`.
fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    is_sound: impl Fn(&T) -> bool,
    expected: &str,
) -> Result<T, D::Error> {
    let value = T::deserialize(deserializer)?;
    if !is_sound(&value) {
        return Err(D::Error::custom(format!("expected {expected}")));
    }
    Ok(value)
}

fn not_blank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let is_sound = |text: &String| !text.trim().is_empty();
    read(deserializer, is_sound, "a string that is not blank")
}

/// Reads a share of the cells compared.
fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let is_sound = |share: &f64| (0.0..=1.0).contains(share);
    read(deserializer, is_sound, "a share from 0 to 1, such as 0.001").map(Some)
}

fn ratio<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let is_sound = |ratio: &f64| ratio.is_finite() && *ratio > 0.0;
    read(deserializer, is_sound, "a ratio above 0, such as 1.5").map(Some)
}

fn digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let is_sound = |text: &String| Base32Digest::try_from(text.as_bytes()).is_ok();
    let expected = "a SHA-1 in base32, as in the column content_digest";
    read(deserializer, is_sound, expected).map(Some)
}

/// Reads changes that are separated by blanks or commas, in any order, and returns them in that of
/// `robocensus dialects`.
fn changes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
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
    Ok(changes.collect())
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
