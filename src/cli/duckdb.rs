//! Runs scripts in the `duckdb` executable of this machine.
//!
//! Linking DuckDB would add half an hour to every build and 50 MB to every binary, and those who
//! query Parquet have it installed.

use std::{
    env,
    fs::{self, File},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;
use tempfile::TempDir;

use super::duckdb_s3;

/// The variable that names the executable.
const VARIABLE: &str = "ROBOCENSUS_DUCKDB";

/// The file by which DuckDB writes to its standard output.
pub const STANDARD_OUTPUT: &str = "/dev/stdout";

/// The folder of the client that `make` installs, relative to that of a program built by cargo.
const IN_BUILD_TREE: &str = "../duckdb/duckdb_cli";

/// The beginning of the names of folders for what DuckDB spills, and the file in them that is
/// locked while they are in use.
const SPILL_PREFIX: &str = ".robocensus.duckdb.";
const SPILL_LOCK: &str = "lock";

/// The oldest version that the tests run, and the first of which they know nothing.
const OLDEST: Version = [1, 4, 4];
const UNKNOWN: Version = [1, 6, 0];
const SUPPORTED: &str = "DuckDB 1.4.4 to 1.5";
/// The version from which `.safe_mode` forbids changes of the configuration, and cells of Markdown
/// are escaped.
const LOCKING: Version = [1, 5, 0];

/// The table that holds all rows of a statement before the first one is written.
pub const ROWS: &str = "robocensus_rows";

/// The line before each of several results. A row of JSON begins with a bracket or a brace and has
/// no line terminator, so no row can look like it.
const MARK: &str = "= result";

/// The executable, once it was looked for.
static EXECUTABLE: OnceLock<Executable> = OnceLock::new();

struct Executable {
    path: PathBuf,
    version: Version,
}

/// A version of DuckDB.
type Version = [u32; 3];

/// Reads what `duckdb --version` prints, such as `v1.5.6 (Variegata) 069cc9f9b5`.
fn parse_version(text: &str) -> Option<Version> {
    let word = text.split_whitespace().next()?;
    let mut numbers = word.strip_prefix('v').unwrap_or(word).split(['.', '-']);
    let mut next = || numbers.next()?.parse().ok();
    Some([next()?, next()?, next()?])
}

/// Returns a folder of this user for what DuckDB spills, removed with all that is in it, and a file
/// in it that is locked until this process ends, however it ends.
///
/// By default DuckDB spills into `.tmp` of the current directory, and a run that is killed leaves
/// it there.
fn spill_folder() -> io::Result<(File, TempDir)> {
    remove_left_folders();
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let folder = builder.prefix(SPILL_PREFIX).tempdir()?;
    // Under its name it is locked from the first moment, or no other process would know that the
    // folder is in use. Where files cannot be locked, it never gets that name.
    let unlocked = folder.path().join("unlocked");
    let lock = File::create(&unlocked)?;
    if lock.lock().is_ok() {
        fs::rename(unlocked, folder.path().join(SPILL_LOCK))?;
    }
    Ok((lock, folder))
}

/// Removes the folders of processes that have ended without doing so, as in a crash of the machine.
/// What cannot be read or removed is not of this user, or is being removed by another process.
fn remove_left_folders() {
    let Ok(entries) = fs::read_dir(env::temp_dir()) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(SPILL_PREFIX)
            && let Ok(lock) = File::open(entry.path().join(SPILL_LOCK))
            && lock.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Starts a process that outlives this one and then ends DuckDB, which would compute on, and
/// removes its folder. It notices that its standard input ends, so that no way to end this process
/// is an exception. Without a shell there is none.
#[cfg(unix)]
fn guard(duckdb: &Child, folder: &str) -> Option<Child> {
    use std::os::unix::process::CommandExt;

    let script = "trap '' HUP INT TERM; read -r _; kill -9 \"$1\"; rm -rf -- \"$2\"";
    Command::new("/bin/sh")
        .args(["-c", script, "robocensus-guard"])
        .args([&duckdb.id().to_string(), folder])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C is not for it.
        .process_group(0)
        .spawn()
        .ok()
}

#[cfg(not(unix))]
fn guard(_: &Child, _: &str) -> Option<Child> {
    None
}

/// Runs a script and returns a file of all that it wrote, once the last statement has succeeded.
pub fn held(script: &str) -> anyhow::Result<File> {
    let mut held = unnamed_file()?;
    execute(script, &mut held)?;
    held.rewind().context("cannot read the rows")?;
    Ok(held)
}

fn unnamed_file() -> anyhow::Result<File> {
    tempfile::tempfile().with_context(|| {
        format!(
            "{}: cannot hold rows in this folder",
            env::temp_dir().display()
        )
    })
}

/// Returns the statement that makes a table of all rows of a question.
///
/// DuckDB 1.5 writes rows in CSV and JSON while it still computes, and if that fails, it ends with
/// exit code 0 and says nothing. What fails while a table is made says so.
pub fn table_of(question: &str) -> String {
    format!("CREATE OR REPLACE TEMP TABLE {ROWS} AS FROM (\n{question}\n);\n")
}

/// Returns statements for all rows of a question, as a result of its own.
pub fn whole(question: &str) -> String {
    let question = question.trim_end().trim_end_matches(';');
    result_of(&format!("{}FROM {ROWS};\n", table_of(question)))
}

/// Returns statements of which the rows are a result of their own.
pub fn result_of(statements: &str) -> String {
    format!(".print '{MARK}'\n{statements}")
}

/// Returns the statements after which DuckDB opens no file but these, runs no command of its shell
/// that would, and keeps its configuration. Patterns among the names are to be escaped.
pub fn confined(files: &[String]) -> anyhow::Result<String> {
    let names: Vec<_> = files.iter().map(|file| quoted(file)).collect();
    let lock = if executable()?.version >= LOCKING {
        ""
    } else {
        "SET lock_configuration = true;\n"
    };
    Ok(format!(
        "SET allowed_paths = [{}];\nSET enable_external_access = false;\n.safe_mode\n{lock}",
        names.join(", ")
    ))
}

/// Returns whether DuckDB escapes the sign | in cells of Markdown.
pub fn escapes_pipes() -> anyhow::Result<bool> {
    Ok(executable()?.version >= LOCKING)
}

/// Returns a text of SQL on one line, so that no line of it can be a command of DuckDB's shell.
pub fn quoted(text: &str) -> String {
    let mut quoted = format!("'{}'", text.replace('\'', "''"));
    for (char, code) in [('\n', 10), ('\r', 13)] {
        quoted = quoted.replace(char, &format!("' || chr({code}) || '"));
    }
    quoted
}

/// Runs a script and returns its rows as JSON, a row a line.
fn query_json(script: &str) -> anyhow::Result<String> {
    let mut written = Vec::new();
    execute(script, &mut written)?;
    String::from_utf8(written).context("DuckDB: expected UTF-8")
}

/// Runs a script and returns its results, each as JSON; one without rows may be empty.
pub fn results(script: &str) -> anyhow::Result<Vec<String>> {
    Ok(split_at_marks(&query_json(script)?))
}

fn split_at_marks(output: &str) -> Vec<String> {
    let mut results: Vec<String> = Vec::new();
    for line in output.lines() {
        match results.last_mut() {
            _ if line == MARK => results.push(String::new()),
            Some(result) => result.push_str(line),
            None => {}
        }
    }
    results
}

/// Runs a script and returns its rows; for none some versions of DuckDB print nothing.
pub fn rows(script: &str) -> anyhow::Result<Vec<Value>> {
    match query_json(script)?.trim() {
        "" => Ok(Vec::new()),
        text => serde_json::from_str(text).context("DuckDB: expected an array of rows"),
    }
}

/// Runs a script, copies its output, and fails with the message of DuckDB if there is one.
///
/// DuckDB always writes into a pipe. On a terminal it would ask for the background color (OSC 11)
/// and wait 5 seconds for the answer, which terminals of build servers and editors never give.
fn execute(script: &str, output: &mut impl Write) -> anyhow::Result<()> {
    let duckdb = &executable()?.path;
    let temporary = env::temp_dir();
    let (_lock, spilled) = spill_folder()
        .with_context(|| format!("{}: cannot create a folder in it", temporary.display()))?;
    let path = spilled.path().to_str().with_context(|| {
        format!(
            "{}: expected a temporary directory in UTF-8",
            temporary.display()
        )
    })?;
    let script = format!("SET temp_directory = {};\n{script}", quoted(path));
    let (mut input, mut errors) = (unnamed_file()?, unnamed_file()?);
    input.write_all(script.as_bytes())?;
    input.rewind()?;
    let mut child = Command::new(duckdb)
        // Not the start-up file of the user, by an option that every version has.
        .args(["-init", duckdb_s3::NOWHERE, "-batch", "-bail", "-json"])
        .envs(duckdb_s3::variables())
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(errors.try_clone()?)
        .spawn()
        .with_context(|| format!("{}: cannot run DuckDB", duckdb.display()))?;
    let guard = guard(&child, path);
    let mut rows = child.stdout.take().expect("standard output is a pipe");
    let copied = io::copy(&mut rows, output);
    if copied.is_err() {
        // Nothing reads the rest. A failure means that DuckDB has ended already.
        let _ = child.kill();
    }
    drop(rows);
    let status = child.wait();
    if let Some(mut guard) = guard {
        let _ = guard.kill();
        let _ = guard.wait();
    }
    let status = status.context("cannot wait for DuckDB")?;
    copied?;
    let mut message = String::new();
    let read = errors
        .rewind()
        .and_then(|()| errors.read_to_string(&mut message));
    read.context("cannot read the messages of DuckDB")?;
    if !status.success() || !message.trim().is_empty() {
        bail!("{}", in_one_line(message.trim()));
    }
    Ok(())
}

/// Returns one line for a message of DuckDB, without the marker below the SQL.
fn in_one_line(message: &str) -> String {
    // What `error()` of a view or a query states needs no SQL next to it.
    if let Some((_, expected)) = message.split_once("Invalid Input Error: expected ") {
        return format!("expected {}", expected.lines().next().unwrap_or_default());
    }
    let confined = ["Cannot access file \"", "Cannot access directory \""];
    let mut confined = confined
        .iter()
        .filter_map(|begin| message.split_once(begin));
    if let Some((_, rest)) = confined.next() {
        let (name, _) = rest.split_once("\" - file system").unwrap_or((rest, ""));
        return format!(
            "{}: a query reads the files of its dataset and those that --set names, and writes none; expected --set NAME=FILE, and getvariable('NAME') in the SQL",
            name.lines().next().unwrap_or_default()
        );
    }
    if message.contains("httpfs.duckdb_extension") {
        return "DuckDB cannot load its extension httpfs, without which it does not read S3; duckdb -c 'INSTALL httpfs' installs it (robocensus help spark-and-s3)".to_owned();
    }
    let is_marker = |line: &str| line.trim_start().starts_with('^');
    let lines = message.lines().map(str::trim);
    let lines: Vec<_> = lines
        .filter(|line| !line.is_empty() && !is_marker(line))
        .collect();
    format!("DuckDB: {}", lines.join("; "))
}

/// Returns the executable, of a version that is supported.
fn executable() -> anyhow::Result<&'static Executable> {
    if let Some(known) = EXECUTABLE.get() {
        return Ok(known);
    }
    let path = found()?;
    let ran = Command::new(&path)
        .args(["-init", duckdb_s3::NOWHERE, "--version"])
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{}: cannot run DuckDB", path.display()))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let said = said.lines().next().unwrap_or_default();
        bail!(
            "{}: DuckDB does not say its version: {} {said}",
            path.display(),
            ran.status
        );
    }
    let said = String::from_utf8_lossy(&ran.stdout);
    match parse_version(&said) {
        Some(version) if (OLDEST..UNKNOWN).contains(&version) => {
            Ok(EXECUTABLE.get_or_init(|| Executable { path, version }))
        }
        _ => bail!(
            "{}: expected {SUPPORTED}, but this is {:?}; pip install 'duckdb-cli>=1.4.4,<1.6' installs one, and {VARIABLE} names its executable",
            path.display(),
            said.lines().next().unwrap_or_default()
        ),
    }
}

