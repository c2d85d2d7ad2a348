//! Parsers in processes of their own, asked over JSON lines.
//!
//! The protocol, `robocensus-parser/1`, is one line of JSON for each message, in UTF-8. The first
//! line to the process is `{"protocol": "robocensus-parser/1"}`; its first line states the
//! protocol, and the parser's name and version. Then each file is a [`Request`]'s line, answered in
//! any order by a line with the same `id`. Several requests are under way at a time; the process is
//! kept until its standard input is closed.
//!
//! What a process does wrong costs the file that it was asked about, never the run: it is stopped,
//! started again, and the fault is a [`Reply`]. Where several files were under way and none is
//! named, each of them is asked again alone, so that only the file at fault loses its answer.

use std::{
    collections::{HashSet, VecDeque},
    fmt,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

/// The name of the protocol and its version.
pub const PROTOCOL: &str = "robocensus-parser/1";
/// The most bytes of one line of a process; 256 verdicts with their lines need some 5 KiB.
const MAX_LINE: usize = 4 << 20;
/// The most bytes of standard error of all processes of a side that are written down.
const MAX_STDERR: u64 = 1 << 20;
/// How long a process may take to say its name.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a process may take to end once its standard input is closed.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// How an external parser is run.
#[derive(Clone, Debug)]
pub struct ParserCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Processes at a time.
    pub workers: usize,
    /// Files under way in one process.
    pub in_flight: usize,
    /// How long a process may take for one file.
    pub timeout: Duration,
}

/// One agent and one URL.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Query {
    /// The crawler's product token.
    pub agent: String,
    /// An absolute URL.
    pub url: String,
}

/// One file and what is asked about it.
#[derive(Clone, Debug)]
pub struct Request {
    /// Names the request in its reply.
    pub id: u64,
    /// The body of the robots.txt.
    pub body: Arc<[u8]>,
    /// What is asked.
    pub queries: Arc<[Query]>,
}

/// A verdict of an external parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExternalVerdict {
    /// The agent may fetch the URL.
    Allow,
    /// It may not.
    Disallow,
    /// The parser's specification does not say.
    Undefined,
    /// The parser reports an error for this query.
    Error,
}

/// The answer to one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalAnswer {
    /// The verdict.
    pub verdict: ExternalVerdict,
    /// The line that decided, from 1; 0 for none, `None` where the parser does not know.
    pub line: Option<u32>,
}

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The request; `None` for a fault that none of the files under way repeated alone.
    pub id: Option<u64>,
    /// How long the process took for the file.
    pub elapsed: Duration,
    /// One answer for each query, or what went wrong.
    pub result: Result<Vec<ExternalAnswer>, ParserFault>,
}

/// What a process did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParserFault {
    /// The kind of fault.
    pub kind: ParserFaultKind,
    /// What was expected and what was found.
    pub message: String,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParserFaultKind {
    /// The process ended.
    Exited,
    /// It did not answer in time.
    TimedOut,
    /// A line is not an answer of the protocol.
    InvalidAnswer,
    /// A line exceeds the limit.
    AnswerTooLong,
    /// An answer has another number of verdicts or lines than there were queries.
    WrongCount,
    /// A file was answered twice.
    RepeatedAnswer,
    /// An answer names a file that was never asked.
    UnknownId,
}

impl ParserFaultKind {
    /// Returns the name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            ParserFaultKind::Exited => "exited",
            ParserFaultKind::TimedOut => "timed_out",
            ParserFaultKind::InvalidAnswer => "invalid_answer",
            ParserFaultKind::AnswerTooLong => "answer_too_long",
            ParserFaultKind::WrongCount => "wrong_count",
            ParserFaultKind::RepeatedAnswer => "repeated_answer",
            ParserFaultKind::UnknownId => "unknown_id",
        }
    }
}

/// The name and version that a parser states of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParserName {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

/// Why a parser could not be started.
#[derive(Debug)]
pub struct StartError(String);

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StartError {}

