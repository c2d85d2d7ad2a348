//! `robocensus reduce`: the smallest robots.txt, agent and URL on which two parsers still differ.

use std::path::Path;

use anyhow::{anyhow, bail};
use base64::{Engine, engine::general_purpose::STANDARD};
use robocensus::{
    Error, ErrorKind,
    compare::{
        probe::ORIGIN,
        reason::{LineKinds, Reason},
        reduce::{Example, reduce},
        side::{CellAnswer, Side},
    },
    robots::dialect::{Basis, Verdict},
};
use serde_json::{Value, json};

use super::{
    args::ReduceArgs,
    check,
    escape::{evidence, print, print_json, shortened},
    output_file::OutputFile,
    progress::stopped_by_ctrl_c,
    side_argument::start_side,
    template::rendered,
    values::absolute_url,
};

/// Files on which a parser fails before the search ends: each may take as long as the timeout.
const MAX_FAULTS: usize = 100;
/// Lines of the robots.txt that are shown, and characters of each; --out has all of it.
const MAX_LINES: usize = 50;
const MAX_LINE: usize = 200;

/// What is left, as text.
const TEXT: &str = include_str!("../templates/reduced.txt.j2");

/// Reduces a flip and prints what is left.
pub fn run(args: &ReduceArgs) -> anyhow::Result<()> {
    let path = args.robots.as_path();
    let out = match &args.out {
        Some(out) => Some(OutputFile::begin(out, None, [path])?),
        None => None,
    };
    let body = check::read(path)?;
    let large = Example {
        body,
        agent: args.agent.clone(),
        url: absolute_url(ORIGIN, &args.url),
    };
    let progress = stopped_by_ctrl_c()?;
    let start = |option, side| start_side(option, side, args.timeout, progress.stop_flag());
    let baseline = start("--baseline", &args.baseline)?;
    let candidate = start("--candidate", &args.candidate)?;
    let sides = Sides {
        names: [baseline.name(), candidate.name()],
        sides: [baseline, candidate],
        n_faults: 0,
    };
    // The parsers end with it.
    let reduced = sides.reduce(path, large, args.reduce_steps);
    if progress.is_stopped() {
        return Err(Error::from(ErrorKind::Interrupted).into());
    }
    let (body, found) = reduced?;
    if let Some(out) = out {
        out.finish(|file| file.write_all(&body))?;
    }
    if args.json {
        return print_json(&found);
    }
    Ok(print(&in_text(&body, found))?)
}

/// The parsers that are compared.
struct Sides {
    /// Baseline and candidate.
    sides: [Side; 2],
    names: [String; 2],
    /// Files on which an external parser failed.
    n_faults: usize,
}

impl Sides {
    /// Returns the smallest robots.txt, and what is printed of the flip.
    fn reduce(
        mut self,
        path: &Path,
        large: Example,
        steps: usize,
    ) -> anyhow::Result<(Vec<u8>, Value)> {
        let bytes_before = large.body.len();
        let (_, flip) = self.answers(&large)?;
        if flip[0] == flip[1] {
            bail!(
                "{}: expected an agent and a URL on which the parsers differ, but {} and {} both answer {} for {:?} and {:?}",
                path.display(),
                self.names[0],
                self.names[1],
                flip[0].as_str(),
                large.agent,
                large.url
            );
        }
        let mut reason = match [0, 1].map(|side| self.sides[side].dialect()) {
            [Some(baseline), Some(candidate)] => {
                Some(Reason::of_flip(baseline, candidate, &large, flip))
            }
            _ => None,
        };
        let kinds = LineKinds::from_body(&large.body);
        let reduced = reduce(large, steps, |example| {
            self.n_faults < MAX_FAULTS
                && (reason.is_some() || kinds.include_those_of(&example.body))
                && self.flips(example, flip)
                && reason
                    .as_mut()
                    .is_none_or(|reason| reason.explains(example, flip))
        });
        let (answers, verdicts) = self.answers(&reduced.example)?;
        if verdicts != flip {
            bail!(
                "{}: expected the same answers to the same file, but a parser answered otherwise when it was asked about the reduced file again",
                path.display()
            );
        }
        let side = |side: usize| {
            let answer = &answers[side];
            json!({
                "name": self.names[side],
                "verdict": answer.verdict.map(Verdict::as_str),
                "basis": answer.basis.map(Basis::as_str),
                "line": answer.line,
            })
        };
        let Example { body, agent, url } = reduced.example;
        let found = json!({
            "robots": String::from_utf8_lossy(&body),
            "robots_b64": STANDARD.encode(&body),
            "agent": agent,
            "url": url,
            "baseline": side(0),
            "candidate": side(1),
            // Answers that change from the one dialect to the other, if both are dialects.
            "changes": reason.map(Reason::into_changes),
            "bytes": body.len(),
            "bytes_before": bytes_before,
            "steps": reduced.steps,
            "is_minimal": reduced.is_minimal && self.n_faults < MAX_FAULTS,
            "faults": self.n_faults,
        });
        Ok((body, found))
    }

    /// Returns true if and only if the parsers still answer so. Dialects, which answer at once, are
    /// asked first.
    fn flips(&mut self, example: &Example, flip: [Verdict; 2]) -> bool {
        let mut order = [0, 1];
        order.sort_by_key(|&side| self.sides[side].dialect().is_none());
        order.into_iter().all(|side| {
            let answer = self.ask(side, example);
            self.n_faults += usize::from(answer.is_err());
            answer.is_ok_and(|answer| answer.verdict == Some(flip[side]))
        })
    }

    /// Returns the answers of both parsers, which are no errors, and their verdicts.
    fn answers(&mut self, example: &Example) -> anyhow::Result<([CellAnswer; 2], [Verdict; 2])> {
        let mut answer = |side: usize| {
            let answer = self.ask(side, example);
            answer.map_err(|fault| anyhow!("{}: {fault}", self.names[side]))
        };
        let answers = [answer(0)?, answer(1)?];
        let verdict = |side: usize| {
            let verdict = answers[side].verdict;
            verdict.ok_or_else(|| {
                anyhow!(
                    "{}: expected a verdict, but it answered with an error",
                    self.names[side]
                )
            })
        };
        let verdicts = [verdict(0)?, verdict(1)?];
        Ok((answers, verdicts))
    }

    /// Asks one parser; the error is what it did wrong.
    fn ask(&mut self, side: usize, example: &Example) -> Result<CellAnswer, String> {
        let answers = self.sides[side].ask(&[example.to_ask()]).pop();
        let answers = answers.map(|file| file.result.map_err(|fault| fault.message));
        let absent = || "expected an answer, but found none".to_owned();
        let answer = answers.ok_or_else(absent)??.pop();
        answer.ok_or_else(absent)
    }
}

fn in_text(body: &[u8], mut facts: Value) -> String {
    let lines = body.split_inclusive(|&byte| byte == b'\n');
    let shown = lines.clone().take(MAX_LINES).map(|line| {
        let line = evidence(line.strip_suffix(b"\n").unwrap_or(line));
        shortened(&line, MAX_LINE)
    });
    facts["lines"] = shown.collect();
    facts["n_lines"] = lines.count().into();
    facts["most_faults"] = MAX_FAULTS.into();
    rendered(TEXT, facts)
}
