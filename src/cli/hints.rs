//! Hints that name flags and commands, for messages of the library, which knows none.

/// How the command line does what messages about damaged datasets advise.
pub const REPAIRS: &str = "robocensus run resumes with --resume, joins with --join and overwrites with --overwrite; robocensus redirects resolves redirects";

/// The end of the message about a second stream without a name, and what follows it.
pub const STREAM_NAME: (&str, &str) = ("give each stream a name of its own", ", by --stdin-name");