/// The processes of one external parser.
pub struct ParserPool {
    name: ParserName,
    requests: Option<SyncSender<Request>>,
    workers: Vec<thread::JoinHandle<()>>,
}

impl ParserPool {
    /// Starts the first process, learns the parser's name, and returns the pool with the receiver
    /// of its replies, which come in any order.
    ///
    /// The caller must receive replies while it sends requests: requests wait for a process, replies
    /// are held until they are received.
    ///
    /// # Errors
    ///
    /// The command cannot be started, or does not speak the protocol within ten seconds.
    pub fn start(
        command: ParserCommand,
        stderr: Box<dyn Write + Send>,
    ) -> Result<(ParserPool, Receiver<Reply>), StartError> {
        let stderr = Arc::new(Mutex::new(BoundedLog {
            inner: stderr,
            left: MAX_STDERR,
        }));
        let (process, name) = Process::start(&command, &stderr)?;
        let mut first = Some(process);
        let (requests, queue) = sync_channel(command.workers);
        let queue = Arc::new(Mutex::new(queue));
        let (replies, received) = std::sync::mpsc::channel();
        let workers = (0..command.workers.max(1))
            .map(|_| {
                let worker = Worker {
                    command: command.clone(),
                    stderr: Arc::clone(&stderr),
                    queue: Arc::clone(&queue),
                    replies: replies.clone(),
                    process: first.take(),
                    under_way: VecDeque::new(),
                    suspects: VecDeque::new(),
                    innocent: VecDeque::new(),
                    is_alone: false,
                };
                thread::spawn(move || worker.run())
            })
            .collect();
        let pool = ParserPool {
            name,
            requests: Some(requests),
            workers,
        };
        Ok((pool, received))
    }

    /// Returns what the parser calls itself.
    pub fn name(&self) -> &ParserName {
        &self.name
    }

    /// Sends a request as soon as a process takes one.
    pub fn send(&self, request: Request) {
        if let Some(requests) = &self.requests {
            // Workers end only behind this sender.
            let _ = requests.send(request);
        }
    }

