//! Hints that name flags and commands, for messages of the library, which knows none.

/// How the command line does what messages about damaged datasets advise.
pub const REPAIRS: &str = "note: robocensus run INPUT... --out DIR --resume resumes a run and rebuilds damaged parts, with --overwrite it starts again; robocensus redirects DIR resolves redirects again";
