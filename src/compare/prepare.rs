//! The queries about each file, and the answers of dialects to them.

use std::{collections::HashMap, sync::Arc};

use rayon::prelude::*;

use super::{
    config::{CompareConfig, Probes},
    decider::decide,
    probe::{self, ORIGIN, ProbeOptions},
    query::{FileQueries, Query},
    read::{Chunk, NewFile},
    side::{CellAnswer, cell_of},
};
use crate::{
    dialect::{Dialect, RuleSet, Selection},
    robots::{self, RobotsTxt},
};

/// A chunk whose files were asked about, except by external parsers.
pub(super) struct PreparedChunk {
    pub chunk: Chunk,
    /// One for each file that is taken.
    pub files: Vec<PreparedFile>,
}

/// The queries about one file with the answers of dialects.
pub(super) struct PreparedFile {
    pub queries: Arc<[Query]>,
    pub answers: [Option<Vec<CellAnswer>>; 2],
}

/// What all threads of the pass share.
pub(super) struct Pass<'p> {
    config: &'p CompareConfig,
    /// The dialects of the sides; `None` for an external parser.
    pub dialects: [Option<Dialect>; 2],
    probes: ProbeOptions,
    /// The queries of the matrix.
    matrix: Arc<[Query]>,
}

impl<'p> Pass<'p> {
    pub(super) fn new(config: &'p CompareConfig, dialects: [Option<Dialect>; 2]) -> Pass<'p> {
        let agents = config.matrix.agents.iter();
        // The protocol has one token for a crawler.
        let has_external = dialects.iter().any(Option::is_none);
        let agents: Vec<String> = agents
            .filter(|agent| agent.name() != "*" || !matches!(config.probes, Probes::Derived(_)))
            .map(|agent| match has_external {
                true => agent.name().to_owned(),
                false => agent.chain.join(","),
            })
            .collect();
        let has_chains = match &dialects {
            [Some(one), Some(other)] => one.agent_chain != other.agent_chain,
            _ => false,
        };
        let paths = config.matrix.urls.paths();
        let query = |agent: &String, path: &String| Query {
            agent: agent.clone(),
            url: format!("{ORIGIN}{path}"),
        };
        let matrix = agents
            .iter()
            .flat_map(|agent| paths.iter().map(move |path| query(agent, path)));
        Pass {
            config,
            matrix: matrix.collect(),
            probes: ProbeOptions {
                max: match config.probes {
                    Probes::Derived(max) => max,
                    Probes::Matrix => 0,
                },
                agents,
                has_chains,
            },
            dialects,
        }
    }

    /// Derives queries and asks the dialects.
    pub(super) fn prepare(&self, chunk: Chunk) -> PreparedChunk {
        let taken: Vec<&NewFile> = chunk
            .files
            .iter()
            .filter(|file| file.body.is_some())
            .collect();
        let files = taken
            .par_iter()
            .map_init(Scratch::default, |scratch, file| {
                self.prepare_file(scratch, file)
            })
            .collect();
        PreparedChunk { chunk, files }
    }

    fn prepare_file(&self, scratch: &mut Scratch, file: &NewFile) -> PreparedFile {
        let Scratch {
            robots,
            rules,
            selection,
        } = scratch;
        let body = file.body.as_deref().unwrap_or_default();
        robots::parse(body, robots);
        // An external parser may read lines as either of these.
        let readers = match &self.dialects {
            [Some(one), Some(other)] => [one, other],
            [Some(one), None] | [None, Some(one)] if one.name == Dialect::GOOGLE.name => {
                [one, &Dialect::PYTHON]
            }
            [Some(one), None] | [None, Some(one)] => [one, &Dialect::GOOGLE],
            [None, None] => [&Dialect::GOOGLE, &Dialect::PYTHON],
        };
        for (rules, dialect) in rules.iter_mut().zip(readers) {
            rules.compile(dialect, body, robots);
        }
        let queries: Arc<[Query]> = match self.config.probes {
            Probes::Derived(_) => probe::derive(body, &[&rules[0], &rules[1]], &self.probes).into(),
            Probes::Matrix if file.own_urls.is_empty() => Arc::clone(&self.matrix),
            Probes::Matrix => self.with_own_urls(&file.own_urls),
        };
        let answers = [0, 1].map(|side: usize| {
            let dialect = self.dialects[side].as_ref()?;
            // The sides' own dialects are the readers, though perhaps in another order.
            let index = usize::from(readers[0] != dialect);
            let decisions = decide(&rules[index], selection, dialect, &queries);
            Some(decisions.into_iter().map(cell_of).collect())
        });
        PreparedFile { queries, answers }
    }

    fn with_own_urls(&self, own: &[String]) -> Arc<[Query]> {
        let paths = self.config.matrix.urls.paths();
        let urls = paths.iter().map(|path| format!("{ORIGIN}{path}"));
        let urls: Vec<String> = urls.chain(own.iter().cloned()).collect();
        let of_agent = |agent: &String| {
            let agent = agent.clone();
            let query = move |url: &String| Query {
                agent: agent.clone(),
                url: url.clone(),
            };
            urls.iter().map(query).collect::<Vec<_>>()
        };
        self.probes.agents.iter().flat_map(of_agent).collect()
    }

    /// Returns the weight of an agent and a URL.
    pub(super) fn weight(&self, query: &Query) -> f64 {
        let weight =
            |weights: &HashMap<String, f64>, name: &str| weights.get(name).copied().unwrap_or(1.0);
        let path = query.url.strip_prefix(ORIGIN).unwrap_or(&query.url);
        weight(&self.config.agent_weights, &query.agent) * weight(&self.config.url_weights, path)
    }
}

/// The memory of one thread.
#[derive(Default)]
struct Scratch {
    robots: RobotsTxt,
    rules: [RuleSet; 2],
    selection: Selection,
}

impl PreparedChunk {
    pub(super) fn to_ask(&self) -> Vec<FileQueries> {
        let taken = self
            .chunk
            .files
            .iter()
            .filter_map(|file| file.body.as_ref());
        let files = taken.zip(&self.files);
        files
            .map(|(body, file)| FileQueries {
                body: Arc::clone(body),
                queries: Arc::clone(&file.queries),
            })
            .collect()
    }
}
