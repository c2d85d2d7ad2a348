//! Crawls of generated hosts over time: what views and queries say of them is what happened, and
//! the intervals of survival cover the law by which it happened.

use std::{collections::BTreeSet, fmt::Write, fs};

use robocensus::sample::history::History;
use serde::Deserialize;

mod strata;

use crate::util::{
    Dir, TestCommand, answer, column, lines, or_skip, package, read_json, rows_of_duckdb, run_into,
};

#[derive(Deserialize)]
struct Truth {
    agents: Vec<String>,
    crawls: Vec<Crawl>,
    hosts: Vec<Host>,
}

#[derive(Deserialize)]
struct Crawl {
    crawl: String,
    archive: String,
}

#[derive(Deserialize)]
struct Host {
    host: String,
    has_http: bool,
    events: Vec<Event>,
    answers: Vec<Option<Answer>>,
}

#[derive(Deserialize)]
struct Event {
    time: String,
    agent: Option<String>,
    event: String,
}

#[derive(Deserialize)]
struct Answer {
    time: String,
    status: u16,
    restrictions: Vec<Option<String>>,
    revision: u32,
    wording: u32,
}

impl Answer {
    fn restriction(&self, agent: usize) -> &str {
        self.restrictions[agent].as_deref().unwrap_or("none")
    }

    fn is_named(&self, agent: usize) -> bool {
        self.restrictions[agent].is_some()
    }

    fn is_full(&self, agent: usize) -> bool {
        self.restriction(agent) == "full"
    }

    fn has_file(&self) -> bool {
        self.status == 200
    }

    /// A group that allows everything means what none means here.
    fn meaning(&self) -> (bool, [&str; 3], u32) {
        let restrictions = [0, 1, 2].map(|agent| self.restriction(agent));
        (self.has_file(), restrictions, self.revision)
    }

    fn bytes(&self) -> (&[Option<String>], u32, u32) {
        (&self.restrictions, self.revision, self.wording)
    }

    fn time(&self) -> String {
        shown(&self.time)
    }
}

/// Returns a time as DuckDB shows it.
fn shown(time: &str) -> String {
    time.replace('T', " ").replace('Z', "+00")
}

impl Host {
    /// Returns the answers that determine the file, with the numbers of their crawls.
    fn known(&self) -> Vec<(usize, &Answer)> {
        let answers = self.answers.iter().enumerate();
        let asked = answers.filter_map(|(nth, answer)| Some((nth, answer.as_ref()?)));
        asked
            .filter(|(_, answer)| [200, 404].contains(&answer.status))
            .collect()
    }

    fn known_at(&self, nth: usize) -> Option<&Answer> {
        let known = self.known().into_iter().find(|(at, _)| *at == nth);
        known.map(|(_, answer)| answer)
    }

    fn origins(&self) -> Vec<String> {
        let mut origins = vec![format!("https://{}:443", self.host)];
        origins.extend(self.has_http.then(|| format!("http://{}:80", self.host)));
        origins
    }
}

fn event_of(restriction: &str) -> &'static str {
    match restriction {
        "full" => "closed",
        "partial" => "partly_closed",
        _ => "opened",
    }
}

impl Truth {
    /// Returns the rows that `agent_events` must have, in the columns of [`EVENTS`], from what was
    /// answered.
    fn events(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for host in &self.hosts {
            for (index, agent) in self.agents.iter().enumerate() {
                let mut before: Option<(usize, &Answer)> = None;
                for (nth, answer) in host.known() {
                    let crawl = &self.crawls[nth].crawl;
                    let was_named = before.is_some_and(|(_, before)| before.is_named(index));
                    let had = before.map_or("none", |(_, before)| before.restriction(index));
                    let between = match before {
                        None => format!("- {} {crawl} -", answer.time()),
                        Some((at, before)) => {
                            let (since, gaps) = (before.time(), nth - at - 1);
                            format!("{since} {} {crawl} {gaps}", answer.time())
                        }
                    };
                    let named = match (was_named, answer.is_named(index)) {
                        (false, true) => Some("named"),
                        (true, false) => Some("unnamed"),
                        _ => None,
                    };
                    let has = answer.restriction(index);
                    let closed = (had != has).then(|| event_of(has));
                    for event in named.into_iter().chain(closed) {
                        let row = |origin| format!("{origin} {agent} {event} {between}");
                        rows.extend(host.origins().into_iter().map(row));
                    }
                    before = Some((nth, answer));
                }
            }
        }
        rows.sort();
        rows
    }

    /// Returns the rows that `host_versions` must have, in the columns of [`VERSIONS`].
    fn versions(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for host in &self.hosts {
            let known = host.known();
            let versions = known.chunk_by(|(_, one), (_, other)| one.meaning() == other.meaning());
            for (index, answers) in versions.enumerate() {
                let ((first, answer), (last, _)) = (answers[0], answers[answers.len() - 1]);
                let contents = answers.iter().map(|(_, answer)| answer.bytes());
                let contents = contents.collect::<BTreeSet<_>>().len();
                let contents = if answer.has_file() { contents } else { 1 };
                let [first_crawl, last_crawl] = [first, last].map(|nth| &self.crawls[nth].crawl);
                let (version, n) = (index + 1, answers.len());
                let gaps = last - first + 1 - n;
                let rest = format!("{version} {first_crawl} {last_crawl} {n} {gaps} {contents}");
                let row = |origin| format!("{origin} {rest}");
                rows.extend(host.origins().into_iter().map(row));
            }
        }
        rows.sort();
        rows
    }

