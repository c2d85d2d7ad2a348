//! The agents of a run: a built-in list, or a file.

use crate::dialect::{Dialect, can_be_named};

/// One crawler of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixAgent {
    /// The crawler's product tokens, most specific first; the first is its name in the tables.
    pub chain: Vec<String>,
    /// What it crawls for, such as `ai-training`.
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
    ("Google-Extended", "ai-training"),
    ("Applebot-Extended", "ai-training"),
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

/// Reads agents from a text of lines.
///
/// A line is a token, or a comma-separated chain of tokens with the most specific first, and after
/// a tab, if wanted, a category. Lines that are empty or begin with `#` are ignored. If the
/// first line names columns (`token` or `agent`, `category`), the columns with those names are
/// read, in any order.
///
/// # Errors
///
/// One sentence with the line's number, 1 for the first: a line without a token, a line of a
/// robots.txt file, a token named twice, or no agent at all.
pub fn read_agents(text: &str) -> Result<Vec<MatrixAgent>, String> {
    let mut agents: Vec<MatrixAgent> = Vec::new();
    let (mut token_column, mut category_column) = (0, 1);
    let mut is_first = true;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        if std::mem::take(&mut is_first)
            && let Some(at) = cells
                .iter()
                .position(|cell| matches!(*cell, "token" | "agent"))
        {
            token_column = at;
            category_column = cells
                .iter()
                .position(|cell| *cell == "category")
                .unwrap_or(usize::MAX);
            continue;
        }
        let chain: Vec<String> = cells
            .get(token_column)
            .map_or("", |cell| cell)
            .split(',')
            .map(|token| token.trim().to_owned())
            .collect();
        if let Some(message) = directive(cells.get(token_column).copied().unwrap_or_default()) {
            return Err(format!("line {number}: {message}"));
        }
        if chain.iter().any(String::is_empty) {
            return Err(format!(
                "line {number}: expected a product token, but found an empty one"
            ));
        }
        if let Some(first) = agents.iter().find(|agent| agent.name() == chain[0]) {
            return Err(format!(
                "line {number}: the agent {} is in this list already",
                first.name()
            ));
        }
        agents.push(MatrixAgent {
            chain,
            category: cells
                .get(category_column)
                .filter(|cell| !cell.is_empty())
                .map(|cell| (*cell).to_owned()),
        });
    }
    if agents.is_empty() {
        return Err("expected at least one agent, but found none".to_owned());
    }
    Ok(agents)
}

/// Returns an error message for a cell that is a line of a robots.txt file, given instead of a
/// list.
fn directive(cell: &str) -> Option<String> {
    let (key, value) = cell.split_once(':')?;
    let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
    let instead = match key.as_str() {
        "user-agent" | "useragent" | "user agent" if !value.is_empty() => {
            format!("write just the token: {value}")
        }
        "user-agent" | "useragent" | "user agent" | "allow" | "disallow" | "sitemap" => {
            "write a token a line".to_owned()
        }
        _ => return None,
    };
    Some(format!(
        "expected a product token, but found {cell:?}, a line of a robots.txt file; {instead}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_may_have_chains_categories_and_comments() {
        let agents =
            read_agents("# mine\nGPTBot\tai-training\nGooglebot-News, Googlebot\n\n").unwrap();
        assert_eq!(agents[0].category.as_deref(), Some("ai-training"));
        assert_eq!(agents[1].chain, ["Googlebot-News", "Googlebot"]);
        assert_eq!(agents[1].category, None);
        assert_eq!(agents.len(), 2);
    }

    #[test]
    fn named_columns_are_found_in_any_order() {
        let agents =
            read_agents("operator\ttoken\tnote\tcategory\nOpenAI\tGPTBot\t\tai-training\n")
                .unwrap();
        assert_eq!(agents[0].name(), "GPTBot");
        assert_eq!(agents[0].category.as_deref(), Some("ai-training"));
    }

    #[test]
    fn what_is_no_list_of_agents_is_named_by_its_line() {
        assert!(
            read_agents("A\nB\nA\n")
                .unwrap_err()
                .starts_with("line 3: the agent A")
        );
        assert!(
            read_agents("A,,B\n")
                .unwrap_err()
                .starts_with("line 1: expected a product token")
        );
        assert!(
            read_agents("# nothing\n")
                .unwrap_err()
                .contains("found none")
        );
    }

    #[test]
    fn a_line_of_a_robots_txt_is_no_agent_and_the_token_in_it_is_named() {
        let says = |text| read_agents(text).unwrap_err();
        assert_eq!(
            says("# pasted\nUser-agent: GPTBot\nDisallow: /\n"),
            "line 2: expected a product token, but found \"User-agent: GPTBot\", a line of a robots.txt file; write just the token: GPTBot"
        );
        assert!(says("GPTBot\nuser-agent : CCBot\tai\n").ends_with("write just the token: CCBot"));
        assert!(says("Disallow: /\n").ends_with("write a token a line"));
        assert_eq!(read_agents("a:b\n").unwrap()[0].name(), "a:b");
    }

    #[test]
    fn the_built_in_agents_are_distinct() {
        let names: std::collections::HashSet<_> =
            DEFAULT_AGENTS.iter().map(|(token, _)| token).collect();
        assert_eq!(names.len(), DEFAULT_AGENTS.len());
    }
}
