//! What cannot be downloaded: one sentence with the URL, and every other archive is read.

use super::{Act, Both, Object, Server, archive, long_archive, reason, rows_of, run};
use crate::util::{Census, Dir, TestCommand, assert_says, assert_says_all};

/// Runs over archives of which the first cannot be read whole, and the second can.
fn run_with_bad(bad: Object, words: &[&str]) -> Both {
    let both = Both::new(vec![bad, Object::new(archive(2))]);
    both.run(words).end_with(1);
    assert_eq!(both.rows().all_bools("is_complete"), [false, true]);
    both
}

#[test]
fn an_archive_that_the_server_does_not_give_is_a_row() {
    for (act, says) in [
        (Act::Refuse(403, ""), "access is denied (HTTP status 403)"),
        (Act::Refuse(404, ""), "it is not there (HTTP status 404)"),
        (Act::Page, "but the server sent an HTML page"),
        (Act::Cut(0), "3 times in a row"),
        (
            Act::Refuse(503, "Retry-After: 86400\r\n"),
            "the server asks to wait 86400 seconds (HTTP status 503)",
        ),
    ] {
        let both = run_with_bad(Object::new(archive(1)).always(act), &[]);
        let errors = Census(both.dir.path("remote")).table("archive_errors");
        assert!(errors.n_rows() > 0);
        let reason = reason(&both.dir, "remote", 0);
        assert_says_all(&reason, &format!("{says} | http://127.0.0.1:"));
        assert!(!reason.contains('\n'), "{reason}");
    }
}

#[test]
fn other_bytes_for_the_rest_are_damage_of_that_archive() {
    let acts = [Act::Cut(700), Act::OtherBytes];
    run_with_bad(Object::new(archive(1)).script(acts), &[]);
}

#[test]
fn a_download_that_fails_in_the_middle_leaves_what_was_read() {
    let long = long_archive();
    let cut = [Act::Cut(long.len() / 2)].into_iter();
    let acts = cut.chain(std::iter::repeat_n(Act::Refuse(403, ""), 9));
    let both = run_with_bad(Object::new(long).script(acts), &["--prefetch", "40K"]);
    assert!(both.rows().all_ints("capture_count")[0] > 0);
    let errors = Census(both.dir.path("remote")).table("archive_errors");
    let messages = errors.all_texts("message");
    let is_denied = |text: &String| text.contains("access is denied");
    assert!(messages.iter().any(is_denied), "{messages:?}");
}

#[test]
fn hosts_that_do_not_answer_are_told_apart() {
    let dir = Dir::new();
    let server = Server::start();
    server.put("/a.warc.gz", Object::new(archive(1)));
    // A port at which nothing listens any more.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = listener.local_addr().unwrap();
    drop(listener);
    let unknown = "http://no-such-host.invalid/x/b.warc.gz?key=secret".to_owned();
    for (url, says) in [
        (unknown, "the name of the host cannot be resolved"),
        (format!("http://{closed}/b.warc.gz"), "refuses connections"),
    ] {
        let ran = run(&[&server.url("/a.warc.gz"), &url], &dir.path("census")).end_with(1);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
        let is_complete = rows_of(&dir, "census").all_bools("is_complete");
        assert_eq!(is_complete, [true, false]);
        let reason = reason(&dir, "census", 1);
        assert_says(&reason, says);
        assert!(!reason.contains("secret"), "{reason}");
    }
}

#[test]
fn a_foreign_scheme_is_refused_with_the_list_and_its_line() {
    let dir = Dir::new();
    let urls = "# archives\nhttps://a.example/x\nftp://u:p@b.example/y\n";
    let list = dir.write("list", urls);
    let refuse = |input: &str, says: &[&str]| {
        let words = ["run", "--out", &dir.word("census"), input];
        TestCommand::new(words).refuse(&[says, &["http://, https:// and s3://"]].concat());
    };
    refuse(&format!("@{list}"), &[&list, "line 3", "ftp://b.example/y"]);
    refuse("gs://bucket/a.warc.gz", &["gs://bucket/a.warc.gz"]);
}

#[test]
fn no_message_shows_the_password_of_a_url_that_is_misspelled() {
    let dir = Dir::new();
    let out = dir.word("census");
    let list = dir.write("list", "http:/user:secret@h.example/a.warc.gz\n");
    let census = |words: &str| format!("run {words} --out {out}");
    for line in [
        &*census("http:/user:secret@h.example/a.warc.gz"),
        &census("htp:/user:secret@h.example/a.warc.gz"),
        &census("user:secret@h.example/a.warc.gz"),
        &census("@https:user:secret@h.example/list"),
        &census(&format!("@{list}")),
        &census("--crawl=CC-MAIN-2025-05 --crawl-base=http:/user:secret@h.example/"),
        "run a.warc.gz --out s3:/user:secret@bucket/census",
        "run a.warc.gz --out=https://user:secret@h.example/census",
    ] {
        let ran = TestCommand::line(line).end_with(2);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
        assert_says(&ran.stderr, "s3://");
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
    let stalled = Object::new(archive(1)).script([Act::Stall(10)]);
    server.put("/a.warc.gz", stalled);
    let mut child = run(&[&server.url("/a.warc.gz")], &dir.path("census")).start();
    while server.requests("GET", "/a.warc.gz").is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let begun = Instant::now();
    signal(&child, "INT");
    assert!(!child.wait().unwrap().success());
    assert!(begun.elapsed() < Duration::from_secs(3));
}
