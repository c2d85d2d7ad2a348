//! The end of the program with the process that started it.
//!
//! Whoever runs the program as a part of another, such as the Python package, sets the variable
//! [`VARIABLE`] to its process identifier. Where that process is killed, nobody is left who could
//! end this one and the processes that it has started.

use std::{env, os::unix::process::parent_id, process, thread, time::Duration};

use nix::{
    sys::signal::{Signal, killpg, raise},
    unistd::Pid,
};

/// The environment variable that holds the process identifier of the parent.
const VARIABLE: &str = "ROBOCENSUS_PARENT";
/// Time between two looks at which process is the parent.
const TICK: Duration = Duration::from_millis(500);

/// Sends SIGTERM to this process as soon as its parent is not the one that the variable names, and
/// to its process group if it leads one.
pub fn end_with_parent() {
    let parent = parent_id();
    // Programs that this one starts inherit the variable, which is not about their parent.
    if env::var(VARIABLE).is_ok_and(|id| id == parent.to_string()) {
        thread::spawn(move || watch(parent));
    }
}

fn watch(parent: u32) {
    while parent_id() == parent {
        thread::sleep(TICK);
    }
    // A group has the identifier of its leader: without one there is none of that identifier.
    if killpg(Pid::from_raw(process::id() as i32), Signal::SIGTERM).is_err() {
        // The process can always signal itself.
        let _ = raise(Signal::SIGTERM);
    }
}
