//! Feeds `tests/properties/robots.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::robots::TARGET.check)(bytes)
);
