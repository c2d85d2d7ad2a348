//! Mutants of a small parser, each with one mistake: a list of what is accepted for one of them
//! holds for it on other files, and for no other mutant.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    time::Duration,
};

use robocensus::{
    Progress,
    archive::input,
    compare::{
        CompareConfig, CompareInput, Comparison, SideConfig, compare, expect::AcceptedCauses,
        external::ParserCommand, formats::to_toml,
    },
};

use super::files::archive_of;
use crate::util::{Census, Dir, package};

const N_MUTANTS: usize = 26;
/// Of which one in so many is asked, unless the variable `MUTANTS` is `all`: all take minutes.
const ONE_IN: usize = 5;
/// Files of an archive.
const N_FILES: usize = 12;
/// Causes that one archive may show and the other not: so few files have few of the forms in which
/// a mistake shows.
const MOST_NEW: usize = 3;

/// What files are made of, with `|` between; an `@` in a pattern is one of these words.
const WORDS: &str = "shop|cart|admin|private|search|tmp|img|news";
const AGENTS: &str = "*|*|*|*|GPTBot|Foo|foo/1.0|BarGPTBot";
const PATTERNS: &str = "/@|/@/|/@/@|/|/@*|/*.@$|/*?@=|/@/*/@|/@$|/@/%7e@|/@%2f@|/@é|\
    /@你好|/@?@|/A@|||@|/@ # @|*@|/robots.txt|/*|/@%c3%a9|/$";
const LINES: &str = "Disallow: |Disallow: |Disallow: |Allow: |Allow: |Disallow: |Allow: |\
    disallow: |  Disallow: |Disallow : |\nDisallow: |Crawl-delay: 3\nAllow: ";

/// The next numbers of a sequence, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn pick<'w>(&mut self, words: &'w str) -> &'w str {
        let product = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = product.wrapping_add(1_442_695_040_888_963_407);
        let words: Vec<_> = words.split('|').collect();
        words[(self.0 >> 33) as usize % words.len()]
    }

    fn pattern(&mut self) -> String {
        let pattern = self.pick(PATTERNS);
        let mut pieces = pattern.split('@');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |text, piece| text + self.pick(WORDS) + piece)
    }

    fn body(&mut self) -> Vec<u8> {
        let mut text = self.pick("|||\u{feff}").to_owned();
        for group in 0..self.pick("1|12|12|123").len() {
            text.push_str(if group > 0 { "\n" } else { "" });
            text.push_str(&format!("User-agent: {}\n", self.pick(AGENTS)));
            for _ in 0..self.pick("12|123|1234").len() {
                let pattern = self.pattern();
                text.push_str(&format!("{}{pattern}\n", self.pick(LINES)));
                let longer = self.pick("||x|/|é");
                if !longer.is_empty() && !pattern.is_empty() {
                    text.push_str(&format!("{}{pattern}{longer}\n", self.pick(LINES)));
                }
            }
        }
        let end = self.pick("\n|\n|\n|\r\n|\r");
        text.replace('\n', end).into_bytes()
    }
}

/// Returns a mutant, 0 for the parser without a mistake.
fn mutant(number: usize) -> SideConfig {
    let script = package().join("tests/adapters/mutant.py");
    let path = format!("PYTHONPATH={}", package().join("parsers/python").display());
    let command = format!("env {path} python3 -B {} {number}", script.display());
    SideConfig::External(ParserCommand {
        words: command.split(' ').map(str::to_owned).collect(),
        workers: 1,
        in_flight: 8,
        timeout: Duration::from_secs(30),
    })
}

/// Compares the parser with a mutant; returns what was found, and the cells that flip.
fn compared(dir: &Dir, archive: &str, number: usize) -> (Comparison, BTreeSet<String>) {
    let out = format!("{number}-{archive}");
    let config = CompareConfig::new(dir.path(&out), mutant(0), mutant(number));
    let archives = input::expand(&[dir.word(archive)]).unwrap();
    let input = CompareInput::Archives(&archives);
    let comparison = compare(&config, input, &Progress::default()).unwrap();
    let flips = Census(dir.path(&out)).table("flips");
    let cells = flips.lines("content_digest agent url");
    (comparison, cells.into_iter().collect())
}

#[test]
fn the_list_of_a_mutant_holds_for_it_on_other_files_and_for_no_other_one() {
    let dir = Dir::new();
    for (seed, archive) in [(1, "one.warc.gz"), (2, "two.warc.gz")] {
        let mut numbers = Numbers(seed);
        let bodies: Vec<Vec<u8>> = (0..N_FILES).map(|_| numbers.body()).collect();
        dir.write(archive, archive_of(&bodies));
    }
    let is_all = env::var("MUTANTS").is_ok_and(|all| all == "all");
    let step = if is_all { 1 } else { ONE_IN };
    let mutants = (1..=N_MUTANTS).step_by(step);
    let lists = mutants.clone().map(|number| {
        let (found, _) = compared(&dir, "one.warc.gz", number);
        let list = to_toml(&found.causes, &found.faults, &found.totals);
        AcceptedCauses::from_toml(&list).unwrap()
    });
    let lists: BTreeMap<usize, AcceptedCauses> = mutants.clone().zip(lists).collect();
    let others = mutants.map(|number| (number, compared(&dir, "two.warc.gz", number)));
    let others: BTreeMap<usize, _> = others.collect();
    let mut mistakes = Vec::new();
    let mut n_pairs = 0;
    for (&number, list) in &lists {
        for (&other, (found, cells)) in &others {
            let assessment = list.assess(&found.causes, &found.faults, &found.totals);
            let new: Vec<_> = assessment.new.iter().map(|cause| &cause.key).collect();
            if other == number {
                eprintln!("{number}: {} causes, new: {new:?}", found.causes.len());
                if new.len() > MOST_NEW {
                    mistakes.push(format!("{number}: new on other files: {new:?}"));
                }
            // One that flips a part of what the other does is accepted with it.
            } else if !cells.is_subset(&others[&number].1) {
                n_pairs += 1;
                if assessment.is_accepted() {
                    mistakes.push(format!("{other} passes the list of {number}"));
                }
            }
        }
    }
    eprintln!("{n_pairs} pairs of mutants that answer differently");
    assert!(mistakes.is_empty(), "{mistakes:#?}");
    let n_all = lists.len() * (lists.len() - 1);
    assert!(n_pairs > n_all * 3 / 4, "{n_pairs} of {n_all}");
}
