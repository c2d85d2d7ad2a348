//! Runs scripts in the `duckdb` executable of this machine.
//!
//! Linking DuckDB would add half an hour to every build and 50 MB to every binary, and those who
//! query Parquet have it installed.

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
    duckdb_s3,
    escape::{EscapeStyle, EscapingWriter},
};

/// The capacity of a pipe on Linux; more cannot be read at once.
const COPIED_BYTES: usize = 64 * 1024;

/// How DuckDB begins the message of a query that computes a column which the dataset lacks.
const ABSENT_COLUMN: &str = "Invalid Input Error: expected the column ";

/// The variable that names the executable.
const VARIABLE: &str = "ROBOCENSUS_DUCKDB";

/// The file by which DuckDB writes to its standard output.
pub const STANDARD_OUTPUT: &str = "/dev/stdout";

/// The folder of the client that `make` installs, relative to that of a program built by cargo.
const IN_BUILD_TREE: &str = "../duckdb/duckdb_cli";

/// Runs a script; rows go to standard output as they come, without control characters.
pub fn run(script: &str, format: RowFormat) -> anyhow::Result<()> {
    let output = io::stdout().lock();
    let style = match format {
        RowFormat::Json => EscapeStyle::Json,
        // Other programs get CSV unchanged.
        RowFormat::Csv if !output.is_terminal() => return execute(script, format, &mut { output }),
        RowFormat::Csv | RowFormat::Table | RowFormat::Markdown => EscapeStyle::Text,
        RowFormat::Parquet | RowFormat::VegaLite => unreachable!("no rows of text"),
    };
    let mut output = EscapingWriter::new(output, style);
    execute(script, format, &mut output)?;
    Ok(output.finish()?)
}

/// Runs a script whose last statement writes a file to [`STANDARD_OUTPUT`], and copies that
/// unchanged.
pub fn copy_file(script: &str) -> anyhow::Result<()> {
    execute(script, RowFormat::Json, &mut io::stdout().lock())
}

/// Runs a script and returns its rows as JSON, a row a line.
pub fn query_json(script: &str) -> anyhow::Result<String> {
    let mut written = Vec::new();
    execute(script, RowFormat::Json, &mut written)?;
    String::from_utf8(written).context("DuckDB: expected UTF-8")
}

/// Runs a script that continues after a statement that fails (`.bail off`), and returns its rows as
/// JSON, with the number of statements that failed because the dataset lacks a column.
///
/// # Errors
///
/// Any other failure of a statement, and a script in which none failed.
pub fn query_json_of_some(script: &str) -> anyhow::Result<(String, usize)> {
    let mut written = Vec::new();
    let messages = run_script(script, RowFormat::Json, &mut written)?.unwrap_or_default();
    let is_on_column = |line: &&str| line.contains(ABSENT_COLUMN);
    let (absent, others): (Vec<&str>, Vec<&str>) = messages.lines().partition(is_on_column);
    let others = others.join("\n");
    if absent.is_empty() || !others.trim().is_empty() {
        bail!("{}", in_one_line(&others));
    }
    let written = String::from_utf8(written).context("DuckDB: expected UTF-8")?;
    Ok((written, absent.len()))
}

/// Runs a script, copies its output, and fails with the message of DuckDB if there is one.
fn execute(script: &str, format: RowFormat, output: &mut impl Write) -> anyhow::Result<()> {
    match run_script(script, format, output)? {
        Some(message) => bail!("{}", in_one_line(&message)),
        None => Ok(()),
    }
}

/// Runs a script, copies its output, and returns the messages of DuckDB; `None` if all went well.
///
/// DuckDB always writes into a pipe. On a terminal it would ask for the background color (OSC 11)
/// and wait 5 seconds for the answer, which terminals of build servers and editors never give.
/// Tables look the same (`-box` does not depend on a width).
fn run_script(
    script: &str,
    format: RowFormat,
    output: &mut impl Write,
) -> anyhow::Result<Option<String>> {
    let duckdb = executable()?;
    let mut child = Command::new(&duckdb)
        .args(["-no-init", "-batch", "-bail"])
        .envs(duckdb_s3::variables())
        .args(match format {
            RowFormat::Table => &["-box"][..],
            RowFormat::Csv => &["-csv", "-nullvalue", ""],
            RowFormat::Json | RowFormat::Parquet | RowFormat::VegaLite => &["-json"],
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
    let mut message = String::new();
    let copied = thread::scope(|scope| {
        // DuckDB does not read an invalid script to its end; its message is better than that of the
        // broken pipe.
        scope.spawn(move || input.write_all(script.as_bytes()));
        // Both pipes are read at once; DuckDB would wait forever on a full one.
        let errors = scope.spawn(|| errors.read_to_string(&mut message));
        let copied = copy(&mut rows, output);
        if copied.is_err() {
            // Nothing reads the rest. A failure means that DuckDB has ended already.
            let _ = child.kill();
        }
        drop(rows);
        errors
            .join()
            .expect("reading a pipe does not panic")
            .context("cannot read the messages of DuckDB")?;
        anyhow::Ok(copied)
    })?;
    let status = child.wait().context("cannot wait for DuckDB")?;
    copied?;
    let is_silent = status.success() && message.trim().is_empty();
    Ok((!is_silent).then(|| message.trim().to_owned()))
}

/// Copies rows as they come, before the statement has ended.
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

/// Returns one line for a message of DuckDB, without the marker below the SQL.
fn in_one_line(message: &str) -> String {
    // What `error()` of a view or a query states needs no SQL next to it.
    if let Some((_, expected)) = message.split_once("Invalid Input Error: expected ") {
        return format!("expected {}", expected.lines().next().unwrap_or_default());
    }
    if message.contains("httpfs.duckdb_extension") {
        return "DuckDB cannot load its extension httpfs, without which it does not read S3; duckdb -c 'INSTALL httpfs' installs it (robocensus help outputs)".to_owned();
    }
    let is_marker = |line: &str| line.trim_start().starts_with('^');
    let lines = message.lines().map(str::trim);
    let lines: Vec<_> = lines
        .filter(|line| !line.is_empty() && !is_marker(line))
        .collect();
    format!("DuckDB: {}", lines.join("; "))
}

/// Returns the executable: that of the variable, else the first on the PATH, else that of the build
/// tree.
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
    let in_build_tree = program
        .parent()
        .unwrap_or(Path::new(""))
        .join(IN_BUILD_TREE);
    let name = format!("duckdb{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path)
        .chain([in_build_tree])
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
    fn a_message_becomes_one_line() {
        let message = "Binder Error: Referenced column \"x\" not found\n\nLINE 1: SELECT x\n               ^\n";
        assert_eq!(
            in_one_line(message),
            "DuckDB: Binder Error: Referenced column \"x\" not found; LINE 1: SELECT x"
        );
    }

    #[test]
    fn what_a_query_expects_is_stated_without_its_sql() {
        let message =
            "Invalid Input Error: expected the variable pages\n\nLINE 13: FROM pages\n ^\n";
        assert_eq!(in_one_line(message), "expected the variable pages");
    }
}
