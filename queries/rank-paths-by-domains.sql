-- Which paths are disallowed by the most hosts?
--
-- Tables:  agents, rules, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Any group counts, also that of a single crawler; in_everybodys_group counts those of *.
--          Patterns are compared as the reference dialect compares them: /a and /a/ are distinct,
--          /a and /a* as well. An empty pattern disallows nothing and is left out. A registered
--          domain counts once, by one of its host names (see domains in views.sql).
-- Shape:   the 50 patterns of most hosts: pattern, hosts, share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1),
--          in_everybodys_group (hosts), lines; most domains first
-- Chart:   bars label={pattern} axis=path value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT capture_id, count(*) AS hosts, count(*) FILTER (is_primary_of_domain) AS domains
    FROM hosts
    WHERE is_primary AND has_robots_txt
    GROUP BY capture_id
),
everybodys AS (
    SELECT DISTINCT capture_id, group_index
    FROM agents
    WHERE is_wildcard
),
-- Paths are counted for each file, not each host: only the number of hosts is needed, and names are
-- more expensive to group by.
patterns AS (
    SELECT
        rules.capture_id,
        rules.pattern,
        count(*) AS lines,
        bool_or(everybodys.capture_id IS NOT NULL) AS is_everybodys
    FROM rules
    LEFT JOIN everybodys USING (capture_id, group_index)
    WHERE rules.rule_kind = 'disallow' AND rules.pattern <> '' AND rules.group_index IS NOT NULL
    GROUP BY rules.capture_id, rules.pattern
)
SELECT
    pattern,
    sum(hosts)::BIGINT AS hosts,
    share_of(sum(hosts), (SELECT sum(hosts) FROM read)) AS share_of_hosts,
    sum(domains)::BIGINT AS domains,
    share_of(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains,
    wilson_low(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_low,
    wilson_high(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_high,
    coalesce(sum(hosts) FILTER (is_everybodys), 0)::BIGINT AS in_everybodys_group,
    sum(lines * hosts)::BIGINT AS lines
FROM read
JOIN patterns USING (capture_id)
GROUP BY pattern
ORDER BY domains DESC, hosts DESC, pattern
LIMIT 50;
