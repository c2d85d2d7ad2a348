//! Folders as inputs: links, pipes, files with several names, and folders that may not be listed.

use std::{
    collections::BTreeSet,
    fs::{self, Permissions},
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixListener,
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use robocensus::archive::input;

use super::{census, good, hosts};
use crate::util::{Census, Dir, Ran, assert_says, ended, make_pipe, piped, response, run};

/// A user without rights, on any Unix: `nobody`.
const NOBODY: u32 = 65534;

/// Runs over a path or a pattern below the temporary folder into `census`; a run that does not end,
/// or not as complete, fails the test.
fn run_in(dir: &Dir, pattern: &str) -> Ran {
    let words = [&dir.word(pattern), "--quiet", "--overwrite", "--out"];
    let ran = ended(run(&words).words(&[dir.word("census")]).start());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

fn names(dir: &Dir) -> Vec<String> {
    let archives = census(dir).table("archives");
    archives.all_texts("warc_filename")
}

#[test]
fn folders_that_link_to_themselves_are_searched_once_and_give_a_file_one_name() {
    let dir = Dir::new();
    dir.write("in/sub/a.warc.gz", good());
    for (to, link) in [(".", "in/x"), (".", "in/y"), ("..", "in/sub/back")] {
        symlink(to, dir.path(link)).unwrap();
    }
    let said = run_in(&dir, "in").stderr;
    assert_eq!(names(&dir), ["sub/a.warc.gz"]);
    let root = dir.word("in");
    for link in ["x", "y", "sub/back"] {
        let note = format!("note: {root}/{link}: the same folder as {root}, which is read once\n");
        assert_says(&said, &note);
    }
    let steps = "*/".repeat(30);
    for pattern in ["in/**/*.warc.gz", &format!("in/{steps}*.warc.gz")] {
        let said = run_in(&dir, pattern).stderr;
        assert_eq!(names(&dir), ["a.warc.gz"], "{pattern}");
        assert_says(&said, "the same folder as");
    }
}

#[test]
fn folders_that_all_link_to_each_other_are_read_once_each() {
    let dir = Dir::new();
    // Paths without a loop among them: some millions.
    for n in 0..10 {
        let url = format!("https://{n}.example/robots.txt");
        dir.archive(&format!("in/{n}/a.warc.gz"), &[(url, "")]);
        for other in (0..10).filter(|other| *other != n) {
            let link = dir.path(&format!("in/{n}/to-{other}"));
            symlink(format!("../{other}"), link).unwrap();
        }
    }
    let ran = run_in(&dir, "in");
    let wanted: Vec<_> = (0..10).map(|n| format!("{n}/a.warc.gz")).collect();
    assert_eq!(names(&dir), wanted);
    assert_says(&ran.stderr, "and 80 more inputs");
}

/// Paths of archives, of links with what they lead to, and patterns.
const FILES: &str = "in/1/a.warc in/1/2/b.warc in/1/2/3/c.warc in/.hidden/d.warc in/e.warc in/[x]/f.warc elsewhere/sub/g.warc";
const LINKS: [(&str, &str); 4] = [
    ("../elsewhere", "in/link"),
    ("../../e.warc", "in/1/2/h.warc"),
    ("1/2", "in/short"),
    ("nowhere", "in/1/i.warc"),
];
const PATTERNS: &str = "in/**/*.warc **/*.warc in/*/*.warc in/**/2/*.warc in/**/short/**/*.warc in/**/link/sub/?.warc \
     in/link/*/* in/**/**/[ac].warc in/**/1/**/b.warc in/1/../**/e.warc in/*/../e.warc ./in/./**/i.warc \
     in/[[]x]/* in/.h*/* in/**/e.warc in//1/**/c.warc in/** in/**/ in/**/no-such in/*/";

#[test]
fn patterns_match_what_the_library_for_patterns_says() {
    let dir = Dir::new();
    for name in FILES.split(' ') {
        dir.write(name, good());
    }
    for (to, link) in LINKS {
        symlink(to, dir.path(link)).unwrap();
    }
    let files = |paths: &mut dyn Iterator<Item = PathBuf>| {
        let files: BTreeSet<PathBuf> = paths
            .filter(|path| !path.is_dir())
            .map(|path| fs::canonicalize(&path).unwrap_or(path))
            .collect();
        files
    };
    let mut n_found = 0;
    for pattern in PATTERNS.split(' ') {
        let word = dir.word(pattern);
        let expected = files(&mut glob::glob(&word).unwrap().map(Result::unwrap));
        let found = input::expand(&[&word]).unwrap_or_default();
        let paths = found.iter().filter_map(|found| found.source.path());
        let found = files(&mut paths.map(Path::to_owned));
        assert_eq!(found, expected, "{pattern}");
        n_found += found.len();
    }
    assert!(n_found > 30, "{n_found}");
}

#[test]
fn a_folder_outside_is_read_by_the_first_link_to_it() {
    let dir = Dir::new();
    dir.write("outside/a.warc.gz", good());
    fs::create_dir(dir.path("in")).unwrap();
    for link in ["second", "first"] {
        symlink("../outside", dir.path(&format!("in/{link}"))).unwrap();
    }
    run_in(&dir, "in");
    assert_eq!(names(&dir), ["first/a.warc.gz"]);
}

#[test]
fn a_file_with_several_names_is_read_once_under_a_name_that_is_documented() {
    let dir = Dir::new();
    let file = dir.write("in/b.warc.gz", good());
    fs::hard_link(&file, dir.path("in/a.warc.gz")).unwrap();
    symlink("b.warc.gz", dir.path("in/a-longer-link.warc.gz")).unwrap();
    symlink(&file, dir.path("elsewhere.warc.gz")).unwrap();
    let list = dir.write("list", "in/a.warc.gz\nelsewhere.warc.gz\n");
    let dotted = dir.word("in/./../in/b.warc.gz");
    let words = [&dir.word("in"), &format!("@{list}"), &dotted, &file];
    let mut backwards = words;
    backwards.reverse();
    for words in [words, backwards] {
        let ran = run(&words)
            .words(&["--quiet", "--overwrite", "--out", &dir.word("census")])
            .succeed();
        assert_eq!(names(&dir), ["a.warc.gz"]);
        assert_eq!(hosts(&dir), ["good.example"]);
        for name in "in/a-longer-link.warc.gz elsewhere.warc.gz in/b.warc.gz".split(' ') {
            let said = format!("{}: the same file as ", dir.word(name));
            assert_says(&ran.stderr, &said);
        }
        assert_says(&ran.stderr, "which is read once, as a.warc.gz");
    }
}

#[test]
fn a_pipe_and_a_socket_in_a_folder_are_passed_over_and_named() {
    let dir = Dir::new();
    dir.write("in/a.warc.gz", good());
    make_pipe(dir.path("in/pipe.warc.gz"));
    make_pipe(dir.path("in/notes.txt"));
    let _socket = UnixListener::bind(dir.path("in/socket.warc")).unwrap();
    symlink("/dev/zero", dir.path("in/device.warc")).unwrap();
    let ran = run_in(&dir, "in");
    assert_eq!(names(&dir), ["a.warc.gz"]);
    for (name, kind) in [
        ("device.warc", "a device"),
        ("pipe.warc.gz", "a named pipe"),
        ("socket.warc", "a socket"),
    ] {
        let path = dir.word(&format!("in/{name}"));
        let note = format!("note: {path}: {kind}, not a file, so it is skipped");
        assert_says(&ran.stderr, &note);
    }
    assert_eq!(ran.stderr.lines().count(), 3, "{}", ran.stderr);
    run_in(&dir, "in/*.warc*");
    assert_eq!(names(&dir), ["a.warc.gz"]);
}

#[test]
fn a_pipe_that_is_named_is_a_stream() {
    let dir = Dir::new();
    let pipe = dir.path("pipe.warc");
    make_pipe(&pipe);
    // More than a pipe holds, so that the size that it says of itself would matter.
    let url = "https://good.example/robots.txt";
    let body = "# a line of a comment\n".repeat(10_000);
    let writer = thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, response(url, &body).repeat(2))
    });
    let words = [pipe.to_str().unwrap(), "--quiet", "--out"];
    let ran = run(&words).words(&[dir.word("census")]).succeed();
    writer.join().unwrap().unwrap();
    assert_eq!(ran.stderr, "");
    assert_eq!(hosts(&dir), ["good.example", "good.example"]);
    let archives = census(&dir).table("archives");
    assert_eq!(archives.all_bools("is_complete"), [true]);
}

