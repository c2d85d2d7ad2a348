//! Crawls of generated hosts over time: what views and queries say of them is what happened, and
//! the intervals of survival cover the law by which it happened.

use std::{fmt::Write, fs};

use robocensus::sample::history::History;
use serde::Deserialize;

mod strata;

use crate::util::{
    Dir, TestCommand, answer, column, lines, or_skip, package, read_json, rows_of_duckdb, run,
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
                    let (was_named, had, since, gaps) = match before {
                        None => (false, "none", "-".to_owned(), "-".to_owned()),
                        Some((at, before)) => {
                            let gaps = (nth - at - 1).to_string();
                            (
                                before.is_named(index),
                                before.restriction(index),
                                before.time(),
                                gaps,
                            )
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
                        for origin in host.origins() {
                            let until = answer.time();
                            rows.push(format!(
                                "{origin} {agent} {event} {since} {until} {crawl} {gaps}"
                            ));
                        }
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
                let ((first, _), (last, _)) = (answers[0], answers[answers.len() - 1]);
                let mut contents: Vec<_> =
                    answers.iter().map(|(_, answer)| answer.bytes()).collect();
                contents.sort_unstable();
                contents.dedup();
                let contents = if answers[0].1.has_file() {
                    contents.len()
                } else {
                    1
                };
                for origin in host.origins() {
                    rows.push(format!(
                        "{origin} {} {} {} {} {} {contents}",
                        index + 1,
                        self.crawls[first].crawl,
                        self.crawls[last].crawl,
                        answers.len(),
                        last - first + 1 - answers.len(),
                    ));
                }
            }
        }
        rows.sort();
        rows
    }

    /// Returns the rows of `compare-same-domains-across-crawls` and `compare-changes-by-crawl`.
    fn pairs(&self, agent: usize) -> [Vec<String>; 2] {
        let mut rows = [Vec::new(), Vec::new()];
        for later in 1..self.crawls.len() {
            let [mut domains, mut missing] = [0; 2];
            let [mut gained, mut lost, mut closed, mut opened] = [0; 4];
            let [mut bytes, mut meaning, mut appeared, mut gone] = [0; 4];
            for host in &self.hosts {
                let Some(before) = host.known_at(later - 1) else {
                    continue;
                };
                let Some(after) = host.known_at(later) else {
                    missing += 1;
                    continue;
                };
                domains += 1;
                gained += u32::from(!before.is_named(agent) && after.is_named(agent));
                lost += u32::from(before.is_named(agent) && !after.is_named(agent));
                closed += u32::from(!before.is_full(agent) && after.is_full(agent));
                opened += u32::from(before.is_full(agent) && !after.is_full(agent));
                let both = before.has_file() && after.has_file();
                bytes += u32::from(both && before.bytes() != after.bytes());
                meaning += u32::from(both && before.meaning() != after.meaning());
                appeared += u32::from(!before.has_file() && after.has_file());
                gone += u32::from(before.has_file() && !after.has_file());
            }
            let crawl = &self.crawls[later].crawl;
            rows[0].push(format!(
                "{crawl} {domains} {missing} {gained} {lost} {closed} {opened}"
            ));
            rows[1].push(format!(
                "{crawl} {domains} {missing} {bytes} {meaning} {appeared} {gone}"
            ));
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
                        let happened: Vec<_> = host
                            .events
                            .iter()
                            .filter(|event| event.agent.as_ref() == Some(agent))
                            .filter(|event| event.event.ends_with("named") == is_of_naming)
                            .filter(|event| *since < event.time && event.time <= *until)
                            .collect();
                        let between = format!(" {} {} ", shown(since), shown(until));
                        let start = format!("https://{}:443 {agent} ", host.host);
                        let found: Vec<_> = reported
                            .iter()
                            .filter(|row| row.starts_with(&start) && row.contains(&between))
                            .filter_map(|row| row.split(' ').nth(2))
                            .filter(|event| event.ends_with("named") == is_of_naming)
                            .collect();
                        let last = happened.last().map(|event| event.event.as_str());
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
    let set = format!("agent={agent}");
    let words: &[&str] = if agent.is_empty() {
        &[]
    } else {
        &["--set", &set]
    };
    let mut rows = lines(&answer(&dir.path(data), query, words)?, columns);
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
    run(&[dir.word("crawls"), "--out".to_owned(), dir.word("whole")]).succeed();
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
        assert_eq!(
            rows(&dir, "whole", compared, agent, columns).unwrap(),
            pairs,
            "{agent}"
        );
    }
    let columns = "crawl domains vanished changed_bytes changed_meaning appeared gone";
    let [_, changes] = truth.pairs(0);
    assert_eq!(
        rows(&dir, "whole", "compare-changes-by-crawl", "", columns).unwrap(),
        changes
    );

    // One crawl at a time: the same rows, and those of an interval that has ended stay.
    let add = |crawl: &Crawl| {
        let archive = dir.path("crawls").join(&crawl.archive);
        run(&[archive.to_str().unwrap(), "--out", &dir.word("added")]).succeed();
    };
    let (last, earlier) = truth.crawls.split_last().unwrap();
    earlier.iter().for_each(add);
    let ended = "FROM host_versions WHERE time_after IS NOT NULL";
    let [events_before, versions_before] = [(events, EVENTS), (ended, VERSIONS)]
        .map(|(query, columns)| rows(&dir, "added", query, "", columns).unwrap());
    add(last);
    let [events_after, versions_after] = [(events, EVENTS), ("FROM host_versions", VERSIONS)]
        .map(|(query, columns)| rows(&dir, "added", query, "", columns).unwrap());
    assert_eq!(events_after, reported);
    assert_eq!(versions_after, versions);
    let last = format!(" {} ", last.crawl);
    let of_earlier: Vec<_> = events_after
        .into_iter()
        .filter(|row| !row.contains(&last))
        .collect();
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
            let shuts_out = host
                .events
                .iter()
                .any(|event| event.agent == Some("GPTBot") && event.event == "closed");
            let answers = host.answers.iter().enumerate();
            for (nth, answer) in answers.filter(|_| shuts_out) {
                if let Some(answer) = answer
                    .as_ref()
                    .filter(|answer| [200, 404].contains(&answer.status))
                {
                    let is_full = answer.state.restrictions[0] == Some("full");
                    writeln!(csv, "{seed},{origin},{nth},{},{is_full}", answer.time).unwrap();
                }
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
    let (views, query) = (
        read("views.sql"),
        read("compare-survival-of-restriction.sql"),
    );
    let (_, wilson) = views
        .split_once("CREATE OR REPLACE TEMP MACRO wilson_low")
        .unwrap();
    let (wilson, _) = wilson.split_once("\n\n").unwrap();
    let query = query.trim_end().trim_end_matches(';');
    let law = History::new(0, 0, 0).closed_days;
    let mut sql = format!(
        "CREATE OR REPLACE TEMP MACRO wilson_low{wilson}
         CREATE TABLE policy_sets AS FROM (VALUES ('data', 0, 'google', 'GPTBot', 'everybody', 'none'), ('data', 1, 'google', 'GPTBot', 'named', 'full'))
             AS policies (dataset, policy_set_id, dialect, agent, group_kind, restriction);
         CREATE TEMP MACRO both_of(name) AS TABLE FROM policy_sets;
         CREATE TEMP MACRO asked_dialect() AS 'google';
         CREATE TABLE answers AS SELECT seed, origin, nth, to_timestamp(second) AS fetch_time, true AS represents_domain, NULL::VARCHAR AS decided_restriction,
             'data' AS dataset, is_full::INTEGER AS policy_set_id FROM read_csv('{csv}');
         CREATE TABLE found (crawls BIGINT, at_risk BIGINT, survival DOUBLE, low DOUBLE, high DOUBLE);\n"
    );
    for seed in 0..SEEDS {
        writeln!(
            sql,
            "CREATE OR REPLACE TEMP TABLE crawl_answers AS FROM answers WHERE seed = {seed};
             INSERT INTO found SELECT crawls, at_risk, survival, survival_low, survival_high FROM (\n{query}\n);"
        )
        .unwrap();
    }
    // A step is 63 days on average; below 20 domains no share has a good interval.
    write!(
        sql,
        "SELECT coalesce(crawls::VARCHAR, 'all') AS crawls, count(*) AS n, avg(at_risk) AS at_risk, avg(survival) AS survival,
             avg(exp(-63 * found.crawls / {law})) AS law, avg((exp(-63 * found.crawls / {law}) BETWEEN low AND high)::INTEGER) AS coverage
         FROM found
         WHERE found.crawls > 0 AND at_risk >= 20
         GROUP BY GROUPING SETS ((crawls), ())
         HAVING n > 100
         ORDER BY all"
    )
    .unwrap();
    let rows = or_skip!(rows_of_duckdb(&sql));
    let steps = lines(&rows, "crawls n at_risk survival law coverage");
    println!("{}", steps.join("\n"));
    assert!(rows.len() > 5, "{steps:#?}");
    let labels = column(&rows, "crawls");
    for (label, coverage) in labels.iter().zip(column(&rows, "coverage")) {
        let coverage: f64 = coverage.parse().unwrap();
        // Of one step 200 samples say it within 3 %.
        let (least, most) = if label == "all" {
            (0.93, 0.97)
        } else {
            (0.91, 0.99)
        };
        assert!((least..=most).contains(&coverage), "{label}: {steps:#?}");
    }
}
