//! Causes: the changes of a dialect's answers that turn the baseline's verdicts into the
//! candidate's.
//!
//! A million flips are a handful of differences. [`fit`] searches the dialect that behaves as the
//! candidate does, one answer after the other, over cells on which the sides agree as well as over
//! those that flip, so that a change which explains flips and breaks agreement loses. [`Causes`]
//! then names for each flip the smallest set of the changes so found that gives the candidate's
//! verdict.

use std::{collections::BTreeSet, fmt};

use super::external::Query;
use crate::{
    dialect::{
        Agent, AnswerValue, CHOICES, Choice, Decision, Dialect, PreparedPath, RuleSet, Selection,
        Verdict,
    },
    robots::{self, RobotsTxt},
};

/// One answer of a dialect, changed.
#[derive(Clone, Copy)]
pub struct Change {
    choice: &'static Choice,
    answer: AnswerValue,
}

impl Change {
    /// Returns every change of one answer that can change a verdict; answers on access cannot.
    pub fn all(base: &Dialect) -> Vec<Change> {
        CHOICES
            .iter()
            .filter(|choice| !choice.name.starts_with("access."))
            .flat_map(|choice| {
                let is_other = |answer: &AnswerValue| *answer != choice.answer(base);
                let answers = choice.possible_answers().into_iter().filter(is_other);
                answers.map(|answer| Change { choice, answer })
            })
            .collect()
    }

    /// Returns the changes that turn `base` into `other`, but for those of access.
    pub fn between(base: &Dialect, other: &Dialect) -> Vec<Change> {
        let choices = CHOICES
            .iter()
            .filter(|choice| !choice.name.starts_with("access."));
        choices
            .filter(|choice| choice.answer(base) != choice.answer(other))
            .map(|choice| Change {
                choice,
                answer: choice.answer(other),
            })
            .collect()
    }

    /// Makes the change.
    pub fn apply(&self, dialect: &mut Dialect) {
        self.choice.set(dialect, self.answer);
    }

    /// Returns the name of the answer that changes.
    pub fn name(&self) -> &'static str {
        self.choice.name
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.answer {
            AnswerValue::Word(word) => write!(f, "{}={word}", self.choice.name),
            AnswerValue::Number(number) => write!(f, "{}={number}", self.choice.name),
        }
    }
}

/// One file, what it was asked, and what the candidate answered.
pub struct Observation {
    /// The body of the robots.txt.
    pub body: Vec<u8>,
    /// What was asked.
    pub queries: Vec<Query>,
    /// The candidate's verdicts, one for each query; `None` where it gave none.
    pub verdicts: Vec<Option<Verdict>>,
    /// How often the file counts.
    pub weight: u64,
}

/// Answers many queries about one file under many dialects; reusable.
#[derive(Default)]
pub struct Decider {
    robots: RobotsTxt,
    rules: RuleSet,
    selection: Selection,
}

impl Decider {
    /// Parses a file; [`Decider::verdicts`] answers about it.
    pub fn parse(&mut self, body: &[u8]) {
        robots::parse(body, &mut self.robots);
    }

    /// Returns the verdicts of a dialect, in the order of the queries, whose agents should be
    /// together: each change of agent selects its groups again.
    pub fn verdicts(&mut self, dialect: &Dialect, body: &[u8], queries: &[Query]) -> Vec<Verdict> {
        let decisions = self.decisions(dialect, body, queries);
        decisions
            .into_iter()
            .map(|decision| decision.verdict)
            .collect()
    }

    /// Returns the decisions of a dialect, in the order of the queries.
    pub fn decisions(
        &mut self,
        dialect: &Dialect,
        body: &[u8],
        queries: &[Query],
    ) -> Vec<Decision> {
        self.rules.compile(dialect, body, &self.robots);
        let mut selected: Option<&str> = None;
        let mut decisions = Vec::with_capacity(queries.len());
        for Query { agent, url } in queries {
            if selected != Some(agent.as_str()) {
                let chain = Agent::new(dialect, &[agent.as_bytes()]);
                self.rules.select(&chain, &mut self.selection);
                selected = Some(agent);
            }
            let path = PreparedPath::from_url(dialect, url.as_bytes());
            decisions.push(self.rules.decide(&self.selection, &path));
        }
        decisions
    }
}

