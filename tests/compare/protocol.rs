//! The protocol of external parsers, put to the test by one that does everything wrong.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, thread,
    time::{Duration, Instant},
};

use robocensus::{
    Verdict,
    compare::{
        external::{ParserCommand, ParserFaultKind, Reply},
        query::{FileQueries, Queries},
    },
};

use super::adapters;
use crate::util::{Dir, assert_begins, assert_says, package};

fn hostile(arguments: &[&str], in_flight: usize) -> ParserCommand {
    let script = package().join("tests/adapters/hostile.py");
    let mut words = vec!["python3".to_owned(), script.to_str().unwrap().to_owned()];
    words.extend(arguments.iter().map(|word| (*word).to_owned()));
    ParserCommand {
        words,
        workers: 2,
        in_flight,
        timeout: Duration::from_millis(700),
    }
}

/// Returns the command with one process at a time.
fn alone(arguments: &[&str], in_flight: usize) -> ParserCommand {
    let mut command = hostile(arguments, in_flight);
    command.workers = 1;
    command
}

/// Asks two queries about each body, and returns all replies and standard error.
fn replies(command: ParserCommand, bodies: &[String]) -> (Vec<Reply>, String) {
    let query = |agent| (agent, "https://example.com/a");
    let queries = Queries::from_iter([query("a"), query("b")]);
    let files = bodies.iter().map(|body| FileQueries {
        body: body.as_bytes().into(),
        queries: queries.clone(),
    });
    let (name, replies, log) = adapters::replies(command, files);
    assert_begins(&name, "hostile");
    (replies, log)
}

/// Returns files that are answered, told apart by numbers.
fn fine(n: usize) -> Vec<String> {
    (0..n).map(|n| format!("# fine {n}\n")).collect()
}

#[test]
fn a_fault_costs_only_the_file_at_fault() {
    use ParserFaultKind::*;
    let faults = [
        ("die", Exited),
        ("hang", TimedOut),
        ("flood", AnswerTooLong),
        ("garbage", InvalidAnswer),
        ("short", WrongCount),
        ("other-word", InvalidAnswer),
        ("repeat", RepeatedAnswer),
        ("lie", UnknownId),
    ];
    for in_flight in [1, 16] {
        let mut bodies = Vec::new();
        let mut expected = BTreeMap::new();
        for (act, kind) in faults {
            bodies.extend(fine(5));
            expected.insert(bodies.len() as u64, kind);
            bodies.push(format!("# {act}\nUser-agent: *\n"));
        }
        bodies.extend(fine(20));
        let (replies, log) = replies(hostile(&[], in_flight), &bodies);
        let found: BTreeMap<_, _> = replies
            .iter()
            .filter_map(|reply| Some((reply.id.unwrap(), reply.result.as_ref().err()?.kind)))
            .collect();
        assert_eq!(found, expected, "{in_flight} in flight");
        let answered = replies.iter().filter(|reply| reply.result.is_ok());
        let answered: BTreeSet<_> = answered.map(|reply| reply.id.unwrap()).collect();
        for id in 0..bodies.len() as u64 {
            let must_be = expected.get(&id).is_none_or(|kind| *kind == RepeatedAnswer);
            let is = answered.contains(&id);
            assert_eq!(is, must_be, "{id}: {in_flight} in flight");
        }
        for answer in replies.iter().flat_map(|r| r.result.iter().flatten()) {
            let found = (answer.verdict, answer.line);
            assert_eq!(found, (Some(Verdict::Disallow), Some(1)));
        }
        assert_says(&log, "dying");
    }
}

/// A parser that says more than it was asked, or ends between two files.
#[test]
fn a_fault_of_no_file_costs_no_file_its_answer() {
    use ParserFaultKind::*;
    let chatter = "# chatter\n".to_owned();
    let once = |after| [fine(6), vec![chatter.clone()], fine(after)].concat();
    for (workers, act, in_flight, bodies, kind, most_faults) in [
        (1, "", &[1, 4, 16][..], once(0), InvalidAnswer, 1),
        (1, "", &[1, 4, 16], once(1), InvalidAnswer, 1),
        (1, "", &[1, 4, 16], once(12), InvalidAnswer, 1),
        (2, "", &[1, 4], vec![chatter.clone(); 12], InvalidAnswer, 12),
        (2, "tires", &[16], fine(60), Exited, 60),
    ] {
        for &in_flight in in_flight {
            let mut command = hostile(&[act], in_flight);
            command.workers = workers;
            let (replies, _) = replies(command, &bodies);
            let what = format!("{act} {} files, {in_flight} in flight", bodies.len());
            let (answers, faults): (Vec<_>, Vec<_>) =
                replies.into_iter().partition(|reply| reply.result.is_ok());
            let mut answered: Vec<_> = answers.iter().filter_map(|reply| reply.id).collect();
            answered.sort_unstable();
            assert!(answered.into_iter().eq(0..bodies.len() as u64), "{what}");
            assert!(
                (1..=most_faults).contains(&faults.len()),
                "{what}: {faults:?}"
            );
            for fault in faults {
                let found = (fault.id, fault.result.unwrap_err().kind);
                assert_eq!(found, (None, kind), "{what}");
            }
        }
    }
}