#[test]
fn a_folder_that_cannot_be_listed_is_an_error_and_the_rest_is_read() {
    let dir = Dir::new();
    dir.write("in/a.warc.gz", good());
    dir.write("in/locked/b.warc.gz", good());
    fs::create_dir(dir.path("out")).unwrap();
    let set = |name: &str, mode| fs::set_permissions(dir.path(name), Permissions::from_mode(mode));
    set("in/locked", 0).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
    if fs::read_dir(dir.path("in/locked")).is_ok() {
        // This user may read everything; another one may not, but must reach the program.
        let program = dir.path("robocensus");
        fs::copy(env!("CARGO_BIN_EXE_robocensus"), &program).unwrap();
        set("robocensus", 0o755).unwrap();
        set(".", 0o755).unwrap();
        set("out", 0o777).unwrap();
        command = Command::new(program);
        command.uid(NOBODY);
    }
    command.args(["run", &dir.word("in"), "--quiet", "--out", &dir.word("out")]);
    let ran = ended(piped(&mut command));
    set("in/locked", 0o755).unwrap();
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_says(&ran.stderr, "locked/: ");
    assert_says(&ran.stderr, "this folder cannot be listed");
    let census = Census(dir.path("out"));
    let mut rows = census.table("archives").lines("warc_filename is_complete");
    rows.sort();
    assert_eq!(rows, ["a.warc.gz true", "locked/ false"]);
    let errors = census.table("archive_errors");
    assert_eq!(errors.all_texts("code"), ["open_failed"]);
}
