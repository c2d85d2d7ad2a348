//! Feeds `tests/properties/http.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| (robocensus_fuzz::properties::http::TARGET.check)(bytes)
);