/// Returns the path of the executable: that of the variable, else the first on the PATH, else that
/// of the build tree.
fn found() -> anyhow::Result<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        if !named.is_file() {
            bail!("{VARIABLE}: {}: no such file", named.display());
        }
        return Ok(named);
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
    use super::*;

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

    #[test]
    fn no_text_of_a_row_separates_results() {
        let output = "= result\n[{\"a\":\"= result\"},\n{\"a\":\"\\n= result\\n\"}]\n= result\n= result\n[]\n";
        let wanted = [
            "[{\"a\":\"= result\"},{\"a\":\"\\n= result\\n\"}]",
            "",
            "[]",
        ];
        assert_eq!(split_at_marks(output), wanted);
    }

    #[test]
    fn a_version_is_read_with_what_stands_behind_it() {
        assert_eq!(
            parse_version("v1.5.6 (Variegata) 069cc9f9b5\n"),
            Some([1, 5, 6])
        );
        assert_eq!(parse_version("v1.4.4-dev12 abc"), Some([1, 4, 4]));
        assert_eq!(parse_version("2.0.0"), Some([2, 0, 0]));
        for other in ["", "v1.5", "psql (PostgreSQL) 16.1"] {
            assert_eq!(parse_version(other), None, "{other}");
        }
    }

    #[test]
    fn a_text_has_no_line_of_its_own() {
        let text = quoted("it's\n.shell x\r.read y");
        assert_eq!(
            text,
            "'it''s' || chr(10) || '.shell x' || chr(13) || '.read y'"
        );
    }
}