    /// Returns the rows of `compare-same-domains-across-crawls` and `compare-changes-by-crawl`.
    fn pairs(&self, agent: usize) -> [Vec<String>; 2] {
        let mut rows = [Vec::new(), Vec::new()];
        for later in 1..self.crawls.len() {
            let hosts = self.hosts.iter();
            let before = hosts.filter_map(|host| Some((host.known_at(later - 1)?, host)));
            let pairs = before.map(|(before, host)| Some((before, host.known_at(later)?)));
            let (found, missing): (Vec<_>, Vec<_>) = pairs.partition(Option::is_some);
            let count = |is: &dyn Fn(&Answer, &Answer) -> bool| {
                let pairs = found.iter().flatten();
                pairs.filter(|(before, after)| is(before, after)).count()
            };
            let became = |is: &dyn Fn(&Answer) -> bool| {
                let gained = count(&|before, after| !is(before) && is(after));
                let lost = count(&|before, after| is(before) && !is(after));
                format!("{gained} {lost}")
            };
            let [named, full] = [
                became(&|answer| answer.is_named(agent)),
                became(&|answer| answer.is_full(agent)),
            ];
            let file = became(&Answer::has_file);
            let both = |one: &Answer, other: &Answer| one.has_file() && other.has_file();
            let bytes = count(&|one, other| both(one, other) && one.bytes() != other.bytes());
            let meaning = count(&|one, other| both(one, other) && one.meaning() != other.meaning());
            let (crawl, domains) = (&self.crawls[later].crawl, found.len());
            let start = format!("{crawl} {domains} {}", missing.len());
            rows[0].push(format!("{start} {named} {full}"));
            rows[1].push(format!("{start} {bytes} {meaning} {file}"));
        }
        rows
    }

    /// Asserts that what happened lies between the two answers between which it is reported, and
    /// that nothing else is reported.
    fn assert_events_happened(&self, reported: &[String]) {
        let mut n_checked = 0;
        for host in &self.hosts {
            let known = host.known();
            for agent in &self.agents {
                for is_of_naming in [true, false] {
                    for pair in known.windows(2) {
                        let [since, until] = [&pair[0].1.time, &pair[1].1.time];
                        let is_of_kind = |event: &&str| event.ends_with("named") == is_of_naming;
                        let happened = host.events.iter().filter(|event| {
                            let is_between = *since < event.time && event.time <= *until;
                            event.agent.as_ref() == Some(agent) && is_between
                        });
                        let happened = happened.map(|event| &*event.event).filter(is_of_kind);
                        let happened: Vec<_> = happened.collect();
                        let between = format!(" {} {} ", shown(since), shown(until));
                        let start = format!("https://{}:443 {agent} ", host.host);
                        let rows = reported.iter();
                        let rows =
                            rows.filter(|row| row.starts_with(&start) && row.contains(&between));
                        let found = rows.filter_map(|row| row.split(' ').nth(2));
                        let found: Vec<_> = found.filter(is_of_kind).collect();
                        let last = happened.last().copied();
                        match found[..] {
                            // It was taken back before the next answer.
                            [] => assert_ne!(happened.len(), 1, "{start}{between}"),
                            _ => assert_eq!(found, Vec::from_iter(last), "{start}{between}"),
                        }
                        n_checked += found.len();
                    }
                }
            }
        }
        assert!(n_checked > 150, "{n_checked}");
    }
}

const EVENTS: &str = "origin agent event last_without first_with crawl gaps";
const VERSIONS: &str = "origin version first_crawl last_crawl answers gaps contents";

/// Returns sorted rows of a dataset, or nothing where there is no DuckDB.
fn rows(dir: &Dir, data: &str, query: &str, agent: &str, columns: &str) -> Option<Vec<String>> {
    let set = ["--set", &format!("agent={agent}")];
    let n_words = if agent.is_empty() { 0 } else { 2 };
    let mut rows = lines(&answer(&dir.path(data), query, &set[..n_words])?, columns);
    rows.sort();
    Some(rows)
}

