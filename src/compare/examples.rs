//! From groups of flips to causes: each gets a name and its smallest example.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use super::{
    cause::Change,
    decider::Decider,
    expect::UNEXPLAINED,
    explain::{Agreed, ChangeSet, Cover, Explainer, Explanation},
    found::{Direction, FoundCause, ReducedCase},
    probe::{self, ProbeOptions},
    query::{CellAnswer, FileQueries},
    reason::LineKinds,
    reduce::{Example, reduce},
    settle::{FlipExample, Group, Settled},
    shape::fingerprint,
    side::Side,
};
use crate::{
    archive::error::{Error, ErrorKind},
    dataset::run::Progress,
    digest::{hex, sha1},
    robots::{
        dialect::{Dialect, RuleSet, Verdict},
        lines::{self, RobotsTxt},
    },
};

/// Unexplained kinds of flips whose examples are reduced, those with most flips first. The others
/// are of one cause, [`OTHER`].
const MAX_REDUCED: usize = 256;
/// The fingerprint of the flips whose examples are not reduced.
const OTHER: &str = "other";
/// Queries about a smallest example, at most, whose answers its fingerprint tells apart.
const MAX_ANSWERS: usize = 64;
/// Faults of external parsers after which an example is reduced no further: each may take as long
/// as the timeout.
const MAX_FAULTS: usize = 10;
/// Bytes of bodies that both sides are asked about to reduce one example: a file beyond a limit of
/// 500 KiB would take hours otherwise.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// The longest part of an identifier that names changes, in bytes.
const MAX_ID: usize = 100;

/// The causes, and which one each group has.
#[derive(Default)]
pub(super) struct NamedCauses {
    /// Their figures are counted later.
    pub causes: Vec<FoundCause>,
    /// Indexes of `causes`.
    pub of_group: HashMap<Group, usize>,
    /// Unexplained groups whose examples were not reduced.
    pub n_not_reduced: u64,
}

/// A group with its best example.
type GroupExample<'s> = (Group, &'s FlipExample);

/// Names the causes of all groups. From the time `until` no example is made smaller.
pub(super) fn name_causes(
    settled: &Settled,
    explainer: &Explainer,
    sides: &mut [Side; 2],
    max_steps: usize,
    until: Option<Instant>,
    progress: &Progress,
) -> Result<NamedCauses, Error> {
    let cover = Cover::new(&settled.explanations);
    let mut by_set: BTreeMap<ChangeSet, Vec<GroupExample<'_>>> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for (&group, example) in &settled.examples {
        let set = match group {
            Group::Explained(explanation) => cover.cause(explanation),
            Group::Unexplained(_) => None,
        };
        match set {
            Some(set) => by_set.entry(set).or_default().push((group, example)),
            None => unexplained.push((group, example)),
        }
    }
    let n_examples = by_set.len() + unexplained.len();
    progress.begin_step("examples reduced", n_examples as u64);
    let mut naming = Naming {
        reducer: Reducer {
            explainer,
            sides,
            decider: Decider::default(),
            max_steps,
            until,
        },
        progress,
        n_done: 0,
        named: NamedCauses::default(),
    };
    for (set, groups) in by_set {
        naming.name_explained(set, &groups)?;
    }
    unexplained.sort_by_key(|(group, example)| (Reverse(example.n_flips), *group));
    naming.name_unexplained(&unexplained)?;
    Ok(naming.named)
}

/// The causes that are named so far.
struct Naming<'n> {
    reducer: Reducer<'n>,
    progress: &'n Progress,
    /// Examples that are done.
    n_done: u64,
    named: NamedCauses,
}

