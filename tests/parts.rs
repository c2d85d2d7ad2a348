//! Parts are what their archives are: an archive is in one part only, however its dataset was made,
//! and none is lost.

use std::{
    collections::BTreeMap, fs, io::Write, num::NonZeroUsize, process::Child, thread, time::Duration,
};

use robocensus::{
    Config, Progress,
    archive::input,
    dataset::{sink::OpenMode, table::PART_TABLES, verify::verify},
};
use serde_json::Value;

use crate::util::{
    Census, Dir, Held, TestCommand, assert_begins, assert_says, assert_says_all, files_below,
    make_pipe, open_failing, or_skip, read_json, response, run, sample, tally,
};

fn sample_of(dir: &Dir, name: &str, seed: u64) -> String {
    dir.write(name, sample(40, seed))
}

/// Returns the captures of each archive of `census`.
fn captures(dir: &Dir) -> BTreeMap<String, usize> {
    let captures = Census(dir.path("census")).table("captures");
    tally(captures.all_texts("warc_filename"))
}

fn once(names: &[&str]) -> BTreeMap<String, usize> {
    names.iter().map(|name| ((*name).to_owned(), 40)).collect()
}

/// Returns a run that joins the dataset.
fn joining(dir: &Dir, words: &[&str]) -> TestCommand {
    run(&["--join", "--quiet", "--out", &dir.word("census")]).words(words)
}

fn assert_sound(dir: &Dir) {
    let verified = verify(&dir.path("census"), &Progress::default()).unwrap();
    assert_eq!(verified.violations, []);
}

#[test]
fn an_archive_that_is_absent_at_first_is_read_alone_by_a_run_that_resumes() {
    let dir = Dir::new();
    let [a, c] = ["a.warc.gz", "c.warc.gz"].map(|name| sample_of(&dir, name, 1));
    let b = dir.word("b.warc.gz");
    let list = dir.write("list.txt", format!("{a}\n{b}\n{c}\n"));
    let word = format!("@{list}");
    // A run that is stopped before its first part.
    let stopped = Progress::default();
    stopped.stop();
    let archives = input::expand(&[&word]).unwrap();
    let config = Config::new(dir.path("census"));
    robocensus::run(&config, &archives, &stopped).unwrap_err();
    assert!(dir.path("census/_dataset.json").exists());
    let json = dir.word("summary.json");
    let go = |mode: &str| {
        run(&[&word, mode, "--quiet", "--summary-json", &json])
            .words(&["--out", &dir.word("census")])
    };
    for mode in ["--resume", "--resume", "--join"] {
        let said = go(mode).end_with(1).stderr;
        assert_says(&said, "b.warc.gz: offset 0: ");
        // That would be said of a stream, and of an archive that can be opened.
        for wrong in ["published already", "rebuilt", "can be now"] {
            assert!(!said.contains(wrong), "{said}");
        }
        assert_eq!(captures(&dir), once(&["a.warc.gz", "c.warc.gz"]));
    }
    let before = Census(dir.path("census")).files();
    sample_of(&dir, "b.warc.gz", 1);
    let parts = "b.warc.gz: it could not be read when the part b- | and can be now | \
                 resuming it with all its inputs rebuilds that part";
    assert_says_all(&go("--join").end_with(1).stderr, parts);
    let says = "b.warc.gz could not be read and can be now";
    assert_says(&go("--resume").succeed().stderr, says);
    let all = ["a.warc.gz", "b.warc.gz", "c.warc.gz"];
    assert_eq!(captures(&dir), once(&all));
    let summary: Value = read_json(&json);
    assert_eq!(summary["archives_left_out"], 2);
    assert_eq!(summary["captures"], 40);
    let after = Census(dir.path("census")).files();
    let of_others = before.iter().filter(|(name, _)| {
        PART_TABLES.iter().any(|table| name.starts_with(table.name)) && !name.contains("/part-b-")
    });
    for (name, bytes) in of_others {
        assert!(after[name] == *bytes, "{name}");
    }
    assert_sound(&dir);
    go("--join").succeed();
    fs::remove_file(b).unwrap();
    go("--resume").refuse(&["b.warc.gz had", "and cannot be found now"]);
}

