//! `robocensus reduce`: the smallest robots.txt, agent and URL on which two parsers still differ,
//! among them external ones that fail meanwhile.

use std::fs;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::util::{Dir, TestCommand, assert_begins, assert_says};

const LARGE: &str = "# Welcome\nUser-agent: GPTBot\nDisallow: /gpt\n\nUser-agent: *\nCrawl-delay: 3\nDisallow: /cgi-bin/\nDisallow: /*.pdf\nAllow: /public\n\nSitemap: https://a.example/s.xml\n";

/// A parser of the protocol: `answer(body, agent, url)` is given by each test.
const PARSER: &str = r#"
import base64, json, sys
hello = json.loads(sys.stdin.readline())
print(json.dumps({"protocol": hello["protocol"], "name": "mine", "version": "7"}), flush=True)
n_asked = 0
for line in sys.stdin:
    request = json.loads(line)
    n_asked += 1
    body = base64.b64decode(request["robots_b64"])
    verdicts = [answer(body, q["agent"], q["url"], n_asked) for q in request["queries"]]
    print(json.dumps({"id": request["id"], "verdicts": verdicts}), flush=True)
"#;

/// Writes a parser and returns it as a side. `answer` is the body of a function in Python.
fn parser(dir: &Dir, name: &str, answer: &str) -> String {
    let head = format!("def answer(body, agent, url, n_asked):\n    {answer}\n");
    let path = dir.write(name, format!("{head}{PARSER}"));
    format!("exec:python3 '{path}'")
}

fn reduce(dir: &Dir, body: impl AsRef<[u8]>, sides: [&str; 2]) -> TestCommand {
    let path = dir.write("flip.txt", body);
    let [baseline, candidate] = sides;
    TestCommand::line("reduce --agent GPTBot --url /public/a.pdf").words(&[
        &path,
        "--baseline",
        baseline,
        "--candidate",
        candidate,
    ])
}

/// Runs the command with `--json`, and returns what it printed with the body of the small file.
fn reduced(command: TestCommand) -> (Value, Vec<u8>) {
    let value: Value = command.words(&["--json"]).json();
    let body = STANDARD
        .decode(value["robots_b64"].as_str().unwrap())
        .unwrap();
    (value, body)
}

#[test]
fn the_smallest_file_agent_and_url_are_printed() {
    let dir = Dir::new();
    let body = LARGE.replace("/gpt", "/*.pdf");
    let sides = ["google", "original-1994"];
    let text = reduce(&dir, &body, sides).succeed().stdout;
    let (value, small) = reduced(reduce(&dir, &body, sides));
    assert!(small.len() < 40, "{value}");
    assert_eq!(value["is_minimal"], true);
    assert_eq!(value["baseline"]["verdict"], "disallow");
    assert_eq!(value["candidate"]["verdict"], "allow");
    assert_eq!(value["bytes_before"], body.len());
    let small = String::from_utf8(small).unwrap();
    // The older dialect reads no misspelled keys: that would be another reason.
    assert_says(&small, "ser-agent");
    assert_says(&small, "isallow");
    let change = value["changes"][0].as_str().unwrap();
    for part in [
        "baseline    google: disallow by line 2\n".to_owned(),
        format!("changes     {change}\n"),
        format!("agent       {}\n", value["agent"].as_str().unwrap()),
        format!("url         {}\n", value["url"].as_str().unwrap()),
        format!(
            "{} of {} bytes; no line and no byte can be removed\n",
            small.len(),
            body.len()
        ),
        format!("       1 | {}\n", small.lines().next().unwrap()),
    ] {
        assert!(text.contains(&part), "{part:?} in\n{text}");
    }
    // The program's own answers to the small file are those that were wanted.
    for (dialect, verdict) in sides.into_iter().zip(["disallow", "allow"]) {
        let words = ["check", "-", "--dialect", dialect, "--agent"];
        let (agent, url) = (&value["agent"], &value["url"]);
        let ran = TestCommand::new(words)
            .words(&[agent.as_str().unwrap(), "--url", url.as_str().unwrap()])
            .stdin(small.clone().into())
            .succeed();
        assert_begins(&ran.stdout, &format!("verdict   {verdict}\n"));
    }
}

#[test]
fn the_reason_of_the_flip_stays() {
    let dir = Dir::new();
    // Two reasons: the case of the agent, and the asterisk. The first rule decides by the second.
    dir.write(
        "mine.toml",
        "base = \"google\"\nagent_case = \"sensitive\"\n",
    );
    let mine = dir.word("mine.toml");
    let body = format!("User-agent: gptbot\nDisallow: /\n\n{LARGE}");
    let (value, small) = reduced(reduce(&dir, body, ["google", &mine]));
    assert_eq!(
        value["changes"],
        serde_json::json!(["agent_case=sensitive"])
    );
    let small = String::from_utf8(small).unwrap().to_lowercase();
    assert!(small.contains("agent"), "{small}");
}

