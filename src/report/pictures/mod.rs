//! The pictures of the page: the question of each, its query, and what its figures say.
//!
//! Enters: the rows of a query. Leaves: a sentence, a denominator and a chart. Nothing is counted
//! here that the query could count: the table below a picture holds the rows it is drawn from.

mod access;
mod agents;
mod lines;
pub mod shares;

use super::{
    answer::{Answer, MissingColumn},
    bars::Bars,
    canvas::Width,
    grid::Grid,
    sizes::Sizes,
    words,
};

/// A query of the page.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Its file below `queries/`, without `.sql`.
    pub name: &'static str,
    /// What stands in the file.
    pub sql: &'static str,
    /// The agent that it asks for, as an expression over the views, to be set as the variable
    /// `agent` for this query alone.
    pub agent: Option<&'static str>,
}

macro_rules! query {
    ($name:literal) => {
        Query {
            name: $name,
            sql: include_str!(concat!("../../../queries/", $name, ".sql")),
            agent: None,
        }
    };
}

/// What the dataset comes from.
pub const PROVENANCE: Query = query!("list-provenance");
/// What was read and what is missing.
pub const COVERAGE: Query = query!("list-coverage");

/// A picture.
#[derive(Debug)]
pub struct Picture {
    /// Its place on the page: the fragment of its address.
    pub id: &'static str,
    /// What it answers.
    pub question: &'static str,
    /// Where its figures come from.
    pub query: Query,
    /// Reads the figures.
    pub show: fn(&Answer, &Totals) -> Result<Shown, MissingColumn>,
}

/// What a picture shows.
#[derive(Debug)]
pub struct Shown {
    /// A sentence on the figures, with the figures.
    pub reading: String,
    /// What the shares are of, with its number.
    pub whole: String,
    /// The hosts (or domains) that the chart rests upon; with fewer than [`MIN_HOSTS`] it is left
    /// out.
    pub n_hosts: u64,
    /// Names of the chart with a sentence on each.
    pub notes: Vec<(String, &'static str)>,
    /// The chart; none where there is nothing to draw.
    pub chart: Option<Chart>,
}

/// Hosts (or domains) that a chart needs: its shares are of so many at least, and where it ranks
/// what occurs, the first of the ranking occurs on so many. A share of fewer is hardly known at
/// all: of 15 in 29 the 95 % interval goes from 34 % to 69 %. It is the size below which the
/// National Center for Health Statistics of the US publishes no proportion (Vital and Health
/// Statistics 2(175), 2017).
pub const MIN_HOSTS: u64 = 30;

/// A drawing.
#[derive(Debug)]
pub enum Chart {
    /// Bars.
    Bars(Bars),
    /// A square of shares.
    Grid(Grid),
    /// Sizes.
    Sizes(Sizes),
}

impl Chart {
    /// Returns a chart of bars, if there are any.
    fn of_bars(bars: Bars) -> Option<Self> {
        (!bars.bars.is_empty()).then_some(Self::Bars(bars))
    }

    /// Returns the chart as SVG.
    pub fn draw(&self, width: Width) -> String {
        match self {
            Self::Bars(bars) => bars.draw(width),
            Self::Grid(grid) => grid.draw(width),
            Self::Sizes(sizes) => sizes.draw(width),
        }
    }
}

/// What most shares are of, and what the page says of the dataset.
#[derive(Debug, Default)]
pub struct Totals {
    /// Archives.
    pub archives: u64,
    /// Host names.
    pub hosts: u64,
    /// Host names whose robots.txt was read, redirects followed.
    pub hosts_read: u64,
    /// Those of them whose file is a page of HTML.
    pub hosts_html: u64,
    /// Registered domains.
    pub domains: u64,
    /// Registered domains whose robots.txt was read, redirects followed.
    pub domains_read: u64,
    /// The dialect that the others are compared with.
    pub reference_dialect: String,
    /// The dialect that is compared with it; empty where there is none.
    pub candidate_dialect: String,
    /// Dialects of the run.
    pub n_dialects: usize,
    /// Agents of the matrix that no user-agent line can name under the reference dialect.
    pub unnameable: Vec<String>,
}

impl Totals {
    fn hosts_asked(&self) -> String {
        format!(
            "n = {} hosts that were asked for a robots.txt",
            words::count(self.hosts)
        )
    }

    fn hosts_whose_file_was_read(&self) -> String {
        format!(
            "n = {} hosts whose robots.txt was read, of {} that were asked",
            words::count(self.hosts_read),
            words::count(self.hosts)
        )
    }

