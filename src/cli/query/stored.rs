//! The queries of `queries/`, compiled into the program so that it needs no files next to it.

use super::variables::Variable;

/// The views that every query reads.
pub const VIEWS: &str = include_str!("../../../queries/views.sql");
/// The views over the pages of a dataset, which has them if its run read pages.
pub const PAGE_VIEWS: &str = include_str!("../../../queries/page-views.sql");

/// A query of `queries/`.
#[derive(Clone, Copy, Debug)]
pub struct StoredQuery {
    /// The name of its file, without `.sql`.
    pub name: &'static str,
    /// The file.
    pub sql: &'static str,
}

macro_rules! stored_queries {
    ($($name:literal),* $(,)?) => {
        &[$(StoredQuery { name: $name, sql: include_str!(concat!("../../../queries/", $name, ".sql")) }),*]
    };
}

/// All stored queries, by name.
pub const STORED_QUERIES: &[StoredQuery] = stored_queries![
    "compare-agents-by-crawl",
    "compare-agents-by-top-level-domain",
    "compare-agents-named-together",
    "compare-ai-with-search",
    "compare-bias-by-agent",
    "compare-changes-by-crawl",
    "compare-definitions-of-blocking",
    "compare-hosts-by-crawl",
    "compare-quantiles-of-files",
    "compare-rank-strata",
    "compare-rank-strata-across-crawls",
    "compare-restriction-across-crawls",
    "compare-restriction-by-agent",
    "compare-restriction-by-attribute",
    "compare-robots-and-pages",
    "compare-same-domains-across-crawls",
    "compare-survival-of-restriction",
    "compare-tokens-with-crawlers",
    "compare-top-ranked-domains",
    "count-ai-reservations-by-tld",
    "count-captures-by-status",
    "count-changes",
    "count-cohort-by-crawl",
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
    "count-nofollow-links",
    "count-pages-by-directive",
    "count-pages-shut-out",
    "count-redirects-by-outcome",
    "count-rules-that-decide",
    "count-sitemaps",
    "list-contradictions-of-header-and-element",
    "list-coverage",
    "list-coverage-of-pages",
    "list-deciding-lines",
    "list-disagreements-of-dialects",
    "list-domains-that-disagree",
    "list-host-annotations",
    "list-hosts-blocked-by-status",
    "list-hosts-blocking-gptbot-but-not-googlebot",
    "list-hosts-contradicting-their-signals",
    "list-hosts-inviting-ai-agents",
    "list-hosts-naming-gptbot-but-not-claudebot",
    "list-hosts-reserving-rights",
    "list-hosts-that-changed",
    "list-hosts-that-reversed",
    "list-hosts-with-cloudflare-managed-content",
    "list-hosts-with-unread-noindex",
    "list-hosts-without-robots-txt",
    "list-inputs",
    "list-provenance",
    "rank-agents-by-crawl-delay",
    "rank-agents-by-domains",
    "rank-agents-by-first-naming",
    "rank-agents-let-in-where-all-are-shut-out",
    "rank-changes-by-domains",
    "rank-directives-by-domains",
    "rank-domains-by-blocking-hosts",
    "rank-errors-by-domains",
    "rank-files-by-domains",
    "rank-large-top-level-domains",
    "rank-misspelt-fields",
    "rank-near-misses-of-agents",
    "rank-paths-by-domains",
    "rank-sensitive-paths-by-domains",
    "rank-templates-by-domains",
    "rank-top-level-domains-by-blocking",
    "rank-unknown-page-directives",
];

impl StoredQuery {
    /// Returns the query of a name, with or without the `.sql` of its file.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".sql").unwrap_or(name);
        STORED_QUERIES
            .iter()
            .find(|query| query.name == name)
            .copied()
    }

    /// Returns the variables that the query declares in the comment at the top of its file, such as
    /// `-- Variables: agent (GPTBot), crawl`.
    pub fn variables(&self) -> Vec<Variable> {
        let mut lines = self.sql.lines();
        let line = lines.find_map(|line| line.strip_prefix("-- Variables: "));
        let words = line.into_iter().flat_map(|line| line.split(", "));
        words
            .map(|word| match word.split_once(" (") {
                Some((name, default)) => (name, default.strip_suffix(')')),
                None => (word, None),
            })
            .collect()
    }

    /// Returns the question that the query answers, from the comment at the top of its file.
    pub fn in_words(&self) -> String {
        comment(self.sql)
    }
}

/// Returns the comment at the beginning of SQL, up to the tables or the chart that it names.
pub fn comment(sql: &str) -> String {
    let comments = sql
        .trim_start()
        .lines()
        .map_while(|line| line.strip_prefix("--"));
    let is_more = |line: &&str| !line.starts_with(" Tables:") && !line.starts_with(" Chart:");
    let question = comments.take_while(is_more);
    let words = question.flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{
        super::views::{Views, variables_read_by},
        *,
    };

    #[test]
    fn queries_are_sorted_and_found_by_name_or_file() {
        assert!(STORED_QUERIES.is_sorted_by(|a, b| a.name < b.name));
        for query in STORED_QUERIES {
            let file = format!("{}.sql", query.name);
            let found = [StoredQuery::named(query.name), StoredQuery::named(&file)];
            assert!(found.iter().flatten().all(|found| found.name == query.name));
            assert_eq!(found.iter().flatten().count(), 2);
        }
        assert!(StoredQuery::named("count").is_none());
    }

    /// A variable that is set but not declared would be refused, and one that is declared but not
    /// read would change nothing.
    #[test]
    fn every_query_declares_the_variables_that_it_and_its_views_read() {
        let views = Views::new(&[VIEWS, PAGE_VIEWS]);
        for query in STORED_QUERIES {
            let declared = query.variables();
            let own = variables_read_by(query.sql);
            let mut read = views.variables_of(&views.read_by(query.sql));
            read.extend(&own);
            let names: BTreeSet<_> = declared.iter().map(|(name, _)| *name).collect();
            // The views of one dataset are made of those of two.
            let ours = |name: &&&str| !["before", "data"].contains(*name);
            let [known, wanted] =
                [&names, &read].map(|all| all.iter().filter(ours).collect::<Vec<_>>());
            assert_eq!(known, wanted, "{}", query.name);
            assert!(
                !own.contains("before") || names.contains("before"),
                "{}",
                query.name
            );
            for (name, default) in declared {
                let stated = format!(
                    "coalesce(getvariable('{name}'), '{}')",
                    default.unwrap_or_default()
                );
                assert_eq!(
                    query.sql.contains(&stated),
                    default.is_some(),
                    "{}: {name}",
                    query.name
                );
            }
        }
    }

    #[test]
    fn every_query_states_a_question() {
        for query in STORED_QUERIES {
            let words = query.in_words();
            assert!(words.ends_with('?'), "{}: {words}", query.name);
            assert!(words.starts_with(char::is_uppercase), "{words}");
            assert!(!words.contains("--"), "{words}");
        }
    }
}
