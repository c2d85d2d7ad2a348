//! Figures over time by ranks: of a list, and of a cohort that has them.

use std::fmt::Write;

use super::{Answer, Truth};
use crate::util::{Dir, TestCommand, answer, lines, or_skip, read_json, run_into};

#[test]
fn figures_of_a_stratum_are_those_of_its_ranks() {
    let dir = Dir::new();
    TestCommand::line("sample --crawls 3 --hosts 400 --seed 5 --out")
        .words(&[dir.word("crawls")])
        .succeed();
    let truth: Truth = read_json(dir.path("crawls/truth.json"));
    let rank_of = |at: usize| (!at.is_multiple_of(3)).then(|| at * 7 + 1);
    let mut list = "rank,domain\n".to_owned();
    let mut expected = Vec::new();
    for (at, host) in truth.hosts.iter().enumerate() {
        if let Some(rank) = rank_of(at) {
            writeln!(list, "{rank},{}", host.host).unwrap();
        }
    }
    for (nth, crawl) in truth.crawls.iter().enumerate() {
        for (low, high) in [(1, 1_000), (1_001, 10_000)] {
            let is_in = |at| rank_of(at).is_some_and(|rank| (low..=high).contains(&rank));
            let hosts = truth.hosts.iter().enumerate();
            let of_stratum = hosts.filter(|(at, _)| is_in(*at));
            let answers = of_stratum.filter_map(|(_, host)| host.known_at(nth));
            let files: Vec<_> = answers.filter(|answer| answer.has_file()).collect();
            let count = |is: &dyn Fn(&Answer) -> bool| files.iter().filter(|file| is(file)).count();
            expected.push(format!(
                "{} {high} {} {} {} {}",
                crawl.crawl,
                files.len(),
                count(&|file| file.is_named(0)),
                count(&|file| file.is_full(0)),
                count(&|file| file.restriction(0) == "partial"),
            ));
        }
    }
    let list = dir.write("ranks.csv", &list);
    let ranks = format!("ranks={list}");
    let [crawls, all] = ["crawls", "all"].map(|name| dir.word(name));
    run_into(dir.path("all"), &[&crawls]);
    run_into(dir.path("cohort"), &[&crawls, "--cohort", &list]);
    let asked = |data: &str, query: &str, columns: &str, set: &[&str]| {
        Some(lines(&answer(&dir.path(data), query, set)?, columns))
    };
    let query = "compare-rank-strata-across-crawls";
    let columns = "crawl stratum domains named full_by_rules partial_by_rules";
    let of_list = or_skip!(asked("all", query, columns, &["--set", &ranks]));
    assert_eq!(of_list, expected);
    assert_eq!(asked("cohort", query, columns, &[]).unwrap(), expected);

    // Any query, for one stratum.
    let last = &expected[expected.len() - 2];
    let [.., domains, _, full, _] = last.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{last}");
    };
    for (data, set) in [("all", &["--set", &*ranks][..]), ("cohort", &[])] {
        let set = [set, &["--set", "stratum=1-1000"]].concat();
        let query = "count-hosts-blocking-gptbot";
        let columns = "domains_read domains_blocked_by_rules";
        let rows = asked(data, query, columns, &set).unwrap();
        assert_eq!(rows, [format!("{domains} {full}")], "{data}");
    }
    let refuse = |set: &[&str], says: &str| {
        let set: Vec<_> = set.iter().flat_map(|value| ["--set", value]).collect();
        TestCommand::line("query count-hosts-blocking-gptbot --data")
            .words(&[&all])
            .words(&set)
            .refuse(&[says]);
    };
    refuse(&["stratum=1-1000"], "expected the variable ranks");
    let what = "to be two ranks from 1, the first at most the second, such as 1-1000";
    for wrong in ["1000", "100-1", "0-0"] {
        let says = format!("{what}, but found {wrong}");
        refuse(&[&format!("stratum={wrong}"), &ranks], &says);
    }
    let says = "without a stratum count-hosts-blocking-gptbot reads no ranks";
    refuse(&[&ranks], says);
}
