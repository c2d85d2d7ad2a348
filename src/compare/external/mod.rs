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
//!
//! A line that is no answer may also follow one, when the next file is under way already. So it is
//! the fault of a file only if a process that has answered nothing else writes it again; if none
//! does, it is a fault of no file. So is an end, or a time without answers, that does not repeat.

mod message;
mod process;
mod usage;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use self::{
    message::{AnswerLine, IdLine, Request, shortened},
    process::{Event, Log, MAX_LINE, Process},
};
pub use self::{
    message::{PROTOCOL, ParserCommand, ParserFault, ParserFaultKind, Reply},
    usage::{Usage, UsageRatio},
};
use super::query::{CellAnswer, FileQueries};

/// The processes of one external parser.
pub struct ParserPool {
    /// What the parser calls itself, with its version.
    pub name: String,
    /// Replies, in any order.
    pub replies: Receiver<Reply>,
    log: Log,
    requests: Option<Sender<Request>>,
    workers: Vec<thread::JoinHandle<Option<Usage>>>,
    /// The number of the next request.
    next: u64,
    /// The number of the first request whose reply was not handed over.
    first_open: u64,
    /// The replies to requests from there on that have come so far.
    held: BTreeMap<u64, Reply>,
    /// Faults that followed the answers to earlier requests.
    late: Vec<Reply>,
}

