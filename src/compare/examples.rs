//! From groups of flips to causes: each gets a name and its smallest example.
//!
//! A cause must be the same whatever files it is found in, or no list of accepted ones would hold.
//! Between two dialects its changes are that. A dialect that is fitted to an external parser
//! depends on the files: it may have a change on one archive and lack it on the next. What does not
//! depend on them is the smallest example, which [`reduce`](super::reduce) writes alike for each of them,
//! and what both sides answer to it and around it. A fingerprint is made of these, for causes with
//! changes too, so that they are recognized where their changes are not found.
//!
//! An oddity of a parser shows in as many smallest files as there are rules and groups that it can
//! meet: a pattern that it misreads is in an allow that should have won, in a disallow that should
//! have lost, and so on. Where one piece of an example shows it by itself, its file is the example.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use super::{
    cause::Change,
    decider::Decider,
    expect::{OTHER, UNEXPLAINED},
    explain::{Agreed, ChangeSet, Cover, Explainer, Explanation},
    found::{Direction, FoundCause},
    probe::{self, ProbeOptions},
    query::{CellAnswer, FileQueries},
    reason::LineKinds,
    record::Flip,
    reduce::{Example, reduce},
    settle::{FlipExample, Group, Settled},
    shape::fingerprint,
    side::Side,
};
use crate::{
    archive::error::Error,
    dataset::run::Progress,
    digest::{hex, sha1},
    robots::{
        dialect::{Dialect, RuleSet, Verdict},
        lines::{self, RobotsTxt},
    },
};

