//! The properties that the fuzz targets check, from the files of the integration tests.

#[path = "../../tests/naive/mod.rs"]
mod naive;

#[path = "../../tests/properties/mod.rs"]
pub mod properties;
