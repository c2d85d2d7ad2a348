//! Charts of queries that count.

use super::{
    super::shape::{
        Kind::{Bars, Stacked},
        Measure, N,
        Piece::{Bytes, Column, IfFalse, IfTrue},
        Series, Shape, Unit,
    },
    AGENT, DOMAINS_AND_HOSTS, NO_TLD, SEVERAL_CLASSES, TLD, of_domains_and_hosts,
};

/// Sorted by the name of their query.
pub const SHAPES: &[Shape] = &[
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
             JOIN directives USING (capture_id) \
             WHERE hosts.is_primary AND hosts.has_robots_txt AND directives.key = 'crawl-delay'",
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
        Series::Measures(&[
            Measure::new("registered domains", "share_of_domains")
                .within("share_of_domains_low", "share_of_domains_high"),
            Measure::new("hosts", "share_of_hosts"),
        ]),
        Unit::ShareOf("those asked for a robots.txt"),
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
        Unit::ShareOf("rules, and of hosts that have a robots.txt"),
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
            Measure::share(
                "at least one of the agents",
                "share_of_domains_any",
                "domains_any",
            )
            .within("share_of_domains_any_low", "share_of_domains_any_high"),
            Measure::share("all of the agents", "share_of_domains_all", "domains_all")
                .within("share_of_domains_all_low", "share_of_domains_all_high"),
        ]),
        Unit::ShareOf("registered domains that have a robots.txt"),
        N::First("domains_read", "registered domains that have a robots.txt"),
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
];
