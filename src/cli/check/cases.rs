//! `robocensus check --cases`: one JSON object a line in, one JSON object a line out.

use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, BufRead, Read, Write},
    path::Path,
    rc::Rc,
};

use anyhow::Context;
use robocensus::{
    archive::input::maybe_gzip,
    compare::{
        probe::ORIGIN,
        query::{CellAnswer, FileQueries},
        side::Side,
    },
    robots::{
        check::{AccessCase, Case, CaseQuery, Checker, Request, ScopeCase, VerdictCase, read_case},
        dialect::{Basis, Dialect, Verdict},
    },
    url,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    super::{dialects, escape, values::absolute_url},
    MOST_BYTES, open_plain, too_long,
};

/// Why an external parser is not asked.
const ONLY_FILES: &str = "expected a file without status and robots_url, one agent and a URL, since an external parser is asked about nothing else; name a dialect in the line";

/// Different messages that are remembered, so that each is printed once.
const MOST_KEPT: usize = 1_000;

/// Answers every line of a file and returns the exit code: 0 if every expectation holds, 1 if not,
/// 2 if a line could not be read or its parser is at fault. Lines that name no dialect are answered
/// by `side`.
///
/// With `only_failures`, the answers whose expectation does not hold are printed, and a total.
pub fn run(path: &Path, side: Side, only_failures: bool) -> anyhow::Result<u8> {
    let name = path.display().to_string();
    let file = open_plain(path).with_context(|| format!("{name}: cannot read"))?;
    let mut input = maybe_gzip(file, path)?;
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    // Names of files of dialects are relative to that of the cases.
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut runner = CaseRunner::new(side, folder, only_failures);
    let mut messages = Messages {
        name: &name,
        said: HashMap::new(),
    };
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        let mut rest = (&mut input).take(MOST_BYTES + 1);
        let read = rest.read_until(b'\n', &mut line).and_then(|n| match n {
            n if n as u64 > MOST_BYTES => Err(too_long("the line")),
            _ => Ok(()),
        });
        if let Err(error) = read {
            // The answers so far are valid, whatever follows.
            messages.finish();
            out.flush()?;
            return Err(error).with_context(|| format!("{name}: line {number}: cannot read"));
        }
        if line.is_empty() {
            break;
        }
        let text = match number {
            1 => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line),
            _ => &line,
        };
        if text.trim_ascii().is_empty() {
            continue;
        }
        let mut note = |key: &str| messages.say(number, format!("the key {key:?} is ignored"));
        let result = read_case(text, &mut note).and_then(|case| runner.answer(&case));
        match result {
            Ok(()) => out.write_all(runner.lines.as_bytes())?,
            Err(message) => {
                runner.total.invalid += 1;
                messages.say(number, message);
            }
        }
    }
    messages.finish();
    let total = runner.total;
    if only_failures {
        out.write_all(json_line(&total).as_bytes())?;
    }
    out.flush()?;
    Ok(match (total.invalid, total.failed) {
        (0, 0) => 0,
        (0, _) => 1,
        _ => 2,
    })
}

/// What is said about the lines of a file: each thing once, with how often, at its end.
struct Messages<'n> {
    name: &'n str,
    said: HashMap<String, Said>,
}

/// The lines of which something is said.
struct Said {
    first: u64,
    last: u64,
    more: u64,
}

impl Messages<'_> {
    /// Says what is wrong or unusual in a line.
    fn say(&mut self, number: u64, message: String) {
        if let Some(said) = self.said.get_mut(&message) {
            // A key may be in each query of a line.
            said.more += u64::from(said.last != number);
            said.last = number;
        } else if self.said.len() < MOST_KEPT {
            let said = Said {
                first: number,
                last: number,
                more: 0,
            };
            self.said.insert(message, said);
        } else {
            self.print(number, &message);
        }
    }

    /// Prints all that was said.
    fn finish(&self) {
        let mut all: Vec<_> = self.said.iter().collect();
        all.sort_by_key(|(message, said)| (said.first, *message));
        for (message, said) in all {
            let more = match said.more {
                0 => String::new(),
                1 => ", and so in 1 more line".to_owned(),
                n => format!(", and so in {n} more lines"),
            };
            self.print(said.first, &format!("{message}{more}"));
        }
    }

    fn print(&self, number: u64, message: &str) {
        escape::print_message(&format!("{}: line {number}: {message}", self.name));
    }
}

