//! Runs that do not end as planned: interrupted, out of space, cut off from their input; and what
//! `--resume` makes of what they left. `torture` kills them.

use std::{fs, io::Write, path::Path, process::Child, thread, time::Duration};

use robocensus::{Config, ErrorKind, Progress, dataset::sink::OpenMode};

use crate::util::{Census, Dir, Held, n_files, open_failing, response, run, write_archives};

/// Makes a folder with archives, each of which becomes a part, and returns the words of a run over
/// them into `census`.
fn archives(dir: &Dir, n: u64) -> Vec<String> {
    write_archives(dir, n);
    let (archives, out) = (dir.word("archives"), dir.word("census"));
    let options = "--part-size 1 --threads 2 --quiet --out";
    let options = options.split(' ').map(str::to_owned);
    [archives].into_iter().chain(options).chain([out]).collect()
}

/// Waits until the run has made so many files, or has ended.
fn wait_for_files(child: &mut Child, folder: &Path, n: usize) {
    while n_files(folder) < n && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_read_error_in_the_middle_stops_the_run_and_the_part_is_made_when_it_is_resumed() {
    let dir = Dir::new();
    let record = response("https://a.example/robots.txt", "User-agent: *\n");
    let archive = || Held::new("a.warc", record.clone());
    let mut config = Config::new(dir.path("census"));
    let go = |config: &Config, source| robocensus::run(config, &[source], &Progress::default());
    let error = go(&config, archive().opened_by(open_failing)).unwrap_err();
    let n = record.len();
    assert!(matches!(error.kind(), ErrorKind::Read { offset, .. } if *offset == n as u64));
    assert_eq!(
        error.to_string(),
        format!("a.warc: offset {n}: cannot read")
    );
    assert!(!dir.path("census/captures").exists());
    config.mode = OpenMode::Resume;
    assert_eq!(go(&config, archive().source()).unwrap().counts.captures, 1);
}

#[test]
fn what_changed_is_refused_by_name_whether_the_run_had_ended_or_not() {
    let dir = Dir::new();
    let words = archives(&dir, 3);
    let mut child = run(&words).start();
    wait_for_files(&mut child, &dir.path("census"), 4);
    child.kill().unwrap();
    child.wait().unwrap();
    for _ in ["killed", "ended"] {
        let resume = |flags: &[&str]| run(&words).words(&["--resume"]).words(flags);
        let says = "dialects is \"google\" there and \"rfc9309\" here";
        resume(&["--dialects", "rfc9309"]).refuse(&["other options", says]);
        resume(&["--max-body", "1M"]).refuse(&["max_body"]);
        let extra = dir.write("extra.warc.gz", "x");
        resume(&[&extra]).refuse(&["extra.warc.gz is not among its archives", "--join"]);
        let agents = dir.write("agents.txt", "GPTBot\n");
        resume(&["--agents", &agents]).refuse(&["the list of agents is another, of 24 there"]);
        let archive = dir.path("archives/2.warc.gz");
        let bytes = fs::read(&archive).unwrap();
        let modified = fs::metadata(&archive).unwrap().modified().unwrap();
        fs::write(&archive, &bytes[1..]).unwrap();
        resume(&[]).refuse(&["2.warc.gz had", "begin again with --overwrite"]);
        fs::write(&archive, &bytes).unwrap();
        let file = fs::File::options().write(true).open(&archive).unwrap();
        let later = modified + Duration::from_secs(1);
        file.set_modified(later).unwrap();
        resume(&[]).refuse(&["2.warc.gz was changed since"]);
        file.set_modified(modified).unwrap();
        fs::rename(&archive, dir.path("2.warc.gz")).unwrap();
        resume(&[]).refuse(&["2.warc.gz was among the inputs and is not now"]);
        fs::rename(dir.path("2.warc.gz"), &archive).unwrap();
        resume(&[]).end_with(1);
    }
    let stdin = ["-", "--part-size", "1", "--out", &dir.word("census")];
    run(&stdin)
        .words(&["--resume"])
        .refuse(&["stdin: its size is not known"]);
}

#[test]
fn of_two_runs_into_one_folder_the_second_is_refused() {
    let dir = Dir::new();
    let words = archives(&dir, 1);
    // A run that waits for its input is at work as long as we want.
    let mut first = run(&["-", "--quiet", "--out", &dir.word("census")]).start();
    wait_for_files(&mut first, &dir.path("census"), 2);
    for flag in ["--resume", "--overwrite", "--join"] {
        let second = run(&words).words(&[flag]);
        second.refuse(&["another run writes to this folder"]);
    }
    run(&words).refuse(&["another run"]);
    let record = response("https://a.example/robots.txt", "");
    let mut stdin = first.stdin.take().unwrap();
    stdin.write_all(&record).unwrap();
    drop(stdin);
    assert!(first.wait().unwrap().success());
    assert_eq!(Census(dir.path("census")).table("captures").n_rows(), 1);
}
