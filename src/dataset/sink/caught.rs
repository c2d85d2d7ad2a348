//! Panics of the Parquet library, which some damaged pages cause, as errors.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    sync::Once,
};

use parquet::errors::ParquetError;

thread_local! {
    /// Whether a panic of this thread is caught here and becomes an error.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function of the Parquet library; a panic in it is an error, and nothing is printed.
///
/// Pages have no checksums, and the library indexes what a damaged one declares. What it was called
/// on must be dropped after an error.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, ParquetError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !IS_CAUGHT.get() {
                usual(info);
            }
        }));
    });
    IS_CAUGHT.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CAUGHT.set(false);
    result.map_err(|_| ParquetError::General("a page is damaged".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_is_an_error_and_the_next_call_has_its_result() {
        assert!(caught(|| assert_eq!(1, 2)).is_err());
        assert_eq!(caught(|| 3).ok(), Some(3));
    }
}
