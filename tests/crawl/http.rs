//! Crawls behind a server.

use super::{CRAWL, archives, finish, listed, names, run_into};
use crate::{
    remote::server::{Act, Object, Server},
    util::{Census, Dir, TestCommand, assert_same_files, gzip, of_tables, run},
};

const LIST: &str = "/mirror/crawl-data/CC-MAIN-2026-05/robotstxt.paths.gz";

/// Puts the crawl that is in the folder `base` on a server, below `/mirror/`.
fn serve(dir: &Dir, n: usize) -> Server {
    let server = Server::start();
    let names = super::write_crawl(dir, CRAWL, "robotstxt", n);
    for name in &names {
        let bytes = std::fs::read(dir.path(&format!("base/{name}"))).unwrap();
        server.put(&format!("/mirror/{name}"), Object::new(bytes));
    }
    server.put(LIST, Object::new(gzip(names.join("\n").as_bytes())));
    server
}

fn run_crawl(server: &Server, words: &[&str]) -> TestCommand {
    let base = server.url("/mirror/");
    run(&["--crawl", CRAWL, "--crawl-base", &base])
        .words(words)
        .env("NO_PROXY", "127.0.0.1")
        .env("ROBOCENSUS_READ_TIMEOUT", "0.5")
        .env("ROBOCENSUS_MAX_TRIES", "2")
}

#[test]
fn a_crawl_of_a_server_is_that_of_the_folder() {
    let dir = Dir::new();
    let server = serve(&dir, 3);
    let flags = ["--quiet", "--part-size", "1", "--out"];
    run_into(&dir, "local", "--quiet --part-size 1").succeed();
    let into = |out: &str| run_crawl(&server, &flags).words(&[dir.word(out)]);
    into("whole").succeed();
    for shard in ["1/2", "2/2"] {
        let words = ["--downloads", "1", "--prefetch", "1K", "--shard", shard];
        into("shards").words(&words).succeed();
    }
    finish(&dir, "shards");
    let files = |census: &str| Census(dir.path(census)).files();
    assert_same_files(&files("shards"), &files("whole"));
    assert_eq!(archives(&dir, "whole"), names(CRAWL, "robotstxt", 3));
    let [local, whole] = ["local", "whole"].map(|census| of_tables(files(census)));
    assert_same_files(&whole, &local);
}

#[test]
fn only_archives_that_are_chosen_are_asked_for_their_sizes() {
    let dir = Dir::new();
    let server = serve(&dir, 10);
    let (rows, said) = listed(run_crawl(&server, &["--limit", "2"]));
    assert_eq!(rows.len(), 2);
    assert!(said.starts_with("robocensus: 2 archives, "), "{said}");
    for [_, bytes, name, location] in &rows {
        let path = dir.path(&format!("base/{name}"));
        let size = std::fs::metadata(path).unwrap().len();
        assert_eq!(*bytes, size.to_string());
        assert_eq!(*location, server.url(&format!("/mirror/{name}")));
    }
    let heads = names(CRAWL, "robotstxt", 10).into_iter();
    let heads = heads.map(|name| server.requests("HEAD", &format!("/mirror/{name}")).len());
    assert_eq!(heads.sum::<usize>(), 2);
}

#[test]
fn a_list_that_the_server_does_not_have_is_refused_with_its_url() {
    let dir = Dir::new();
    let server = serve(&dir, 1);
    let out = dir.word("census");
    let url = server.url(LIST);
    let always = |act| Object::new("x").always(act);
    let cut = gzip(names(CRAWL, "robotstxt", 500).join("\n").as_bytes());
    let absent = "there is no list of the robotstxt archives";
    for (list, says) in [
        (always(Act::Page), &["HTML page"][..]),
        (Object::new(&cut[..cut.len() - 20]), &["cannot decompress"]),
        (always(Act::Refuse(404, "")), &[absent, "collinfo.json"]),
        (always(Act::Refuse(503, "")), &[]),
    ] {
        server.put(LIST, list);
        let says = [&[&*url], says].concat();
        run_crawl(&server, &["--out", &out]).refuse(&says);
    }
    for base in ["ftp://127.0.0.1/", "http://127.0.0.1/?key=secret"] {
        let words = ["--crawl", CRAWL, "--crawl-base", base, "--out", &out];
        let ran = run(&words).end_with(2);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
}
