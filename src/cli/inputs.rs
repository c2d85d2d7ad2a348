//! The archives that `run` is to read: from flags to archives, and `--list-inputs`.

use std::io::{self, BufWriter, Write};

use anyhow::bail;
use robocensus::{
    ArchiveSource,
    archive::input::{self, ExpandOptions, Inputs},
};

use super::{
    args::RunArgs,
    config::record_index,
    escape::{line, print_first, print_message},
    layout::counted,
    progress::InputTotals,
};

/// Notes on inputs that are shown.
const MOST_NOTES: usize = 10;
/// Archives behind servers of which the sizes are known after some seconds.
const MANY_REMOTE: usize = 5_000;
/// The columns of `--list-inputs`.
const COLUMNS: &str = "part\tbytes\tname\tlocation";

/// The names of parts with their archives, as positions in the list of all.
pub type PlannedParts = [(String, Vec<usize>)];

/// Returns the archives that the flags name, after notes on those that are skipped.
pub fn expand(args: &RunArgs) -> anyhow::Result<Inputs> {
    if args.seed.is_some() && args.limit.is_none() && args.sample.is_none() {
        bail!("--seed: expected --limit or --sample beside it, whose choice it changes");
    }
    let options = ExpandOptions {
        stdin_name: args.stdin_name.clone(),
        crawls: args.crawl.clone(),
        records: args.records.as_deref().map(record_index).transpose()?,
        subset: args.subset.clone(),
        crawl_base: args.crawl_base.clone(),
        limit: args.limit.map(usize::from),
        sample: args.sample,
        seed: args.seed.unwrap_or_default(),
        allow_private: args.allow_private,
    };
    let inputs = input::expand_with(&args.inputs, &options)?;
    print_notes(&inputs);
    Ok(inputs)
}

/// Prints notes on inputs that are skipped.
pub fn print_notes(inputs: &Inputs) {
    print_first("note", &inputs.notes, MOST_NOTES, "inputs that are skipped");
}

/// Says that servers are asked for many sizes, which takes a while.
pub fn announce_look_up(archives: &[ArchiveSource]) {
    let is_asked = |archive: &&ArchiveSource| archive.remote.is_some() && archive.ranges.is_none();
    let remote = archives.iter().filter(is_asked);
    let n_remote = remote.count();
    if n_remote >= MANY_REMOTE {
        let counted = counted(n_remote as u64, "archive");
        print_message(&format!("note: asking for the sizes of {counted}"));
    }
}

/// Returns the totals of the archives that are to be read: those of the shard.
pub fn totals(parts: &PlannedParts, archives: &[ArchiveSource]) -> InputTotals {
    let indices = parts.iter().flat_map(|(_, of_part)| of_part);
    InputTotals::new(indices.map(|&index| &archives[index]))
}

/// Prints the archives that are to be read, with their parts.
pub fn list(parts: &PlannedParts, archives: &[ArchiveSource]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{COLUMNS}")?;
    for (part, of_part) in parts {
        for &index in of_part {
            let ArchiveSource { name, source, .. } = &archives[index];
            let bytes = source.size().map(|bytes| bytes.to_string());
            writeln!(
                out,
                "{part}\t{}\t{}\t{}",
                bytes.unwrap_or_default(),
                column(name),
                column(&source.location())
            )?;
        }
    }
    out.flush()?;
    let totals = totals(parts, archives);
    let n_parts = counted(parts.len() as u64, "part");
    print_message(&format!("{totals}, {n_parts}"));
    Ok(())
}

/// Returns a text as a column of `--list-inputs`, from which it can be told what it was.
fn column(text: &str) -> String {
    line(&text.replace('\\', r"\\")).into_owned()
}