impl ParserPool {
    /// Starts the first process and learns the parser's name.
    ///
    /// Once `stop` is set, processes are killed, and whatever was or is asked is answered by a
    /// fault.
    ///
    /// # Errors
    ///
    /// One sentence: the command cannot be started, or does not speak the protocol within ten
    /// seconds.
    pub fn start(command: ParserCommand, stop: Arc<AtomicBool>) -> Result<ParserPool, String> {
        let log = Log::default();
        let (process, name) = Process::start(&command, &log)?;
        let mut first = Some(process);
        let (requests, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let (replies, received) = channel();
        let workers = (0..command.workers.max(1))
            .map(|_| {
                let worker = Worker {
                    command: command.clone(),
                    log: log.clone(),
                    queue: Arc::clone(&queue),
                    replies: replies.clone(),
                    process: first.take(),
                    under_way: VecDeque::new(),
                    suspects: VecDeque::new(),
                    innocent: VecDeque::new(),
                    is_alone: false,
                    stray: None,
                    n_failed_starts: 0,
                    n_timed_out: 0,
                    usage: None,
                    stop: Arc::clone(&stop),
                };
                thread::spawn(move || worker.run())
            })
            .collect();
        Ok(ParserPool {
            name,
            replies: received,
            log,
            requests: Some(requests),
            workers,
            next: 0,
            first_open: 0,
            held: BTreeMap::new(),
            late: Vec::new(),
        })
    }

    /// Asks about files, without waiting for the processes to take them.
    pub fn send(&mut self, files: impl IntoIterator<Item = FileQueries>) {
        for file in files {
            let id = self.next;
            self.next += 1;
            if let Some(requests) = &self.requests {
                // Workers end only behind this sender.
                let _ = requests.send(Request { id, file });
            }
        }
    }

    /// Waits for the replies about the next `n` files, and returns them in the order of these.
    pub(super) fn receive(&mut self, n: usize) -> Vec<Reply> {
        let end = self.first_open + n as u64;
        while self.held.range(..end).count() < n {
            let reply = self.replies.recv();
            self.take(reply.expect("a worker of the pool replies to every request"));
        }
        let later = self.held.split_off(&end);
        self.first_open = end;
        std::mem::replace(&mut self.held, later)
            .into_values()
            .collect()
    }

    /// Holds a reply, or a fault as late where the reply about its file was handed over before.
    fn take(&mut self, reply: Reply) {
        match reply.id.filter(|&id| id >= self.first_open) {
            // A fault that follows an answer, such as a second one, costs the file its answer.
            Some(id) => drop(self.held.insert(id, reply)),
            None if reply.result.is_err() => self.late.push(reply),
            None => {}
        }
    }

    /// Returns the faults that followed the answers to earlier requests, as far as they have come.
    pub(super) fn late_faults(&mut self) -> Vec<Reply> {
        while let Ok(reply) = self.replies.try_recv() {
            self.take(reply);
        }
        std::mem::take(&mut self.late)
    }

    /// Waits until all requests are answered and the processes have ended, and returns what they
    /// wrote to standard error, up to a limit, and what they took, where the system tells.
    pub fn finish(&mut self) -> (Vec<u8>, Option<Usage>) {
        self.requests = None;
        let ended = self.workers.drain(..).map(thread::JoinHandle::join);
        let usage = ended.filter_map(|usage| usage.ok()?).reduce(Usage::and);
        (self.log.take(), usage)
    }
}

/// A process must not outlive the pool, whatever ends that.
impl Drop for ParserPool {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Starts in a row that may fail; after that a worker asks no more.
const MAX_FAILED_STARTS: usize = 3;
/// Times without an answer in a row after which a worker asks no more: a parser that has fallen
/// silent would cost the timeout for each file. Some files may keep any parser busy for too long,
/// and so may those that are tried to make one of them smaller.
const MAX_TIMED_OUT: usize = 30;
/// How long a worker waits before it looks whether it is to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(100);
/// How long a worker waits for an answer before it looks for more to ask, as long as its process
/// may be asked more.
const REFILL: Duration = Duration::from_millis(2);

/// One file that a process was asked about and has not answered.
struct UnderWay {
    request: Request,
    sent: Instant,
}

/// Keeps one process busy.
struct Worker {
    command: ParserCommand,
    log: Log,
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
    /// What happened that names no file, until the one is found that is at fault.
    stray: Option<(ParserFault, Duration)>,
    /// Starts in a row that have failed.
    n_failed_starts: usize,
    /// Times in a row without an answer in time.
    n_timed_out: usize,
    /// What the processes took that have ended.
    usage: Option<Usage>,
    stop: Arc<AtomicBool>,
}

impl Worker {
    /// Asks until there are no more requests, and returns what its processes took.
    fn run(mut self) -> Option<Usage> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return self.abandon();
            }
            if self.under_way.is_empty() {
                let Some(request) = self.next(true) else {
                    break;
                };
                self.ask(request);
            }
            if self.may_refill() {
                while !self.is_alone
                    && self.under_way.len() < self.command.in_flight
                    && let Some(request) = self.next(false)
                {
                    self.ask(request);
                }
            }
            self.wait();
        }
        self.measure();
        // A second answer to the last file is a fault as any other.
        let lines = self.process.as_mut().map(Process::close);
        for line in lines.unwrap_or_default() {
            self.answer(&line, Duration::ZERO);
        }
        self.acquit();
        if let Some(process) = self.process.take() {
            process.finish();
        }
        self.usage
    }

    /// Returns true if and only if the process is to be asked more: files are sent together, since
    /// each write may cost a switch of processes, and half of those that may be under way keep it
    /// busy meanwhile.
    fn may_refill(&self) -> bool {
        !self.is_alone && self.under_way.len() <= self.command.in_flight / 2
    }

    /// Kills the process and answers all requests by faults, until there are no more.
    fn abandon(mut self) -> Option<Usage> {
        self.stop();
        let under_way = std::mem::take(&mut self.under_way);
        self.suspects
            .extend(under_way.into_iter().map(|file| file.request));
        while let Some(request) = self.next(true) {
            let message = "expected an answer, but the comparison was stopped";
            self.fail(&request, message.to_owned());
        }
        self.usage
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
        if self.process.is_none()
            && let Err(message) = self.start()
        {
            return self.fail(&request, message);
        }
        if let Some(process) = &mut self.process {
            process.send(&request);
        }
        let sent = Instant::now();
        self.under_way.push_back(UnderWay { request, sent });
    }

    /// Reports that no process answers a request.
    fn fail(&self, request: &Request, message: String) {
        let fault = ParserFault::new(ParserFaultKind::Exited, message);
        self.reply(Some(request.id), Duration::ZERO, Err(fault));
    }

    /// Starts the process again, unless that has failed or it was silent too often: each try may
    /// take as long as a process may take to say its name or to answer, and there may be millions
    /// of files.
    fn start(&mut self) -> Result<(), String> {
        if self.n_failed_starts >= MAX_FAILED_STARTS {
            return Err(format!(
                "expected the process to start again, but {MAX_FAILED_STARTS} starts in a row have failed"
            ));
        }
        if self.n_timed_out >= MAX_TIMED_OUT {
            return Err(format!(
                "expected answers, but {MAX_TIMED_OUT} times in a row there was none in time, so that no more is asked"
            ));
        }
        self.n_failed_starts += 1;
        let (process, _) = Process::start(&self.command, &self.log)?;
        self.process = Some(process);
        self.n_failed_starts = 0;
        Ok(())
    }

    /// Waits for one event of the process and handles it.
    fn wait(&mut self) {
        let (Some(oldest), Some(process)) = (self.under_way.front(), &self.process) else {
            return;
        };
        let since = process.last_answer.max(oldest.sent);
        let left = (since + self.command.timeout).saturating_duration_since(Instant::now());
        let interval = if self.may_refill() {
            REFILL
        } else {
            STOP_INTERVAL
        };
        let patience = left.min(interval);
        let event = process.events.recv_timeout(patience);
        if patience < left && matches!(event, Err(RecvTimeoutError::Timeout)) {
            return;
        }
        let elapsed = since.elapsed();
        let (kind, message) = match event {
            Ok(Event::Line(line)) => return self.answer(&line, elapsed),
            Ok(Event::TooLong) => (
                ParserFaultKind::AnswerTooLong,
                format!("expected a line of at most {MAX_LINE} bytes, but it has more"),
            ),
            Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => {
                let status = self.stop();
                let message = format!("expected an answer, but the process ended ({status})");
                (ParserFaultKind::Exited, message)
            }
            Err(RecvTimeoutError::Timeout) => {
                self.n_timed_out += 1;
                let seconds = self.command.timeout.as_secs_f64();
                let message = format!("expected an answer within {seconds} s, but there was none");
                (ParserFaultKind::TimedOut, message)
            }
        };
        self.blame_all(ParserFault::new(kind, message), elapsed);
    }

    fn answer(&mut self, line: &[u8], elapsed: Duration) {
        // An empty line says nothing, so that it is no answer to the wrong file either.
        if line.trim_ascii().is_empty() {
            return;
        }
        let answer: AnswerLine = match serde_json::from_slice(line) {
            Ok(answer) => answer,
            Err(error) => {
                let found = shortened(line);
                let message = format!("expected an answer as JSON, but found {found}: {error}");
                let fault = ParserFault::new(ParserFaultKind::InvalidAnswer, message);
                // An answer that names its file costs that one.
                return match serde_json::from_slice::<IdLine>(line) {
                    Ok(IdLine { id }) if self.position(id).is_some() => {
                        self.blame(id, fault, elapsed);
                    }
                    _ => self.stray(fault, elapsed),
                };
            }
        };
        let id = answer.id;
        let Some(at) = self.position(id) else {
            let is_repeated = (self.process.as_ref()).is_some_and(|p| p.answered.contains(&id));
            if is_repeated {
                let message = format!("expected one answer to the request {id}, but found another");
                let fault = ParserFault::new(ParserFaultKind::RepeatedAnswer, message);
                return self.blame(id, fault, elapsed);
            }
            let message = format!("expected the id of a request, but found {id}");
            let fault = ParserFault::new(ParserFaultKind::UnknownId, message);
            return self.stray(fault, elapsed);
        };
        let n_queries = self.under_way[at].request.file.queries.len();
        let n_verdicts = answer.verdicts.len();
        let n_lines = answer.lines.as_ref().map_or(n_queries, Vec::len);
        if n_verdicts != n_queries || n_lines != n_queries {
            let message = if n_verdicts != n_queries {
                format!("expected {n_queries} verdicts, but found {n_verdicts}")
            } else {
                format!("expected {n_queries} lines or none, but found {n_lines}")
            };
            let fault = ParserFault::new(ParserFaultKind::WrongCount, message);
            return self.blame(id, fault, elapsed);
        }
        self.under_way.remove(at);
        self.n_timed_out = 0;
        if let Some(process) = &mut self.process {
            process.last_answer = Instant::now();
            process.note_answered(id);
        }
        let lines = answer.lines.into_iter().flatten();
        let lines = lines.chain(std::iter::repeat(None));
        let answers = answer.verdicts.into_iter().zip(lines);
        let result = answers.map(|(word, line)| word.with_line(line)).collect();
        self.reply(Some(id), elapsed, Ok(result));
        if self.is_alone && self.suspects.is_empty() {
            self.acquit();
        }
    }

    /// Returns the position of a request under way.
    fn position(&self, id: u64) -> Option<usize> {
        self.under_way.iter().position(|file| file.request.id == id)
    }

    /// Takes a line that belongs to no file under way: it is that of the only one that the process
    /// was ever asked about, or whose it is must be found out.
    fn stray(&mut self, fault: ParserFault, elapsed: Duration) {
        let is_first = (self.process.as_ref()).is_some_and(|process| process.answered.is_empty());
        match self.under_way.len() {
            1 if is_first => {
                self.stray = None;
                return self.blame_all(fault, elapsed);
            }
            0 => {}
            _ => {
                self.stop();
                // The next one is asked first by a new process.
                for file in self.under_way.drain(..).rev() {
                    self.suspects.push_front(file.request);
                }
            }
        }
        self.stray.get_or_insert((fault, elapsed));
    }

    /// Reports what happened where no file is at fault.
    fn acquit(&mut self) {
        if let Some((fault, elapsed)) = self.stray.take() {
            self.reply(None, elapsed, Err(fault));
        }
    }

    /// Reports a fault of one file, stops the process, and lets the others be asked again.
    fn blame(&mut self, id: u64, fault: ParserFault, elapsed: Duration) {
        self.stop();
        let others = self.under_way.drain(..).map(|file| file.request);
        self.innocent
            .extend(others.filter(|request| request.id != id));
        self.reply(Some(id), elapsed, Err(fault));
    }

    /// Reports a fault of the one file under way, or lets each of several be asked alone.
    fn blame_all(&mut self, fault: ParserFault, elapsed: Duration) {
        self.stop();
        let mut files = self.under_way.drain(..).map(|file| file.request);
        if files.len() == 1 {
            let id = files.next().map(|request| request.id);
            drop(files);
            if self.is_alone {
                self.stray = None;
            }
            self.reply(id, elapsed, Err(fault));
        } else {
            self.suspects.extend(files);
            // On a busy machine any parser is late at times: one is at fault that is late again.
            if fault.kind != ParserFaultKind::TimedOut {
                self.stray.get_or_insert((fault, elapsed));
            }
        }
    }

    fn reply(
        &self,
        id: Option<u64>,
        elapsed: Duration,
        result: Result<Vec<CellAnswer>, ParserFault>,
    ) {
        // The receiver may have been dropped by a run that ends early.
        let _ = self.replies.send(Reply {
            id,
            elapsed,
            result,
        });
    }

    /// Adds what the process has taken so far, before it ends.
    fn measure(&mut self) {
        let taken = self.process.as_ref().and_then(Process::usage);
        self.usage = self.usage.into_iter().chain(taken).reduce(Usage::and);
    }

    /// Stops the process and returns how it ended.
    fn stop(&mut self) -> String {
        self.measure();
        self.process.take().map_or_else(String::new, Process::kill)
    }
}
