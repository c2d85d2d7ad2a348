//! What continuous integration reads: JUnit XML, SARIF, Markdown and `_comparison.json`.

use std::fs;

use serde_json::Value;

use super::{bodies::bodies, command::hostile, files::ComparedFiles, success::regressed};
use crate::util::{Ran, assert_says, read_json};

/// Compares, and returns what ran with the JUnit XML and the SARIF log.
fn gated(files: &ComparedFiles, sides: [&str; 2], flags: &str) -> (Ran, String, Value) {
    let [junit, sarif] = ["j.xml", "s.sarif"].map(|name| files.dir.word(name));
    let command = files.compare(sides, flags);
    let ran = command.words(&["--junit", &junit, "--sarif", &sarif]).end();
    (ran, fs::read_to_string(junit).unwrap(), read_json(sarif))
}

/// Asserts what `junit-10.xsd` of the xunit plugin of Jenkins requires, and that sums are right;
/// returns the number of failures and of skipped test cases.
fn assert_junit(text: &str) -> [usize; 2] {
    fn elements<'a>(of: roxmltree::Node<'a, 'a>) -> Vec<roxmltree::Node<'a, 'a>> {
        of.children().filter(roxmltree::Node::is_element).collect()
    }
    let document = roxmltree::Document::parse(text).unwrap();
    let root = document.root_element();
    assert!(root.has_tag_name("testsuites"));
    let [suite] = elements(root)[..] else {
        panic!("{text}");
    };
    assert!(suite.has_tag_name("testsuite") && suite.has_attribute("name"));
    let cases = elements(suite);
    let count = |tag: &str| {
        let outcomes = cases.iter().flat_map(roxmltree::Node::children);
        outcomes.filter(|node| node.has_tag_name(tag)).count()
    };
    for case in &cases {
        let names: Vec<_> = case.attributes().map(|a| a.name()).collect();
        assert_eq!(names, ["classname", "name"]);
        for outcome in case.children() {
            let name = outcome.tag_name().name();
            assert!(["failure", "skipped"].contains(&name), "{name}");
            assert!(outcome.has_attribute("message"));
        }
    }
    let sums = ["tests", "failures", "errors", "skipped"].map(|sum| suite.attribute(sum).unwrap());
    let found = [cases.len(), count("failure"), 0, count("skipped")];
    assert_eq!(sums, found.map(|n| n.to_string()).each_ref().map(|n| &**n));
    [found[1], found[3]]
}

