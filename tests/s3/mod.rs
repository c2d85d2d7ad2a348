//! Datasets in S3: the same bytes as in a folder, whatever ends the run.

mod queries;
mod server;

use std::{thread, time::Duration};

use robocensus::sample::random::Random;

use self::server::{Bucket, SECRET, Server, server};
use crate::util::{
    Census, Dir, Files, TestCommand, assert_begins, assert_same_files, assert_says, ended,
    of_tables, or_skip, response, run, signal, write_archives,
};

/// Makes archives, each of which becomes a part, and returns the words of a run over them, which
/// ends with 1 if there are two and more.
fn archives(dir: &Dir, n: u64) -> Vec<String> {
    write_archives(dir, n);
    words(&[dir.word("archives")])
}

fn words(inputs: &[String]) -> Vec<String> {
    let options = ["--part-size", "1", "--threads", "2", "--quiet"];
    let options = options.map(str::to_owned);
    inputs.iter().cloned().chain(options).collect()
}

/// Runs into a folder and returns its files.
fn local(dir: &Dir, words: &[String], code: i32) -> Files {
    run(words)
        .words(&["--out", &dir.word("local")])
        .end_with(code);
    Census(dir.path("local")).files()
}

#[test]
fn a_dataset_in_s3_is_that_of_a_folder() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    let words = archives(&dir, 3);
    let expected = local(&dir, &words, 1);
    bucket.run(&words, "a/census").end_with(1);
    assert_same_files(&bucket.files("a/census"), &expected);
    // Its tables can be built again, and it is sound.
    bucket.on("a/census", "finish").succeed();
    assert_same_files(&bucket.files("a/census"), &expected);
    let verified = bucket.on("a/census", "verify").succeed();
    assert!(verified.stdout.contains("parts 3,"), "{}", verified.stdout);
    for flag in ["--resume", "--overwrite"] {
        bucket.run(&words, "a/census").words(&[flag]).end_with(1);
        assert_same_files(&bucket.files("a/census"), &expected);
    }
    let url = bucket.url("a/census");
    let says = [&*url, "already holds a dataset", "--resume"];
    bucket.run(&words, "a/census").refuse(&says);
    let others = bucket.run(&words[1..], "a/census").words(&["--resume"]);
    others.end_with(2);
}

#[test]
fn archives_in_s3_give_the_tables_of_files() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    archives(&dir, 3);
    let names = [0, 1, 2].map(|seed| format!("archives/{seed}.warc.gz"));
    for name in &names {
        bucket.put(name, &std::fs::read(dir.path(name)).unwrap());
    }
    let of_files = words(&names.each_ref().map(|name| dir.word(name)));
    let of_s3 = words(&names.each_ref().map(|name| bucket.url(name)));
    // Where the bytes came from is in the lists and in the table archives.
    let expected = of_tables(local(&dir, &of_files, 1));
    bucket.run(&of_s3, "census").end_with(1);
    assert_same_files(&of_tables(bucket.files("census")), &expected);
    bucket.on("census", "verify").succeed();
}

#[test]
fn a_file_url_is_the_path() {
    let dir = Dir::new();
    let words = archives(&dir, 1);
    let url = format!("file://{}", dir.word("a b").replace(' ', "%20"));
    run(&words).words(&["--out", &url]).succeed();
    assert!(dir.path("a b/captures").is_dir());
    TestCommand::new(["verify", &url]).succeed();
}

#[test]
fn a_run_that_is_killed_and_resumed_gives_what_an_undisturbed_one_gives() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    let words = archives(&dir, 4);
    let expected = local(&dir, &words, 1);
    let mut random = Random::new(7);
    let mut n_killed = 0;
    for moment in 0..4 {
        let prefix = format!("census-{moment}");
        let mut child = bucket.run(&words, &prefix).start();
        let n = random.below(expected.len());
        while bucket.names(&prefix).len() < n && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        n_killed += usize::from(child.wait().unwrap().code().is_none());
        bucket.run(&words, &prefix).words(&["--resume"]).end_with(1);
        assert_same_files(&bucket.files(&prefix), &expected);
    }
    assert!(n_killed >= 2, "only {n_killed} of 4 runs were killed");
}

#[test]
fn workers_join_and_attempts_that_run_twice_change_nothing() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    archives(&dir, 4);
    let share = |seeds: [u64; 2]| {
        let inputs = seeds.map(|seed| dir.word(&format!("archives/{seed}.warc.gz")));
        let mut words = words(&inputs);
        words.extend(["--pages", "--join", "--no-finish"].map(str::to_owned));
        words
    };
    let shares = [share([0, 2]), share([1, 3])];
    for (words, code) in shares.iter().zip([0, 1]) {
        local(&dir, words, code);
    }
    TestCommand::new(["finish", &dir.word("local")]).succeed();
    let expected = Census(dir.path("local")).files();
    // Each share twice, all at the same time.
    let workers =
        [0, 1, 0, 1].map(|share: usize| (share, bucket.run(&shares[share], "census").start()));
    for (share, worker) in workers {
        let ran = ended(worker);
        assert_eq!(ran.code, share as i32, "{}", ran.stderr);
    }
    bucket.on("census", "finish").succeed();
    assert_same_files(&bucket.files("census"), &expected);
    bucket.on("census", "verify").succeed();
}