/// A dialect that behaves as a candidate does.
pub struct Fit {
    /// The dialect.
    pub dialect: Dialect,
    /// The changes that make it of the baseline, the one that reproduces most first.
    pub changes: Vec<Change>,
    /// The weight of the cells on which it answers as the candidate does, and of all cells.
    pub reproduced: (u64, u64),
}

/// Searches the dialect that gives most of the verdicts observed: from `base` on, the one change
/// that helps most is made until none helps; then pairs are tried once; then each change is undone
/// that nothing is lost without.
pub fn fit(base: &Dialect, observations: &[Observation]) -> Fit {
    let mut search = FitSearch {
        observations,
        decider: Decider::default(),
    };
    let total = search.total();
    let mut dialect = base.clone();
    let mut best = search.score(&dialect);
    while best < total {
        let singles = Change::all(&dialect);
        let pairs = pairs(&singles);
        let mut found = search.best_of(&dialect, singles.iter().map(std::slice::from_ref), best);
        if found.is_none() {
            found = search.best_of(&dialect, pairs.iter().map(<[Change; 2]>::as_slice), best);
        }
        let Some((changes, score)) = found else {
            break;
        };
        for change in changes {
            change.apply(&mut dialect);
        }
        best = score;
    }
    // A change may have been a step on the way to another.
    for change in Change::between(&dialect, base) {
        let mut without = dialect.clone();
        change.apply(&mut without);
        if search.score(&without) >= best {
            dialect = without;
        }
    }
    let mut changes: Vec<_> = Change::between(base, &dialect)
        .into_iter()
        .map(|change| {
            let mut without = dialect.clone();
            let undone = Change {
                choice: change.choice,
                answer: change.choice.answer(base),
            };
            undone.apply(&mut without);
            (best - search.score(&without).min(best), change)
        })
        .collect();
    changes.sort_by_key(|(loss, change)| (std::cmp::Reverse(*loss), change.choice.name));
    Fit {
        dialect,
        changes: changes.into_iter().map(|(_, change)| change).collect(),
        reproduced: (best, total),
    }
}

struct FitSearch<'o> {
    observations: &'o [Observation],
    decider: Decider,
}

impl FitSearch<'_> {
    fn total(&self) -> u64 {
        let of_file = |file: &Observation| {
            let answered = file.verdicts.iter().flatten().count();
            answered as u64 * file.weight
        };
        self.observations.iter().map(of_file).sum()
    }

    /// Returns the weight of the cells on which a dialect answers as observed.
    fn score(&mut self, dialect: &Dialect) -> u64 {
        let mut score = 0;
        for file in self.observations {
            self.decider.parse(&file.body);
            let verdicts = self.decider.verdicts(dialect, &file.body, &file.queries);
            let same = verdicts.iter().zip(&file.verdicts);
            let same = same
                .filter(|(ours, theirs)| Some(**ours) == **theirs)
                .count();
            score += same as u64 * file.weight;
        }
        score
    }

    /// Returns the changes, of those offered, that give the highest score, if it exceeds `above`;
    /// the first of equal ones.
    fn best_of<'c>(
        &mut self,
        base: &Dialect,
        offered: impl Iterator<Item = &'c [Change]>,
        above: u64,
    ) -> Option<(&'c [Change], u64)> {
        let mut best = None;
        let mut highest = above;
        for changes in offered {
            let mut dialect = base.clone();
            for change in changes {
                change.apply(&mut dialect);
            }
            let score = self.score(&dialect);
            if score > highest {
                highest = score;
                best = Some((changes, score));
            }
        }
        best
    }
}

