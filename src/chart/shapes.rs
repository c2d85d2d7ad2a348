//! The queries that have a chart, by name.

use super::shape::{
    Kind::{Bars, HeatMap, Lines, Stacked},
    Measure, N,
    Piece::{self, Bytes, Column, Count, IfFalse, IfTrue},
    Series, Shape, Unit,
};

const INTERVALS: &str = "Lines over bars and points are 95 % intervals (Wilson).";
const SEVERAL_CLASSES: &str = "A host may be in several classes.";
const PAGES: &str = "pages whose policy and robots.txt are known";

const HOSTS: &str = "hosts";
const OF_READ: Unit = Unit::ShareOf("those whose robots.txt was read");

const AGENT: &[Piece] = &[
    Column("", "agent"),
    IfFalse("can_be_named", " (cannot be named)"),
];
const TLD: &[Piece] = &[Column("", "url_host_tld")];
const NO_TLD: &str = "(address)";

/// The shares of registered domains and of hosts that many queries have.
const DOMAINS_AND_HOSTS: Series = Series::Measures(&[
    Measure::share("registered domains", "share_of_domains", "domains"),
    Measure::share("hosts", "share_of_hosts", "hosts"),
]);
const SHARE_OF_HOSTS: Series =
    Series::Measures(&[Measure::share("hosts", "share_of_hosts", "hosts")]);

const fn of_domains_and_hosts(
    query: &'static str,
    label_title: &'static str,
    label: &'static [Piece],
) -> Shape {
    Shape::new(
        query,
        Bars,
        label_title,
        label,
        DOMAINS_AND_HOSTS,
        OF_READ,
        N::DomainsAndHostsRead,
    )
}