#[test]
fn verify_finds_objects_that_are_missing_or_cut_and_resume_repairs_them() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    let words = archives(&dir, 2);
    bucket.run(&words, "census").end_with(1);
    let whole = bucket.files("census");
    let of_table = |table: &str| {
        let mut names = whole.keys();
        let name = names.find(|name| name.starts_with(&format!("{table}/")));
        name.unwrap().clone()
    };
    let (missing, cut) = (of_table("rules"), of_table("captures"));
    bucket.delete(&format!("census/{missing}"));
    let half = &whole[&cut][..whole[&cut].len() / 2];
    bucket.put(&format!("census/{cut}"), half);
    let found = bucket.on("census", "verify").end_with(1).stdout;
    assert_eq!(found.lines().count(), 2, "{found}");
    let (first, second) = found.split_once('\n').unwrap();
    assert_begins(first, &format!("{cut}: expected "));
    assert_says(first, " but found ");
    assert_begins(second, &format!("{missing}: this file is missing"));
    let resumed = bucket.run(&words, "census").words(&["--resume"]);
    assert!(resumed.end_with(1).stderr.contains("was rebuilt"));
    assert_same_files(&bucket.files("census"), &whole);
}

/// Makes an archive whose bodies do not compress, so that their table is uploaded in parts.
fn long_archive(dir: &Dir) -> Vec<String> {
    let mut random = Random::new(1);
    let records = (0..90).flat_map(|host| {
        let comment = (0..400_000).map(|_| char::from(b'!' + random.below(90) as u8));
        let comment: String = comment.collect();
        let body = format!("User-agent: *\nDisallow: /{host}\n#{comment}\n");
        response(&format!("https://h{host}.example/robots.txt"), &body)
    });
    let mut words = words(&[dir.write("long.warc", records.collect::<Vec<_>>())]);
    // Which writes the bodies.
    words.push("--pages".to_owned());
    words
}

#[test]
fn ctrl_c_aborts_an_upload() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    let words = long_archive(&dir);
    let expected = local(&dir, &words, 0);
    assert!(expected.values().any(|file| file.len() > 24 << 20));
    let mut child = bucket.run(&words, "census").start();
    while bucket.n_uploads() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it is not that fast");
        thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "INT");
    let ran = ended(child);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_says(&ran.stderr, "interrupted; complete parts remain in s3://");
    assert_eq!(bucket.n_uploads(), 0);
    let mut published = bucket.names("census");
    // The tables of options are there from the beginning.
    published.retain(|name| !name.starts_with(['_', 'd', 'm']) && !name.starts_with("cohort/"));
    assert!(published.is_empty(), "{published:?}");
    bucket.run(&words, "census").words(&["--resume"]).succeed();
    assert_same_files(&bucket.files("census"), &expected);
}

#[test]
fn nothing_foreign_is_written_into_or_deleted() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    let words = archives(&dir, 1);
    bucket.put("mine/thesis", b"x");
    for mode in ["--resume", "--overwrite", "--join"] {
        let says = ["/mine: ", "holds no dataset"];
        bucket.run(&words, "mine").words(&[mode]).refuse(&says);
    }
    bucket.run(&words, "census").succeed();
    bucket.put("census/captures/thesis", b"x");
    let refused = bucket.run(&words, "census").words(&["--overwrite"]);
    refused.refuse(&["/census/captures/thesis: this is no file of the dataset"]);
    assert!(bucket.names("census").len() > 10);
}

/// Runs a command that must stop with one sentence, which has no secret.
fn refuse(command: TestCommand, says: &[&str]) {
    let ran = command.end();
    ran.assert_refused(says);
    assert!(!ran.stderr.contains(SECRET), "{}", ran.stderr);
}

#[test]
fn what_s3_refuses_is_one_sentence() {
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    let words = archives(&dir, 1);
    let absent = Bucket::absent(server);
    let says = ["s3://absent/census", "there is no such bucket"];
    refuse(absent.run(&words, "census"), &says);
    for line in ["verify", "finish", "query list-inputs --data"] {
        refuse(absent.on("census", line), &says[..1]);
    }
    let says = ["/none: expected the folder of a dataset"];
    refuse(bucket.on("none", "verify"), &says);
    for url in ["gs://bucket/a", "s3://", "s3:///a"] {
        run(&words).words(&["--out", url]).end_with(2);
    }
    // A server that knows no credentials.
    let strict = Server::begin(&[("INITIAL_NO_AUTH_ACTION_COUNT", "1")]).unwrap();
    let strict: &'static Server = Box::leak(Box::new(strict));
    let says = ["/census", "S3 denies access", "AWS_ACCESS_KEY_ID"];
    refuse(strict.bucket().run(&words, "census"), &says);
}
