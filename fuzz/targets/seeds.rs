//! Writes the seeds of every target to `corpus/TARGET/` and its dictionary to `TARGET.dict`, below
//! the folder that is the only argument.
//!
//! Existing files of these names are replaced; no other file is touched.

use std::{fs, io, path::PathBuf};

// The instrumented build links against symbols of libFuzzer, though nothing is fuzzed here.
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
        fs::write(folder.join(format!("{}.dict", target.name)), target.words)?;
    }
    Ok(())
}