/// Returns all pairs of changes of different answers.
fn pairs(changes: &[Change]) -> Vec<[Change; 2]> {
    let mut pairs = Vec::new();
    for (at, first) in changes.iter().enumerate() {
        for second in &changes[at + 1..] {
            if first.choice.name != second.choice.name {
                pairs.push([*first, *second]);
            }
        }
    }
    pairs
}

/// Names the cause of each flip.
pub struct Causes {
    /// Every set of changes that can be a cause, with the dialect that it makes of the baseline:
    /// small sets first.
    candidates: Vec<(Vec<usize>, Dialect)>,
    changes: Vec<Change>,
}

/// The largest set of changes that is tried as a cause, short of all of them.
const MAX_CHANGES: usize = 3;

impl Causes {
    /// Prepares the sets of changes that turn `base` into the dialect that was fitted.
    pub fn new(base: &Dialect, changes: &[Change]) -> Causes {
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        let mut all = Vec::new();
        for size in 1..=MAX_CHANGES.min(changes.len()) {
            sets = sets
                .iter()
                .flat_map(|set| {
                    let next = set.last().map_or(0, |last| last + 1);
                    (next..changes.len()).map(move |index| {
                        let mut set = set.clone();
                        set.push(index);
                        set
                    })
                })
                .collect();
            debug_assert!(sets.iter().all(|set| set.len() == size));
            all.extend(sets.clone());
        }
        if changes.len() > MAX_CHANGES {
            all.push((0..changes.len()).collect());
        }
        let candidates = all.into_iter().map(|set| {
            let mut dialect = base.clone();
            for &index in &set {
                changes[index].apply(&mut dialect);
            }
            (set, dialect)
        });
        Causes {
            candidates: candidates.collect(),
            changes: changes.to_vec(),
        }
    }

    /// Returns for each flip of a file the smallest set of changes that gives the candidate's
    /// verdict, as an index for [`Causes::name`]; `None` where no set does.
    pub fn of_file(
        &self,
        decider: &mut Decider,
        body: &[u8],
        flips: &[Query],
        verdicts: &[Verdict],
    ) -> Vec<Option<usize>> {
        let mut causes = vec![None; flips.len()];
        decider.parse(body);
        for (index, (_, dialect)) in self.candidates.iter().enumerate() {
            if causes.iter().all(Option::is_some) {
                break;
            }
            let ours = decider.verdicts(dialect, body, flips);
            for (cause, (ours, theirs)) in causes.iter_mut().zip(ours.iter().zip(verdicts)) {
                if cause.is_none() && ours == theirs {
                    *cause = Some(index);
                }
            }
        }
        causes
    }

    /// Returns the changes of a cause, in the order of the dialect's answers:
    /// `group_end=blank-line percent=normalized`.
    pub fn name(&self, cause: usize) -> String {
        let set: BTreeSet<_> = self.candidates[cause].0.iter().copied().collect();
        let mut names: Vec<_> = set
            .iter()
            .map(|&index| self.changes[index].to_string())
            .collect();
        names.sort();
        names.join(" ")
    }

    /// Returns the dialect that a cause makes of the baseline.
    pub fn dialect(&self, cause: usize) -> &Dialect {
        &self.candidates[cause].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Robots, compare::probe};

