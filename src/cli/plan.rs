//! What a run is about to do, in lines: for `--verbose` and `--print-plan`.

use robocensus::{
    Config,
    dataset::table::{PAGE_TABLES, TABLES, Table},
    robots::matrix::Matrix,
};

use serde_json::{Value, json};

use super::{progress::InputTotals, template::rendered};

/// The plan, a line for each decision.
const PLAN: &str = include_str!("templates/plan.txt.j2");
/// The lists of tables in it.
const WRITTEN: &str = "tables";
const BY_FINISH: &str = "written later, by robocensus finish";
const NOT_WRITTEN: &str = "not written";

/// Returns what a run with these options is about to do.
pub fn text(config: &Config, totals: &InputTotals, n_parts: usize) -> String {
    let Matrix { agents, urls } = &config.matrix;
    let (dialects, paths) = (config.dialect_names(), urls.paths().len());
    let lists = [WRITTEN, BY_FINISH, NOT_WRITTEN].map(|list| tables(config, list));
    let facts = json!({
        "inputs": totals.to_string(),
        "shard": config.shard.map(|shard| shard.to_string()),
        "choice": config.choice.as_ref().map(ToString::to_string),
        "cohort": config.cohort.as_ref().map(|cohort| cohort.len()),
        "out": config.out.display().to_string(),
        "n_parts": n_parts,
        "part_bytes": config.part_bytes,
        "threads": config.threads,
        "agents": agents.len(),
        "paths": paths,
        "absolute": urls.n_absolute(),
        "has_verdicts": config.tables.needs_answers(),
        "verdicts": agents.len() * paths * dialects.len(),
        "dialects": dialects,
        "lists": lists,
        "not_computed": not_computed(config),
    });
    rendered(PLAN, facts)
}

/// Returns a list of tables: those that the dataset will have after the run, those that it will
/// have only after another command, or those that it will not have.
fn tables(config: &Config, list: &str) -> Value {
    let is_of_run = |table: &&Table| config.pages || config.tables.includes(table.name, false);
    let of_pages = PAGE_TABLES.iter().filter(is_of_run);
    let list_of = |name: &str| match name {
        _ if !config.tables.includes(name, config.pages) => NOT_WRITTEN,
        "redirects" | "hosts" | "page_robots" if !config.finish => BY_FINISH,
        _ => WRITTEN,
    };
    let names = TABLES.iter().chain(of_pages).map(|table| table.name);
    let names: Vec<_> = names.filter(|name| list_of(name) == list).collect();
    json!({"name": list, "tables": names})
}

/// Returns what the run need not compute, since no table that is written has it.
fn not_computed(config: &Config) -> Vec<&'static str> {
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
    apply.map(|(_, clause)| clause).collect()
}
