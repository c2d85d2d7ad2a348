//! Parsers compared with each other.

mod protocol;
