//! One process of an external parser: its streams, and how it is started and ended.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::STANDARD};
#[cfg(unix)]
use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};

use super::{
    message::{HelloLine, PROTOCOL, ParserCommand, QueryLine, Request, RequestLine, shortened},
    usage::Usage,
};

/// The most bytes of one line of a process; 256 verdicts with their lines need some 5 KiB.
pub(super) const MAX_LINE: usize = 4 << 20;
/// Lines of a process that ends which are looked at; one is enough to be a fault.
const MAX_UNASKED: usize = 64;
/// Answered files that are remembered: enough to tell a repeated answer from one that names no
/// file.
const MAX_RECENT: usize = 64 * 1024;
/// The most bytes of standard error of all processes of a side that are kept.
const MAX_STDERR: usize = 1 << 20;
/// How long a process may take to say its name.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a process may take to end once its standard input is closed.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// What a worker learned from a process.
pub(super) enum Event {
    Line(Vec<u8>),
    TooLong,
    Ended,
}

/// A process that speaks the protocol.
pub(super) struct Process {
    child: Child,
    requests: SyncSender<Vec<u8>>,
    pub(super) events: Receiver<Event>,
    pub(super) last_answer: Instant,
    /// The last files that it has answered. They are looked through only for a line at fault, which
    /// costs a new process anyway.
    pub(super) answered: VecDeque<u64>,
    /// What it had taken when it had said its name.
    at_start: Usage,
    /// Disconnected once all of its standard error is in the log.
    log_end: Receiver<()>,
}

impl Process {
    /// Starts a process, and returns it with the name and the version that it states.
    pub(super) fn start(command: &ParserCommand, log: &Log) -> Result<(Process, String), String> {
        let words = command.words.join(" ");
        let (program, arguments) = (command.words.split_first())
            .ok_or_else(|| "expected a command, but found none".to_owned())?;
        let mut to_start = Command::new(program);
        to_start
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A shell or a launcher starts the parser as a process of its own, which must end with it;
        // and Ctrl-C is for this program, which closes its standard input then.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut to_start, 0);
        let spawned = to_start.spawn();
        let mut child = spawned.map_err(|error| format!("{words}: {error}"))?;
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let errors = child.stderr.take().expect("it is piped");
        // As many as can be under way, so that sending never waits for the process.
        let (requests, to_write) = sync_channel(command.in_flight.max(1) + 1);
        thread::spawn(move || write_lines(stdin, &to_write));
        // A process that floods is stopped by its pipe.
        let (found, events) = sync_channel(64);
        thread::spawn(move || read_lines(stdout, &found));
        let mut log_of_process = log.clone();
        let (log_writer, log_end) = sync_channel(0);
        thread::spawn(move || {
            let _log_writer = log_writer;
            // What cannot be read is lost; the process must not notice.
            let _ = io::copy(&mut BufReader::new(errors), &mut log_of_process);
        });
        let mut process = Process {
            child,
            requests,
            events,
            last_answer: Instant::now(),
            answered: VecDeque::new(),
            at_start: Usage::default(),
            log_end,
        };
        let hello = format!("{{\"protocol\": \"{PROTOCOL}\"}}\n");
        process.write(hello.into_bytes());
        match process.read_name(&words) {
            Ok(name) => {
                process.at_start = process.usage().unwrap_or_default();
                Ok((process, name))
            }
            Err(mut message) => {
                process.kill();
                if let Some(line) = log.last_line() {
                    message += &format!("; its standard error ends with {line}");
                }
                Err(message)
            }
        }
    }

    fn read_name(&mut self, words: &str) -> Result<String, String> {
        let found = match self.events.recv_timeout(START_TIMEOUT) {
            Ok(Event::Line(line)) => match serde_json::from_slice::<HelloLine>(&line) {
                Ok(hello) if hello.protocol == PROTOCOL => {
                    let name = format!("{} {}", hello.name, hello.version);
                    return Ok(name.trim().to_owned());
                }
                _ => format!(", but found {}", shortened(&line)),
            },
            Ok(Event::TooLong) => format!(", but found a line over {MAX_LINE} bytes"),
            Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => {
                format!(", but the process ended ({})", self.wait())
            }
            Err(RecvTimeoutError::Timeout) => {
                let seconds = START_TIMEOUT.as_secs();
                format!(" within {seconds} s, but found nothing")
            }
        };
        Err(format!(
            "{words}: expected {{\"protocol\": \"{PROTOCOL}\", \"name\": .., \"version\": ..}}{found}"
        ))
    }

    /// Waits until the process has ended, and returns how.
    fn wait(&mut self) -> String {
        let status = self.child.wait();
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Returns what its process group has taken since it said its name; `None` where the system
    /// does not tell.
    pub(super) fn usage(&self) -> Option<Usage> {
        let mut usage = Usage::of_group(self.child.id())?;
        let at_start = self.at_start.cpu_milliseconds;
        usage.cpu_milliseconds = usage.cpu_milliseconds.saturating_sub(at_start);
        Some(usage)
    }

    /// Remembers that a file was answered.
    pub(super) fn note_answered(&mut self, id: u64) {
        self.answered.push_back(id);
        if self.answered.len() > MAX_RECENT {
            self.answered.pop_front();
        }
    }

    pub(super) fn send(&mut self, Request { id, file }: &Request) {
        let queries = file.queries.iter();
        let line = RequestLine {
            id: *id,
            robots_b64: STANDARD.encode(&file.body),
            queries: queries
                .map(|(agent, url)| QueryLine { agent, url })
                .collect(),
        };
        let mut line = serde_json::to_vec(&line).expect("a request is JSON");
        line.push(b'\n');
        self.write(line);
    }

    fn write(&mut self, line: Vec<u8>) {
        // A process that has ended is noticed by what it no longer answers.
        let _ = self.requests.send(line);
    }

    /// Stops the process at once and returns how it ended.
    pub(super) fn kill(mut self) -> String {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let status = self.wait();
        // Its last words tell why it failed.
        let _ = self.log_end.recv_timeout(END_TIMEOUT);
        status
    }

    /// Closes standard input, and returns the lines that follow until the process ends: it has
    /// answered all that it was asked.
    pub(super) fn close(&mut self) -> Vec<Vec<u8>> {
        // The thread that writes ends with the sender.
        self.requests = sync_channel(0).0;
        let end = Instant::now() + END_TIMEOUT;
        let mut lines = Vec::new();
        while lines.len() < MAX_UNASKED
            && let left = end.saturating_duration_since(Instant::now())
            && let Ok(Event::Line(line)) = self.events.recv_timeout(left)
        {
            lines.push(line);
        }
        lines
    }

    /// Closes standard input, and stops a process that does not end by itself then.
    pub(super) fn finish(mut self) {
        self.requests = sync_channel(0).0;
        // Standard error ends with the last process that has it.
        let has_closed = self.log_end.recv_timeout(END_TIMEOUT) != Err(RecvTimeoutError::Timeout);
        let began = Instant::now();
        while has_closed && began.elapsed() < END_TIMEOUT {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        self.kill();
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

/// The standard error of all processes of a side, up to a limit.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Returns the last line that is not empty, as a message shows it.
    fn last_line(&self) -> Option<String> {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = text.trim_ascii().rsplit(|&byte| byte == b'\n');
        let last = lines.next().filter(|line| !line.is_empty());
        last.map(shortened)
    }

    /// Returns what was written so far, and leaves nothing.
    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = MAX_STDERR.saturating_sub(log.len());
        log.extend_from_slice(&bytes[..bytes.len().min(left)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
