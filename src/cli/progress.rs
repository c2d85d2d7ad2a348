//! Progress on standard error: a bar on a terminal, else a line every few seconds, or objects of
//! JSON for programs, and with `--verbose` what the run decides and publishes.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    process::exit,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread::{Scope, ScopedJoinHandle},
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
    escape::{line, print_message},
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

/// The bar that is shown, above which others print their messages.
static SHOWN_BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Prints a note, from now on, where a server is waited for, with or without progress.
pub fn note_waits() {
    remote::notify_of_waits(|wait| {
        let bar = SHOWN_BAR.lock().unwrap_or_else(PoisonError::into_inner);
        let print = || print_message(&format!("note: {wait}"));
        match &*bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    });
}

fn set_shown_bar(bar: Option<ProgressBar>) {
    *SHOWN_BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Shows progress until it is dropped.
pub struct ProgressDisplay<'s> {
    done: Option<Sender<()>>,
    thread: Option<ScopedJoinHandle<'s, ()>>,
}

impl<'s> ProgressDisplay<'s> {
    /// Begins to show the progress of a run over these inputs.
    pub fn begin<'e>(
        scope: &'s Scope<'s, 'e>,
        progress: &'s Progress,
        total: InputTotals,
        form: ProgressForm,
        is_verbose: bool,
    ) -> Self {
        let (done, ended) = channel();
        let thread = scope.spawn(move || {
            let start = Instant::now();
            let mut display = Display::new(form, &total, start);
            let mut parts = PartCount::default();
            loop {
                let has_ended = ended.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout);
                if is_verbose {
                    for event in progress.take_events() {
                        display.print_message(&described(&event, &mut parts));
                    }
                }
                if has_ended {
                    break;
                }
                display.update(progress, &total, start);
            }
            display.finish(progress, &total, start);
        });
        Self {
            done: Some(done),
            thread: Some(thread),
        }
    }
}

impl Drop for ProgressDisplay<'_> {
    fn drop(&mut self) {
        self.done.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the display must not end the run.
            let _ = thread.join();
        }
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
    fn new(form: ProgressForm, total: &InputTotals, start: Instant) -> Self {
        match form {
            ProgressForm::Json => Self::Json(None),
            ProgressForm::Auto if io::stderr().is_terminal() => {
                let bar = bar(total);
                set_shown_bar(Some(bar.clone()));
                Self::Bar(bar)
            }
            ProgressForm::Auto => Self::Lines(start),
        }
    }

    fn print_message(&self, text: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| print_line(text)),
            Self::Lines(_) | Self::Json(_) => print_line(text),
        }
    }

    fn update(&mut self, progress: &Progress, total: &InputTotals, start: Instant) {
        let now = progress.snapshot();
        match self {
            Self::Bar(bar) => update(bar, now, total, start),
            Self::Lines(last) if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                print_line(&status(now, total, start));
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

    /// Clears the bar; a program is told the last figures.
    fn finish(mut self, progress: &Progress, total: &InputTotals, start: Instant) {
        match &self {
            Self::Bar(bar) => {
                set_shown_bar(None);
                bar.finish_and_clear();
            }
            Self::Lines(_) => {}
            Self::Json(_) => self.update(progress, total, start),
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
    pub fn of<'a>(archives: impl Iterator<Item = &'a ArchiveSource> + Clone) -> Self {
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

/// Returns a number with its noun, which takes an s unless the number is one.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(n), if n == 1 { "" } else { "s" })
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

fn print_line(text: &str) {
    // A closed standard error is no reason to stop.
    let _ = writeln!(io::stderr(), "{text}");
}

fn bar(total: &InputTotals) -> ProgressBar {
    match total.bytes {
        Some(bytes) => ProgressBar::new(bytes)
            .with_style(style("{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left")),
        None => ProgressBar::new_spinner().with_style(style("{spinner} {bytes}  {msg}")),
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is valid")
}

fn update(bar: &ProgressBar, now: Snapshot, total: &InputTotals, start: Instant) {
    if let Some(step) = now.step {
        if bar.length() != Some(step.total) || bar.message() != step.name {
            bar.set_style(style("{bar:30} {human_pos}/{human_len} {msg}"));
            bar.set_length(step.total);
            bar.set_message(step.name);
        }
        bar.set_position(step.done);
        return;
    }
    bar.set_position(now.bytes);
    bar.set_message(format!(
        "{}/{} archives  {} captures  {}/s",
        HumanCount(now.archives),
        HumanCount(total.archives),
        HumanCount(now.captures),
        HumanCount(rate(now.captures, start)),
    ));
}

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
    text.push_str(&format!(
        ", {} captures, {}/s",
        HumanCount(now.captures),
        HumanCount(rate(now.captures, start))
    ));
    if let Some(bytes) = total.bytes.filter(|_| now.bytes > 0) {
        let left = start.elapsed().as_secs_f64() * bytes.saturating_sub(now.bytes) as f64
            / now.bytes as f64;
        text.push_str(&format!(", {left:.0} s left"));
    }
    text
}

fn rate(n: u64, start: Instant) -> u64 {
    (n as f64 / start.elapsed().as_secs_f64().max(0.001)) as u64
}
