//! The bytes of a dataset depend on inputs and options, never on threads, on the order of words or
//! on how often a run was begun.

use std::{
    fs,
    num::NonZeroUsize,
    panic::{self, AssertUnwindSafe},
    sync::mpsc,
    thread,
    time::Duration,
};

use parquet::file::reader::{FileReader, SerializedFileReader};
use robocensus::{Config, Progress, sample::random::Random};
use serde_json::Value;
use sha1::{Digest, Sha1};

use crate::util::{
    Census, Dir, Held, TestCommand, answer, assert_same_files, assert_says, lines, response, run,
    sample,
};

/// Returns archives of different sizes.
///
/// The plan of a run goes by what sources say of their sizes, so that few captures make parts of
/// several tasks: tasks hold 16 MiB.
fn archives() -> Vec<Held> {
    let captures = [40, 500, 5, 200, 300, 1, 90];
    let sizes = [9, 9, 9, 3, 30, 1, 8];
    let numbered = (0..).zip(captures.into_iter().zip(sizes));
    let archives = numbered.map(|(number, (captures, mib))| {
        let mut bytes = sample(captures, number);
        if number == 3 {
            bytes.truncate(bytes.len() - 100);
        }
        Held::new(&format!("{number}.warc.gz"), bytes).of_mib(mib)
    });
    archives.collect()
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let dir = Dir::new();
    let runs = [1, 2, 3].map(|threads| {
        let mut config = Config::new(dir.path(&threads.to_string()));
        config.threads = NonZeroUsize::new(threads).unwrap();
        config.part_bytes = 32 << 20;
        let archives: Vec<_> = archives().into_iter().map(Held::source).collect();
        let summary = robocensus::run(&config, &archives, &Progress::default()).unwrap();
        let mut figures = summary.to_json();
        figures["seconds"].take();
        figures["captures_per_second"].take();
        (summary.parts, figures, Census(config.out).files())
    });
    let [(parts, figures, files), others @ ..] = runs;
    assert_eq!(parts, 3);
    for (_, other_figures, other_files) in &others {
        assert_same_files(&files, other_files);
        assert_eq!(figures, *other_figures);
    }
}

#[test]
fn archives_that_are_not_sorted_or_have_one_name_are_refused() {
    for names in [["b.warc", "a.warc"], ["a.warc", "a.warc"]] {
        let archives = names.map(|name| Held::new(name, incompressible(0, 1)).source());
        let config = Config::new(Dir::new().path("out"));
        let refused = robocensus::run(&config, &archives, &Progress::default()).unwrap_err();
        assert_says(&refused.to_string(), "each name once, but found");
    }
}

#[test]
fn archives_that_are_handed_over_in_chunks_or_shared_have_their_order() {
    let dir = Dir::new();
    // Idle workers share the longest, in chunks of 16 MiB of bodies.
    let sizes = [(1, 9), (70, 9), (3, 9), (190, 90), (2, 9)].into_iter();
    let archives = sizes.enumerate().map(|(number, (captures, mib))| {
        let bytes = incompressible(number, captures);
        Held::new(&format!("{number}.warc"), bytes).of_mib(mib)
    });
    let archives: Vec<_> = archives.collect();
    let runs = [1, 3].map(|threads| {
        let mut config = Config::new(dir.path(&threads.to_string()));
        config.threads = NonZeroUsize::new(threads).unwrap();
        let archives: Vec<_> = archives.iter().cloned().map(Held::source).collect();
        let summary = robocensus::run(&config, &archives, &Progress::default()).unwrap();
        assert_eq!(summary.parts, 1);
        Census(config.out)
    });
    assert_same_files(&runs[0].files(), &runs[1].files());
    let file = fs::File::open(runs[0].only_file("rules")).unwrap();
    let groups = SerializedFileReader::new(file).unwrap().num_row_groups();
    assert!(groups > 5, "{groups} chunks of 5 archives");
}

