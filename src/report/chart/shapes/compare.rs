//! Charts of queries that compare.

use super::{
    super::shape::{
        Kind::{Bars, HeatMap, Lines, Stacked},
        Measure, N,
        Piece::{Column, Count},
        Series, Shape, Unit,
    },
    AGENT, INTERVALS, NO_TLD, OF_READ, PAGES, TLD, of_domains_and_hosts,
};

/// Sorted by the name of their query.
pub const SHAPES: &[Shape] = &[
    Shape::new(
        "compare-agents-by-crawl",
        Lines,
        "crawl",
        &[Column("", "crawl")],
        Series::Column(
            "agent_token",
            Measure::share("", "share_of_domains", "domains"),
        ),
        Unit::ShareOf("registered domains of the crawl that have a robots.txt"),
        N::Sql(
            "SELECT count(*) AS n FROM crawl_hosts WHERE is_primary_of_domain AND has_robots_txt",
            "robots.txt files, one for each registered domain and crawl",
        ),
    )
    .null("not named")
    .n_of_row("domains_read"),
    Shape::new(
        "compare-agents-by-top-level-domain",
        HeatMap,
        "top-level domain",
        TLD,
        Series::Column(
            "agent",
            Measure::share("", "share_of_domains_full", "domains_full"),
        ),
        Unit::ShareOf("registered domains that shut the agent out"),
        N::DomainsAndHostsRead,
    )
    .null(NO_TLD)
    .n_of_row("domains_read"),
    Shape::new(
        "compare-agents-named-together",
        HeatMap,
        "agent",
        &[Column("", "agent")],
        Series::Column(
            "other_agent",
            Measure::part(
                "",
                "domains_naming_both",
                &["domains_naming_both", "domains_naming_only_the_first"],
            ),
        ),
        Unit::ShareOf(
            "registered domains naming the agent of the row that name that of the column too",
        ),
        N::DomainsAndHostsRead,
    ),
    Shape::new(
        "compare-ai-with-search",
        Stacked,
        "category, number of its agents",
        &[Column("", "agent_category"), Count(", ", "agents")],
        Series::Measures(&[
            Measure::part(
                "these shut out, search let in",
                "only_these",
                &["hosts_read"],
            ),
            Measure::part("both shut out", "both_shut_out", &["hosts_read"]),
            Measure::part("only search shut out", "only_search", &["hosts_read"]),
            Measure::part("neither", "neither", &["hosts_read"]),
        ]),
        Unit::ShareOf("hosts that have a robots.txt"),
        N::First("hosts_read", "hosts that have a robots.txt"),
    ),
    Shape::new(
        "compare-bias-by-agent",
        Stacked,
        "agent",
        &[Column("", "agent")],
        Series::Column("bias", Measure::share("", "share_of_naming", "hosts")),
        Unit::ShareOf("hosts that name the agent"),
        N::HostsRead,
    ),
    of_domains_and_hosts(
        "compare-definitions-of-blocking",
        "definition, class",
        &[Column("", "definition"), Column(", ", "class")],
    ),
    Shape::new(
        "compare-hosts-by-crawl",
        Lines,
        "crawl, or year of the fetch",
        &[Column("", "period")],
        Series::Measures(&[
            Measure::share(
                "registered domains that shut it out",
                "share_of_domains_full",
                "domains_full",
            )
            .within("share_of_domains_full_low", "share_of_domains_full_high"),
            Measure::share("hosts that shut it out", "share_full", "full_by_rules"),
            Measure::share("hosts that name it", "share_named", "named"),
        ]),
        Unit::ShareOf("those of the crawl or year that have a robots.txt"),
        N::Sum(
            "domains_read",
            "registered domains that have a robots.txt, once in each crawl or in their year",
        ),
    )
    .n_of_row("domains_read")
    .stating(&["agent"])
    .note(INTERVALS),
    Shape::new(
        "compare-rank-strata",
        Bars,
        "rank",
        &[Count("up to ", "stratum")],
        Series::Measures(&[
            Measure::new("domains that shut it out", "share_of_domains_full"),
            Measure::new("hosts that shut it out", "share_full"),
            Measure::new("hosts that shut it out partly", "share_partial"),
        ]),
        OF_READ,
        N::DomainsAndHostsRead,
    )
    .null("not in the list")
    .n_of_row("domains_read"),
    Shape::new(
        "compare-restriction-across-crawls",
        Lines,
        "crawl",
        &[Column("", "crawl")],
        Series::Measures(&[
            Measure::new("named", "share_of_domains_named"),
            Measure::share("shut out", "share_of_domains_full", "domains_full")
                .within("share_of_domains_full_low", "share_of_domains_full_high"),
            Measure::new("shut out partly", "share_of_domains_partial"),
        ]),
        Unit::ShareOf("the same registered domains in each crawl"),
        N::First("members", "members of the cohort"),
    )
    .null("not named")
    .n_of_row("domains"),
    Shape::new(
        "compare-restriction-by-agent",
        Bars,
        "agent",
        AGENT,
        Series::Measures(&[
            Measure::share(
                "registered domains that shut it out",
                "share_of_domains_full",
                "domains_full",
            )
            .within("share_of_domains_full_low", "share_of_domains_full_high"),
            Measure::new("hosts that shut it out", "share_full"),
        ]),
        OF_READ,
        N::DomainsAndHostsRead,
    )
    .sorted()
    .note(INTERVALS),
    Shape::new(
        "compare-robots-and-pages",
        Stacked,
        "agent",
        &[Column("", "agent")],
        Series::Measures(&[
            Measure::part("shut out by the page alone", "shut_out_by_page", &["pages"]),
            Measure::part("by both", "shut_out_by_both", &["pages"]),
            Measure::part("by robots.txt alone", "shut_out_by_robots", &["pages"]),
            Measure::part("let in by both", "let_in_by_both", &["pages"]),
        ]),
        Unit::ShareOf(PAGES),
        N::First("pages", PAGES),
    ),
    Shape::new(
        "compare-tokens-with-crawlers",
        Bars,
        "token, crawler",
        &[Column("", "token"), Column(", ", "crawler")],
        Series::Measures(&[
            Measure::part("only the token shut out", "only_token", &["hosts_read"]),
            Measure::part("only the crawler shut out", "only_crawler", &["hosts_read"]),
            Measure::part("both shut out", "both_shut_out", &["hosts_read"]),
        ]),
        Unit::ShareOf("hosts that have a robots.txt"),
        N::First("hosts_read", "hosts that have a robots.txt"),
    ),
    Shape::new(
        "compare-top-ranked-domains",
        Bars,
        "rank",
        &[Count("up to ", "top")],
        Series::Measures(&[
            Measure::part("has a robots.txt", "domains_read", &["domains"]),
            Measure::part("captured, no robots.txt", "not_read", &["domains"]),
            Measure::part("not in the dataset", "no_capture", &["domains"]),
        ]),
        Unit::ShareOf("domains of the list"),
        N::Sql(
            "SELECT count(*) AS n FROM domains",
            "registered domains in the dataset",
        ),
    )
    .n_of_row("domains"),
];
