//! Parsers compared with each other.

mod adapters;
mod bodies;
mod command;
mod files;
mod protocol;
mod sample;
mod success;
