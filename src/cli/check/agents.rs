//! The crawlers that `robocensus check` is asked about.

use std::{collections::BTreeSet, path::Path};

use anyhow::anyhow;
use robocensus::robots::agents::{
    CONTROL_TOKEN, MatrixAgent, NamedAgent, default_agents, read_agent,
};

use super::super::{
    args::CheckArgs,
    config::{self, MOST_AGENTS, read_text},
    escape,
    layout::nearest,
};

/// The name of all built-in agents.
const ALL: &str = "all";
/// Ends of names that are meant as files, whether or not there is such a file.
const FILE_ENDS: [&str; 4] = [".tsv", ".txt", ".csv", ".gz"];

/// Returns the crawlers of the command line; `*`, which no group names, where it has none.
pub fn agents(args: &CheckArgs) -> anyhow::Result<Vec<MatrixAgent>> {
    let agents = match (&args.evaluation.agent, &args.evaluation.agents) {
        (Some(name), _) => vec![named("--agent", name)?],
        (None, Some(list)) => listed(list)?,
        (None, None) => vec![named("--agent", "*")?],
    };
    let is_control = |agent: &&MatrixAgent| agent.category.as_deref() == Some(CONTROL_TOKEN);
    let tokens: Vec<_> = agents
        .iter()
        .filter(is_control)
        .map(MatrixAgent::name)
        .collect();
    if !tokens.is_empty() {
        escape::print_message(&format!(
            "{}: control tokens, which no crawler sends; they state what may be done with what other crawlers fetch",
            tokens.join(", ")
        ));
    }
    Ok(agents)
}

/// Returns the crawlers of a list: those of a file, or of words between commas.
fn listed(list: &str) -> anyhow::Result<Vec<MatrixAgent>> {
    let path = Path::new(list);
    let is_file = list.contains('/') || FILE_ENDS.iter().any(|end| list.ends_with(end));
    if is_file || path.is_file() {
        return Ok(config::agents(path, &read_text(path, MOST_AGENTS)?)?);
    }
    let mut agents: Vec<MatrixAgent> = Vec::new();
    let known = default_agents();
    for word in list.split(',').map(str::trim) {
        let categories = known.iter().filter_map(|agent| agent.category.as_deref());
        let begun: BTreeSet<_> = categories.filter(|name| name.starts_with(word)).collect();
        // Where it begins several, it ends at a hyphen, or it is as likely a token.
        let is_of = |agent: &&MatrixAgent| {
            let category = agent.category.as_deref().unwrap_or_default();
            let rest = category.strip_prefix(word);
            word == ALL
                || rest.is_some_and(|rest| {
                    rest.is_empty() || rest.starts_with('-') || begun.len() == 1
                })
        };
        let mut of_category: Vec<_> = known.iter().filter(is_of).cloned().collect();
        if of_category.is_empty() || word.is_empty() {
            of_category = vec![named("--agents", word)?];
            note_near_category(word);
        }
        for agent in of_category {
            if agents.iter().all(|other| other.name() != agent.name()) {
                agents.push(agent);
            }
        }
    }
    Ok(agents)
}

/// Notes that a word, which counts as a crawler's token, is nearly the name of a category or its
/// beginning: every row of it would be that of a crawler that no file names.
fn note_near_category(word: &str) {
    let agents = default_agents();
    if agents.iter().any(|agent| agent.name() == word) {
        return;
    }
    let categories = agents.iter().filter_map(|agent| agent.category.as_deref());
    let beginnings = categories.flat_map(|name| {
        let ends = name.match_indices('-').map(|(end, _)| end);
        ends.chain([name.len()]).map(move |end| &name[..end])
    });
    let names: Vec<_> = beginnings.chain([ALL]).collect();
    if let Some(name) = nearest(word, &names) {
        escape::print_message(&format!(
            "--agents: {word} is no category and counts as a crawler's token; did you mean {name}?"
        ));
    }
}

/// Returns a crawler by the name that an option gives it, and notes how that was understood.
pub fn named(option: &str, name: &str) -> anyhow::Result<MatrixAgent> {
    let NamedAgent { chain, notes } = read_agent(name).map_err(|message| {
        let hint = if name.contains(',') {
            "; --agents asks about each of several"
        } else {
            ""
        };
        anyhow!("{option}: {message}{hint}")
    })?;
    for note in notes {
        escape::print_message(&format!("{option}: {note}"));
    }
    let known = default_agents().into_iter();
    let mut known = known.filter(|agent| agent.name().eq_ignore_ascii_case(&chain[0]));
    Ok(MatrixAgent {
        category: known.next().and_then(|agent| agent.category),
        chain,
    })
}
