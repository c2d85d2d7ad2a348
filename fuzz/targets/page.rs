//! Feeds `tests/properties/page.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::page::TARGET.check)(bytes)
);
