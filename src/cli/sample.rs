//! `robocensus sample`: a generated archive and the truth about it.

use std::io::{self, Write};

use anyhow::bail;
use robocensus::sample::{Options, truth_path, write_with_pages};

use super::{args::SampleArgs, escape::line, output_file::OutputFile};

/// Writes an archive and its truth.
pub fn run(args: &SampleArgs) -> anyhow::Result<()> {
    let truth_path = truth_path(&args.out);
    for path in [&args.out, &truth_path] {
        if path.exists() && !args.overwrite {
            bail!(
                "{}: this file exists; give another one with --out, or --overwrite to replace it",
                path.display()
            );
        }
    }
    let [archive, truth] = [&args.out, &truth_path].map(|path| OutputFile::begin(path, None, []));
    let (archive, truth) = (archive?, truth?);
    let options = Options {
        captures: args.captures,
        seed: args.seed,
    };
    let written = archive.finish(|mut out| write_with_pages(&options, args.pages, &mut out))?;
    truth.finish(|out| out.write_all(written.to_json().as_bytes()))?;
    let pages = match args.pages {
        0 => String::new(),
        n => format!(" and {n} pages"),
    };
    writeln!(
        io::stdout(),
        "{}: {} captures{pages}, {} bytes; truth in {}",
        line(&args.out.display().to_string()),
        written.captures,
        written.file_bytes,
        line(&truth_path.display().to_string())
    )?;
    Ok(())
}
