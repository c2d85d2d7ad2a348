//! The kinds of rounds: what is done to a run, and with what its dataset is compared.

use std::{
    cell::OnceCell,
    fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use robocensus::sample::random::Random;

use super::dataset::{assert_is_sound, assert_is_tidy, files};
use crate::util::{
    self, Dir, Files, TestCommand, assert_same_files, assert_says, files_below, gzip, n_files,
    read, sample,
};

/// The kinds, in the order in which seeds take them.
pub const KINDS: [Round; 7] = [
    kill,
    stop,
    interrupt,
    join,
    full_disk,
    limited_files,
    overwrite,
];

type Round = fn(&mut Scene<'_>);

/// Options of runs: each set has an undisturbed dataset of its own.
const OPTIONS: [&[&str]; 3] = [
    &["--part-size", "60K"],
    &["--part-size", "1", "--dialects", "google,rfc9309"],
    &["--part-size", "100K", "--redirect-window", "7d"],
];
const PART_OF_EACH: usize = 1;

/// Captures of the archives. One is cut off, and one is not compressed.
const CAPTURES: [u64; 9] = [40, 150, 10, 90, 60, 200, 5, 120, 30];
const CUT: usize = 1;
const PLAIN: usize = 4;

/// Exit codes of a run over these archives: one of them is damaged.
const FINISHED: i32 = 1;
const STOPPED: i32 = 2;

const SIGINT: i32 = 2;
const SIGKILL: i32 = 9;
const SIGTERM: i32 = 15;

/// Archives, and what undisturbed runs make of them.
pub struct World {
    dir: Dir,
    wholes: [OnceCell<Files>; OPTIONS.len()],
    /// Whether a file system of a few kilobytes can be mounted.
    has_mounts: bool,
}

impl World {
    pub fn new() -> Self {
        let dir = Dir::new();
        for (n, captures) in CAPTURES.into_iter().enumerate() {
            let mut bytes = sample(captures, n as u64);
            if n == CUT {
                bytes.truncate(bytes.len() - 100);
            }
            // Some name a crawl, and of those some one crawl and some another.
            let folder = match n % 3 {
                0 => "in",
                1 => "in/crawl-data/CC-MAIN-2025-05/segments/1.2/robotstxt",
                _ => "in/crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt",
            };
            let path = dir.write(&format!("{folder}/{n}.warc.gz"), &bytes);
            if n == PLAIN {
                let plain = read(Path::new(&path));
                fs::write(&path, plain).unwrap();
            }
        }
        let mounted = Command::new("unshare")
            .args(["-rm", "mount", "-t", "tmpfs", "none"])
            .arg(dir.path("in"))
            .stderr(Stdio::null())
            .status();
        let has_mounts = mounted.is_ok_and(|status| status.success());
        if !has_mounts {
            eprintln!("torture: no file system can be mounted; a limit on file sizes is used");
        }
        Self {
            dir,
            wholes: Default::default(),
            has_mounts,
        }
    }

    /// Returns the files of an undisturbed run.
    fn whole(&self, options: usize) -> &Files {
        self.wholes[options].get_or_init(|| {
            let folder = self.dir.path(&format!("whole-{options}"));
            let status = self.run(options, &folder).status().unwrap();
            assert_eq!(status.code(), Some(FINISHED));
            assert!(assert_is_sound(&folder) > 3);
            files(&folder)
        })
    }

    /// Returns a run over all archives.
    fn run(&self, options: usize, out: &Path) -> Command {
        self.run_over(&self.dir.word("in"), options, out)
    }

    fn run_over(&self, input: &str, options: usize, out: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
        command.args(["run", input, "--quiet", "--out"]).arg(out);
        command.args(OPTIONS[options]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::piped());
        command
    }
}

/// One round at work.
pub struct Scene<'w> {
    world: &'w World,
    random: Random,
    options: usize,
    out: PathBuf,
    /// How often a run was disturbed before it had ended.
    n_disturbed: u64,
}

/// Does the round of a seed, and returns how often a run was disturbed before it had ended.
pub fn round(world: &World, seed: u64) -> u64 {
    let index = usize::try_from(seed).unwrap();
    let round = KINDS[index % KINDS.len()];
    let mut random = Random::new(seed);
    let options = random.below(OPTIONS.len());
    let out = world.dir.path(&format!("census-{seed}"));
    world.whole(options);
    let mut scene = Scene {
        world,
        random,
        options,
        out: out.clone(),
        n_disturbed: 0,
    };
    round(&mut scene);
    // Files of a failed round stay until the folder of all rounds is dropped.
    fs::remove_dir_all(out).unwrap();
    scene.n_disturbed
}

impl Scene<'_> {
    fn run(&mut self) -> Command {
        let mut command = self.world.run(self.options, &self.out);
        let threads = 1 + self.random.below(4);
        command.args(["--threads", &threads.to_string()]);
        command
    }

    fn resume(&mut self) -> Command {
        let mut command = self.run();
        command.arg("--resume");
        command
    }

    /// Waits until a run has made some files, or has ended, and a moment more.
    fn wait_a_while(&mut self, child: &mut Child) {
        let most = self.world.whole(self.options).len() + 4;
        let files = self.random.below(most);
        while n_files(&self.out) < files && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(self.random.below(20_000) as u64));
    }

    /// Counts a run that did not end as planned; what it published is whole.
    fn note_disturbed(&mut self) {
        self.n_disturbed += 1;
        assert_is_sound(&self.out);
    }

    /// Kills a run at some moment, and returns whether it had not ended.
    fn kill(&mut self, mut child: Child) -> bool {
        self.wait_a_while(&mut child);
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let is_killed = output.status.signal() == Some(SIGKILL);
        if is_killed {
            self.note_disturbed();
        } else {
            assert_finished(output.status, &output.stderr);
        }
        is_killed
    }

    /// Resumes a run to its end and compares its files with those of an undisturbed one.
    fn resume_and_compare(&mut self) {
        finish(&mut self.resume());
        assert_same_files(&files(&self.out), self.world.whole(self.options));
        assert!(!self.out.join("_tmp").exists(), "_tmp is left");
    }
}

