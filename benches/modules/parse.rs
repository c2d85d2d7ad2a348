//! Parsing: from bodies to the model that each side builds.
//!
//! Ours is measured twice: to the line model, and further to groups and rules with compiled
//! patterns, which is what `texting_robots` and `robotxt` build, though for one agent only.
//! `robotstxt` builds nothing: its events are counted.

use criterion::{BenchmarkId, Criterion, Throughput};
use robocensus::robots::{
    dialect::{Dialect, RuleSet},
    lines::{Field, RobotsTxt, parse},
};
use robotstxt::{RobotsParseHandler, parse_robotstxt};
use robotxt::Robots;
use texting_robots::Robot;

use crate::inputs;

/// The agent for which the peers parse: most files do not name it, so they use the group for `*`.
const AGENT: &str = "ExampleBot";

pub fn define(criterion: &mut Criterion) {
    let google = Dialect::GOOGLE;
    for input in inputs::archives() {
        let bodies = input.bodies();
        let mut robots = RobotsTxt::new();
        let mut rules = RuleSet::new();
        let n_lines: u64 = bodies.iter().map(|body| count_lines(body)).sum();
        let n_rules = compile_all(&bodies, &google, &mut robots, &mut rules);
        let n_sitemaps = sitemaps_all(&bodies, &google, &mut robots, &mut rules);

        let mut group = criterion.benchmark_group("parse");
        group.throughput(Throughput::Bytes(
            bodies.iter().map(|body| body.len() as u64).sum(),
        ));
        let id = |side| BenchmarkId::new(input.name, side);
        group.bench_function(id("robocensus"), |bencher| {
            bencher.iter(|| assert_eq!(lines_all(&bodies, &mut robots), n_lines));
        });
        group.bench_function(id("robocensus-compiled"), |bencher| {
            bencher.iter(|| {
                assert_eq!(
                    compile_all(&bodies, &google, &mut robots, &mut rules),
                    n_rules
                );
            });
        });
        let expected = by_texting_robots(&bodies);
        assert_near(expected, n_sitemaps, "sitemaps by texting_robots");
        group.bench_function(id("texting_robots"), |bencher| {
            bencher.iter(|| assert_eq!(by_texting_robots(&bodies), expected));
        });
        let expected = by_robotxt(&bodies);
        assert_near(expected, n_sitemaps, "sitemaps by robotxt");
        group.bench_function(id("robotxt"), |bencher| {
            bencher.iter(|| assert_eq!(by_robotxt(&bodies), expected));
        });
        let expected = by_robotstxt(&bodies);
        assert_near(expected, n_rules, "rules by robotstxt");
        group.bench_function(id("robotstxt"), |bencher| {
            bencher.iter(|| assert_eq!(by_robotstxt(&bodies), expected));
        });
        group.finish();
    }
}

/// Counts lines without our parser: CR, LF and CR LF end one, and what follows the last is one
/// unless it is empty.
fn count_lines(body: &str) -> u64 {
    let text = body.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let ends = text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r'));
    let is_open = !(text.is_empty() || text.ends_with(['\n', '\r']));
    ends.count() as u64 + u64::from(is_open)
}

/// Asserts that a peer differs from us, where it tolerates more or less, by at most one in twenty.
fn assert_near(theirs: u64, ours: u64, what: &str) {
    assert!(
        theirs.abs_diff(ours) * 20 <= ours,
        "{what}: {theirs}, ours {ours}"
    );
}

fn lines_all(bodies: &[String], robots: &mut RobotsTxt) -> u64 {
    let count = |body: &String| {
        parse(body.as_bytes(), robots);
        u64::from(robots.line_count())
    };
    bodies.iter().map(count).sum()
}

fn compile_all(
    bodies: &[String],
    spec: &Dialect,
    robots: &mut RobotsTxt,
    rules: &mut RuleSet,
) -> u64 {
    let count = |body: &String| {
        parse(body.as_bytes(), robots);
        rules.compile(spec, body.as_bytes(), robots);
        rules.rules().len() as u64
    };
    bodies.iter().map(count).sum()
}

fn sitemaps_all(
    bodies: &[String],
    spec: &Dialect,
    robots: &mut RobotsTxt,
    rules: &mut RuleSet,
) -> u64 {
    let count = |body: &String| {
        compile_all(std::slice::from_ref(body), spec, robots, rules);
        let records = rules.records().iter();
        records.filter(|r| r.field == Field::Sitemap).count() as u64
    };
    bodies.iter().map(count).sum()
}

fn by_texting_robots(bodies: &[String]) -> u64 {
    let count = |body: &String| {
        let robot = Robot::new(AGENT, body.as_bytes()).expect("the bodies were chosen so");
        robot.sitemaps.len() as u64
    };
    bodies.iter().map(count).sum()
}

fn by_robotxt(bodies: &[String]) -> u64 {
    let count = |body: &String| Robots::parse(body.as_bytes(), AGENT).sitemaps().len() as u64;
    bodies.iter().map(count).sum()
}

/// Counts allow and disallow lines.
#[derive(Default)]
struct Counter(u64);

impl RobotsParseHandler for Counter {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, _: &str) {}
    fn handle_allow(&mut self, _: u32, _: &str) {
        self.0 += 1;
    }
    fn handle_disallow(&mut self, _: u32, _: &str) {
        self.0 += 1;
    }
    fn handle_sitemap(&mut self, _: u32, _: &str) {}
    fn handle_unknown_action(&mut self, _: u32, _: &str, _: &str) {}
}

fn by_robotstxt(bodies: &[String]) -> u64 {
    let mut counter = Counter::default();
    for body in bodies {
        parse_robotstxt(body, &mut counter);
    }
    counter.0
}