    /// Returns the same for what counts lines: those of pages of HTML are none.
    fn hosts_whose_lines_count(&self) -> String {
        format!(
            "{}; lines of the {} pages of HTML among the files do not count",
            self.hosts_whose_file_was_read(),
            words::count(self.hosts_html)
        )
    }

    fn domains_whose_file_was_read(&self) -> String {
        format!(
            "n = {} registered domains and {} hosts whose robots.txt was read",
            words::count(self.domains_read),
            words::count(self.hosts_read)
        )
    }

    /// Returns an agent as a chart names it: with a word where no line can name it.
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
            " Under {} no user-agent line can name {}: the figures there are those of the group of *, and another dialect may give others.",
            self.reference_dialect,
            charted.join(", ")
        )
    }
}

/// The picture whose figures open the page.
pub const HEADLINE: &str = "domains";

/// The picture of the agent that opens the page.
pub const YEARS: &str = "years";

/// The agent that opens the page: GPTBot where the matrix has it, else its first AI agent, else its
/// first.
const LEADING_AGENT: &str = "(SELECT agent FROM matrix_agents WHERE dialect = reference_dialect() \
    ORDER BY agent <> 'GPTBot', coalesce(agent_category, '') NOT LIKE 'ai-%', agent = '*', agent_index LIMIT 1)";

/// The pictures in the order of the page.
pub const PICTURES: [Picture; 16] = [
    Picture {
        id: HEADLINE,
        question: "Which agents are shut out, by registered domain and by host?",
        query: query!("compare-restriction-by-agent"),
        show: shares::by_domain,
    },
    Picture {
        id: YEARS,
        question: "How do the years of the fetches differ?",
        query: Query {
            agent: Some(LEADING_AGENT),
            ..query!("compare-hosts-by-year")
        },
        show: shares::by_year,
    },
    Picture {
        id: "status",
        question: "What do hosts answer to the request for robots.txt?",
        query: query!("count-hosts-by-status"),
        show: access::status,
    },
    Picture {
        id: "redirects",
        question: "How many redirects stand before a robots.txt?",
        query: query!("count-hosts-by-redirects"),
        show: access::redirects,
    },
    Picture {
        id: "sizes",
        question: "How large are the files, and who exceeds 500 KiB?",
        query: query!("count-hosts-by-power-of-two"),
        show: access::sizes,
    },
    Picture {
        id: "restriction",
        question: "How far is each agent restricted, and is it by name?",
        query: query!("compare-restriction-by-agent"),
        show: agents::restriction,
    },
    Picture {
        id: "ai-against-search",
        question: "Who shuts out AI agents and lets search engines in?",
        query: query!("compare-ai-with-search"),
        show: agents::ai_against_search,
    },
    Picture {
        id: "named-together",
        question: "Which AI agents are named together?",
        query: query!("compare-agents-named-together"),
        show: agents::named_together,
    },
    Picture {
        id: "top-level-domains",
        question: "How do top-level domains differ in whom they shut out?",
        query: query!("rank-large-top-level-domains"),
        show: shares::top_level_domains,
    },
    Picture {
        id: "directives",
        question: "Which other fields stand in the files?",
        query: query!("rank-directives-by-hosts"),
        show: lines::directives,
    },
    Picture {
        id: "misspellings",
        question: "Which fields are misspelt, and how?",
        query: query!("rank-misspelt-fields"),
        show: lines::misspellings,
    },
    Picture {
        id: "errors",
        question: "Which findings do the files have?",
        query: query!("rank-errors-by-hosts"),
        show: lines::errors,
    },
    Picture {
        id: "templates",
        question: "Which systems and services wrote the files?",
        query: query!("rank-templates-by-hosts"),
        show: lines::templates,
    },
    Picture {
        id: "terms",
        question: "Who states terms of use, and in which vocabulary?",
        query: query!("count-hosts-stating-terms"),
        show: lines::terms,
    },
    Picture {
        id: "content-signals",
        question: "What do Content-Signal lines say?",
        query: query!("count-content-signals"),
        show: lines::content_signals,
    },
    Picture {
        id: "dialects",
        question: "Where do dialects disagree?",
        query: query!("count-disagreements-of-dialects"),
        show: agents::disagreements,
    },
];

/// The picture that needs a run with several dialects.
pub const NEEDS_DIALECTS: &str = "dialects";
