//! From groups of flips to causes: each gets a name and its smallest example.

use std::collections::{BTreeMap, HashMap};

use super::{
    decider::Decider,
    explain::{ChangeSet, Cover, Explainer},
    found::{Direction, FoundCause, ReducedCase},
    query::{FileQueries, Queries},
    reason::LineKinds,
    reduce::{Example, reduce},
    settle::{FlipExample, Group, Settled},
    shape::fingerprint,
    side::{CellAnswer, Side},
};
use crate::{
    archive::error::{Error, ErrorKind},
    dataset::run::Progress,
    digest::{hex, sha1},
};

/// Unexplained kinds of flips whose examples are reduced, those with most flips first. The others
/// are grouped by the examples that they have.
const MAX_REDUCED: usize = 256;
/// Faults of external parsers after which an example is reduced no further: each may take as long
/// as the timeout.
const MAX_FAULTS: usize = 10;
/// Bytes of bodies that both sides are asked about to reduce one example: a file beyond a limit of
/// 500 KiB would take hours otherwise.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// The longest part of an identifier that names changes, in bytes.
const MAX_ID: usize = 100;

/// The causes, and which one each group has.
pub(super) struct NamedCauses {
    /// Their figures are counted later.
    pub causes: Vec<FoundCause>,
    /// Indexes of `causes`.
    pub of_group: HashMap<Group, usize>,
}

/// Names the causes of all groups.
pub(super) fn name_causes(
    settled: &Settled,
    explainer: &Explainer,
    sides: &mut [Side; 2],
    max_steps: usize,
    progress: &Progress,
) -> Result<NamedCauses, Error> {
    let cover = Cover::of(&settled.explanations);
    let mut by_set: BTreeMap<ChangeSet, Vec<(Group, &FlipExample)>> = BTreeMap::new();
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
    let mut causes = Vec::new();
    let mut of_group = HashMap::new();
    let mut reducer = Reducer {
        explainer,
        sides,
        decider: Decider::default(),
        max_steps,
        n_done: 0,
    };
    let n_examples = by_set.len() + unexplained.len();
    progress.begin_step("examples reduced", n_examples as u64);
    for (set, groups) in by_set {
        // An example that nothing else explains shows the cause best; then the smallest.
        let best = groups.iter().min_by_key(|(group, example)| {
            let is_only =
                matches!(group, Group::Explained(explanation) if explanation.is_only(set));
            (!is_only, example.body.len(), example.query.url.len())
        });
        let Some((_, example)) = best else {
            continue;
        };
        let example = reducer.reduce(example, Some(set));
        reducer.count(progress)?;
        let changes = explainer.names(set);
        let key = changes.join(" ");
        of_group.extend(groups.iter().map(|(group, _)| (*group, causes.len())));
        causes.push(FoundCause::new(id_of(&changes), key, changes, example));
    }
    unexplained.sort_by_key(|(group, example)| (std::cmp::Reverse(example.n_flips), *group));
    let mut by_fingerprint: BTreeMap<String, usize> = BTreeMap::new();
    for (number, (group, example)) in unexplained.into_iter().enumerate() {
        let reduced = match number < MAX_REDUCED {
            true => reducer.reduce(example, None),
            false => as_it_is(example),
        };
        reducer.count(progress)?;
        let Some(direction) = direction(&reduced.baseline, &reduced.candidate) else {
            continue;
        };
        let fingerprint = fingerprint(direction, &reduced.body, &reduced.agent, &reduced.url);
        let index = *by_fingerprint
            .entry(fingerprint.clone())
            .or_insert(causes.len());
        of_group.insert(group, index);
        if index == causes.len() {
            let (id, key) = (
                format!("unexplained-{fingerprint}"),
                format!("unexplained:{fingerprint}"),
            );
            causes.push(FoundCause::new(id, key, Vec::new(), reduced));
        }
    }
    Ok(NamedCauses { causes, of_group })
}

/// Returns a name of changes that a file can have.
fn id_of(changes: &[String]) -> String {
    let name = changes.join("+");
    match name.len() <= MAX_ID {
        true => name,
        false => {
            let digest = hex(&sha1(name.as_bytes()));
            format!("{}+{}-more-{}", changes[0], changes.len() - 1, &digest[..8])
        }
    }
}

fn direction(baseline: &CellAnswer, candidate: &CellAnswer) -> Option<Direction> {
    Direction::of(baseline.verdict?, candidate.verdict?)
}

