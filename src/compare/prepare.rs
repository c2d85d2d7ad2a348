//! The queries about each file, and the answers of dialects to them.

use std::{collections::BTreeMap, sync::Arc};

use rayon::prelude::*;

use super::{
    config::{CompareConfig, Probes},
    decider::DecisionBuffers,
    probe::{self, Coverage, ORIGIN, ProbeOptions},
    query::{CellAnswer, FileQueries, Queries},
    read::{Chunk, NewFile},
};
use crate::robots::{
    dialect::{Dialect, RuleSet},
    lines::{self, RobotsTxt},
};

/// A chunk whose files were asked about, except by external parsers.
pub(super) struct PreparedChunk {
    pub chunk: Chunk,
    /// One for each file that is taken.
    pub files: Vec<PreparedFile>,
}

/// A file and the queries about it, with the answers of dialects.
pub(super) struct PreparedFile {
    pub asked: FileQueries,
    pub coverage: Coverage,
    pub answers: [Option<Vec<CellAnswer>>; 2],
}

/// What all threads of the pass share.
pub(super) struct Pass<'p> {
    pub config: &'p CompareConfig,
    /// The dialects of the sides; `None` for an external parser.
    pub dialects: [Option<Dialect>; 2],
    probes: ProbeOptions,
    /// The queries of the matrix.
    matrix: Queries,
}

impl<'p> Pass<'p> {
    pub(super) fn new(config: &'p CompareConfig, dialects: [Option<Dialect>; 2]) -> Pass<'p> {
        let agents = config.matrix.agents.iter();
        // The protocol has one token for a crawler.
        let has_external = dialects.iter().any(Option::is_none);
        let agents: Vec<String> = agents
            .filter(|agent| agent.name() != "*" || !matches!(config.probes, Probes::Derived(_)))
            .map(|agent| {
                if has_external {
                    agent.name().to_owned()
                } else {
                    agent.chain.join(",")
                }
            })
            .collect();
        let has_chains = match &dialects {
            [Some(one), Some(other)] => one.agent_chain != other.agent_chain,
            _ => false,
        };
        let urls = urls_of_matrix(config, &[]);
        Pass {
            config,
            matrix: all_pairs(&agents, &urls),
            probes: ProbeOptions {
                max: match config.probes {
                    Probes::Derived(max) => max,
                    Probes::Matrix => 0,
                },
                agents,
                has_chains,
                has_external,
            },
            dialects,
        }
    }

    /// Derives queries and asks the dialects.
    pub(super) fn prepare(&self, chunk: Chunk) -> PreparedChunk {
        let files = chunk.files.par_iter();
        let files = files.map_init(Scratch::default, |scratch, file| {
            self.prepare_file(scratch, file)
        });
        let files = files.flatten().collect();
        PreparedChunk { chunk, files }
    }

    /// Returns nothing where the file is not taken.
    fn prepare_file(&self, scratch: &mut Scratch, file: &NewFile) -> Option<PreparedFile> {
        let body = file.body.as_ref()?;
        let (robots, rules) = (&mut scratch.robots, &mut scratch.rules);
        // An external parser may read lines as either of these.
        let readers = match &self.dialects {
            [Some(one), Some(other)] => [one, other],
            [Some(one), None] | [None, Some(one)] if one.name == Dialect::GOOGLE.name => {
                [one, &Dialect::PYTHON]
            }
            [Some(one), None] | [None, Some(one)] => [one, &Dialect::GOOGLE],
            [None, None] => [&Dialect::GOOGLE, &Dialect::PYTHON],
        };
        let has_dialect = self.dialects.iter().any(Option::is_some);
        if has_dialect || matches!(self.config.probes, Probes::Derived(_)) {
            lines::parse(body, robots);
            for (rules, dialect) in rules.iter_mut().zip(readers) {
                rules.compile(dialect, body, robots);
            }
        }
        let mut coverage = Coverage::default();
        let queries = match self.config.probes {
            Probes::Derived(_) => {
                let derived = probe::derive(body, &[&rules[0], &rules[1]], &self.probes);
                coverage = derived.coverage;
                derived.queries
            }
            Probes::Matrix if file.own_urls.is_empty() => self.matrix.clone(),
            Probes::Matrix => {
                let urls = urls_of_matrix(self.config, &file.own_urls);
                all_pairs(&self.probes.agents, &urls)
            }
        };
        let answers = [0, 1].map(|side: usize| {
            let dialect = self.dialects[side].as_ref()?;
            // The sides' own dialects are the readers, though perhaps in another order.
            let index = usize::from(readers[0] != dialect);
            let decisions = scratch.buffers.decide(&rules[index], dialect, &queries);
            Some(decisions.into_iter().map(CellAnswer::from).collect())
        });
        let body = Arc::clone(body);
        Some(PreparedFile {
            asked: FileQueries { body, queries },
            coverage,
            answers,
        })
    }

    /// Returns the weight of an agent and a URL.
    pub(super) fn weight(&self, agent: &str, url: &str) -> f64 {
        let weight =
            |weights: &BTreeMap<String, f64>, name: &str| weights.get(name).copied().unwrap_or(1.0);
        let path = url.strip_prefix(ORIGIN).unwrap_or(url);
        weight(&self.config.agent_weights, agent) * weight(&self.config.url_weights, path)
    }
}

/// The memory of one thread.
#[derive(Default)]
struct Scratch {
    robots: RobotsTxt,
    rules: [RuleSet; 2],
    buffers: DecisionBuffers,
}

/// Returns the URLs of the matrix, and those that only one origin is asked for.
fn urls_of_matrix(config: &CompareConfig, own: &[String]) -> Vec<String> {
    let paths = config.matrix.urls.paths();
    let urls = paths.iter().map(|path| format!("{ORIGIN}{path}"));
    urls.chain(own.iter().cloned()).collect()
}

fn all_pairs(agents: &[String], urls: &[String]) -> Queries {
    let agents = agents.iter().map(String::as_str);
    let pairs = agents.flat_map(|agent| urls.iter().map(move |url| (agent, url.as_str())));
    pairs.collect()
}
