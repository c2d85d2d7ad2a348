//! Verdicts: 10 agents request 10 paths of each file, and only agents and paths are prepared
//! before.
//!
//! Each side parses each file as often as its interface requires: ours once, `texting_robots` and
//! `robotxt` once for each agent, `robotstxt` once for each verdict. Our dialect is `google`.
//!
//! Another input is a hostile body, whose patterns of hundreds of stars fail at the very end of a
//! long path. It costs us at most pattern times path; `robotstxt` is not measured, since it would
//! take minutes for each verdict.

use criterion::{BenchmarkId, Criterion, Throughput};
use robocensus::robots::{
    dialect::{Agent, Dialect, PreparedPath, RuleSet, Selection, Verdict},
    lines::{RobotsTxt, parse},
    matrix::{
        Matrix, MatrixAgent,
        evaluate::{Cells, Evaluator},
        read_urls,
    },
};
use robotstxt::DefaultMatcher;
use robotxt::Robots;
use texting_robots::Robot;

use crate::inputs;

/// Tokens without digits and dots, which google's matcher would cut.
const AGENTS: [&str; 10] = [
    "Googlebot",
    "bingbot",
    "YandexBot",
    "Baiduspider",
    "GPTBot",
    "ClaudeBot",
    "CCBot",
    "AhrefsBot",
    "SemrushBot",
    "ExampleBot",
];
const PATHS: [&str; 10] = [
    "/",
    "/index.html",
    "/about",
    "/search?q=test",
    "/images/logo.png",
    "/wp-admin/admin-ajax.php",
    "/wp-content/uploads/2024/05/a.pdf",
    "/products/shoes?color=red&size=42",
    "/blog/2025/01/31/a-longer-title-of-a-page/",
    "/user/login",
];
/// Stars of the hostile patterns, a rule each, and octets of the path that they are matched with:
/// as long as a URL may be in most browsers.
const HOSTILE_STARS: std::ops::Range<usize> = 400..500;
const HOSTILE_PATH: usize = 2_000;
/// Verdicts for each file.
const N_CELLS: usize = AGENTS.len() * PATHS.len();

pub fn define(criterion: &mut Criterion) {
    let google = Dialect::GOOGLE;
    let matrix = Matrix {
        agents: AGENTS.map(agent).into(),
        urls: read_urls(&PATHS.join("\n")).expect("the paths are paths"),
    };
    for input in inputs::archives() {
        let bodies = input.bodies();
        let mut ours = Ours::new(google.clone(), &matrix);
        let expected = one_by_one(&google, &bodies);

        let mut group = criterion.benchmark_group("verdicts");
        group.throughput(Throughput::Elements((bodies.len() * N_CELLS) as u64));
        let id = |side| BenchmarkId::new(input.name, side);
        group.bench_function(id("robocensus"), |bencher| {
            bencher.iter(|| assert_eq!(ours.disallowed(&bodies), expected));
        });
        for (name, count_all) in [
            ("texting_robots", by_texting_robots as fn(&str) -> u64),
            ("robotxt", by_robotxt),
            ("robotstxt", by_robotstxt),
        ] {
            let all = || bodies.iter().map(|body| count_all(body)).sum::<u64>();
            let theirs = all();
            println!(
                "{}: of {} verdicts disallow: {theirs} by {name}, {expected} by robocensus",
                input.name,
                bodies.len() * N_CELLS
            );
            // They differ in agents that several groups name, in escapes and in files that are not
            // robots.txt files.
            assert!(theirs.abs_diff(expected) * 10 <= expected, "{name}");
            group.bench_function(id(name), |bencher| {
                bencher.iter(|| assert_eq!(all(), theirs));
            });
        }
        group.finish();
    }
    define_hostile(criterion, &google);
}

/// A side's name, and whether it allows one agent to fetch a path.
type Side<'a> = (&'a str, &'a dyn Fn(&str) -> bool);

