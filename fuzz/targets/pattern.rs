//! Feeds `tests/properties/pattern.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::pattern::TARGET.check)(bytes)
);
