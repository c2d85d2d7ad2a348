-- How many hosts reserve their pages from AI, in the pages and in robots.txt, by top-level domain?
--
-- Tables:  page_directives, pages, signals, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts with a page in the dataset. A host counts if one of its pages
--          states it, for any crawler, whatever its other pages do. In robots.txt count ai-train=no
--          and ai-input=no of Content-Signal, train-ai=n of Content-Usage and DisallowAITraining,
--          in the file that counts for the host (redirects followed); rules against AI crawlers do
--          not: compare-restriction-by-agent.sql has them. A host whose name is an address has no
--          top-level domain.
-- Shape:   one row for each top-level domain: url_host_tld, hosts, hosts_noai (noai or noimageai),
--          hosts_tdm (a TDM reservation of 1), hosts_license (RSL), hosts_reserving (any of these),
--          share_reserving, hosts_with_signal (in robots.txt), share_with_signal, hosts_with_both,
--          share_with_both (of hosts, 0 to 1), domains, domains_reserving, share_of_domains_reserving,
--          share_of_domains_reserving_low, share_of_domains_reserving_high (0 to 1),
--          domains_with_signal, domains_with_both; most hosts first
-- Chart:   bars label={url_host_tld} axis="top-level domain" null=(address)
--          value="reserved in pages: domains_reserving/domains"
--          value="in robots.txt: domains_with_signal/domains"
--          value="in both: domains_with_both/domains" of="registered domains with a page"
--          each=domains n="sum of domains: registered domains with a page in the dataset"
WITH of_pages AS (
    SELECT
        url_host_name,
        any_value(coalesce(url_host_registered_domain, url_host_name)) AS domain,
        any_value(url_host_tld) AS url_host_tld
    FROM pages
    GROUP BY url_host_name
),
reserving AS (
    SELECT
        url_host_name,
        bool_or(directive IN ('noai', 'noimageai')) AS noai,
        bool_or(directive = 'tdm-reservation' AND value_number = 1) AS tdm,
        bool_or(directive = 'license') AS license
    FROM page_directives
    WHERE parse_ok
    GROUP BY url_host_name
),
signaling AS (
    SELECT DISTINCT hosts.url_host_name
    FROM hosts
    JOIN signals USING (capture_id)
    WHERE hosts.is_primary
        AND hosts.has_robots_txt
        AND signals.parse_ok
        AND (
            signals.vocabulary = 'content-signal' AND signals.key IN ('ai-train', 'ai-input') AND signals.value = 'no'
            OR signals.vocabulary = 'content-usage' AND signals.key = 'train-ai' AND signals.value = 'n'
            OR signals.vocabulary = 'disallow-ai-training'
        )
),
joined AS (
    SELECT
        of_pages.url_host_tld,
        of_pages.domain,
        coalesce(noai, false) AS noai,
        coalesce(tdm, false) AS tdm,
        coalesce(license, false) AS license,
        coalesce(noai OR tdm OR license, false) AS reserves,
        signaling.url_host_name IS NOT NULL AS has_signal
    FROM of_pages
    LEFT JOIN reserving USING (url_host_name)
    LEFT JOIN signaling ON signaling.url_host_name = of_pages.url_host_name
)
SELECT
    url_host_tld,
    count(*) AS hosts,
    count(*) FILTER (noai) AS hosts_noai,
    count(*) FILTER (tdm) AS hosts_tdm,
    count(*) FILTER (license) AS hosts_license,
    count(*) FILTER (reserves) AS hosts_reserving,
    share_of(hosts_reserving, count(*)) AS share_reserving,
    count(*) FILTER (has_signal) AS hosts_with_signal,
    share_of(hosts_with_signal, count(*)) AS share_with_signal,
    count(*) FILTER (reserves AND has_signal) AS hosts_with_both,
    share_of(hosts_with_both, count(*)) AS share_with_both,
    count(DISTINCT domain) AS domains,
    count(DISTINCT domain) FILTER (reserves) AS domains_reserving,
    share_of(domains_reserving, domains) AS share_of_domains_reserving,
    wilson_low(domains_reserving, domains) AS share_of_domains_reserving_low,
    wilson_high(domains_reserving, domains) AS share_of_domains_reserving_high,
    count(DISTINCT domain) FILTER (has_signal) AS domains_with_signal,
    count(DISTINCT domain) FILTER (reserves AND has_signal) AS domains_with_both
FROM joined
GROUP BY url_host_tld
ORDER BY count(*) DESC, url_host_tld;