/// Answers cases as lines of JSON.
struct CaseRunner<'p> {
    checker: Checker,
    /// The side of lines that name no dialect.
    side: Side,
    /// Its dialect; `None` if it is a parser.
    dialect: Option<Rc<Dialect>>,
    /// The built-in dialects, that one, and those of files, by their names as a line has them.
    known: HashMap<String, Rc<Dialect>>,
    folder: &'p Path,
    only_failures: bool,
    /// The answers to the last case.
    lines: String,
    total: Total,
}

/// How many answers there were, by their `ok`, and how many lines without one.
#[derive(Clone, Copy, Default, Serialize)]
struct Total {
    answers: u64,
    failed: u64,
    /// Answers without an expectation.
    unchecked: u64,
    /// Lines that are no case.
    invalid: u64,
}

/// The answer to a case about a file.
#[derive(Serialize)]
struct VerdictLine<'a> {
    id: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<Vec<Cow<'a, str>>>,
    url: Cow<'a, str>,
    dialect: &'a str,
    verdict: &'static str,
    basis: Option<&'static str>,
    group_line: Option<u32>,
    rule_line: Option<u32>,
    expect: Option<&'a str>,
    /// The line that is expected to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    ok: Option<bool>,
}

/// The answer to a case about the URL of a file.
#[derive(Serialize)]
struct ScopeLine<'a> {
    id: Option<&'a RawValue>,
    applies: bool,
    expect: Option<bool>,
    ok: Option<bool>,
}

/// The answer to a case about a fetch.
#[derive(Serialize)]
struct AccessLine<'a> {
    id: Option<&'a RawValue>,
    dialect: &'a str,
    access: &'static str,
    expect: Option<&'a str>,
    ok: Option<bool>,
}

impl<'p> CaseRunner<'p> {
    fn new(side: Side, folder: &'p Path, only_failures: bool) -> Self {
        let dialect = side.dialect().cloned().map(Rc::new);
        // A built-in dialect counts before one of a file with its name.
        let built_in = dialects::all().into_iter().map(Rc::new);
        let known = dialect.clone().into_iter().chain(built_in);
        CaseRunner {
            checker: Checker::new(),
            side,
            dialect,
            known: known.map(|spec| (spec.name.to_string(), spec)).collect(),
            folder,
            only_failures,
            lines: String::new(),
            total: Total::default(),
        }
    }

    /// Counts an answer, and writes it if it is to be shown.
    fn add(&mut self, ok: Option<bool>, answer: impl Serialize) {
        self.total.answers += 1;
        match ok {
            Some(true) => {}
            Some(false) => self.total.failed += 1,
            None => self.total.unchecked += 1,
        }
        if !self.only_failures || ok == Some(false) {
            self.lines.push_str(&json_line(&answer));
        }
    }

    /// Answers one case; the error is a sentence on a case that cannot be answered.
    fn answer(&mut self, case: &Case<'_>) -> Result<(), String> {
        self.lines.clear();
        match case {
            Case::Verdict(case) if case.dialect.is_none() && self.dialect.is_none() => {
                self.answer_by_parser(case)
            }
            Case::Verdict(case) => self.answer_verdicts(case),
            Case::Scope(case) => {
                self.answer_scope(case);
                Ok(())
            }
            Case::Access(case) => self.answer_access(case),
        }
    }

    fn answer_verdicts(&mut self, case: &VerdictCase<'_>) -> Result<(), String> {
        let spec = self.dialect(case.dialect.as_deref())?;
        self.checker.parse(&case.body);
        self.checker.compile(&spec, &case.body);
        for (number, query) in case.queries.iter().enumerate() {
            let request = Request {
                chain: &query.chain,
                url: &query.url,
                outcome: case.fetch.map(|fetch| fetch.outcome(&spec)),
                robots_url: case.robots_url.as_deref(),
            };
            let answer = self.checker.ask(&spec, &request);
            let mut line = verdict_line(case, number, &spec.name, answer.decision.into());
            line.group_line = answer.group_line;
            self.add(line.ok, line);
        }
        Ok(())
    }

