//! The reference: a third parser that says of each flip which side is as it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use robocensus::{Dialect, ProductTokens, Robots};
use serde_json::{Value, json};

use super::{bodies::bodies, command::hostile, files::ComparedFiles, success::regressed};
use crate::util::{Census, Table, assert_says, read_json};

/// Counts of flips by cause, with those of all causes under no name, and stance.
type Stances = BTreeMap<(String, &'static str), i64>;

const STANCES: [&str; 4] = [
    "towards_reference",
    "away_from_reference",
    "between_other_verdicts",
    "no_reference_verdict",
];

/// Counts the flips again, each by what the library decides for its file; asserts the column.
fn counted(flips: &Table, bodies: &[Vec<u8>], reference: &str) -> Stances {
    let mut built_in = Dialect::BUILT_IN.into_iter();
    let dialect = built_in.find(|dialect| dialect.name == reference).unwrap();
    let columns = "url_host_name agent url cause_id \
                   baseline_verdict candidate_verdict reference_verdict";
    let mut counts = Stances::new();
    for row in flips.rows::<[String; 7]>(columns) {
        let [host, agent, path, cause, baseline, candidate, stated] = row;
        let number: usize = host[5..8].parse().unwrap();
        let url = format!("https://example.com{path}");
        let tokens = ProductTokens::new(agent.split(','));
        let decision = Robots::parse(&*bodies[number]).decide(dialect, tokens, url);
        let verdict = decision.verdict.as_str();
        assert_eq!(stated, verdict, "{host}: {path}");
        let stance = match verdict {
            verdict if verdict == candidate => STANCES[0],
            verdict if verdict == baseline => STANCES[1],
            _ => STANCES[2],
        };
        for cause in ["", &cause] {
            *counts.entry((cause.to_owned(), stance)).or_default() += 1;
        }
    }
    counts
}

/// Returns the counts that the table of causes and the totals state.
fn stated(files: &ComparedFiles) -> Stances {
    let causes = files.table("causes");
    let of_all = files.totals()["stances"].take();
    let mut counts = Stances::new();
    for stance in STANCES {
        let ids = causes.all_texts("cause_id").into_iter();
        counts.extend((ids.map(|id| (id, stance))).zip(causes.all_ints(stance)));
        let n = of_all[stance].as_i64().unwrap_or(0);
        counts.insert((String::new(), stance), n);
    }
    counts.retain(|_, n| *n > 0);
    counts
}

#[test]
fn each_flip_is_towards_the_reference_away_or_between() {
    let mut bodies = bodies();
    // A file of two captures.
    bodies.push(bodies[0].clone());
    let files = ComparedFiles::of(&bodies);
    // A side that is the reference itself has all of them.
    for (reference, only) in [
        ("google-legacy", Some(STANCES[1])),
        ("python", Some(STANCES[0])),
        ("rfc9309", None),
    ] {
        let [two, one] = ["2", "1"].map(|threads| {
            let flags = format!("--reference {reference} --threads {threads}");
            let command = files.compare(["google-legacy", "python"], &flags);
            assert_eq!(command.end_with(1).stderr, "", "{reference}");
            Census(files.dir.path("out")).files()
        });
        assert!(one == two, "{reference}");
        let counted = counted(&files.table("flips"), &bodies, reference);
        assert_eq!(stated(&files), counted, "{reference}");
        let of_all = counted.keys().filter(|(cause, _)| cause.is_empty());
        let of_all: Vec<&str> = of_all.map(|(_, stance)| *stance).collect();
        let is_so = only.map_or(of_all.len() == 3, |only| of_all == [only]);
        assert!(is_so, "{reference}: {of_all:?}");
    }
}

#[test]
fn without_a_reference_there_is_no_verdict_of_one() {
    let files = ComparedFiles::of(&bodies()[..5]);
    files.compare(["google", "python"], "").end_with(1);
    let verdicts = files.table("flips").texts("reference_verdict");
    assert!(!verdicts.is_empty() && verdicts.iter().all(Option::is_none));
    let counts = files.table("causes").ints(STANCES[1]);
    assert!(counts.iter().all(Option::is_none), "{counts:?}");
    assert_eq!(files.totals()["stances"], json!({}));
}

/// Returns files that flip between google and python in one cell each and tell the hostile parser
/// what to do, and one that does not flip; and the flags of that cell.
fn files_of_acts(acts: &[&str]) -> (ComparedFiles, String) {
    let flipping = |act: &&str| format!("# {act}\nUser-agent: *\nAllow: /\nDisallow: /a\n");
    let bodies = acts.iter().map(flipping);
    let bodies = bodies.chain(["# die\nUser-agent: *\nDisallow: /b\n".to_owned()]);
    let files = ComparedFiles::of(&bodies.collect::<Vec<_>>());
    let [urls, agents] = [("urls.txt", "/a\n"), ("agents.txt", "Foo\n")]
        .map(|(name, text)| files.dir.write(name, text));
    let flags = format!("--workers 1 --probes matrix --urls {urls} --agents {agents}");
    (files, flags)
}

#[test]
fn a_reference_at_fault_has_no_verdict_and_is_told() {
    let (files, cell) = files_of_acts(&["fine", "die", "error"]);
    let dir = &files.dir;
    let [list, comment] = ["list.toml", "comment.md"].map(|name| dir.word(name));
    let compare = |flags: String| files.compare(["google", "python"], &format!("{cell} {flags}"));
    let reference = hostile();
    let with_reference = |flags: String| {
        let command = compare(flags);
        command.words(&["--reference", &reference])
    };
    compare(format!("--write-expect {list}")).end_with(1);
    // The causes are accepted, and the fault is not.
    let again = || with_reference(format!("--expect {list} --markdown {comment}"));
    let ran = again().end_with(1);
    assert_eq!(ran.stdout, "");
    let says = "reference: host-001.example: expected an answer";
    assert_says(&ran.stderr, says);
    let verdicts = files.table("flips").texts("reference_verdict");
    assert_eq!(verdicts, [Some("disallow".to_owned()), None, None]);
    // Once for each time that it is asked; the file that does not flip is not asked about.
    let faults = files.table("parser_faults").lines("side url_host_name");
    assert_eq!(faults, ["reference host-001.example"; 2]);
    let stances = json!({ STANCES[1]: 1, STANCES[3]: 2 });
    let described: Value = read_json(dir.path("out/_comparison.json"));
    assert_eq!(described["sides"], json!(["google", "python", "hostile 1"]));
    assert_eq!(described["totals"]["stances"], stances);
    assert_eq!(described["causes"][0]["stances"], stances);
    let says = "`hostile 1`: of 3 flips, 1 away from reference (33.3 %), 2 no reference verdict";
    assert_says(&fs::read_to_string(&comment).unwrap(), says);
    assert!(dir.path("out/reference.stderr.txt").is_file());
    // It is accepted as any other.
    with_reference(format!("--write-expect {list}")).end_with(1);
    assert_eq!(again().succeed().stderr, "");
}

#[test]
fn a_reference_that_changes_its_answer_has_no_verdict() {
    let (files, cell) = files_of_acts(&["fine"]);
    let moody = regressed("moody");
    for (repeat, kinds, stance) in [
        ("1", &[][..], STANCES[0]),
        ("2", &["unstable_answer"], STANCES[3]),
    ] {
        let command = files.compare(["google", "python"], &cell);
        let more = ["--reference", &moody, "--repeat", repeat];
        command.words(&more).end_with(1);
        assert_eq!(files.table("parser_faults").all_texts("kind"), kinds);
        // They are flips all the same.
        let totals = files.totals();
        let found = [&totals["flips"], &totals["unstable"], &totals["stances"]];
        assert_eq!(found, [&json!(1), &json!(0), &json!({ stance: 1 })]);
    }
}

#[test]
fn a_parser_is_not_asked_about_crawlers_of_several_tokens() {
    let files = ComparedFiles::of(&["User-agent: *\nAllow: /\nDisallow: /a\n"]);
    let agents = files.dir.write("agents.txt", "Foo\nBar,Baz\n");
    let flags = format!("--probes matrix --agents {agents}");
    let command = files.compare(["google", "python"], &flags);
    command.words(&["--reference", &hostile()]).end();
    let rows = BTreeSet::from_iter(files.table("flips").lines("agent reference_verdict"));
    assert!(rows.iter().eq(["Bar,Baz -", "Foo disallow"]), "{rows:?}");
}
