//! For every answer of `robocensus dialects`: a dialect in which it alone differs from its base is
//! found out by that one change, and written again by `--fit`.

use std::{
    collections::BTreeSet,
    fs,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use robocensus::robots::dialect::{AllowedAnswers, AnswerValue, CHOICES, Choice, Dialect};

use super::{bodies::bodies, files::archive_of};
use crate::util::{Census, Dir, TestCommand};

/// Answers that differ from that of the base in no verdict, with the reason.
const EQUIVALENT: &[(&str, &str, &str)] = &[
    ("google", "leading_slash=required", NEVER_MATCHES),
    ("rfc9309", "leading_slash=as-written", NEVER_MATCHES),
    ("google", "empty_pattern=allows-all", LEAST_PRIORITY),
    ("google", "empty_pattern=ignored", LEAST_PRIORITY),
    ("rfc9309", "empty_pattern=allows-all", LEAST_PRIORITY),
    ("rfc9309", "empty_pattern=ignored", LEAST_PRIORITY),
];
const NEVER_MATCHES: &str = "a pattern that matches nothing decides as little as no rule";
const LEAST_PRIORITY: &str = "where the longest pattern wins, an empty one loses to any other, and alone it allows what is \
     allowed without it; python, where the first rule wins, shows these answers";

struct OneAnswer {
    base: &'static Dialect,
    choice: &'static Choice,
    /// As a value of TOML.
    value: String,
    /// As in the key of a cause.
    change: String,
}

/// Returns every answer that differs from that of its base, except those on access, which decide
/// before a line is read.
fn answers_of(base: &'static Dialect) -> Vec<OneAnswer> {
    let choices = CHOICES
        .iter()
        .filter(|choice| !choice.name.starts_with("access."));
    let of_choice = |choice: &'static Choice| {
        let mut values: Vec<AnswerValue> = match choice.allowed {
            AllowedAnswers::Words(words) => words
                .iter()
                .map(|(word, _)| AnswerValue::Word(word))
                .collect(),
            AllowedAnswers::Bytes | AllowedAnswers::Count => vec![AnswerValue::Word("none")],
        };
        for dialect in Dialect::BUILT_IN {
            let answer = choice.answer(dialect);
            if !values.contains(&answer) {
                values.push(answer);
            }
        }
        values.retain(|value| *value != choice.answer(base));
        values
            .into_iter()
            .map(move |value| {
                let (value, word) = match value {
                    AnswerValue::Word(word) => (format!("\"{word}\""), word.to_owned()),
                    AnswerValue::Number(number) => (number.to_string(), number.to_string()),
                };
                OneAnswer {
                    base,
                    choice,
                    value,
                    change: format!("{}={word}", choice.name),
                }
            })
            .collect::<Vec<_>>()
    };
    choices.flat_map(of_choice).collect()
}

/// Returns what is wrong with the comparison of a base with one changed answer.
fn fault_of(dir: &Dir, archive: &str, number: usize, answer: &OneAnswer) -> Option<String> {
    let OneAnswer {
        base,
        choice,
        value,
        change,
    } = answer;
    let text = format!("base = \"{}\"\n{} = {value}\n", base.name, choice.name);
    let candidate = dir.write(&format!("candidate-{number}.toml"), &text);
    let (out, fit) = (
        format!("out-{number}"),
        dir.word(&format!("fit-{number}.toml")),
    );
    let ran = TestCommand::new(["compare", "--baseline", &base.name])
        .words(&["--candidate", &candidate, archive])
        .words(&["--out", &dir.word(&out), "--fit", &fit, "--quiet"])
        .words(&["--threads", "1"])
        .end();
    let name = format!("{}: {change}", base.name);
    let is_equivalent = EQUIVALENT
        .iter()
        .any(|(of, equivalent, _)| *of == &*base.name && *equivalent == change.as_str());
    if is_equivalent {
        return (ran.code != 0).then(|| format!("{name}: is no equivalent"));
    }
    if ran.code != 1 {
        return Some(format!("{name}: exit code {}: {}", ran.code, ran.stderr));
    }
    let causes = Census(dir.path(&out)).table("causes").texts("changes");
    if causes != [Some(change.clone())] {
        return Some(format!("{name}: found {causes:?}"));
    }
    let fitted = fs::read_to_string(fit).unwrap();
    let fitted: Vec<&str> = fitted
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let expected: Vec<&str> = text.lines().collect();
    (fitted != expected).then(|| format!("{name}: fitted {fitted:?}"))
}

#[test]
fn each_answer_that_changes_is_found_out_by_that_one_cause() {
    let dir = Dir::new();
    let archive = dir.write("files.warc.gz", archive_of(&bodies()));
    let mut answers: Vec<OneAnswer> = [&Dialect::GOOGLE, &Dialect::RFC9309]
        .into_iter()
        .flat_map(answers_of)
        .collect();
    let of_python = answers_of(&Dialect::PYTHON).into_iter();
    answers.extend(of_python.filter(|answer| answer.choice.name == "empty_pattern"));
    assert!(answers.len() > 60, "{}", answers.len());
    let next = AtomicUsize::new(0);
    let faults: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut faults = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(answer) = answers.get(number) else {
                    return faults;
                };
                faults.extend(fault_of(&dir, &archive, number, answer));
            }
        };
        let workers = [(); 4].map(|()| scope.spawn(work));
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(faults.is_empty(), "{faults:#?}");
    let known: BTreeSet<&str> = answers.iter().map(|answer| &*answer.change).collect();
    for (_, change, _) in EQUIVALENT {
        assert!(known.contains(change), "{change}");
    }
}
