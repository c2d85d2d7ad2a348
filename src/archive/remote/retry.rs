//! Requests that failed and are made again, and notices of the waits between them.

use std::{
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use super::{gate, status::Failure, url::RemoteUrl};

/// The shortest silence of a server, with the wait that follows, of which notice is given.
const LEAST_SILENCE: Duration = Duration::from_secs(3);
/// The time between two notices: that a server fails for many archives at once is one.
const BETWEEN_NOTICES: Duration = Duration::from_secs(30);

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Passes on, from now on, a sentence on a wait for a server that takes long: which archive, why,
/// for how long, and the number of the try. There is one in half a minute at most, whatever else
/// waits. Only the first call has an effect.
#[cfg(feature = "cli")]
pub(crate) fn notify_of_waits(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// The requests for one URL that failed one after the other.
pub(super) struct Retries<'u> {
    url: &'u RemoteUrl,
    failures: u32,
    /// Since when nothing has come.
    silent_since: Instant,
}

impl<'u> Retries<'u> {
    pub(super) fn new(url: &'u RemoteUrl) -> Self {
        Self {
            url,
            failures: 0,
            silent_since: Instant::now(),
        }
    }

    /// Waits until the request may be made again. If the failed one brought bytes, `last_bytes` is
    /// when.
    ///
    /// # Errors
    ///
    /// The failure, if it is one too many.
    pub(super) async fn wait(
        &mut self,
        failure: Failure,
        retry_after: Option<Duration>,
        last_bytes: Option<Instant>,
    ) -> Result<(), Failure> {
        match last_bytes {
            Some(then) => (self.failures, self.silent_since) = (0, then),
            None => self.failures += 1,
        }
        if self.failures >= gate::max_tries() {
            let message = format!("{}, {} times in a row", failure.message, self.failures);
            return Err(Failure { message, ..failure });
        }
        let notify = |wait| self.notify(&failure, wait);
        gate::wait_to_try_again(&self.url.host(), self.failures, retry_after, notify).await;
        Ok(())
    }

    fn notify(&self, failure: &Failure, wait: Duration) {
        static LAST: Mutex<Option<Instant>> = Mutex::new(None);
        let Some(listener) = LISTENER.get() else {
            return;
        };
        let silence = self.silent_since.elapsed() + wait;
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if is_due(&mut last, Instant::now(), silence) {
            listener(&notice(self.url, failure, self.failures + 1, wait));
        }
    }
}

/// Returns true if and only if notice of a silence is to be given now, and counts it as the last.
fn is_due(last: &mut Option<Instant>, now: Instant, silence: Duration) -> bool {
    let is_early = |last: Instant| now.duration_since(last) < BETWEEN_NOTICES;
    let is_due = silence >= LEAST_SILENCE && !last.is_some_and(is_early);
    if is_due {
        *last = Some(now);
    }
    is_due
}

fn notice(url: &RemoteUrl, failure: &Failure, number: u32, wait: Duration) -> String {
    let seconds = wait.as_secs_f64().ceil();
    let s = if seconds == 1.0 { "" } else { "s" };
    format!(
        "{url}: {}; trying again in {seconds} second{s} (try {number} of {})",
        failure.message,
        gate::max_tries()
    )
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn notice_is_given_of_long_waits_and_not_of_each() {
        let mut last = None;
        let begin = Instant::now();
        let mut is_due = |at: u64, silence: u64| {
            let now = begin + Duration::from_secs(at);
            is_due(&mut last, now, Duration::from_secs(silence))
        };
        assert!(!is_due(0, 2));
        assert!(is_due(1, 3));
        let others = (1..=30).filter(|&at| is_due(at, 60)).count();
        assert_eq!(others, 0);
        assert!(is_due(31, 4));
    }

    #[test]
    fn a_notice_says_what_waits_why_and_how_long_without_secrets() {
        let url = RemoteUrl::parse("https://u:p@h.example/a?key=p").unwrap();
        let failure = Failure::new(ErrorKind::TimedOut, "the server sleeps");
        let shown = |millis| notice(&url, &failure, 2, Duration::from_millis(millis));
        assert_eq!(
            shown(4200),
            "https://h.example/a?...: the server sleeps; trying again in 5 seconds (try 2 of 9)"
        );
        assert!(shown(900).contains("in 1 second (try"));
    }
}
