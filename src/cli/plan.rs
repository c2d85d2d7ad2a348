//! What a run is about to do, in lines: for `--verbose` and `--print-plan`.

use indicatif::HumanBytes;
use robocensus::{
    Config,
    dataset::table::{PAGE_TABLES, TABLES, Table},
    robots::matrix::Matrix,
};

use super::{layout::counted, progress::InputTotals};

/// The lists of tables in a plan.
const WRITTEN: &str = "tables";
const BY_FINISH: &str = "written later, by robocensus finish";
const NOT_WRITTEN: &str = "not written";

/// Returns what a run with these options is about to do, a line for each decision.
pub fn text(config: &Config, totals: &InputTotals, n_parts: usize) -> String {
    let output = if config.out.as_os_str().is_empty() {
        String::new()
    } else {
        format!("output: {}\n", config.out.display())
    };
    format!(
        "{}{output}parts: {n_parts}, {} of archives for each at most\nthreads: {} at most\n{}{}not computed: {}\n",
        inputs(config, totals),
        HumanBytes(config.part_bytes),
        config.threads,
        evaluation(config),
        tables(config),
        not_computed(config),
    )
}

fn inputs(config: &Config, totals: &InputTotals) -> String {
    let choice = config.choice.as_ref();
    let choice = choice.map(|choice| format!("; {choice}"));
    let shard = config.shard.map(|shard| format!(" in shard {shard}"));
    let (shard, choice) = (shard.unwrap_or_default(), choice.unwrap_or_default());
    let cohort = config.cohort.as_ref();
    let cohort =
        cohort.map(|cohort| format!("cohort: {}\n", counted(cohort.len() as u64, "member")));
    format!(
        "inputs: {totals}{shard}{choice}\n{}",
        cohort.unwrap_or_default()
    )
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
    let cells = if config.tables.needs_answers() {
        let n = agents.len() * urls.paths().len() * dialects.len();
        format!(" = {} for each capture", counted(n as u64, "verdict"))
    } else {
        String::new()
    };
    format!(
        "dialects: {} (reference: {})\nmatrix: {} x {} x {}{cells}{absolute}\n",
        dialects.join(", "),
        dialects[0],
        counted(agents.len() as u64, "agent"),
        counted(urls.paths().len() as u64, "path"),
        counted(dialects.len() as u64, "dialect"),
    )
}

/// Returns which tables the dataset will have after the run, which only after another command, and
/// which it will not have.
fn tables(config: &Config) -> String {
    let is_of_run = |table: &&Table| config.pages || config.tables.includes(table.name, false);
    let of_pages: Vec<_> = PAGE_TABLES.iter().filter(is_of_run).collect();
    let list_of = |name: &str| match name {
        _ if !config.tables.includes(name, config.pages) => NOT_WRITTEN,
        "redirects" | "hosts" | "page_robots" if !config.finish => BY_FINISH,
        _ => WRITTEN,
    };
    let lists = [WRITTEN, BY_FINISH, NOT_WRITTEN].map(|list| {
        let names = TABLES
            .iter()
            .chain(of_pages.iter().copied())
            .map(|table| table.name);
        let names: Vec<_> = names.filter(|name| list_of(name) == list).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!("{list}: {}\n", names.join(", ")),
        }
    });
    lists.concat()
}

/// Returns what the run need not compute, since no table that is written has it.
fn not_computed(config: &Config) -> String {
    let is_written = |table| config.tables.contains(table);
    let clauses = [
        (!config.tables.needs_answers(), "verdicts"),
        (!is_written("policy_sets"), "policies"),
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
