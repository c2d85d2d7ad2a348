//! Progress on standard error: a bar on a terminal, else a line every few seconds, or objects of
//! JSON for programs, and with `--verbose` what the run decides and publishes.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    process::exit,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal};
use robocensus::{
    ArchiveSource, Progress,
    archive::remote,
    dataset::run::{Event, Snapshot},
};
use serde_json::{Value, json};

use super::{
    args::ProgressForm,
    escape::{line, print_lines, print_message},
    layout::counted,
};

/// Time between two updates of the bar, and until an event is printed.
const TICK: Duration = Duration::from_millis(100);
/// Time between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Blocks SIGHUP if the program was begun with that signal ignored, as by nohup: the handler of
/// Ctrl-C is one of SIGHUP too, and would end a run that is to outlive its terminal. Threads that
/// begin later inherit this. Which signals are ignored, only Linux tells without unsafe code.
#[cfg(unix)]
pub fn keep_ignoring_hangups() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let bit = 1_u64 << (Signal::SIGHUP as u32 - 1);
    if ignored.unwrap_or_default() & bit != 0 {
        let mut blocked = SigSet::empty();
        blocked.add(Signal::SIGHUP);
        // Where it cannot be blocked, the signal ends the run as it would without nohup.
        let _ = blocked.thread_block();
    }
}

/// Returns the progress of work that Ctrl-C asks to end; pressed again, it ends the program at
/// once, and unpublished files stay in the temporary folder.
pub fn stopped_by_ctrl_c() -> anyhow::Result<Arc<Progress>> {
    let progress = Arc::new(Progress::default());
    let watched = progress.clone();
    ctrlc::set_handler(move || {
        if watched.is_stopped() {
            exit(2);
        }
        watched.stop();
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(progress)
}

/// The bar that is shown, above which messages are printed.
static SHOWN_BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN_BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

fn print_above_bar(print: impl FnOnce()) {
    match &*shown_bar() {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// Prints a note, from now on, where a server is waited for, with or without progress.
pub fn note_waits() {
    remote::notify_of_waits(|wait| print_above_bar(|| print_message(&format!("note: {wait}"))));
}

/// Does work over these inputs, and shows its progress meanwhile.
pub fn with_progress<T>(
    progress: &Progress,
    total: InputTotals,
    form: ProgressForm,
    is_verbose: bool,
    work: impl FnOnce() -> T,
) -> T {
    let (done, ended) = channel();
    thread::scope(|scope| {
        let display = scope.spawn(move || show(progress, &total, form, is_verbose, &ended));
        let result = work();
        drop::<Sender<()>>(done);
        // A panic of the display must not end the run.
        let _ = display.join();
        result
    })
}

/// Shows progress until the sender of `ended` is dropped.
fn show(
    progress: &Progress,
    total: &InputTotals,
    form: ProgressForm,
    is_verbose: bool,
    ended: &Receiver<()>,
) {
    let start = Instant::now();
    let mut display = Display::new(form, start);
    let mut parts = PartCount::default();
    loop {
        let has_ended = ended.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout);
        if is_verbose {
            for event in progress.take_events() {
                let line = format!("{}\n", described(&event, &mut parts));
                print_above_bar(|| print_lines(&line));
            }
        }
        if has_ended {
            break;
        }
        display.update(progress, total, start);
    }
    match display {
        Display::Bar(bar) => {
            shown_bar().take();
            bar.finish_and_clear();
        }
        Display::Lines(_) => {}
        // A program is told the last figures.
        Display::Json(_) => display.update(progress, total, start),
    }
}

/// What progress is shown by.
enum Display {
    Bar(ProgressBar),
    /// Lines for people, and the time of the last.
    Lines(Instant),
    /// Lines for programs, and what the last one states.
    Json(Option<Snapshot>),
}

impl Display {
    fn new(form: ProgressForm, start: Instant) -> Self {
        match form {
            ProgressForm::Json => Self::Json(None),
            ProgressForm::Auto if io::stderr().is_terminal() => {
                let style = ProgressStyle::with_template("{bar:30} {msg}");
                let style = style.expect("the template is valid");
                let bar = ProgressBar::no_length().with_style(style);
                *shown_bar() = Some(bar.clone());
                Self::Bar(bar)
            }
            ProgressForm::Auto => Self::Lines(start),
        }
    }

    fn update(&mut self, progress: &Progress, total: &InputTotals, start: Instant) {
        let now = progress.snapshot();
        match self {
            Self::Bar(bar) => {
                let (done, whole) = match now.step {
                    Some(step) => (step.done, Some(step.total)),
                    None => (now.bytes, total.bytes),
                };
                match whole {
                    Some(whole) => bar.set_length(whole),
                    None => bar.unset_length(),
                }
                bar.set_position(done);
                bar.set_message(status(now, total, start));
            }
            Self::Lines(last) if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                print_lines(&format!("{}\n", status(now, total, start)));
            }
            Self::Lines(_) => {}
            Self::Json(last) if *last == Some(now) => {}
            Self::Json(last) => {
                *last = Some(now);
                // The program that asked for the run is gone, and nobody can end it any more.
                if writeln!(io::stderr(), "{}", in_json(now, total)).is_err() {
                    progress.stop();
                }
            }
        }
    }
}

/// Returns the object of `--progress json`.
fn in_json(now: Snapshot, total: &InputTotals) -> Value {
    match now.step {
        Some(step) => json!({
            "progress": {"step": step.name, "done": step.done, "total": step.total}
        }),
        None => json!({
            "progress": {
                "bytes": now.bytes,
                "total_bytes": total.bytes,
                "archives": now.archives,
                "total_archives": total.archives,
                "captures": now.captures,
            }
        }),
    }
}

/// Number and size of the archives that a run reads.
#[derive(Clone, Copy)]
pub struct InputTotals {
    archives: u64,
    /// `None` if the size of an input is unknown.
    bytes: Option<u64>,
}

impl InputTotals {
    /// Returns the totals of archives.
    pub fn new<'a>(archives: impl Iterator<Item = &'a ArchiveSource> + Clone) -> Self {
        Self {
            archives: archives.clone().count() as u64,
            // A server may state any size.
            bytes: archives
                .map(|archive| archive.source.size())
                .try_fold(0, |sum: u64, size| sum.checked_add(size?)),
        }
    }
}

impl fmt::Display for InputTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.archives, "archive"))?;
        match self.bytes {
            Some(bytes) => write!(f, ", {}", HumanBytes(bytes)),
            None => f.write_str(", of unknown size"),
        }
    }
}

