//! The protocol `robocensus-parser/1` on standard input and output, for parsers in Rust.

use std::{
    env,
    error::Error,
    io::{self, BufRead, BufReader, Write},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize, de::IgnoredAny};

/// The name of the protocol and its version.
pub const PROTOCOL: &str = "robocensus-parser/1";

/// The result of an adapter: an error ends the process, which costs the file that it was asked
/// about.
pub type AdapterResult<T> = Result<T, Box<dyn Error>>;

/// One agent and one URL.
#[derive(Debug, Deserialize)]
pub struct Query {
    /// The crawler's product token.
    pub agent: String,
    /// An absolute URL.
    pub url: String,
}

/// The answer to a query.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The agent may fetch the URL.
    Allow,
    /// It may not.
    Disallow,
    /// The parser reports an error.
    Error,
}

impl Verdict {
    /// Returns the verdict of a parser that only allows and disallows.
    pub fn allow_if(is_allowed: bool) -> Self {
        match is_allowed {
            true => Self::Allow,
            false => Self::Disallow,
        }
    }
}

#[derive(Deserialize, Serialize)]
struct Hello<'h> {
    protocol: &'h str,
    #[serde(default)]
    name: &'h str,
    #[serde(default)]
    version: &'h str,
}

#[derive(Deserialize)]
struct Request {
    id: u64,
    robots_b64: String,
    queries: Vec<Query>,
}

#[derive(Serialize)]
struct Answer {
    id: u64,
    verdicts: Vec<Verdict>,
}

/// Answers requests until there are no more: `decide` gets a robots.txt, an agent and the URLs that
/// are asked for it, and returns a verdict for each.
pub fn serve(
    name: &str,
    version: &str,
    decide: impl Fn(&[u8], &str, &[Query]) -> Vec<Verdict>,
) -> AdapterResult<()> {
    converse(name, version, |line, answers| {
        let request: Request = serde_json::from_slice(line)?;
        let body = STANDARD.decode(request.robots_b64)?;
        // Most parsers read a file for one agent, and queries of one agent are together.
        let of_agents = request
            .queries
            .chunk_by(|one, next| one.agent == next.agent);
        let answer = Answer {
            id: request.id,
            verdicts: of_agents
                .flat_map(|queries| decide(&body, &queries[0].agent, queries))
                .collect(),
        };
        Ok(serde_json::to_writer(answers, &answer)?)
    })
}

/// Introduces the parser, and calls `answer` with each line of a request to append its answer.
pub fn converse(
    name: &str,
    version: &str,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>) -> AdapterResult<()>,
) -> AdapterResult<()> {
    let mut requests = BufReader::with_capacity(1 << 18, io::stdin().lock());
    let mut stdout = io::stdout().lock();
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    requests.read_until(b'\n', &mut line)?;
    let hello: Hello = serde_json::from_slice(&line)?;
    if hello.protocol != PROTOCOL {
        let found = hello.protocol;
        return Err(format!("expected the protocol {PROTOCOL}, but found {found}").into());
    }
    let hello = Hello {
        protocol: PROTOCOL,
        name,
        version,
    };
    serde_json::to_writer(&mut answers, &hello)?;
    loop {
        answers.push(b'\n');
        // Answers are sent together, as long as the next request has arrived already.
        if !requests.buffer().contains(&b'\n') {
            stdout.write_all(&answers)?;
            stdout.flush()?;
            answers.clear();
        }
        line.clear();
        if requests.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        answer(&line, &mut answers)?;
    }
}

/// What an adapter that reads no file must know of a request.
#[derive(Deserialize)]
pub struct Outline {
    id: u64,
    queries: Vec<IgnoredAny>,
}

/// Reads the line of a request but for its file and its queries.
pub fn outline(line: &[u8]) -> AdapterResult<Outline> {
    Ok(serde_json::from_slice(line)?)
}

impl Outline {
    /// Appends the answer that all queries are allowed.
    pub fn allow_all(&self, answers: &mut Vec<u8>) -> AdapterResult<()> {
        let answer = Answer {
            id: self.id,
            verdicts: vec![Verdict::Allow; self.queries.len()],
        };
        Ok(serde_json::to_writer(answers, &answer)?)
    }
}

/// Returns the version of a crate in the lock of this package.
pub fn locked_version(name: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let after_name = lock.split_once(&format!("name = \"{name}\"\nversion = \""));
    let version = after_name.and_then(|(_, rest)| rest.split('"').next());
    version.unwrap_or_default()
}

/// Returns the number that is the only argument of an adapter.
///
/// # Errors
///
/// There is none, or it is no number.
pub fn number_argument() -> AdapterResult<u64> {
    let argument = env::args().nth(1).ok_or("expected a number")?;
    Ok(argument.parse()?)
}
