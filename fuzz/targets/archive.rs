//! Feeds `tests/properties/archive.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::archive::TARGET.check)(bytes)
);
