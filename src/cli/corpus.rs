//! `robocensus corpus`: a dataset in, a few of its files out, for `compare`.

use std::path::Path;

use anyhow::bail;
use indicatif::HumanCount;
use robocensus::{compare::write_corpus, dataset::lookup::CaptureStore};

use super::{
    args::CorpusArgs,
    escape::print_message,
    output_file::OutputFile,
    progress::{note_waits, stopped_by_ctrl_c},
};

/// Chooses files, writes them and says of how many.
pub fn run(args: &CorpusArgs) -> anyhow::Result<()> {
    if !is_parquet(&args.out) {
        bail!(
            "--out {}: expected a name that ends with .parquet, by which compare knows a corpus",
            args.out.display()
        );
    }
    note_waits();
    let store = CaptureStore::open(&args.data)?;
    let file = OutputFile::begin(&args.out, Some(&*args.data), [])?;
    let progress = stopped_by_ctrl_c()?;
    let counts = file.finish(|out| write_corpus(&store, args.files.get(), &progress, out))?;
    let count = |n: usize| HumanCount(n as u64);
    print_message(&format!(
        "{} of {} files, {} of them as examples; they have {} of {} traits",
        count(counts.files),
        count(counts.of_files),
        count(counts.examples),
        count(counts.traits),
        count(counts.of_traits),
    ));
    Ok(())
}

/// Returns true if and only if a path names a Parquet file, as that of a corpus does and that of an
/// archive does not.
pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "parquet")
}
