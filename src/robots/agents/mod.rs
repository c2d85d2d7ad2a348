//! The agents of a run, those that are built in, and how a user names one.

mod token;

pub use self::token::{NamedAgent, read_agent};
use crate::robots::dialect::{Dialect, can_be_named};

/// One crawler of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixAgent {
    /// The crawler's product tokens, most specific first; the first is its name in the tables.
    pub chain: Vec<String>,
    /// What it crawls for, such as `ai-training`, or [`CONTROL_TOKEN`].
    pub category: Option<String>,
}

impl MatrixAgent {
    /// Returns the name in the tables.
    pub fn name(&self) -> &str {
        &self.chain[0]
    }

    /// Returns whether any user-agent line gives the agent a group of its own under a dialect, and
    /// nothing for `*`, the agents that no line names.
    pub fn can_be_named(&self, dialect: &Dialect) -> Option<bool> {
        (self.name() != "*").then(|| can_be_named(dialect, &self.chain))
    }
}

/// The category of tokens that robots.txt files name and no crawler sends. They state what may be
/// done with what other crawlers fetch, such as training, so that they are no crawlers of AI.
pub(crate) const CONTROL_TOKEN: &str = "control-token";

/// The built-in agents: what most studies ask for, by the categories of the public crawler lists;
/// `*` is the wildcard group.
const DEFAULT_AGENTS: [(&str, &str); 24] = [
    ("*", "wildcard"),
    ("Googlebot", "search-engine"),
    ("bingbot", "search-engine"),
    ("Applebot", "search-engine"),
    ("YandexBot", "search-engine"),
    ("Baiduspider", "search-engine"),
    ("DuckDuckBot", "search-engine"),
    ("GPTBot", "ai-training"),
    ("ClaudeBot", "ai-training"),
    ("anthropic-ai", "ai-training"),
    ("Google-Extended", CONTROL_TOKEN),
    ("Applebot-Extended", CONTROL_TOKEN),
    ("meta-externalagent", "ai-training"),
    ("Bytespider", "ai-training"),
    ("OAI-SearchBot", "ai-search"),
    ("PerplexityBot", "ai-search"),
    ("Amazonbot", "ai-search"),
    ("ChatGPT-User", "ai-user-fetch"),
    ("Claude-User", "ai-user-fetch"),
    ("CCBot", "archiver"),
    ("ia_archiver", "archiver"),
    ("AhrefsBot", "seo"),
    ("SemrushBot", "seo"),
    ("MJ12bot", "seo"),
];

/// Returns the built-in agents.
pub fn default_agents() -> Vec<MatrixAgent> {
    DEFAULT_AGENTS
        .iter()
        .map(|&(token, category)| MatrixAgent {
            chain: vec![token.to_owned()],
            category: Some(category.to_owned()),
        })
        .collect()
}

/// Returns the names of the built-in agents.
pub(crate) fn built_in_tokens() -> impl Iterator<Item = &'static str> {
    DEFAULT_AGENTS.iter().map(|&(token, _)| token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_agents_are_distinct() {
        let names: std::collections::HashSet<_> =
            DEFAULT_AGENTS.iter().map(|(token, _)| token).collect();
        assert_eq!(names.len(), DEFAULT_AGENTS.len());
    }
}
