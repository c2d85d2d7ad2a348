//! Progress on the terminal as bars, elsewhere as a plain line every few seconds.

use std::{
    io::{self, IsTerminal, Write},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread::{Scope, ScopedJoinHandle},
    time::{Duration, Instant},
};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use robocensus::{ArchiveSource, Progress};

/// Time between two looks at a terminal's bar.
const BAR_TICK: Duration = Duration::from_millis(100);
/// Time between two lines where there is no terminal.
const LINE_TICK: Duration = Duration::from_secs(5);

/// Shows progress until it is dropped.
pub struct Shown<'s> {
    done: Option<Sender<()>>,
    thread: Option<ScopedJoinHandle<'s, ()>>,
}

impl<'s> Shown<'s> {
    /// Begins to show the progress of a run over these archives on standard error.
    pub fn begin<'e>(
        scope: &'s Scope<'s, 'e>,
        progress: &'s Progress,
        archives: &'s [ArchiveSource],
    ) -> Self {
        let (done, ended) = channel();
        let total = Total {
            archives: archives.len() as u64,
            bytes: archives.iter().map(|archive| archive.source.size()).sum(),
        };
        let is_terminal = io::stderr().is_terminal();
        let thread = scope.spawn(move || {
            let start = Instant::now();
            let bar = is_terminal.then(|| bar(&total));
            let tick = if is_terminal { BAR_TICK } else { LINE_TICK };
            while ended.recv_timeout(tick) == Err(RecvTimeoutError::Timeout) {
                match &bar {
                    Some(bar) => update(bar, progress, &total, start),
                    None => {
                        // Nobody to read the line is no reason to stop.
                        let _ = writeln!(io::stderr(), "{}", line(progress, &total, start));
                    }
                }
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        Self {
            done: Some(done),
            thread: Some(thread),
        }
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.done.take();
        if let Some(thread) = self.thread.take() {
            // A bar that panicked has shown nothing; the run is not its business.
            let _ = thread.join();
        }
    }
}

struct Total {
    archives: u64,
    /// `None` where an input does not tell its size.
    bytes: Option<u64>,
}

fn bar(total: &Total) -> ProgressBar {
    let template = match total.bytes {
        Some(_) => "{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left",
        None => "{spinner} {bytes}  {msg}",
    };
    let style = ProgressStyle::with_template(template).expect("the template is right");
    let bar = match total.bytes {
        Some(bytes) => ProgressBar::new(bytes),
        None => ProgressBar::new_spinner(),
    };
    bar.with_style(style)
}

fn update(bar: &ProgressBar, progress: &Progress, total: &Total, start: Instant) {
    let now = progress.snapshot();
    bar.set_position(now.bytes);
    bar.set_message(format!(
        "{}/{} archives  {} captures  {}/s",
        HumanCount(now.archives),
        HumanCount(total.archives),
        HumanCount(now.captures),
        HumanCount(rate(now.captures, start)),
    ));
}

fn line(progress: &Progress, total: &Total, start: Instant) -> String {
    let now = progress.snapshot();
    let mut line = format!(
        "{}/{} archives, {}",
        HumanCount(now.archives),
        HumanCount(total.archives),
        HumanBytes(now.bytes)
    );
    if let Some(bytes) = total.bytes {
        line.push_str(&format!(" of {}", HumanBytes(bytes)));
    }
    line.push_str(&format!(
        ", {} captures, {}/s",
        HumanCount(now.captures),
        HumanCount(rate(now.captures, start))
    ));
    if let Some(bytes) = total.bytes.filter(|_| now.bytes > 0) {
        let left = start.elapsed().as_secs_f64() * bytes.saturating_sub(now.bytes) as f64
            / now.bytes as f64;
        line.push_str(&format!(", {left:.0} s left"));
    }
    line
}

fn rate(n: u64, start: Instant) -> u64 {
    (n as f64 / start.elapsed().as_secs_f64().max(0.001)) as u64
}