impl Naming<'_> {
    /// Names the cause of the groups that a set of changes explains.
    fn name_explained(&mut self, set: ChangeSet, groups: &[GroupExample<'_>]) -> Result<(), Error> {
        // An example that nothing else explains shows the cause best; then the smallest.
        let best = groups
            .iter()
            .min_by_key(|(group, FlipExample { example, .. })| {
                let is_only =
                    matches!(group, Group::Explained(explanation) if explanation.is_only(set));
                (!is_only, example.body.len(), example.url.len())
            });
        let Some((_, example)) = best else {
            return Ok(());
        };
        let example = self.reducer.reduce(example, Some(set));
        let fingerprint = self.reducer.fingerprint(&example).unwrap_or_default();
        self.count()?;
        let changes = self.reducer.explainer.changes_of(set);
        let changes: Vec<String> = changes.map(Change::to_string).collect();
        let NamedCauses { causes, of_group, .. } = &mut self.named;
        of_group.extend(groups.iter().map(|(group, _)| (*group, causes.len())));
        causes.push(FoundCause {
            id: id_of(&changes),
            key: changes.join(" "),
            changes,
            fingerprint,
            example,
            ..FoundCause::default()
        });
        Ok(())
    }

    /// Names the causes of the other groups by what their examples have in common.
    fn name_unexplained(&mut self, groups: &[GroupExample<'_>]) -> Result<(), Error> {
        let mut by_fingerprint: BTreeMap<String, usize> = BTreeMap::new();
        for (number, &(group, example)) in groups.iter().enumerate() {
            let (reduced, fingerprint) = if number < MAX_REDUCED {
                let reduced = self.reducer.reduce(example, None);
                let fingerprint = self.reducer.fingerprint(&reduced);
                (reduced, fingerprint.unwrap_or_else(|| OTHER.to_owned()))
            } else {
                self.named.n_not_reduced += 1;
                (as_it_is(example), OTHER.to_owned())
            };
            self.count()?;
            let NamedCauses { causes, of_group, .. } = &mut self.named;
            let known = by_fingerprint.entry(fingerprint.clone());
            let index = *known.or_insert(causes.len());
            of_group.insert(group, index);
            if index == causes.len() {
                causes.push(FoundCause {
                    id: format!("unexplained-{fingerprint}"),
                    key: format!("{UNEXPLAINED}{fingerprint}"),
                    fingerprint,
                    example: reduced,
                    ..FoundCause::default()
                });
            }
        }
        Ok(())
    }

    /// Counts an example that is done.
    fn count(&mut self) -> Result<(), Error> {
        self.n_done += 1;
        self.progress.set_done(self.n_done);
        if self.progress.is_stopped() {
            return Err(ErrorKind::Interrupted.into());
        }
        Ok(())
    }
}

/// Returns a name of changes that a file can have.
fn id_of(changes: &[String]) -> String {
    let name = changes.join("+");
    if name.len() <= MAX_ID {
        return name;
    }
    let digest = hex(&sha1(name.as_bytes()));
    format!("{}+{}-more-{}", changes[0], changes.len() - 1, &digest[..8])
}

fn direction(baseline: &CellAnswer, candidate: &CellAnswer) -> Option<Direction> {
    Direction::between(baseline.verdict?, candidate.verdict?)
}

fn as_it_is(example: &FlipExample) -> ReducedCase {
    let FlipExample { example, flip, .. } = example;
    reduced_case(example.clone(), [flip.baseline, flip.candidate], false)
}

fn reduced_case(
    Example { body, agent, url }: Example,
    [baseline, candidate]: [CellAnswer; 2],
    is_minimal: bool,
) -> ReducedCase {
    ReducedCase {
        body,
        agent,
        url,
        baseline,
        candidate,
        is_minimal,
    }
}

/// Makes examples small.
struct Reducer<'r> {
    explainer: &'r Explainer,
    sides: &'r mut [Side; 2],
    decider: Decider,
    max_steps: usize,
    until: Option<Instant>,
}

