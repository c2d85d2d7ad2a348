//! `robocensus check`: the decision on one URL with its evidence, about a file or a capture of a
//! dataset, or the answers to a file of cases.

mod cases;
mod json;
mod page;
mod stored;
mod text;
mod time;

use std::{
    borrow::Cow,
    fs,
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};
use robocensus::{
    check::{Checker, Evidence, Fetch, LossReason, Request},
    dialect::{
        Anomaly, AnomalyFinder, Dialect, FetchOutcome, REFERENCE, Rule, RuleSet, Verdict, builtin,
    },
    robots::{RobotsTxt, parse},
};

use self::stored::StoredSource;
use super::{args::CheckArgs, color::Painter, dialects, escape, exit_code::ExitCode};

/// The name that means all built-in dialects.
const ALL: &str = "all";

/// Prints the decision, and returns the exit code.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.cases {
        if args.dialect == ALL {
            bail!("--dialect: expected one dialect for --cases, but found all");
        }
        let dialect = dialects::dialect("--dialect", &args.dialect)?;
        return cases::run(path, &dialect, args.only_failures);
    }
    if let Some(path) = &args.page {
        return page::run(args, path);
    }
    let specs = match args.dialect.as_str() {
        ALL => dialects::all(),
        word => vec![dialects::dialect("--dialect", word)?],
    };
    if let Some(data) = &args.data {
        return stored::run(args, data, &specs);
    }
    let path = args.robots.as_deref().unwrap_or(Path::new("-"));
    let body = read(path).with_context(|| format!("{}: cannot read", path.display()))?;
    let query = CheckQuery {
        name: path.display().to_string(),
        agents: &args.agent,
        url: args.url.as_deref().unwrap_or_default(),
        status: args.status,
        robots_url: args.robots_url.as_deref(),
        stored: None,
    };
    let fetch = args
        .status
        .map(|status| Fetch::after_redirects(Some(status), 0, false));
    let of_status = |spec: &Dialect| fetch.map(|fetch| fetch.outcome(spec));
    print_report(args, &check(query, of_status, &specs, &body))
}

/// What is asked about a file, and where that comes from.
pub struct CheckQuery<'a> {
    /// The name of the file as typed, or where the archive is.
    pub name: String,
    /// The crawler's tokens.
    pub agents: &'a [String],
    /// The URL.
    pub url: &'a str,
    /// The status code of the fetch, where one is given.
    pub status: Option<u16>,
    /// The URL of the file, where one is given.
    pub robots_url: Option<&'a str>,
    /// The capture that the file comes from, if it is of a dataset.
    pub stored: Option<&'a StoredSource>,
}

/// A query, the answer of each dialect, and the findings on the file.
pub struct CheckReport<'a> {
    /// What was asked.
    pub query: CheckQuery<'a>,
    /// The file.
    pub body: &'a [u8],
    /// Its lines.
    pub robots: RobotsTxt,
    /// The answer of each dialect.
    pub rows: Vec<DialectAnswer<'a>>,
    /// The findings on its lines.
    pub anomalies: Vec<Anomaly>,
}

/// The answer of one dialect.
pub struct DialectAnswer<'a> {
    /// The dialect.
    pub spec: &'a Dialect,
    /// How the fetch ended, where that counts.
    pub outcome: Option<FetchOutcome>,
    /// Its answer.
    pub answer: Evidence,
    /// For each group that was selected, its first and its last line.
    pub groups: Vec<(u32, u32)>,
    /// The rule that decided.
    pub rule: Option<Rule>,
    /// The rules that matched and did not decide.
    pub lost: Vec<(Rule, LossReason)>,
}

/// Answers a query under each dialect; `outcome` is how the fetch ended for one.
fn check<'a>(
    query: CheckQuery<'a>,
    outcome: impl Fn(&Dialect) -> Option<FetchOutcome>,
    specs: &'a [Dialect],
    body: &'a [u8],
) -> CheckReport<'a> {
    let chain: Vec<_> = query
        .agents
        .iter()
        .map(|token| Cow::Borrowed(token.as_bytes()))
        .collect();
    let mut checker = Checker::new();
    checker.parse(body);
    let rows = specs.iter().map(|spec| {
        checker.compile(spec, body);
        let outcome = outcome(spec);
        let request = Request {
            chain: &chain,
            url: query.url.as_bytes(),
            outcome,
            robots_url: query.robots_url.map(str::as_bytes),
        };
        let answer = checker.ask(spec, &request);
        let rules = checker.rules();
        let is_winner = |rule: &&Rule| Some(rule.line) == answer.decision.rule_line;
        let lines = |&index: &u32| {
            let group = &rules.groups()[index as usize];
            (group.line_first, group.line_last)
        };
        DialectAnswer {
            spec,
            outcome,
            answer,
            groups: checker.groups().iter().map(lines).collect(),
            rule: rules.rules().iter().find(is_winner).copied(),
            lost: checker.lost(spec, &answer.decision),
        }
    });
    let rows = rows.collect();
    CheckReport {
        query,
        body,
        robots: checker.robots().clone(),
        rows,
        anomalies: find_anomalies(body),
    }
}

/// Prints a report, and returns the exit code.
fn print_report(args: &CheckArgs, report: &CheckReport<'_>) -> anyhow::Result<ExitCode> {
    let painter = Painter::of_stdout(args.color);
    let printed = match (args.json, args.dialect.as_str()) {
        (true, _) => escape::json(&json::render(report)).into_owned(),
        (false, ALL) => text::render_all(report, painter),
        (false, _) => text::render(report, painter),
    };
    io::stdout().write_all(printed.as_bytes())?;
    let is_allow = |row: &DialectAnswer<'_>| row.answer.decision.verdict == Verdict::Allow;
    let is_refused = args.exit_code && !report.rows.iter().all(is_allow);
    Ok(ExitCode::from(u8::from(is_refused)))
}

/// Returns the findings on a file, compared with what the reference dialect reads.
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

/// Reads a file, or standard input.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return fs::read(path);
    }
    let mut body = Vec::new();
    io::stdin().lock().read_to_end(&mut body)?;
    Ok(body)
}
