//! Writes what every target begins with: `corpus/TARGET/` and the dictionary `TARGET.dict`, below
//! the folder that is named.
//!
//! Enters: the path of a folder. Leaves: its files. Those that are there already are written again,
//! and no other is touched.

use std::{fmt::Write, fs, io, path::PathBuf};

// The instrumentation of the build needs what libFuzzer brings, though nothing is fuzzed here.
use libfuzzer_sys as _;
use robocensus_fuzz::properties::TARGETS;

fn main() -> io::Result<()> {
    let usage = || io::Error::other("expected the path of a folder");
    let folder: PathBuf = std::env::args_os().nth(1).ok_or_else(usage)?.into();
    for target in TARGETS {
        let corpus = folder.join("corpus").join(target.name);
        fs::create_dir_all(&corpus)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(corpus.join(format!("seed-{number}")), seed)?;
        }
        let mut dictionary = String::new();
        for word in target.words {
            let escaped = word.iter().map(|byte| format!("\\x{byte:02x}"));
            // Writing to a string cannot fail.
            let _ = writeln!(dictionary, "\"{}\"", escaped.collect::<String>());
        }
        fs::write(folder.join(format!("{}.dict", target.name)), dictionary)?;
    }
    Ok(())
}
