//! Decides about every robots.txt of archives for 12 agents and 5 URLs, as `decide_many` of the
//! Python package does, on one thread: `decide ARCHIVE...` prints the number of verdicts `disallow`
//! and the seconds of the fastest of five rounds, without those of reading the archives.

use std::{error::Error, time::Instant};

use robocensus::{
    Dialect, Progress, Verdict,
    archive::input,
    dataset::run::{Found, Limits, read_captures},
    robots::{
        dialect::RuleSet,
        lines::{RobotsTxt, parse},
        matrix::{
            Matrix, MatrixAgent,
            evaluate::{Cells, Evaluator},
            read_urls,
        },
    },
};

const ROUNDS: usize = 5;
/// Those of `python.py`.
const AGENTS: [&str; 12] = [
    "Googlebot",
    "bingbot",
    "Yandex",
    "Baiduspider",
    "GPTBot",
    "ClaudeBot",
    "Bytespider",
    "Amazonbot",
    "CCBot",
    "AhrefsBot",
    "SemrushBot",
    "ExampleBot",
];
const PATHS: [&str; 5] = [
    "/",
    "/index.html",
    "/search?q=test",
    "/images/logo.png",
    "/wp-admin/admin-ajax.php",
];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let archives = input::expand(&words)?;
    let mut bodies: Vec<Vec<u8>> = Vec::new();
    let progress = Progress::default();
    read_captures(&archives, Limits::default(), &progress, |found| {
        if let Found::Capture(located) = found {
            bodies.push(located.capture.payload.to_vec());
        }
        Ok(true)
    })?;
    let matrix = Matrix {
        agents: AGENTS.map(agent).into(),
        urls: read_urls(&PATHS.join("\n"))?,
    };
    let evaluator = Evaluator::new(Dialect::GOOGLE, &matrix);
    let (mut robots, mut rules, mut cells) = (RobotsTxt::new(), RuleSet::new(), Cells::default());
    let mut best = f64::INFINITY;
    let mut disallowed = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        disallowed = 0;
        for body in &bodies {
            parse(body, &mut robots);
            rules.compile(evaluator.dialect(), body, &robots);
            evaluator.evaluate(&rules, std::iter::empty(), &mut cells);
            for agent in 0..AGENTS.len() {
                let decisions = cells.answers.of_agent(agent).iter();
                disallowed += decisions
                    .filter(|decision| decision.verdict == Verdict::Disallow)
                    .count();
            }
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{disallowed} {best}");
    Ok(())
}

fn agent(token: &str) -> MatrixAgent {
    MatrixAgent {
        chain: vec![token.to_owned()],
        category: None,
    }
}
