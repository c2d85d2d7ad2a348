//! Shards: processes that share nothing but inputs and folder make the dataset of one process.

use std::{collections::BTreeSet, fs};

use super::{CRAWL, archives, listed, run_crawl, write_crawl};
use crate::{
    remote::server::{Act, Object, Server},
    util::{Census, Dir, TestCommand, response, run, sample},
};

/// Makes the dataset `census` in shards, in an order that is not that of their numbers.
fn run_shards(dir: &Dir, count: usize, words: &[&str]) {
    for number in (1..=count).rev() {
        let shard = format!("{number}/{count}");
        let ran = run_crawl(dir, CRAWL)
            .words(words)
            .words(&["--shard", &shard, "--out", &dir.word("census")])
            .succeed();
        for text in [
            format!("note: shard {shard} "),
            format!("; once all {count} are"),
            format!(": robocensus finish {}\n", dir.word("census")),
        ] {
            assert!(ran.stderr.contains(&text), "{text:?} in {}", ran.stderr);
        }
    }
}

#[test]
fn the_shards_of_a_dataset_make_that_of_one_process() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 4);
    for part_size in ["1", "1G"] {
        let words = ["--part-size", part_size];
        run_crawl(&dir, CRAWL)
            .words(&words)
            .words(&["--quiet", "--out", &dir.word("whole")])
            .succeed();
        let whole = Census(dir.path("whole")).files();
        for count in [1, 2, 3, 5] {
            run_shards(&dir, count, &words);
            let census = dir.word("census");
            TestCommand::new(["finish", "--quiet", &census]).succeed();
            let made = Census(dir.path("census")).files();
            let differ: Vec<_> = made
                .keys()
                .chain(whole.keys())
                .filter(|path| made.get(*path) != whole.get(*path))
                .collect();
            assert_eq!(differ, Vec::<&String>::new(), "{count} shards");
            TestCommand::new(["verify", &census]).succeed();
            fs::remove_dir_all(dir.path("census")).unwrap();
        }
        fs::remove_dir_all(dir.path("whole")).unwrap();
    }
}

#[test]
fn a_shard_that_is_missing_is_named_and_made_later() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 4);
    let census = dir.word("census");
    let shard = |shard: &str| {
        let words = ["--part-size", "1", "--shard", shard, "--quiet", "--out"];
        run_crawl(&dir, CRAWL)
            .words(&words)
            .words(&[&census])
            .succeed()
    };
    assert_eq!(shard("2/3").stderr, "");
    shard("3/3");
    let words = ["--part-size", "1", "--shard", "1/3"];
    let (rows, _) = listed(run_crawl(&dir, CRAWL).words(&words));
    let missing: BTreeSet<_> = rows.into_iter().map(|[part, ..]| part).collect();
    let said = TestCommand::new(["verify", &census]).end_with(1).stdout;
    assert!(said.contains("are in no part"), "{said}");
    let named: BTreeSet<String> = said
        .lines()
        .filter(|line| line.contains("run its shard again"))
        .filter_map(|line| line.strip_prefix("_manifest/")?.split_once(".json: "))
        .map(|(part, _)| part.to_owned())
        .collect();
    assert_eq!(named, missing);
    let said = TestCommand::new(["finish", &census]).succeed().stderr;
    assert!(said.contains("by the shards that are missing"), "{said}");
    // A shard that is made again reads nothing twice.
    for number in ["1/3", "2/3"] {
        shard(number);
    }
    TestCommand::new(["finish", "--quiet", &census]).succeed();
    TestCommand::new(["verify", &census]).succeed();
    assert_eq!(archives(&dir, "census").len(), 4);
}

#[test]
fn a_share_of_a_stream_is_refused_since_only_one_process_has_it() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 1);
    let stream = || response("https://a.example/robots.txt", "");
    let census = dir.word("census");
    for name in [&[][..], &["--stdin-name", "s1"]] {
        let words = ["-", "--shard", "1/2", "--out", &census];
        run(&words).words(name).stdin(stream()).refuse(&[
            "expected archives that the process of every shard can read",
            "stream",
        ]);
        assert!(!dir.path("census").exists());
    }
    let shard = |shard: &str| {
        run_crawl(&dir, CRAWL).words(&["--shard", shard, "--quiet", "--out", &census])
    };
    shard("1/1").succeed();
    let join = run(&["-", "--join", "--quiet", "--out", &census]);
    join.stdin(stream()).succeed();
    shard("1/1").succeed();
    assert_eq!(archives(&dir, "census").len(), 2);
}

