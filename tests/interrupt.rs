//! One SIGINT or SIGTERM ends a run whatever it waits for: an endless input, an input without
//! records, a pipe without a writer.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::channel,
    thread,
    time::{Duration, Instant},
};

use crate::util::{
    self, Census, Dir, Ran, TestCommand, assert_says, ended, gzip, make_pipe, piped, response, run,
};

/// Writes the archive `a.warc.gz`, which has one capture.
fn archive(dir: &Dir) -> String {
    let archive = gzip(&response("https://a.example/robots.txt", ""));
    dir.write("a.warc.gz", archive)
}

/// Begins a run over `a.warc.gz`, which ends, and then over `words`, which do not.
fn begin(dir: &Dir, words: &[&str], stdin: Stdio) -> Child {
    begin_in("exec \"$0\" \"$@\"", dir, words, stdin)
}

/// Does so in a shell that runs its words by this script.
fn begin_in(script: &str, dir: &Dir, words: &[&str], stdin: Stdio) -> Child {
    let mut command = Command::new("sh");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_robocensus"), "run"])
        .args([&archive(dir), "--threads", "2", "--quiet", "--out"])
        .arg(dir.path("census"))
        .args(words);
    piped(command.stdin(stdin))
}

/// Waits until the part of `a.warc.gz` is published, or the run has ended.
fn wait_for_the_part(dir: &Dir, child: &mut Child) {
    let manifests = dir.path("census/_manifest");
    let is_published = || fs::read_dir(&manifests).is_ok_and(|entries| entries.count() > 0);
    while !is_published() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the part of `a.warc.gz` is published, sends the signal once and waits for the end.
fn signal(dir: &Dir, mut child: Child, signal: &str) -> Ran {
    wait_for_the_part(dir, &mut child);
    // The other input is being read, or waited for, by now.
    thread::sleep(Duration::from_millis(200));
    util::signal(&child, signal);
    ended(child)
}

/// Asserts that the run says how it ended, and that what it published is whole.
fn assert_is_interrupted(dir: &Dir, what: &str, ran: &Ran) {
    assert_eq!(ran.code, 2, "{what}: {}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{what}: {}", ran.stderr);
    assert_says(&ran.stderr, "interrupted; complete parts remain in");
    assert_says(&ran.stderr, "--resume builds the others");
    let captures = Census(dir.path("census")).table("captures");
    assert_eq!(captures.all_texts("url_host_name"), ["a.example"], "{what}");
    let archives = Census(dir.path("census")).table("archives");
    assert_eq!(archives.all_texts("warc_filename"), ["a.warc.gz"], "{what}");
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let dir = Dir::new();
    let script = "trap '' HUP; exec \"$0\" \"$@\"";
    let mut child = begin_in(script, &dir, &["-"], Stdio::piped());
    // Open, so that standard input does not end.
    let _input = child.stdin.take();
    wait_for_the_part(&dir, &mut child);
    util::signal(&child, "HUP");
    thread::sleep(Duration::from_millis(500));
    assert_eq!(child.try_wait().unwrap(), None, "SIGHUP has ended it");
    assert_is_interrupted(&dir, "nohup", &signal(&dir, child, "TERM"));
}

/// Writes the same bytes repeatedly until the pipe has no reader.
fn write_for_ever(mut pipe: impl Write + Send + 'static, lead: Vec<u8>, bytes: Vec<u8>) {
    thread::spawn(move || {
        let mut written = pipe.write_all(&lead);
        while written.is_ok() {
            written = pipe.write_all(&bytes);
        }
    });
}

/// What comes on standard input before all else, and what comes for ever.
fn endless() -> Vec<(&'static str, Vec<u8>, Vec<u8>)> {
    let mut noise = vec![0; 1 << 16];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut noise));
    read.unwrap();
    let long = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://b.example/robots.txt\r\n\
                Content-Length: 9000000000000000000\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
    let (zeros, version) = (vec![0; 1 << 16], b"WARC/1.0\r\n");
    vec![
        ("lines without a record", Vec::new(), b"y\n".repeat(1 << 15)),
        ("zeros", Vec::new(), zeros),
        ("noise", Vec::new(), noise.clone()),
        ("one record", long.into(), b"#\n".repeat(1 << 15)),
        ("a header", version.to_vec(), b"a: b\r\n".repeat(1 << 13)),
        ("noise behind a member", gzip(version), noise),
        ("empty members", gzip(b""), gzip(b"").repeat(1 << 12)),
    ]
}

#[test]
fn one_signal_ends_a_run_over_an_input_without_end_or_records() {
    for (what, lead, bytes) in endless() {
        for name in ["INT", "TERM"] {
            let dir = Dir::new();
            let mut child = begin(&dir, &["-", "--stdin-name", "b.warc"], Stdio::piped());
            write_for_ever(child.stdin.take().unwrap(), lead.clone(), bytes.clone());
            let ran = signal(&dir, child, name);
            assert_is_interrupted(&dir, what, &ran);
        }
    }
}

