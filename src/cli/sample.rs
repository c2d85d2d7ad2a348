//! `robocensus sample`.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use anyhow::{Context, bail};
use robocensus::sample::{Options, truth_path, write};

use super::{args::SampleArgs, escape::line};

/// Writes an archive and its truth.
pub fn run(args: &SampleArgs) -> anyhow::Result<ExitCode> {
    let truth_path = truth_path(&args.out);
    for path in [&args.out, &truth_path] {
        if path.exists() && !args.overwrite {
            bail!(
                "{}: this file is there already; give another one with --out, or --overwrite to replace it",
                path.display()
            );
        }
    }
    // Both files appear under their names only when they are whole.
    let partial = args.out.with_extension("partial");
    let written = write_archive(args, &partial).inspect_err(|_| {
        // The error that is returned says more than one about this clean-up could.
        let _ = fs::remove_file(&partial);
    })?;
    fs::write(&truth_path, written.to_json())
        .with_context(|| format!("{}: cannot write", truth_path.display()))?;
    fs::rename(&partial, &args.out)
        .with_context(|| format!("{}: cannot write", args.out.display()))?;
    writeln!(
        io::stdout(),
        "{}: {} captures, {} bytes; truth in {}",
        line(&args.out.display().to_string()),
        written.captures,
        written.file_bytes,
        line(&truth_path.display().to_string())
    )?;
    Ok(ExitCode::SUCCESS)
}

fn write_archive(
    args: &SampleArgs,
    path: &std::path::Path,
) -> anyhow::Result<robocensus::sample::Truth> {
    let options = Options {
        captures: args.captures,
        seed: args.seed,
    };
    let file = File::create(path).with_context(|| format!("{}: cannot create", path.display()))?;
    let mut out = BufWriter::new(file);
    let truth = write(&options, &mut out)
        .and_then(|truth| out.flush().map(|()| truth))
        .with_context(|| format!("{}: cannot write", path.display()))?;
    Ok(truth)
}
