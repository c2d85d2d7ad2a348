-- Which delays do hosts ask for, how many are not a number, and how many are too long to be
-- respected?
--
-- Tables:  directives, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts whose robots.txt has a crawl-delay, redirects followed;
--          a host with several may be in several classes. Delays are in seconds. Some crawlers skip
--          a site that asks for more than 300 seconds (crawler-commons); Google ignores delays.
--          Negative numbers are a class of their own. A registered domain counts once, by one of
--          its host names (see domains in views.sql).
-- Shape:   one row for each class: class (0 negative, 0 not a number, 1 zero, 2 up to 1 s, ..),
--          hosts, share_of_hosts, domains, of_domains (that ask for a delay), share_of_domains,
--          share_of_domains_low, share_of_domains_high (0 to 1), lines, before_any_group (lines),
--          example_value
-- Chart:   bars label={class} axis=delay value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that ask for a delay"
--          n="of_domains: registered domains that ask for a delay"
--          note="A host may be in several classes."
WITH delays AS (
    SELECT
        hosts.url_host_name,
        hosts.is_primary_of_domain,
        directives.group_index,
        directives.value_raw,
        CASE
            WHEN try_cast(value_raw AS DOUBLE) < 0 THEN '0 negative'
            WHEN value_number IS NULL THEN '0 not a number'
            WHEN value_number = 0 THEN '1 zero'
            WHEN value_number <= 1 THEN '2 up to 1 s'
            WHEN value_number <= 10 THEN '3 up to 10 s'
            WHEN value_number <= 60 THEN '4 up to 1 min'
            WHEN value_number <= 300 THEN '5 up to 5 min'
            ELSE '6 more than 5 min'
        END AS class
    FROM hosts
    JOIN directives USING (capture_id)
    WHERE hosts.is_primary AND hosts.has_robots_txt AND directives.key = 'crawl-delay'
),
whole AS (SELECT count(DISTINCT url_host_name) AS of_domains FROM delays WHERE is_primary_of_domain)
SELECT
    class,
    count(DISTINCT url_host_name) AS hosts,
    share_of(hosts, (SELECT count(DISTINCT url_host_name) FROM delays)) AS share_of_hosts,
    count(DISTINCT url_host_name) FILTER (is_primary_of_domain) AS domains,
    of_domains,
    share_of(domains, of_domains) AS share_of_domains,
    wilson_low(domains, of_domains) AS share_of_domains_low,
    wilson_high(domains, of_domains) AS share_of_domains_high,
    count(*) AS lines,
    count(*) FILTER (group_index IS NULL) AS before_any_group,
    left(min(value_raw), 80) AS example_value
FROM delays
CROSS JOIN whole
GROUP BY class, of_domains
ORDER BY class;
