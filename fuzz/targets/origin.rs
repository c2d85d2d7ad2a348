//! Feeds `tests/properties/origin.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::origin::TARGET.check)(bytes)
);