#[test]
fn answers_may_come_in_any_order_and_slowly() {
    let acts = [&["late", "fine"], &["slow"; 5][..]].concat();
    let bodies: Vec<_> = acts.iter().map(|act| format!("# {act}")).collect();
    let began = Instant::now();
    let (replies, _) = replies(alone(&[], 16), &bodies);
    assert_eq!(replies.len(), bodies.len());
    let all = replies.iter().all(|reply| reply.result.is_ok());
    assert!(all, "{replies:?}");
    // All slow files together take longer than one may.
    assert!(began.elapsed() > Duration::from_secs(1));
}

#[test]
fn a_parser_that_does_not_start_again_is_not_started_for_each_file() {
    let dir = Dir::new();
    let command = alone(&["once", &dir.word("started")], 1);
    let bodies = [fine(1), vec!["# die\n".to_owned()], fine(20)].concat();
    let (replies, _) = replies(command, &bodies);
    let faults = replies.into_iter().filter_map(|reply| reply.result.err());
    let messages: Vec<_> = faults.map(|fault| fault.message).collect();
    assert_eq!(messages.len(), bodies.len() - 1);
    for (nth, message) in messages[1..].iter().enumerate() {
        let skipped = "3 starts in a row have failed";
        assert_says(message, if nth < 3 { "exit status: 3" } else { skipped });
    }
}

#[test]
fn a_parser_that_falls_silent_is_not_waited_for_at_each_file() {
    let mut command = alone(&[], 4);
    command.timeout = Duration::from_millis(100);
    let bodies: Vec<String> = (0..200).map(|n| format!("# hang\n# {n}")).collect();
    let (replies, _) = replies(command, &bodies);
    assert_eq!(replies.len(), bodies.len());
    let message = |reply: Reply| reply.result.unwrap_err().message;
    let messages: Vec<String> = replies.into_iter().map(message).collect();
    let waited = messages.iter().filter(|text| text.contains("within 0.1 s"));
    assert!(waited.count() <= 30, "{messages:?}");
    assert!(messages[199].contains("30 times in a row"), "{messages:?}");
}

#[test]
fn a_parser_that_is_late_once_is_not_at_fault() {
    let dir = Dir::new();
    let mut bodies = fine(20);
    bodies[3] = "# late-once\n".to_owned();
    let (replies, _) = replies(hostile(&["", &dir.word("late")], 16), &bodies);
    assert!(dir.path("late").exists());
    assert_eq!(replies.len(), bodies.len());
    let faults: Vec<_> = replies.iter().filter(|r| r.result.is_err()).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

/// Where a parser is started by another program, as by a shell or by `uv run`, that one alone would
/// end, and the parser that hangs would stay.
#[test]
#[cfg(target_os = "linux")]
fn a_parser_that_hangs_ends_with_the_program_that_started_it() {
    let dir = Dir::new();
    let script = package().join("tests/adapters/hostile.py");
    let pids = dir.path("pids");
    // A shell gives a command in the background no standard input but what it is told to.
    let (script, to) = (script.display(), pids.display());
    let line = format!("exec 3<&0; python3 {script} <&3 & echo $! >> {to}; wait");
    let mut command = hostile(&[], 1);
    command.words = ["sh", "-c", &line].map(str::to_owned).to_vec();
    let (replies, _) = replies(command, &["# hang".to_owned()]);
    assert_eq!(replies.len(), 1);
    assert!(replies[0].result.is_err());
    let pids = fs::read_to_string(pids).unwrap();
    assert!(!pids.is_empty());
    let runs = |pid: &str| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        // One that has ended may wait for someone to take note of it.
        !status.is_empty() && !status.contains("State:\tZ")
    };
    let begun = Instant::now();
    while pids.lines().any(runs) {
        assert!(begun.elapsed() < Duration::from_secs(10), "{pids}");
        thread::sleep(Duration::from_millis(20));
    }
}
