//! Compares parsers over archives: which cells flip, in which direction, and why.

pub mod cause;
pub mod expect;
pub mod external;
pub mod found;
pub mod markdown;
pub mod probe;
pub mod reduce;
pub mod side;
#[cfg(test)]
mod testing;
