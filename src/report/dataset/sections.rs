//! The sections of the page: the heading of each and its query.
//!
//! The drawing of a section is that of the header of its query. Nothing is counted here that the
//! query could count: the table below a chart has the rows it is drawn from.

use super::{PageQuery, page_query};

/// The query for the provenance of the dataset.
pub const PROVENANCE: PageQuery = page_query!("../../../queries/", "list-provenance");
/// The query for what was read and what is missing.
pub const COVERAGE: PageQuery = page_query!("../../../queries/", "list-coverage");
/// The query for the same of a dataset with pages.
pub const COVERAGE_OF_PAGES: PageQuery = page_query!("../../../queries/", "list-coverage-of-pages");

/// What a section is made of.
#[derive(Debug)]
pub struct Section {
    /// Its identifier, by which its caption is found.
    pub id: &'static str,
    /// Its heading.
    pub heading: &'static str,
    /// The query for its figures.
    pub query: PageQuery,
    /// The chart of its figures where that of the query is drawn by another section.
    pub chart: Option<&'static str>,
}

/// The section whose figures open the page.
pub const HEADLINE: &str = "domains";
/// The section of the agent that opens the page.
pub const YEARS: &str = "years";
/// The section of findings, each of which has a sentence.
pub const ERRORS: &str = "errors";

/// The agent that opens the page: GPTBot where the matrix has it, else its first AI agent, else its
/// first.
const LEADING_AGENT: &str = "(SELECT agent FROM matrix_agents WHERE dialect = reference_dialect() \
    ORDER BY agent <> 'GPTBot', coalesce(agent_category, '') NOT LIKE 'ai-%', agent = '*', agent_index LIMIT 1)";

/// Whether a restriction is by name; the query itself draws domains and hosts.
const RESTRICTION: &str = "bars label=\"{agent}{can_be_named?: (cannot be named)}\" sorted \
    value=\"shut out: domains_full/domains_read\" \
    value=\"shut out by name: domains_full_named/domains_read\" \
    value=\"shut out partly, by name: domains_partial_named/domains_read\" \
    value=\"shut out partly, by the group of *: domains_partial_everybody/domains_read\" \
    of=\"registered domains that have a robots.txt\"";

/// Returns the sections for a dataset of so many crawls, in their order.
pub fn sections(crawls: u64, has_pages: bool) -> impl Iterator<Item = &'static Section> {
    let over_time: &[Section] = if crawls > 1 { &OVER_TIME } else { &[] };
    let of_pages: &[Section] = if has_pages { &OF_PAGES } else { &[] };
    over_time.iter().chain(&OF_ROBOTS).chain(of_pages)
}

/// A value that may be left out.
macro_rules! option {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

/// Sections: identifier and heading, then the query.
macro_rules! sections {
    ($($id:expr, $heading:literal => $query:literal $(, agent $agent:expr)? $(, chart $chart:expr)?;)*) => {
        [$(Section {
            id: $id,
            heading: $heading,
            query: PageQuery {
                agent: option!($($agent)?),
                ..page_query!("../../../queries/", $query)
            },
            chart: option!($($chart)?),
        }),*]
    };
}

/// The sections of a dataset with several crawls.
const OVER_TIME: [Section; 5] = sections! {
    "cohort", "How does the restriction of an agent develop on the same hosts?"
        => "compare-restriction-across-crawls", agent LEADING_AGENT;
    "gains", "Who began to name the agent, and who ceased to?"
        => "compare-same-domains-across-crawls", agent LEADING_AGENT;
    "first-naming", "When was each agent first named?"
        => "rank-agents-by-first-naming";
    "survival", "How long do domains shut the agent out?"
        => "compare-survival-of-restriction", agent LEADING_AGENT;
    "changes", "How often do files change, in bytes and in meaning?"
        => "compare-changes-by-crawl";
};

/// The sections of every dataset.
const OF_ROBOTS: [Section; 16] = sections! {
    HEADLINE, "Which agents are shut out, by registered domain and by host?"
        => "compare-restriction-by-agent";
    YEARS, "How do the figures differ by crawl, or by year of the fetch?"
        => "compare-hosts-by-crawl", agent LEADING_AGENT;
    "status", "What do hosts answer to the request for robots.txt?"
        => "count-hosts-by-status";
    "redirects", "How many redirects precede a robots.txt?"
        => "count-hosts-by-redirects";
    "sizes", "How large are the files, and how many exceed 500 KiB?"
        => "count-hosts-by-power-of-two";
    "restriction", "How far is each agent restricted, and is it by name?"
        => "compare-restriction-by-agent", chart RESTRICTION;
    "ai-against-search", "Who shuts out AI agents and lets search engines in?"
        => "compare-ai-with-search";
    "named-together", "Which AI agents are named together?"
        => "compare-agents-named-together";
    "top-level-domains", "Whom do sites shut out, by top-level domain?"
        => "rank-large-top-level-domains";
    "directives", "Which other fields are in the files?"
        => "rank-directives-by-domains";
    "misspellings", "Which fields are misspelt, and how?"
        => "rank-misspelt-fields";
    ERRORS, "Which findings do the files have?"
        => "rank-errors-by-domains";
    "templates", "Which systems and services wrote the files?"
        => "rank-templates-by-domains";
    "terms", "Who states terms of use, and in which vocabulary?"
        => "count-hosts-stating-terms";
    "content-signals", "What do Content-Signal lines state?"
        => "count-content-signals";
    "dialects", "Where do dialects disagree?"
        => "count-disagreements-of-dialects";
};

/// The sections of a dataset with pages.
const OF_PAGES: [Section; 3] = sections! {
    "page-directives", "What do pages state about themselves?"
        => "count-pages-by-directive";
    "robots-and-pages", "Which agents are shut out by pages, and which by robots.txt?"
        => "compare-robots-and-pages";
    "links", "How many links are not to be followed?"
        => "count-nofollow-links";
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_a_caption() {
        let captions = include_str!("../templates/captions.txt.j2");
        for section in sections(2, true) {
            let id = format!("\"{}\"", section.id);
            assert!(captions.contains(&id), "{id}");
        }
    }
}
