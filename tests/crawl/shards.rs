//! Shards: processes that share nothing but inputs and folder make the dataset of one process.

use std::{collections::BTreeSet, fs};

use super::{CRAWL, archives, assert_is_sound, finish, listed, run_crawl, run_into, write_crawl};
use crate::{
    remote::server::{Act, Object, Server},
    util::{Census, Dir, TestCommand, assert_same_files, assert_says, response, run, sample},
};

/// Makes the dataset `census` in shards, in an order that is not that of their numbers.
fn run_shards(dir: &Dir, count: usize, flags: &str) {
    for number in (1..=count).rev() {
        let shard = format!("{number}/{count}");
        let ran = run_into(dir, "census", &format!("{flags} --shard {shard}")).succeed();
        assert_says(&ran.stderr, &format!("note: shard {shard} "));
        assert_says(&ran.stderr, &format!("; once all {count} are"));
        let finish = format!(": robocensus finish {}\n", dir.word("census"));
        assert_says(&ran.stderr, &finish);
    }
}

#[test]
fn the_shards_of_a_dataset_make_that_of_one_process() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 4);
    for part_size in ["1", "1G"] {
        let flags = format!("--part-size {part_size}");
        run_into(&dir, "whole", &format!("{flags} --quiet")).succeed();
        let whole = Census(dir.path("whole")).files();
        for count in [1, 2, 3, 5] {
            run_shards(&dir, count, &flags);
            finish(&dir, "census");
            assert_same_files(&Census(dir.path("census")).files(), &whole);
            assert_is_sound(&dir, "census");
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
        let flags = format!("--part-size 1 --quiet --shard {shard}");
        run_into(&dir, "census", &flags).succeed()
    };
    assert_eq!(shard("2/3").stderr, "");
    shard("3/3");
    let words = ["--part-size", "1", "--shard", "1/3"];
    let (rows, _) = listed(run_crawl(&dir, CRAWL).words(&words));
    let missing: BTreeSet<_> = rows.into_iter().map(|[part, ..]| part).collect();
    let said = TestCommand::new(["verify", &census]).end_with(1).stdout;
    assert_says(&said, "are in no part");
    let lines = said.lines();
    let lines = lines.filter(|line| line.contains("run its shard again"));
    let parts = lines.filter_map(|line| line.strip_prefix("_manifest/")?.split_once(".json: "));
    let named: BTreeSet<_> = parts.map(|(part, _)| part.to_owned()).collect();
    assert_eq!(named, missing);
    let said = TestCommand::new(["finish", &census]).succeed().stderr;
    assert_says(&said, "by the shards that are missing");
    // A shard that is made again reads nothing twice.
    for number in ["1/3", "2/3"] {
        shard(number);
    }
    finish(&dir, "census");
    assert_is_sound(&dir, "census");
    assert_eq!(archives(&dir, "census").len(), 4);
}

#[test]
fn a_share_of_a_stream_is_refused_since_only_one_process_has_it() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 1);
    let stream = || response("https://a.example/robots.txt", "");
    let census = dir.word("census");
    let says = "expected archives that the process of every shard can read";
    for name in [&[][..], &["--stdin-name", "s1"]] {
        let shard = run(&["-", "--shard", "1/2", "--out", &census]).words(name);
        shard.stdin(stream()).refuse(&[says, "stream"]);
        assert!(!dir.path("census").exists());
    }
    let whole = || run_into(&dir, "census", "--shard 1/1 --quiet").succeed();
    whole();
    let join = run(&["-", "--join", "--quiet", "--out", &census]);
    join.stdin(stream()).succeed();
    whole();
    assert_eq!(archives(&dir, "census").len(), 2);
}

#[test]
fn a_shard_joins_a_dataset_and_replaces_none() {
    for (flags, says) in [
        ("--shard 1/2 --overwrite", "cannot be used with"),
        ("--shard 1/2 --resume", "cannot be used with"),
        ("--shard 0/2", "expected I/N"),
    ] {
        run_into(&Dir::new(), "census", flags).stop(says);
    }
}

/// An array of jobs must not fail because there are fewer parts than jobs.
#[test]
fn a_shard_without_archives_says_so_and_succeeds() {
    let dir = Dir::new();
    write_crawl(&dir, CRAWL, "robotstxt", 2);
    let census = dir.word("census");
    let shard = |shard: &str| run_into(&dir, "census", &format!("--shard {shard}"));
    let said = shard("2/3").succeed().stderr;
    let says = "shard 2/3 has no archives: the inputs make 1 part; once all 3 are complete: ";
    assert_says(&said, says);
    assert!(!dir.path("census/_manifest").exists());
    let found = TestCommand::new(["verify", &census]).end_with(1).stdout;
    assert_says(&found, "run its shard again");
    assert_says(&shard("1/3").succeed().stderr, "shard 1/3 is complete; ");
    assert_eq!(shard("3/3").words(&["--quiet"]).succeed().stderr, "");
    assert_is_sound(&dir, "census");
}

/// A server that has lost an archive, has another one by now or does not say how long it is, says
/// so to one shard only.
#[test]
fn shards_that_are_told_different_sizes_do_not_leave_archives_out() {
    let dir = Dir::new();
    let server = Server::start();
    let archive = |seed| Object::new(sample(20, seed));
    let lost = || archive(2).always(Act::Refuse(404, ""));
    let paths = [0, 1, 2, 3, 4, 5].map(|number| format!("/{number}.warc.gz"));
    let urls = paths.each_ref().map(|path| server.url(path));
    let whole = || {
        for (number, path) in (0..).zip(&paths) {
            server.put(path, archive(number));
        }
    };
    let (list, census) = (dir.write("list", urls.join("\n")), dir.word("census"));
    let list = format!("@{list}");
    let command = |words: &[&str]| {
        run(&[&list, "--part-size", "1G", "--quiet", "--out", &census])
            .words(words)
            .env("NO_PROXY", "*")
    };
    let shard = |shard: &str| command(&["--shard", shard]);
    let unstated = archive(2).always(Act::Chunked(usize::MAX));
    for (other, says) in [
        (lost(), "has no size here and had "),
        (unstated, "has no size here and had "),
        (archive(9), " bytes and has "),
    ] {
        whole();
        shard("1/2").succeed();
        server.put(&paths[2], other);
        shard("2/2").refuse(&["2.warc.gz ", says]);
        whole();
        shard("2/2").succeed();
        finish(&dir, "census");
        assert_is_sound(&dir, "census");
        assert_eq!(archives(&dir, "census").len(), 6);
        fs::remove_dir_all(&census).unwrap();
    }
    // The shard that begins is the one that is not told.
    server.put(&paths[2], lost());
    let first = shard("1/2").end();
    assert!(first.code < 2, "{}", first.stderr);
    whole();
    shard("2/2").refuse(&["2.warc.gz has ", " bytes here and had no size"]);
    assert_says(&finish(&dir, "census").stderr, " of 6 archives");
    command(&["--resume"]).succeed();
    assert_is_sound(&dir, "census");
    // An archive that no shard is told of is one that cannot be read.
    fs::remove_dir_all(&census).unwrap();
    server.put(&paths[2], lost());
    for number in ["1/2", "2/2"] {
        let ran = shard(number).end();
        assert!(ran.code < 2, "{}", ran.stderr);
    }
    assert_eq!(archives(&dir, "census").len(), 6);
}
