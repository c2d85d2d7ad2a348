//! The questions of `queries/`, part of the program so that it answers them wherever it is put.
//!
//! Leaves: names, SQL, and the question in the words of each file's header. What the SQL says is
//! for DuckDB to know.

/// The views that every question reads.
pub const VIEWS: &str = include_str!("../../queries/views.sql");

/// One question with its answer in SQL.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The name of its file, without `.sql`.
    pub name: &'static str,
    /// The file.
    pub sql: &'static str,
}

macro_rules! questions {
    ($($name:literal),* $(,)?) => {
        &[$(Question { name: $name, sql: include_str!(concat!("../../queries/", $name, ".sql")) }),*]
    };
}

/// All questions, by name.
pub const QUESTIONS: &[Question] = questions![
    "compare-agents-by-crawl",
    "compare-agents-by-top-level-domain",
    "compare-agents-named-together",
    "compare-ai-with-search",
    "compare-bias-by-agent",
    "compare-definitions-of-blocking",
    "compare-hosts-by-year",
    "compare-quantiles-of-files",
    "compare-rank-strata",
    "compare-restriction-across-crawls",
    "compare-restriction-by-agent",
    "compare-tokens-with-crawlers",
    "compare-top-ranked-domains",
    "count-captures-by-status",
    "count-changes",
    "count-content-signals",
    "count-content-usage",
    "count-crawl-delays",
    "count-dead-rules",
    "count-disagreements-of-dialects",
    "count-domains-by-agreement",
    "count-domains-by-presence",
    "count-features-of-patterns",
    "count-flips-between-dialects",
    "count-hosts-blocking-gptbot",
    "count-hosts-by-kind-of-file",
    "count-hosts-by-power-of-two",
    "count-hosts-by-purpose-of-ai",
    "count-hosts-by-redirects",
    "count-hosts-by-size-of-file",
    "count-hosts-by-status",
    "count-hosts-restricting-any-of",
    "count-hosts-stating-terms",
    "count-pages-excluded-when-fetched",
    "count-pages-shut-out",
    "count-redirects-by-outcome",
    "count-rules-that-decide",
    "count-sitemaps",
    "list-coverage",
    "list-deciding-lines",
    "list-disagreements-of-dialects",
    "list-domains-that-disagree",
    "list-hosts-blocked-by-status",
    "list-hosts-blocking-gptbot-but-not-googlebot",
    "list-hosts-contradicting-their-signals",
    "list-hosts-inviting-ai-agents",
    "list-hosts-naming-gptbot-but-not-claudebot",
    "list-hosts-reserving-rights",
    "list-hosts-that-changed",
    "list-hosts-with-cloudflare-managed-content",
    "list-inputs",
    "list-pages-excluded-when-fetched",
    "list-provenance",
    "rank-agents-by-crawl-delay",
    "rank-agents-by-hosts",
    "rank-agents-let-in-where-all-are-shut-out",
    "rank-directives-by-hosts",
    "rank-domains-by-blocking-hosts",
    "rank-errors-by-hosts",
    "rank-files-by-hosts",
    "rank-large-top-level-domains",
    "rank-misspelt-fields",
    "rank-near-misses-of-agents",
    "rank-paths-by-hosts",
    "rank-sensitive-paths-by-hosts",
    "rank-templates-by-hosts",
    "rank-top-level-domains-by-blocking",
];

impl Question {
    /// Returns the question of a name, with or without the `.sql` of its file.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".sql").unwrap_or(name);
        QUESTIONS
            .iter()
            .find(|question| question.name == name)
            .copied()
    }

    /// Returns the question in words, as the header of its file has it.
    pub fn in_words(&self) -> String {
        let comments = self.sql.lines().map_while(|line| line.strip_prefix("--"));
        let question = comments.take_while(|line| !line.starts_with(" Tables:"));
        let words = question.flat_map(str::split_whitespace);
        words.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_sorted_and_found_by_name_or_file() {
        assert!(QUESTIONS.is_sorted_by(|a, b| a.name < b.name));
        for question in QUESTIONS {
            let file = format!("{}.sql", question.name);
            let found = [Question::named(question.name), Question::named(&file)];
            assert!(
                found
                    .iter()
                    .flatten()
                    .all(|found| found.name == question.name)
            );
            assert_eq!(found.iter().flatten().count(), 2);
        }
        assert!(Question::named("count").is_none());
    }

    #[test]
    fn every_question_is_one_in_words() {
        for question in QUESTIONS {
            let words = question.in_words();
            assert!(words.ends_with('?'), "{}: {words}", question.name);
            assert!(words.starts_with(char::is_uppercase), "{words}");
            assert!(!words.contains("--"), "{words}");
        }
    }
}
