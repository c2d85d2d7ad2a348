//! Names that nothing else has, for what may be tried several times at once.

use std::{
    process,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{SystemTime, UNIX_EPOCH},
};

/// The latest attempt of this process, in nanoseconds since 1970.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Returns a text that no other attempt at the same thing has, on this machine or another.
pub(super) fn attempt() -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_nanos() as u64);
    // Two threads may ask within one tick of the clock.
    let next = |last| now.max(last + 1);
    let last = LAST.fetch_update(Relaxed, Relaxed, |last| Some(next(last)));
    format!("{}.{}", process::id(), last.map_or(now, next))
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, thread};

    use super::*;

    #[test]
    fn threads_that_ask_at_once_get_names_of_their_own() {
        let ask = || (0..10_000).map(|_| attempt()).collect::<Vec<_>>();
        let names: Vec<String> = thread::scope(|scope| {
            let workers = [(); 4].map(|()| scope.spawn(ask));
            let names = workers.into_iter().flat_map(|w| w.join().unwrap());
            names.collect()
        });
        let distinct: HashSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }
}
