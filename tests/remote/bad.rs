//! What cannot be downloaded: one sentence with the URL, and every other archive is read.

use super::{Act, Both, Object, Server, archive, run};
use crate::util::{Census, Dir, TestCommand};

/// Runs over archives of which the first cannot be read, and returns why, as its row says it.
fn reason(object: Object) -> String {
    let both = Both::new(vec![object, Object::new(archive(2))]);
    both.run(&[]).end_with(1);
    let rows = Census(both.dir.path("remote")).table("archives");
    assert_eq!(rows.all_bools("is_complete"), [false, true]);
    let reason = rows.texts("incomplete_reason")[0].clone().unwrap();
    let errors = Census(both.dir.path("remote")).table("archive_errors");
    assert!(errors.n_rows() > 0);
    assert!(!reason.contains('\n'), "{reason}");
    reason
}

#[test]
fn an_archive_that_the_server_does_not_give_is_a_row() {
    for (object, says) in [
        (
            Object::new(archive(1)).always(Act::Refuse(403, "")),
            "access is denied (HTTP status 403)",
        ),
        (
            Object::new(archive(1)).always(Act::Refuse(404, "")),
            "it is not there (HTTP status 404)",
        ),
        (
            Object::new(archive(1)).script([Act::Page]),
            "but the server sent an HTML page",
        ),
        (
            Object::new(archive(1)).always(Act::Cut(0)),
            "3 times in a row",
        ),
        (
            Object::new(archive(1)).always(Act::Refuse(503, "Retry-After: 86400\r\n")),
            "the server asks to wait 86400 seconds (HTTP status 503)",
        ),
    ] {
        let reason = reason(object);
        assert!(reason.contains(says), "{says}: {reason}");
        assert!(reason.contains("http://127.0.0.1:"), "{reason}");
    }
}

#[test]
fn other_bytes_for_the_rest_are_damage_of_that_archive() {
    let both = Both::new(vec![
        Object::new(archive(1)).script([Act::Cut(700), Act::OtherBytes]),
        Object::new(archive(2)),
    ]);
    both.run(&[]).end_with(1);
    let rows = Census(both.dir.path("remote")).table("archives");
    assert_eq!(rows.all_bools("is_complete"), [false, true]);
}

#[test]
fn a_download_that_fails_in_the_middle_leaves_what_was_read() {
    let long: Vec<u8> = (0..40).flat_map(archive).collect();
    let both = Both::new(vec![
        Object::new(long.clone()).script(
            [Act::Cut(long.len() / 2)]
                .into_iter()
                .chain(std::iter::repeat_n(Act::Refuse(403, ""), 9)),
        ),
        Object::new(archive(2)),
    ]);
    both.run(&["--prefetch", "40K"]).end_with(1);
    let rows = Census(both.dir.path("remote")).table("archives");
    assert_eq!(rows.all_bools("is_complete"), [false, true]);
    assert!(rows.all_ints("capture_count")[0] > 0);
    let errors = Census(both.dir.path("remote")).table("archive_errors");
    let messages = errors.all_texts("message");
    let denied = messages
        .iter()
        .find(|text| text.contains("access is denied"));
    assert!(denied.is_some(), "{messages:?}");
}

#[test]
fn hosts_that_do_not_answer_are_told_apart() {
    let dir = Dir::new();
    let server = Server::start();
    server.put("/a.warc.gz", Object::new(archive(1)));
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    for (url, says) in [
        (
            "http://no-such-host.invalid/x/b.warc.gz?key=secret".to_owned(),
            "the name of the host cannot be resolved",
        ),
        (
            format!("http://127.0.0.1:{closed}/b.warc.gz"),
            "refuses connections",
        ),
    ] {
        let words = [server.url("/a.warc.gz"), url];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = run(&words, &dir.path("census")).end_with(1);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
        let rows = Census(dir.path("census")).table("archives");
        assert_eq!(rows.all_bools("is_complete"), [true, false]);
        let reason = rows.texts("incomplete_reason")[1].clone().unwrap();
        assert!(reason.contains(says), "{reason}");
        assert!(!reason.contains("secret"), "{reason}");
    }
}

#[test]
fn a_foreign_scheme_is_refused_with_the_list_and_its_line() {
    let dir = Dir::new();
    let list = dir.write(
        "list",
        "# archives\nhttps://a.example/x\nftp://u:p@b.example/y\n",
    );
    let out = dir.word("census");
    TestCommand::new(["run", "--out", &out, &format!("@{list}")]).refuse(&[
        &list,
        "line 3",
        "ftp://b.example/y",
        "http://, https:// and s3://",
    ]);
    TestCommand::new(["run", "--out", &out, "gs://bucket/a.warc.gz"])
        .refuse(&["gs://bucket/a.warc.gz", "http://, https:// and s3://"]);
}

#[test]
fn no_message_shows_the_password_of_a_url_that_is_misspelled() {
    let dir = Dir::new();
    let out = dir.word("census");
    let list = dir.write("list", "http:/user:secret@h.example/a.warc.gz\n");
    for words in [
        &["http:/user:secret@h.example/a.warc.gz", "--out", &out][..],
        &["htp:/user:secret@h.example/a.warc.gz", "--out", &out],
        &["user:secret@h.example/a.warc.gz", "--out", &out],
        &["@https:user:secret@h.example/list", "--out", &out],
        &[&format!("@{list}"), "--out", &out],
        &[
            "--crawl",
            "CC-MAIN-2025-05",
            "--crawl-base",
            "http:/user:secret@h.example/",
            "--out",
            &out,
        ],
        &["a.warc.gz", "--out", "s3:/user:secret@bucket/census"],
        &["a.warc.gz", "--out=https://user:secret@h.example/census"],
    ] {
        let ran = crate::util::run(words).end_with(2);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
        assert!(ran.stderr.contains("s3://"), "{}", ran.stderr);
    }
    assert!(!dir.path("census").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_that_waits_for_a_download() {
    use std::time::{Duration, Instant};

    use crate::util::signal;

    let dir = Dir::new();
    let server = Server::start();
    server.put(
        "/a.warc.gz",
        Object::new(archive(1)).script([Act::Stall(10)]),
    );
    let mut child = run(&[&server.url("/a.warc.gz")], &dir.path("census")).start();
    while server.requests("GET", "/a.warc.gz").is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let begun = Instant::now();
    signal(&child, "INT");
    assert!(!child.wait().unwrap().success());
    assert!(begun.elapsed() < Duration::from_secs(3));
}
