//! The DuckDB of this machine, as a child.
//!
//! Enters: a script and how rows shall be written. Leaves: rows on standard output or as text, or
//! one sentence. Linking an engine would cost every build half an hour and every binary 50 MB; who
//! reads Parquet has one.

use std::{
    env,
    io::{self, IsTerminal, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use anyhow::{Context, anyhow, bail};

use super::{
    args::RowFormat,
    escape::{Escaped, Style},
};

/// The capacity of a pipe of Linux; more cannot be read at once.
const COPIED_BYTES: usize = 64 * 1024;

/// The variable that names the executable.
const VARIABLE: &str = "ROBOCENSUS_DUCKDB";

/// Where `make` puts the client of PyPI, seen from the folder of a program that cargo built.
const IN_BUILD_TREE: &str = "../duckdb/duckdb_cli";

/// Runs a script; rows go to standard output as they come, without what a terminal may obey.
pub fn run(script: &str, format: RowFormat) -> anyhow::Result<()> {
    let output = io::stdout().lock();
    let style = match format {
        RowFormat::Json => Style::Json,
        // For other programs, but a terminal is none of them.
        RowFormat::Csv if !output.is_terminal() => return talk(script, format, &mut { output }),
        RowFormat::Csv | RowFormat::Table | RowFormat::Markdown => Style::Text,
    };
    let mut output = Escaped::new(output, style);
    talk(script, format, &mut output)?;
    Ok(output.finish()?)
}

/// Runs a script and returns what it writes: rows as JSON, a row a line.
pub fn ask(script: &str) -> anyhow::Result<String> {
    let mut written = Vec::new();
    talk(script, RowFormat::Json, &mut written)?;
    String::from_utf8(written).context("DuckDB: expected UTF-8")
}

/// Runs a script and copies what it writes.
///
/// DuckDB always writes into a pipe. On a terminal of its own it asks for the color of the
/// background (OSC 11) and waits 5 seconds for the answer, which terminals of build servers and
/// editors never give; tables are drawn the same (`-box` knows no width).
fn talk(script: &str, format: RowFormat, output: &mut impl Write) -> anyhow::Result<()> {
    let duckdb = executable()?;
    let mut child = Command::new(&duckdb)
        .args(["-no-init", "-batch", "-bail"])
        .args(match format {
            RowFormat::Table => &["-box"][..],
            RowFormat::Csv => &["-csv", "-nullvalue", ""],
            RowFormat::Json => &["-json"],
            RowFormat::Markdown => &["-markdown"],
        })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{}: cannot run DuckDB", duckdb.display()))?;
    let mut input = child.stdin.take().expect("standard input is a pipe");
    let mut errors = child.stderr.take().expect("standard error is a pipe");
    let mut rows = child.stdout.take().expect("standard output is a pipe");
    let mut said = String::new();
    let copied = thread::scope(|scope| {
        // A script that is wrong is not read to its end; what DuckDB says of it is better than that
        // the pipe broke.
        scope.spawn(move || input.write_all(script.as_bytes()));
        // Each pipe is emptied while the other fills; a full one would stop DuckDB for ever.
        let errors = scope.spawn(|| errors.read_to_string(&mut said));
        let copied = copy(&mut rows, output);
        if copied.is_err() {
            // Nobody reads the rest. That DuckDB cannot be stopped means that it has ended.
            let _ = child.kill();
        }
        drop(rows);
        errors
            .join()
            .expect("reading a pipe does not panic")
            .context("cannot read what DuckDB says")?;
        anyhow::Ok(copied)
    })?;
    let status = child.wait().context("cannot wait for DuckDB")?;
    copied?;
    let said = said.trim();
    if status.success() && said.is_empty() {
        return Ok(());
    }
    bail!("DuckDB: {}", in_one_line(said))
}

/// Copies rows as they come, also those of a statement that has not ended.
fn copy(rows: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; COPIED_BYTES];
    loop {
        match rows.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => output
                .write_all(&buffer[..n])
                .and_then(|()| output.flush())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns what DuckDB said as one line, without the picture of the place, which the line's text
/// makes clear enough.
fn in_one_line(said: &str) -> String {
    let picture = |line: &&str| !line.trim_start().starts_with('^');
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.filter(picture).collect::<Vec<_>>().join("; ")
}

/// Returns the executable: the one that the variable names, the first of the path, or that of the
/// build tree.
fn executable() -> anyhow::Result<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return match named.is_file() {
            true => Ok(named),
            false => Err(anyhow!("{VARIABLE}: {}: no such file", named.display())),
        };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let program = env::current_exe().unwrap_or_default();
    let beside = program
        .parent()
        .unwrap_or(Path::new(""))
        .join(IN_BUILD_TREE);
    let name = format!("duckdb{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path)
        .chain([beside])
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
        .ok_or_else(|| {
            anyhow!(
                "no duckdb on the PATH; install DuckDB (duckdb.org, or pip install duckdb-cli), or name its executable in {VARIABLE}"
            )
        })
}

#[cfg(test)]
mod tests {
    use super::in_one_line;

    #[test]
    fn what_duckdb_says_becomes_one_line() {
        let said = "Binder Error: Referenced column \"x\" not found\n\nLINE 1: SELECT x\n               ^\n";
        assert_eq!(
            in_one_line(said),
            "Binder Error: Referenced column \"x\" not found; LINE 1: SELECT x"
        );
    }
}
