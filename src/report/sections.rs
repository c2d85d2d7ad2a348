//! The sections of the page: the heading of each, its query, and what its figures say in words.
//!
//! The drawing of a section is that of the header of its query. Nothing is counted here that the
//! query could count: the table below a chart has the rows it is drawn from.

use super::{
    PageQuery, captions,
    chart::Totals,
    result::{MissingColumn, ResultSet},
    words,
};

macro_rules! query {
    ($name:literal) => {
        PageQuery {
            name: $name,
            sql: include_str!(concat!("../../queries/", $name, ".sql")),
            agent: None,
        }
    };
}

/// The query for the provenance of the dataset.
pub const PROVENANCE: PageQuery = query!("list-provenance");
/// The query for what was read and what is missing.
pub const COVERAGE: PageQuery = query!("list-coverage");
/// The query for the same of a dataset with pages.
pub const COVERAGE_OF_PAGES: PageQuery = query!("list-coverage-of-pages");

/// What a section is made of.
#[derive(Debug)]
pub struct Section {
    /// Its identifier.
    pub id: &'static str,
    /// Its heading.
    pub heading: &'static str,
    /// The query for its figures.
    pub query: PageQuery,
    /// The chart of its figures where that of the query is drawn by another section.
    pub chart: Option<&'static str>,
    /// Returns sentences on the figures; empty where the query has no row.
    pub caption: fn(&ResultSet, &DatasetTotals) -> Result<String, MissingColumn>,
}

/// Counts and names of the dataset that several captions use.
#[derive(Debug, Default)]
pub struct DatasetTotals {
    /// Archives.
    pub archives: u64,
    /// Domains and hosts.
    pub of: Totals,
    /// Host names whose file is a page of HTML.
    pub hosts_html: u64,
    /// The reference dialect.
    pub reference_dialect: String,
    /// The dialect that is compared with the reference; empty where there is none.
    pub candidate_dialect: String,
    /// A sentence on how to compare other dialects, after a blank; empty where there are none.
    pub on_other_dialects: String,
    /// Agents of the matrix that no user-agent line can name under the reference dialect.
    pub unnameable: Vec<String>,
}

impl DatasetTotals {
    /// Returns a sentence on the agents of a chart that no line can name; empty where there is
    /// none.
    pub fn on_unnameable(&self, agents: &[&str]) -> String {
        let mut charted = Vec::new();
        for agent in &self.unnameable {
            if agents.contains(&agent.as_str()) {
                charted.push(words::plain(agent));
            }
        }
        charted.sort();
        charted.dedup();
        if charted.is_empty() {
            return String::new();
        }
        format!(
            " Under {} no user-agent line can name {}: these figures are those of the group of *, and another dialect may give others.",
            self.reference_dialect,
            charted.join(", ")
        )
    }
}

/// The section whose figures open the page.
pub const HEADLINE: &str = "domains";
/// The section of the agent that opens the page.
pub const YEARS: &str = "years";
/// The section of findings, each of which has a sentence.
pub const ERRORS: &str = "errors";
/// The section that needs a run with several dialects.
pub const DIALECTS: &str = "dialects";

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

/// Returns the sections for a dataset, in their order.
pub fn sections(has_pages: bool) -> impl Iterator<Item = &'static Section> {
    let of_pages: &[Section] = if has_pages { &OF_PAGES } else { &[] };
    OF_ROBOTS.iter().chain(of_pages)
}

const fn section(
    id: &'static str,
    heading: &'static str,
    query: PageQuery,
    caption: fn(&ResultSet, &DatasetTotals) -> Result<String, MissingColumn>,
) -> Section {
    Section {
        id,
        heading,
        query,
        chart: None,
        caption,
    }
}

/// The sections of every dataset.
const OF_ROBOTS: [Section; 16] = [
    section(
        HEADLINE,
        "Which agents are shut out, by registered domain and by host?",
        query!("compare-restriction-by-agent"),
        captions::by_domain,
    ),
    section(
        YEARS,
        "How do the figures differ by crawl, or by year of the fetch?",
        PageQuery {
            agent: Some(LEADING_AGENT),
            ..query!("compare-hosts-by-year")
        },
        captions::by_year,
    ),
    section(
        "status",
        "What do hosts answer to the request for robots.txt?",
        query!("count-hosts-by-status"),
        captions::status,
    ),
    section(
        "redirects",
        "How many redirects precede a robots.txt?",
        query!("count-hosts-by-redirects"),
        captions::redirects,
    ),
    section(
        "sizes",
        "How large are the files, and how many exceed 500 KiB?",
        query!("count-hosts-by-power-of-two"),
        captions::sizes,
    ),
    Section {
        chart: Some(RESTRICTION),
        ..section(
            "restriction",
            "How far is each agent restricted, and is it by name?",
            query!("compare-restriction-by-agent"),
            captions::restriction,
        )
    },
    section(
        "ai-against-search",
        "Who shuts out AI agents and lets search engines in?",
        query!("compare-ai-with-search"),
        captions::ai_against_search,
    ),
    section(
        "named-together",
        "Which AI agents are named together?",
        query!("compare-agents-named-together"),
        captions::named_together,
    ),
    section(
        "top-level-domains",
        "Whom do sites shut out, by top-level domain?",
        query!("rank-large-top-level-domains"),
        captions::top_level_domains,
    ),
    section(
        "directives",
        "Which other fields are in the files?",
        query!("rank-directives-by-hosts"),
        captions::directives,
    ),
    section(
        "misspellings",
        "Which fields are misspelt, and how?",
        query!("rank-misspelt-fields"),
        captions::misspellings,
    ),
    section(
        ERRORS,
        "Which findings do the files have?",
        query!("rank-errors-by-hosts"),
        captions::errors,
    ),
    section(
        "templates",
        "Which systems and services wrote the files?",
        query!("rank-templates-by-hosts"),
        captions::templates,
    ),
    section(
        "terms",
        "Who states terms of use, and in which vocabulary?",
        query!("count-hosts-stating-terms"),
        captions::terms,
    ),
    section(
        "content-signals",
        "What do Content-Signal lines state?",
        query!("count-content-signals"),
        captions::content_signals,
    ),
    section(
        DIALECTS,
        "Where do dialects disagree?",
        query!("count-disagreements-of-dialects"),
        captions::disagreements,
    ),
];

/// The sections of a dataset with pages.
const OF_PAGES: [Section; 3] = [
    section(
        "page-directives",
        "What do pages state about themselves?",
        query!("count-pages-by-directive"),
        captions::page_directives,
    ),
    section(
        "robots-and-pages",
        "Which agents are shut out by pages, and which by robots.txt?",
        query!("compare-robots-and-pages"),
        captions::robots_and_pages,
    ),
    section(
        "links",
        "How many links are not to be followed?",
        query!("count-nofollow-links"),
        captions::links,
    ),
];
