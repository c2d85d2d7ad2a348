//! The longest time between a redirect and its end, as the description of a dataset says it.

use std::time::Duration;

use crate::error::Error;

/// The option of a dataset that holds the window.
pub(in crate::pipeline) const OPTION: &str = "redirect_window";
/// What stands for a window where there is none.
const NONE: &str = "none";
const UNIT: &str = " s";

/// Returns the window as the description of a dataset has it.
pub(in crate::pipeline) fn describe(window: Option<Duration>) -> String {
    window.map_or_else(
        || NONE.to_owned(),
        |window| format!("{}{UNIT}", window.as_secs_f64()),
    )
}

/// Reads what [`describe`] wrote, in microseconds.
///
/// # Errors
///
/// Anything else.
pub(super) fn read(described: &str) -> Result<Option<u64>, Error> {
    if described == NONE {
        return Ok(None);
    }
    let seconds = described.strip_suffix(UNIT);
    let seconds = seconds.and_then(|seconds| seconds.parse::<f64>().ok());
    // A window longer than 2^64 microseconds holds every time there is.
    let micros = |seconds: f64| (seconds * 1e6).round() as u64;
    seconds.map(micros).map(Some).ok_or_else(|| {
        Error::usage(format!(
            "the option {OPTION} of the dataset: expected {NONE}, or seconds such as 86400{UNIT}, but found {described:?}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_as_they_were_described() {
        for (window, micros) in [
            (None, None),
            (Some(Duration::ZERO), Some(0)),
            (Some(Duration::from_secs(7 * 86_400)), Some(604_800_000_000)),
            (Some(Duration::from_millis(1_500)), Some(1_500_000)),
        ] {
            assert_eq!(read(&describe(window)).unwrap(), micros);
        }
        for broken in ["", "7", "7 d", "s"] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}
