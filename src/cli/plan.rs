//! What a run is about to do, in lines: for `--verbose`, and at length for `--print-plan`.

use indicatif::HumanBytes;
use robocensus::{
    Config,
    matrix::Matrix,
    pipeline::VerdictForm,
    table::{PAGE_TABLES, TABLES},
};

use super::progress::{InputTotals, counted};

/// Returns what a run with these options is about to do, a line for each decision.
pub fn decisions(config: &Config, totals: &InputTotals) -> String {
    format!(
        "{}output: {}, {} of archives for each part\n{}",
        inputs(config, totals),
        config.out.display(),
        HumanBytes(config.part_bytes),
        evaluation(config)
    )
}

/// Returns the same with the numbers of parts and threads, and with what the choice of tables
/// means.
pub fn text(config: &Config, totals: &InputTotals, n_parts: usize) -> String {
    let output = match config.out.as_os_str().is_empty() {
        true => String::new(),
        false => format!("output: {}\n", config.out.display()),
    };
    let (written, left_out) = tables(config);
    let left_out = match left_out.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    format!(
        "{}{output}parts: {n_parts}, {} of archives for each\nthreads: {} at most\n{}tables: {}\nnot written: {left_out}\nnot computed: {}\n",
        inputs(config, totals),
        HumanBytes(config.part_bytes),
        config.threads,
        evaluation(config),
        written.join(", "),
        not_computed(config),
    )
}

fn inputs(config: &Config, totals: &InputTotals) -> String {
    let choice = match &config.choice {
        Some(choice) => format!("; {choice}"),
        None => String::new(),
    };
    let shard = match config.shard {
        Some(shard) => format!(" in shard {shard}"),
        None => String::new(),
    };
    format!("inputs: {totals}{shard}{choice}\n")
}

fn evaluation(config: &Config) -> String {
    let Matrix { agents, urls } = &config.matrix;
    let dialects = config.dialect_names();
    let absolute = match urls.n_absolute() {
        0 => String::new(),
        n => format!(
            ", besides {} for their own origins",
            counted(n as u64, "absolute URL")
        ),
    };
    let form = match config.written_verdicts() {
        Some(VerdictForm::Rows) => "rows, one for each capture, dialect, agent and URL",
        Some(VerdictForm::Sets) => "sets, each distinct vector of a part once",
        None => "not written",
    };
    format!(
        "dialects: {} (reference: {})\nmatrix: {} x {} x {} = {} for each capture{absolute}\nverdicts: {form}\n",
        dialects.join(", "),
        dialects[0],
        counted(agents.len() as u64, "agent"),
        counted(urls.paths().len() as u64, "path"),
        counted(dialects.len() as u64, "dialect"),
        counted(
            (agents.len() * urls.paths().len() * dialects.len()) as u64,
            "verdict"
        ),
    )
}

/// Returns the names of the tables that the dataset will have, and of those left out.
fn tables(config: &Config) -> (Vec<&'static str>, Vec<&'static str>) {
    let of_pages = if config.pages { &PAGE_TABLES[..] } else { &[] };
    let names = TABLES.iter().chain(of_pages).map(|table| table.name);
    names.partition(|name| config.tables.contains(name))
}

/// Returns what the run need not compute, since no table that is written has it.
fn not_computed(config: &Config) -> String {
    let is_written = |table| config.tables.contains(table);
    let clauses = [
        (!config.needs_answers(), "verdicts"),
        (!is_written("policies"), "policies"),
        (
            !config.tables.needs_redirects(),
            "where redirects end, and which fetch counts of a host",
        ),
        (
            config.pages && !is_written("page_policies"),
            "what pages state for each agent",
        ),
        (
            config.pages && !is_written("page_robots"),
            "what robots.txt states about pages",
        ),
    ];
    let apply = clauses.into_iter().filter(|(applies, _)| *applies);
    let apply: Vec<_> = apply.map(|(_, clause)| clause).collect();
    match apply.as_slice() {
        [] => "nothing that a table has".to_owned(),
        clauses => clauses.join("; "),
    }
}