    /// Files that show what each answer changes.
    const FILES: &[&[u8]] = &[
        b"User-agent: *\nDisallow: /a\nAllow: /a/b\n",
        b"User-agent: Foo\n\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n",
        b"User-agent: Foo\nDisallow: /a\n\nDisallow: /b\nUser-agent: Foo\nDisallow: /c\n",
        b"User-agent: Foo/1.0\nDisallow: /a\n\nUser-agent: fo\nAllow: /a\nDisallow: /\n",
        b"User-agent: Foo Bar\nDisallow: /a\n",
        b"User-agent: xFoo_1\nDisallow: /a\n",
        b"User-agent: *\nDisallow: /x*\nAllow: /x\n\nUser-agent: b\nDisallow: /fish*\nAllow: /fish\n",
        b"User-agent: *\nDisallow: /*.pdf$\nDisallow: b\nAllow: /pa*e\nDisallow: /page\n",
        b"User-agent: *\nDisallow: /%7ejoe/%2f\nAllow: /\xC3\xA4?%3a\nDisallow: /\n",
        b"User-agent: *\nDisallow: /caf%C3%A9\nDisallow: /%61b%2Fc%3\n",
        b"User-agent: *\nDisallow\nDisallow: /\nAllow:\n",
        b"User-agent: *\nDisallow:\n\nUser-agent: Foo\nAllow:\nDisallow: /\n",
        b"User-agent: *\nDisallow: /dir/\nAllow: /dir/index.html\n",
        b"User-agent: *\nDisallow: /\nAllow: /page\n",
        b"User-agent *\nDisallow /a\nDisallow: /b\n",
        b"\xEF\xBB\xBFUser-agent: *\nDisallow: /\n",
        b"\xEF\xBBUser-agent: *\nDisallow: /\n",
        b"User-agent: *\nDissallow: /a\nDisallow\x00: /b\nDisallow: /c\x00d\n",
        b"User-agent: *\nDisallow: /a\x0bDisallow: /b\x85\nDisallow: \"/c\"\n",
        b"useragent: *\ndisallow: /a\nDisallow-all: /b\n",
        b"User-agent: foo\nDisallow: /a\n\nUser-agent: FOO\nDisallow: /b\n",
        b"User-agent: *\nAllow: /p\nDisallow: /*l\nAllow: /folder\nDisallow: /*older\n",
        b"User-agent: a\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /\n",
    ];

    fn observed(candidate: &Dialect, base: &Dialect) -> Vec<Observation> {
        let mut bodies: Vec<Vec<u8>> = FILES.iter().map(|body| body.to_vec()).collect();
        for limit in [9_000_usize, 17_000, 600_000] {
            let filler = "x".repeat(limit);
            bodies.push(format!("User-agent: *\nDisallow: /{filler}\nDisallow: /a\n").into_bytes());
            let line = format!(
                "User-agent: *\n#{}\nDisallow: /a\n",
                "y\n#".repeat(limit / 3)
            );
            bodies.push(line.into_bytes());
        }
        let mut decider = Decider::default();
        bodies
            .into_iter()
            .map(|body| {
                let robots = Robots::parse(body.clone());
                let queries = probe::derive(&robots, &[base], &["Foo".to_owned()], 256);
                decider.parse(&body);
                let verdicts = decider.verdicts(candidate, &body, &queries);
                Observation {
                    verdicts: verdicts.into_iter().map(Some).collect(),
                    body,
                    queries,
                    weight: 1,
                }
            })
            .collect()
    }

    #[test]
    fn each_change_of_one_answer_is_found() {
        let mut n_found = 0;
        for base in [&Dialect::GOOGLE, &Dialect::RFC9309] {
            for change in Change::all(base) {
                let mut candidate = base.clone();
                change.apply(&mut candidate);
                let observations = observed(&candidate, base);
                let before = observed(base, base);
                let differs = observations
                    .iter()
                    .zip(&before)
                    .any(|(a, b)| a.verdicts != b.verdicts);
                let fit = fit(base, &observations);
                assert_eq!(fit.reproduced.0, fit.reproduced.1, "{change}");
                let found: Vec<_> = fit.changes.iter().map(Change::to_string).collect();
                if differs {
                    println!("{} {change}: {found:?}", base.name);
                    n_found += usize::from(found == [change.to_string()]);
                } else {
                    println!("{} {change}: no file shows it", base.name);
                }
            }
        }
        println!("{n_found}");
        assert!(n_found > 50, "{n_found}");
    }
}
