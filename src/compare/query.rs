//! What is asked about one file, each query an agent and a URL, and the answer to a query.

use std::{fmt, sync::Arc};

use ahash::RandomState;
use hashbrown::{HashTable, hash_table::Entry};
use serde::{Deserialize, Serialize};

use crate::robots::dialect::{Basis, Decision, Verdict};

/// The queries about one file, in an order in which those of one agent are together.
///
/// A file is asked about few URLs for many agents, so each name of an agent and each URL is stored
/// once. Clones share them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Queries {
    names: Arc<Names>,
    /// The indexes of the agent and of the URL of each.
    pub(super) pairs: Arc<[(u32, u32)]>,
}

/// The distinct agents and URLs of queries.
#[derive(Debug, Serialize, Deserialize)]
struct Names {
    agents: Texts,
    urls: Texts,
}

/// Texts, end to end.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Texts {
    text: String,
    ends: Vec<usize>,
}

/// One distinct body and what is asked about it.
#[derive(Clone, Debug)]
pub struct FileQueries {
    /// The body of the robots.txt.
    pub body: Arc<[u8]>,
    /// What is asked.
    pub queries: Queries,
}

/// The answer of one side to one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellAnswer {
    /// The verdict; `None` where an external parser reports an error for the query.
    pub verdict: Option<Verdict>,
    /// What decided; `None` where it is not known.
    pub basis: Option<Basis>,
    /// The line that decided, from 1; 0 for none, `None` where it is not known.
    pub line: Option<u32>,
}

impl From<Decision> for CellAnswer {
    fn from(decision: Decision) -> CellAnswer {
        CellAnswer {
            verdict: Some(decision.verdict),
            basis: Some(decision.basis),
            line: Some(decision.rule_line.unwrap_or(0)),
        }
    }
}

impl fmt::Display for CellAnswer {
    /// Writes the verdict with its line, where that is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict.map_or("error", Verdict::as_str))?;
        match self.line {
            None => Ok(()),
            Some(0) => f.write_str(" by no line"),
            Some(line) => write!(f, " by line {line}"),
        }
    }
}

impl Queries {
    /// Returns the number of queries.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the agents and URLs, in the order of the queries.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the agent and the URL of the query of this index.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub(super) fn get(&self, index: usize) -> (&str, &str) {
        let (agent, url) = self.pairs[index];
        (self.agent(agent), self.url(url))
    }

    /// Returns the queries of these indexes.
    pub(super) fn subset(&self, indexes: impl IntoIterator<Item = usize>) -> Queries {
        let pairs = indexes.into_iter().map(|index| self.pairs[index]);
        Queries {
            names: Arc::clone(&self.names),
            pairs: pairs.collect(),
        }
    }

    /// Returns the queries of these indexes, with the names of these alone.
    pub(super) fn compact(&self, indexes: &[usize]) -> Queries {
        indexes.iter().map(|&index| self.get(index)).collect()
    }

    /// Returns the agent of this index.
    pub(super) fn agent(&self, index: u32) -> &str {
        self.names.agents.get(index)
    }

    /// Returns the URL of this index.
    pub(super) fn url(&self, index: u32) -> &str {
        self.names.urls.get(index)
    }

    /// Returns the distinct agents; those of a subset are among them.
    pub(super) fn agents(&self) -> impl Iterator<Item = &str> {
        (0..self.names.agents.ends.len() as u32).map(|index| self.agent(index))
    }

    /// Returns the distinct URLs; those of a subset are among them.
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        (0..self.n_urls() as u32).map(|index| self.url(index))
    }

    /// Returns the number of distinct URLs.
    pub(super) fn n_urls(&self) -> usize {
        self.names.urls.ends.len()
    }
}

impl Texts {
    pub(super) fn get(&self, index: u32) -> &str {
        let index = index as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }
}

impl Default for Queries {
    fn default() -> Queries {
        Queries::from_iter([])
    }
}

impl<'q> FromIterator<(&'q str, &'q str)> for Queries {
    fn from_iter<I: IntoIterator<Item = (&'q str, &'q str)>>(queries: I) -> Queries {
        let mut builder = QueriesBuilder::default();
        let pairs = queries.into_iter();
        let pairs =
            pairs.map(|(agent, url)| (builder.agents.index(agent), builder.urls.index(url)));
        let pairs: Vec<(u32, u32)> = pairs.collect();
        builder.finish(&pairs)
    }
}

/// Gives agents and URLs their indexes.
#[derive(Default)]
pub(super) struct QueriesBuilder {
    pub agents: Interner,
    pub urls: Interner,
}

impl QueriesBuilder {
    /// Returns the queries of these agents and URLs.
    pub fn finish(self, pairs: &[(u32, u32)]) -> Queries {
        Queries {
            names: Arc::new(Names {
                agents: self.agents.texts,
                urls: self.urls.texts,
            }),
            pairs: pairs.into(),
        }
    }
}

/// Distinct texts, found by their hashes.
#[derive(Default)]
pub(super) struct Interner {
    pub texts: Texts,
    indexes: HashTable<u32>,
    hasher: RandomState,
}

impl Interner {
    /// Returns the index of a text.
    pub(super) fn index(&mut self, text: &str) -> u32 {
        let (texts, hasher) = (&mut self.texts, &self.hasher);
        let entry = self.indexes.entry(
            hasher.hash_one(text),
            |&index| texts.get(index) == text,
            |&index| hasher.hash_one(texts.get(index)),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let index = texts.ends.len() as u32;
                entry.insert(index);
                texts.push(text);
                index
            }
        }
    }
}
