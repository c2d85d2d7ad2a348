//! How slowly a server may send.

use std::time::Duration;

use super::{gate, status::Trouble};

/// Bytes a second that are too few: an archive of a crawl would take half an hour and more.
pub(super) const LEAST_RATE: u64 = 1024;

/// Returns for how long a server may send less than [`LEAST_RATE`]: twice the time for which it may
/// send nothing, a minute by default.
fn window() -> Duration {
    2 * gate::read_timeout()
}

/// Returns how many bytes a server must send within that time.
pub(super) fn least_bytes() -> u64 {
    bytes_of(window())
}

fn bytes_of(window: Duration) -> u64 {
    (window.as_secs_f64() * LEAST_RATE as f64) as u64
}

/// What a server has sent lately, and the time that was spent waiting for it.
#[derive(Default)]
pub(super) struct Pace {
    waited: Duration,
    bytes: u64,
}

impl Pace {
    /// Counts bytes that came after a wait.
    ///
    /// # Errors
    ///
    /// That the server sends too slowly.
    pub(super) fn count(&mut self, waited: Duration, bytes: usize) -> Result<(), Trouble> {
        if self.is_kept(waited, bytes, window()) {
            return Ok(());
        }
        let message = format!(
            "the server sent less than {LEAST_RATE} bytes a second for {} seconds",
            window().as_secs_f64()
        );
        Err(Trouble::passing(std::io::ErrorKind::TimedOut, message))
    }

    fn is_kept(&mut self, waited: Duration, bytes: usize, window: Duration) -> bool {
        self.waited += waited;
        self.bytes += bytes as u64;
        if self.waited < window {
            return true;
        }
        std::mem::take(self).bytes >= bytes_of(window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_drips_is_too_slow_and_one_that_pauses_is_not() {
        let kept = |seconds: &[u64], bytes: usize| {
            let mut pace = Pace::default();
            let window = Duration::from_secs(60);
            let mut waits = seconds.iter().map(|&wait| Duration::from_secs(wait));
            waits.all(|wait| pace.is_kept(wait, bytes, window))
        };
        assert!(kept(&[1; 59], 1));
        assert!(!kept(&[1; 60], 1));
        assert!(kept(&[1; 600], 1024));
        assert!(!kept(&[1; 600], 1023));
        assert!(kept(&[29; 9], 64 * 1024));
        let mut pace = Pace::default();
        let window = Duration::from_secs(60);
        assert!(pace.is_kept(Duration::from_secs(60), 100_000, window));
        assert!(!pace.is_kept(Duration::from_secs(60), 10, window));
    }
}
