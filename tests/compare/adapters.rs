//! The adapters of `parsers/`: other parsers answer the protocol, each in its own way.

use std::{path::Path, time::Duration};

use bstr::ByteVec;
use robocensus::{
    Verdict,
    compare::{
        external::{ParserCommand, ParserFaultKind, ParserPool, Reply},
        query::FileQueries,
    },
};

use crate::util::{is_ci, or_skip, package};

/// The adapters in the order of the columns of [`KNOWN`].
pub const ADAPTERS: [&str; 5] = [
    "urllib.robotparser",
    "protego",
    "texting_robots",
    "robotxt",
    "robotstxt",
];

/// Returns the command of an adapter; nothing where `make test` has not built it, which a test then
/// says.
pub fn adapter(name: &str) -> Option<Vec<String>> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let packages = target.join("protego");
    let python = |script: &str| {
        let script = package().join("parsers/python").join(script);
        let path = format!("PYTHONPATH={}", packages.display());
        words(["env", &path, "python3", "-B", script.to_str().unwrap()])
    };
    let (needed, command) = match name {
        "urllib.robotparser" => (package().to_owned(), python("urllib_robotparser.py")),
        "protego" => (packages.join("protego"), python("protego_parser.py")),
        name => {
            let program = target.join("adapters/release").join(name);
            let command = words([program.to_str().unwrap()]);
            (program, command)
        }
    };
    if needed.exists() {
        return Some(command);
    }
    assert!(!is_ci(), "{} is not there", needed.display());
    eprintln!("skipped: {} is not there", needed.display());
    None
}

/// Returns the adapters that are here, with their commands.
fn adapters() -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let adapters = ADAPTERS.into_iter();
    adapters.filter_map(|name| Some((name, adapter(name)?)))
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// Returns a robots.txt with the agents and URLs that it is asked about.
fn file(body: impl AsRef<[u8]>, queries: &[(&str, &str)]) -> FileQueries {
    FileQueries {
        body: body.as_ref().into(),
        queries: queries.iter().copied().collect(),
    }
}

/// Asks a parser about files, and returns its name and the replies in the order of the files.
fn ask(words: Vec<String>, timeout: Duration, files: &[FileQueries]) -> (String, Vec<Reply>) {
    let command = ParserCommand {
        words,
        workers: 1,
        in_flight: 4,
        timeout,
    };
    let (name, mut replies, _) = replies(command, files.iter().cloned());
    replies.sort_by_key(|reply| reply.id);
    let ids = replies.iter().map(|reply| reply.id);
    assert!(ids.eq((0..files.len() as u64).map(Some)), "{replies:?}");
    (name, replies)
}

/// Asks a parser about all files at once, and returns its name, the replies and its standard error.
pub fn replies(
    command: ParserCommand,
    files: impl IntoIterator<Item = FileQueries>,
) -> (String, Vec<Reply>, String) {
    let mut pool = ParserPool::start(command, Default::default()).unwrap();
    pool.send(files);
    let (log, _) = pool.finish();
    let log = String::from_utf8_lossy(&log).into_owned();
    (pool.name.clone(), pool.replies.iter().collect(), log)
}

/// Long enough for a process on a machine that has other work.
const PATIENT: Duration = Duration::from_secs(30);

/// A file, an agent, the end of a URL, and what each adapter answers.
const KNOWN: &str = include_str!("../testdata/adapters.txt");

const ALLOW: Option<Verdict> = Some(Verdict::Allow);
const DISALLOW: Option<Verdict> = Some(Verdict::Disallow);

const ALL: &[u8] = b"User-agent: *\nDisallow: /\n";

