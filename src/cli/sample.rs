//! `robocensus sample`: generated archives and the truth about them.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, bail};
use robocensus::sample::{Options, history::History, truth_path, write_with_pages};

use super::{args::SampleArgs, escape::line, output_file::OutputFile};

/// Writes an archive, or those of several crawls, and the truth.
pub fn run(args: &SampleArgs) -> anyhow::Result<()> {
    let said = if let Some(crawls) = args.crawls {
        write_history(args, &History::new(crawls.get(), args.hosts, args.seed))?
    } else {
        write_archive(args)?
    };
    writeln!(
        io::stdout(),
        "{}: {said}",
        line(&args.out.display().to_string())
    )?;
    Ok(())
}

fn write_archive(args: &SampleArgs) -> anyhow::Result<String> {
    let truth_path = truth_path(&args.out);
    let [archive, truth] = [&args.out, &truth_path].map(|path| begin(args, path));
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
    Ok(format!(
        "{} captures{pages}, {} bytes; truth in {}",
        written.captures,
        written.file_bytes,
        line(&truth_path.display().to_string())
    ))
}

fn write_history(args: &SampleArgs, history: &History) -> anyhow::Result<String> {
    let mut files = Vec::new();
    for crawl in &history.crawls {
        let path = args.out.join(&crawl.archive);
        let folder = path.parent().unwrap_or(&args.out);
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot create", folder.display()))?;
        files.push(begin(args, &path)?);
    }
    let truth_path = args.out.join("truth.json");
    let truth = begin(args, &truth_path)?;
    let mut captures = 0;
    for (nth, file) in files.into_iter().enumerate() {
        captures += file.finish(|mut out| history.write_crawl(nth, &mut out))?;
    }
    truth.finish(|out| out.write_all(history.to_json().as_bytes()))?;
    Ok(format!(
        "{} crawls of {} hosts, {captures} captures; truth in {}",
        history.crawls.len(),
        history.hosts.len(),
        line(&truth_path.display().to_string())
    ))
}

/// Begins a file, unless there is one and it is not to be replaced.
fn begin(args: &SampleArgs, path: &Path) -> anyhow::Result<OutputFile> {
    if path.exists() && !args.overwrite {
        bail!(
            "{}: this file exists; give another one with --out, or --overwrite to replace it",
            path.display()
        );
    }
    OutputFile::begin(path, None, [])
}
