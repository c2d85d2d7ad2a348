//! What Parquet files say of themselves, against their values: statistics, page indexes, Bloom
//! filters, and predicates in readers that use them.
//!
//! A statistic that is wrong loses rows without a word, in some readers and for some predicates
//! only. So every value of hostile datasets is compared with what the footers state, and
//! predicates are asked of DuckDB and pyarrow as they push them down, without that, and of this
//! test's own evaluation of them. `make parquet-check PREDICATES=3000` asks as many as one likes.

mod columns;
mod engines;
mod footers;
mod hostile;
mod predicates;

use std::env;

use robocensus::sample::random::Random;

/// Predicates for each dataset where the environment does not say.
const PREDICATES: usize = 40;

/// Returns the number of predicates for each dataset and the random from which they are made.
fn asked() -> (usize, Random) {
    let number = |variable: &str, default: usize| {
        env::var(variable).map_or(default, |text| text.parse().expect(variable))
    };
    let seed = number("PARQUET_SEED", 1) as u64;
    (number("PARQUET_PREDICATES", PREDICATES), Random::new(seed))
}
