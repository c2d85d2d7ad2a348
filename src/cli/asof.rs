//! `robocensus asof`: what the robots.txt in force at the time of each page says about it.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use robocensus::{
    Progress,
    archive::input::maybe_gzip,
    dataset::asof::{AsOf, AsOfCounts, AsOfOutput, PageSource, answer},
};
use serde_json::json;

use super::{
    args::AsOfArgs,
    check::{named, open_plain},
    corpus::is_parquet,
    dialects,
    escape::print_message,
    output_file::OutputFile,
    progress::{note_waits, stopped_by_ctrl_c},
    template::rendered,
};

/// How many pages there are, and how many of them have which verdict, or none and why.
const SUMMARY: &str = include_str!("templates/asof.txt.j2");

/// Answers about all pages, writes the answers, and says how many are known.
pub fn run(args: &AsOfArgs) -> anyhow::Result<()> {
    note_waits();
    let agent = args.agent.as_deref().map(|agent| named("--agent", agent));
    let asked = AsOf {
        dialect: dialects::dialect("--dialect", &args.dialect)?,
        within: args.within,
        agent: agent.transpose()?.map(|agent| agent.chain.join(",")),
    };
    let progress = stopped_by_ctrl_c()?;
    let counts = match &args.out {
        Some(out) => {
            let file = OutputFile::begin(out, Some(&*args.data), [args.pages.as_path()])?;
            file.finish(|to| write(args, &asked, is_parquet(out), to, &progress))?
        }
        None => write(args, &asked, false, &mut io::stdout(), &progress)?,
    };
    let facts = json!({
        "pages": counts.pages,
        "verdicts": counts.verdicts,
        "unknown": counts.unknown,
        "n_unknown": counts.unknown.values().sum::<u64>(),
    });
    print_message(rendered(SUMMARY, facts).trim_end());
    Ok(())
}

fn write(
    args: &AsOfArgs,
    asked: &AsOf,
    to_parquet: bool,
    to: &mut (dyn Write + Send),
    progress: &Progress,
) -> anyhow::Result<AsOfCounts> {
    let pages = args.pages.as_path();
    let mut from: Box<dyn BufRead>;
    let source = if is_parquet(pages) {
        PageSource::Parquet(pages)
    } else {
        let file = open_plain(pages);
        let file = file.with_context(|| format!("{}: cannot open", pages.display()))?;
        from = maybe_gzip(file, pages)?;
        PageSource::Csv(&mut *from)
    };
    let mut output = if to_parquet {
        AsOfOutput::parquet(to)?
    } else {
        AsOfOutput::csv(to)
    };
    let counts = answer(&args.data, asked, (source, pages), &mut output, progress)?;
    output.finish()?;
    Ok(counts)
}
