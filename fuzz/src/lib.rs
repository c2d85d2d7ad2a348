//! The properties that the fuzz targets check: those of the test command, from the same files.
//!
//! Enters: nothing. Leaves: the targets of `tests/properties/`, for libFuzzer to feed.

#[path = "../../tests/properties/mod.rs"]
pub mod properties;
