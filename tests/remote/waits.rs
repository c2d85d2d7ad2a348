//! Servers that make a run wait: what is said of it, and how long it lasts.

use super::{Act, Both, Object, archive};
use crate::util::{Census, TestCommand};

#[test]
fn one_note_says_that_a_server_is_waited_for() {
    let refused =
        |seed| Object::new(archive(seed)).script([Act::Refuse(503, "Retry-After: 3\r\n")]);
    let both = Both::new(vec![refused(1), refused(2), refused(3)]);
    let urls = both.urls();
    let urls: Vec<_> = urls.iter().map(|url| format!("{url}?key=secret")).collect();
    let out = both.dir.word("remote");
    let ran = TestCommand::new(["run", "--out", &out])
        .words(&urls)
        .env("NO_PROXY", "*")
        .succeed();
    let notes = ran.stderr.lines().filter(|line| line.contains("note: "));
    let notes: Vec<_> = notes.collect();
    assert_eq!(notes.len(), 1, "{}", ran.stderr);
    for text in [
        "robocensus: note: http://127.0.0.1:",
        "?...: the server does not answer now (HTTP status 503); trying again in ",
        " seconds (try 2 of 9)",
    ] {
        assert!(notes[0].contains(text), "{text:?} in {}", notes[0]);
    }
    assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    let both = Both::new(vec![refused(1)]);
    assert_eq!(both.run(&[]).end().stderr, "");
}

/// A byte now and then is as good as none: the archive is requested again, and skipped at last.
#[test]
fn a_server_that_drips_is_not_waited_for() {
    let both = Both::new(vec![
        Object::new(archive(1)).always(Act::Drip),
        Object::new(archive(2)).script([Act::Drip]),
    ]);
    both.run(&[])
        .env("ROBOCENSUS_READ_TIMEOUT", "0.5")
        .end_with(1);
    let rows = Census(both.dir.path("remote")).table("archives");
    assert_eq!(rows.all_bools("is_complete"), [false, true]);
    assert_eq!(rows.all_ints("request_count"), [3, 2]);
    let reason = rows.texts("incomplete_reason")[0].clone().unwrap();
    let says = "the server sent less than 1024 bytes a second for 1 seconds, 3 times in a row";
    assert!(reason.contains(says), "{reason}");
}
