-- Which fields other than user-agent, allow and disallow are in robots.txt files, on how many hosts
-- and lines?
--
-- Tables:  directives, files_of_hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: The denominator is hosts that have a robots.txt (has_robots_txt), redirects followed.
--          Known means that some specification or crawler defines the field; an unknown one counts
--          if it begins with a letter or a digit (<div does not). Unknown fields in XML and other
--          documents are not counted. A registered domain counts once, by one of its host names
--          (see domains in views.sql).
-- Shape:   the 50 fields of most hosts: key, is_known, hosts, share_of_hosts, domains,
--          share_of_domains, share_of_domains_low, share_of_domains_high (0 to 1), lines, in_groups
--          (lines in a group), example_value; most domains first
-- Chart:   bars label="{key}{is_known?: (unknown)}" axis=field
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS MATERIALIZED (
    FROM files_of_hosts
),
stated AS (
    SELECT capture_id, key, is_known, count(*) AS lines, count(group_index) AS in_groups, min(value_raw) AS example_value
    FROM directives
    SEMI JOIN read USING (capture_id)
    WHERE is_known OR regexp_matches(key, '^[\p{L}\p{N}]')
    GROUP BY capture_id, key, is_known
)
SELECT
    key,
    is_known,
    sum(hosts)::BIGINT AS hosts,
    share_of(sum(hosts), (SELECT sum(hosts) FROM read)) AS share_of_hosts,
    sum(domains)::BIGINT AS domains,
    share_of(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains,
    wilson_low(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_low,
    wilson_high(sum(domains), (SELECT sum(domains) FROM read)) AS share_of_domains_high,
    sum(lines * hosts)::BIGINT AS lines,
    sum(in_groups * hosts)::BIGINT AS in_groups,
    left(min(example_value), 80) AS example_value
FROM read
JOIN stated USING (capture_id)
GROUP BY key, is_known
ORDER BY domains DESC, hosts DESC, lines DESC, key
LIMIT 50;
