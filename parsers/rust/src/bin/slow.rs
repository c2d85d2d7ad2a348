//! A parser that takes as many microseconds for each file as its argument states, and always
//! answers `allow`. In the end it writes to standard error which share of the time, from the first
//! request to the last answer, it was busy.

use std::{
    thread,
    time::{Duration, Instant},
};

use robocensus_adapters::{AdapterResult, converse, number_argument, outline};

fn main() -> AdapterResult<()> {
    let pause = Duration::from_micros(number_argument()?);
    let (mut first, mut busy, mut end) = (None, Duration::ZERO, Instant::now());
    converse("slow", "1", |line, answers| {
        let began = Instant::now();
        first.get_or_insert(began);
        thread::sleep(pause);
        outline(line)?.allow_all(answers)?;
        end = Instant::now();
        busy += end - began;
        Ok(())
    })?;
    let elapsed = first.map_or(Duration::ZERO, |first| end - first);
    let (busy, elapsed) = (busy.as_secs_f64(), elapsed.as_secs_f64());
    eprintln!("{{\"busy\": {busy}, \"elapsed\": {elapsed}}}");
    Ok(())
}
