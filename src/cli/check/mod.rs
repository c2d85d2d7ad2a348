//! `robocensus check`: the decision on one URL with its evidence, about a file, a live site or a
//! capture of a dataset, a table of those on crawlers and URLs, or the answers to a file of cases.

mod agents;
mod answers;
mod cases;
mod json;
mod live;
mod page;
mod signals;
mod stored;
mod table;
mod text;
mod time;

use std::{
    fs,
    io::{self, Read},
    path::Path,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, bail};
use robocensus::{
    Robots,
    archive::remote,
    robots::{
        check::Fetch,
        dialect::{Dialect, FetchOutcome, Verdict},
        matrix::MatrixAgent,
    },
};
use serde_json::Value;

pub use self::agents::named;
use self::answers::Answer;
use super::{args::CheckArgs, color::Painter, dialects, escape, side_argument::start_side};

/// The name that means all built-in dialects.
const ALL: &str = "all";

/// How long an external parser may take for one case.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most URLs of a table.
const MOST_URLS: usize = 12;

/// Prints the decision, and returns the exit code.
pub fn run(args: &CheckArgs) -> anyhow::Result<u8> {
    let asked = &args.evaluation;
    if let Some(path) = &args.cases {
        if asked.dialect == ALL {
            bail!("--dialect: expected one dialect for --cases, but found all");
        }
        let side = start_side("--dialect", &asked.dialect, TIMEOUT, Arc::default())?;
        return cases::run(path, side, args.only_failures);
    }
    if asked.url.len() > MOST_URLS {
        let n = asked.url.len();
        bail!(
            "--url: expected at most {MOST_URLS} for a table, but found {n}; --cases answers any number"
        );
    }
    let agents = agents::agents(args)?;
    if let Some(path) = &args.page {
        return page::run(args, path, &agents[0].chain);
    }
    let specs = match asked.dialect.as_str() {
        ALL => dialects::all(),
        word => vec![dialects::dialect("--dialect", word)?],
    };
    if let Some(data) = &args.data {
        return stored::run(args, data, &specs, agents);
    }
    let path = args.robots.as_deref().unwrap_or(Path::new("-"));
    let site = path.to_str().filter(|path| remote::is_remote(path));
    if let Some(site) = site {
        return live::run(args, site, &specs, &agents);
    }
    if names_a_host(path) {
        bail!(
            "{0}: no such file; https://{0} checks the robots.txt of the live site",
            path.display()
        );
    }
    if asked.url.is_empty() {
        bail!("--url: expected a URL, or a path that begins with /, but found none");
    }
    let body = read(path)?;
    let query = CheckQuery {
        name: path.display().to_string(),
        agents: &agents,
        urls: &asked.url,
        status: asked.status,
        robots_url: asked.robots_url.as_deref(),
        source: None,
    };
    let fetch = asked
        .status
        .map(|status| Fetch::after_redirects(Some(status), 0, false));
    let of_status = |spec: &Dialect| fetch.map(|fetch| fetch.outcome(spec));
    print_report(args, query, of_status, &specs, &body)
}

/// Returns whether a word is no file, but may be the name of a host, such as `example.com`.
fn names_a_host(path: &Path) -> bool {
    let word = path.to_str().unwrap_or_default();
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':');
    let is_name = word.contains('.') && word.chars().all(is_inside) && !word.ends_with(".txt");
    is_name && !word.starts_with('.') && !path.exists()
}

/// What is asked about a file, and where that comes from.
pub struct CheckQuery<'a> {
    /// The name of the file as typed, or where the archive is.
    pub name: String,
    /// The crawlers, at least one.
    pub agents: &'a [MatrixAgent],
    /// The URLs, at least one.
    pub urls: &'a [String],
    /// The status code of the fetch, where one is given.
    pub status: Option<u16>,
    /// The URL of the file, where one is given.
    pub robots_url: Option<&'a str>,
    /// What the file comes from, if that is more than a file.
    pub source: Option<Source>,
}

impl CheckQuery<'_> {
    /// Returns whether one crawler and one URL are asked about, so that the evidence is printed and
    /// no table.
    fn is_single(&self) -> bool {
        self.agents.len() == 1 && self.urls.len() == 1
    }
}

/// Where a file comes from: a capture of a dataset, or a live site.
pub struct Source {
    /// Lines of text on it, each behind its name.
    pub text: String,
    /// The key of JSON under which it is described.
    pub key: &'static str,
    /// The description in JSON.
    pub json: Value,
}

/// A query about a file; [`CheckReport::answers`] answers it.
pub struct CheckReport<'a> {
    /// What was asked.
    pub query: CheckQuery<'a>,
    /// The file.
    pub robots: Robots,
    /// The dialects, at least one, each with how the fetch ended, where that counts.
    pub dialects: Vec<(&'a Dialect, Option<FetchOutcome>)>,
}

/// Prints the answers to a query under each dialect, and returns the exit code; `outcome` is how
/// the fetch ended for one.
fn print_report(
    args: &CheckArgs,
    query: CheckQuery<'_>,
    outcome: impl Fn(&Dialect) -> Option<FetchOutcome>,
    specs: &[Dialect],
    body: &[u8],
) -> anyhow::Result<u8> {
    let report = CheckReport {
        query,
        robots: Robots::parse(body),
        dialects: specs.iter().map(|spec| (spec, outcome(spec))).collect(),
    };
    let painter = Painter::of_stdout(args.color);
    if args.json {
        escape::print_json(&report)?;
    } else if report.query.is_single() {
        let is_all = args.evaluation.dialect == ALL;
        escape::print(&text::render(&report, painter, is_all))?;
    } else {
        escape::print(&table::render(&report, painter))?;
    }
    let is_allow = |answer: Answer<'_>| answer.evidence.decision.verdict == Verdict::Allow;
    let is_refused = args.exit_code && !report.answers(report.query.agents).all(is_allow);
    Ok(u8::from(is_refused))
}

/// The longest file that is read, and the longest line of a file of cases: memory holds it a few
/// times over, and no dialect or archive at hand has one of a tenth of it.
pub const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Reads a file, or standard input.
///
/// # Errors
///
/// It cannot be read, or has more than [`MOST_BYTES`].
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    let read = open_plain(path).and_then(|file| {
        file.take(MOST_BYTES + 1).read_to_end(&mut body)?;
        match body.len() as u64 {
            n if n > MOST_BYTES => Err(too_long("the file")),
            _ => Ok(()),
        }
    });
    read.with_context(|| format!("{}: cannot read", path.display()))?;
    Ok(body)
}

/// Opens a file, or standard input.
pub fn open_plain(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(fs::File::open(path)?))
}

/// Returns the error about a file or a line that is longer than [`MOST_BYTES`].
fn too_long(what: &str) -> io::Error {
    let most = MOST_BYTES / (1024 * 1024);
    io::Error::other(format!(
        "expected at most {most} MiB, but {what} is longer; cut it, since crawlers read far less"
    ))
}