#[test]
fn an_external_parser_is_asked_at_each_step() {
    let dir = Dir::new();
    let mine = parser(
        &dir,
        "p.py",
        "return 'disallow' if b'Sitemap' in body else 'allow'",
    );
    for sides in [["google", &*mine], [&*mine, "google"]] {
        let body = format!("{LARGE}\u{e9}\n").into_bytes();
        let body = [body, b"\xff\xfe\n".to_vec()].concat();
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
        assert_eq!(
            (&value["is_minimal"], &value["changes"]),
            (&true.into(), &Value::Null)
        );
        let text = command().succeed().stdout;
        assert!(
            text.contains(": mine 7: ") || text.contains("  mine 7: disallow\n"),
            "{text}"
        );
    }
}

#[test]
fn a_body_that_is_no_utf8_is_reduced_byte_by_byte() {
    let dir = Dir::new();
    let mine = parser(
        &dir,
        "p.py",
        r"return 'disallow' if b'\xff\x00' in body else 'allow'",
    );
    let body = [&b"\xfe\xffa\n\xff\x00\r\r"[..], LARGE.as_bytes(), b"\xc3"].concat();
    let body = String::from_utf8_lossy(&body)
        .replace("/*.pdf", "/p")
        .into_bytes();
    let body = [&b"\xff\x00\n"[..], &body].concat();
    let (_, small) = reduced(reduce(&dir, &body, ["google", &mine]));
    assert_eq!(small, b"\xff\x00");
    let text = reduce(&dir, &body, ["google", &mine]).succeed().stdout;
    assert!(text.contains("       1 | \\xff\\u{0}\n"), "{text}");
}

#[test]
fn a_parser_that_dies_on_some_files_costs_only_these() {
    let dir = Dir::new();
    let dies =
        "if b'#' not in body: sys.exit(3)\n    return 'disallow' if b'Allow' in body else 'allow'";
    let mine = parser(&dir, "p.py", dies);
    let body = LARGE.replace("/*.pdf", "/p");
    let (value, small) = reduced(reduce(&dir, &body, ["google", &mine]));
    // Lines are removed, but not their ends alone.
    assert_eq!(small, b"#\nAllow:/");
    assert_eq!(value["is_minimal"], true);
    assert!(value["faults"].as_u64().unwrap() > 0, "{value}");
    let text = reduce(&dir, &body, ["google", &mine]).succeed().stdout;
    assert!(text.contains(" of which a parser failed\n"), "{text}");
}

#[test]
fn without_a_flip_there_is_one_sentence() {
    let dir = Dir::new();
    reduce(&dir, LARGE, ["google", "google"]).refuse(&[
        "flip.txt: expected an agent and a URL on which the parsers differ, but google and google both answer allow",
    ]);
    let same = parser(&dir, "same.py", "return 'allow'");
    reduce(&dir, "", ["google", &same]).refuse(&["google and mine 7 both answer allow"]);
    let errs = parser(&dir, "errs.py", "return 'error'");
    reduce(&dir, "", ["google", &errs]).refuse(&["mine 7: expected a verdict"]);
    let dies = parser(&dir, "dies.py", "sys.exit(3)");
    reduce(&dir, "", ["google", &dies]).refuse(&["mine 7: ", "exit status: 3"]);
    let fickle = parser(
        &dir,
        "fickle.py",
        "return 'disallow' if n_asked < 4 else 'allow'",
    );
    reduce(&dir, "# a\n# b\n# c\n", ["google", &fickle])
        .refuse(&["flip.txt: ", "asked about the reduced file again"]);
    let path = dir.word("nowhere.txt");
    TestCommand::line("reduce --agent a --url / --baseline google --candidate python")
        .words(&[path])
        .refuse(&["nowhere.txt: cannot read"]);
}

#[test]
fn a_search_that_ends_early_says_so() {
    let dir = Dir::new();
    let body = LARGE.replace("/gpt", "/*.pdf");
    for steps in ["0", "3"] {
        let command =
            || reduce(&dir, &body, ["google", "original-1994"]).words(&["--reduce-steps", steps]);
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
    let body = LARGE.replace("/gpt", "/*.pdf");
    let sides = ["google", "original-1994"];
    let out = dir.word("small.txt");
    let (_, small) = reduced(reduce(&dir, &body, sides).words(&["--out", &out]));
    assert_eq!(fs::read(&out).unwrap(), small);
    let flip = dir.word("flip.txt");
    reduce(&dir, &body, sides)
        .words(&["--out", &flip])
        .refuse(&["this is an input"]);
    assert_eq!(fs::read(&flip).unwrap(), body.as_bytes());
}