#[test]
fn each_adapter_answers_as_its_parser_is_known_to() {
    let lines = KNOWN.lines().filter(|line| !line.starts_with('#'));
    let (files, known): (Vec<_>, Vec<_>) = lines
        .map(|line| {
            let [body, agent, end, known] = line.split('|').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let url = format!("https://example.com{end}");
            (
                file(Vec::unescape_bytes(body), &[(agent, &url)]),
                (line, known),
            )
        })
        .unzip();
    for (index, name) in ADAPTERS.into_iter().enumerate() {
        let Some(command) = adapter(name) else {
            continue;
        };
        let (parser, replies) = ask(command, PATIENT, &files);
        let version = parser.strip_prefix(name).map(str::trim_start);
        let is_version = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        assert!(version.is_some_and(is_version), "{name}: {parser}");
        for ((line, known), reply) in known.iter().zip(replies) {
            let found = reply.result.map(|answers| answers[0].verdict);
            let expected = match known.as_bytes()[index] {
                b'A' => ALLOW,
                b'D' => DISALLOW,
                b'E' => None,
                _ => continue,
            };
            assert_eq!(found, Ok(expected), "{name}: {line}");
        }
    }
}

#[test]
fn an_adapter_answers_several_agents_and_urls_of_a_file_in_their_order() {
    let body = b"User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n";
    let [x, y] = ["https://example.com/x", "https://example.com/y"];
    let queries = [("a", x), ("a", y), ("b", x), ("b", y), ("a", x)];
    for (name, command) in adapters() {
        let (_, replies) = ask(command, PATIENT, &[file(body, &queries)]);
        let answers = replies[0].result.as_ref().unwrap();
        let verdicts: Vec<_> = answers.iter().map(|answer| answer.verdict).collect();
        let expected = [DISALLOW, ALLOW, ALLOW, DISALLOW, DISALLOW];
        assert_eq!(verdicts, expected, "{name}");
    }
}

#[test]
fn what_a_parser_prints_is_no_answer() {
    let parsers = package().join("parsers/python");
    let path = format!("PYTHONPATH={}", parsers.display());
    let script =
        "import adapter; adapter.serve('p', '1', lambda body: lambda *query: print(query))";
    let queries = [("a", "https://example.com/")];
    let command = words(["env", &path, "python3", "-Bc", script]);
    let (_, replies) = ask(command, PATIENT, &[file("", &queries)]);
    assert_eq!(replies[0].result.as_ref().unwrap()[0].verdict, DISALLOW);
}

/// Returns a page with a line that robotstxt cuts within a letter, and one on which it takes hours.
fn hostile() -> [FileQueries; 2] {
    let long_line = format!("User-agent: *\n{}\nDisallow: /\n", "é".repeat(20_000));
    let stars = format!("User-agent: *\nDisallow: /{}x\n", "*".repeat(2_000));
    let url = format!("https://example.com/{}", "a".repeat(1_000));
    [long_line, stars].map(|body| file(body, &[("GPTBot", &url)]))
}

#[test]
fn a_parser_that_panics_or_takes_hours_loses_these_files_alone() {
    let command = or_skip!(adapter("robotstxt"));
    let [long_line, stars] = hostile();
    let fine = || file(ALL, &[("GPTBot", "https://example.com/a")]);
    let files = [fine(), long_line, fine(), stars, fine(), fine()];
    let (_, replies) = ask(command, Duration::from_secs(2), &files);
    let faults = replies.iter().map(|reply| reply.result.as_ref().err());
    let kinds: Vec<_> = faults.map(|fault| fault.map(|fault| fault.kind)).collect();
    let [exited, timed_out] = [ParserFaultKind::Exited, ParserFaultKind::TimedOut].map(Some);
    assert_eq!(kinds, [None, exited, None, timed_out, None, None]);
}

#[test]
fn the_other_parsers_answer_what_ends_one() {
    for (name, command) in adapters().filter(|(name, _)| *name != "robotstxt") {
        let (_, replies) = ask(command, PATIENT, &hostile());
        let verdicts = replies
            .iter()
            .map(|reply| reply.result.as_ref().unwrap()[0].verdict);
        assert!(verdicts.eq([DISALLOW, ALLOW]), "{name}: {replies:?}");
    }
}