#[test]
fn an_archive_of_a_known_name_and_size_is_left_out_of_a_joined_run_and_named() {
    let dir = Dir::new();
    let [a, b, c] = ["a.warc.gz", "b.warc.gz", "c.warc.gz"].map(|name| sample_of(&dir, name, 2));
    let join = |words: &[&str]| joining(&dir, words);
    join(&[&b]).succeed();
    // Its bytes are not looked at, nor its folder.
    let bytes = fs::read(&b).unwrap();
    let other = dir.write("other/b.warc.gz", vec![0; bytes.len()]);
    let says = "archives of the same name and size that the dataset holds already were not read: b.warc.gz\n";
    for words in [&[&*other][..], &[&*a, &*other, &*c]] {
        assert_says(&join(words).succeed().stderr, says);
    }
    let all = ["a.warc.gz", "b.warc.gz", "c.warc.gz"];
    assert_eq!(captures(&dir), once(&all));
    assert_eq!(Census(dir.path("census")).table("archives").n_rows(), 3);
    // All of them stand in parts, none in one of that list.
    join(&[&b, &c]).succeed();
    join(&[&a, &b, &c]).succeed();
    assert_eq!(Census(dir.path("census")).table("archives").n_rows(), 3);
    assert_sound(&dir);
    fs::write(&b, [&bytes[..], &bytes].concat()).unwrap();
    for words in [&[&*b][..], &[&*a, &*b, &*c]] {
        join(words).refuse(&["b.warc.gz had", "bytes and has"]);
    }
}

#[test]
fn a_damaged_part_of_a_stream_is_joined_again_as_the_message_says() {
    let dir = Dir::new();
    let record = response("https://a.example/robots.txt", "User-agent: *\n");
    let join = || joining(&dir, &["-", "--stdin-name", "s1"]).stdin(record.clone());
    join().succeed();
    fs::remove_file(files_below(&dir.path("census/captures")).remove(0)).unwrap();
    let manifest = files_below(&dir.path("census/_manifest")).remove(0);
    let says = format!(
        "it was built from the stream s1, which cannot be resumed: delete {} and join that stream again",
        manifest.display()
    );
    join().refuse(&["the part s1-", "is missing", &says]);
    let verified = verify(&dir.path("census"), &Progress::default()).unwrap();
    assert_says(&verified.violations[0].message, "join the stream s1 again");
    fs::remove_file(manifest).unwrap();
    assert_eq!(join().succeed().stderr, "");
    assert_eq!(captures(&dir), BTreeMap::from([("s1".to_owned(), 1)]));
    assert_sound(&dir);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_whose_part_is_published_is_not_read_and_named_as_what_it_is() {
    let dir = Dir::new();
    let pipe = dir.word("pipe.warc");
    make_pipe(&pipe);
    thread::scope(|scope| {
        scope.spawn(|| fs::write(&pipe, response("https://a.example/robots.txt", "")).unwrap());
        joining(&dir, &[&pipe]).succeed();
    });
    let says = format!(
        "robocensus: pipe.warc: its part is published already, so {pipe} was not read; another stream needs a file name of its own\n"
    );
    assert_eq!(joining(&dir, &[&pipe]).succeed().stderr, says);
}

/// Starts a worker that waits for standard input, one of its archives.
fn waiting(dir: &Dir, words: &[&str]) -> Child {
    let mut child = joining(dir, &["-", "--no-finish"]).words(words).start();
    // What is published is looked up when the tables of the options are there.
    let is_open = || dir.path("census/_tables/matrix_agents.json").exists();
    while !is_open() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(200));
    child
}

#[test]
fn of_two_workers_that_read_one_archive_at_a_time_one_publishes_it() {
    let dir = Dir::new();
    let record = response("https://a.example/robots.txt", "");
    let mut first = waiting(&dir, &["--stdin-name", "s.warc"]);
    joining(&dir, &["-", "--stdin-name", "s.warc"])
        .stdin(record.clone())
        .succeed();
    // The first has temporary files still.
    let published = || {
        let mut files = Census(dir.path("census")).files();
        files.retain(|name, _| !name.starts_with("_tmp/"));
        files
    };
    let before = published();
    first.stdin.take().unwrap().write_all(&record).unwrap();
    let ended = first.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert_eq!(captures(&dir), BTreeMap::from([("s.warc".to_owned(), 1)]));
    assert!(published() == before);
    assert!(!dir.path("census/_tmp").exists());
    assert_sound(&dir);
}

#[test]
fn workers_with_the_same_list_at_the_same_time_publish_each_archive_once() {
    let dir = Dir::new();
    let names = ["a.warc.gz", "b.warc.gz", "c.warc.gz", "d.warc.gz"];
    let words = names.map(|name| sample_of(&dir, name, 3));
    for round in 0..5 {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| joining(&dir, &["--part-size", "1"]).words(&words).succeed());
            }
        });
        assert_eq!(captures(&dir), once(&names), "round {round}");
        assert_sound(&dir);
        fs::remove_dir_all(dir.path("census")).unwrap();
    }
}

