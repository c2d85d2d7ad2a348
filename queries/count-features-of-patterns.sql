-- How are *, $, ?, percent-escapes and letters outside ASCII used in path-patterns, and how costly
-- can a match become?
--
-- Tables:  rules, hosts
-- Variables: crawl, html
-- Caveats: The denominators are the rules of hosts with a robots.txt, and these hosts, redirects
--          followed. A pattern may have several features. A match costs at most the pattern's
--          octets times the path's; a matcher that backtracks takes time exponential in
--          most_wildcards. A registered domain counts once, by one of its host names (see domains
--          in views.sql).
-- Shape:   one row for each feature: feature, rules, share_of_rules (0 to 1), hosts,
--          share_of_hosts, domains, share_of_domains, share_of_domains_low, share_of_domains_high
--          (0 to 1), most_octets, most_wildcards, example_pattern
-- Chart:   bars label={feature} axis="rules with"
--          value="registered domains: share_of_domains (domains)"
--          value="hosts: share_of_hosts (hosts)" of="those that have a robots.txt"
WITH read AS (
    SELECT url_host_name, is_primary_of_domain, capture_id
    FROM hosts
    WHERE is_primary AND has_robots_txt
),
patterns AS (
    SELECT read.url_host_name, read.is_primary_of_domain, rules.* EXCLUDE (url_host_name) REPLACE (coalesce(pattern_raw, pattern) AS pattern_raw), length(pattern) - length(replace(pattern, '*', '')) AS wildcards
    FROM read
    JOIN rules USING (capture_id)
),
features AS (
    SELECT '1 any' AS feature, * FROM patterns
    UNION ALL
    SELECT '2 empty', * FROM patterns WHERE pattern = ''
    UNION ALL
    SELECT '3 wildcard *', * FROM patterns WHERE has_wildcard
    UNION ALL
    SELECT '4 wildcard at the end only', * FROM patterns WHERE wildcards = 1 AND pattern LIKE '%*'
    UNION ALL
    SELECT '5 anchor $', * FROM patterns WHERE has_anchor
    UNION ALL
    SELECT '6 query ?', * FROM patterns WHERE contains(pattern, '?')
    UNION ALL
    SELECT '7 percent-escape as written', * FROM patterns WHERE regexp_matches(pattern_raw, '%[0-9A-Fa-f]{2}')
    UNION ALL
    SELECT '8 outside ASCII as written', * FROM patterns WHERE strlen(pattern_raw) > length(pattern_raw)
    UNION ALL
    SELECT '9 begins with neither / nor *', * FROM patterns WHERE pattern <> '' AND pattern[1] NOT IN ('/', '*')
)
SELECT
    feature,
    count(*) AS rules,
    share_of(count(*), (SELECT count(*) FROM patterns)) AS share_of_rules,
    count(DISTINCT url_host_name) AS hosts,
    share_of(count(DISTINCT url_host_name), (SELECT count(*) FROM read)) AS share_of_hosts,
    count(DISTINCT url_host_name) FILTER (is_primary_of_domain) AS domains,
    share_of(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains,
    wilson_low(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_low,
    wilson_high(domains, (SELECT count(*) FROM read WHERE is_primary_of_domain)) AS share_of_domains_high,
    max(strlen(pattern)) AS most_octets,
    max(wildcards) AS most_wildcards,
    left(min(pattern_raw), 80) AS example_pattern
FROM features
GROUP BY feature
ORDER BY feature;