/// The charts, sorted by the name of their query.
pub const SHAPES: &[Shape] = &[
    Shape::new(
        "compare-agents-by-crawl",
        Lines,
        "crawl",
        &[Column("", "crawl")],
        Series::Column("agent_token", Measure::share("", "share_of_hosts", "hosts")),
        Unit::ShareOf("hosts of the crawl whose robots.txt was read"),
        N::Sql(
            "SELECT count(*) AS n FROM crawl_hosts WHERE is_primary AND access = 'conditional'",
            "answers that were read, one for each host and crawl",
        ),
    )
    .null("not named")
    .n_of_row("hosts_read"),
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
            Measure::part("", "naming_both", &["naming_both", "naming_only_the_first"]),
        ),
        Unit::ShareOf("hosts naming the agent of the row that name that of the column too"),
        N::HostsRead,
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
        Unit::ShareOf("hosts whose robots.txt was read"),
        N::First("hosts_read", "hosts whose robots.txt was read"),
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
        "compare-hosts-by-year",
        Lines,
        "year of the fetch",
        &[Column("", "year")],
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
        Unit::ShareOf("those of the year whose robots.txt was read"),
        N::Sum(
            "domains_read",
            "registered domains whose robots.txt was read, each in its year",
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
            Measure::share("named", "share_named", "named"),
            Measure::share("shut out", "share_full", "full_by_rules"),
            Measure::share("shut out partly", "share_partial", "partial_by_rules"),
        ]),
        Unit::ShareOf("the same hosts in each crawl"),
        N::First("hosts", "hosts whose robots.txt was read in each crawl"),
    )
    .null("not named"),
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
        Unit::ShareOf("hosts whose robots.txt was read"),
        N::First("hosts_read", "hosts whose robots.txt was read"),
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
    Shape::new(
        "count-ai-reservations-by-tld",
        Bars,
        "top-level domain",
        TLD,
        Series::Measures(&[
            Measure::share("reserved in pages", "share_reserving", "hosts_reserving"),
            Measure::share("in robots.txt", "share_with_signal", "hosts_with_signal"),
            Measure::share("in both", "share_with_both", "hosts_with_both"),
        ]),
        Unit::ShareOf("hosts with a page"),
        N::Sum("hosts", "hosts with a page in the dataset"),
    )
    .null(NO_TLD)
    .n_of_row("hosts"),
    Shape::new(
        "count-captures-by-status",
        Bars,
        "status, meaning",
        &[Column("", "fetch_status"), Column(", ", "access")],
        Series::Measures(&[Measure::share("captures", "share_of_captures", "captures")]),
        Unit::ShareOf("captures"),
        N::Sum("captures", "captures"),
    )
    .null("no HTTP"),
    Shape::new(
        "count-changes",
        Bars,
        "change",
        &[Column("", "change")],
        Series::Measures(&[Measure::share("pairs", "share_of_pairs", "pairs")]),
        Unit::ShareOf("pairs of consecutive fetches"),
        N::Sum("pairs", "pairs of consecutive fetches of an origin"),
    ),
    of_domains_and_hosts(
        "count-content-signals",
        "signal",
        &[
            Column("", "key"),
            Column(" = ", "value"),
            IfFalse("parse_ok", " (not parsed)"),
        ],
    ),
    of_domains_and_hosts(
        "count-content-usage",
        "preference",
        &[
            Column("", "key"),
            Column(" = ", "value"),
            IfFalse("parse_ok", " (not parsed)"),
        ],
    ),
    Shape::new(
        "count-crawl-delays",
        Bars,
        "delay",
        &[Column("", "class")],
        DOMAINS_AND_HOSTS,
        Unit::ShareOf("those that ask for a delay"),
        N::Sql(
            "SELECT count(DISTINCT hosts.url_host_name) AS n FROM hosts \
             JOIN directives ON directives.capture_id = hosts.effective_capture_id \
             WHERE hosts.is_primary AND NOT hosts.end_is_html AND directives.key = 'crawl-delay'",
            "hosts that ask for a delay",
        ),
    )
    .note(SEVERAL_CLASSES),
    Shape::new(
        "count-dead-rules",
        Bars,
        "reason",
        &[Column("", "reason")],
        Series::Measures(&[Measure::share("rules", "share_of_rules", "rules")]),
        Unit::ShareOf("rules"),
        N::Sum("rules", "rules"),
    ),
    Shape::new(
        "count-disagreements-of-dialects",
        Bars,
        "verdict and basis of the one, of the other",
        &[
            Column("", "base_verdict"),
            Column(", ", "base_basis"),
            Column(" \u{2192} ", "verdict"),
            Column(", ", "basis"),
        ],
        Series::Measures(&[Measure::new("hosts", "hosts")]),
        Unit::Count(HOSTS),
        N::HostsAsked,
    )
    .stating(&["dialect"]),
    Shape::new(
        "count-domains-by-agreement",
        Stacked,
        "pair",
        &[Column("", "pair")],
        Series::Measures(&[
            Measure::part("the same bytes", "same_bytes", &["pairs"]),
            Measure::part("the same meaning", "same_meaning", &["pairs"]),
            Measure::part("different rules", "different", &["pairs"]),
        ]),
        Unit::ShareOf("pairs"),
        N::Sum("pairs", "pairs of files"),
    )
    .n_of_row("pairs"),
    Shape::new(
        "count-domains-by-presence",
        Bars,
        "http, https, http www, https www",
        &[
            Column("", "http_bare"),
            Column(", ", "https_bare"),
            Column(", ", "http_www"),
            Column(", ", "https_www"),
        ],
        Series::Measures(&[Measure::share("domains", "share_of_domains", "domains")]),
        Unit::ShareOf("registered domains"),
        N::Sum("domains", "registered domains"),
    ),
    Shape::new(
        "count-features-of-patterns",
        Bars,
        "feature",
        &[Column("", "feature")],
        Series::Measures(&[
            Measure::share("rules", "share_of_rules", "rules"),
            Measure::share("hosts", "share_of_hosts", "hosts"),
        ]),
        Unit::ShareOf("rules, and of hosts whose robots.txt was read"),
        N::HostsRead,
    ),
    Shape::new(
        "count-flips-between-dialects",
        Bars,
        "agent",
        &[Column("", "agent")],
        Series::Measures(&[
            Measure::part("to disallow", "to_disallow", &["cells"]),
            Measure::part("to allow", "to_allow", &["cells"]),
        ]),
        Unit::ShareOf("verdicts"),
        N::First("cells", "verdicts for each agent"),
    ),
    Shape::new(
        "count-hosts-blocking-gptbot",
        Bars,
        "agent",
        AGENT,
        Series::Measures(&[
            Measure::part(
                "by a group of its own",
                "blocked_by_own_group",
                &["hosts_asked"],
            ),
            Measure::part(
                "by the group of *",
                "blocked_by_everybodys_group",
                &["hosts_asked"],
            ),
            Measure::part(
                "by the status of the answer",
                "blocked_by_status",
                &["hosts_asked"],
            ),
        ]),
        Unit::ShareOf("hosts that were asked for a robots.txt"),
        N::First("hosts_asked", "hosts that were asked for a robots.txt"),
    ),
    of_domains_and_hosts(
        "count-hosts-by-kind-of-file",
        "kind of file",
        &[Column("", "kind")],
    ),
    of_domains_and_hosts(
        "count-hosts-by-power-of-two",
        "size from",
        &[Bytes("", "bytes_from")],
    ),
    of_domains_and_hosts(
        "count-hosts-by-purpose-of-ai",
        "shut out: training, search, fetches for a user",
        &[
            Column("", "training"),
            Column(", ", "search"),
            Column(", ", "user_fetch"),
        ],
    ),
    Shape::new(
        "count-hosts-by-redirects",
        Bars,
        "redirects, end",
        &[Column("", "redirects"), Column(", ", "outcome")],
        DOMAINS_AND_HOSTS,
        Unit::ShareOf("those that were asked for a robots.txt"),
        N::HostsAsked,
    ),
    of_domains_and_hosts(
        "count-hosts-by-size-of-file",
        "size",
        &[Bytes("up to ", "bytes_up_to")],
    )
    .null("more"),
    Shape::new(
        "count-hosts-by-status",
        Bars,
        "status",
        &[Column("", "status_class")],
        Series::Measures(&[
            Measure::share("at the first request", "share_at_first", "hosts_at_first"),
            Measure::share("at the end of redirects", "share_at_last", "hosts_at_last"),
        ]),
        Unit::ShareOf("hosts that were asked for a robots.txt"),
        N::HostsAsked,
    ),
    Shape::new(
        "count-hosts-restricting-any-of",
        Bars,
        "behavior",
        &[Column("", "does")],
        Series::Measures(&[
            Measure::share("at least one of the agents", "share_any", "any_of"),
            Measure::share("all of the agents", "share_all", "all_of"),
        ]),
        Unit::ShareOf("hosts whose robots.txt was read"),
        N::First("hosts_read", "hosts whose robots.txt was read"),
    )
    .stating(&["agents"]),
    of_domains_and_hosts(
        "count-hosts-stating-terms",
        "vocabulary",
        &[Column("", "vocabulary")],
    ),
    Shape::new(
        "count-nofollow-links",
        Bars,
        "top-level domain",
        &[Column("", "url_host_tld"), IfTrue("is_total", "all")],
        Series::Measures(&[
            Measure::share("nofollow", "share_nofollow", "nofollow_links"),
            Measure::share("ugc", "share_ugc", "ugc_links"),
            Measure::share("sponsored", "share_sponsored", "sponsored_links"),
        ]),
        Unit::ShareOf("links"),
        N::First("links", "links"),
    )
    .null(NO_TLD)
    .n_of_row("links"),
    Shape::new(
        "count-pages-by-directive",
        Bars,
        "directive, where it is",
        &[
            Column("", "directive"),
            Column(", ", "source"),
            Column(", ", "place"),
            IfFalse("for_all", ", for one crawler"),
            IfFalse("parse_ok", " (not parsed)"),
        ],
        Series::Measures(&[Measure::share("pages", "share_of_pages", "pages")]),
        Unit::ShareOf("pages"),
        N::First("of_pages", "pages"),
    ),
    Shape::new(
        "count-pages-shut-out",
        Stacked,
        "agent",
        AGENT,
        Series::Measures(&[
            Measure::part("shut out", "pages_full", &["pages"]),
            Measure::part("shut out partly", "pages_partial", &["pages"]),
            Measure::part("not restricted", "pages_none", &["pages"]),
            Measure::part("unknown", "pages_unknown", &["pages"]),
        ]),
        Unit::ShareOf("pages of the corpus"),
        N::First("pages", "pages of the corpus"),
    ),
    Shape::new(
        "count-redirects-by-outcome",
        Bars,
        "outcome, hops, status",
        &[
            Column("", "redirect_outcome"),
            Column(", ", "redirect_hops"),
            Column(", ", "end_status"),
        ],
        Series::Measures(&[Measure::share("fetches", "share_of_redirects", "fetches")]),
        Unit::ShareOf("fetches that were redirected"),
        N::Sum("fetches", "fetches that were redirected"),
    ),
    Shape::new(
        "count-rules-that-decide",
        Bars,
        "kind of rule",
        &[Column("", "rule_kind")],
        Series::Measures(&[Measure::share("deciding", "share_deciding", "deciding")]),
        Unit::ShareOf("rules of the kind"),
        N::Sum("rules", "rules"),
    )
    .n_of_row("rules"),
    of_domains_and_hosts(
        "count-sitemaps",
        "where sitemaps are",
        &[Column("", "place")],
    )
    .note(SEVERAL_CLASSES),
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
        Unit::ShareOf("registered domains whose robots.txt was read"),
        N::Sum(
            "domains_read",
            "registered domains under these, whose robots.txt was read",
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
            Measure::new("at least one AI agent shut out", "share_any_ai"),
            Measure::new("all AI agents shut out", "share_all_ai"),
            Measure::new("every agent shut out (*)", "share_everybody"),
        ]),
        Unit::ShareOf("hosts whose robots.txt was read"),
        N::Sum("hosts_read", "hosts under these, whose robots.txt was read"),
    )
    .null(NO_TLD)
    .n_of_row("hosts_read"),
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
