//! The charts of the page: the heading of each, its query, and what its figures say.
//!
//! A chart turns the rows of its query into a caption, a denominator and a drawing. Nothing is
//! counted here that the query could count: the table below a chart has the rows it is drawn from.

mod access;
mod agents;
mod lines;
mod pages;
pub mod shares;

use maud::Markup;

use super::{
    PageQuery,
    result::{MissingColumn, ResultSet},
    words,
};

macro_rules! query {
    ($name:literal) => {
        PageQuery {
            name: $name,
            sql: include_str!(concat!("../../../queries/", $name, ".sql")),
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

/// What a chart is made of.
#[derive(Debug)]
pub struct ChartSpec {
    /// The identifier of its section.
    pub id: &'static str,
    /// The heading of its section.
    pub heading: &'static str,
    /// The query for its figures.
    pub query: PageQuery,
    /// Makes the chart.
    pub chart: fn(&ResultSet, &DatasetTotals) -> Result<Chart, MissingColumn>,
}

/// A chart and its text.
#[derive(Debug, Default)]
pub struct Chart {
    /// Sentences on the figures; empty where the query has no row.
    pub caption: String,
    /// What the shares are of, with its number.
    pub denominator: String,
    /// The hosts (or domains) that the chart is based on; with fewer than [`MIN_HOSTS`] it is not
    /// drawn.
    pub n_hosts: u64,
    /// Names in the chart with a sentence on each.
    pub glossary: Vec<(String, &'static str)>,
    /// The drawing; `None` where there is nothing to draw.
    pub drawing: Option<Markup>,
}

/// Hosts (or domains) that a chart needs: its shares are of so many at least, and where it ranks
/// what occurs, the first of the ranking occurs on so many. A share of fewer is hardly known at
/// all: of 15 in 29 the 95 % interval is from 34 % to 69 %. It is the size below which the
/// National Center for Health Statistics of the US publishes no proportion (Vital and Health
/// Statistics 2(175), 2017).
pub const MIN_HOSTS: u64 = 30;

/// Counts and names of the dataset that several charts use.
#[derive(Debug, Default)]
pub struct DatasetTotals {
    /// Archives.
    pub archives: u64,
    /// Host names.
    pub hosts: u64,
    /// Host names that have a robots.txt, redirects followed.
    pub hosts_read: u64,
    /// Those of them whose file is a page of HTML.
    pub hosts_html: u64,
    /// Registered domains.
    pub domains: u64,
    /// Registered domains that have a robots.txt, redirects followed.
    pub domains_read: u64,
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
    fn hosts_asked(&self) -> String {
        format!(
            "n = {} registered domains and {} hosts that were asked for a robots.txt",
            words::count(self.domains),
            words::count(self.hosts)
        )
    }

    fn hosts_whose_file_was_read(&self) -> String {
        format!(
            "n = {} registered domains and {} hosts that have a robots.txt, of {} that were asked",
            words::count(self.domains_read),
            words::count(self.hosts_read),
            words::count(self.hosts)
        )
    }

    /// Returns the label of an agent; it says so where no line can name the agent.
    fn agent(&self, name: &str) -> String {
        match name {
            "*" => "any other agent (*)".to_owned(),
            _ if self.is_unnameable(name) => format!("{name} (cannot be named)"),
            _ => name.to_owned(),
        }
    }

    fn is_unnameable(&self, name: &str) -> bool {
        self.unnameable.iter().any(|agent| agent == name)
    }

    /// Returns a sentence on the agents of a chart that no line can name; empty where there is
    /// none.
    fn on_unnameable<'a>(&self, agents: impl IntoIterator<Item = &'a str>) -> String {
        let charted = agents.into_iter().filter(|agent| self.is_unnameable(agent));
        let mut charted: Vec<_> = charted.map(words::plain).collect();
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

/// The chart whose figures open the page.
pub const HEADLINE: &str = "domains";

/// The chart of the agent that opens the page.
pub const YEARS: &str = "years";

/// The agent that opens the page: GPTBot where the matrix has it, else its first AI agent, else its
/// first.
const LEADING_AGENT: &str = "(SELECT agent FROM matrix_agents WHERE dialect = reference_dialect() \
    ORDER BY agent <> 'GPTBot', coalesce(agent_category, '') NOT LIKE 'ai-%', agent = '*', agent_index LIMIT 1)";

/// The charts of the page for a dataset, in their order.
pub fn charts(has_pages: bool) -> impl Iterator<Item = &'static ChartSpec> {
    let of_pages: &[ChartSpec] = if has_pages { &PAGE_CHARTS } else { &[] };
    CHARTS.iter().chain(of_pages)
}

/// The charts of every dataset.
const CHARTS: [ChartSpec; 16] = [
    ChartSpec {
        id: HEADLINE,
        heading: "Which agents are shut out, by registered domain and by host?",
        query: query!("compare-restriction-by-agent"),
        chart: shares::by_domain,
    },
    ChartSpec {
        id: YEARS,
        heading: "How do the figures differ by crawl, or by year of the fetch?",
        query: PageQuery {
            agent: Some(LEADING_AGENT),
            ..query!("compare-hosts-by-crawl")
        },
        chart: shares::by_year,
    },
    ChartSpec {
        id: "status",
        heading: "What do hosts answer to the request for robots.txt?",
        query: query!("count-hosts-by-status"),
        chart: access::status,
    },
    ChartSpec {
        id: "redirects",
        heading: "How many redirects precede a robots.txt?",
        query: query!("count-hosts-by-redirects"),
        chart: access::redirects,
    },
    ChartSpec {
        id: "sizes",
        heading: "How large are the files, and how many exceed 500 KiB?",
        query: query!("count-hosts-by-power-of-two"),
        chart: access::sizes,
    },
    ChartSpec {
        id: "restriction",
        heading: "How far is each agent restricted, and is it by name?",
        query: query!("compare-restriction-by-agent"),
        chart: agents::restriction,
    },
    ChartSpec {
        id: "ai-against-search",
        heading: "Who shuts out AI agents and lets search engines in?",
        query: query!("compare-ai-with-search"),
        chart: agents::ai_against_search,
    },
    ChartSpec {
        id: "named-together",
        heading: "Which AI agents are named together?",
        query: query!("compare-agents-named-together"),
        chart: agents::named_together,
    },
    ChartSpec {
        id: "top-level-domains",
        heading: "Whom do sites shut out, by top-level domain?",
        query: query!("rank-large-top-level-domains"),
        chart: shares::top_level_domains,
    },
    ChartSpec {
        id: "directives",
        heading: "Which other fields are in the files?",
        query: query!("rank-directives-by-hosts"),
        chart: lines::directives,
    },
    ChartSpec {
        id: "misspellings",
        heading: "Which fields are misspelt, and how?",
        query: query!("rank-misspelt-fields"),
        chart: lines::misspellings,
    },
    ChartSpec {
        id: "errors",
        heading: "Which findings do the files have?",
        query: query!("rank-errors-by-hosts"),
        chart: lines::errors,
    },
    ChartSpec {
        id: "templates",
        heading: "Which systems and services wrote the files?",
        query: query!("rank-templates-by-hosts"),
        chart: lines::templates,
    },
    ChartSpec {
        id: "terms",
        heading: "Who states terms of use, and in which vocabulary?",
        query: query!("count-hosts-stating-terms"),
        chart: lines::terms,
    },
    ChartSpec {
        id: "content-signals",
        heading: "What do Content-Signal lines state?",
        query: query!("count-content-signals"),
        chart: lines::content_signals,
    },
    ChartSpec {
        id: "dialects",
        heading: "Where do dialects disagree?",
        query: query!("count-disagreements-of-dialects"),
        chart: agents::disagreements,
    },
];

/// The charts of a dataset with pages.
const PAGE_CHARTS: [ChartSpec; 3] = [
    ChartSpec {
        id: "page-directives",
        heading: "What do pages state about themselves?",
        query: query!("count-pages-by-directive"),
        chart: pages::directives,
    },
    ChartSpec {
        id: "robots-and-pages",
        heading: "Which agents are shut out by pages, and which by robots.txt?",
        query: query!("compare-robots-and-pages"),
        chart: pages::robots_and_pages,
    },
    ChartSpec {
        id: "links",
        heading: "How many links are not to be followed?",
        query: query!("count-nofollow-links"),
        chart: pages::links,
    },
];

/// The chart that needs a run with several dialects.
pub const NEEDS_DIALECTS: &str = "dialects";
