//! `robocensus man`: the help of the program and of each command as manual pages (man-pages(7)).

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::Context;
use clap_mangen::Man;

use super::{escape::line, help, output_file::OutputFile};

/// What the pages belong to.
const SOURCE: &str = concat!("robocensus ", env!("CARGO_PKG_VERSION"));

/// Writes the pages.
pub fn run(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot create the folder", folder.display()))?;
    let mut program = help::command();
    program.build();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    let n_pages = 1 + commands.len();
    for command in [program].into_iter().chain(commands) {
        let page = Man::new(command).source(SOURCE);
        let mut text = Vec::new();
        page.render(&mut text)?;
        let file = folder.join(page.get_filename());
        OutputFile::begin(&file, None, [])?.finish(|out| out.write_all(&text))?;
    }
    let folder = folder.display().to_string();
    writeln!(io::stdout(), "{}: {n_pages} pages", line(&folder))?;
    Ok(())
}
