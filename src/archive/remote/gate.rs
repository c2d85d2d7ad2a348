//! When the next try at a host may be made.

use std::{
    collections::HashMap,
    env,
    hash::{BuildHasher, RandomState},
    sync::{LazyLock, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// Between two tries at one host, over all downloads.
const BETWEEN_TRIES: Duration = Duration::from_secs(1);
/// The longest that a try waits because others have failed: from there on waiting longer no longer
/// spares the host, with one try a second.
const MAX_BACKOFF: Duration = Duration::from_secs(60);
/// The longest `Retry-After` that is waited for. A server that asks for more is out of service.
pub(super) const MAX_RETRY_AFTER: Duration = Duration::from_secs(10 * 60);
/// How many requests may fail one after the other without a byte between them: with the waits
/// between them, of about three minutes in all, that outlasts the restart of a server.
const MAX_TRIES: u32 = 9;
/// How long a server may send nothing. Common Crawl's answers within a second; a loaded one within
/// ten.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Returns how long a server may send nothing: [`READ_TIMEOUT`], or the seconds in the variable
/// `ROBOCENSUS_READ_TIMEOUT`.
pub(super) fn read_timeout() -> Duration {
    static TIMEOUT: LazyLock<Duration> = LazyLock::new(|| {
        let seconds = number("ROBOCENSUS_READ_TIMEOUT").filter(|&seconds| seconds > 0.0);
        let seconds = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        seconds.unwrap_or(READ_TIMEOUT)
    });
    *TIMEOUT
}

/// Returns how many requests may fail one after the other: [`MAX_TRIES`], or the number in the
/// variable `ROBOCENSUS_MAX_TRIES`.
pub(super) fn max_tries() -> u32 {
    static TRIES: LazyLock<u32> = LazyLock::new(|| {
        let tries = number("ROBOCENSUS_MAX_TRIES").map(|tries| tries as u32);
        tries.map_or(MAX_TRIES, |tries| tries.max(1))
    });
    *TRIES
}

fn number(variable: &str) -> Option<f64> {
    env::var(variable).ok()?.parse().ok()
}

/// What is known of a host.
#[derive(Clone, Copy)]
struct Host {
    /// Until when it asked to be left alone.
    closed_until: Instant,
    /// When the next try may be made.
    next_try: Instant,
}

fn with_host<T>(host: &str, f: impl FnOnce(&mut Host) -> T) -> T {
    static HOSTS: LazyLock<Mutex<HashMap<String, Host>>> = LazyLock::new(Mutex::default);
    let mut hosts = HOSTS.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    let host = hosts.entry(host.to_owned()).or_insert(Host {
        closed_until: now,
        next_try: now,
    });
    f(host)
}

/// Waits while a host asks to be left alone.
pub(super) async fn wait_until_open(host: &str) {
    loop {
        let until = with_host(host, |host| host.closed_until);
        if until <= Instant::now() {
            return;
        }
        sleep_until(until).await;
    }
}

/// Waits until a host may be tried again: `failures` requests have failed one after the other, and
/// the last answer may have said how long to wait. `notify` is told how long that will be.
pub(super) async fn wait_to_try_again(
    host: &str,
    failures: u32,
    retry_after: Option<Duration>,
    notify: impl Fn(Duration),
) {
    let now = Instant::now();
    let mut at = now + backoff(failures);
    if let Some(wait) = retry_after {
        with_host(host, |host| {
            host.closed_until = host.closed_until.max(now + wait);
        });
    }
    loop {
        at = with_host(host, |host| {
            let at = at.max(host.closed_until).max(host.next_try);
            host.next_try = at + BETWEEN_TRIES;
            at
        });
        notify(at.saturating_duration_since(Instant::now()));
        sleep_until(at).await;
        // Another answer may have asked for more time meanwhile.
        if with_host(host, |host| host.closed_until) <= at {
            return;
        }
    }
}

/// Returns a random wait between half of 2^(failures - 1) seconds and all of them; none after a
/// request that brought bytes.
fn backoff(failures: u32) -> Duration {
    if failures == 0 {
        return Duration::ZERO;
    }
    let most = Duration::from_secs(1 << (failures - 1).min(16)).min(MAX_BACKOFF);
    // Each hasher has keys of its own.
    let random = RandomState::new().hash_one(failures) % 1024;
    most / 2 + most / 2 * u32::try_from(random).unwrap_or_default() / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_minute() {
        assert_eq!(backoff(0), Duration::ZERO);
        for (failures, most) in [(1, 1), (2, 2), (4, 8), (7, 60), (40, 60)] {
            let wait = backoff(failures).as_secs_f64();
            assert!(
                (0.5..=1.0).contains(&(wait / f64::from(most))),
                "{failures}: {wait}"
            );
        }
    }

    #[test]
    fn tries_at_one_host_are_a_second_apart_and_keep_what_it_asked_for() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let start = Instant::now();
        runtime.block_on(async {
            wait_to_try_again("a.example", 0, None, |_| {}).await;
            wait_until_open("a.example").await;
            assert!(start.elapsed() < Duration::from_millis(500));
            let asked = Some(Duration::from_millis(200));
            wait_to_try_again("b.example", 0, asked, |_| {}).await;
            wait_to_try_again("a.example", 0, None, |_| {}).await;
            let waited = start.elapsed().as_secs_f64();
            assert!((1.0..1.5).contains(&waited), "{waited}");
        });
    }
}