fn as_it_is(example: &FlipExample) -> ReducedCase {
    ReducedCase {
        body: example.body.clone(),
        agent: example.query.agent.clone(),
        url: example.query.url.clone(),
        baseline: example.flip.baseline,
        candidate: example.flip.candidate,
        is_minimal: false,
    }
}

/// Makes examples small.
struct Reducer<'r> {
    explainer: &'r Explainer,
    sides: &'r mut [Side; 2],
    decider: Decider,
    max_steps: usize,
    /// Examples that are done.
    n_done: u64,
}

impl Reducer<'_> {
    /// Returns the smallest example that flips in the same direction for the same reason: this set
    /// of changes, or none. What external parsers have in common with none of the dialects is kept
    /// by [`LineKinds`].
    fn reduce(&mut self, example: &FlipExample, set: Option<ChangeSet>) -> ReducedCase {
        let FlipExample {
            body, query, flip, ..
        } = example;
        let first = Example {
            body: body.clone(),
            agent: query.agent.clone(),
            url: query.url.clone(),
        };
        let wanted = flip.direction();
        let is_only = set.is_some_and(|set| flip.explanation.is_only(set));
        let kinds = LineKinds::of(body);
        let keeps_kinds = set.is_none() || self.sides.iter().any(|side| side.dialect().is_none());
        let mut faults = 0;
        let mut n_bytes = 0;
        let reduced = reduce(first, self.max_steps, |example| {
            n_bytes += example.body.len();
            if faults >= MAX_FAULTS || n_bytes > MAX_BYTES {
                return false;
            }
            if keeps_kinds && !kinds.include_those_of(&example.body) {
                return false;
            }
            let queries = example.queries();
            let Some(answers) = self.ask(&example.body, &queries) else {
                faults += 1;
                return false;
            };
            direction(&answers[0], &answers[1]) == wanted
                && self.has_reason(&example.body, &queries, answers, set, is_only)
        });
        let unreduced = as_it_is(example);
        let queries = reduced.example.queries();
        let Some([baseline, candidate]) = self.ask(&reduced.example.body, &queries) else {
            return unreduced;
        };
        if direction(&baseline, &candidate) != wanted {
            return unreduced;
        }
        ReducedCase {
            body: reduced.example.body,
            agent: reduced.example.agent,
            url: reduced.example.url,
            baseline,
            candidate,
            is_minimal: reduced.is_minimal && faults < MAX_FAULTS && n_bytes <= MAX_BYTES,
        }
    }

    /// Counts an example that is done.
    fn count(&mut self, progress: &Progress) -> Result<(), Error> {
        self.n_done += 1;
        progress.set_done(self.n_done);
        match progress.is_stopped() {
            true => Err(ErrorKind::Interrupted.into()),
            false => Ok(()),
        }
    }

    /// Asks both sides one query; `None` where one is at fault.
    fn ask(&mut self, body: &[u8], queries: &Queries) -> Option<[CellAnswer; 2]> {
        let file = FileQueries {
            body: body.into(),
            queries: queries.clone(),
        };
        let mut answers = [None; 2];
        for (answer, side) in answers.iter_mut().zip(self.sides.iter_mut()) {
            let Side::Dialect(dialect) = side else {
                let of_file = side.ask(std::slice::from_ref(&file)).pop()?;
                *answer = of_file.answers.ok()?.pop();
                continue;
            };
            self.decider.parse(body);
            let decisions = self.decider.decisions(dialect, body, &file.queries);
            *answer = decisions.into_iter().next().map(super::side::cell_of);
        }
        Some([answers[0]?, answers[1]?])
    }

    fn has_reason(
        &mut self,
        body: &[u8],
        queries: &Queries,
        [baseline, candidate]: [CellAnswer; 2],
        set: Option<ChangeSet>,
        is_only: bool,
    ) -> bool {
        let (Some(baseline), Some(candidate)) = (baseline.verdict, candidate.verdict) else {
            return false;
        };
        let explanations =
            self.explainer
                .explain(&mut self.decider, body, queries, &[baseline], &[candidate]);
        let Some(explanation) = explanations.first() else {
            return false;
        };
        match set {
            None => explanation.is_none(),
            Some(set) if is_only => explanation.is_only(set),
            Some(set) => explanation.allows(set),
        }
    }
}
