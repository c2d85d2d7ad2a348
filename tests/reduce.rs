//! `robocensus reduce`: the smallest robots.txt, agent and URL on which two parsers still differ,
//! among them external ones that fail meanwhile.

use std::fs;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::util::{Dir, TestCommand, assert_begins, assert_says, parser};

const LARGE: &str = "# Welcome\nUser-agent: GPTBot\nDisallow: /gpt\n\nUser-agent: *\nCrawl-delay: 3\nDisallow: /cgi-bin/\nDisallow: /*.pdf\nAllow: /public\n\nSitemap: https://a.example/s.xml\n";

/// Two dialects that differ on [`large`].
const SIDES: [&str; 2] = ["google", "original-1994"];

/// Returns a file in which a rule has an asterisk, for the agent and URL of [`reduce`].
fn large() -> String {
    LARGE.replace("/gpt", "/*.pdf")
}

fn reduce(dir: &Dir, body: impl AsRef<[u8]>, sides: [&str; 2]) -> TestCommand {
    let path = dir.write("flip.txt", body);
    TestCommand::line("reduce --agent GPTBot --url /public/a.pdf --baseline").words(&[
        sides[0],
        "--candidate",
        sides[1],
        &path,
    ])
}

/// Runs the command with `--json`, and returns what it printed with the body of the small file.
fn reduced(command: TestCommand) -> (Value, Vec<u8>) {
    let value: Value = command.words(&["--json"]).json();
    let body = STANDARD.decode(value["robots_b64"].as_str().unwrap());
    (value, body.unwrap())
}

#[test]
fn the_smallest_file_agent_and_url_are_printed() {
    let dir = Dir::new();
    let body = large();
    let text = reduce(&dir, &body, SIDES).succeed().stdout;
    let (value, small) = reduced(reduce(&dir, &body, SIDES));
    assert!(small.len() < 40, "{value}");
    assert_eq!(value["is_minimal"], true);
    assert_eq!(value["baseline"]["verdict"], "disallow");
    assert_eq!(value["candidate"]["verdict"], "allow");
    assert_eq!(value["bytes_before"], body.len());
    let small = String::from_utf8(small).unwrap();
    // The older dialect reads no misspelled keys: that would be another reason.
    assert_says(&small, "ser-agent");
    assert_says(&small, "isallow");
    let [change, agent, url] = [&value["changes"][0], &value["agent"], &value["url"]];
    let [change, agent, url] = [change, agent, url].map(|value| value.as_str().unwrap());
    let [n, n_before] = [small.len(), body.len()];
    for part in [
        "baseline    google: disallow by line 2\n",
        &format!("changes     {change}\n"),
        &format!("agent       {agent}\n"),
        &format!("url         {url}\n"),
        &format!("{n} of {n_before} bytes; no line and no byte can be removed\n"),
        &format!("       1 | {}\n", small.lines().next().unwrap()),
    ] {
        assert_says(&text, part);
    }
    // The program's own answers to the small file are those that were wanted.
    for (dialect, verdict) in SIDES.into_iter().zip(["disallow", "allow"]) {
        let words = ["check", "-", "--dialect", dialect, "--agent", agent];
        let ran = TestCommand::new(words)
            .words(&["--url", url])
            .stdin(small.clone().into())
            .succeed();
        assert_begins(&ran.stdout, &format!("verdict   {verdict}\n"));
    }
}

#[test]
fn the_reason_of_the_flip_stays() {
    let dir = Dir::new();
    // Two reasons: the case of the agent, and the asterisk. The first rule decides by the second.
    let text = "base = \"google\"\nagent_case = \"sensitive\"\n";
    let mine = dir.write("mine.toml", text);
    let body = format!("User-agent: gptbot\nDisallow: /\n\n{LARGE}");
    let (value, small) = reduced(reduce(&dir, body, ["google", &mine]));
    assert_eq!(value["changes"], json!(["agent_case=sensitive"]));
    assert_says(&String::from_utf8(small).unwrap().to_lowercase(), "agent");
}

