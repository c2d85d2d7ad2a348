//! Feeds `tests/properties/text.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::text::TARGET.check)(bytes)
);
