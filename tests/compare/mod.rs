//! Parsers compared with each other.

mod adapters;
mod protocol;
