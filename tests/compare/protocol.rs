//! The protocol of external parsers, put to the test by one that does everything wrong.

use std::{
    collections::BTreeMap,
    fs,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use robocensus::{
    Verdict,
    compare::{
        external::{ParserCommand, ParserFaultKind, ParserPool, Reply, Request},
        query::{FileQueries, Queries},
    },
};

use crate::util::{Dir, assert_says, package};

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

/// Asks two queries about each body, and returns all replies and standard error.
fn replies(command: ParserCommand, bodies: &[String]) -> (Vec<Reply>, String) {
    let (pool, replies) = ParserPool::start(command, Arc::default()).unwrap();
    assert!(pool.name().starts_with("hostile"), "{}", pool.name());
    let query = |agent| (agent, "https://example.com/a");
    let queries = Queries::from_iter([query("a"), query("b")]);
    for (id, body) in (0..).zip(bodies) {
        pool.send(Request {
            id,
            file: FileQueries {
                body: body.as_bytes().into(),
                queries: queries.clone(),
            },
        });
    }
    let (log, _) = pool.finish();
    let log = String::from_utf8_lossy(&log).into_owned();
    (replies.iter().collect(), log)
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
            bodies.extend((0..5).map(|n| format!("# fine {n}\n")));
            expected.insert(bodies.len() as u64, kind);
            bodies.push(format!("# {act}\nUser-agent: *\n"));
        }
        bodies.extend((0..20).map(|n| format!("# fine again {n}\n")));
        let (replies, log) = replies(hostile(&[], in_flight), &bodies);
        let found: BTreeMap<_, _> = replies
            .iter()
            .filter_map(|reply| Some((reply.id.unwrap(), reply.result.as_ref().err()?.kind)))
            .collect();
        assert_eq!(found, expected, "{in_flight} in flight");
        let answered = |id: u64| {
            replies
                .iter()
                .any(|reply| reply.id == Some(id) && reply.result.is_ok())
        };
        for id in 0..bodies.len() as u64 {
            let must_be = expected.get(&id).is_none_or(|kind| *kind == RepeatedAnswer);
            assert_eq!(answered(id), must_be, "{id}: {in_flight} in flight");
        }
        for answer in replies
            .iter()
            .flat_map(|reply| reply.result.iter().flatten())
        {
            let found = (answer.verdict, answer.line);
            assert_eq!(found, (Some(Verdict::Disallow), Some(1)));
        }
        assert!(log.contains("dying"), "{log}");
    }
}

#[test]
fn a_line_behind_an_answer_costs_no_file_its_answer() {
    for in_flight in [1, 4, 16] {
        for after in [0, 1, 12] {
            let mut bodies: Vec<_> = (0..6).map(|n| format!("# fine {n}\n")).collect();
            bodies.push("# chatter\n".to_owned());
            bodies.extend((0..after).map(|n| format!("# fine again {n}\n")));
            let mut command = hostile(&[], in_flight);
            command.workers = 1;
            let (replies, _) = replies(command, &bodies);
            let faults: Vec<_> = replies
                .iter()
                .filter_map(|reply| Some((reply.id, reply.result.as_ref().err()?.kind)))
                .collect();
            let what = format!("{in_flight} in flight, {after} behind it");
            assert_eq!(faults, [(None, ParserFaultKind::InvalidAnswer)], "{what}");
            let mut answered: Vec<_> = replies.iter().filter_map(|reply| reply.id).collect();
            answered.sort_unstable();
            let all: Vec<_> = (0..bodies.len() as u64).collect();
            assert_eq!(answered, all, "{what}");
        }
    }
}

#[test]
fn a_parser_that_chatters_behind_every_answer_loses_none() {
    let bodies = vec!["# chatter\n".to_owned(); 12];
    for in_flight in [1, 4] {
        let (replies, _) = replies(hostile(&[], in_flight), &bodies);
        let (answered, faults): (Vec<_>, Vec<_>) =
            replies.iter().partition(|reply| reply.result.is_ok());
        let ids: std::collections::BTreeSet<_> = answered.iter().map(|reply| reply.id).collect();
        assert_eq!(ids.len(), bodies.len(), "{in_flight} in flight");
        assert!(!faults.is_empty() && faults.iter().all(|reply| reply.id.is_none()));
    }
}

