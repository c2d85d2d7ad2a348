//! The pictures of the page: the question of each, its query, and what its figures say.
//!
//! Enters: the rows of a query. Leaves: a sentence, a denominator and a chart. Nothing is counted here that the query could count: the table below a
//! picture holds the rows it is drawn from.

mod access;
mod agents;
mod lines;

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
}

macro_rules! query {
    ($name:literal) => {
        Query {
            name: $name,
            sql: include_str!(concat!("../../../queries/", $name, ".sql")),
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
    /// The chart; none where there is nothing to draw.
    pub chart: Option<Chart>,
}

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

/// What most shares are of.
#[derive(Debug)]
pub struct Totals {
    /// Host names.
    pub hosts: u64,
    /// Host names whose robots.txt was read, redirects followed.
    pub hosts_read: u64,
    /// The dialect that the others are compared with.
    pub reference_dialect: String,
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
}

/// The pictures in the order of the page.
pub const PICTURES: [Picture; 14] = [
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
        show: agents::top_level_domains,
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
        question: "What is odd in the files?",
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