    /// Waits until all requests are answered and the processes have ended.
    pub fn finish(mut self) {
        self.requests = None;
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

/// One file that a process was asked about and has not answered.
struct UnderWay {
    request: Request,
    sent: Instant,
}

/// Keeps one process busy.
struct Worker {
    command: ParserCommand,
    stderr: Arc<Mutex<BoundedLog>>,
    queue: Arc<Mutex<Receiver<Request>>>,
    replies: Sender<Reply>,
    process: Option<Process>,
    under_way: VecDeque<UnderWay>,
    /// Files that were under way when something happened that names none of them: asked alone.
    suspects: VecDeque<Request>,
    /// Files that were under way when another one was at fault: asked again like new ones.
    innocent: VecDeque<Request>,
    /// Whether the file under way is a suspect.
    is_alone: bool,
}

/// What a worker learned from a process.
enum Event {
    Line(Vec<u8>),
    TooLong,
    Ended,
}

impl Worker {
    fn run(mut self) {
        loop {
            if self.under_way.is_empty() {
                let Some(request) = self.next(true) else {
                    break;
                };
                self.ask(request);
            }
            while !self.is_alone && self.under_way.len() < self.command.in_flight {
                let Some(request) = self.next(false) else {
                    break;
                };
                self.ask(request);
            }
            self.wait();
        }
        if let Some(process) = self.process.take() {
            process.finish();
        }
    }

    /// Returns the next file to ask about; `None` at the end, or where none is ready and the worker
    /// need not wait for one.
    fn next(&mut self, may_wait: bool) -> Option<Request> {
        let suspect = self.suspects.pop_front();
        self.is_alone = suspect.is_some();
        if suspect.is_some() {
            return suspect;
        }
        if let Some(request) = self.innocent.pop_front() {
            return Some(request);
        }
        if may_wait {
            let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            return queue.recv().ok();
        }
        // Another worker may be waiting for the queue; this one has work.
        let queue = self.queue.try_lock().ok()?;
        queue.try_recv().ok()
    }

    fn ask(&mut self, request: Request) {
        if self.process.is_none() {
            match Process::start(&self.command, &self.stderr) {
                Ok((process, _)) => self.process = Some(process),
                Err(error) => {
                    self.fault(
                        Some(request.id),
                        ParserFaultKind::Exited,
                        error.0,
                        Duration::ZERO,
                    );
                    return;
                }
            }
        }
        if let Some(process) = &mut self.process {
            process.send(&request);
        }
        let sent = Instant::now();
        self.under_way.push_back(UnderWay { request, sent });
    }

    /// Waits for one event of the process and handles it.
    fn wait(&mut self) {
        let Some(oldest) = self.under_way.front() else {
            return;
        };
        let Some(process) = &self.process else {
            return;
        };
        let since = process.last_answer.max(oldest.sent);
        let left = (since + self.command.timeout).saturating_duration_since(Instant::now());
        let event = process.events.recv_timeout(left);
        let elapsed = since.elapsed();
        match event {
            Ok(Event::Line(line)) => self.answer(&line, elapsed),
            Ok(Event::TooLong) => {
                let message =
                    format!("expected a line of at most {MAX_LINE} bytes, but it has more");
                self.blame_all(ParserFaultKind::AnswerTooLong, message, elapsed);
            }
            Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => {
                let status = self.stop();
                let message = format!("expected an answer, but the process ended ({status})");
                self.blame_all(ParserFaultKind::Exited, message, elapsed);
            }
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.command.timeout.as_secs_f64();
                let message = format!("expected an answer within {seconds} s, but there was none");
                self.blame_all(ParserFaultKind::TimedOut, message, elapsed);
            }
        }
    }

    fn answer(&mut self, line: &[u8], elapsed: Duration) {
        let answer: AnswerLine = match serde_json::from_slice(line) {
            Ok(answer) => answer,
            Err(error) => {
                let found = shortened(line);
                let message = format!("expected an answer as JSON, but found {found}: {error}");
                // An answer that names its file costs that one.
                let id = serde_json::from_slice::<IdLine>(line)
                    .ok()
                    .map(|line| line.id);
                match id.filter(|id| self.under_way.iter().any(|file| file.request.id == *id)) {
                    Some(id) => self.blame(id, ParserFaultKind::InvalidAnswer, message, elapsed),
                    None => self.blame_all(ParserFaultKind::InvalidAnswer, message, elapsed),
                }
                return;
            }
        };
        let id = answer.id;
        let at = self.under_way.iter().position(|file| file.request.id == id);
        let Some(at) = at else {
            let is_repeated = (self.process.as_ref()).is_some_and(|p| p.answered.contains(&id));
            if is_repeated {
                let message = format!("expected one answer to the request {id}, but found another");
                self.blame(id, ParserFaultKind::RepeatedAnswer, message, elapsed);
            } else {
                let message = format!("expected the id of a request, but found {id}");
                self.blame_all(ParserFaultKind::UnknownId, message, elapsed);
            }
            return;
        };
        let n_queries = self.under_way[at].request.queries.len();
        let n_lines = answer.lines.as_ref().map_or(n_queries, Vec::len);
        if answer.verdicts.len() != n_queries || n_lines != n_queries {
            let message = format!(
                "expected {n_queries} verdicts, but found {} and {n_lines} lines",
                answer.verdicts.len()
            );
            self.blame(id, ParserFaultKind::WrongCount, message, elapsed);
            return;
        }
        self.under_way.remove(at);
        if let Some(process) = &mut self.process {
            process.last_answer = Instant::now();
            process.answered.insert(id);
        }
        let lines = answer.lines.into_iter().flatten();
        let lines = lines.chain(std::iter::repeat(None));
        let answers = answer.verdicts.into_iter().zip(lines);
        let result = answers.map(|(verdict, line)| ExternalAnswer { verdict, line });
        self.reply(Some(id), elapsed, Ok(result.collect()));
    }

    /// Reports a fault of one file, stops the process, and lets the others be asked again.
    fn blame(&mut self, id: u64, kind: ParserFaultKind, message: String, elapsed: Duration) {
        self.stop();
        let others = self.under_way.drain(..).map(|file| file.request);
        self.innocent
            .extend(others.filter(|request| request.id != id));
        self.fault(Some(id), kind, message, elapsed);
    }

    /// Reports a fault of the one file under way, or lets each of several be asked alone.
    fn blame_all(&mut self, kind: ParserFaultKind, message: String, elapsed: Duration) {
        self.stop();
        if self.under_way.len() == 1 {
            let id = self.under_way.pop_front().map(|file| file.request.id);
            self.fault(id, kind, message, elapsed);
        } else {
            let files = self.under_way.drain(..).map(|file| file.request);
            self.suspects.extend(files);
        }
    }

    fn fault(&self, id: Option<u64>, kind: ParserFaultKind, message: String, elapsed: Duration) {
        self.reply(id, elapsed, Err(ParserFault { kind, message }));
    }

    fn reply(
        &self,
        id: Option<u64>,
        elapsed: Duration,
        result: Result<Vec<ExternalAnswer>, ParserFault>,
    ) {
        // The receiver may have been dropped by a run that ends early.
        let _ = self.replies.send(Reply {
            id,
            elapsed,
            result,
        });
    }

    /// Stops the process and returns how it ended.
    fn stop(&mut self) -> String {
        self.process.take().map_or_else(String::new, Process::kill)
    }
}

/// A process that speaks the protocol.
struct Process {
    child: Child,
    requests: SyncSender<Vec<u8>>,
    events: Receiver<Event>,
    last_answer: Instant,
    /// The files that it has answered.
    answered: HashSet<u64>,
}

impl Process {
    fn start(
        command: &ParserCommand,
        stderr: &Arc<Mutex<BoundedLog>>,
    ) -> Result<(Process, ParserName), StartError> {
        let words = command.words.join(" ");
        let (program, arguments) = (command.words.split_first())
            .ok_or_else(|| StartError("expected a command, but found none".to_owned()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| StartError(format!("{words}: {error}")))?;
        let (Some(stdin), Some(stdout), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(StartError(format!(
                "{words}: its standard streams are closed"
            )));
        };
        // As many as can be under way, so that sending never waits for the process.
        let (requests, to_write) = sync_channel(command.in_flight.max(1) + 1);
        thread::spawn(move || write_lines(stdin, &to_write));
        // A process that floods is stopped by its pipe.
        let (found, events) = sync_channel(64);
        thread::spawn(move || read_lines(stdout, &found));
        let log = Arc::clone(stderr);
        thread::spawn(move || {
            let log = &mut SharedLog(log);
            // What cannot be written down is lost; the process must not notice.
            let _ = io::copy(&mut BufReader::new(errors), log);
        });
        let mut process = Process {
            child,
            requests,
            events,
            last_answer: Instant::now(),
            answered: HashSet::new(),
        };
        let hello = format!("{{\"protocol\": \"{PROTOCOL}\"}}\n");
        process.write(hello.into_bytes());
        let name = process.read_name(&words);
        match name {
            Ok(name) => Ok((process, name)),
            Err(message) => {
                process.kill();
                Err(StartError(message))
            }
        }
    }

    fn read_name(&mut self, words: &str) -> Result<ParserName, String> {
        let expected = format!(
            "{words}: expected {{\"protocol\": \"{PROTOCOL}\", \"name\": .., \"version\": ..}}"
        );
        match self.events.recv_timeout(START_TIMEOUT) {
            Ok(Event::Line(line)) => match serde_json::from_slice::<HelloLine>(&line) {
                Ok(hello) if hello.protocol == PROTOCOL => Ok(ParserName {
                    name: hello.name,
                    version: hello.version,
                }),
                _ => Err(format!("{expected}, but found {}", shortened(&line))),
            },
            Ok(Event::TooLong) => Err(format!(
                "{expected}, but found a line over {MAX_LINE} bytes"
            )),
            Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => {
                let status = self
                    .child
                    .wait()
                    .map_or_else(|e| e.to_string(), |s| s.to_string());
                Err(format!("{expected}, but the process ended ({status})"))
            }
            Err(RecvTimeoutError::Timeout) => {
                let seconds = START_TIMEOUT.as_secs();
                Err(format!("{expected} within {seconds} s, but found nothing"))
            }
        }
    }

    fn send(&mut self, request: &Request) {
        let mut line = Vec::with_capacity(request.body.len() * 2 + request.queries.len() * 64);
        let message = RequestLine {
            id: request.id,
            robots_b64: STANDARD.encode(&request.body),
            queries: &request.queries,
        };
        // Writing to memory cannot fail, and the message has string keys only.
        let _ = serde_json::to_writer(&mut line, &message);
        line.push(b'\n');
        self.write(line);
    }

    fn write(&mut self, line: Vec<u8>) {
        match self.requests.try_send(line) {
            // A process that has ended is noticed by what it no longer answers.
            Ok(()) | Err(TrySendError::Disconnected(_)) => {}
            Err(TrySendError::Full(line)) => drop(self.requests.send(line)),
        }
    }

    /// Stops the process at once and returns how it ended.
    fn kill(mut self) -> String {
        let _ = self.child.kill();
        match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// Closes standard input, and stops a process that does not end by itself then.
    fn finish(self) {
        let Process {
            mut child,
            requests,
            ..
        } = self;
        drop(requests);
        let began = Instant::now();
        while began.elapsed() < END_TIMEOUT {
            match child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Writes lines until there are no more or the process is gone.
fn write_lines(stdin: ChildStdin, lines: &Receiver<Vec<u8>>) {
    let mut stdin = BufWriter::with_capacity(1 << 16, stdin);
    while let Ok(line) = lines.recv() {
        let mut written = stdin.write_all(&line);
        for line in lines.try_iter() {
            written = written.and_then(|()| stdin.write_all(&line));
        }
        if written.and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the end of the stream, or one that is too long.
fn read_lines(stdout: impl Read, events: &SyncSender<Event>) {
    let mut stdout = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let mut line = Vec::new();
        let read = (&mut stdout)
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) | Err(_) => Event::Ended,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Event::Line(line)
            }
            Ok(n) if n > MAX_LINE => Event::TooLong,
            // A last line without its end is cut off.
            Ok(_) => Event::Ended,
        };
        let is_last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Returns the beginning of a line for a message.
fn shortened(line: &[u8]) -> String {
    const SHOWN: usize = 80;
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    let more = if line.len() > SHOWN { ".." } else { "" };
    format!("{:?}{more}", text)
}

/// The standard error of all processes of a side, up to a limit.
struct BoundedLog {
    inner: Box<dyn Write + Send>,
    left: u64,
}

struct SharedLog(Arc<Mutex<BoundedLog>>);

impl Write for SharedLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n = bytes
            .len()
            .min(usize::try_from(log.left).unwrap_or(usize::MAX));
        log.inner.write_all(&bytes[..n])?;
        log.left -= n as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.inner.flush()
    }
}

#[derive(Serialize)]
struct RequestLine<'r> {
    id: u64,
    robots_b64: String,
    queries: &'r [Query],
}

#[derive(Deserialize)]
struct HelloLine {
    protocol: String,
    name: String,
    version: String,
}

#[derive(Deserialize)]
struct AnswerLine {
    id: u64,
    verdicts: Vec<ExternalVerdict>,
    lines: Option<Vec<Option<u32>>>,
}

#[derive(Deserialize)]
struct IdLine {
    id: u64,
}
