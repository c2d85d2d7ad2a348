//! Benchmarks of the modules, each against named peers on the same bytes in the same run.
//!
//! Ids are `module/input/side`. Inputs are an archive of `robocensus sample` with a fixed seed and,
//! where it exists, the first archive of `../shared/corpus`. The result of each side is asserted in
//! the measured loop: against that of the other sides where they must agree, else against its own
//! from before the loop, and then the difference between sides is bounded by an assertion too.
//!
//! `make bench` runs everything three times and takes the best median of each side (`table.py`).

mod inputs;

mod read;

mod parse;

mod verdicts;

mod write;

use std::time::Duration;

use criterion::Criterion;

fn main() {
    // On a shared machine three runs of ten samples vary less than one run of a hundred.
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .nresamples(2_000)
        .without_plots()
        .configure_from_args();
    read::define(&mut criterion);
    parse::define(&mut criterion);
    verdicts::define(&mut criterion);
    write::define(&mut criterion);
    criterion.final_summary();
}
