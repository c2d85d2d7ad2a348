//! Benchmarks of the rooms, each beside named peers on the same bytes in the same run.
//!
//! Ids are `room/input/side`. Inputs are an archive of `robocensus sample` with a fixed seed and,
//! where it lies beside the package, the first archive of `../shared/corpus`. Each side states its
//! answer, and what it answers in the loop is asserted to be what was known before: the other
//! sides' answer where sides must agree, its own outside the loop where they may differ, and then
//! how far they do is asserted too.
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
    // Ten samples a second, thrice, tell more on a shared machine than a hundred samples once.
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