#[test]
fn an_external_parser_is_asked_at_each_step() {
    let dir = Dir::new();
    let mine = parser(&dir, "mine", "b'Sitemap' not in body");
    for sides in [["google", &*mine], [&*mine, "google"]] {
        let body = [LARGE.as_bytes(), b"\xc3\xa9\n\xff\xfe\n"].concat();
        let path = dir.write("flip.txt", &body);
        let command = || {
            let words = [&path, "--baseline", sides[0], "--candidate", sides[1]];
            TestCommand::line("reduce --agent Bot --url /public/a.html?x").words(&words)
        };
        let (value, small) = reduced(command());
        // Nobody knows why it flips, so that the line stays one with a colon and a value.
        assert_eq!(small, b"Sitemap:a");
        assert_eq!(value["agent"].as_str().map(str::len), Some(1));
        assert_eq!(value["url"], "https://example.com/");
        let found = (&value["is_minimal"], &value["changes"]);
        assert_eq!(found, (&json!(true), &Value::Null));
        let text = command().succeed().stdout;
        let is_shown = text.contains(": mine 7: ") || text.contains("  mine 7: disallow\n");
        assert!(is_shown, "{text}");
    }
}

#[test]
fn a_body_that_is_no_utf8_is_reduced_byte_by_byte() {
    let dir = Dir::new();
    let mine = parser(&dir, "mine", r"b'\xff\x00' not in body");
    let text = LARGE.replace("/*.pdf", "/p");
    let body = [
        b"\xff\x00\n\xfe\xffa\n\xff\x00\r\r",
        text.as_bytes(),
        b"\xc3",
    ]
    .concat();
    let (_, small) = reduced(reduce(&dir, &body, ["google", &mine]));
    assert_eq!(small, b"\xff\x00");
    let text = reduce(&dir, &body, ["google", &mine]).succeed().stdout;
    assert_says(&text, "       1 | \\xff\\u{0}\n");
}

#[test]
fn a_parser_that_dies_on_some_files_costs_only_these() {
    let dir = Dir::new();
    let dies = "sys.exit(3) if b'#' not in body else b'Allow' not in body";
    let mine = parser(&dir, "mine", dies);
    let body = LARGE.replace("/*.pdf", "/p");
    let (value, small) = reduced(reduce(&dir, &body, ["google", &mine]));
    // Lines are removed, but not their ends alone.
    assert_eq!(small, b"#\nAllow:/");
    assert_eq!(value["is_minimal"], true);
    assert!(value["faults"].as_u64().unwrap() > 0, "{value}");
    let text = reduce(&dir, &body, ["google", &mine]).succeed().stdout;
    assert_says(&text, " of which a parser failed\n");
}

#[test]
fn without_a_flip_there_is_one_sentence() {
    let dir = Dir::new();
    let same = "flip.txt: expected an agent and a URL on which the parsers differ, but google and google both answer allow";
    reduce(&dir, LARGE, ["google", "google"]).refuse(&[same]);
    for (answer, body, says) in [
        ("'allow'", "", &["google and mine 7 both answer allow"][..]),
        ("'error'", "", &["mine 7: expected a verdict"]),
        ("sys.exit(3)", "", &["mine 7: ", "exit status: 3"]),
        (
            "len(asked) >= 4",
            "# a\n# b\n# c\n",
            &["flip.txt: ", "asked about the reduced file again"],
        ),
    ] {
        let mine = parser(&dir, "mine", answer);
        reduce(&dir, body, ["google", &mine]).refuse(says);
    }
    TestCommand::line("reduce --agent a --url / --baseline google --candidate python")
        .words(&[dir.word("nowhere.txt")])
        .refuse(&["nowhere.txt: cannot read"]);
}

#[test]
fn a_search_that_ends_early_says_so() {
    let dir = Dir::new();
    for steps in ["0", "3"] {
        let command = || reduce(&dir, large(), SIDES).words(&["--reduce-steps", steps]);
        let (value, _) = reduced(command());
        assert_eq!(value["is_minimal"], false);
        assert_eq!(value["steps"].to_string(), steps);
        let text = command().succeed().stdout;
        assert_says(&text, "not minimal: --reduce-steps ended the search\n");
    }
}

#[test]
fn the_small_file_is_written_and_no_input_is() {
    let dir = Dir::new();
    let reduce = |out: &str| reduce(&dir, large(), SIDES).words(&["--out", out]);
    let [out, flip] = ["small.txt", "flip.txt"].map(|name| dir.word(name));
    let (_, small) = reduced(reduce(&out));
    assert_eq!(fs::read(&out).unwrap(), small);
    reduce(&flip).refuse(&["this is an input"]);
    assert_eq!(fs::read(&flip).unwrap(), large().as_bytes());
}
