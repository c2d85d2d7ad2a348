//! The longest time between a redirect of no crawl and its end, as an option of a dataset.

use std::time::Duration;

/// The option of a dataset that holds the window.
pub(in crate::dataset) const OPTION: &str = "redirect_window";
const UNIT: &str = " s";
/// What [`describe`] writes, for messages.
pub(super) const FORM: &str = "seconds such as `86400 s`";

/// Returns the window as the option states it.
pub(in crate::dataset) fn describe(window: Duration) -> String {
    format!("{}{UNIT}", window.as_secs_f64())
}

/// Reads what [`describe`] wrote, in microseconds; `None` for any other text.
pub(in crate::dataset) fn read(described: &str) -> Option<u64> {
    let seconds: f64 = described.strip_suffix(UNIT)?.parse().ok()?;
    // A window longer than 2^64 microseconds, which the conversion saturates at, holds all times.
    Some((seconds * 1e6).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_as_they_were_described() {
        for (window, micros) in [
            (Duration::ZERO, 0),
            (Duration::from_secs(7 * 86_400), 604_800_000_000),
            (Duration::from_millis(1_500), 1_500_000),
        ] {
            assert_eq!(read(&describe(window)), Some(micros));
        }
        for broken in ["", "7", "7 d", "s", "none"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