    /// Answers a case by an external parser, which is asked about a file, and one token of a
    /// crawler.
    fn answer_by_parser(&mut self, case: &VerdictCase<'_>) -> Result<(), String> {
        let is_file = case.fetch.is_none() && case.robots_url.is_none();
        let queries = case.queries.iter().map(|query| match &*query.chain {
            [agent] if is_file => Ok((text(agent), absolute_url(ORIGIN, &text(&query.url)))),
            _ => Err(ONLY_FILES),
        });
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        let queries = queries.iter().map(|(agent, url)| (&**agent, &**url));
        let file = FileQueries {
            body: (&*case.body).into(),
            queries: queries.collect(),
        };
        let name = self.side.name();
        for of_file in self.side.ask(&[file]) {
            let answers = of_file
                .result
                .map_err(|fault| format!("{name}: {}", fault.message))?;
            for (number, answer) in answers.into_iter().enumerate() {
                let line = verdict_line(case, number, &name, answer);
                self.add(line.ok, line);
            }
        }
        Ok(())
    }

    fn answer_scope(&mut self, case: &ScopeCase<'_>) {
        let applies = url::applies_to(&case.robots_url, &case.url);
        let ok = case.applies.map(|expected| expected == applies);
        let line = ScopeLine {
            id: case.id,
            applies,
            expect: case.applies,
            ok,
        };
        self.add(ok, line);
    }

    fn answer_access(&mut self, case: &AccessCase<'_>) -> Result<(), String> {
        let spec = self.dialect(case.dialect.as_deref())?;
        let access = spec.access.decide(case.fetch.outcome(&spec)).as_str();
        let ok = case.expect.as_deref().map(|expected| expected == access);
        let line = AccessLine {
            id: case.id,
            dialect: &spec.name,
            access,
            expect: case.expect.as_deref(),
            ok,
        };
        self.add(ok, line);
        Ok(())
    }

    /// Returns the dialect that a line names; without a name, that of the command line.
    fn dialect(&mut self, name: Option<&str>) -> Result<Rc<Dialect>, String> {
        let Some(name) = name else {
            return self.dialect.clone().ok_or_else(|| ONLY_FILES.into());
        };
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        // The messages name the file as it is opened.
        let path = if name.ends_with(dialects::FILE_END) {
            self.folder.join(name).to_string_lossy().into_owned()
        } else {
            name.to_owned()
        };
        let spec = dialects::dialect("dialect", &path).map_err(|error| format!("{error:#}"))?;
        let spec = Rc::new(spec);
        self.known.insert(name.to_owned(), spec.clone());
        Ok(spec)
    }
}

/// Returns the answer to a query of a case, with no line of a group.
fn verdict_line<'a>(
    case: &'a VerdictCase<'_>,
    number: usize,
    dialect: &'a str,
    answer: CellAnswer,
) -> VerdictLine<'a> {
    let query = &case.queries[number];
    let agents: Vec<_> = query.chain.iter().map(|agent| text(agent)).collect();
    let verdict = answer.verdict.map_or("error", Verdict::as_str);
    VerdictLine {
        id: case.id,
        query: case.has_queries.then_some(number),
        agent: agents.first().cloned().filter(|_| !query.has_agents),
        agents: Some(agents).filter(|_| query.has_agents),
        url: text(&query.url),
        dialect,
        verdict,
        basis: answer.basis.map(Basis::as_str),
        group_line: None,
        rule_line: answer.line.filter(|&line| line > 0),
        expect: query.expect.as_deref(),
        line: query.line,
        ok: holds(query, verdict, answer.line),
    }
}

/// Returns whether the expectations of a query hold; `None` where it has none that can be checked:
/// a parser may not tell which line decides.
fn holds(query: &CaseQuery<'_>, verdict: &str, line: Option<u32>) -> Option<bool> {
    let is_verdict = query.expect.as_deref().map(|expected| expected == verdict);
    let is_line = query
        .line
        .zip(line)
        .map(|(expected, line)| expected == line);
    match (is_verdict, is_line) {
        (None, None) => None,
        _ => Some(is_verdict != Some(false) && is_line != Some(false)),
    }
}

/// Returns bytes of a case as text; JSON has no others.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn json_line(line: &impl Serialize) -> String {
    let json = serde_json::to_string(line).expect("a line of plain fields is JSON");
    format!("{}\n", escape::json(&json))
}