/// Runs to the end.
fn finish(command: &mut Command) {
    let output = command.output().unwrap();
    assert_finished(output.status, &output.stderr);
}

fn assert_finished(status: ExitStatus, stderr: &[u8]) {
    let said = String::from_utf8_lossy(stderr);
    let is_finished = matches!(status.code(), Some(0 | FINISHED));
    assert!(is_finished, "{status}: {said}");
}

fn send(signal: &str, child: &mut Child) {
    // The number of a run that has ended and was waited for may be somebody else's.
    if child.try_wait().unwrap().is_some() {
        return;
    }
    util::signal(child, signal);
}

/// Kills a run, and those that resume it, some times.
fn kill(scene: &mut Scene<'_>) {
    let run = scene.run().spawn().unwrap();
    let mut goes_on = scene.kill(run);
    for _ in 0..scene.random.below(3) {
        if goes_on {
            let resumed = scene.resume().spawn().unwrap();
            goes_on = scene.kill(resumed);
        }
    }
    scene.resume_and_compare();
}

/// Stops a run some times and lets it continue.
fn stop(scene: &mut Scene<'_>) {
    let mut child = scene.run().spawn().unwrap();
    for _ in 0..=scene.random.below(4) {
        scene.wait_a_while(&mut child);
        if child.try_wait().unwrap().is_some() {
            break;
        }
        send("STOP", &mut child);
        scene.note_disturbed();
        thread::sleep(Duration::from_millis(scene.random.below(60) as u64));
        send("CONT", &mut child);
    }
    let output = child.wait_with_output().unwrap();
    assert_finished(output.status, &output.stderr);
    scene.resume_and_compare();
}

/// Interrupts a run, and maybe the one that resumes it.
fn interrupt(scene: &mut Scene<'_>) {
    for attempt in 0..=scene.random.below(2) {
        let mut command = match attempt {
            0 => scene.run(),
            _ => scene.resume(),
        };
        let mut child = command.spawn().unwrap();
        scene.wait_a_while(&mut child);
        let signal = [SIGINT, SIGTERM][scene.random.below(2)];
        send(&signal.to_string(), &mut child);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        match (output.status.code(), output.status.signal()) {
            (Some(0 | FINISHED), _) => {}
            (Some(STOPPED), _) => {
                assert_eq!(said.lines().count(), 1, "{said}");
                assert!(said.contains("interrupted"), "{said}");
                scene.note_disturbed();
                assert_is_tidy(&scene.out);
            }
            // It came before the program watched for it.
            (None, Some(by)) if by == signal => scene.n_disturbed += 1,
            _ => panic!("{}: {said}", output.status),
        }
    }
    scene.resume_and_compare();
}