#[test]
fn answers_may_come_in_any_order_and_slowly() {
    let bodies: Vec<_> = [
        "# late", "# fine", "# slow", "# slow", "# slow", "# slow", "# slow",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut command = hostile(&[], 16);
    command.workers = 1;
    let began = Instant::now();
    let (replies, _) = replies(command, &bodies);
    assert_eq!(replies.len(), bodies.len());
    assert!(
        replies.iter().all(|reply| reply.result.is_ok()),
        "{replies:?}"
    );
    // All slow files together take longer than one may.
    assert!(began.elapsed() > Duration::from_secs(1));
}

#[test]
fn a_parser_that_does_not_start_again_is_not_started_for_each_file() {
    let dir = Dir::new();
    let mut command = hostile(&["once", &dir.word("started")], 1);
    command.workers = 1;
    let mut bodies = vec!["# fine".to_owned(), "# die".to_owned()];
    bodies.extend((0..20).map(|n| format!("# fine {n}")));
    let (replies, _) = replies(command, &bodies);
    let messages: Vec<String> = replies
        .into_iter()
        .filter_map(|reply| Some(reply.result.err()?.message))
        .collect();
    assert_eq!(messages.len(), bodies.len() - 1);
    let (tried, skipped) = messages[1..].split_at(3);
    assert!(
        tried.iter().all(|text| text.contains("exit status: 3")),
        "{tried:?}"
    );
    let skips = "3 starts in a row have failed";
    assert!(
        skipped.iter().all(|text| text.contains(skips)),
        "{skipped:?}"
    );
}

#[test]
fn a_parser_that_falls_silent_is_not_waited_for_at_each_file() {
    let mut command = hostile(&[], 4);
    command.workers = 1;
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
fn an_end_that_is_the_fault_of_no_file_is_told() {
    let bodies: Vec<String> = (0..60).map(|n| format!("# fine {n}\n")).collect();
    let (replies, _) = replies(hostile(&["tires"], 16), &bodies);
    let (faults, answers): (Vec<Reply>, Vec<Reply>) =
        replies.into_iter().partition(|reply| reply.result.is_err());
    assert_eq!(answers.len(), bodies.len());
    assert!(!faults.is_empty());
    for reply in faults {
        assert_eq!(reply.id, None);
        assert_eq!(reply.result.unwrap_err().kind, ParserFaultKind::Exited);
    }
}

#[test]
fn a_parser_that_is_late_once_is_not_at_fault() {
    let dir = Dir::new();
    let mut bodies: Vec<String> = (0..20).map(|n| format!("# fine {n}\n")).collect();
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
    let line = format!(
        "python3 {} & echo $! >> {}; wait",
        script.display(),
        pids.display()
    );
    let mut command = hostile(&[], 1);
    // A shell gives a command in the background no standard input but what it is told to.
    command.words = [
        "sh",
        "-c",
        &format!("exec 3<&0; {}", line.replace(" &", " <&3 &")),
    ]
    .map(str::to_owned)
    .to_vec();
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

#[test]
fn a_parser_that_does_not_speak_the_protocol_is_refused() {
    let start = |command| ParserPool::start(command, Arc::default()).err().unwrap();
    let message = start(hostile(&["ends"], 1));
    assert_says(&message, "robocensus-parser/1");
    assert_says(&message, "exit status: 3");
    let message = start(hostile(&["other-protocol"], 1));
    assert_says(&message, "but found");
    assert_says(&message, "robots/9");
    let mut command = hostile(&[], 1);
    command.words = vec!["no-such-program-here".to_owned()];
    let message = start(command);
    assert!(message.contains("no-such-program-here"), "{message}");
}