fn define_hostile(criterion: &mut Criterion, google: &Dialect) {
    let body = hostile();
    let path = format!("/{}", "a".repeat(HOSTILE_PATH));
    let matched = format!("{path}b");
    let ours = |path: &str| {
        let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
        let mut selection = Selection::new();
        parse(body.as_bytes(), &mut robots);
        rules.compile(google, body.as_bytes(), &robots);
        rules.select(&Agent::new(google, &[AGENTS[0]]), &mut selection);
        let path = PreparedPath::from_url(google, path.as_bytes());
        rules.decide(&selection, &path).verdict != Verdict::Disallow
    };
    let by_texting_robots = |path: &str| {
        let robot = Robot::new(AGENTS[0], body.as_bytes()).expect("the patterns are patterns");
        robot.allowed(path)
    };
    let by_robotxt = |path: &str| Robots::parse(body.as_bytes(), AGENTS[0]).is_allowed(path);
    let sides: [Side; 3] = [
        ("robocensus", &ours),
        ("texting_robots", &by_texting_robots),
        ("robotxt", &by_robotxt),
    ];
    let mut group = criterion.benchmark_group("verdicts");
    group.throughput(Throughput::Elements(1));
    for (name, is_allowed) in sides {
        assert!(!is_allowed(&matched), "{name}: the patterns can match");
        group.bench_function(BenchmarkId::new("hostile", name), |bencher| {
            bencher.iter(|| assert!(is_allowed(&path)));
        });
    }
    group.finish();
}

/// Returns rules whose patterns match a long run of `a` that a `b` follows.
fn hostile() -> String {
    let mut body = "User-agent: *\n".to_owned();
    for n_stars in HOSTILE_STARS {
        body.push_str(&format!("Disallow: /{}*b\n", "*a".repeat(n_stars)));
    }
    body
}

fn agent(token: &str) -> MatrixAgent {
    MatrixAgent {
        chain: vec![token.to_owned()],
        category: None,
    }
}

/// The state that a worker of a run reuses from file to file.
struct Ours {
    evaluator: Evaluator,
    robots: RobotsTxt,
    rules: RuleSet,
    cells: Cells,
}

impl Ours {
    fn new(google: Dialect, matrix: &Matrix) -> Self {
        Self {
            evaluator: Evaluator::new(google, matrix),
            robots: RobotsTxt::new(),
            rules: RuleSet::new(),
            cells: Cells::default(),
        }
    }

    fn disallowed(&mut self, bodies: &[String]) -> u64 {
        let mut sum = 0;
        for body in bodies {
            let body = body.as_bytes();
            parse(body, &mut self.robots);
            let spec = self.evaluator.dialect();
            self.rules.compile(spec, body, &self.robots);
            self.evaluator
                .evaluate(&self.rules, std::iter::empty(), &mut self.cells);
            for agent in 0..AGENTS.len() {
                sum += count(
                    self.cells
                        .answers
                        .of_agent(agent)
                        .iter()
                        .map(|cell| cell.verdict),
                );
            }
        }
        sum
    }
}

fn count(verdicts: impl Iterator<Item = Verdict>) -> u64 {
    verdicts
        .filter(|verdict| *verdict == Verdict::Disallow)
        .count() as u64
}

/// Computes every verdict separately: what [`Evaluator`] shares between agents must not change one.
fn one_by_one(google: &Dialect, bodies: &[String]) -> u64 {
    let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
    let mut selection = Selection::new();
    let mut sum = 0;
    for body in bodies {
        parse(body.as_bytes(), &mut robots);
        rules.compile(google, body.as_bytes(), &robots);
        for token in AGENTS {
            rules.select(&Agent::new(google, &[token]), &mut selection);
            let decide = |path: &str| {
                let path = PreparedPath::from_url(google, path.as_bytes());
                rules.decide(&selection, &path).verdict
            };
            sum += count(PATHS.into_iter().map(decide));
        }
    }
    sum
}

fn by_texting_robots(body: &str) -> u64 {
    let mut sum = 0;
    for agent in AGENTS {
        let robot = Robot::new(agent, body.as_bytes()).expect("the bodies were chosen so");
        sum += PATHS.iter().filter(|path| !robot.allowed(path)).count() as u64;
    }
    sum
}

fn by_robotxt(body: &str) -> u64 {
    let mut sum = 0;
    for agent in AGENTS {
        let robots = Robots::parse(body.as_bytes(), agent);
        sum += PATHS.iter().filter(|path| !robots.is_allowed(path)).count() as u64;
    }
    sum
}

fn by_robotstxt(body: &str) -> u64 {
    let mut sum = 0;
    for agent in AGENTS {
        for path in PATHS {
            let mut matcher = DefaultMatcher::default();
            sum += u64::from(!matcher.one_agent_allowed_by_robots(body, agent, path));
        }
    }
    sum
}
