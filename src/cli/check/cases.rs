//! `robocensus check --cases`: one JSON object a line in, one JSON object a line out.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context;
use flate2::bufread::MultiGzDecoder;
use robocensus::{
    check::{AccessCase, Case, CaseQuery, Checker, Request, ScopeCase, VerdictCase, read_case},
    dialect::{Dialect, NAMES, builtin},
    origin,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::super::escape::{self, EscapeStyle, EscapingWriter};

/// The name of standard input.
const STDIN: &str = "-";

/// Answers every line of a file and returns the exit code: 0 if every expectation holds, 1 if not,
/// 2 if a line could not be read. `dialect` is that of lines that name none.
pub fn run(path: &Path, dialect: &Dialect) -> anyhow::Result<ExitCode> {
    let name = path.display().to_string();
    let mut input = open(path).with_context(|| format!("{name}: cannot read"))?;
    let out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut out = EscapingWriter::new(out, EscapeStyle::Json);
    let mut answerer = CaseRunner::new(dialect);
    let mut line = Vec::new();
    let mut n_bad = 0u64;
    for number in 1u64.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if let Err(error) = read {
            // The answers so far are valid, whatever follows.
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
        let result = read_case(text).and_then(|case| answerer.answer(&case));
        match result {
            Ok(()) => out.write_all(&answerer.out)?,
            Err(message) => {
                n_bad += 1;
                // A closed standard error is no reason to stop.
                let message = format!("{name}: line {number}: {message}");
                let _ = writeln!(io::stderr(), "robocensus: {}", escape::line(&message));
            }
        }
    }
    out.finish()?;
    Ok(match (n_bad, answerer.has_failed) {
        (0, false) => ExitCode::SUCCESS,
        (0, true) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}

/// Opens a file, or standard input; gzip is recognized by its first bytes.
fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file: Box<dyn Read> = match path.as_os_str() == STDIN {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path)?),
    };
    let mut file = BufReader::with_capacity(1 << 16, file);
    let is_gzip = file.fill_buf()?.starts_with(b"\x1f\x8b");
    Ok(match is_gzip {
        true => Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file))),
        false => Box::new(file),
    })
}

/// Answers cases; `out` holds the answers to the last one.
struct CaseRunner {
    checker: Checker,
    /// The built-in dialects, and the one of lines that name none at the end.
    specs: Vec<Dialect>,
    out: Vec<u8>,
    has_failed: bool,
}

/// The answer to a case about a file.
#[derive(Serialize)]
struct VerdictLine<'a> {
    id: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<usize>,
    dialect: &'a str,
    verdict: &'static str,
    basis: &'static str,
    group_line: Option<u32>,
    rule_line: Option<u32>,
    expect: Option<&'a str>,
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

impl CaseRunner {
    fn new(dialect: &Dialect) -> CaseRunner {
        let specs = NAMES.iter().filter_map(|name| builtin(name));
        CaseRunner {
            checker: Checker::new(),
            specs: specs.chain([dialect.clone()]).collect(),
            out: Vec::new(),
            has_failed: false,
        }
    }

    /// Answers one case into `out`; the error is a sentence on a case that cannot be answered.
    fn answer(&mut self, case: &Case<'_>) -> Result<(), String> {
        self.out.clear();
        match case {
            Case::Verdict(case) => self.answer_verdicts(case),
            Case::Scope(case) => {
                self.answer_scope(case);
                Ok(())
            }
            Case::Access(case) => self.answer_access(case),
        }
    }

    fn answer_verdicts(&mut self, case: &VerdictCase<'_>) -> Result<(), String> {
        let at = self.dialect(case.dialect.as_ref())?;
        let spec = &self.specs[at];
        self.checker.parse(&case.body);
        self.checker.compile(spec, &case.body);
        for (index, query) in case.queries.iter().enumerate() {
            let answer = self.checker.ask(
                spec,
                &Request {
                    chain: &query.chain,
                    url: &query.url,
                    outcome: case.fetch.map(|fetch| fetch.outcome(spec)),
                    robots_url: case.robots_url.as_deref(),
                },
            );
            let decision = answer.decision;
            let ok = holds(query, decision.verdict.as_str(), decision.rule_line);
            self.has_failed |= ok == Some(false);
            write_line(
                &mut self.out,
                &VerdictLine {
                    id: case.id,
                    query: case.has_queries.then_some(index),
                    dialect: &spec.name,
                    verdict: decision.verdict.as_str(),
                    basis: decision.basis.as_str(),
                    group_line: answer.group_line,
                    rule_line: decision.rule_line,
                    expect: query.expect.as_deref(),
                    ok,
                },
            );
        }
        Ok(())
    }

    fn answer_scope(&mut self, case: &ScopeCase<'_>) {
        let applies = origin::applies_to(&case.robots_url, &case.url);
        let ok = case.applies.map(|expected| expected == applies);
        self.has_failed |= ok == Some(false);
        write_line(
            &mut self.out,
            &ScopeLine {
                id: case.id,
                applies,
                expect: case.applies,
                ok,
            },
        );
    }

    fn answer_access(&mut self, case: &AccessCase<'_>) -> Result<(), String> {
        let spec = &self.specs[self.dialect(case.dialect.as_ref())?];
        let access = spec.access.decide(case.fetch.outcome(spec)).as_str();
        let ok = case.expect.as_deref().map(|expected| expected == access);
        self.has_failed |= ok == Some(false);
        write_line(
            &mut self.out,
            &AccessLine {
                id: case.id,
                dialect: &spec.name,
                access,
                expect: case.expect.as_deref(),
                ok,
            },
        );
        Ok(())
    }

    /// Returns the index of the dialect that a line names; without a name, that of the command
    /// line.
    fn dialect(&self, name: Option<&Cow<'_, str>>) -> Result<usize, String> {
        let last = self.specs.len() - 1;
        let Some(name) = name else {
            return Ok(last);
        };
        let at = self.specs.iter().position(|spec| spec.name == **name);
        at.ok_or_else(|| {
            format!(
                "dialect: expected one of {}, but found {name:?}",
                NAMES.join(", ")
            )
        })
    }
}

/// Returns whether the expectations of a query hold; `None` where it has none.
fn holds(query: &CaseQuery<'_>, verdict: &str, rule_line: Option<u32>) -> Option<bool> {
    let is_verdict = query.expect.as_deref().map(|expected| expected == verdict);
    let is_line = query.line.map(|line| line == rule_line.unwrap_or(0));
    match (is_verdict, is_line) {
        (None, None) => None,
        _ => Some(is_verdict != Some(false) && is_line != Some(false)),
    }
}

fn write_line(out: &mut Vec<u8>, line: &impl Serialize) {
    serde_json::to_writer(&mut *out, line).expect("a line of plain fields goes into memory");
    out.push(b'\n');
}
