//! Charts of queries that rank.

use super::{
    super::shape::{
        Kind::Bars,
        Measure, N,
        Piece::{Column, IfFalse},
        Series, Shape, Unit,
    },
    HOSTS, INTERVALS, NO_TLD, SHARE_OF_HOSTS, TLD, of_domains_and_hosts,
};

/// Sorted by the name of their query.
pub const SHAPES: &[Shape] = &[
    Shape::new(
        "rank-agents-by-crawl-delay",
        Bars,
        "agent",
        &[Column("", "agent_token")],
        Series::Measures(&[Measure::new("hosts", "hosts")]),
        Unit::Count("hosts that ask it to wait"),
        N::HostsRead,
    ),
    of_domains_and_hosts(
        "rank-agents-by-hosts",
        "agent",
        &[Column("", "agent_token")],
    ),
    Shape::new(
        "rank-agents-let-in-where-all-are-shut-out",
        Bars,
        "agent",
        &[Column("", "agent")],
        Series::Measures(&[
            Measure::part(
                "registered domains",
                "domains_letting_in",
                &["domains_closed"],
            ),
            Measure::share("hosts", "share_letting_in", "hosts_letting_in"),
        ]),
        Unit::ShareOf("those that disallow everything for *"),
        N::First("hosts_closed", "hosts that disallow everything for *"),
    ),
    of_domains_and_hosts(
        "rank-directives-by-hosts",
        "field",
        &[Column("", "key"), IfFalse("is_known", " (unknown)")],
    ),
    Shape::new(
        "rank-domains-by-blocking-hosts",
        Bars,
        "registered domain",
        &[Column("", "domain")],
        Series::Measures(&[Measure::share("hosts", "share_of_blocking", "hosts_full")]),
        Unit::ShareOf("hosts that shut the agent out"),
        N::HostsRead,
    ),
    of_domains_and_hosts("rank-errors-by-hosts", "finding", &[Column("", "code")]),
    of_domains_and_hosts(
        "rank-files-by-hosts",
        "one of the hosts, template",
        &[Column("", "example"), Column(", ", "template")],
    ),
    Shape::new(
        "rank-large-top-level-domains",
        Bars,
        "top-level domain",
        TLD,
        Series::Measures(&[
            Measure::share(
                "at least one AI agent shut out",
                "share_any_ai",
                "domains_any_ai",
            )
            .within("share_any_ai_low", "share_any_ai_high"),
            Measure::share(
                "every agent shut out (*)",
                "share_everybody",
                "domains_everybody",
            )
            .within("share_everybody_low", "share_everybody_high"),
        ]),
        Unit::ShareOf("registered domains that have a robots.txt"),
        N::Sum(
            "domains_read",
            "registered domains under these that have a robots.txt",
        ),
    )
    .null(NO_TLD)
    .n_of_row("domains_read")
    .note(INTERVALS),
    of_domains_and_hosts(
        "rank-misspelt-fields",
        "written \u{2192} meant",
        &[
            Column("", "written"),
            Column(" \u{2192} ", "meant"),
            IfFalse("has_colon", " (no colon)"),
        ],
    ),
    Shape::new(
        "rank-near-misses-of-agents",
        Bars,
        "written \u{2192} meant",
        &[Column("", "written"), Column(" \u{2192} ", "meant")],
        Series::Measures(&[Measure::new("hosts", "hosts")]),
        Unit::Count(HOSTS),
        N::HostsRead,
    ),
    of_domains_and_hosts("rank-paths-by-hosts", "path", &[Column("", "pattern")]),
    of_domains_and_hosts(
        "rank-sensitive-paths-by-hosts",
        "word",
        &[Column("", "word")],
    ),
    of_domains_and_hosts(
        "rank-templates-by-hosts",
        "template",
        &[Column("", "template")],
    )
    .null("none recognized"),
    Shape::new(
        "rank-top-level-domains-by-blocking",
        Bars,
        "top-level domain",
        TLD,
        Series::Measures(&[
            Measure::new("at least one AI agent shut out", "share_of_domains_any_ai").within(
                "share_of_domains_any_ai_low",
                "share_of_domains_any_ai_high",
            ),
            Measure::new("all AI agents shut out", "share_of_domains_all_ai").within(
                "share_of_domains_all_ai_low",
                "share_of_domains_all_ai_high",
            ),
            Measure::new("every agent shut out (*)", "share_of_domains_everybody").within(
                "share_of_domains_everybody_low",
                "share_of_domains_everybody_high",
            ),
        ]),
        Unit::ShareOf("registered domains that have a robots.txt"),
        N::Sum(
            "domains_read",
            "registered domains under these that have a robots.txt",
        ),
    )
    .null(NO_TLD)
    .n_of_row("domains_read"),
    Shape::new(
        "rank-unknown-page-directives",
        Bars,
        "directive",
        &[Column("", "directive")],
        SHARE_OF_HOSTS,
        Unit::ShareOf("hosts with a page"),
        N::Sql(
            "SELECT count(DISTINCT url_host_name) AS n FROM pages",
            "hosts with a page in the dataset",
        ),
    ),
];