#[test]
fn one_signal_ends_a_run_over_a_pipe_without_bytes_or_a_file_without_end() {
    for name in ["INT", "TERM"] {
        let dir = Dir::new();
        let (reader, writer) = io::pipe().unwrap();
        let child = begin(&dir, &["-", "--stdin-name", "b.warc"], reader.into());
        let ran = signal(&dir, child, name);
        drop(writer);
        assert_is_interrupted(&dir, "a pipe without bytes", &ran);
    }
    let pipes = Dir::new();
    // It has no writer.
    let pipe = pipes.word("b.warc");
    make_pipe(&pipe);
    for input in [&*pipe, "/dev/zero"] {
        let dir = Dir::new();
        let child = begin(&dir, &[input], Stdio::null());
        let ran = signal(&dir, child, "INT");
        assert_is_interrupted(&dir, input, &ran);
    }
}

#[test]
fn a_query_ends_with_the_process_that_started_it() {
    let dir = Dir::new();
    run(&[&archive(&dir), "--out", &dir.word("census"), "--quiet"]).succeed();
    // A client that never answers. It holds the pipe open, and so does the program.
    let client = "#!/bin/sh\necho begun >&9\nexec sleep 300\n";
    let client = dir.write("duckdb", client);
    fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).unwrap();
    let pipe = dir.word("pipe");
    make_pipe(&pipe);
    let script = "exec 9>\"$PIPE\"; ROBOCENSUS_PARENT=$$ setsid \"$PROGRAM\" query 'SELECT 1' --data \"$DATA\" & exec 9>&-; wait";
    let mut shell = Command::new("sh")
        .args(["-c", script])
        .env("PIPE", &pipe)
        .env("PROGRAM", env!("CARGO_BIN_EXE_robocensus"))
        .env("DATA", dir.path("census"))
        .env("ROBOCENSUS_DUCKDB", &client)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = BufReader::new(File::open(&pipe).unwrap());
    let mut line = String::new();
    pipe.read_line(&mut line).unwrap();
    assert_eq!(line, "begun\n");
    shell.kill().unwrap();
    shell.wait().unwrap();
    let (sender, ended) = channel();
    thread::spawn(move || sender.send(pipe.read_to_string(&mut line)));
    let ended = ended.recv_timeout(Duration::from_secs(60));
    ended.expect("both processes have ended").unwrap();
}

/// A DuckDB that writes its process identifier, and then computes for ever.
const ENDLESS_DUCKDB: &str = "#!/bin/sh
case \"$*\" in *--version*) echo v1.5.0; exit;; esac
echo $$ > \"$TMPDIR/started\"
mv \"$TMPDIR/started\" \"$TMPDIR/pid\"
ulimit -t 60; while :; do :; done
";

#[cfg(target_os = "linux")]
#[test]
fn duckdb_ends_with_the_query_and_its_folder_is_removed_however_it_is_ended() {
    for name in ["TERM", "INT", "HUP", "KILL"] {
        let dir = Dir::new();
        let census = dir.word("census");
        run(&[&archive(&dir), "--quiet", "--out", &census]).succeed();
        let duckdb = dir.write("duckdb", ENDLESS_DUCKDB);
        fs::set_permissions(&duckdb, fs::Permissions::from_mode(0o700)).unwrap();
        let temporary = dir.path("temporary");
        // Left by a process that was killed with all others, in use by one that lives, and of
        // somebody else.
        for other in ["left", "used"] {
            dir.write(&format!("temporary/.robocensus.duckdb.{other}/lock"), "");
        }
        dir.write("temporary/.robocensus.duckdb.unknown/x", "");
        let used = File::open(temporary.join(".robocensus.duckdb.used/lock")).unwrap();
        used.lock().unwrap();
        let mut child = TestCommand::new(["query", "SELECT 1", "--data", &census])
            .env("ROBOCENSUS_DUCKDB", &duckdb)
            .env("TMPDIR", temporary.to_str().unwrap())
            .start();
        let pid = temporary.join("pid");
        while !pid.exists() {
            assert_eq!(child.try_wait().unwrap(), None, "{name}");
            thread::sleep(Duration::from_millis(5));
        }
        let words = Path::new("/proc").join(fs::read_to_string(pid).unwrap().trim());
        let words = words.join("cmdline");
        // One that has ended and is not waited for has no words.
        let is_running = || fs::read(&words).is_ok_and(|words| !words.is_empty());
        assert!(is_running(), "{name}");
        let folders = || {
            let entries = fs::read_dir(&temporary).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<_> = names.filter(|name| name.starts_with('.')).collect();
            names.sort();
            names
        };
        assert_eq!(folders().len(), 3, "{name}: {:?}", folders());
        util::signal(&child, name);
        child.wait().unwrap();
        // What ends DuckDB runs on after the query.
        let begin = Instant::now();
        while (is_running() || folders().len() > 2) && begin.elapsed().as_secs() < 20 {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(!is_running(), "{name}");
        let others = ["unknown", "used"].map(|other| format!(".robocensus.duckdb.{other}"));
        assert_eq!(folders(), others, "{name}");
    }
}