/// Lets workers join, kills some of them and has them join again: all with the same list, or each
/// with its own.
fn join(scene: &mut Scene<'_>) {
    let n_workers = 2 + scene.random.below(3);
    let has_shares = scene.random.below(2) == 0;
    if has_shares {
        // A part of each archive is the same whoever makes it.
        scene.options = PART_OF_EACH;
    }
    let mut shares = vec![String::new(); n_workers];
    for path in files_below(&scene.world.dir.path("in")) {
        let share = scene.random.below(n_workers);
        shares[share] += &format!("{}\n", path.display());
    }
    shares.retain(|share| !share.is_empty());
    let dir = &scene.world.dir;
    let inputs = if has_shares {
        let list = |(n, share): (usize, String)| {
            let list = dir.write(&format!("share-{n}"), gzip(share.as_bytes()));
            format!("@{list}")
        };
        shares.into_iter().enumerate().map(list).collect()
    } else {
        vec![dir.word("in"); n_workers]
    };
    let worker = |scene: &Scene<'_>, input: &str| {
        let mut command = scene.world.run_over(input, scene.options, &scene.out);
        command.args(["--join", "--threads", "2"]);
        command
    };
    let begun = inputs.iter().map(|input| worker(scene, input).spawn());
    let begun: Vec<_> = begun.map(Result::unwrap).collect();
    let mut killed = Vec::new();
    for (child, input) in begun.into_iter().zip(&inputs) {
        if scene.random.below(2) == 0 {
            if scene.kill(child) {
                killed.push(input);
            }
        } else {
            let output = child.wait_with_output().unwrap();
            assert_finished(output.status, &output.stderr);
        }
    }
    for input in killed {
        finish(&mut worker(scene, input));
    }
    assert_is_sound(&scene.out);
    if scene.random.below(2) == 0 {
        let out = scene.out.to_str().unwrap();
        TestCommand::new(["finish", "--quiet", out]).succeed();
    }
    // What a killed one left was deleted by those that joined later.
    assert!(!scene.out.join("_tmp").exists(), "_tmp is left");
    let wanted = scene.world.whole(scene.options).clone();
    let mut both = [files(&scene.out), wanted];
    if has_shares {
        // Each worker lists its own inputs.
        for files in &mut both {
            files.retain(|path, _| !path.starts_with("_inputs/"));
        }
    }
    assert_same_files(&both[0], &both[1]);
}

/// Runs in a folder on a file system that is mounted for the purpose. First it has too few bytes;
/// with more the run is resumed, and what it made is taken away. Says with which codes the two runs
/// ended.
const ON_A_SMALL_DISK: &str = r#"
set -e
disk=$1; bytes=$2; out=$3; shift 3
mount -t tmpfs -o "size=$bytes" none "$disk"
first=0; "$@" --out "$disk/census" || first=$?
mkdir "$out"
[ ! -e "$disk/census" ] || cp -R "$disk/census" "$out/first"
mount -o remount,size=1g "$disk"
second=0; "$@" --out "$disk/census" --resume || second=$?
cp -R "$disk/census" "$out/second"
echo "$first $second"
"#;

/// Runs where the disk is full at some moment.
fn full_disk(scene: &mut Scene<'_>) {
    if !scene.world.has_mounts {
        return limited_files(scene);
    }
    let whole = scene.world.whole(scene.options);
    let bytes: usize = whole.values().map(Vec::len).sum();
    let size = 4096 + scene.random.below(bytes + bytes / 2);
    let disk = scene.world.dir.path("disk");
    fs::create_dir_all(&disk).unwrap();
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", ON_A_SMALL_DISK, "sh"])
        .arg(&disk)
        .arg(size.to_string())
        .arg(&scene.out)
        .arg(env!("CARGO_BIN_EXE_robocensus"))
        .args(["run", &scene.world.dir.word("in"), "--quiet"])
        .args(OPTIONS[scene.options])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let codes = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let is_full = codes.trim() == "2 1";
    assert!(is_full || codes.trim() == "1 1", "{codes}: {said}");
    if is_full {
        assert!(said.contains("No space left on device"), "{said}");
        scene.n_disturbed += 1;
        assert_is_sound(&scene.out.join("first"));
    }
    assert_same_files(&files(&scene.out.join("second")), whole);
}

/// Runs where no file may become as long as the largest of an undisturbed run.
fn limited_files(scene: &mut Scene<'_>) {
    let whole = scene.world.whole(scene.options);
    let largest = whole.values().map(Vec::len).max().unwrap();
    // Blocks have 512 bytes. With half as many as it needs, some parts are published before.
    let most = largest / 512;
    let blocks = most / 2 + scene.random.below(most / 2);
    let run = scene.run();
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\""])
        .arg(blocks.to_string())
        .arg(run.get_program())
        .args(run.get_args())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(STOPPED), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_says(&said, "cannot write: File too large");
    assert_says(&said, "--resume");
    scene.note_disturbed();
    assert_is_tidy(&scene.out);
    scene.resume_and_compare();
}

/// Kills a run that replaces a dataset of other options.
fn overwrite(scene: &mut Scene<'_>) {
    let other = (scene.options + 1) % OPTIONS.len();
    finish(&mut scene.world.run(other, &scene.out));
    let replace = |scene: &mut Scene<'_>| {
        let mut command = scene.run();
        command.arg("--overwrite");
        command
    };
    let mut child = replace(scene).spawn().unwrap();
    thread::sleep(Duration::from_micros(scene.random.below(60_000) as u64));
    if scene.random.below(2) == 0 {
        scene.wait_a_while(&mut child);
    }
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    if output.status.signal() == Some(SIGKILL) {
        scene.note_disturbed();
    }
    let resumed = scene.resume().output().unwrap();
    match resumed.status.code() {
        Some(FINISHED) => {}
        Some(STOPPED) => {
            // It was killed before it had deleted the old one.
            let said = String::from_utf8_lossy(&resumed.stderr);
            assert!(said.contains("other options"), "{said}");
            finish(&mut replace(scene));
        }
        _ => panic!("{resumed:?}"),
    }
    assert_same_files(&files(&scene.out), scene.world.whole(scene.options));
}