#[test]
fn events_of_crawls_lie_where_they_happened() {
    let dir = Dir::new();
    TestCommand::line("sample --crawls 8 --hosts 150 --seed 11 --out")
        .words(&[dir.word("crawls")])
        .succeed();
    let truth: Truth = read_json(dir.path("crawls/truth.json"));
    run_into(dir.path("whole"), &[dir.word("crawls")]);
    let events = "FROM agent_events WHERE agent IN ('GPTBot', 'CCBot', 'ClaudeBot')";
    let reported = or_skip!(rows(&dir, "whole", events, "", EVENTS));
    assert_eq!(reported, truth.events());
    truth.assert_events_happened(&reported);
    let versions = rows(&dir, "whole", "FROM host_versions", "", VERSIONS).unwrap();
    assert_eq!(versions, truth.versions());

    let compared = "compare-same-domains-across-crawls";
    let columns = "crawl domains missing gained lost closed opened";
    for (index, agent) in truth.agents.iter().enumerate() {
        let [pairs, _] = truth.pairs(index);
        let found = rows(&dir, "whole", compared, agent, columns);
        assert_eq!(found.unwrap(), pairs, "{agent}");
    }
    let columns = "crawl domains vanished changed_bytes changed_meaning appeared gone";
    let [_, changes] = truth.pairs(0);
    let found = rows(&dir, "whole", "compare-changes-by-crawl", "", columns);
    assert_eq!(found.unwrap(), changes);

    // One crawl at a time: the same rows, and those of an interval that has ended stay.
    let add = |crawl: &Crawl| {
        let archive = dir.word(&format!("crawls/{}", crawl.archive));
        run_into(dir.path("added"), &[archive]);
    };
    let (last, earlier) = truth.crawls.split_last().unwrap();
    earlier.iter().for_each(add);
    let added = |query: &str, columns: &str| rows(&dir, "added", query, "", columns).unwrap();
    let ended = "FROM host_versions WHERE time_after IS NOT NULL";
    let (events_before, versions_before) = (added(events, EVENTS), added(ended, VERSIONS));
    add(last);
    let versions_after = added("FROM host_versions", VERSIONS);
    let mut of_earlier = added(events, EVENTS);
    assert_eq!(of_earlier, reported);
    assert_eq!(versions_after, versions);
    let last = format!(" {} ", last.crawl);
    of_earlier.retain(|row| !row.contains(&last));
    assert_eq!(events_before, of_earlier);
    for row in &versions_before {
        assert!(versions_after.contains(row), "{row}");
    }
}

/// Answers of the hosts that shut GPTBot out at some time, as CSV: seed, origin, number of the
/// crawl, second, and whether they shut it out then.
fn answers_of_seeds(seeds: u64) -> String {
    let mut csv = "seed,origin,nth,second,is_full\n".to_owned();
    for seed in 0..seeds {
        let history = History::new(12, 300, seed);
        for (origin, host) in history.hosts.iter().enumerate() {
            let mut events = host.events.iter();
            if !events.any(|event| event.agent == Some("GPTBot") && event.event == "closed") {
                continue;
            }
            for (nth, answer) in host.answers.iter().enumerate() {
                let Some(answer) = answer.as_ref().filter(|a| [200, 404].contains(&a.status))
                else {
                    continue;
                };
                let is_full = answer.state.restrictions[0] == Some("full");
                writeln!(csv, "{seed},{origin},{nth},{},{is_full}", answer.time).unwrap();
            }
        }
    }
    csv
}

/// The law is known, so it is known how often an interval of 95 % must contain it. What the query
/// reads are rows of its views, made from the truth: 200 datasets of archives would take an hour.
#[test]
fn intervals_of_survival_cover_the_law_in_95_of_100_samples() {
    const SEEDS: u64 = 200;
    let dir = Dir::new();
    let csv = dir.write("answers.csv", answers_of_seeds(SEEDS));
    let read = |name: &str| fs::read_to_string(package().join("queries").join(name)).unwrap();
    let views = read("views.sql");
    let wilson = views.split_once("CREATE OR REPLACE TEMP MACRO wilson_low");
    let (wilson, _) = wilson.unwrap().1.split_once("\n\n").unwrap();
    let query = read("compare-survival-of-restriction.sql");
    let query = query.trim_end().trim_end_matches(';');
    let law = History::new(0, 0, 0).closed_days;
    let each_seed = "-- Here the query is asked about each seed.\n";
    let (before, after) = include_str!("history/survival.sql")
        .split_once(each_seed)
        .unwrap();
    let mut sql = format!(
        "CREATE OR REPLACE TEMP MACRO wilson_low{wilson}
         SET VARIABLE csv = '{csv}';
         SET VARIABLE law = {law};
         {before}"
    );
    for seed in 0..SEEDS {
        writeln!(
            sql,
            "CREATE OR REPLACE TEMP TABLE crawl_answers AS FROM answers WHERE seed = {seed};
             INSERT INTO found SELECT crawls, at_risk, survival, survival_low, survival_high FROM (\n{query}\n);"
        )
        .unwrap();
    }
    sql.push_str(after);
    let rows = or_skip!(rows_of_duckdb(&sql));
    let steps = lines(&rows, "crawls n at_risk survival law coverage");
    println!("{}", steps.join("\n"));
    assert!(rows.len() > 5, "{steps:#?}");
    let labels = column(&rows, "crawls");
    for (label, coverage) in labels.iter().zip(column(&rows, "coverage")) {
        let coverage: f64 = coverage.parse().unwrap();
        // Of one step 200 samples say it within 3 %.
        let most_off = if label == "all" { 0.02 } else { 0.04 };
        assert!((coverage - 0.95).abs() <= most_off, "{label}: {steps:#?}");
    }
}
