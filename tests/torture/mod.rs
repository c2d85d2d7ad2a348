//! Rounds of disturbed runs, each compared with an undisturbed one: killed, stopped, interrupted,
//! joined, out of space, replaced.
//!
//! `make test` does a few rounds and `make torture ROUNDS=50` as many as one likes, each with a
//! seed of its own, from which all follows but when the operating system delivers a signal. What
//! must hold after each disturbance: every manifest names files that are there whole. What must
//! hold in the end: all files are byte for byte those of the undisturbed run.

mod dataset;
mod rounds;

use std::{
    env,
    panic::{self, AssertUnwindSafe},
};

use self::rounds::World;

/// The number of rounds unless the environment sets another: one of each kind.
const ROUNDS: u64 = rounds::KINDS.len() as u64;

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}: expected a number, but found {text:?}"))
    })
}

#[test]
fn a_disturbed_run_ends_as_an_undisturbed_one() {
    let rounds = number("TORTURE_ROUNDS", ROUNDS);
    let first = number("TORTURE_SEED", 1);
    let world = World::new();
    let mut disturbed = 0;
    for seed in first..first + rounds {
        let round = AssertUnwindSafe(|| rounds::round(&world, seed));
        disturbed += panic::catch_unwind(round).unwrap_or_else(|panicked| {
            eprintln!("torture: to repeat the round: make torture ROUNDS=1 SEED={seed}");
            panic::resume_unwind(panicked)
        });
    }
    eprintln!("torture: {rounds} rounds from seed {first}, {disturbed} runs were disturbed");
    assert!(
        rounds < ROUNDS || disturbed >= rounds / 2,
        "runs ended before they were disturbed"
    );
}
