//! Feeds `tests/properties/percent.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::percent::TARGET.check)(bytes)
);