#[test]
fn a_part_of_the_same_name_that_holds_other_archives_is_an_error() {
    let dir = Dir::new();
    let a = sample_of(&dir, "a.warc.gz", 1);
    joining(&dir, &[&a]).succeed();
    let manifest = files_below(&dir.path("census/_manifest")).remove(0);
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(manifest, text.replace("\"a.warc.gz\"", "\"other.warc.gz\"")).unwrap();
    let says = [
        "two parts have one name",
        "\"other.warc.gz\"",
        "\"a.warc.gz\"",
    ];
    joining(&dir, &[&a]).refuse(&says);
}

#[test]
fn files_that_are_missing_or_cut_are_made_again() {
    let dir = Dir::new();
    let words = [0, 1, 2].map(|seed| sample_of(&dir, &format!("{seed}.warc.gz"), seed));
    let go = |more: &[&str]| {
        run(&["--quiet", "--part-size", "1", "--out", &dir.word("census")])
            .words(&words)
            .words(more)
    };
    // Where there is nothing to resume, a run begins.
    go(&["--resume"]).succeed();
    let census = Census(dir.path("census"));
    let whole = census.files();
    for (table, is_deleted, says) in [
        ("rules", true, "is missing"),
        ("captures", false, "has 0 bytes, and had"),
    ] {
        let path = files_below(&dir.path("census").join(table)).remove(1);
        if is_deleted {
            fs::remove_file(path).unwrap();
        } else {
            fs::write(path, "").unwrap();
        }
        go(&["--join"]).refuse(&["the part 1-", says, "resuming it rebuilds the part"]);
        let said = go(&["--resume"]).succeed().stderr;
        assert_begins(&said, "robocensus: part 1-");
        assert_says(&said, "was rebuilt");
        assert_says(&said, says);
        assert!(census.files() == whole, "{table}");
    }
    assert_eq!(go(&["--resume"]).succeed().stderr, "");
    assert!(census.files() == whole);
}

/// Returns the page of the dataset.
fn report(dir: &Dir) -> String {
    let page = dir.word("page.html");
    TestCommand::new(["report", "--data", &dir.word("census"), "--out", &page]).succeed();
    fs::read_to_string(page).unwrap()
}

#[test]
fn a_run_of_eight_archives_that_stops_at_the_third_is_two_of_eight_wherever_it_matters() {
    let dir = Dir::new();
    let archives: Vec<_> = (0..8)
        .map(|number| {
            let name = format!("{number}.warc");
            let url = format!("https://h{number}.example/robots.txt");
            match number {
                2 => Held::new(&name, Vec::new()).opened_by(open_failing),
                _ => Held::new(&name, response(&url, "User-agent: *\n")).source(),
            }
        })
        .collect();
    let mut config = Config::new(dir.path("census"));
    config.part_bytes = 1;
    config.threads = NonZeroUsize::MIN;
    robocensus::run(&config, &archives, &Progress::default()).unwrap_err();
    let census = dir.word("census");
    let made = TestCommand::new(["finish", &census]).succeed();
    assert_says(&made.stderr, "the dataset holds 2 of 8 archives");
    let query = TestCommand::new(["query", "count-captures-by-status", "--data", &census]);
    let asked = or_skip!(query.end_in_duckdb());
    let says = "note: --data: the dataset holds 2 of 8 archives";
    assert_says(&asked.stderr, says);
    let page = report(&dir);
    assert!(page.contains("The dataset holds 2 of 8 archives: "));
    config.mode = OpenMode::Join;
    let last = Held::new("9.warc", response("https://h9.example/robots.txt", ""));
    let summary = robocensus::run(&config, &[last.source()], &Progress::default()).unwrap();
    let dataset = summary.to_json()["dataset"].take();
    assert_eq!(dataset["archives"], 3);
    assert_eq!(dataset["archives_planned"], 9);
}

#[test]
fn a_table_of_redirects_that_is_older_than_a_part_is_named() {
    let dir = Dir::new();
    let [a, b] = ["a.warc.gz", "b.warc.gz"].map(|name| sample_of(&dir, name, 4));
    let census = dir.word("census");
    let join = |word: &str, more: &[&str]| {
        run(&[word, "--join", "--out", &census])
            .words(more)
            .succeed()
    };
    assert!(!join(&a, &[]).stdout.contains("redirects of"));
    let json = dir.word("summary.json");
    let said = join(&b, &["--no-finish", "--summary-json", &json]).stdout;
    let says = "the dataset has redirects of 1 of 2 parts";
    assert!(said.contains(says), "{said}");
    let summary: Value = read_json(json);
    let dataset = &summary["dataset"];
    for (key, parts) in [
        ("parts", 2),
        ("parts_of_redirects", 1),
        ("parts_of_hosts", 1),
    ] {
        assert_eq!(dataset[key], parts, "{key}");
    }
    let query = |sql: &str| {
        let query = TestCommand::new(["query", sql, "--data", &census]);
        Some(query.end_in_duckdb()?.stderr)
    };
    assert_says(&or_skip!(query("SELECT count(*) FROM hosts")), says);
    assert_eq!(query("SELECT count(*) FROM rules").unwrap(), "");
    assert_says(&report(&dir), "The dataset has redirects of 1 of 2 parts");
    TestCommand::new(["finish", "--quiet", &census]).succeed();
    assert_eq!(query("SELECT count(*) FROM hosts").unwrap(), "");
}