/// Unexplained kinds of flips whose examples are reduced, those with most flips first. The others
/// are of one cause, [`OTHER`].
const MAX_REDUCED: usize = 512;
/// Queries about a smallest example, at most, whose answers its fingerprint tells apart.
const MAX_ANSWERS: usize = 64;
/// Faults of external parsers after which an example is reduced no further, and after which none is
/// reduced: each may take as long as the timeout.
const MAX_FAULTS: usize = 10;
const MAX_ALL_FAULTS: usize = 100;
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
    let groups = settled.examples.values();
    let cover = Cover::new(groups.map(|group| (group.flip.explanation, group.n_flips)));
    let mut by_set: BTreeMap<ChangeSet, Vec<GroupExample<'_>>> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for (&group, example) in &settled.examples {
        match cover.cause(example.flip.explanation) {
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
            isolated: HashMap::new(),
            n_faults: 0,
        },
        progress,
        n_done: 0,
        named: NamedCauses::default(),
    };
    for (set, groups) in by_set {
        naming.name_explained(set, &groups)?;
    }
    unexplained.sort_by_key(|(group, example)| (Reverse(example.n_flips), *group));
    naming.name_unexplained(&unexplained, &cover)?;
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
        let badness = |(_, FlipExample { example, flip, .. }): &GroupExample<'_>| {
            let is_only = flip.explanation.is_only(set);
            (!is_only, example.body.len(), example.url.len())
        };
        let mut best: BTreeMap<Option<Direction>, &GroupExample<'_>> = BTreeMap::new();
        for group in groups {
            let of_direction = best.entry(group.1.flip.direction()).or_insert(group);
            if badness(group) < badness(of_direction) {
                *of_direction = group;
            }
        }
        let first = best.values().copied().min_by_key(|group| badness(group));
        let mut index = None;
        for group in best.values() {
            // Between dialects the first is to be shown, and none has a fingerprint.
            let is_first = first.is_some_and(|first| first.0 == group.0);
            if is_first || self.reducer.has_external() {
                let example = self.reducer.reduce(group.1, Some(set));
                let fingerprint = self.reducer.examine(&example).fingerprint;
                index = Some(self.add(Some(set), fingerprint, example, is_first));
            }
        }
        self.count()?;
        let groups = groups
            .iter()
            .filter_map(|(group, _)| Some((*group, index?)));
        self.named.of_group.extend(groups);
        Ok(())
    }

    /// Adds an example to the cause of a set of changes, or else of its fingerprint; returns the
    /// cause's index. The first example, or one that `is_shown`, is that of the cause.
    fn add(
        &mut self,
        set: Option<ChangeSet>,
        mut fingerprint: Option<String>,
        case: ReducedCase,
        is_shown: bool,
    ) -> usize {
        let changes = set.map(|set| self.reducer.explainer.changes_of(set));
        let changes = changes.into_iter().flatten().map(Change::to_string);
        let changes: Vec<String> = changes.collect();
        let (id, key) = if set.is_some() {
            (id_of(&changes), changes.join(" "))
        } else {
            let fingerprint = fingerprint.get_or_insert_with(|| OTHER.to_owned());
            let key = format!("{UNEXPLAINED}{fingerprint}");
            (format!("unexplained-{fingerprint}"), key)
        };
        let causes = &mut self.named.causes;
        let known = causes.iter().position(|cause| cause.key == key);
        let (is_new, index) = (known.is_none(), known.unwrap_or(causes.len()));
        if is_new {
            causes.push(FoundCause {
                id,
                key,
                changes,
                ..FoundCause::default()
            });
        }
        let cause = &mut causes[index];
        cause.fingerprints.extend(fingerprint);
        if is_new || is_shown {
            cause.example = case.example;
            cause.answers = case.answers;
            cause.is_minimal = case.is_minimal;
        }
        index
    }

    /// Names the causes of the other groups by their smallest examples: by changes after all if
    /// these give the candidate's verdict in the whole file too, explain the example and contradict
    /// nothing around it, which something else did in its file; else by its fingerprint.
    fn name_unexplained(
        &mut self,
        groups: &[GroupExample<'_>],
        cover: &Cover,
    ) -> Result<(), Error> {
        for (number, &(group, example)) in groups.iter().enumerate() {
            let (reduced, examined) = if number < MAX_REDUCED {
                let reduced = self.reducer.reduce(example, None);
                let examined = self.reducer.examine(&reduced);
                (reduced, examined)
            } else {
                self.named.n_not_reduced += 1;
                (as_it_is(example), Examined::default())
            };
            self.count()?;
            let gives = |&set: &ChangeSet| self.reducer.gives(set, example);
            let set = cover.cause(examined.explanation).filter(gives);
            let index = self.add(set, examined.fingerprint, reduced, false);
            self.named.of_group.insert(group, index);
        }
        Ok(())
    }

    /// Counts an example that is done.
    fn count(&mut self) -> Result<(), Error> {
        self.n_done += 1;
        self.progress.set_done(self.n_done);
        self.progress.check()
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

/// A smallest example that flips.
#[derive(Clone)]
struct ReducedCase {
    example: Example,
    answers: [CellAnswer; 2],
    is_minimal: bool,
}

fn as_it_is(original: &FlipExample) -> ReducedCase {
    ReducedCase {
        example: original.example.clone(),
        answers: original.flip.answers,
        is_minimal: false,
    }
}

/// What is known of a smallest example.
#[derive(Default)]
struct Examined {
    /// What identifies it in all comparisons of these sides.
    fingerprint: Option<String>,
    /// What explains it and contradicts nothing around it.
    explanation: Explanation,
}

/// Makes examples small.
struct Reducer<'r> {
    explainer: &'r Explainer,
    sides: &'r mut [Side; 2],
    decider: Decider,
    max_steps: usize,
    until: Option<Instant>,
    /// What became of files with one line of an example, or its URL, by itself.
    isolated: HashMap<(Option<ChangeSet>, Example), Option<ReducedCase>>,
    /// Faults of external parsers so far.
    n_faults: usize,
}

impl Reducer<'_> {
    /// Returns the smallest example of a flip that has this set of changes for its reason, or none.
    /// Where a line of it flips by itself for that reason, in whichever direction, that is the
    /// example: one oddity would have as many of them as there are files around it otherwise. So is
    /// its URL, but in the same direction only: as a rule it may show an oddity of rules that the
    /// file has none of.
    fn reduce(&mut self, original: &FlipExample, set: Option<ChangeSet>) -> ReducedCase {
        let reduced = self.reduce_in_direction(original, set);
        if !reduced.is_minimal || !self.has_external() {
            return reduced;
        }
        let direction = |case: &ReducedCase| Direction::between(&case.answers);
        for (number, isolated) in reduced.example.isolated().into_iter().enumerate() {
            let key = (set, isolated);
            let known = self.isolated.get(&key).cloned();
            let case = known.unwrap_or_else(|| self.reduce_isolated(&key.1, set));
            self.isolated.insert(key, case.clone());
            let is_line = number > 0;
            if let Some(case) =
                case.filter(|case| is_line || direction(case) == direction(&reduced))
            {
                return case;
            }
        }
        reduced
    }

    /// Returns the smallest example that an isolated one leads to; `None` if it does not flip for
    /// that reason.
    fn reduce_isolated(
        &mut self,
        example: &Example,
        set: Option<ChangeSet>,
    ) -> Option<ReducedCase> {
        let file = example.to_ask();
        let answers = self.ask(&file)?;
        Direction::between(&answers)?;
        let explanation = self.explanation(&file, answers, &Agreed::default())?;
        let is_reason = set.map_or(explanation.is_none(), |set| explanation.allows(set));
        let original = FlipExample {
            example: example.clone(),
            flip: Flip {
                answers,
                explanation,
                ..Flip::default()
            },
            n_flips: 1,
        };
        let case = is_reason.then(|| self.reduce_in_direction(&original, set))?;
        case.is_minimal.then_some(case)
    }

    /// Returns the smallest example that flips in the same direction for the same reason: this set
    /// of changes, or none. What external parsers have in common with none of the dialects is kept
    /// by [`LineKinds`].
    fn reduce_in_direction(
        &mut self,
        original: &FlipExample,
        set: Option<ChangeSet>,
    ) -> ReducedCase {
        let FlipExample { example, flip, .. } = original;
        let unreduced = as_it_is(original);
        let until = self.until;
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        if is_late() || self.n_faults >= MAX_ALL_FAULTS {
            return unreduced;
        }
        let direction = flip.direction();
        let flips_so = |answers: &[CellAnswer; 2]| Direction::between(answers) == direction;
        let is_only = set.is_some_and(|set| flip.explanation.is_only(set));
        let kinds = LineKinds::from_body(&example.body);
        let none = Agreed::default();
        // A single query may be explained by changes that its file contradicts; and that nothing
        // explains a flip tells little where the base only approximates the baseline.
        let is_unexplained = set.is_none()
            && self.explainer.is_exact
            && self
                .explanation(&example.to_ask(), flip.answers, &none)
                .is_none_or(Explanation::is_none);
        let mut gives: BTreeMap<ChangeSet, bool> = BTreeMap::new();
        let keeps_kinds = set.is_none() || self.has_external();
        let max_faults = self.n_faults + MAX_FAULTS;
        let mut n_bytes = 0;
        let reduced = reduce(example.clone(), self.max_steps, |example| {
            n_bytes += example.body.len();
            if self.n_faults >= max_faults || n_bytes > MAX_BYTES || is_late() {
                return false;
            }
            if keeps_kinds && !kinds.include_those_of(&example.body) {
                return false;
            }
            let file = example.to_ask();
            let Some(answers) = self.ask(&file).filter(flips_so) else {
                return false;
            };
            let Some(explanation) = self.explanation(&file, answers, &none) else {
                return false;
            };
            match set {
                Some(set) if is_only => explanation.is_only(set),
                Some(set) => explanation.allows(set),
                None if explanation.is_none() => true,
                None if is_unexplained => false,
                // Changes that do not make the flip of the whole file make another one.
                None => explanation.sets().any(|set| {
                    let known = gives.entry(set);
                    *known.or_insert_with(|| self.gives(set, original))
                }),
            }
        });
        let answers = self.ask(&reduced.example.to_ask());
        let Some(answers) = answers.filter(flips_so) else {
            return unreduced;
        };
        let is_minimal =
            reduced.is_minimal && self.n_faults < max_faults && n_bytes <= MAX_BYTES && !is_late();
        ReducedCase {
            example: reduced.example,
            answers,
            is_minimal,
        }
    }

    fn has_external(&self) -> bool {
        self.sides.iter().any(|side| side.dialect().is_none())
    }

    /// Asks both sides about a smallest example and around it: the queries that its lines give. Two
    /// causes may have one smallest example, but hardly answer alike around it. Nothing where both
    /// sides are dialects, whose causes have names, or a side is at fault.
    fn examine(&mut self, case: &ReducedCase) -> Examined {
        let direction = Direction::between(&case.answers);
        let Some(direction) = direction.filter(|_| self.has_external()) else {
            return Examined::default();
        };
        let Example { body, agent, url } = &case.example;
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
            // The fingerprints that lists have are made of the answers to the others.
            has_external: false,
        };
        let queries = probe::derive(body, &readers.each_ref(), &options).queries;
        let asked = case.example.to_ask();
        let around = FileQueries {
            body: asked.body.clone(),
            queries,
        };
        let Some([baseline, candidate]) = Side::ask_both(self.sides, &around) else {
            return Examined::default();
        };
        let word = |answer: &CellAnswer| answer.verdict.map_or("error", Verdict::as_str);
        let words: Vec<&str> = baseline.iter().chain(&candidate).map(word).collect();
        let agree = |&index: &usize| {
            let [before, after] = [&baseline, &candidate].map(|side| side[index].verdict);
            before.is_some() && before == after
        };
        let agreed: Vec<usize> = (0..baseline.len()).filter(agree).collect();
        let of_agreed = agreed.iter().filter_map(|&index| baseline[index].verdict);
        let agreed = Agreed {
            verdicts: of_agreed.collect(),
            queries: around.queries.subset(agreed.iter().copied()),
        };
        let fingerprint = fingerprint(direction, body, agent, url, &words.concat());
        let explanation = self.explanation(&asked, case.answers, &agreed);
        Examined {
            fingerprint: Some(fingerprint),
            explanation: explanation.unwrap_or_default(),
        }
    }

    /// Returns true if and only if a set of changes gives the candidate's verdict on a flip.
    fn gives(&mut self, set: ChangeSet, FlipExample { example, flip, .. }: &FlipExample) -> bool {
        let FileQueries { body, queries } = example.to_ask();
        self.decider.parse(&body);
        let dialect = self.explainer.with(set);
        self.decider.verdicts(&dialect, &body, &queries).first() == flip.answers[1].verdict.as_ref()
    }

    /// Asks both sides one query; `None` where one is at fault, which is counted.
    fn ask(&mut self, file: &FileQueries) -> Option<[CellAnswer; 2]> {
        let answers = Side::ask_both(self.sides, file);
        self.n_faults += usize::from(answers.is_none());
        let [baseline, candidate] = answers?;
        Some([*baseline.first()?, *candidate.first()?])
    }

    fn explanation(
        &mut self,
        FileQueries { body, queries }: &FileQueries,
        [baseline, candidate]: [CellAnswer; 2],
        agreed: &Agreed,
    ) -> Option<Explanation> {
        let verdicts = [&[baseline.verdict?][..], &[candidate.verdict?]];
        let decider = &mut self.decider;
        let explanations = (self.explainer).explain(decider, body, queries, verdicts, agreed);
        explanations.first().copied()
    }
}