/// Asserts what the schema of SARIF 2.1.0 requires of the objects that are used, and that rules are
/// found by their indexes.
fn assert_sarif(log: &Value) {
    let keys = |value: &Value| {
        let keys = value.as_object().unwrap().keys();
        keys.cloned().collect::<Vec<_>>()
    };
    assert_eq!(keys(log), ["$schema", "runs", "version"]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(keys(run), ["invocations", "results", "tool"]);
    let rules = &run["tool"]["driver"]["rules"];
    assert!(run["tool"]["driver"]["name"].is_string());
    let invocation = &run["invocations"][0];
    assert!(invocation["executionSuccessful"].is_boolean());
    let is_level = |level: &Value| ["error", "note"].iter().any(|known| level == known);
    for notification in invocation["toolExecutionNotifications"].as_array().unwrap() {
        assert!(is_level(&notification["level"]) && notification["message"]["text"].is_string());
    }
    for (index, result) in run["results"].as_array().unwrap().iter().enumerate() {
        assert!(is_level(&result["level"]) && result["message"]["text"].is_string());
        assert_eq!(result["ruleIndex"], index);
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let location = &result["locations"][0]["physicalLocation"];
        assert!(location["artifactLocation"]["uri"].is_string());
        let suppressions = result.get("suppressions").and_then(Value::as_array);
        for suppression in suppressions.into_iter().flatten() {
            assert_eq!(keys(suppression), ["justification", "kind", "status"]);
            assert!(suppression["justification"].is_string());
        }
        let line = location["region"].get("startLine");
        assert!(line.is_none_or(|line| line.as_u64().unwrap() > 0));
    }
}

fn described(files: &ComparedFiles) -> Value {
    read_json(files.dir.path("out/_comparison.json"))
}

fn gate(files: &ComparedFiles) -> Value {
    described(files)["gate"].take()
}

#[test]
#[cfg(target_os = "linux")]
fn time_and_memory_of_both_sides_are_measured_and_have_limits() {
    let bodies = [0, 1, 2].map(|n| format!("User-agent: *\nDisallow: /{n}\n"));
    let files = ComparedFiles::of(&bodies);
    let sides = [regressed(""), regressed("greedy")];
    let [mild, strict] = [("mild", 9.0), ("strict", 1.2)].map(|(name, most)| {
        let limits = format!("[limits]\nmax_time_ratio = {most}\nmax_memory_ratio = {most}\n");
        files.dir.write(name, limits)
    });
    let compared = |list: &str| {
        let flags = format!("--expect {list} --workers 1 --timeout 1m");
        gated(&files, [&sides[0], &sides[1]], &flags)
    };
    let (ran, junit, _) = compared(&mild);
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, "", ""));
    assert_eq!(assert_junit(&junit), [0, 0]);
    let usage = described(&files)["usage"].take();
    let values = |name: &str| [0, 1].map(|side| usage[side][name].as_f64().unwrap());
    let time = values("cpu_milliseconds");
    assert!(time[0] < 500.0 && time[1] > 1400.0, "{usage}");
    let memory = values("peak_bytes").map(|bytes| bytes / f64::from(1 << 20));
    assert!(memory[0] > 4.0 && memory[1] > memory[0] + 60.0, "{usage}");
    let (ran, junit, _) = compared(&strict);
    assert_eq!((ran.code, assert_junit(&junit)), (1, [1, 0]));
    for name in ["processor time", "peak memory"] {
        assert_says(&ran.stderr, &format!("{name}: expected at most 1.2 times"));
    }
    assert_eq!(gate(&files)["reasons"].as_array().unwrap().len(), 2);
    // A dialect is not measured, which is said.
    let (ran, ..) = gated(&files, ["google", "google"], &format!("--expect {strict}"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_says(&ran.stdout, "note: the limits of time and memory");
}

#[test]
fn a_cause_is_a_test_and_a_result_until_it_is_accepted() {
    let files = ComparedFiles::of(&bodies());
    let list = files.dir.word("accepted.toml");
    let gated = |flag: &str| gated(&files, ["google", "python"], &format!("{flag} {list}"));
    let (ran, junit, sarif) = gated("--write-expect");
    let [failures, skipped] = assert_junit(&junit);
    assert_sarif(&sarif);
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!((ran.code, results.len(), skipped), (1, failures, 0));
    assert!(results.len() > 3);
    assert_eq!(gate(&files)["passed"], false);
    assert_eq!(described(&files)["causes"][0]["state"], "new");
    for result in results {
        // The file is there, has the line, and is what the test says.
        let location = &result["locations"][0]["physicalLocation"];
        let uri = location["artifactLocation"]["uri"].as_str().unwrap();
        let body = fs::read(files.dir.path("out").join(uri)).unwrap();
        let n_lines = body.split(|&byte| byte == b'\n').count() as u64;
        let line = location["region"]["startLine"].as_u64();
        assert!(line.is_none_or(|line| line <= n_lines));
        assert_says(&junit, &format!("{uri}:\n"));
        assert!(result.get("suppressions").is_none());
    }
    let stale = "\n[[cause]]\nfingerprint = \"00000000\"\nreason = \"x\"\n";
    fs::write(&list, fs::read_to_string(&list).unwrap() + stale).unwrap();
    let (ran, junit, sarif) = gated("--expect");
    assert_eq!((ran.code, assert_junit(&junit)), (0, [0, 1]));
    assert_sarif(&sarif);
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let suppression = &result["suppressions"][0];
        assert_eq!(suppression["kind"], "external");
        let reason = "found by robocensus compare, not yet reviewed";
        assert_eq!(suppression["justification"], reason);
    }
    assert_eq!(described(&files)["causes"][0]["state"], "accepted");
    let passed = serde_json::json!({ "passed": true, "reasons": [] });
    assert_eq!(gate(&files), passed);
}

#[test]
fn there_is_a_failure_if_and_only_if_the_exit_code_is_1() {
    let fault = b"# die\nUser-agent: *\nDisallow: /\n".to_vec();
    for (bodies, candidate) in [
        (Vec::new(), "google"),
        (bodies(), "google"),
        (vec![fault], &hostile()),
    ] {
        let files = ComparedFiles::of(&bodies);
        let (ran, junit, sarif) = gated(&files, ["google", candidate], "");
        let [failures, _] = assert_junit(&junit);
        assert_sarif(&sarif);
        let n = bodies.len();
        assert_eq!(failures > 0, ran.code == 1, "{n} files: {}", ran.stderr);
        assert_eq!(gate(&files)["passed"], ran.code == 0);
        let notifications = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notifications.as_array().unwrap().is_empty(), ran.code == 0);
    }
}

#[test]
fn no_file_breaks_out_of_xml_or_sarif() {
    let hostile =
        "User-agent: *\r\nDisallow: /%2A]]></failure>&\"'<!--{0}[a](b)\u{202e}\u{ffff}\u{1b}\r\n";
    let files = ComparedFiles::of(&[hostile]);
    let (ran, junit, sarif) = gated(&files, ["google", "python"], "--reduce-steps 0");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_junit(&junit);
    assert_sarif(&sarif);
    assert_says(&junit, "\\u{202e}\\u{ffff}\\u{1b}");
    assert!(!sarif.to_string().contains('\u{202e}'));
}