/// Parts that a run has published, and those that it is to publish.
#[derive(Default)]
struct PartCount {
    published: usize,
    planned: usize,
}

fn described(event: &Event, count: &mut PartCount) -> String {
    match event {
        Event::Planned {
            threads,
            parts,
            tasks,
            existing_parts,
        } => {
            count.planned = *parts;
            let existing = match existing_parts {
                0 => String::new(),
                &n => format!("; {} already published", counted(n, "part")),
            };
            format!(
                "plan: {}, {}, {}{existing}",
                counted(*parts as u64, "part"),
                counted(*tasks as u64, "task"),
                counted(*threads as u64, "thread")
            )
        }
        Event::Published {
            part,
            archives,
            captures,
            bytes,
        } => {
            count.published += 1;
            format!(
                "published: part {} of {}, {}: {}, {}, {}",
                count.published,
                count.planned,
                line(part),
                counted(*archives as u64, "archive"),
                counted(*captures, "capture"),
                HumanBytes(*bytes)
            )
        }
    }
}

/// Returns the figures of now in one line.
fn status(now: Snapshot, total: &InputTotals, start: Instant) -> String {
    if let Some(step) = now.step {
        let (done, total) = (HumanCount(step.done), HumanCount(step.total));
        return format!("{done} of {total} {}", step.name);
    }
    let mut text = format!(
        "{}/{} archives, {}",
        HumanCount(now.archives),
        HumanCount(total.archives),
        HumanBytes(now.bytes)
    );
    if let Some(bytes) = total.bytes {
        text.push_str(&format!(" of {}", HumanBytes(bytes)));
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = (now.captures as f64 / seconds.max(0.001)) as u64;
    text.push_str(&format!(
        ", {} captures, {}/s",
        HumanCount(now.captures),
        HumanCount(rate)
    ));
    if let Some(bytes) = total.bytes.filter(|_| now.bytes > 0) {
        let left = seconds * bytes.saturating_sub(now.bytes) as f64 / now.bytes as f64;
        text.push_str(&format!(", {left:.0} s left"));
    }
    text
}
