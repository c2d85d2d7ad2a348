//! Servers that make a run wait: what is said of it, and how long it lasts.

use super::{Act, Both, Object, archive, reason};
use crate::util::{TestCommand, assert_says};

#[test]
fn one_note_says_that_a_server_is_waited_for() {
    let refused =
        |seed| Object::new(archive(seed)).script([Act::Refuse(503, "Retry-After: 3\r\n")]);
    let both = Both::new(vec![refused(1), refused(2), refused(3)]);
    // What a note says is in the unit tests of `remote/retry.rs`.
    let out = both.dir.word("remote");
    let run = TestCommand::new(["run", "--out", &out]).words(&both.urls());
    let stderr = run.env("NO_PROXY", "*").succeed().stderr;
    let says = ": the server does not answer now (HTTP status 503); trying again in ";
    assert_eq!(stderr.matches("note: ").count(), 1, "{stderr}");
    assert_says(&stderr, says);
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
    let rows = both.rows();
    assert_eq!(rows.all_bools("is_complete"), [false, true]);
    assert_eq!(rows.all_ints("request_count"), [3, 2]);
    let says = "the server sent less than 1024 bytes a second for 1 seconds, 3 times in a row";
    assert_says(&reason(&both.dir, "remote", 0), says);
}
