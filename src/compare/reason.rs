//! What must stay the same while an example is reduced: the reason why it flips.
//!
//! Between two dialects the reason is known ([`Reason`]). An external parser does not tell; its
//! example keeps to the kinds of lines that it began with ([`LineKinds`]).

use std::collections::BTreeSet;

use super::{
    cause::Change,
    decider::Decider,
    explain::{Agreed, ChangeSet, Cover, Explainer},
    reduce::Example,
};
use crate::robots::dialect::{Dialect, Verdict};

/// Why two dialects differ: the changes that turn one verdict into the other, none of which can be
/// left out.
#[derive(Debug)]
pub struct Reason {
    names: Vec<String>,
    changed: Dialect,
    /// The baseline with all changes but one.
    incomplete: Vec<Dialect>,
    /// The candidate with the changes undone, where that gives the baseline's verdict: no other
    /// reason adds to this one then.
    undone: Option<Dialect>,
    decider: Decider,
}

impl Reason {
    /// Finds the reason of a flip: the first single change that explains it, or else a small set.
    pub fn of_flip(
        baseline: &Dialect,
        candidate: &Dialect,
        example: &Example,
        [before, after]: [Verdict; 2],
    ) -> Reason {
        let explainer = Explainer::new(baseline, Change::between(baseline, candidate), true);
        let mut decider = Decider::default();
        let queries = example.to_ask().queries;
        let verdicts = [&[before][..], &[after]];
        let none = Agreed::default();
        let explained = explainer.explain(&mut decider, &example.body, &queries, verdicts, &none);
        let explanation = explained.first().copied().unwrap_or_default();
        let cover = Cover::new([(explanation, 1)]);
        let set = cover.cause(explanation).unwrap_or(ChangeSet::MAX);
        let changes: Vec<Change> = explainer.changes_of(set).copied().collect();
        let all_but = |left_out: usize| {
            let (before, behind) = changes.split_at(left_out);
            Change::apply_all(baseline, before.iter().chain(&behind[1..]))
        };
        let is_made =
            |change: &&Change| changes.iter().any(|made| made.choice() == change.choice());
        let back = Change::between(candidate, baseline);
        let undone = Change::apply_all(candidate, back.iter().filter(is_made));
        let is_alone = decider.verdicts(&undone, &example.body, &queries) == [before];
        Reason {
            undone: is_alone.then_some(undone),
            names: changes.iter().map(Change::to_string).collect(),
            changed: Change::apply_all(baseline, &changes),
            incomplete: (0..changes.len()).map(all_but).collect(),
            decider,
        }
    }

    /// Returns the changes, as `choice=answer` in the order of the choices.
    pub fn into_changes(self) -> Vec<String> {
        self.names
    }

    /// Returns true if and only if an example flips so for this reason, as the first one did.
    pub fn explains(&mut self, example: &Example, [before, after]: [Verdict; 2]) -> bool {
        let queries = example.to_ask().queries;
        let decider = &mut self.decider;
        decider.parse(&example.body);
        let mut verdict = |dialect: &Dialect| {
            let verdicts = decider.verdicts(dialect, &example.body, &queries);
            verdicts.first().copied()
        };
        verdict(&self.changed) == Some(after)
            && (self.undone.as_ref()).is_none_or(|undone| verdict(undone) == Some(before))
            && self
                .incomplete
                .iter()
                .all(|dialect| verdict(dialect) != Some(after))
    }
}

/// The kinds of lines in a robots.txt: the name of a field in lower case, whether a colon follows,
/// and whether a value does.
///
/// Where nothing names the reason of a flip, an example that is reduced keeps to the kinds of lines
/// that it began with. Two parsers that differ in wildcards may both tolerate a misspelt field, and
/// would still flip on one, which would then look like the reason.
#[derive(Debug)]
pub struct LineKinds(BTreeSet<LineKind>);

type LineKind = (Vec<u8>, bool, bool);

impl LineKinds {
    /// Returns the kinds of the lines of a body.
    pub fn from_body(body: &[u8]) -> LineKinds {
        LineKinds(kinds_of_lines(body).collect())
    }

    /// Returns true if and only if each line of another body is of one of these kinds.
    pub fn include_those_of(&self, body: &[u8]) -> bool {
        kinds_of_lines(body).all(|kind| self.0.contains(&kind))
    }
}

/// Returns the kinds of the lines that have more than a comment.
fn kinds_of_lines(body: &[u8]) -> impl Iterator<Item = LineKind> {
    let lines = body.split(|byte| matches!(byte, b'\r' | b'\n'));
    lines.filter_map(|line| {
        let text = line.split(|&byte| byte == b'#').next()?.trim_ascii();
        let colon = text.iter().position(|&byte| byte == b':');
        let end = colon.or_else(|| text.iter().position(u8::is_ascii_whitespace));
        let (name, rest) = text.split_at(end.unwrap_or(text.len()));
        let value = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii();
        let name = name.trim_ascii().to_ascii_lowercase();
        (!text.is_empty()).then_some((name, colon.is_some(), !value.is_empty()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flip_without_a_known_reason_keeps_its_kinds_of_lines() {
        let body =
            b"\xef\xbb\xbfUser-agent : a # c\r\nDisallow: /x\n# d\nAllow /y\n\nCrawl-delay:\n";
        let kinds = LineKinds::from_body(body);
        for same in [
            "Disallow:/",
            "DISALLOW : /",
            "allow y",
            "crawl-delay: # 5",
            " \r# e",
        ] {
            assert!(kinds.include_those_of(same.as_bytes()), "{same}");
        }
        for other in [
            "Disalow: /",
            "Disallow /",
            "Disallow:",
            "Allow: /",
            "Crawl-delay: 5",
        ] {
            assert!(!kinds.include_those_of(other.as_bytes()), "{other}");
        }
    }
}
