//! A parser that answers at once, and always with `allow`: what remains is the cost of asking.

use robocensus_adapters::{AdapterResult, converse, outline};

fn main() -> AdapterResult<()> {
    converse("instant", "1", |line, answers| {
        outline(line)?.allow_all(answers)
    })
}