#[test]
fn the_contents_of_archives_identify_a_dataset_and_nothing_else_does() {
    let dir = Dir::new();
    let body = |n: usize| response(&format!("http://{n}.example/robots.txt"), "Disallow: /a");
    let archives = [1, 2, 3].map(|n| [body(n), body(n + 10)].concat());
    for (n, bytes) in archives.iter().enumerate() {
        dir.write(&format!("here/{n}.warc"), bytes);
        // In another folder, under another name and in another order.
        dir.write(&format!("there/below/{}-copy.warc", 9 - n), bytes);
        let mut other = bytes.clone();
        if n == 1 {
            let last = other.iter().rposition(|&byte| byte == b'a').unwrap();
            other[last] = b'b';
        }
        dir.write(&format!("other/{n}.warc"), other);
    }
    let identified = |out: &str, runs: &[&str]| {
        for words in runs {
            let (words, out) = (words.replace("DIR", &dir.word("")), dir.word(out));
            let words: Vec<&str> = words.split(' ').collect();
            run(&words)
                .words(&["--part-size", "1", "--quiet", "--out", &out])
                .succeed();
        }
        let said: Value = TestCommand::new(["verify", "--json", &dir.word(out)]).json();
        [&said["archives_digest"], &said["run_id"]].map(|id| id.as_str().unwrap().to_owned())
    };
    let here = identified("alone", &["DIR/here"]);
    assert_eq!(here[0].len(), 16);
    assert_eq!(identified("copies", &["DIR/there --threads 3"]), here);
    let shards = ["DIR/here --join --shard 1/2", "DIR/here --join --shard 2/2"];
    assert_eq!(identified("shards", &shards), here);
    let copy = "DIR/there/below/8-copy.warc --join";
    let joined = identified("joined", &[copy, "DIR/here/0.warc DIR/here/2.warc --join"]);
    assert_eq!(joined, here);
    let [archives_digest, run_id] = identified("changed", &["DIR/other"]);
    assert!(archives_digest != here[0] && run_id != here[1]);
    let [archives_digest, run_id] = identified("options", &["DIR/here --max-body 100"]);
    assert!(archives_digest == here[0] && run_id != here[1]);

    let alone = Census(dir.path("alone"));
    let hex = |byte: &u8| format!("{byte:02x}");
    let of_files = archives.map(|bytes| Sha1::digest(bytes).iter().map(hex).collect::<String>());
    assert_eq!(alone.table("archives").all_texts("archive_sha1"), of_files);
    if let Some(rows) = answer(&alone.0, "list-provenance", &[]) {
        assert_eq!(lines(&rows, "archives_digest run_id"), [here.join(" ")]);
    }
}

#[test]
fn no_worker_waits_for_one_that_panicked() {
    let dir = Dir::new();
    let (send, ended) = mpsc::channel();
    let mut config = Config::new(dir.path("census"));
    config.threads = NonZeroUsize::new(2).unwrap();
    let record = response("http://a.example/robots.txt", "");
    let archive = |number: usize| Held::new(&number.to_string(), record.clone()).of_mib(9);
    let panicking = archive(0).opened_by(|_| panic!("a source of the caller's may do anything"));
    let others = (1..10).map(|number| archive(number).source());
    let archives: Vec<_> = [panicking].into_iter().chain(others).collect();
    thread::spawn(move || {
        let run = || robocensus::run(&config, &archives, &Progress::default());
        let result = panic::catch_unwind(AssertUnwindSafe(run));
        send.send(result.is_err()).unwrap();
    });
    assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(true));
}

/// Returns captures of half a megabyte each whose patterns do not compress well.
fn incompressible(seed: usize, captures: usize) -> Vec<u8> {
    let mut numbers = Random::new(seed as u64);
    let mut line = |_| {
        let path = (0..500).map(|_| char::from(b'0' + numbers.below(75) as u8));
        format!("Disallow: /{}\n", path.collect::<String>())
    };
    let records = (0..captures).flat_map(|number| {
        let lines: String = (0..1_000).map(&mut line).collect();
        let url = format!("http://h{number}.example/robots.txt");
        response(&url, format!("User-agent: *\n{lines}"))
    });
    records.collect()
}

#[test]
fn workers_with_parts_of_a_prepared_dataset_write_the_bytes_of_one_run() {
    let dir = Dir::new();
    let names = ["a.warc.gz", "b.warc.gz", "c.warc.gz", "d.warc.gz"];
    let archives = names.map(|name| dir.write(name, sample(40, 3)));
    let archives = archives.each_ref().map(String::as_str);
    let [whole, shared] = ["whole", "shared"].map(|name| dir.word(name));
    let into = |out: &str, words: &[&str], archives: &[&str]| {
        run(archives)
            .words(&["--part-size", "1", "--quiet", "--out", out])
            .words(words)
            .succeed()
    };
    into(&whole, &["--limit", "3"], &archives);
    let words = ["--limit", "3", "--join", "--prepare", "--list-inputs"];
    let listed = into(&shared, &words, &archives).stdout;
    let lines = listed.lines().skip(1);
    let chosen: Vec<_> = lines.filter_map(|line| line.split('\t').nth(3)).collect();
    for archives in [&chosen[2..], &chosen[..2]] {
        into(&shared, &["--join", "--no-finish"], archives);
    }
    TestCommand::new(["finish", "--quiet", &shared]).succeed();
    let [whole, shared] = ["whole", "shared"].map(|name| Census(dir.path(name)).files());
    assert_same_files(&shared, &whole);
}