impl Reducer<'_> {
    /// Returns the smallest example that flips in the same direction for the same reason: this set
    /// of changes, or none. What external parsers have in common with none of the dialects is kept
    /// by [`LineKinds`].
    fn reduce(&mut self, example: &FlipExample, set: Option<ChangeSet>) -> ReducedCase {
        let unreduced = as_it_is(example);
        let until = self.until;
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        if is_late() {
            return unreduced;
        }
        let FlipExample {
            example: first,
            flip,
            ..
        } = example;
        let wanted = flip.direction();
        let is_only = set.is_some_and(|set| flip.explanation.is_only(set));
        let kinds = LineKinds::from_body(&first.body);
        // A single query may be explained by what its file contradicts.
        let is_unexplained = set.is_none()
            && self
                .explanation(&first.to_ask(), [flip.baseline, flip.candidate])
                .is_none_or(Explanation::is_none);
        let keeps_kinds = set.is_none() || self.sides.iter().any(|side| side.dialect().is_none());
        let mut faults = 0;
        let mut n_bytes = 0;
        let reduced = reduce(first.clone(), self.max_steps, |example| {
            n_bytes += example.body.len();
            if faults >= MAX_FAULTS || n_bytes > MAX_BYTES || is_late() {
                return false;
            }
            if keeps_kinds && !kinds.include_those_of(&example.body) {
                return false;
            }
            let file = example.to_ask();
            let Some(answers) = self.ask(&file) else {
                faults += 1;
                return false;
            };
            let explains = |explanation: Explanation| match set {
                None => explanation.is_none() || !is_unexplained,
                Some(set) if is_only => explanation.is_only(set),
                Some(set) => explanation.allows(set),
            };
            direction(&answers[0], &answers[1]) == wanted
                && self.explanation(&file, answers).is_some_and(explains)
        });
        let Some(answers) = self.ask(&reduced.example.to_ask()) else {
            return unreduced;
        };
        if direction(&answers[0], &answers[1]) != wanted {
            return unreduced;
        }
        let is_minimal =
            reduced.is_minimal && faults < MAX_FAULTS && n_bytes <= MAX_BYTES && !is_late();
        reduced_case(reduced.example, answers, is_minimal)
    }

    /// Returns what identifies a smallest example: the form of its lines, agent and URL, and what
    /// both sides answer to the queries that its lines give; two causes may have one smallest
    /// example, but hardly answer alike around it. `None` where both sides are dialects, whose
    /// causes have names, or a side is at fault.
    fn fingerprint(&mut self, case: &ReducedCase) -> Option<String> {
        if self.sides.iter().all(|side| side.dialect().is_some()) {
            return None;
        }
        let ReducedCase { body, agent, url, .. } = case;
        let direction = direction(&case.baseline, &case.candidate)?;
        let mut robots = RobotsTxt::new();
        lines::parse(body, &mut robots);
        let readers = [&Dialect::GOOGLE, &Dialect::PYTHON].map(|dialect| {
            let mut rules = RuleSet::new();
            rules.compile(dialect, body, &robots);
            rules
        });
        let options = ProbeOptions {
            agents: vec![agent.clone()],
            max: MAX_ANSWERS,
            has_chains: false,
        };
        let queries = probe::derive(body, &readers.each_ref(), &options).queries;
        let file = FileQueries {
            body: body.as_slice().into(),
            queries,
        };
        let answers = Side::ask_both(self.sides, &file)?;
        let verdicts = answers.iter().flatten().map(|answer| answer.verdict);
        let words: Vec<&str> = verdicts
            .map(|verdict| verdict.map_or("error", Verdict::as_str))
            .collect();
        Some(fingerprint(direction, body, agent, url, &words.concat()))
    }

    /// Asks both sides one query; `None` where one is at fault.
    fn ask(&mut self, file: &FileQueries) -> Option<[CellAnswer; 2]> {
        let [baseline, candidate] = Side::ask_both(self.sides, file)?;
        Some([*baseline.first()?, *candidate.first()?])
    }

    fn explanation(
        &mut self,
        FileQueries { body, queries }: &FileQueries,
        [baseline, candidate]: [CellAnswer; 2],
    ) -> Option<Explanation> {
        let verdicts = [&[baseline.verdict?][..], &[candidate.verdict?]];
        let none = Agreed::default();
        let decider = &mut self.decider;
        let explanations = (self.explainer).explain(decider, body, queries, verdicts, &none);
        explanations.first().copied()
    }
}
