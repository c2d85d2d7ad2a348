//! The reference: a third parser that says of each flip which side is as it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use robocensus::{Dialect, ProductTokens, Robots};
use serde_json::{Value, json};

use super::{
    bodies::bodies,
    command::{compare, hostile},
    files::{archive_of, totals},
    success::regressed,
};
use crate::util::{Census, Dir, TestCommand, assert_says, read_json};

/// Counts of flips by cause, with those of all causes under no name, and stance.
type Stances = BTreeMap<(String, &'static str), i64>;

const STANCES: [&str; 4] = [
    "towards_reference",
    "away_from_reference",
    "between_other_verdicts",
    "no_reference_verdict",
];

/// Counts the flips again, each by what the library decides for its file; asserts the column.
fn counted(flips: &Census, bodies: &[Vec<u8>], reference: &str) -> Stances {
    let flips = flips.table("flips");
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
fn stated(dir: &Dir, out: &str) -> Stances {
    let causes = Census(dir.path(out)).table("causes");
    let of_all = totals(dir, out)["stances"].take();
    let mut counts = Stances::new();
    for stance in STANCES {
        let ids = causes.all_texts("cause_id").into_iter();
        counts.extend((ids.map(|id| (id, stance))).zip(causes.all_ints(stance)));
        counts.insert(
            (String::new(), stance),
            of_all[stance].as_i64().unwrap_or(0),
        );
    }
    counts.retain(|_, n| *n > 0);
    counts
}

#[test]
fn each_flip_is_towards_the_reference_away_or_between() {
    let dir = Dir::new();
    let mut bodies = bodies();
    // A file of two captures.
    bodies.push(bodies[0].clone());
    let archive = dir.write("files.warc.gz", archive_of(&bodies));
    let sides = ["google-legacy", "python"];
    for (reference, n_stances) in [("google-legacy", 1), ("python", 1), ("rfc9309", 3)] {
        let [one, two] = ["one", "two"].map(|out| {
            let threads = if out == "one" { "1" } else { "2" };
            let out = dir.word(out);
            let words = [&*archive, "--out", &out, "--overwrite"];
            let more = ["--reference", reference, "--threads", threads];
            let ran = compare(sides[0], sides[1], &[&words[..], &more].concat()).end_with(1);
            assert_eq!(ran.stderr, "", "{reference}");
            Census(out.into())
        });
        assert!(one.files() == two.files(), "{reference}");
        let counted = counted(&one, &bodies, reference);
        assert_eq!(stated(&dir, "one"), counted, "{reference}");
        let of_all = counted.keys().filter(|(cause, _)| cause.is_empty());
        let of_all: Vec<&str> = of_all.map(|(_, stance)| *stance).collect();
        assert_eq!(of_all.len(), n_stances, "{of_all:?}");
        // A side that is the reference itself has all of them.
        let only = match reference {
            "google-legacy" => Some(STANCES[1]),
            "python" => Some(STANCES[0]),
            _ => None,
        };
        assert!(only.is_none_or(|only| of_all == [only]), "{of_all:?}");
    }
}

#[test]
fn without_a_reference_there_is_no_verdict_of_one() {
    let dir = Dir::new();
    let archive = dir.write("files.warc.gz", archive_of(&bodies()[..5]));
    compare("google", "python", &[&archive, "--out", &dir.word("out")]).end_with(1);
    let census = Census(dir.path("out"));
    let verdicts = census.table("flips").texts("reference_verdict");
    assert!(!verdicts.is_empty() && verdicts.iter().all(Option::is_none));
    let counts = census.table("causes").ints(STANCES[1]);
    assert!(counts.iter().all(Option::is_none), "{counts:?}");
    assert_eq!(totals(&dir, "out")["stances"], json!({}));
}

/// Compares google with python over files that flip in one cell each and tell the hostile parser
/// what to do, and one that does not flip.
fn compare_acts(dir: &Dir, acts: &[&str], more: &[&str]) -> TestCommand {
    let flipping = |act: &&str| format!("# {act}\nUser-agent: *\nAllow: /\nDisallow: /a\n");
    let bodies = acts.iter().map(flipping);
    let bodies = bodies.chain(["# die\nUser-agent: *\nDisallow: /b\n".to_owned()]);
    let bodies: Vec<Vec<u8>> = bodies.map(String::into_bytes).collect();
    let archive = dir.write("acts.warc.gz", archive_of(&bodies));
    let [urls, agents] =
        [("urls.txt", "/a\n"), ("agents.txt", "Foo\n")].map(|(a, b)| dir.write(a, b));
    let cells = ["--probes", "matrix", "--urls", &urls, "--agents", &agents];
    let words = [
        &*archive,
        "--out",
        &dir.word("out"),
        "--overwrite",
        "--workers",
        "1",
    ];
    compare("google", "python", &[&words, &cells, more].concat())
}

#[test]
fn a_reference_at_fault_has_no_verdict_and_is_told() {
    let dir = Dir::new();
    let acts = ["fine", "die", "error"];
    let [list, comment] = ["list.toml", "comment.md"].map(|name| dir.word(name));
    let accepted = ["--expect", &list, "--markdown", &comment];
    compare_acts(&dir, &acts, &["--write-expect", &list]).end_with(1);
    let reference = hostile();
    let reference = ["--reference", &*reference];
    // The causes are accepted, and the fault is not.
    let again = || compare_acts(&dir, &acts, &[&reference[..], &accepted].concat());
    let ran = again().end_with(1);
    assert_eq!(ran.stdout, "");
    assert_says(
        &ran.stderr,
        "reference: host-001.example: expected an answer",
    );
    let census = Census(dir.path("out"));
    let verdicts = census.table("flips").texts("reference_verdict");
    assert_eq!(verdicts, [Some("disallow".to_owned()), None, None]);
    let faults = census.table("parser_faults");
    // Once for each time that it is asked; the file that does not flip is not asked about.
    assert_eq!(faults.all_texts("side"), ["reference", "reference"]);
    assert_eq!(faults.all_texts("url_host_name"), ["host-001.example"; 2]);
    let stances = json!({ STANCES[1]: 1, STANCES[3]: 2 });
    let described: Value = read_json(dir.path("out/_comparison.json"));
    assert_eq!(described["sides"], json!(["google", "python", "hostile 1"]));
    assert_eq!(described["totals"]["stances"], stances);
    assert_eq!(described["causes"][0]["stances"], stances);
    let says = "`hostile 1`: of 3 flips, 1 away from reference (33.3 %), 2 no reference verdict";
    assert_says(&fs::read_to_string(&comment).unwrap(), says);
    assert!(dir.path("out/reference.stderr.txt").is_file());
    // It is accepted as any other.
    let write = [&reference[..], &["--write-expect", &list]].concat();
    compare_acts(&dir, &acts, &write).end_with(1);
    assert_eq!(again().succeed().stderr, "");
}

#[test]
fn a_reference_that_changes_its_answer_has_no_verdict() {
    let dir = Dir::new();
    let moody = regressed("moody");
    for (repeat, kinds, stance) in [
        ("1", &[][..], STANCES[0]),
        ("2", &["unstable_answer"], STANCES[3]),
    ] {
        let more = ["--reference", &moody, "--repeat", repeat];
        compare_acts(&dir, &["fine"], &more).end_with(1);
        let faults = Census(dir.path("out")).table("parser_faults");
        assert_eq!(faults.all_texts("kind"), kinds);
        // They are flips all the same.
        let totals = totals(&dir, "out");
        let found = [&totals["flips"], &totals["unstable"], &totals["stances"]];
        assert_eq!(found, [&json!(1), &json!(0), &json!({ stance: 1 })]);
    }
}

#[test]
fn a_parser_is_not_asked_about_crawlers_of_several_tokens() {
    let dir = Dir::new();
    let body = b"User-agent: *\nAllow: /\nDisallow: /a\n".to_vec();
    let archive = dir.write("files.warc.gz", archive_of(&[body]));
    let agents = dir.write("agents.txt", "Foo\nBar,Baz\n");
    let [out, reference] = [dir.word("out"), hostile()];
    let more = [
        "--reference",
        &reference,
        "--probes",
        "matrix",
        "--agents",
        &agents,
    ];
    let command = compare("google", "python", &more);
    command.words(&[&archive, "--out", &out]).end();
    let flips = Census(out.into()).table("flips");
    let rows = BTreeSet::from_iter(flips.lines("agent reference_verdict"));
    assert!(rows.iter().eq(["Bar,Baz -", "Foo disallow"]), "{rows:?}");
}
