//! From flags to a [`Config`]: whatever is wrong with them is reported before an archive is opened.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use anyhow::{Context, anyhow, bail};
use robocensus::{
    Config, Error,
    archive::{
        cohort::{Cohort, Rows},
        index::{INDEX_COLUMNS, RecordIndex},
        input::read_maybe_gzip,
    },
    dataset::{
        run::{Limits, WrittenTables},
        sink::{OpenMode, PARQUET_MAGIC, rows_of_parquet},
    },
    robots::matrix::{MatrixAgent, read_agents, read_urls},
};

use super::{args::RunArgs, dialects, escape};

/// The longest list of agents, in bytes of text: some hundred thousand agents, each of which takes
/// some 750 bytes of a run.
pub const MOST_AGENTS: u64 = 4 * 1024 * 1024;
/// The longest list of anything else, in bytes of text or of Parquet.
pub const MOST_LIST: u64 = 256 * 1024 * 1024;

/// Notes on one list that are printed.
const MOST_NOTES: usize = 20;

/// Returns the configuration that the flags of `run` ask for.
pub fn config(args: &RunArgs) -> anyhow::Result<Config> {
    let out = args.out.clone().unwrap_or_default();
    let is_continued = args.resume || args.join || args.shard.is_some();
    // A dataset that is continued has options already; those that are given must be the same.
    let of_dataset = if args.overwrite || args.out.is_none() {
        None
    } else {
        Config::from_dataset(&out)?
    };
    let mut config = of_dataset.unwrap_or_else(|| Config::new(out));
    config.mode = if args.overwrite {
        OpenMode::Overwrite
    } else if args.resume {
        OpenMode::Resume
    } else if is_continued {
        OpenMode::Join
    } else {
        OpenMode::New
    };
    config.shard = args.shard;
    config.threads = args.threads.unwrap_or(config.threads);
    config.downloads = args.downloads;
    config.prefetch = args.prefetch.unwrap_or(config.prefetch);
    if let Some(path) = &args.agents {
        config.matrix.agents = agents(path, &read_text(path, MOST_AGENTS)?)?;
    }
    if let Some(path) = &args.urls {
        config.matrix.urls = read_urls(&read_text(path, MOST_LIST)?).map_err(at(path))?;
    }
    if let Some(path) = &args.cohort {
        config.cohort = Some(Arc::new(cohort(path)?));
    }
    if !args.dialects.is_empty() {
        let words = args.dialects.iter();
        let dialects = words.map(|word| dialects::dialect("--dialects", word));
        config.dialects = dialects.collect::<Result<_, _>>()?;
    }
    let mut seen = BTreeSet::new();
    let mut names = config.dialect_names().into_iter();
    if let Some(name) = names.find(|name| !seen.insert(name.clone())) {
        bail!("--dialects: {name} is named twice");
    }
    // Not taken from the dataset, so that whole archives do not pass for records of an index.
    config.by_index = args.records.is_some();
    config.pages |= args.pages;
    let on_tables = |error| anyhow!("--tables: {error}");
    if !args.tables.is_empty() {
        let names = args.tables.iter().map(String::as_str);
        config.tables = WrittenTables::of_names(names).map_err(on_tables)?;
    }
    config.tables.check(config.pages).map_err(on_tables)?;
    // The tables that are made of all parts are made once, after the last shard.
    config.finish = !args.no_finish && args.shard.is_none();
    config.redirect_window = args.redirect_window.unwrap_or(config.redirect_window);
    config.part_bytes = args.part_size.unwrap_or(config.part_bytes);
    if let Some(bytes) = args.max_body {
        set_max_body(&mut config.limits, bytes)?;
    }
    if let Some(bytes) = args.max_header {
        config.limits.header = as_usize("--max-header", bytes)?;
    }
    config.limits.member = args.max_member.unwrap_or(config.limits.member);
    Ok(config)
}

/// Returns what makes an error of what is wrong with the content of a file.
pub fn at(path: &Path) -> impl Fn(String) -> Error + '_ {
    move |message| Error::usage(format!("{}: {message}", path.display()))
}

/// Reads the agents of a list, and notes which are not as they are written.
pub fn agents(path: &Path, text: &str) -> Result<Vec<MatrixAgent>, Error> {
    let mut notes = Vec::new();
    let agents = read_agents(text, &mut |note| notes.push(note)).map_err(at(path))?;
    let name = path.display().to_string();
    escape::print_first(&name, &notes, MOST_NOTES, "lines like these");
    Ok(agents)
}

/// Reads the members of a cohort, and notes which are not as they are written.
fn cohort(path: &Path) -> Result<Cohort, Error> {
    of_rows(path, &[], "names like these", Cohort::new)
}

/// Reads an index of records, and notes which of its ranges are not read as they are written.
pub fn record_index(path: &Path) -> Result<RecordIndex, Error> {
    of_rows(path, &INDEX_COLUMNS, "ranges like these", RecordIndex::new)
}

/// Makes something of the rows of a user's CSV or Parquet file, and prints the notes on them;
/// `columns` are those that are needed, if they are known.
fn of_rows<T>(
    path: &Path,
    columns: &[&str],
    like_these: &str,
    new: impl FnOnce(Rows, &mut dyn FnMut(String)) -> Result<T, String>,
) -> Result<T, Error> {
    let bytes = read_maybe_gzip(path, MOST_LIST)?;
    let rows = if bytes.starts_with(PARQUET_MAGIC) {
        rows_of_parquet(bytes, columns).map_err(at(path))?
    } else {
        Rows::of_text(&text(path, bytes)?).map_err(at(path))?
    };
    let mut notes = Vec::new();
    let made = new(rows, &mut |note| notes.push(note)).map_err(at(path))?;
    let name = path.display().to_string();
    escape::print_first(&name, &notes, MOST_NOTES, like_these);
    Ok(made)
}

/// Reads a list of at most so many bytes.
pub fn read_text(path: &Path, most: u64) -> Result<String, Error> {
    text(path, read_maybe_gzip(path, most)?)
}

/// Reads a TOML file of the user by the function that knows its keys.
pub fn read_toml<T>(path: &Path, read: fn(&str) -> Result<T, String>) -> anyhow::Result<T> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}: cannot read"))?;
    read(&text).map_err(|error| anyhow!("{name}: {error}"))
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|e| {
        let offset = e.utf8_error().valid_up_to();
        at(path)(format!("offset {offset}: expected text in UTF-8"))
    })
}

/// Sets the longest body, which a block can hold.
pub fn set_max_body(limits: &mut Limits, bytes: u64) -> Result<(), Error> {
    limits.body = as_usize("--max-body", bytes)?;
    limits.block = limits.block.max(limits.body);
    Ok(())
}

/// Bodies are addressed by 32-bit offsets.
fn as_usize(flag: &str, bytes: u64) -> Result<usize, Error> {
    usize::try_from(bytes)
        .ok()
        .filter(|&n| n <= 1 << 30)
        .ok_or_else(|| {
            Error::usage(format!(
                "{flag}: expected at most 1G, but found {bytes} bytes"
            ))
        })
}
