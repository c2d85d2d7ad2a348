-- How many rules, groups, agents and lines has a robots.txt: minimum, quantiles, maximum?
--
-- Tables:  captures, agents, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed,
--          without empty bodies; a file that thousands of hosts share counts for each of them, in
--          the columns of domains once for each registered domain (see hosts in views.sql).
--          Quantiles are values that occur. Counts are those of the reference dialect. Agents are
--          distinct tokens of a file.
-- Shape:   one row for each measure: measure (rules, allow, disallow, groups, agents, sitemaps,
--          lines, bytes), files (hosts), share_zero (0 to 1), least, p10, p25, p50, p75, p90, p95,
--          p99, most, mean, domains_p50, domains_p90, domains_p99
WITH named AS (
    SELECT capture_id, count(DISTINCT agent_token) AS agent_count
    FROM agents
    GROUP BY capture_id
),
files AS (
    SELECT
        hosts.is_primary_of_domain,
        captures.rule_count::BIGINT AS rules,
        captures.allow_count::BIGINT AS allow,
        captures.disallow_count::BIGINT AS disallow,
        captures.group_count::BIGINT AS groups,
        coalesce(named.agent_count, 0)::BIGINT AS agents,
        captures.sitemap_count::BIGINT AS sitemaps,
        captures.line_count::BIGINT AS lines,
        captures.content_length::BIGINT AS bytes
    FROM hosts
    JOIN captures USING (capture_id)
    LEFT JOIN named USING (capture_id)
    WHERE hosts.is_primary
        AND hosts.has_robots_txt
        AND NOT captures.is_empty
),
measured AS (
    UNPIVOT files
    ON rules, allow, disallow, groups, agents, sitemaps, lines, bytes
    INTO NAME measure VALUE n
)
SELECT
    measure,
    count(*) AS files,
    share_of(count(*) FILTER (n = 0), count(*)) AS share_zero,
    min(n) AS least,
    quantile_disc(n, 0.1) AS p10,
    quantile_disc(n, 0.25) AS p25,
    quantile_disc(n, 0.5) AS p50,
    quantile_disc(n, 0.75) AS p75,
    quantile_disc(n, 0.9) AS p90,
    quantile_disc(n, 0.95) AS p95,
    quantile_disc(n, 0.99) AS p99,
    max(n) AS most,
    round(avg(n), 2) AS mean,
    quantile_disc(n, 0.5) FILTER (is_primary_of_domain) AS domains_p50,
    quantile_disc(n, 0.9) FILTER (is_primary_of_domain) AS domains_p90,
    quantile_disc(n, 0.99) FILTER (is_primary_of_domain) AS domains_p99
FROM measured
GROUP BY measure
ORDER BY list_position(['rules', 'allow', 'disallow', 'groups', 'agents', 'sitemaps', 'lines', 'bytes'], measure);
