//! `robocensus check`: one question with its evidence, for a person.

use std::{
    borrow::Cow,
    fs,
    io::{self, Read, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::{Context, bail};
use robocensus::{
    check::{Checker, Evidence, Fetch, LossReason, Request},
    dialect::{Anomaly, AnomalyFinder, Dialect, REFERENCE, Rule, RuleSet, builtin},
    robots::{RobotsTxt, parse},
};

use super::{args::CheckArgs, cases, check_json, check_text, dialects, escape};

/// The word that stands for all built-in dialects.
const ALL: &str = "all";

/// Answers, and returns the exit code.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.cases {
        if args.dialect == ALL {
            bail!("--dialect: expected one dialect for --cases, but found all");
        }
        return cases::run(path, &dialects::dialect("--dialect", &args.dialect)?);
    }
    let specs = match args.dialect.as_str() {
        ALL => dialects::all(),
        word => vec![dialects::dialect("--dialect", word)?],
    };
    let path = args.robots.as_deref().unwrap_or(Path::new("-"));
    let body = read(path).with_context(|| format!("{}: cannot read", path.display()))?;
    let checked = check(args, &specs, &body);
    let shown = match (args.json, args.dialect.as_str()) {
        (true, _) => escape::json(&check_json::render(&checked)).into_owned(),
        (false, ALL) => escape::lines(&check_text::render_all(&checked)).into_owned(),
        (false, _) => escape::lines(&check_text::render(&checked)).into_owned(),
    };
    io::stdout().write_all(shown.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// A question, its answers, and what is odd about the file.
pub struct Checked<'a> {
    /// The name of the file as typed.
    pub name: String,
    /// The crawler's tokens.
    pub agents: &'a [String],
    /// The URL.
    pub url: &'a str,
    /// The status code of the fetch, where one is given.
    pub status: Option<u16>,
    /// Where the file was fetched, where that is given.
    pub robots_url: Option<&'a str>,
    /// The file.
    pub body: &'a [u8],
    /// Its lines.
    pub robots: RobotsTxt,
    /// The answer of each dialect.
    pub rows: Vec<Row<'a>>,
    /// What is odd.
    pub anomalies: Vec<Anomaly>,
}

/// The answer of one dialect.
pub struct Row<'a> {
    /// The dialect.
    pub spec: &'a Dialect,
    /// Its answer.
    pub answer: Evidence,
    /// For each group that spoke, its first and its last line.
    pub groups: Vec<(u32, u32)>,
    /// The rule that decided.
    pub rule: Option<Rule>,
    /// The rules that matched and did not.
    pub lost: Vec<(Rule, LossReason)>,
}

fn check<'a>(args: &'a CheckArgs, specs: &'a [Dialect], body: &'a [u8]) -> Checked<'a> {
    let url = args.url.as_deref().unwrap_or_default();
    let chain: Vec<_> = args
        .agent
        .iter()
        .map(|token| Cow::Borrowed(token.as_bytes()))
        .collect();
    let mut checker = Checker::new();
    checker.parse(body);
    let rows = specs.iter().map(|spec| {
        checker.compile(spec, body);
        let question = Request {
            chain: &chain,
            url: url.as_bytes(),
            outcome: args
                .status
                .map(|status| Fetch::of_status(status).outcome(spec)),
            robots_url: args.robots_url.as_deref().map(str::as_bytes),
        };
        let answer = checker.ask(spec, &question);
        let rules = checker.rules();
        let is_winner = |rule: &&Rule| Some(rule.line) == answer.decision.rule_line;
        let lines = |&index: &u32| {
            let group = &rules.groups()[index as usize];
            (group.line_first, group.line_last)
        };
        Row {
            spec,
            answer,
            groups: checker.groups().iter().map(lines).collect(),
            rule: rules.rules().iter().find(is_winner).copied(),
            lost: checker.lost(spec, &answer.decision),
        }
    });
    let rows = rows.collect();
    Checked {
        name: args
            .robots
            .as_deref()
            .map_or_else(String::new, |path| path.display().to_string()),
        agents: &args.agent,
        url,
        status: args.status,
        robots_url: args.robots_url.as_deref(),
        body,
        robots: checker.robots().clone(),
        rows,
        anomalies: find_anomalies(body),
    }
}

/// Returns what is odd about a file; the finder compares with the reference dialect.
pub fn find_anomalies(body: &[u8]) -> Vec<Anomaly> {
    let mut robots = RobotsTxt::new();
    parse(body, &mut robots);
    let mut rules = RuleSet::new();
    let spec = builtin(REFERENCE).expect("the reference dialect is built in");
    rules.compile(&spec, body, &robots);
    let mut anomalies = Vec::new();
    AnomalyFinder::new().find(body, &robots, &rules, &mut anomalies);
    anomalies
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return fs::read(path);
    }
    let mut body = Vec::new();
    io::stdin().lock().read_to_end(&mut body)?;
    Ok(body)
}
