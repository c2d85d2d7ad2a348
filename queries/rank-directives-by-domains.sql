-- Which fields other than user-agent, allow and disallow are in robots.txt files, on how many hosts
-- and lines?
--
-- Tables:  directives, hosts
-- Variables: crawl, html
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
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
)
SELECT
    directives.key,
    directives.is_known,
    count(DISTINCT read.url_host_name) AS hosts,
    share_of(count(DISTINCT read.url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT read.url_host_name) FILTER (read.is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    count(*) AS lines,
    count(directives.group_index) AS in_groups,
    left(min(directives.value_raw), 80) AS example_value
FROM read
JOIN directives USING (capture_id)
WHERE (directives.is_known OR regexp_matches(directives.key, '^[\p{L}\p{N}]'))
GROUP BY directives.key, directives.is_known
ORDER BY domains DESC, hosts DESC, lines DESC, directives.key
LIMIT 50;
