//! Parsers compared with each other.

mod action;
mod adapters;
mod bodies;
mod command;
mod corpus;
mod data;
mod files;
mod gate;
mod mutants;
mod protocol;
mod reference;
mod sample;
mod success;
mod table;