#[test]
fn a_shard_joins_a_dataset_and_replaces_none() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 1);
    let words = ["--shard", "1/2", "--out", &dir.word("census")];
    for flag in ["--overwrite", "--resume"] {
        let ran = run_crawl(&dir, CRAWL)
            .words(&words)
            .words(&[flag])
            .end_with(2);
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    }
    for wrong in ["0/2", "3/2", "2", "a/b", "-1/2"] {
        let words = ["--shard", wrong, "--out", &dir.word("census")];
        let ran = run_crawl(&dir, CRAWL).words(&words).end_with(2);
        assert!(ran.stderr.contains("expected I/N"), "{}", ran.stderr);
    }
}

/// An array of jobs must not fail because there are fewer parts than jobs.
#[test]
fn a_shard_without_archives_says_so_and_succeeds() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 2);
    let census = dir.word("census");
    let shard = |shard: &str| run_crawl(&dir, CRAWL).words(&["--shard", shard, "--out", &census]);
    let said = shard("2/3").succeed().stderr;
    let says = "shard 2/3 has no archives: the inputs make 1 part; once all 3 are complete: ";
    assert!(said.contains(says), "{said}");
    assert!(!dir.path("census/_manifest").exists());
    let found = TestCommand::new(["verify", &census]).end_with(1).stdout;
    assert!(found.contains("run its shard again"), "{found}");
    let said = shard("1/3").succeed().stderr;
    assert!(said.contains("shard 1/3 is complete; "), "{said}");
    assert_eq!(shard("3/3").words(&["--quiet"]).succeed().stderr, "");
    TestCommand::new(["verify", &census]).succeed();
}

/// A server that has lost an archive, has another one by now or does not say how long it is, says
/// so to one shard only.
#[test]
fn shards_that_are_told_different_sizes_do_not_leave_archives_out() {
    let dir = Dir::new();
    let server = Server::start();
    let archive = |seed| sample(20, seed);
    let urls: Vec<_> = (0..6)
        .map(|number| server.url(&format!("/{number}.warc.gz")))
        .collect();
    let whole = || {
        for number in 0..6 {
            let object = Object::new(archive(number));
            server.put(&format!("/{number}.warc.gz"), object);
        }
    };
    let (list, census) = (dir.write("list", urls.join("\n")), dir.word("census"));
    let list = format!("@{list}");
    let command = |words: &[&str]| {
        run(&[&list, "--part-size", "1G", "--quiet", "--out", &census])
            .words(words)
            .env("NO_PROXY", "*")
    };
    for (other, says) in [
        (
            Object::new(archive(2)).always(Act::Refuse(404, "")),
            "has no size here and had ",
        ),
        (
            Object::new(archive(2)).always(Act::Chunked),
            "has no size here and had ",
        ),
        (Object::new(archive(9)), " bytes and has "),
    ] {
        whole();
        command(&["--shard", "1/2"]).succeed();
        server.put("/2.warc.gz", other);
        command(&["--shard", "2/2"]).refuse(&["2.warc.gz ", says]);
        whole();
        command(&["--shard", "2/2"]).succeed();
        TestCommand::new(["finish", "--quiet", &census]).succeed();
        TestCommand::new(["verify", &census]).succeed();
        assert_eq!(archives(&dir, "census").len(), 6);
        fs::remove_dir_all(&census).unwrap();
    }
    // The shard that begins is the one that is not told.
    server.put(
        "/2.warc.gz",
        Object::new(archive(2)).always(Act::Refuse(404, "")),
    );
    let first = command(&["--shard", "1/2"]).end();
    assert!(first.code < 2, "{}", first.stderr);
    whole();
    command(&["--shard", "2/2"]).refuse(&["2.warc.gz has ", " bytes here and had no size"]);
    let note = TestCommand::new(["finish", "--quiet", &census])
        .succeed()
        .stderr;
    assert!(note.contains(" of 6 archives"), "{note}");
    command(&["--resume"]).succeed();
    TestCommand::new(["verify", &census]).succeed();
    // An archive that no shard is told of is one that cannot be read.
    fs::remove_dir_all(&census).unwrap();
    server.put(
        "/2.warc.gz",
        Object::new(archive(2)).always(Act::Refuse(404, "")),
    );
    for shard in ["1/2", "2/2"] {
        let ran = command(&["--shard", shard]).end();
        assert!(ran.code < 2, "{}", ran.stderr);
    }
    assert_eq!(archives(&dir, "census").len(), 6);
}