/// The state after a worker that had seen only one of two parts published its file of the table,
/// another worker replaced that file by one of the same length, and the first one wrote its record.
#[test]
fn a_table_whose_record_describes_a_replaced_file_is_made_again() {
    let dir = Dir::new();
    let words = [1, 2].map(|seed| sample_of(&dir, &format!("{seed}.warc.gz"), seed));
    let join = || joining(&dir, &["--part-size", "1"]).words(&words).succeed();
    join();
    let census = Census(dir.path("census"));
    let whole = census.files();
    for table in ["redirects", "hosts"] {
        let path = dir.path(&format!("census/_tables/{table}.json"));
        let mut record: Value = read_json(&path);
        record["parts"].as_array_mut().unwrap().pop();
        record["files"][0]["sha1"] = "0".repeat(40).into();
        fs::write(&path, record.to_string()).unwrap();
    }
    join();
    assert!(census.files() == whole);
}

/// Makes the folder that a process leaves which dies before it has done what it noted.
fn die_before(dir: &Dir, manifest: &Value, files: &[String]) {
    let folder = dir.path("census/_tmp/1.2");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("robocensus-owner"), "1.2").unwrap();
    let note = serde_json::json!({"manifest": manifest, "files": files});
    fs::write(folder.join("pending.json"), note.to_string()).unwrap();
}

/// Returns the path of a part's manifest below the dataset, and of the files that it names.
fn files_of(dir: &Dir, part: &str) -> (String, Vec<String>) {
    let census = dir.path("census");
    let mut files = Census(census.clone()).files().into_keys();
    let manifest = files.find(|path| path.starts_with(&format!("_manifest/{part}")));
    let manifest = manifest.unwrap();
    let value: Value = read_json(census.join(&manifest));
    let files = value["files"].as_array().unwrap().iter();
    let files = files.map(|file| file["path"].as_str().unwrap().to_owned());
    (manifest, files.collect())
}

#[test]
fn what_a_run_published_that_died_in_the_middle_is_not_counted_and_goes() {
    let dir = Dir::new();
    let [a, b, c] = ["a.warc.gz", "b.warc.gz", "c.warc.gz"].map(|name| sample_of(&dir, name, 3));
    joining(&dir, &[&a]).succeed();
    joining(&dir, &[&b]).succeed();
    let (manifest, files) = files_of(&dir, "b-");
    fs::remove_file(dir.path(&format!("census/{manifest}"))).unwrap();
    die_before(&dir, &manifest.into(), &files);
    let data = dir.word("census");
    let says = "belongs to no part, since a run was killed while it published";
    TestCommand::new(["query", "list-coverage", "--data", &data])
        .refuse(&[says, "robocensus finish"]);
    TestCommand::new(["finish", &data, "--quiet"]).succeed();
    assert_eq!(captures(&dir), once(&["a.warc.gz"]));
    // Another share of the archives gives a part of another name.
    joining(&dir, &[&b, &c]).succeed();
    let all = ["a.warc.gz", "b.warc.gz", "c.warc.gz"];
    assert_eq!(captures(&dir), once(&all));
    assert_sound(&dir);
    assert!(!dir.path("census/_tmp").exists());
}

#[test]
fn a_dataset_whose_replacement_died_in_the_middle_is_gone_with_the_next_run() {
    let dir = Dir::new();
    let [a, b] = ["a.warc.gz", "b.warc.gz"].map(|name| sample_of(&dir, name, 4));
    joining(&dir, &[&a]).succeed();
    joining(&dir, &[&b]).succeed();
    let files: Vec<String> = Census(dir.path("census")).files().into_keys().collect();
    for part in ["a-", "b-"] {
        fs::remove_file(dir.path(&format!("census/{}", files_of(&dir, part).0))).unwrap();
    }
    die_before(&dir, &Value::Null, &files);
    joining(&dir, &[&a]).succeed();
    assert_eq!(captures(&dir), once(&["a.warc.gz"]));
    assert_sound(&dir);
}
